//===- PointwiseInferenceTest.cpp - Pointwise results left unset ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The verifier sees complete types; what inference fills in, layouts above all,
// is seen here. Worked examples: reference/op_surface.md, section 14.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/GraphDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace opgraph::graph;

namespace {

constexpr int64_t dynamic = ShapedType::kDynamic;

class PointwiseInferenceTest : public testing::Test {
protected:
  PointwiseInferenceTest() : builder(&context) {
    context.loadDialect<GraphDialect>();
    module = ModuleOp::create(builder.getUnknownLoc());
    builder.setInsertionPointToEnd(module->getBody());
  }

  RankedTensorType type(ArrayRef<int64_t> shape) {
    return RankedTensorType::get(shape, builder.getF32Type());
  }
  RankedTensorType strided(ArrayRef<int64_t> shape, ArrayRef<int64_t> strides,
                           ArrayRef<StringAttr> symbols = {}) {
    return makeStrided(shape, builder.getF32Type(), strides, symbols);
  }
  /// An op with a placeholder result type, as the builder makes it.
  Operation *op(StringRef name, ArrayRef<RankedTensorType> operands) {
    OperationState state(builder.getUnknownLoc(), name);
    for (RankedTensorType operand : operands) {
      auto source = UnrealizedConversionCastOp::create(
          builder, builder.getUnknownLoc(), operand, ValueRange());
      state.addOperands(source.getResults());
    }
    state.addTypes(RankedTensorType::get({}, builder.getF32Type()));
    return builder.create(state);
  }
  /// Runs inference; the first error's text lands in `message`.
  LogicalResult infer(Operation *op, ResultSpec &spec) {
    Inference inference(op, spec);
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      message = diagnostic.str();
      return success();
    });
    LogicalResult result = cast<GraphOpInterface>(op).inferResults(inference);
    kind = inference.getErrorKind();
    return result;
  }

  MLIRContext context{MLIRContext::Threading::DISABLED};
  OpBuilder builder;
  OwningOpRef<ModuleOp> module;
  std::string message;
  std::optional<ErrorKind> kind;
};

TEST_F(PointwiseInferenceTest, OperandWithTheResultsExtentsGivesStrides) {
  ResultSpec spec;
  spec.isVirtual = false;
  Operation *mul =
      op("graph.mul", {type({8, 1, 64}), strided({8, 3, 64}, {1, 8, 24})});
  ASSERT_TRUE(succeeded(infer(mul, spec)));
  EXPECT_EQ(*spec.dims, Dims({8, 3, 64}));
  EXPECT_EQ(*spec.strides, Dims({1, 8, 24}));
  // The element type is the caller's default.
  EXPECT_EQ(spec.elementType, Type());
}

TEST_F(PointwiseInferenceTest, TwoBroadcastersKeepTheFormatOfTheFirst) {
  ResultSpec spec;
  Operation *add = op("graph.add", {type({4, 1, 64}), type({1, 32, 64})});
  ASSERT_TRUE(succeeded(infer(add, spec)));
  EXPECT_EQ(*spec.dims, Dims({4, 32, 64}));
  EXPECT_EQ(*spec.strides, Dims({2048, 64, 1}));

  ResultSpec transposed;
  add = op("graph.add", {strided({4, 1, 64}, {1, 1, 4}), type({1, 32, 64})});
  ASSERT_TRUE(succeeded(infer(add, transposed)));
  // Of the equal strides, the axis of extent 1 is the slower one.
  EXPECT_EQ(*transposed.strides, Dims({1, 4, 128}));
}

TEST_F(PointwiseInferenceTest, LowerRankOfTheFirstGivesRowMajor) {
  ResultSpec spec;
  Operation *add =
      op("graph.add", {strided({32, 64}, {1, 32}), type({4, 1, 64})});
  ASSERT_TRUE(succeeded(infer(add, spec)));
  EXPECT_EQ(*spec.strides, Dims({2048, 64, 1}));
}

TEST_F(PointwiseInferenceTest, StridesOfARealResultAreNotGuessed) {
  ResultSpec spec;
  spec.isVirtual = false;
  Operation *add = op("graph.add", {type({4, 1, 64}), type({1, 32, 64})});
  EXPECT_TRUE(failed(infer(add, spec)));
  EXPECT_EQ(kind, ErrorKind::AttributeNotSet);
  EXPECT_EQ(message, "'graph.add' op strides of result 'OUT_0' cannot be "
                     "derived, expected them to be declared or an operand "
                     "with extents 4x32x64");
}

TEST_F(PointwiseInferenceTest, DeclaredFieldsWin) {
  ResultSpec spec;
  spec.isVirtual = false;
  spec.dims = Dims({4, 32, 64});
  spec.strides = Dims({1, 4, 128});
  spec.elementType = builder.getI32Type();
  Operation *add = op("graph.add", {type({4, 1, 64}), type({1, 32, 64})});
  ASSERT_TRUE(succeeded(infer(add, spec)));
  EXPECT_EQ(*spec.strides, Dims({1, 4, 128}));
  EXPECT_EQ(spec.elementType, builder.getI32Type());
}

