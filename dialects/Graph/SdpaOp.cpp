//===- SdpaOp.cpp - Inference of graph.sdpa -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Extents.h"
#include "dialects/Graph/GraphDialect.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace opgraph::graph;

/// Checks that axis `axisA` of `a` and `axisB` of `b` are equal.
static LogicalResult checkSame(Inference &inference, StringRef nameA,
                               ArrayRef<Extent> a, unsigned axisA,
                               StringRef nameB, ArrayRef<Extent> b,
                               unsigned axisB) {
  if (a[axisA] == b[axisB])
    return success();
  return inference.error(ErrorKind::ShapeDeduction)
         << "expected dim " << axisA << " of '" << nameA << "' ("
         << printExtent(a[axisA]) << ") to match dim " << axisB << " of '"
         << nameB << "' (" << printExtent(b[axisB]) << ")";
}

/// Checks that the heads of `name` divide the query heads evenly.
static LogicalResult checkHeads(Inference &inference, StringRef name,
                                const Extent &heads, const Extent &queryHeads) {
  if (heads == queryHeads || heads.isOne())
    return success();
  if (heads.isStatic() && queryHeads.isStatic() && heads.size != 0 &&
      queryHeads.size % heads.size == 0)
    return success();
  return inference.error(ErrorKind::NotSupported)
         << "expected the heads of '" << name << "' (" << printExtent(heads)
         << ") to divide those of 'Q' (" << printExtent(queryHeads) << ")";
}

/// Extents and element types of Q, K and V.
static LogicalResult checkQueryKeyValue(SdpaOp op, Inference &inference) {
  std::pair<StringRef, Value> operands[] = {
      {"Q", op.getQ()}, {"K", op.getK()}, {"V", op.getV()}};
  for (auto [name, value] : operands) {
    // sdpa_c1
    if (typeOf(value).getRank() != 4)
      return inference.error(ErrorKind::ShapeDeduction)
             << "expected '" << name << "' to have rank 4, got "
             << typeOf(value).getRank();
    // sdpa_c2
    if (!isa<FloatType>(typeOf(value).getElementType()))
      return inference.error(ErrorKind::NotSupported)
             << "expected '" << name << "' to be floating point, got "
             << typeOf(value).getElementType();
  }
  Extents q = getExtents(op.getQ()), k = getExtents(op.getK()),
          v = getExtents(op.getV());
  // sdpa_c3
  if (failed(checkSame(inference, "K", k, 0, "Q", q, 0)) ||
      failed(checkSame(inference, "V", v, 0, "Q", q, 0)) ||
      failed(checkSame(inference, "K", k, 3, "Q", q, 3)) ||
      failed(checkSame(inference, "V", v, 2, "K", k, 2)))
    return failure();
  // sdpa_c4
  if (failed(checkHeads(inference, "K", k[1], q[1])) ||
      failed(checkHeads(inference, "V", v[1], q[1])))
    return failure();
  // sdpa_c5
  return requireFloatCompute(inference, op.getEffectiveComputeType());
}

static LogicalResult checkScale(SdpaOp op, Inference &inference) {
  Value scale = op.getAttnScale();
  if (!scale)
    return success();
  // sdpa_c6
  if (op.getAttnScaleValue())
    return inference.error(ErrorKind::AttributeNotSet)
           << "expected 'Attn_scale' or 'attn_scale_value', got both";
  // sdpa_c7
  if (!isSingleElement(typeOf(scale)))
    return inference.error(ErrorKind::ShapeDeduction)
           << "expected 'Attn_scale' to have one element, got "
           << printExtents(getExtents(scale));
  return success();
}

static LogicalResult checkBias(SdpaOp op, Inference &inference) {
  Value bias = op.getBias();
  if (!bias)
    return success();
  Extents q = getExtents(op.getQ()), k = getExtents(op.getK());
  Extents scores = {q[0], q[1], q[2], k[2]};
  // sdpa_c8
  if (!broadcastsTo(getExtents(bias), scores))
    return inference.error(ErrorKind::ShapeDeduction)
           << "expected 'Bias' (" << printExtents(getExtents(bias))
           << ") to broadcast to the scores (" << printExtents(scores) << ")";
  // sdpa_c9
  if (typeOf(bias).getElementType().isInteger(1))
    return inference.error(ErrorKind::NotSupported)
           << "expected 'Bias' to be a number that is added, got a boolean";
  return success();
}

