//===- InferenceTest.cpp - Inference of unset results ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs an op's inference as the builder does: with nothing declared, or a part.
// The examples are the reference's (reference/op_surface.md, section 14).
//===----------------------------------------------------------------------===//
#include "dialects/Graph/GraphDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include <functional>
#include <gtest/gtest.h>

using namespace mlir;
using namespace opgraph::graph;

namespace {

/// What one run of inference gave.
struct Outcome {
  bool succeeded = false;
  std::optional<ErrorKind> kind;
  std::string message;
  SmallVector<ResultSpec, 2> results;

  /// "[dims] [strides] type" of a result; `order` in place of strides where
  /// that is what inference set.
  std::string str(unsigned index = 0) const;
};

using Declare = std::function<void(MutableArrayRef<ResultSpec>)>;

class InferenceTest : public testing::Test {
protected:
  InferenceTest() { context.loadDialect<GraphDialect>(); }

  /// Infers the results of `op`, one line of assembly over the arguments
  /// %0, %1, ... of `types`. Its result types are placeholders.
  Outcome infer(ArrayRef<StringRef> types, StringRef op,
                const Declare &declare = nullptr);

  MLIRContext context{MLIRContext::Threading::DISABLED};
};

} // namespace

static std::string list(ArrayRef<int64_t> values) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << '[';
  llvm::interleave(
      values, stream,
      [&](int64_t value) {
        if (ShapedType::isDynamic(value))
          stream << '?';
        else
          stream << value;
      },
      ",");
  stream << ']';
  return text;
}

std::string Outcome::str(unsigned index) const {
  if (!succeeded)
    return message;
  const ResultSpec &spec = results[index];
  if (!spec.present)
    return "absent";
  std::string text = list(*spec.dims) + " ";
  text += spec.strides ? list(*spec.strides)
          : spec.order ? "order" + list(*spec.order)
                       : "no layout";
  llvm::raw_string_ostream stream(text);
  stream << ' ';
  if (spec.elementType)
    stream << spec.elementType;
  else
    stream << "unset";
  return text;
}

/// Whether `op` has a value for its ODS operand `name`.
static bool hasOperand(GraphOpInterface op, StringRef name) {
  size_t index =
      llvm::find(op.getOperandNames(), name) - op.getOperandNames().begin();
  auto sizes = dyn_cast_or_null<DenseI32ArrayAttr>(
      op->getInherentAttr("operandSegmentSizes").value_or(Attribute()));
  return sizes ? sizes[index] != 0
               : op->getNumOperands() >= op.getOperandNames().size();
}

Outcome InferenceTest::infer(ArrayRef<StringRef> types, StringRef op,
                             const Declare &declare) {
  std::string text = "graph.graph @g(";
  for (auto [index, type] : llvm::enumerate(types))
    text += (index ? ", %" : "%") + std::to_string(index) + ": " + type.str();
  text += ") {\n  " + op.str() + "\n  graph.return\n}\n";
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
      text, ParserConfig(&context, /*verifyAfterParse=*/false));
  Outcome outcome;
  if (!module) {
    ADD_FAILURE() << "does not parse: " << text;
    return outcome;
  }
  auto graph = *module->getOps<GraphOp>().begin();
  auto inferable = cast<GraphOpInterface>(graph.getBody().front().front());
  size_t count = inferable.getResultPorts().size();
  outcome.results.resize(count);
  auto isGiven = [&](StringRef name) { return hasOperand(inferable, name); };
  for (unsigned index = 0; index < count; ++index)
    outcome.results[index].present = inferable.isResultPresent(
        index, inferable->getAttrDictionary(), isGiven);
  if (declare)
    declare(outcome.results);
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    outcome.message = diagnostic.str();
  });
  Inference inference(inferable, outcome.results);
  outcome.succeeded = succeeded(inferable.inferResults(inference));
  outcome.kind = inference.getErrorKind();
  return outcome;
}

/// Declares the dims of result 0.
static Declare withDims(Dims dims) {
  return
      [dims](MutableArrayRef<ResultSpec> results) { results[0].dims = dims; };
}

TEST_F(InferenceTest, MatmulIsRowMajor) {
  StringRef b = "tensor<16x128x64xf32, #graph.layout<strides=[8192,1,128]>>";
  std::string op = ("%2 = graph.matmul %0, %1 : (tensor<16x32x128xf32>, " + b +
                    ") -> tensor<f32>")
                       .str();
  EXPECT_EQ(infer({"tensor<16x32x128xf32>", b}, op).str(),
            "[16,32,64] [2048,64,1] unset");
}

TEST_F(InferenceTest, MatmulBroadcastsBatch) {
  EXPECT_EQ(infer({"tensor<16x512x1600xf16>", "tensor<1x1600x6400xf16>"},
                  "%2 = graph.matmul %0, %1 : (tensor<16x512x1600xf16>, "
                  "tensor<1x1600x6400xf16>) -> tensor<f32>")
                .str(),
            "[16,512,6400] [3276800,6400,1] unset");
}