TEST_F(PointwiseInferenceTest, DeclaredExtentsMustFit) {
  ResultSpec spec;
  spec.dims = Dims({4, 3, 1});
  EXPECT_TRUE(failed(infer(op("graph.neg", {type({4, 3, 2})}), spec)));
  EXPECT_EQ(kind, ErrorKind::ShapeDeduction);
  EXPECT_EQ(message, "'graph.neg' op expected extents of result 'OUT_0' to be "
                     "4x3x2, got 4x3x1");
}

TEST_F(PointwiseInferenceTest, BroadcastMismatchIsShapeDeduction) {
  ResultSpec spec;
  EXPECT_TRUE(
      failed(infer(op("graph.add", {type({4, 3}), type({2, 3})}), spec)));
  EXPECT_EQ(kind, ErrorKind::ShapeDeduction);
}

TEST_F(PointwiseInferenceTest, ChannelsLastStays) {
  ResultSpec spec;
  spec.isVirtual = false;
  Dims strides = packedStrides({4, 16, 56, 56}, channelsLastOrder(4));
  Operation *tanh = op("graph.tanh", {strided({4, 16, 56, 56}, strides)});
  ASSERT_TRUE(succeeded(infer(tanh, spec)));
  EXPECT_EQ(*spec.strides, strides);
}

TEST_F(PointwiseInferenceTest, PaddingIsCopiedButNotOverlap) {
  ResultSpec padded;
  ASSERT_TRUE(
      succeeded(infer(op("graph.neg", {strided({4, 8}, {16, 1})}), padded)));
  EXPECT_EQ(*padded.strides, Dims({16, 1}));

  // A broadcast by stride 0 is no layout to write to.
  ResultSpec expanded;
  ASSERT_TRUE(
      succeeded(infer(op("graph.neg", {strided({4, 8}, {0, 1})}), expanded)));
  EXPECT_EQ(*expanded.strides, Dims({1, 4}));

  ResultSpec overlapping;
  ASSERT_TRUE(succeeded(
      infer(op("graph.neg", {strided({4, 8}, {4, 1})}), overlapping)));
  EXPECT_EQ(*overlapping.strides, Dims({8, 1}));
}

TEST_F(PointwiseInferenceTest, UnknownStridesBelongToOperands) {
  StringAttr m = builder.getStringAttr("M");
  auto input = strided({dynamic, 8}, {dynamic, 1}, {m, {}});
  ResultSpec real;
  real.isVirtual = false;
  ASSERT_TRUE(succeeded(infer(op("graph.neg", {input}), real)));
  EXPECT_EQ(*real.strides, Dims({dynamic, 1}));
  EXPECT_EQ(real.symbols, Symbols({m, {}}));

  // Nothing binds the stride of a virtual value.
  ResultSpec virtualSpec;
  ASSERT_TRUE(succeeded(infer(op("graph.neg", {input}), virtualSpec)));
  EXPECT_FALSE(virtualSpec.strides);
  EXPECT_EQ(*virtualSpec.order, Dims({0, 1}));
}

TEST_F(PointwiseInferenceTest, UnnamedDynamicExtentTakesTheSymbol) {
  StringAttr m = builder.getStringAttr("M");
  ResultSpec spec;
  spec.dims = Dims({dynamic, 8});
  auto input = strided({dynamic, 8}, {8, 1}, {m, {}});
  ASSERT_TRUE(succeeded(infer(op("graph.neg", {input}), spec)));
  EXPECT_EQ(spec.symbols, Symbols({m, {}}));
  spec.elementType = builder.getF32Type();
  EXPECT_EQ(makeType(&context, spec), input);
}

TEST_F(PointwiseInferenceTest, SpecsAndTypesAreTheSame) {
  StringAttr m = builder.getStringAttr("M");
  for (RankedTensorType each :
       {type({}), type({4, 8}), strided({4, 8}, {16, 1}),
        strided({dynamic, 8}, {dynamic, 1}, {m, {}}),
        makePacked(&context, {dynamic, 3, 5}, builder.getF32Type(), {0, 2, 1},
                   {m, {}, {}})})
    EXPECT_EQ(makeType(&context, makeSpec(each)), each);
}

TEST_F(PointwiseInferenceTest, BooleanComputeTypeIsTheWidestOfItsKind) {
  auto i32 = RankedTensorType::get({4}, builder.getI32Type());
  auto getType = [&](ArrayRef<RankedTensorType> operands, Type declared) {
    Operation *less = op("graph.cmp_lt", operands);
    if (declared)
      less->setAttr("compute_type", TypeAttr::get(declared));
    return cast<ComputeTypeOpInterface>(less).getEffectiveComputeType();
  };
  EXPECT_EQ(getType({i32, i32}, builder.getI1Type()), builder.getI64Type());
  EXPECT_EQ(getType({i32, type({4})}, builder.getI1Type()),
            builder.getF64Type());
  EXPECT_EQ(getType({i32, i32}, {}), builder.getF32Type());
}

} // namespace
