//===- FromIRTest.cpp - plan.program to plan file contents ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "CodegenTest.h"
#include "mlir/AsmParser/AsmParser.h"

using namespace opgraph;
using namespace opgraph::planfile;
using namespace opgraph::test;

namespace {

using FromIRTest = CodegenTest;

constexpr llvm::StringLiteral everything = R"(
plan.program @everything target "host"
    engine <10001, "host.fused", 2, [100000, 8, 100001, 32]>
    workspace <shared = affine_map<()[s0, s1] -> (s0 * 64)>,
               private = affine_map<() -> (128)>, max_workers = 4>
    attributes {compiler = "opgraph test", notes = ["a", "b"],
                source = "graph"} {
  plan.symbol "M" extent 0, 0
      {min = 8 : i64, max = 1024 : i64, divisor = 8 : i64}
  plan.symbol "ld" stride 0, 0 {default_value = 64 : i64}
  plan.operand "x" uid 7 in bf16
      extents affine_map<()[s0, s1] -> (s0, 64)>
      strides affine_map<()[s0, s1] -> (s1, 1)>
      storage ragged stride_rule unit_inner
      {alignment = 16 : i64,
       storage_bytes = affine_map<()[s0, s1] -> (s0 * s1)>}
  plan.operand "s" uid 8 in f32 extents affine_map<() -> ()>
      strides affine_map<() -> ()> {by_value, default_value = 1.0 : f32}
  plan.operand "y" uid -9 out bf16
      extents affine_map<()[s0, s1] -> (s0, 64)>
      strides affine_map<()[s0, s1] -> (64, 1)>
  plan.alias 0, 2
  plan.fill offset affine_map<() -> (0)>
      size affine_map<()[s0, s1] -> (s0 ceildiv 8)> value 255
  plan.host_call @second
  plan.host_call @first
  plan.host_call @second
}
)";

class ConvertedPlan : public FromIRTest {
protected:
  void SetUp() override {
    module = parse(everything);
    ASSERT_TRUE(bool(module));
    Variant variant;
    variant.target = "x86-64-v3";
    auto made =
        contentsFromIR(*module->getOps<plan::ProgramOp>().begin(), {variant});
    ASSERT_TRUE(bool(made)) << llvm::toString(made.takeError());
    contents = std::move(*made);
  }

  mlir::OwningOpRef<mlir::ModuleOp> module;
  PlanContents contents;
};

