//===- SdpaQuantizedOps.cpp - Inference of attention on fp8 ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/AttentionGradients.h"

using namespace mlir;
using namespace opgraph::graph;

//===----------------------------------------------------------------------===//
// sdpa_fp8
//===----------------------------------------------------------------------===//

/// sdpa_fp8_c6
static LogicalResult checkScales(SdpaFp8Op op, Inference &inference) {
  NamedValue scales[] = {
      {"Descale_Q", op.getDescaleQ()}, {"Descale_K", op.getDescaleK()},
      {"Descale_V", op.getDescaleV()}, {"Descale_S", op.getDescaleS()},
      {"Scale_S", op.getScaleS()},     {"Scale_O", op.getScaleO()}};
  for (auto [name, value] : scales) {
    if (!value)
      continue;
    if (failed(requireSingle(inference, {{name, value}})))
      return failure();
    Type type = typeOf(value).getElementType();
    if (!isa<FloatType>(type))
      return inference.error(ErrorKind::NotSupported)
             << "expected '" << name << "' to be floating point, got " << type;
  }
  return success();
}

static LogicalResult checkOperands(SdpaFp8Op op, const Attention &a,
                                   Inference &inference) {
  if (failed(checkRanks(a, inference)) ||                      // sdpa_fp8_c1
      failed(checkFp8(inference, getQueryKeyValue(a))) ||      // sdpa_fp8_c2
      failed(checkKeyExtent(a, inference)) ||                  // sdpa_fp8_c19
      failed(checkExtents(a, inference)) ||                    // sdpa_fp8_c3
      failed(checkHeads(a, inference)) ||                      // sdpa_fp8_c4
      failed(requireFloatCompute(inference, a.computeType)) || // sdpa_fp8_c5
      failed(checkScales(op, inference)) ||                    // sdpa_fp8_c6
      failed(checkOneScale(a, inference)) ||                   // sdpa_fp8_c7
      failed(requireSingle(inference,
                           {{"Attn_scale", a.attnScale}}))) // sdpa_fp8_c8
    return failure();
  // sdpa_fp8_c9
  if (failed(checkBroadcasts(a, inference, "Bias", a.bias)) ||
      failed(checkBiasType(a, inference)))
    return failure();
  if (failed(checkLengthsGiven(a, inference)) ||  // sdpa_fp8_c10
      failed(checkLengthExtents(a, inference)) || // sdpa_fp8_c11
      failed(checkLengthTypes(a, inference)) ||   // sdpa_fp8_c12
      failed(checkPageTables(a, inference)))      // sdpa_fp8_c20
    return failure();
  return success();
}

static LogicalResult checkMasks(const Attention &a, Inference &inference) {
  if (failed(checkBounds(a, inference)) ||          // sdpa_fp8_c13
      failed(checkAlibi(a, inference)) ||           // sdpa_fp8_c14
      failed(checkDropoutForm(a, inference)) ||     // sdpa_fp8_c15
      failed(checkProbability(a, inference)) ||     // sdpa_fp8_c16
      failed(checkDropoutOperands(a, inference)) || // sdpa_fp8_c17
      failed(checkSink(a, inference)) ||            // sdpa_fp8_c18
      failed(checkRaggedOffsets(a, inference)) ||   // sdpa_fp8_c21
      failed(checkRaggedIsPadded(a, inference)) ||  // sdpa_fp8_c22
      failed(checkMultipliers(a, inference)) ||     // sdpa_fp8_c23
      failed(checkCapacities(a, inference)))        // sdpa_fp8_c24
    return failure();
  // sdpa_fp8_c25
  return checkScoreMod(a, inference, /*numScores=*/1, /*numYields=*/1);
}

LogicalResult SdpaFp8Op::inferResults(Inference &inference) {
  Attention a(*this);
  if (failed(checkOperands(*this, a, inference)) ||
      failed(checkMasks(a, inference)))
    return failure();
  // sdpa_fp8_c26: which results exist follows from isResultPresent.
  if (failed(setOutput(a, inference, 0)) ||
      failed(setRowResult(a, inference, 1)) ||
      failed(setRowResult(a, inference, 2)) ||
      failed(setRowResult(a, inference, 3)) ||
      failed(setFloatResult(inference, 4, a.getScoreExtents())))
    return failure();
  return inferAmax(inference, 5, 6);
}

