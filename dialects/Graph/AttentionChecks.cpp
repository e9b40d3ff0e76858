//===- AttentionChecks.cpp - Constraints shared by attention ops ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Attention.h"

using namespace mlir;
using namespace opgraph::graph;

SmallVector<NamedValue, 3>
opgraph::graph::getQueryKeyValue(const Attention &a) {
  return {{"Q", a.q}, {"K", a.k}, {"V", a.v}};
}

//===----------------------------------------------------------------------===//
// Q, K and V
//===----------------------------------------------------------------------===//

LogicalResult opgraph::graph::checkRank4(Inference &inference,
                                         ArrayRef<NamedValue> values) {
  for (auto [name, value] : values)
    if (typeOf(value).getRank() != 4)
      return inference.error(ErrorKind::ShapeDeduction)
             << "expected '" << name << "' to have rank 4, got "
             << typeOf(value).getRank();
  return success();
}

LogicalResult opgraph::graph::checkFloats(Inference &inference,
                                          ArrayRef<NamedValue> values) {
  for (auto [name, value] : values) {
    Type type = typeOf(value).getElementType();
    if (!isa<FloatType>(type) || isa<Float8E8M0FNUType>(type) ||
        isPackedInHalves(type))
      return inference.error(ErrorKind::NotSupported)
             << "expected '" << name << "' to be floating point, got " << type;
  }
  return success();
}

LogicalResult opgraph::graph::checkRanks(const Attention &a,
                                         Inference &inference) {
  return checkRank4(inference, getQueryKeyValue(a));
}

LogicalResult opgraph::graph::checkOperandTypes(const Attention &a,
                                                Inference &inference) {
  return checkFloats(inference, getQueryKeyValue(a));
}

/// Checks that axis `axisA` of `a` and axis `axisB` of `b` are equal.
static LogicalResult checkSame(Inference &inference, NamedValue a,
                               unsigned axisA, NamedValue b, unsigned axisB) {
  Extent first = getExtents(a.value)[axisA];
  Extent second = getExtents(b.value)[axisB];
  if (first == second)
    return success();
  return inference.error(ErrorKind::ShapeDeduction)
         << "expected dim " << axisA << " of '" << a.name << "' ("
         << printExtent(first) << ") to match dim " << axisB << " of '"
         << b.name << "' (" << printExtent(second) << ")";
}

LogicalResult opgraph::graph::checkExtents(const Attention &a,
                                           Inference &inference) {
  NamedValue q{"Q", a.q}, k{"K", a.k}, v{"V", a.v};
  // The first axis of a container counts pages.
  if ((!a.pageTableK && failed(checkSame(inference, k, 0, q, 0))) ||
      (!a.pageTableV && failed(checkSame(inference, v, 0, q, 0))) ||
      failed(checkSame(inference, k, 3, q, 3)))
    return failure();
  if (!a.pageTableK && !a.pageTableV)
    return checkSame(inference, v, 2, k, 2);
  return success();
}

