//===- SdpaQuantizedBackwardOps.cpp - Inference of fp8 gradients ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/AttentionGradients.h"

using namespace mlir;
using namespace opgraph::graph;

//===----------------------------------------------------------------------===//
// sdpa_fp8_backward
//===----------------------------------------------------------------------===//

static LogicalResult checkFp8Operands(SdpaFp8BackwardOp op, const Attention &a,
                                      Inference &inference) {
  NamedValue outputs[] = {{"O", op.getO()}, {"dO", op.getDO()}};
  NamedValue all[] = {outputs[0], outputs[1], {"Stats", op.getStats()}};
  // sdpa_fp8_backward_c1
  if (failed(checkRanks(a, inference)) || failed(checkRank4(inference, all)))
    return failure();
  // sdpa_fp8_backward_c2
  if (failed(checkFp8(inference,
                      {{"Q", a.q}, {"K", a.k}, {"V", a.v}, outputs[1]})) ||
      failed(checkFloats(inference, {outputs[0], all[2]})))
    return failure();
  // sdpa_fp8_backward_c3
  if (failed(checkExtents(a, inference)))
    return failure();
  // sdpa_fp8_backward_c4
  if (failed(checkHeads(a, inference)))
    return failure();
  // sdpa_fp8_backward_c5
  if (failed(checkForwardResults(a, inference, outputs, op.getStats())))
    return failure();
  // sdpa_fp8_backward_c6
  if (failed(requireFloatCompute(inference, a.computeType)))
    return failure();
  // sdpa_fp8_backward_c7
  if (failed(checkOneScale(a, inference)))
    return failure();
  // sdpa_fp8_backward_c8
  NamedValue scales[] = {
      {"Attn_scale", a.attnScale},     {"Descale_q", op.getDescaleQ()},
      {"Descale_k", op.getDescaleK()}, {"Descale_v", op.getDescaleV()},
      {"Descale_o", op.getDescaleO()}, {"Descale_dO", op.getDescaleDO()},
      {"Descale_s", op.getDescaleS()}, {"Descale_dP", op.getDescaleDP()},
      {"Scale_s", op.getScaleS()},     {"Scale_dQ", op.getScaleDQ()},
      {"Scale_dK", op.getScaleDK()},   {"Scale_dV", op.getScaleDV()},
      {"Scale_dP", op.getScaleDP()}};
  return requireSingle(inference, scales);
}

static LogicalResult checkFp8Masks(const Attention &a, Inference &inference) {
  // sdpa_fp8_backward_c9
  if (failed(checkLengthsGiven(a, inference)))
    return failure();
  // sdpa_fp8_backward_c10
  if (failed(checkLengthExtents(a, inference)))
    return failure();
  // sdpa_fp8_backward_c11
  if (failed(checkLengthTypes(a, inference)))
    return failure();
  // sdpa_fp8_backward_c12
  if (failed(checkBounds(a, inference)))
    return failure();
  // sdpa_fp8_backward_c13
  if (failed(checkDropoutForm(a, inference)) ||
      failed(checkDropoutInverse(a, inference)))
    return failure();
  // sdpa_fp8_backward_c14
  if (failed(checkProbability(a, inference)))
    return failure();
  // sdpa_fp8_backward_c15
  return checkDropoutOperands(a, inference);
}

static LogicalResult checkFp8Storage(SdpaFp8BackwardOp op, const Attention &a,
                                     Inference &inference) {
  // sdpa_fp8_backward_c16
  if (failed(checkSink(a, inference)))
    return failure();
  // sdpa_fp8_backward_c17
  if (failed(checkSinkGradient(a, op.getGenerateDsinkToken(), inference)))
    return failure();
  // sdpa_fp8_backward_c18
  if (failed(checkRaggedOffsets(a, inference)))
    return failure();
  // sdpa_fp8_backward_c19
  if (failed(checkRaggedIsPadded(a, inference)))
    return failure();
  // sdpa_fp8_backward_c20
  if (failed(checkMultipliers(a, inference)))
    return failure();
  // sdpa_fp8_backward_c21
  return checkCapacities(a, inference);
}

LogicalResult SdpaFp8BackwardOp::inferResults(Inference &inference) {
  Attention a(*this);
  if (failed(checkFp8Operands(*this, a, inference)) ||
      failed(checkFp8Masks(a, inference)) ||
      failed(checkFp8Storage(*this, a, inference)))
    return failure();
  if (failed(inferGradients(a, inference, Type())) ||
      failed(inferAmax(inference, 3, 6)))
    return failure();
  // sdpa_fp8_backward_c22: whether it exists follows from isResultPresent.
  return inferSinkGradient(a, inference, 7);
}

bool SdpaFp8BackwardOp::isResultPresent(unsigned index,
                                        DictionaryAttr attributes,
                                        llvm::function_ref<bool(StringRef)>) {
  return index < 7 || attributes.contains("generate_dsink_token");
}

//===----------------------------------------------------------------------===//
// sdpa_mxfp8_backward
//===----------------------------------------------------------------------===//

/// Data, its scales, and the axis that they were quantised along.
namespace {
struct ScaledOperand {
  NamedValue data, scale;
  int axis;
};
} // namespace

