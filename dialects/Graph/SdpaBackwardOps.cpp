//===- SdpaBackwardOps.cpp - Inference of attention gradients ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/AttentionGradients.h"

using namespace mlir;
using namespace opgraph::graph;

/// Like the bias, or where there is none as declared.
static LogicalResult inferBiasGradient(SdpaBackwardOp op, const Attention &a,
                                       Inference &inference) {
  constexpr unsigned index = 3;
  if (a.bias) {
    if (failed(setExtents(inference, index, getExtents(a.bias))))
      return failure();
    inference.setLike(index, typeOf(a.bias));
    inference.setElementType(index, typeOf(a.bias).getElementType());
    return success();
  }
  if (failed(inference.requireDims(index)))
    return failure();
  Extents declared = getExtents(inference.result(index));
  Extents scores = a.getScoreExtents();
  if (!broadcastsTo(declared, scores))
    return inference.error(ErrorKind::ShapeDeduction)
           << "expected 'dBias' (" << printExtents(declared)
           << ") to broadcast to the scores (" << printExtents(scores) << ")";
  inference.setPacked(index, rowMajorOrder(declared.size()));
  inference.setElementType(index, typeOf(a.q).getElementType());
  return success();
}

static LogicalResult checkOperands(SdpaBackwardOp op, const Attention &a,
                                   Inference &inference) {
  NamedValue outputs[] = {{"O", op.getO()}, {"dO", op.getDO()}};
  NamedValue all[] = {outputs[0], outputs[1], {"Stats", op.getStats()}};
  // sdpa_backward_c1
  if (failed(checkRanks(a, inference)) || failed(checkRank4(inference, all)))
    return failure();
  // sdpa_backward_c2
  if (failed(checkOperandTypes(a, inference)) ||
      failed(checkFloats(inference, all)))
    return failure();
  // sdpa_backward_c3
  if (failed(checkExtents(a, inference)))
    return failure();
  // sdpa_backward_c4
  if (failed(checkHeads(a, inference)))
    return failure();
  // sdpa_backward_c5
  if (failed(checkForwardResults(a, inference, outputs, op.getStats())))
    return failure();
  // sdpa_backward_c6
  if (failed(requireFloatCompute(inference, a.computeType)))
    return failure();
  // sdpa_backward_c7
  if (failed(checkOneScale(a, inference)))
    return failure();
  // sdpa_backward_c8
  if (failed(requireSingle(inference, {{"Attn_scale", a.attnScale}})))
    return failure();
  // sdpa_backward_c9
  if (failed(checkBroadcasts(a, inference, "Bias", a.bias)))
    return failure();
  // sdpa_backward_c10
  return checkBiasType(a, inference);
}

static LogicalResult checkMasks(const Attention &a, Inference &inference) {
  // sdpa_backward_c11
  if (failed(checkLengthsGiven(a, inference)))
    return failure();
  // sdpa_backward_c12
  if (failed(checkLengthExtents(a, inference)))
    return failure();
  // sdpa_backward_c13
  if (failed(checkLengthTypes(a, inference)))
    return failure();
  // sdpa_backward_c14
  if (failed(checkBounds(a, inference)))
    return failure();
  // sdpa_backward_c15
  if (failed(checkAlibi(a, inference)))
    return failure();
  // sdpa_backward_c16
  if (failed(checkDropoutForm(a, inference)) ||
      failed(checkDropoutInverse(a, inference)))
    return failure();
  // sdpa_backward_c17
  if (failed(checkProbability(a, inference)))
    return failure();
  // sdpa_backward_c18
  return checkDropoutOperands(a, inference);
}

static LogicalResult checkStorage(SdpaBackwardOp op, const Attention &a,
                                  Inference &inference) {
  // sdpa_backward_c19
  if (failed(checkSink(a, inference)))
    return failure();
  // sdpa_backward_c20
  if (failed(checkSinkGradient(a, op.getGenerateDsinkToken(), inference)))
    return failure();
  // sdpa_backward_c22
  if (failed(checkRaggedOffsets(a, inference)))
    return failure();
  // sdpa_backward_c23
  if (failed(checkRaggedIsPadded(a, inference)))
    return failure();
  // sdpa_backward_c24
  if (failed(checkMultipliers(a, inference)))
    return failure();
  // sdpa_backward_c25
  if (failed(checkCapacities(a, inference)))
    return failure();
  // sdpa_backward_c26
  return checkScoreMod(a, inference, /*numScores=*/2, /*numYields=*/2);
}

LogicalResult SdpaBackwardOp::inferResults(Inference &inference) {
  Attention a(*this);
  if (failed(checkOperands(*this, a, inference)) ||
      failed(checkMasks(a, inference)) ||
      failed(checkStorage(*this, a, inference)))
    return failure();
  if (failed(inferGradients(a, inference, Type())))
    return failure();
  // sdpa_backward_c21
  if (getGenerateDbias() && failed(inferBiasGradient(*this, a, inference)))
    return failure();
  // sdpa_backward_c27: which of these exist follows from isResultPresent.
  if (failed(inferSinkGradient(a, inference, 4)))
    return failure();
  return setFloatResult(inference, 5, a.getScoreExtents());
}

bool SdpaBackwardOp::isResultPresent(unsigned index, DictionaryAttr attributes,
                                     llvm::function_ref<bool(StringRef)>) {
  static constexpr StringLiteral flags[] = {
      "generate_dbias", "generate_dsink_token", "generate_rng_dump"};
  return index < 3 || attributes.contains(flags[index - 3]);
}

SmallVector<RankedTensorType>
SdpaBackwardOp::getRegionArgumentTypes(unsigned count) {
  return Attention(*this).getRegionArgumentTypes(count);
}
