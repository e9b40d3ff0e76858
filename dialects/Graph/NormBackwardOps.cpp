//===- NormBackwardOps.cpp - Inference of the norms' gradients ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/GraphDialect.h"
#include "dialects/Graph/Norm.h"

using namespace mlir;
using namespace opgraph::graph;

/// Checks the statistics over `axes` and the compute type, and infers DX, which
/// is result 0.
static LogicalResult inferInputGradient(Inference &inference, Value x,
                                        ArrayRef<int64_t> axes,
                                        ArrayRef<NamedValue> statistics,
                                        Type computeType) {
  // layernorm_backward_c3, rmsnorm_backward_c3, adalayernorm_backward_c3,
  // instancenorm_backward_c4
  if (failed(requireBroadcast(inference, statistics,
                              getStatistics(getExtents(x), axes),
                              "the statistics of 'X'")))
    return failure();
  // layernorm_backward_c4, rmsnorm_backward_c4, adalayernorm_backward_c4,
  // instancenorm_backward_c5
  if (failed(requireFloatCompute(inference, computeType)))
    return failure();
  return inferLikeInput(inference, 0, x);
}

/// Gives each of results 1 and 2 that exists `extents`, packed in `order`.
static LogicalResult inferAffineGradients(Inference &inference,
                                          ArrayRef<Extent> extents,
                                          ArrayRef<int64_t> order) {
  for (unsigned index : {1, 2}) {
    if (!inference.result(index).present)
      continue;
    if (failed(setExtents(inference, index, extents)))
      return failure();
    inference.setPacked(index, order);
  }
  return success();
}

/// layernorm_backward and rmsnorm_backward.
template <typename OpTy>
static LogicalResult inferRowNorm(OpTy op, Inference &inference,
                                  ArrayRef<NamedValue> statistics) {
  Value x = op.getInput(), scale = op.getScale();
  // layernorm_backward_c1, rmsnorm_backward_c1
  if (failed(requireExtents(inference, {"DY", op.getGrad()}, getExtents(x),
                            "X's extents")))
    return failure();
  // layernorm_backward_c2, rmsnorm_backward_c2
  if (failed(requireBroadcast(inference, {{"SCALE", scale}}, getExtents(x),
                              "'X'")) ||
      failed(inferInputGradient(inference, x, getScaledAxes(x, scale),
                                statistics, op.getEffectiveComputeType())))
    return failure();
  // layernorm_backward_c5, rmsnorm_backward_c5: whether there are more results
  // follows from isResultPresent.
  if (!scale)
    return success();
  return inferAffineGradients(inference, getExtents(scale),
                              channelsLastOrder(typeOf(scale).getRank()));
}

LogicalResult LayernormBackwardOp::inferResults(Inference &inference) {
  return inferRowNorm(
      *this, inference,
      {{"MEAN", getMean()}, {"INV_VARIANCE", getInvVariance()}});
}

bool LayernormBackwardOp::isResultPresent(
    unsigned index, DictionaryAttr,
    llvm::function_ref<bool(StringRef)> hasOperand) {
  return index == 0 || hasOperand("scale");
}

LogicalResult RmsnormBackwardOp::inferResults(Inference &inference) {
  return inferRowNorm(*this, inference, {{"INV_VARIANCE", getInvVariance()}});
}

bool RmsnormBackwardOp::isResultPresent(
    unsigned index, DictionaryAttr attributes,
    llvm::function_ref<bool(StringRef)> hasOperand) {
  if (index == 0)
    return true;
  return hasOperand("scale") &&
         (index == 1 || attributes.contains("has_dbias"));
}

LogicalResult AdalayernormBackwardOp::inferResults(Inference &inference) {
  Value x = getInput(), scale = getScale();
  // adalayernorm_backward_c1
  if (failed(requireExtents(inference, {"DY", getGrad()}, getExtents(x),
                            "X's extents")))
    return failure();
  // adalayernorm_backward_c2
  if (failed(requireSampleScale(inference, x, scale)) ||
      failed(inferInputGradient(
          inference, x, getScaledAxes(x, scale, 1),
          {{"MEAN", getMean()}, {"INV_VARIANCE", getInvVariance()}},
          getEffectiveComputeType())))
    return failure();
  return inferAffineGradients(inference, getExtents(scale),
                              rowMajorOrder(typeOf(scale).getRank()));
}

LogicalResult InstancenormBackwardOp::inferResults(Inference &inference) {
  Value x = getInput();
  // instancenorm_backward_c1
  if (failed(requireChannel(inference, x)))
    return failure();
  // instancenorm_backward_c2
  if (failed(requireExtents(inference, {"DY", getGrad()}, getExtents(x),
                            "X's extents")))
    return failure();
  // instancenorm_backward_c3
  Extents channel = getStatistics(getExtents(x), getAxesBesideChannel(x));
  if (failed(requireBroadcast(inference, {{"SCALE", getScale()}}, channel,
                              "the channels of 'X'")) ||
      failed(inferInputGradient(
          inference, x, getSpatialAxes(x),
          {{"MEAN", getMean()}, {"INV_VARIANCE", getInvVariance()}},
          getEffectiveComputeType())))
    return failure();
  return inferAffineGradients(inference, channel,
                              channelsLastOrder(channel.size()));
}