static SmallVector<ScaledOperand> getScaledOperands(SdpaMxfp8BackwardOp op) {
  return {{{"Q", op.getQ()}, {"Descale_Q", op.getDescaleQ()}, -1},
          {{"Q_T", op.getQ_T()}, {"Descale_Q_T", op.getDescaleQ_T()}, -2},
          {{"K", op.getK()}, {"Descale_K", op.getDescaleK()}, -1},
          {{"K_T", op.getK_T()}, {"Descale_K_T", op.getDescaleK_T()}, -2},
          {{"V", op.getV()}, {"Descale_V", op.getDescaleV()}, -1},
          {{"dO", op.getDO()}, {"Descale_dO", op.getDescaleDO()}, -1},
          {{"dO_T", op.getDO_T()}, {"Descale_dO_T", op.getDescaleDO_T()}, -2}};
}

static LogicalResult checkMxOperands(SdpaMxfp8BackwardOp op, const Attention &a,
                                     Inference &inference) {
  SmallVector<NamedValue> data;
  for (const ScaledOperand &operand : getScaledOperands(op))
    data.push_back(operand.data);
  NamedValue outputs[] = {{"O_f16", op.getOF16()},
                          {"dO_f16", op.getDOF16()},
                          {"dO", op.getDO()},
                          {"dO_T", op.getDO_T()}};
  NamedValue floats[] = {outputs[0], outputs[1], {"Stats", op.getStats()}};
  // sdpa_mxfp8_backward_c1
  if (failed(checkRank4(inference, data)) ||
      failed(checkRank4(inference, floats)))
    return failure();
  // sdpa_mxfp8_backward_c2
  if (failed(checkFp8(inference, data)) ||
      failed(checkFloats(inference, floats)))
    return failure();
  // sdpa_mxfp8_backward_c3
  if (failed(checkExtents(a, inference)) ||
      failed(checkExtentsOf(inference, "Q_T", op.getQ_T(), getExtents(a.q))) ||
      failed(checkExtentsOf(inference, "K_T", op.getK_T(), getExtents(a.k))))
    return failure();
  // sdpa_mxfp8_backward_c4
  if (failed(checkHeads(a, inference)))
    return failure();
  // sdpa_mxfp8_backward_c5
  if (failed(checkForwardResults(a, inference, outputs, op.getStats())))
    return failure();
  // sdpa_mxfp8_backward_c6
  if (failed(requireFloatCompute(inference, a.computeType)))
    return failure();
  for (const ScaledOperand &operand : getScaledOperands(op)) {
    // sdpa_mxfp8_backward_c7
    if (failed(checkBlockScaleType(inference, operand.scale)))
      return failure();
    // sdpa_mxfp8_backward_c8
    if (failed(checkBlockScaleExtents(inference, operand.scale, operand.data,
                                      operand.axis)))
      return failure();
    // sdpa_mxfp8_backward_c9
    if (failed(checkBlockScaleAxis(inference, operand.scale, operand.axis)))
      return failure();
  }
  return success();
}

static LogicalResult checkMxAttributes(SdpaMxfp8BackwardOp op,
                                       const Attention &a,
                                       Inference &inference) {
  // sdpa_mxfp8_backward_c10
  if (failed(checkOneScale(a, inference)))
    return failure();
  // sdpa_mxfp8_backward_c11
  if (failed(requireSingle(inference, {{"Attn_scale", a.attnScale}})))
    return failure();
  // sdpa_mxfp8_backward_c12
  if (failed(checkLengthsGiven(a, inference)))
    return failure();
  // sdpa_mxfp8_backward_c13
  if (failed(checkLengthExtents(a, inference)))
    return failure();
  // sdpa_mxfp8_backward_c14
  if (failed(checkLengthTypes(a, inference)))
    return failure();
  // sdpa_mxfp8_backward_c15
  if (failed(checkBounds(a, inference)))
    return failure();
  // sdpa_mxfp8_backward_c16
  if (failed(checkDropoutForm(a, inference)) ||
      failed(checkDropoutInverse(a, inference)))
    return failure();
  // sdpa_mxfp8_backward_c17
  if (failed(checkProbability(a, inference)))
    return failure();
  // sdpa_mxfp8_backward_c18
  if (failed(checkDropoutOperands(a, inference)))
    return failure();
  // sdpa_mxfp8_backward_c19
  if (failed(checkSink(a, inference)))
    return failure();
  // sdpa_mxfp8_backward_c20
  if (failed(checkSinkGradient(a, op.getGenerateDsinkToken(), inference)))
    return failure();
  // sdpa_mxfp8_backward_c21
  return checkCapacities(a, inference);
}

LogicalResult SdpaMxfp8BackwardOp::inferResults(Inference &inference) {
  Attention a(*this);
  if (failed(checkMxOperands(*this, a, inference)) ||
      failed(checkMxAttributes(*this, a, inference)))
    return failure();
  if (failed(
          inferGradients(a, inference, typeOf(getOF16()).getElementType())) ||
      failed(inferAmax(inference, 3, 5)))
    return failure();
  // sdpa_mxfp8_backward_c22: whether it exists follows from isResultPresent.
  return inferSinkGradient(a, inference, 6);
}

bool SdpaMxfp8BackwardOp::isResultPresent(unsigned index,
                                          DictionaryAttr attributes,
                                          llvm::function_ref<bool(StringRef)>) {
  return index < 6 || attributes.contains("generate_dsink_token");
}
