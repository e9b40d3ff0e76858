//===- SdpaOp.cpp - Inference of graph.sdpa -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Attention.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace opgraph::graph;

/// sdpa_c20
static LogicalResult checkKvMask(const Attention &a, Inference &inference) {
  if (!a.kvMask)
    return success();
  Extents mask = getExtents(a.kvMask), scores = a.getScoreExtents();
  bool isOnePerKey = mask.size() == 4 &&
                     (mask[0].isOne() || mask[0] == scores[0]) &&
                     mask[1].isOne() && mask[2].isOne() && mask[3] == scores[3];
  if (!isOnePerKey)
    return inference.error(ErrorKind::ShapeDeduction)
           << "expected 'KV_mask' to be "
           << printExtents({scores[0], {}, {}, scores[3]})
           << " or 1 in the first axis, got " << printExtents(mask);
  Type type = typeOf(a.kvMask).getElementType();
  if (type.isInteger(1) || isa<FloatType>(type))
    return success();
  return inference.error(ErrorKind::NotSupported)
         << "expected 'KV_mask' to be boolean or floating point, got " << type;
}

/// sdpa_c21
static LogicalResult checkBlockMask(const Attention &a, Inference &inference) {
  if (!a.blockMask)
    return success();
  Extents mask = getExtents(a.blockMask), scores = a.getScoreExtents();
  if (!scores[2].isStatic() || !scores[3].isStatic())
    return inference.error(ErrorKind::NotSupported)
           << "expected known sequence extents with 'Block_mask', got "
           << printExtents(scores);
  constexpr int64_t tile = 128;
  Extents expected = scores;
  expected[2] = {static_cast<int64_t>(llvm::divideCeil(scores[2].size, tile)),
                 {}};
  expected[3] = {static_cast<int64_t>(llvm::divideCeil(
                     llvm::divideCeil(scores[3].size, tile), 8)),
                 {}};
  bool isOnePerTile = mask.size() == 4 && mask[2] == expected[2] &&
                      mask[3] == expected[3] && broadcastsTo(mask, expected);
  if (!isOnePerTile)
    return inference.error(ErrorKind::ShapeDeduction)
           << "expected 'Block_mask' to be " << printExtents(expected)
           << ", a bit per 128x128 scores, got " << printExtents(mask);
  Type type = typeOf(a.blockMask).getElementType();
  if (type.isUnsignedInteger(8))
    return success();
  return inference.error(ErrorKind::NotSupported)
         << "expected 'Block_mask' to be ui8, got " << type;
}

static LogicalResult checkOperands(const Attention &a, Inference &inference) {
  if (failed(checkRanks(a, inference)) ||                    // sdpa_c1
      failed(checkOperandTypes(a, inference)) ||             // sdpa_c2
      failed(checkKeyExtent(a, inference)) ||                // sdpa_c23
      failed(checkExtents(a, inference)) ||                  // sdpa_c3
      failed(checkHeads(a, inference)) ||                    // sdpa_c4
      failed(requireFloatCompute(inference, a.computeType))) // sdpa_c5
    return failure();
  if (failed(checkOneScale(a, inference)) || // sdpa_c6
      failed(
          requireSingle(inference, {{"Attn_scale", a.attnScale}})) || // sdpa_c7
      failed(checkBroadcasts(a, inference, "Bias", a.bias)) ||        // sdpa_c8
      failed(checkBiasType(a, inference)))                            // sdpa_c9
    return failure();
  if (failed(checkLengthsGiven(a, inference)) ||  // sdpa_c10
      failed(checkLengthExtents(a, inference)) || // sdpa_c11
      failed(checkLengthTypes(a, inference)) ||   // sdpa_c12
      failed(checkPageTables(a, inference)))      // sdpa_c22
    return failure();
  return success();
}

static LogicalResult checkMasks(const Attention &a, Inference &inference) {
  if (failed(checkBounds(a, inference)) ||          // sdpa_c13
      failed(checkAlibi(a, inference)) ||           // sdpa_c15
      failed(checkDropoutForm(a, inference)) ||     // sdpa_c16
      failed(checkProbability(a, inference)) ||     // sdpa_c17
      failed(checkDropoutOperands(a, inference)) || // sdpa_c18
      failed(checkSink(a, inference)) ||            // sdpa_c19
      failed(checkKvMask(a, inference)) || failed(checkBlockMask(a, inference)))
    return failure();
  if (failed(checkRaggedOffsets(a, inference)) ||  // sdpa_c24
      failed(checkRaggedIsPadded(a, inference)) || // sdpa_c25
      failed(checkMultipliers(a, inference)) ||    // sdpa_c26
      failed(checkCapacities(a, inference)))       // sdpa_c27
    return failure();
  return success();
}