TEST_F(ConvertedPlan, Identity) {
  EXPECT_EQ(contents.name, "everything");
  EXPECT_EQ(contents.compiler, "opgraph test");
  EXPECT_EQ(contents.target, "host");
  EXPECT_EQ(contents.engineId, 10001);
  EXPECT_EQ(contents.engineName, "host.fused");
  EXPECT_EQ(contents.engineVersion, 2u);
  ASSERT_EQ(contents.knobs.size(), 2u);
  EXPECT_EQ(contents.knobs[1].type, 100001);
  EXPECT_EQ(contents.knobs[1].value, 32);
  EXPECT_EQ(contents.notes, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(contents.sourceMlir, "graph");
  ASSERT_EQ(contents.variants.size(), 1u);
  EXPECT_EQ(contents.variants[0].target, "x86-64-v3");
}

TEST_F(ConvertedPlan, Symbols) {
  ASSERT_EQ(contents.symbols.size(), 2u);
  const planfile::Symbol &extent = contents.symbols[0];
  EXPECT_EQ(extent.name, "M");
  EXPECT_FALSE(extent.isStride);
  EXPECT_EQ(extent.min, 8);
  EXPECT_EQ(extent.max, 1024);
  EXPECT_EQ(extent.divisor, 8);
  EXPECT_FALSE(extent.defaultValue.has_value());
  const planfile::Symbol &stride = contents.symbols[1];
  EXPECT_TRUE(stride.isStride);
  EXPECT_EQ(stride.max, INT64_MAX);
  EXPECT_EQ(stride.defaultValue, 64);
}

TEST_F(ConvertedPlan, Operands) {
  ASSERT_EQ(contents.operands.size(), 3u);
  const planfile::Operand &x = contents.operands[0];
  EXPECT_EQ(x.uid, 7);
  EXPECT_EQ(x.name, "x");
  EXPECT_EQ(x.dtype, OG_DTYPE_BFLOAT16);
  EXPECT_FALSE(x.isOutput);
  EXPECT_EQ(x.alignment, 16u);
  EXPECT_EQ(x.storage, OG_STORAGE_RAGGED);
  EXPECT_EQ(x.storageBytes, Expr::symbol(0) * Expr::symbol(1));
  EXPECT_EQ(x.strideRule, OG_STRIDES_UNIT_INNER);
  EXPECT_EQ(x.extents, (std::vector<Expr>{Expr::symbol(0), 64}));
  EXPECT_EQ(x.strides, (std::vector<Expr>{Expr::symbol(1), 1}));
  const planfile::Operand &scale = contents.operands[1];
  EXPECT_TRUE(scale.byValue);
  EXPECT_EQ(scale.defaultValue, (std::vector<uint8_t>{0, 0, 0x80, 0x3f}));
  EXPECT_EQ(contents.operands[2].uid, -9);
  EXPECT_TRUE(contents.operands[2].isOutput);
}

TEST_F(ConvertedPlan, StepsNumberEntriesByFirstCall) {
  using Pair = std::pair<uint32_t, uint32_t>;
  EXPECT_EQ(contents.aliases, (std::vector<Pair>{{0, 2}}));
  EXPECT_EQ(contents.workspaceShared, Expr::symbol(0) * Expr(64));
  EXPECT_EQ(contents.workspacePrivate, Expr(128));
  EXPECT_EQ(contents.maxWorkers, 4u);
  ASSERT_EQ(contents.steps.size(), 4u);
  const auto &fill = std::get<Fill>(contents.steps[0]);
  EXPECT_EQ(fill.size, Expr::binary(ExprOp::CeilDiv, Expr::symbol(0), Expr(8)));
  EXPECT_EQ(fill.value, 255);
  EXPECT_EQ(std::get<HostCall>(contents.steps[1]).entry, 0u);
  EXPECT_EQ(std::get<HostCall>(contents.steps[2]).entry, 1u);
  EXPECT_EQ(std::get<HostCall>(contents.steps[3]).entry, 0u);
}

constexpr llvm::StringLiteral onADevice = R"(
plan.program @g target "sm_90:GPU" engine <30000, "nvptx.pointwise", 1> {
  plan.symbol "M" extent 0, 0
  plan.operand "x" uid 1 in bf16 extents affine_map<()[s0] -> (s0, 64)>
      strides affine_map<() -> (64, 1)>
  plan.operand "s" uid 2 in f32 extents affine_map<() -> ()>
      strides affine_map<() -> ()> {by_value}
  plan.encode_map #plan.pointer<0> element bf16
      extents affine_map<()[s0] -> (s0, 64)>
      strides affine_map<() -> (64, 1)> box [128, 64] swizzle sw128
  plan.launch @second grid affine_map<()[s0] -> (s0, 4)> at_most [9, 4]
      dependent
      args [#plan.pointer<0, offset = affine_map<() -> (8)>>,
            #plan.scratch<affine_map<() -> (64)>>,
            #plan.integer<affine_map<()[s0] -> (s0)>, ui32>,
            #plan.stride<0, 1, i64>, #plan.scalar<1, f64>, #plan.map<0>,
            1.5 : f32, -7 : i32]
  plan.launch @first grid affine_map<() -> (1)> args []
  plan.launch @second grid affine_map<() -> (1)> args []
}
)";

TEST_F(FromIRTest, ConvertsLaunches) {
  mlir::OwningOpRef<mlir::ModuleOp> module = parse(onADevice);
  ASSERT_TRUE(bool(module));
  auto program = *module->getOps<plan::ProgramOp>().begin();
  EXPECT_EQ(launchedKernels(program),
            (llvm::SmallVector<llvm::StringRef>{"second", "first"}));
  auto made = contentsFromIR(program, {}, {DeviceVariant{}});
  ASSERT_TRUE(bool(made)) << llvm::toString(made.takeError());
  EXPECT_EQ(made->device, DeviceKind::Cuda);
  EXPECT_EQ(made->deviceVariants.size(), 1u);
  ASSERT_EQ(made->tensorMaps.size(), 1u);
  const planfile::TensorMap &map = made->tensorMaps[0];
  EXPECT_EQ(map.base.kind, ArgKind::Pointer);
  EXPECT_EQ(map.dtype, OG_DTYPE_BFLOAT16);
  EXPECT_EQ(map.extents[0], Expr::symbol(0));
  EXPECT_EQ(map.box, (std::vector<uint32_t>{128, 64}));
  EXPECT_EQ(map.swizzle, planfile::Swizzle::Sw128);
  ASSERT_EQ(made->steps.size(), 3u);
  EXPECT_EQ(std::get<Launch>(made->steps[1]).kernel, 1u);
  EXPECT_EQ(std::get<Launch>(made->steps[2]).kernel, 0u);
  const auto &launch = std::get<Launch>(made->steps[0]);
  EXPECT_EQ(launch.kernel, 0u);
  EXPECT_TRUE(launch.dependent);
  EXPECT_EQ(launch.grid[0],
            Expr::binary(ExprOp::Min, Expr::symbol(0), Expr(9)));
  EXPECT_EQ(launch.grid[2], Expr(1));
}