bool SdpaFp8Op::isResultPresent(unsigned index, DictionaryAttr attributes,
                                llvm::function_ref<bool(StringRef)>) {
  static constexpr StringLiteral flags[] = {"generate_stats", "generate_max",
                                            "generate_sum_exp",
                                            "generate_rng_dump"};
  return index == 0 || index > 4 || attributes.contains(flags[index - 1]);
}

SmallVector<RankedTensorType>
SdpaFp8Op::getRegionArgumentTypes(unsigned count) {
  return Attention(*this).getRegionArgumentTypes(count);
}

//===----------------------------------------------------------------------===//
// sdpa_mxfp8
//===----------------------------------------------------------------------===//

/// sdpa_mxfp8_c6
static LogicalResult checkAreStatic(const Attention &a, Inference &inference) {
  for (auto [name, value] : getQueryKeyValue(a))
    if (!typeOf(value).hasStaticShape())
      return inference.error(ErrorKind::NotSupported)
             << "expected known extents of '" << name << "', got "
             << printExtents(getExtents(value));
  return success();
}

static LogicalResult checkBlockScales(SdpaMxfp8Op op, Inference &inference) {
  // Keys are scaled along the head's extent, values along the sequence.
  std::tuple<NamedValue, NamedValue, int> scales[] = {
      {{"Descale_Q", op.getDescaleQ()}, {"Q", op.getQ()}, -1},
      {{"Descale_K", op.getDescaleK()}, {"K", op.getK()}, -1},
      {{"Descale_V", op.getDescaleV()}, {"V", op.getV()}, -2}};
  for (auto [scale, data, axis] : scales)
    if (failed(checkBlockScaleType(inference, scale)) || // sdpa_mxfp8_c7
        failed(checkBlockScaleExtents(inference, scale, data,
                                      axis)) ||              // sdpa_mxfp8_c8
        failed(checkBlockScaleAxis(inference, scale, axis))) // sdpa_mxfp8_c20
      return failure();
  return success();
}

static LogicalResult checkOperands(SdpaMxfp8Op op, const Attention &a,
                                   Inference &inference) {
  if (failed(checkRanks(a, inference)) ||                      // sdpa_mxfp8_c1
      failed(checkFp8(inference, getQueryKeyValue(a))) ||      // sdpa_mxfp8_c2
      failed(checkKeyExtent(a, inference)) ||                  // sdpa_mxfp8_c16
      failed(checkExtents(a, inference)) ||                    // sdpa_mxfp8_c3
      failed(checkHeads(a, inference)) ||                      // sdpa_mxfp8_c4
      failed(requireFloatCompute(inference, a.computeType)) || // sdpa_mxfp8_c5
      failed(checkAreStatic(a, inference)))                    // sdpa_mxfp8_c6
    return failure();
  return checkBlockScales(op, inference);
}

LogicalResult SdpaMxfp8Op::inferResults(Inference &inference) {
  Attention a(*this);
  if (failed(checkOperands(*this, a, inference)) ||
      failed(checkOneScale(a, inference))) // sdpa_mxfp8_c9
    return failure();
  // sdpa_mxfp8_c10
  if (failed(requireSingle(inference, {{"Attn_scale", a.attnScale}})) ||
      failed(requireSingle(inference, {{"Scale_O", getScaleO()}})))
    return failure();
  if (failed(checkLengthsGiven(a, inference)) ||  // sdpa_mxfp8_c11
      failed(checkLengthExtents(a, inference)) || // sdpa_mxfp8_c12
      failed(checkLengthTypes(a, inference)) ||   // sdpa_mxfp8_c13
      failed(checkPageTables(a, inference)) ||    // sdpa_mxfp8_c17
      failed(checkBounds(a, inference)) ||        // sdpa_mxfp8_c14
      failed(checkSink(a, inference)) ||          // sdpa_mxfp8_c15
      failed(checkCapacities(a, inference)))      // sdpa_mxfp8_c18
    return failure();
  // sdpa_mxfp8_c19: whether there are statistics follows from isResultPresent.
  if (failed(setOutput(a, inference, 0)) || failed(inferAmax(inference, 1, 1)))
    return failure();
  return setRowResult(a, inference, 2);
}

bool SdpaMxfp8Op::isResultPresent(unsigned index, DictionaryAttr attributes,
                                  llvm::function_ref<bool(StringRef)>) {
  return index != 2 || attributes.contains("generate_stats");
}
