//===- BatchnormOps.cpp - Inference of batch normalisation ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/GraphDialect.h"
#include "dialects/Graph/Norm.h"

using namespace mlir;
using namespace opgraph::graph;

/// [1, C, 1...] of an X with a channel axis.
static Extents getChannelExtents(Value x) {
  return getStatistics(getExtents(x), getAxesBesideChannel(x));
}

/// Fails unless the three operands of the running statistics are given, or none
/// is.
static LogicalResult requireTogether(Inference &inference,
                                     ArrayRef<NamedValue> values) {
  auto isGiven = [](NamedValue value) { return bool(value.value); };
  if (llvm::all_of(values, isGiven) || llvm::none_of(values, isGiven))
    return success();
  InFlightDiagnostic diagnostic = inference.error(ErrorKind::AttributeNotSet);
  diagnostic << "expected all or none of the running statistics and their "
                "momentum,";
  for (NamedValue value : values)
    diagnostic << " '" << value.name << "' is "
               << (isGiven(value) ? "given" : "absent")
               << (value.name == values.back().name ? "" : ",");
  return diagnostic;
}

/// Whether the ops with running statistics return the next ones.
static bool returnsRunning(llvm::function_ref<bool(StringRef)> hasOperand,
                           std::initializer_list<StringRef> operands) {
  return llvm::all_of(operands, hasOperand);
}

/// Checks what other participants of the batch say about it.
static LogicalResult checkPeers(Inference &inference, Value x,
                                ValueRange peers) {
  Extents expected = getChannelExtents(x);
  expected[0] = {3, StringAttr()};
  for (Value peer : peers) {
    // batchnorm_c5, batchnorm_backward_c4
    if (failed(requireExtents(inference, {"PEER_STAT", peer}, expected,
                              "three values of each channel")))
      return failure();
    // batchnorm_c6, batchnorm_backward_c5
    Type type = typeOf(peer).getElementType();
    if (!type.isF32() && !type.isF64())
      return inference.error(ErrorKind::NotSupported)
             << "expected 'PEER_STAT' to be f32 or f64, got " << type;
  }
  return success();
}

LogicalResult BatchnormOp::inferResults(Inference &inference) {
  Value x = getInput();
  // batchnorm_c1
  if (failed(requireChannel(inference, x)))
    return failure();
  // batchnorm_c2
  Extents channel = getChannelExtents(x);
  if (failed(requireBroadcast(inference,
                              {{"SCALE", getScale()},
                               {"BIAS", getBias()},
                               {"PREV_RUNNING_MEAN", getInRunningMean()},
                               {"PREV_RUNNING_VAR", getInRunningVar()}},
                              channel, "the channels of 'X'")))
    return failure();
  // batchnorm_c3
  if (failed(requireSingle(
          inference, {{"EPSILON", getEpsilon()}, {"MOMENTUM", getMomentum()}})))
    return failure();
  // batchnorm_c4
  if (failed(
          requireTogether(inference, {{"PREV_RUNNING_MEAN", getInRunningMean()},
                                      {"PREV_RUNNING_VAR", getInRunningVar()},
                                      {"MOMENTUM", getMomentum()}})) ||
      failed(checkPeers(inference, x, getPeerStats())))
    return failure();
  // batchnorm_c7
  if (failed(requireFloatCompute(inference, getEffectiveComputeType())) ||
      failed(inferLikeInput(inference, 0, x)))
    return failure();
  // batchnorm_c8: whether there are running statistics follows from
  // isResultPresent.
  return inferStatistics(inference, 1, getMomentum() ? 4 : 2, channel, x);
}

bool BatchnormOp::isResultPresent(
    unsigned index, DictionaryAttr,
    llvm::function_ref<bool(StringRef)> hasOperand) {
  return index < 3 ||
         returnsRunning(hasOperand,
                        {"in_running_mean", "in_running_var", "momentum"});
}

LogicalResult BatchnormInferenceOp::inferResults(Inference &inference) {
  Value x = getInput();
  // batchnorm_inference_c1
  if (failed(requireChannel(inference, x)))
    return failure();
  // batchnorm_inference_c2
  if (failed(requireBroadcast(inference,
                              {{"MEAN", getMean()},
                               {"INV_VARIANCE", getInvVariance()},
                               {"SCALE", getScale()},
                               {"BIAS", getBias()}},
                              getChannelExtents(x), "the channels of 'X'")))
    return failure();
  // batchnorm_inference_c3
  if (failed(requireFloatCompute(inference, getEffectiveComputeType())))
    return failure();
  return inferLikeInput(inference, 0, x);
}