static LogicalResult checkLengths(SdpaOp op, Inference &inference) {
  std::pair<StringRef, Value> operands[] = {{"SEQ_LEN_Q", op.getSeqLenQ()},
                                            {"SEQ_LEN_KV", op.getSeqLenKv()}};
  Extents expected = {getExtents(op.getQ())[0], {}, {}, {}};
  for (auto [name, value] : operands) {
    // sdpa_c10
    if (op.getUsePaddingMask() != static_cast<bool>(value))
      return inference.error(ErrorKind::AttributeNotSet)
             << "expected '" << name
             << "' if and only if 'use_padding_mask' is set, got "
             << (value ? "lengths without it" : "no lengths");
    if (!value)
      continue;
    // sdpa_c11
    if (getExtents(value) != expected)
      return inference.error(ErrorKind::ShapeDeduction)
             << "expected '" << name << "' to be " << printExtents(expected)
             << ", got " << printExtents(getExtents(value));
    // sdpa_c12
    Type type = typeOf(value).getElementType();
    if (!type.isInteger(32) && !type.isInteger(64))
      return inference.error(ErrorKind::NotSupported)
             << "expected '" << name << "' to be i32 or i64, got " << type;
  }
  return success();
}

static LogicalResult checkBand(SdpaOp op, Inference &inference) {
  std::pair<StringRef, std::optional<int64_t>> bounds[] = {
      {"diagonal_band_left_bound", op.getDiagonalBandLeftBound()},
      {"diagonal_band_right_bound", op.getDiagonalBandRightBound()}};
  // sdpa_c13
  for (auto [name, bound] : bounds)
    if (bound && *bound < 0)
      return inference.error(ErrorKind::InvalidValue)
             << "expected '" << name << "' to be at least 0, got " << *bound;
  return success();
}

LogicalResult SdpaOp::inferResults(Inference &inference) {
  if (failed(checkQueryKeyValue(*this, inference)) ||
      failed(checkScale(*this, inference)) ||
      failed(checkBias(*this, inference)) ||
      failed(checkLengths(*this, inference)) ||
      failed(checkBand(*this, inference)))
    return failure();
  Extents o = getExtents(getQ());
  o[3] = getExtents(getV())[3];
  if (failed(setExtents(inference, 0, o)))
    return failure();
  inference.setLike(0, typeOf(getQ()));
  inference.setElementType(0, typeOf(getQ()).getElementType());

  // sdpa_c14: whether there are statistics follows from isResultPresent.
  if (!getGenerateStats())
    return success();
  o[3] = Extent();
  if (failed(setExtents(inference, 1, o)))
    return failure();
  inference.setPacked(1, rowMajorOrder(4));
  inference.setElementType(1, Float32Type::get(getContext()));
  return success();
}

bool SdpaOp::isResultPresent(unsigned index, DictionaryAttr attributes) {
  return index == 0 || attributes.contains("generate_stats");
}

/// Statistics that nobody reads are not computed.
LogicalResult SdpaOp::canonicalize(SdpaOp op, PatternRewriter &rewriter) {
  if (!op.getStats() || !op.getStats().use_empty())
    return rewriter.notifyMatchFailure(op, "statistics are absent or used");
  auto smaller = SdpaOp::create(
      rewriter, op.getLoc(), op.getO().getType(), Type(), op.getQ(), op.getK(),
      op.getV(), op.getAttnScale(), op.getBias(), op.getSeqLenQ(),
      op.getSeqLenKv(), op.getAttnScaleValueAttr(), op.getUsePaddingMask(),
      /*generate_stats=*/false, op.getDiagonalAlignment(),
      op.getDiagonalBandLeftBoundAttr(), op.getDiagonalBandRightBoundAttr(),
      op.getComputeTypeAttr());
  rewriter.replaceAllUsesWith(op.getO(), smaller.getO());
  rewriter.eraseOp(op);
  return success();
}