LogicalResult SdpaOp::inferResults(Inference &inference) {
  Attention a(*this);
  if (failed(checkOperands(a, inference)) || failed(checkMasks(a, inference)))
    return failure();
  // sdpa_c28
  if (std::optional<Type> type = getSoftmaxPrecision())
    if (!isComputeType(*type) || !isa<FloatType>(*type))
      return inference.error(ErrorKind::NotSupported)
             << "expected 'softmax_precision' to be f16, bf16, f32 or f64, got "
             << *type;
  // sdpa_c29
  if (failed(checkScoreMod(a, inference, /*numScores=*/1, /*numYields=*/1)))
    return failure();
  // sdpa_c14: which results exist follows from isResultPresent.
  if (failed(setOutput(a, inference, 0)) ||
      failed(setRowResult(a, inference, 1)) ||
      failed(setRowResult(a, inference, 2)) ||
      failed(setRowResult(a, inference, 3)))
    return failure();
  return setFloatResult(inference, 4, a.getScoreExtents());
}

/// The attributes that ask for results 1 to 4, and the ports of those results.
static constexpr std::pair<StringLiteral, StringLiteral> optionalResults[] = {
    {"generate_stats", "stats"},
    {"generate_max", "max"},
    {"generate_sum_exp", "sum_exp"},
    {"generate_rng_dump", "rng_dump"}};

bool SdpaOp::isResultPresent(unsigned index, DictionaryAttr attributes,
                             llvm::function_ref<bool(StringRef)>) {
  return index == 0 || attributes.contains(optionalResults[index - 1].first);
}

SmallVector<RankedTensorType> SdpaOp::getRegionArgumentTypes(unsigned count) {
  return Attention(*this).getRegionArgumentTypes(count);
}

//===----------------------------------------------------------------------===//
// Canonicalization
//===----------------------------------------------------------------------===//

/// Removes operands `ragged_offset_<port>` of the results that `isDropped`,
/// from the segments and the multipliers too.
static void dropRaggedOffsets(SdpaOp op,
                              llvm::function_ref<bool(StringRef)> isDropped,
                              SmallVectorImpl<Value> &operands,
                              SmallVectorImpl<int32_t> &segments,
                              SmallVectorImpl<int64_t> &multipliers) {
  size_t next = 0, ragged = 0;
  for (auto [name, size] :
       llvm::zip(SdpaOp::getOperandNames(),
                 op.getProperties().getOperandSegmentSizes())) {
    StringRef port = name;
    bool isRagged = port.consume_front("ragged_offset_") && size != 0;
    bool isKept = !isRagged || !isDropped(port);
    segments.push_back(isKept ? size : 0);
    for (int32_t i = 0; i < size; ++i, ++next)
      if (isKept)
        operands.push_back(op->getOperand(next));
    if (!isRagged)
      continue;
    if (isKept && op.getRaggedMultipliers())
      multipliers.push_back((*op.getRaggedMultipliers())[ragged]);
    ++ragged;
  }
}

/// Results that nobody reads are not computed.
LogicalResult SdpaOp::canonicalize(SdpaOp op, PatternRewriter &rewriter) {
  SmallVector<StringRef> dropped;
  SmallVector<Type> types = {op.getO().getType()};
  SmallVector<int32_t> resultSegments = {1};
  for (auto [index, result] : llvm::enumerate(optionalResults)) {
    Value value = getNamedResult(op, index + 1);
    bool isKept = value && !value.use_empty();
    if (value && !isKept)
      dropped.push_back(result.second);
    if (isKept)
      types.push_back(value.getType());
    resultSegments.push_back(isKept);
  }
  if (dropped.empty())
    return rewriter.notifyMatchFailure(op, "all results are used");
  auto isDropped = [&](StringRef port) {
    return llvm::is_contained(dropped, port);
  };
  SmallVector<Value> operands;
  SmallVector<int32_t> segments;
  SmallVector<int64_t> multipliers;
  dropRaggedOffsets(op, isDropped, operands, segments, multipliers);
  NamedAttrList attributes(op->getAttrDictionary());
  for (auto [attribute, port] : optionalResults)
    if (isDropped(port))
      attributes.erase(attribute);
  attributes.set("operandSegmentSizes",
                 rewriter.getDenseI32ArrayAttr(segments));
  attributes.set("resultSegmentSizes",
                 rewriter.getDenseI32ArrayAttr(resultSegments));
  if (op.getRaggedMultipliers())
    attributes.set("ragged_multipliers",
                   rewriter.getDenseI64ArrayAttr(multipliers));
  auto smaller =
      SdpaOp::create(rewriter, op.getLoc(), types, operands, attributes);
  rewriter.inlineRegionBefore(op.getScoreMod(), smaller.getScoreMod(),
                              smaller.getScoreMod().end());
  for (unsigned index = 0; index < resultSegments.size(); ++index)
    if (Value value = getNamedResult(smaller, index))
      rewriter.replaceAllUsesWith(getNamedResult(op, index), value);
  rewriter.eraseOp(op);
  return success();
}