TEST_F(InferenceTest, MatmulRefusesOtherDims) {
  Outcome outcome =
      infer({"tensor<4x8xf32>", "tensor<8x5xf32>"},
            "%2 = graph.matmul %0, %1 : (tensor<4x8xf32>, tensor<8x5xf32>) "
            "-> tensor<f32>",
            withDims({4, 6}));
  EXPECT_EQ(outcome.kind, ErrorKind::ShapeDeduction);
}

TEST_F(InferenceTest, ReductionNeedsDims) {
  StringRef op = "%1 = graph.reduction add %0 : (tensor<4x32x64x64xf32>) -> "
                 "tensor<f32>";
  EXPECT_EQ(infer({"tensor<4x32x64x64xf32>"}, op).kind,
            ErrorKind::AttributeNotSet);
  EXPECT_EQ(
      infer({"tensor<4x32x64x64xf32>"}, op, withDims({4, 1, 64, 64})).str(),
      "[4,1,64,64] [4096,1,64,1] unset");
}

TEST_F(InferenceTest, ReshapeDefaultsToChannelsLast) {
  StringRef op =
      "%1 = graph.reshape view_only %0 : (tensor<2x3x4xf16>) -> tensor<f32>";
  EXPECT_EQ(infer({"tensor<2x3x4xf16>"}, op).kind, ErrorKind::AttributeNotSet);
  EXPECT_EQ(infer({"tensor<2x3x4xf16>"}, op, withDims({6, 4})).str(),
            "[6,4] [4,1] f16");
  EXPECT_EQ(infer({"tensor<2x3x4xf16>"}, op, withDims({2, 2, 6})).str(),
            "[2,2,6] [12,1,2] f16");
}

TEST_F(InferenceTest, ReshapeKeepsElementType) {
  Outcome outcome =
      infer({"tensor<3x4x5xf32>"},
            "%1 = graph.reshape logical %0 : (tensor<3x4x5xf32>) -> "
            "tensor<f32>",
            [&](MutableArrayRef<ResultSpec> results) {
              results[0].dims = Dims{6, 10};
              results[0].elementType = Float16Type::get(&context);
            });
  EXPECT_EQ(outcome.kind, ErrorKind::InvalidValue);
}

TEST_F(InferenceTest, TransposePermutesStrides) {
  EXPECT_EQ(infer({"tensor<2x3x4xf32>"},
                  "%1 = graph.transpose %0 [0, 2, 1] : (tensor<2x3x4xf32>) -> "
                  "tensor<f32>")
                .str(),
            "[2,4,3] [12,1,4] f32");
  // A dynamic extent inside leaves no number: the memory order is permuted.
  StringRef inner =
      "tensor<2x?x4xf32, #graph.layout<symbols=[\"\",\"M\",\"\"]>>";
  EXPECT_EQ(infer({inner}, ("%1 = graph.transpose %0 [2, 0, 1] : (" + inner +
                            ") -> tensor<f32>")
                               .str())
                .str(),
            "[4,2,?] order[1,2,0] f32");
}

TEST_F(InferenceTest, TransposeElementTypeIsInvalidValue) {
  Outcome outcome =
      infer({"tensor<2x3xf32>"},
            "%1 = graph.transpose %0 [1, 0] : (tensor<2x3xf32>) -> tensor<f32>",
            [&](MutableArrayRef<ResultSpec> results) {
              results[0].elementType = Float16Type::get(&context);
            });
  EXPECT_EQ(outcome.kind, ErrorKind::InvalidValue);
}

TEST_F(InferenceTest, SliceKeepsStrides) {
  EXPECT_EQ(infer({"tensor<16x32x128xf32>"},
                  "%1 = graph.slice %0 [8, 16, 0] to [16, 32, 128] step "
                  "[1, 1, 1] : (tensor<16x32x128xf32>) -> tensor<f32>")
                .str(),
            "[8,16,128] [4096,128,1] f32");
  EXPECT_EQ(infer({"tensor<4x10xf32>"},
                  "%1 = graph.slice %0 [0, 0] to [4, 10] step [1, 2] : "
                  "(tensor<4x10xf32>) -> tensor<f32>")
                .str(),
            "[4,5] [10,2] f32");
  // An operand that is broadcast by stride 0 is no layout to write.
  EXPECT_EQ(infer({"tensor<4x10xf32, #graph.layout<strides=[0,1]>>"},
                  "%1 = graph.slice %0 [0, 0] to [4, 5] step [1, 1] : "
                  "(tensor<4x10xf32, #graph.layout<strides=[0,1]>>) -> "
                  "tensor<f32>")
                .str(),
            "[4,5] [1,4] f32");
}

TEST_F(InferenceTest, ConcatenateSumsTheAxis) {
  EXPECT_EQ(infer({"tensor<2x3x8xf32>", "tensor<2x5x8xf32>"},
                  "%2 = graph.concatenate %0, %1 axis 1 : (tensor<2x3x8xf32>, "
                  "tensor<2x5x8xf32>) -> tensor<f32>")
                .str(),
            "[2,8,8] [64,8,1] f32");
}

