//===- NormOps.cpp - Inference of the forward norms -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/GraphDialect.h"
#include "dialects/Graph/Norm.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace opgraph::graph;

//===----------------------------------------------------------------------===//
// What the norms share
//===----------------------------------------------------------------------===//

Dims opgraph::graph::getScaledAxes(Value x, Value scale, int64_t firstAxis) {
  int64_t rank = typeOf(x).getRank();
  Dims axes;
  if (!scale) {
    for (int64_t axis = 1; axis < rank; ++axis)
      axes.push_back(axis);
    return axes;
  }
  int64_t missing = rank - typeOf(scale).getRank();
  for (int64_t axis = std::max(firstAxis, missing); axis < rank; ++axis)
    if (typeOf(scale).getDimSize(axis - missing) != 1)
      axes.push_back(axis);
  return axes;
}

Dims opgraph::graph::getSpatialAxes(Value x) {
  Dims axes;
  for (int64_t axis = 2; axis < typeOf(x).getRank(); ++axis)
    axes.push_back(axis);
  return axes;
}

Dims opgraph::graph::getAxesBesideChannel(Value x) {
  Dims axes = getSpatialAxes(x);
  axes.insert(axes.begin(), 0);
  return axes;
}

Extents opgraph::graph::getStatistics(ArrayRef<Extent> x,
                                      ArrayRef<int64_t> axes) {
  Extents statistics(x);
  for (int64_t axis : axes)
    statistics[axis] = Extent();
  return statistics;
}

LogicalResult opgraph::graph::requireBroadcast(Inference &inference,
                                               ArrayRef<NamedValue> values,
                                               ArrayRef<Extent> extents,
                                               StringRef what) {
  for (auto [name, value] : values)
    if (value && !broadcastsTo(getExtents(value), extents))
      return inference.error(ErrorKind::ShapeDeduction)
             << "expected '" << name << "' (" << printExtents(getExtents(value))
             << ") to broadcast to " << what << " (" << printExtents(extents)
             << ")";
  return success();
}

LogicalResult opgraph::graph::requireExtents(Inference &inference,
                                             NamedValue value,
                                             ArrayRef<Extent> extents,
                                             StringRef what) {
  Extents actual = getExtents(value.value);
  if (ArrayRef<Extent>(actual) == extents)
    return success();
  return inference.error(ErrorKind::ShapeDeduction)
         << "expected '" << value.name << "' to have " << what << " ("
         << printExtents(extents) << "), got " << printExtents(actual);
}

LogicalResult opgraph::graph::requireChannel(Inference &inference, Value x) {
  if (typeOf(x).getRank() >= 2)
    return success();
  return inference.error(ErrorKind::ShapeDeduction)
         << "expected 'X' to have rank 2 or more, [N, C, spatial...], got "
         << printExtents(getExtents(x));
}

LogicalResult opgraph::graph::requireSampleScale(Inference &inference, Value x,
                                                 Value scale) {
  int64_t rank = typeOf(x).getRank();
  if (rank == 0 || typeOf(scale).getRank() != rank)
    return inference.error(ErrorKind::ShapeDeduction)
           << "expected 'SCALE' to have the rank of 'X', at least 1, for its "
              "axis of samples, got "
           << printExtents(getExtents(scale)) << " for "
           << printExtents(getExtents(x));
  return requireBroadcast(inference, {{"SCALE", scale}}, getExtents(x), "'X'");
}

LogicalResult opgraph::graph::inferLikeInput(Inference &inference,
                                             unsigned index, Value x) {
  if (failed(setExtents(inference, index, getExtents(x))))
    return failure();
  inference.setLayoutOf(index, typeOf(x));
  return success();
}

bool opgraph::graph::returnsStatistics(DictionaryAttr attributes) {
  auto phase = attributes.getAs<NormForwardPhaseAttr>("norm_forward_phase");
  return phase && phase.getValue() == NormForwardPhase::TRAINING;
}