/// What batchnorm_backward and dbn_weight require of their common operands.
template <typename OpTy>
static LogicalResult checkGradientOperands(OpTy op, Inference &inference) {
  Value x = op.getInput();
  // batchnorm_backward_c1, dbn_weight_c1
  if (failed(requireChannel(inference, x)))
    return failure();
  // batchnorm_backward_c2, dbn_weight_c2
  if (failed(requireExtents(inference, {"DY", op.getGrad()}, getExtents(x),
                            "X's extents")))
    return failure();
  // batchnorm_backward_c3, dbn_weight_c3
  return requireBroadcast(inference,
                          {{"SCALE", op.getScale()},
                           {"MEAN", op.getMean()},
                           {"INV_VARIANCE", op.getInvVariance()}},
                          getChannelExtents(x), "the channels of 'X'");
}

/// Gives results `first` and the next one [1, C, 1...] in X's memory order.
static LogicalResult inferAffineGradients(Inference &inference, unsigned first,
                                          Value x) {
  for (unsigned index : {first, first + 1}) {
    if (failed(setExtents(inference, index, getChannelExtents(x))))
      return failure();
    inference.setLike(index, typeOf(x));
  }
  return success();
}

LogicalResult BatchnormBackwardOp::inferResults(Inference &inference) {
  Value x = getInput();
  if (failed(checkGradientOperands(*this, inference)) ||
      failed(checkPeers(inference, x, getPeerStats())))
    return failure();
  // batchnorm_backward_c6
  if (failed(requireFloatCompute(inference, getEffectiveComputeType())) ||
      failed(inferLikeInput(inference, 0, x)))
    return failure();
  return inferAffineGradients(inference, 1, x);
}

LogicalResult GenstatsOp::inferResults(Inference &inference) {
  Value x = getInput();
  // genstats_c1
  if (failed(requireChannel(inference, x)))
    return failure();
  // genstats_c2
  if (failed(requireFloatCompute(inference, getEffectiveComputeType())))
    return failure();
  for (unsigned index : {0, 1}) {
    if (failed(setExtents(inference, index, getChannelExtents(x))))
      return failure();
    inference.setPacked(index, channelsLastOrder(typeOf(x).getRank()));
    inference.setElementType(index, Float32Type::get(getContext()));
  }
  return success();
}

LogicalResult BnFinalizeOp::inferResults(Inference &inference) {
  Value sum = getSum();
  Extents extents = getExtents(sum);
  // bn_finalize_c1
  if (failed(requireExtents(inference, {"SQ_SUM", getSqSum()}, extents,
                            "SUM's extents")))
    return failure();
  // bn_finalize_c2
  if (failed(requireBroadcast(inference,
                              {{"SCALE", getScale()},
                               {"BIAS", getBias()},
                               {"PREV_RUNNING_MEAN", getPrevRunningMean()},
                               {"PREV_RUNNING_VAR", getPrevRunningVar()}},
                              extents, "'SUM'")))
    return failure();
  // bn_finalize_c3
  if (failed(requireSingle(inference, {{"EPSILON", getEpsilon()},
                                       {"ACCUM_COUNT", getAccumCount()},
                                       {"MOMENTUM", getMomentum()}})))
    return failure();
  // bn_finalize_c4
  if (failed(requireTogether(inference,
                             {{"PREV_RUNNING_MEAN", getPrevRunningMean()},
                              {"PREV_RUNNING_VAR", getPrevRunningVar()},
                              {"MOMENTUM", getMomentum()}})))
    return failure();
  // bn_finalize_c5
  if (failed(requireFloatCompute(inference, getEffectiveComputeType())))
    return failure();
  // bn_finalize_c6: whether there are running statistics follows from
  // isResultPresent.
  return inferStatistics(inference, 0, getMomentum() ? 5 : 3, extents, sum);
}

bool BnFinalizeOp::isResultPresent(
    unsigned index, DictionaryAttr,
    llvm::function_ref<bool(StringRef)> hasOperand) {
  return index < 4 ||
         returnsRunning(hasOperand,
                        {"prev_running_mean", "prev_running_var", "momentum"});
}

LogicalResult DbnWeightOp::inferResults(Inference &inference) {
  Value x = getInput();
  if (failed(checkGradientOperands(*this, inference)))
    return failure();
  // dbn_weight_c4
  if (failed(requireFloatCompute(inference, getEffectiveComputeType())) ||
      failed(inferAffineGradients(inference, 0, x)))
    return failure();
  return inferStatistics(inference, 2, 4, getChannelExtents(x), x);
}
