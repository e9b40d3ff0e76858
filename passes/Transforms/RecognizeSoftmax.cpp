//===- RecognizeSoftmax.cpp - Five operations to graph.softmax ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Transforms/RecognizeSoftmax.h"
#include "dialects/Graph/Extents.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Pass/Pass.h"
#include "passes/Transforms/Passes.h"

#define DEBUG_TYPE "graph-recognize-softmax"

namespace opgraph {
#define GEN_PASS_DEF_GRAPHRECOGNIZESOFTMAXPASS
#include "passes/Transforms/Passes.h.inc"
} // namespace opgraph

using namespace mlir;
using namespace opgraph::graph;

namespace {
/// The five operations, first to last.
struct SpelledSoftmax {
  ReductionOp max;
  SubOp difference;
  ExpOp exponential;
  ReductionOp sum;
  DivOp quotient;

  Value getInput() { return max.getInput(); }
  Type getComputeType() { return max.getEffectiveComputeType(); }
};

class GraphRecognizeSoftmaxPass
    : public opgraph::impl::GraphRecognizeSoftmaxPassBase<
          GraphRecognizeSoftmaxPass> {
  void runOnOperation() override;
};
} // namespace

/// Whether `op` reduces with `mode` along the last axis and only there.
static bool reducesLastAxis(ReductionOp op, ReductionMode mode) {
  Extents x = getExtents(op.getInput()), y = getExtents(op.getY());
  if (op.getMode() != mode || op.getGroupOffset() || x.empty())
    return false;
  x.back() = Extent();
  return x == y;
}

/// Finds the operations that end in `quotient`, by structure only.
static std::optional<SpelledSoftmax> findOperations(DivOp quotient) {
  auto exponential = quotient.getA().getDefiningOp<ExpOp>();
  auto sum = quotient.getB().getDefiningOp<ReductionOp>();
  if (!exponential || !sum || sum.getInput() != exponential.getOut() ||
      !reducesLastAxis(sum, ReductionMode::ADD))
    return std::nullopt;
  auto difference = exponential.getInput().getDefiningOp<SubOp>();
  if (!difference)
    return std::nullopt;
  auto max = difference.getB().getDefiningOp<ReductionOp>();
  if (!max || max.getInput() != difference.getA() ||
      !reducesLastAxis(max, ReductionMode::MAX))
    return std::nullopt;
  return SpelledSoftmax{max, difference, exponential, sum, quotient};
}

/// Whether nothing but the five operations reads a value between them.
static bool isSelfContained(SpelledSoftmax &found) {
  return found.max->hasOneUse() && found.difference->hasOneUse() &&
         found.exponential.getOut().hasNUses(2) && found.sum->hasOneUse();
}

/// Whether a softmax in the compute type computes the same, bit for bit of the
/// definition.
static bool keepsNumerics(SpelledSoftmax &found) {
  Type type = found.getComputeType();
  // In f16 and bf16 the operations compute in that type, a softmax in f32.
  if (!type.isF32() && !type.isF64())
    return false;
  if (found.difference.getEffectiveComputeType() != type ||
      found.exponential.getEffectiveComputeType() != type ||
      found.sum.getEffectiveComputeType() != type ||
      found.quotient.getEffectiveComputeType() != type)
    return false;
  auto keeps = [&](Value value) {
    Type elementType = typeOf(value).getElementType();
    return elementType == type || elementType.isF64();
  };
  // A maximum is one of the elements, so that their own type holds it exactly.
  bool isMaxExact =
      keeps(found.max.getY()) || typeOf(found.max.getY()).getElementType() ==
                                     typeOf(found.getInput()).getElementType();
  return isMaxExact && keeps(found.difference.getOut()) &&
         keeps(found.exponential.getOut()) && keeps(found.sum.getY());
}

/// Puts one graph.softmax in the place of the five operations.
static void replaceBySoftmax(SpelledSoftmax &found, IRRewriter &rewriter) {
  DivOp quotient = found.quotient;
  Location loc = rewriter.getFusedLoc(
      {found.max.getLoc(), found.difference.getLoc(),
       found.exponential.getLoc(), found.sum.getLoc(), quotient.getLoc()});
  rewriter.setInsertionPoint(quotient);
  auto softmax = SoftmaxOp::create(
      rewriter, loc, quotient.getOut().getType(), /*Stats=*/Type(),
      /*Max=*/Type(), /*Sum_exp=*/Type(), found.getInput(),
      /*sink=*/Value(), /*generate_stats=*/false, /*generate_max=*/false,
      /*generate_sum_exp=*/false, /*nan_for_masked_rows=*/true,
      quotient.getComputeTypeAttr());
  rewriter.replaceOp(quotient, softmax.getS());
  rewriter.eraseOp(found.sum);
  rewriter.eraseOp(found.exponential);
  rewriter.eraseOp(found.difference);
  rewriter.eraseOp(found.max);
  remark::passed(
      loc, remark::RemarkOpts::name("SoftmaxRecognized").category(DEBUG_TYPE))
      << "five operations are a softmax";
}

bool opgraph::recognizeSoftmax(GraphOp graph) {
  bool isFound = false;
  IRRewriter rewriter(graph.getContext());
  SmallVector<DivOp> quotients(graph.getOps<DivOp>());
  for (DivOp quotient : quotients) {
    std::optional<SpelledSoftmax> found = findOperations(quotient);
    if (!found || !isSelfContained(*found) || !keepsNumerics(*found))
      continue;
    replaceBySoftmax(*found, rewriter);
    isFound = true;
  }
  return isFound;
}

void GraphRecognizeSoftmaxPass::runOnOperation() {
  opgraph::recognizeSoftmax(getOperation());
}