TEST_F(FromIRTest, ConvertsArguments) {
  mlir::OwningOpRef<mlir::ModuleOp> module = parse(onADevice);
  ASSERT_TRUE(bool(module));
  auto made = contentsFromIR(*module->getOps<plan::ProgramOp>().begin(), {});
  ASSERT_TRUE(bool(made)) << llvm::toString(made.takeError());
  const std::vector<LaunchArg> &args = std::get<Launch>(made->steps[0]).args;
  ASSERT_EQ(args.size(), 8u);
  const ArgKind kinds[] = {ArgKind::Pointer,  ArgKind::Scratch,
                           ArgKind::Integer,  ArgKind::Stride,
                           ArgKind::Scalar,   ArgKind::TensorMap,
                           ArgKind::Constant, ArgKind::Constant};
  for (size_t i = 0; i < 8; ++i)
    EXPECT_EQ(args[i].kind, kinds[i]) << i;
  EXPECT_EQ(args[0].expr, Expr(8));
  EXPECT_EQ(args[1].expr, Expr(64));
  EXPECT_EQ(args[2].expr, Expr::symbol(0));
  EXPECT_EQ(args[2].type, ArgType::U32);
  EXPECT_EQ(args[3].axis, 1u);
  EXPECT_EQ(args[3].type, ArgType::I64);
  EXPECT_EQ(args[4].index, 1u);
  EXPECT_EQ(args[4].type, ArgType::F64);
  EXPECT_EQ(args[6].type, ArgType::F32);
  EXPECT_EQ(args[6].bits, 0x3fc00000u);
  EXPECT_EQ(uint32_t(args[7].bits), uint32_t(-7));
}

TEST_F(FromIRTest, KnowsTheGraphsTypes) {
  auto dtype = [&](llvm::StringRef type) {
    return dtypeFromType(mlir::parseType(type, &context));
  };
  EXPECT_EQ(dtype("i1"), OG_DTYPE_BOOLEAN);
  EXPECT_EQ(dtype("i4"), OG_DTYPE_INT4);
  EXPECT_EQ(dtype("i8"), OG_DTYPE_INT8);
  EXPECT_EQ(dtype("ui8"), OG_DTYPE_UINT8);
  EXPECT_EQ(dtype("i32"), OG_DTYPE_INT32);
  EXPECT_EQ(dtype("i64"), OG_DTYPE_INT64);
  EXPECT_EQ(dtype("f16"), OG_DTYPE_HALF);
  EXPECT_EQ(dtype("f64"), OG_DTYPE_DOUBLE);
  EXPECT_EQ(dtype("f8E4M3FN"), OG_DTYPE_FP8_E4M3);
  EXPECT_EQ(dtype("f8E5M2"), OG_DTYPE_FP8_E5M2);
  EXPECT_EQ(dtype("f8E8M0FNU"), OG_DTYPE_FP8_E8M0);
  EXPECT_EQ(dtype("f4E2M1FN"), OG_DTYPE_FP4_E2M1);
  EXPECT_EQ(dtype("i16"), OG_DTYPE_NOT_SET);
  EXPECT_EQ(dtype("index"), OG_DTYPE_NOT_SET);
}

TEST_F(FromIRTest, RefusesOtherTypes) {
  mlir::OwningOpRef<mlir::ModuleOp> module = parse(R"(
plan.program @g target "host" engine <1, "e", 1> {
  plan.operand "x" uid 7 in i16 extents affine_map<() -> (8)>
      strides affine_map<() -> (1)>
}
)");
  ASSERT_TRUE(bool(module));
  auto made = contentsFromIR(*module->getOps<plan::ProgramOp>().begin(), {});
  EXPECT_EQ(llvm::toString(made.takeError()),
            "operand 'x' has element type i16, which no plan file can hold");
}

} // namespace