LogicalResult opgraph::graph::checkHeads(const Attention &a,
                                         Inference &inference) {
  Extent queryHeads = getExtents(a.q)[1];
  for (auto [name, value] : {NamedValue{"K", a.k}, NamedValue{"V", a.v}}) {
    Extent heads = getExtents(value)[1];
    if (heads == queryHeads || heads.isOne() ||
        (heads.isStatic() && queryHeads.isStatic() && heads.size != 0 &&
         queryHeads.size % heads.size == 0))
      continue;
    return inference.error(ErrorKind::NotSupported)
           << "expected the heads of '" << name << "' (" << printExtent(heads)
           << ") to divide those of 'Q' (" << printExtent(queryHeads) << ")";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Scale and bias
//===----------------------------------------------------------------------===//

LogicalResult opgraph::graph::checkOneScale(const Attention &a,
                                            Inference &inference) {
  if (!a.attnScale || !a.attnScaleValue)
    return success();
  return inference.error(ErrorKind::AttributeNotSet)
         << "expected 'Attn_scale' or 'attn_scale_value', got both";
}

LogicalResult opgraph::graph::checkBroadcasts(const Attention &a,
                                              Inference &inference,
                                              StringRef name, Value value) {
  if (!value)
    return success();
  Extents scores = a.getScoreExtents();
  if (broadcastsTo(getExtents(value), scores))
    return success();
  return inference.error(ErrorKind::ShapeDeduction)
         << "expected '" << name << "' (" << printExtents(getExtents(value))
         << ") to broadcast to the scores (" << printExtents(scores) << ")";
}

LogicalResult opgraph::graph::checkBiasType(const Attention &a,
                                            Inference &inference) {
  if (!a.bias || !typeOf(a.bias).getElementType().isInteger(1))
    return success();
  return inference.error(ErrorKind::NotSupported)
         << "expected 'Bias' to be a number that is added, got a boolean";
}

//===----------------------------------------------------------------------===//
// Lengths
//===----------------------------------------------------------------------===//

LogicalResult opgraph::graph::checkLengthsGiven(const Attention &a,
                                                Inference &inference) {
  std::tuple<StringRef, Value, StringRef, Value> sides[] = {
      {"SEQ_LEN_Q", a.seqLenQ, "CU_SEQ_LEN_Q", a.cuSeqLenQ},
      {"SEQ_LEN_KV", a.seqLenKv, "CU_SEQ_LEN_KV", a.cuSeqLenKv}};
  for (auto [name, lengths, sumsName, sums] : sides) {
    if (lengths && sums)
      return inference.error(ErrorKind::AttributeNotSet)
             << "expected '" << name << "' or '" << sumsName << "', got both";
    bool isGiven = lengths || sums;
    if (isGiven == a.usePaddingMask || (isGiven && a.hasScoreMod()))
      continue;
    return inference.error(ErrorKind::AttributeNotSet)
           << "expected '" << (sums ? sumsName : name)
           << "' if and only if 'use_padding_mask' is set, got "
           << (isGiven ? "lengths without it" : "no lengths");
  }
  return success();
}

LogicalResult opgraph::graph::checkLengthExtents(const Attention &a,
                                                 Inference &inference) {
  Extents expected = {getExtents(a.q)[0], {}, {}, {}};
  for (auto [name, value] : {NamedValue{"SEQ_LEN_Q", a.seqLenQ},
                             NamedValue{"SEQ_LEN_KV", a.seqLenKv}})
    if (value && getExtents(value) != expected)
      return inference.error(ErrorKind::ShapeDeduction)
             << "expected '" << name << "' to be " << printExtents(expected)
             << ", got " << printExtents(getExtents(value));
  if (failed(
          checkOnePerBatchPlusOne(a, inference, "CU_SEQ_LEN_Q", a.cuSeqLenQ)))
    return failure();
  return checkOnePerBatchPlusOne(a, inference, "CU_SEQ_LEN_KV", a.cuSeqLenKv);
}

LogicalResult opgraph::graph::checkLengthTypes(const Attention &a,
                                               Inference &inference) {
  return requireIndexType(inference, {{"SEQ_LEN_Q", a.seqLenQ},
                                      {"SEQ_LEN_KV", a.seqLenKv},
                                      {"CU_SEQ_LEN_Q", a.cuSeqLenQ},
                                      {"CU_SEQ_LEN_KV", a.cuSeqLenKv}});
}

//===----------------------------------------------------------------------===//
// Masks, dropout and the sink
//===----------------------------------------------------------------------===//

LogicalResult opgraph::graph::checkBounds(const Attention &a,
                                          Inference &inference) {
  std::pair<StringRef, std::optional<int64_t>> bounds[] = {
      {"diagonal_band_left_bound", a.leftBound},
      {"diagonal_band_right_bound", a.rightBound}};
  for (auto [name, bound] : bounds)
    if (bound && *bound < 0)
      return inference.error(ErrorKind::InvalidValue)
             << "expected '" << name << "' to be at least 0, got " << *bound;
  return success();
}

LogicalResult opgraph::graph::checkAlibi(const Attention &a,
                                         Inference &inference) {
  if (!a.useAlibiMask)
    return success();
  if (a.rightBound != 0)
    return inference.error(ErrorKind::NotSupported)
           << "expected 'diagonal_band_right_bound' to be 0 with "
              "'use_alibi_mask', got "
           << (a.rightBound ? std::to_string(*a.rightBound) : "none");
  if (!getExtents(a.q)[1].isStatic())
    return inference.error(ErrorKind::NotSupported)
           << "expected a known number of heads with 'use_alibi_mask', got "
           << printExtent(getExtents(a.q)[1]);
  return success();
}

LogicalResult opgraph::graph::checkDropoutForm(const Attention &a,
                                               Inference &inference) {
  bool isRandom = a.dropoutProbability || a.seed || a.offset;
  bool isGiven = a.dropoutMask || a.dropoutScale || a.dropoutScaleInv;
  if (isRandom && isGiven)
    return inference.error(ErrorKind::AttributeNotSet)
           << "expected dropout by probability or by a mask, got both";
  if (isRandom && (!a.dropoutProbability || !a.seed || !a.offset))
    return inference.error(ErrorKind::AttributeNotSet)
           << "expected 'dropout_probability', 'Seed' and 'Offset' together, "
              "got not all of them";
  if (isGiven && (!a.dropoutMask || !a.dropoutScale))
    return inference.error(ErrorKind::AttributeNotSet)
           << "expected 'Dropout_mask' and 'Dropout_scale' together, got not "
              "both";
  if (a.hasRngDump && !a.dropoutProbability)
    return inference.error(ErrorKind::AttributeNotSet)
           << "expected 'dropout_probability' with 'RNG_DUMP', got none";
  return success();
}

LogicalResult opgraph::graph::checkProbability(const Attention &a,
                                               Inference &inference) {
  if (!a.dropoutProbability ||
      (*a.dropoutProbability >= 0 && *a.dropoutProbability < 1))
    return success();
  return inference.error(ErrorKind::AttributeNotSet)
         << "expected 'dropout_probability' to be at least 0 and less than 1, "
            "got "
         << *a.dropoutProbability;
}

LogicalResult opgraph::graph::checkDropoutOperands(const Attention &a,
                                                   Inference &inference) {
  for (auto [name, value] :
       {NamedValue{"Seed", a.seed}, NamedValue{"Offset", a.offset}})
    if (failed(requireSingle(inference, {{name, value}})) ||
        failed(requireIndexType(inference, {{name, value}})))
      return failure();
  if (failed(checkBroadcasts(a, inference, "Dropout_mask", a.dropoutMask)) ||
      failed(requireSingle(inference, {{"Dropout_scale", a.dropoutScale}})))
    return failure();
  return requireSingle(inference, {{"Dropout_scale_inv", a.dropoutScaleInv}});
}

LogicalResult opgraph::graph::checkSink(const Attention &a,
                                        Inference &inference) {
  if (!a.sinkToken)
    return success();
  Extents expected = {{}, getExtents(a.q)[1], {}, {}};
  if (getExtents(a.sinkToken) != expected)
    return inference.error(ErrorKind::ShapeDeduction)
           << "expected 'SINK_TOKEN' to be " << printExtents(expected)
           << ", got " << printExtents(getExtents(a.sinkToken));
  Type type = typeOf(a.sinkToken).getElementType();
  if (!isa<FloatType>(type))
    return inference.error(ErrorKind::NotSupported)
           << "expected 'SINK_TOKEN' to be floating point, got " << type;
  return success();
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

LogicalResult opgraph::graph::setFloatResult(Inference &inference,
                                             unsigned index,
                                             ArrayRef<Extent> extents) {
  if (!inference.result(index).present)
    return success();
  if (failed(setExtents(inference, index, extents)))
    return failure();
  inference.setPacked(index, rowMajorOrder(extents.size()));
  inference.setElementType(index,
                           Float32Type::get(inference.getOp()->getContext()));
  return success();
}

LogicalResult opgraph::graph::setOutput(const Attention &a,
                                        Inference &inference, unsigned index) {
  Extents extents = getExtents(a.q);
  extents[3] = getExtents(a.v)[3];
  if (failed(setExtents(inference, index, extents)))
    return failure();
  inference.setLike(index, typeOf(a.q));
  inference.setElementType(index, typeOf(a.q).getElementType());
  return success();
}

LogicalResult opgraph::graph::setRowResult(const Attention &a,
                                           Inference &inference,
                                           unsigned index) {
  ResultSpec &spec = inference.result(index);
  if (!spec.present)
    return success();
  Extents extents = getExtents(a.q);
  extents[3] = Extent();
  if (failed(setExtents(inference, index, extents)))
    return failure();
  StringRef port = cast<GraphOpInterface>(a.op).getResultPorts()[index];
  if (getRaggedOffset(a.op, port.lower()))
    inference.setPacked(index, {0, 2, 1, 3});
  return setFloatResult(inference, index, extents);
}
