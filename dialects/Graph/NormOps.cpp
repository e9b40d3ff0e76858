//===- NormOps.cpp - Inference of layernorm and rmsnorm -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Extents.h"
#include "dialects/Graph/GraphDialect.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace opgraph::graph;

/// Checks that `value`, where given, broadcasts to X and is a float.
static LogicalResult checkAffine(Inference &inference, Value value,
                                 StringRef name, ArrayRef<Extent> x) {
  if (!value)
    return success();
  // layernorm_c1, rmsnorm_c1
  Extents extents = getExtents(value);
  if (!broadcastsTo(extents, x))
    return inference.error(ErrorKind::ShapeDeduction)
           << "expected '" << name << "' (" << printExtents(extents)
           << ") to broadcast to 'X' (" << printExtents(x) << ")";
  return success();
}

/// Extents of the statistics: 1 where normalised, else X's.
static Extents inferStatistics(ArrayRef<Extent> x, Value scale) {
  Extents statistics(x);
  if (!scale) {
    for (Extent &extent : llvm::drop_begin(statistics))
      extent = Extent();
    return statistics;
  }
  Extents extents = getExtents(scale);
  size_t missing = x.size() - extents.size();
  for (auto [axis, extent] : llvm::enumerate(extents))
    if (!extent.isOne())
      statistics[missing + axis] = Extent();
  return statistics;
}

/// Whether an op in `attributes`' phase returns its statistics.
static bool returnsStatistics(DictionaryAttr attributes) {
  auto phase = attributes.getAs<NormForwardPhaseAttr>("norm_forward_phase");
  return phase && phase.getValue() == NormForwardPhase::TRAINING;
}

/// What both norms share; statistics are results 1 to `resultCount` - 1.
template <typename OpTy>
static LogicalResult inferNorm(OpTy op, Inference &inference,
                               unsigned resultCount) {
  RankedTensorType input = typeOf(op.getInput());
  Extents x = getExtents(input);
  if (failed(checkAffine(inference, op.getScale(), "SCALE", x)) ||
      failed(checkAffine(inference, op.getBias(), "BIAS", x)))
    return failure();
  // layernorm_c2, rmsnorm_c2
  RankedTensorType epsilon = typeOf(op.getEpsilon());
  if (!isSingleElement(epsilon))
    return inference.error(ErrorKind::ShapeDeduction)
           << "expected 'EPSILON' to have one element, got "
           << printExtents(getExtents(epsilon));
  // layernorm_c3, rmsnorm_c3
  if (failed(requireFloatCompute(inference, op.getEffectiveComputeType())))
    return failure();

  if (failed(setExtents(inference, 0, x)))
    return failure();
  inference.setLayoutOf(0, input);
  // layernorm_c4, rmsnorm_c4: whether there are statistics follows from
  // isResultPresent.
  if (op.getNormForwardPhase() != NormForwardPhase::TRAINING)
    return success();
  Extents statistics = inferStatistics(x, op.getScale());
  for (unsigned index = 1; index < resultCount; ++index) {
    if (failed(setExtents(inference, index, statistics)))
      return failure();
    inference.setLike(index, input);
    inference.setElementType(index, Float32Type::get(op.getContext()));
  }
  return success();
}

LogicalResult LayernormOp::inferResults(Inference &inference) {
  return inferNorm(*this, inference, 3);
}

bool LayernormOp::isResultPresent(unsigned index, DictionaryAttr attributes) {
  return index == 0 || returnsStatistics(attributes);
}

LogicalResult RmsnormOp::inferResults(Inference &inference) {
  return inferNorm(*this, inference, 2);
}

bool RmsnormOp::isResultPresent(unsigned index, DictionaryAttr attributes) {
  return index == 0 || returnsStatistics(attributes);
}

//===----------------------------------------------------------------------===//
// Canonicalization: statistics that nobody reads are not computed.
//===----------------------------------------------------------------------===//

LogicalResult LayernormOp::canonicalize(LayernormOp op,
                                        PatternRewriter &rewriter) {
  if (op.getNormForwardPhase() != NormForwardPhase::TRAINING ||
      !op.getMEAN().use_empty() || !op.getINV_VARIANCE().use_empty())
    return rewriter.notifyMatchFailure(op, "statistics are absent or used");
  auto inference = LayernormOp::create(
      rewriter, op.getLoc(), op.getY().getType(), Type(), Type(), op.getInput(),
      op.getScale(), op.getBias(), op.getEpsilon(), NormForwardPhase::INFERENCE,
      op.getComputeTypeAttr());
  rewriter.replaceAllUsesWith(op.getY(), inference.getY());
  rewriter.eraseOp(op);
  return success();
}

LogicalResult RmsnormOp::canonicalize(RmsnormOp op, PatternRewriter &rewriter) {
  if (op.getNormForwardPhase() != NormForwardPhase::TRAINING ||
      !op.getINV_VARIANCE().use_empty())
    return rewriter.notifyMatchFailure(op, "statistics are absent or used");
  auto inference = RmsnormOp::create(
      rewriter, op.getLoc(), op.getY().getType(), Type(), op.getInput(),
      op.getScale(), op.getBias(), op.getEpsilon(), NormForwardPhase::INFERENCE,
      op.getComputeTypeAttr());
  rewriter.replaceAllUsesWith(op.getY(), inference.getY());
  rewriter.eraseOp(op);
  return success();
}