TEST_F(InferenceTest, ConstantHasOneElement) {
  EXPECT_EQ(infer({}, "%0 = graph.constant 2.0 : f64 : tensor<f64>").str(),
            "[1] [1] f64");
  EXPECT_EQ(
      infer({}, "%0 = graph.constant true : tensor<i1>", withDims({1, 1, 1}))
          .str(),
      "[1,1,1] [1,1,1] i1");
}

TEST_F(InferenceTest, LayernormStatistics) {
  StringRef x = "tensor<2048x768x1x1xf16>", s = "tensor<1x768x1x1xf32>",
            e = "tensor<1x1x1x1xf32>";
  std::string operands = ("%0 scale %1 bias %1 epsilon %2 : (" + x + ", " + s +
                          ", " + s + ", " + e + ") -> tensor<f32>")
                             .str();
  Outcome training =
      infer({x, s, e}, "%3, %4, %5 = graph.layernorm training " + operands +
                           " mean tensor<f32> inv_variance tensor<f32>");
  EXPECT_EQ(training.str(0), "[2048,768,1,1] [768,1,1,1] unset");
  EXPECT_EQ(training.str(1), "[2048,1,1,1] [1,1,1,1] f32");
  EXPECT_EQ(training.str(2), "[2048,1,1,1] [1,1,1,1] f32");
  Outcome inference =
      infer({x, s, e}, "%3 = graph.layernorm inference " + operands);
  EXPECT_EQ(inference.str(1), "absent");
  EXPECT_EQ(inference.str(2), "absent");
}

TEST_F(InferenceTest, RmsnormStatistics) {
  Outcome outcome =
      infer({"tensor<3x10x128xf32>", "tensor<1x1x128xf32>", "tensor<1xf32>"},
            "%3, %4 = graph.rmsnorm training %0 scale %1 epsilon %2 : "
            "(tensor<3x10x128xf32>, tensor<1x1x128xf32>, tensor<1xf32>) -> "
            "tensor<f32> inv_variance tensor<f32>");
  EXPECT_EQ(outcome.str(1), "[3,10,1] [10,1,1] f32");
}

TEST_F(InferenceTest, SoftmaxStatistics) {
  Outcome outcome =
      infer({"tensor<4x8xf16>"},
            "%1, %2 = graph.softmax %0 {generate_max} : (tensor<4x8xf16>) -> "
            "tensor<f32> max tensor<f32>");
  EXPECT_EQ(outcome.str(0), "[4,8] [8,1] unset");
  EXPECT_EQ(outcome.str(1), "absent");
  EXPECT_EQ(outcome.str(2), "[4,1] [1,1] f32");
  EXPECT_EQ(outcome.str(3), "absent");
}

TEST_F(InferenceTest, SdpaKeepsTheOrderOfQ) {
  // [B, S, H, D] in memory.
  StringRef q = "tensor<3x4x256x128xbf16, "
                "#graph.layout<strides=[131072,128,512,1]>>",
            k = "tensor<3x2x64x128xbf16>", v = "tensor<3x2x64x32xbf16>";
  std::string op = ("%3, %4 = graph.sdpa %0, %1, %2 {generate_stats} : (" + q +
                    ", " + k + ", " + v + ") -> tensor<f32> stats tensor<f32>")
                       .str();
  Outcome outcome = infer({q, k, v}, op);
  EXPECT_EQ(outcome.str(0), "[3,4,256,32] [32768,32,128,1] bf16");
  EXPECT_EQ(outcome.str(1), "[3,4,256,1] [1024,256,1,1] f32");
}

TEST_F(InferenceTest, SdpaErrorKinds) {
  StringRef q = "tensor<2x4x8x16xf16>", k = "tensor<2x3x8x16xf16>",
            s = "tensor<1xf32>";
  std::string types = (q + ", " + k + ", " + q).str();
  EXPECT_EQ(infer({q, k, q},
                  "%3 = graph.sdpa %0, %1, %2 : (" + types + ") -> tensor<f32>")
                .kind,
            ErrorKind::NotSupported);
  types = (q + ", " + q + ", " + q).str();
  EXPECT_EQ(
      infer({q, s}, "%2 = graph.sdpa %0, %0, %0 scale %1 {attn_scale_value = "
                    "1.0 : f64} : (" +
                        types + ", " + s.str() + ") -> tensor<f32>")
          .kind,
      ErrorKind::AttributeNotSet);
  EXPECT_EQ(infer({q}, "%1 = graph.sdpa %0, %0, %0 {use_padding_mask} : (" +
                           types + ") -> tensor<f32>")
                .kind,
            ErrorKind::AttributeNotSet);
  EXPECT_EQ(infer({q}, "%1 = graph.sdpa %0, %0, %0 "
                       "{diagonal_band_right_bound = -1 : i64} : (" +
                           types + ") -> tensor<f32>")
                .kind,
            ErrorKind::InvalidValue);
}
