//===- HostCodegenTest.cpp - Compile, load and run host modules -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "CodegenTest.h"

#include <cmath>
#include <thread>

using namespace opgraph;
using namespace opgraph::test;

namespace {

/// y = exp(x), of any number of rows, through a temporary and, per iteration,
/// a private one; the loop runs in parallel and captures a loaded scalar.
constexpr llvm::StringLiteral parallelModule = R"(
plan.program @g target "host" engine <10000, "host.reference", 1> {
  plan.symbol "M" extent 0, 0
  plan.operand "x" uid 1 in f32 extents affine_map<()[s0] -> (s0, 8)>
      strides affine_map<()[s0] -> (8, 1)>
  plan.operand "y" uid 2 out f32 extents affine_map<()[s0] -> (s0, 8)>
      strides affine_map<()[s0] -> (8, 1)>
  plan.alias 0, 1
  plan.host_call @opgraph_g
}
!packed = memref<?x8xf32, strided<[8, 1]>>
func.func @opgraph_g(%x: !packed, %y: !packed)
    attributes {opgraph.host_entry} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %m = memref.dim %x, %c0 : !packed
  %t = memref.alloc(%m) : memref<?x8xf32>
  %first = memref.load %x[%c0, %c0] : !packed
  scf.parallel (%i, %j) = (%c0, %c0) to (%m, %c8) step (%c1, %c1) {
    %v = memref.load %x[%i, %j] : !packed
    %p = memref.alloc() : memref<4xf32>
    %e = math.exp %v : f32
    memref.store %e, %p[%c1] : memref<4xf32>
    %q = memref.load %p[%c1] : memref<4xf32>
    %r = arith.addf %q, %first : f32
    memref.store %r, %t[%i, %j] : memref<?x8xf32>
    scf.reduce
  }
  memref.copy %t, %y : memref<?x8xf32> to !packed
  return
}
)";

using HostCodegenTest = CodegenTest;

TEST_F(HostCodegenTest, RunsParallelLoopsOnTheWorkspace) {
  og_plan *plan = build(parallelModule);
  ASSERT_NE(plan, nullptr);
  EXPECT_EQ(og_plan_max_workers(plan), 32);
  EXPECT_STREQ(og_plan_variant(plan), og_cpu_target());
  for (int64_t rows : {1, 3, 1000}) {
    Buffer x(1, {rows, 8}), y(2, {rows, 8});
    for (size_t i = 0; i < x.values.size(); ++i)
      x.values[i] = 0.5f + float(i % 7);
    execute(plan, {x.get(), y.get()});
    for (size_t i = 0; i < y.values.size(); ++i)
      ASSERT_EQ(y.values[i], std::exp(x.values[i]) + 0.5f) << i;
  }
  og_plan_release(plan);
}

TEST_F(HostCodegenTest, CompilesEveryVariantWithEqualEntries) {
  mlir::OwningOpRef<mlir::ModuleOp> module = parse(parallelModule);
  codegen::HostOptions options;
  options.variants = {"x86-64-v2", "x86-64-v3", "x86-64-v4", "x86-64-v4-bf16"};
  options.keepObject = options.keepAssembly = options.keepLLVM = true;
  auto code = codegen::compileHost(*module, options);
  ASSERT_TRUE(bool(code)) << llvm::toString(code.takeError());
  ASSERT_EQ(code->variants.size(), 4u);
  for (const codegen::HostVariantCode &variant : code->variants) {
    EXPECT_EQ(variant.image.target, variant.target);
    ASSERT_EQ(variant.image.entries.size(), 1u);
    EXPECT_EQ(variant.image.entries[0].name, "opgraph_g");
    EXPECT_EQ(variant.image.imports,
              (std::vector<std::string>{"expf", "opgraph_parallel_for"}));
    EXPECT_EQ(variant.object.substr(1, 3), "ELF");
    EXPECT_NE(variant.assembly.find("opgraph_g_body0"), std::string::npos);
    EXPECT_NE(variant.llvmIR.find("define hidden void @opgraph_g("),
              std::string::npos);
  }
  EXPECT_FALSE(code->times.empty());
}

TEST_F(HostCodegenTest, GivesEqualBytesForEqualModules) {
  std::vector<uint8_t> files[2];
  for (std::vector<uint8_t> &file : files) {
    mlir::OwningOpRef<mlir::ModuleOp> module = parse(parallelModule);
    auto code = compile(*module);
    ASSERT_TRUE(bool(code)) << llvm::toString(code.takeError());
    auto bytes =
        planfile::planFileFromIR(*module->getOps<plan::ProgramOp>().begin(),
                                 {std::move(code->variants[0].image)});
    ASSERT_TRUE(bool(bytes)) << llvm::toString(bytes.takeError());
    file = std::move(*bytes);
  }
  EXPECT_EQ(files[0], files[1]);
}

TEST_F(HostCodegenTest, ThreadsCompileAtOnce) {
  std::vector<std::thread> threads;
  std::string errors[4];
  for (std::string &error : errors)
    threads.emplace_back([&error] {
      mlir::MLIRContext own(mlir::MLIRContext::Threading::DISABLED);
      mlir::DialectRegistry registry;
      codegen::registerHostCodegenDialects(registry);
      own.appendDialectRegistry(registry);
      auto module =
          mlir::parseSourceString<mlir::ModuleOp>(parallelModule, &own);
      codegen::HostOptions options;
      options.variants = {"x86-64-v3"};
      auto code = codegen::compileHost(*module, options);
      if (!code)
        error = llvm::toString(code.takeError());
    });
  for (std::thread &thread : threads)
    thread.join();
  for (const std::string &error : errors)
    EXPECT_EQ(error, "");
}

} // namespace