LogicalResult opgraph::graph::inferStatistics(Inference &inference,
                                              unsigned first, unsigned last,
                                              ArrayRef<Extent> extents,
                                              Value x) {
  for (unsigned index = first; index <= last; ++index) {
    if (failed(setExtents(inference, index, extents)))
      return failure();
    inference.setLike(index, typeOf(x));
    inference.setElementType(index, Float32Type::get(x.getContext()));
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Inference
//===----------------------------------------------------------------------===//

/// What a forward norm over `axes` infers once its affine operands are checked.
template <typename OpTy>
static LogicalResult inferNorm(OpTy op, Inference &inference,
                               unsigned resultCount, ArrayRef<int64_t> axes) {
  // layernorm_c2, rmsnorm_c2, adalayernorm_c3, instancenorm_c3
  if (failed(requireSingle(inference, {{"EPSILON", op.getEpsilon()}})))
    return failure();
  // layernorm_c3, rmsnorm_c3, adalayernorm_c4, instancenorm_c4
  if (failed(requireFloatCompute(inference, op.getEffectiveComputeType())) ||
      failed(inferLikeInput(inference, 0, op.getInput())))
    return failure();
  // layernorm_c4, rmsnorm_c4, adalayernorm_c5, instancenorm_c5: whether there
  // are statistics follows from isResultPresent.
  if (op.getNormForwardPhase() != NormForwardPhase::TRAINING)
    return success();
  return inferStatistics(inference, 1, resultCount - 1,
                         getStatistics(getExtents(op.getInput()), axes),
                         op.getInput());
}

/// layernorm and rmsnorm; statistics are results 1 to `resultCount` - 1.
template <typename OpTy>
static LogicalResult inferRowNorm(OpTy op, Inference &inference,
                                  unsigned resultCount) {
  Value x = op.getInput();
  // layernorm_c1, rmsnorm_c1
  if (failed(requireBroadcast(
          inference, {{"SCALE", op.getScale()}, {"BIAS", op.getBias()}},
          getExtents(x), "'X'")))
    return failure();
  return inferNorm(op, inference, resultCount, getScaledAxes(x, op.getScale()));
}

LogicalResult LayernormOp::inferResults(Inference &inference) {
  return inferRowNorm(*this, inference, 3);
}

bool LayernormOp::isResultPresent(unsigned index, DictionaryAttr attributes,
                                  llvm::function_ref<bool(StringRef)>) {
  return index == 0 || returnsStatistics(attributes);
}

LogicalResult RmsnormOp::inferResults(Inference &inference) {
  return inferRowNorm(*this, inference, 2);
}

bool RmsnormOp::isResultPresent(unsigned index, DictionaryAttr attributes,
                                llvm::function_ref<bool(StringRef)>) {
  return index == 0 || returnsStatistics(attributes);
}

LogicalResult AdalayernormOp::inferResults(Inference &inference) {
  Value x = getInput();
  // adalayernorm_c1, adalayernorm_c2
  if (failed(requireSampleScale(inference, x, getScale())) ||
      failed(requireBroadcast(inference, {{"BIAS", getBias()}}, getExtents(x),
                              "'X'")))
    return failure();
  return inferNorm(*this, inference, 3, getScaledAxes(x, getScale(), 1));
}

bool AdalayernormOp::isResultPresent(unsigned index, DictionaryAttr attributes,
                                     llvm::function_ref<bool(StringRef)>) {
  return index == 0 || returnsStatistics(attributes);
}

LogicalResult InstancenormOp::inferResults(Inference &inference) {
  Value x = getInput();
  // instancenorm_c1
  if (failed(requireChannel(inference, x)))
    return failure();
  // instancenorm_c2
  Extents channel = getStatistics(getExtents(x), getAxesBesideChannel(x));
  if (failed(requireBroadcast(inference,
                              {{"SCALE", getScale()}, {"BIAS", getBias()}},
                              channel, "the channels of 'X'")))
    return failure();
  return inferNorm(*this, inference, 3, getSpatialAxes(x));
}

bool InstancenormOp::isResultPresent(unsigned index, DictionaryAttr attributes,
                                     llvm::function_ref<bool(StringRef)>) {
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
