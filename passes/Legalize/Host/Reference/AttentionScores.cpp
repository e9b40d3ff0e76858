//===- AttentionScores.cpp - One score of an attention op -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Legalize/Host/Reference/AttentionScores.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "passes/Legalize/Host/Scalar/Philox.h"
#include "passes/Legalize/Host/Scalar/Scalar.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;
using namespace opgraph::graph;
using namespace opgraph::legalize;

using Predicate = arith::CmpIPredicate;

static constexpr double kMasked = -std::numeric_limits<double>::infinity();

/// Tiles of a block mask.
static constexpr int64_t kMaskTile = 128;

AttentionScores::AttentionScores(LoopEmitter &e, const Attention &attention)
    : e(e), attention(attention), q(e, attention, attention.q, "q"),
      k(e, attention, attention.k, "k", attention.pageTableK),
      v(e, attention, attention.v, "v", attention.pageTableV) {
  Type computeType = attention.computeType;
  loadQ = [this, computeType](ValueRange at) {
    return q.load(at, computeType);
  };
  loadK = [this, computeType](ValueRange at) {
    return k.load(at[0], at[1], at[2], at[3], computeType);
  };
}

//===----------------------------------------------------------------------===//
// Batches
//===----------------------------------------------------------------------===//

/// A length within [0, extent], from lengths or from their prefix sums.
Value AttentionScores::emitLength(Value lengths, Value sums, Value batch,
                                  Value extent) {
  if (lengths)
    return e.loadClamped(lengths, {batch, e.index(0), e.index(0), e.index(0)},
                         extent);
  if (!sums)
    return extent;
  Value next = emitListed(e, sums, e.make<arith::AddIOp>(batch, e.index(1)));
  Value length = e.make<arith::IndexCastOp>(
      e.b.getIndexType(),
      e.make<arith::SubIOp>(next, emitListed(e, sums, batch)));
  return e.make<arith::MinSIOp>(e.make<arith::MaxSIOp>(length, e.index(0)),
                                extent);
}

AttentionScores::Batch AttentionScores::emitBatch(Value batch) {
  Batch result;
  result.index = batch;
  result.queries =
      emitLength(attention.seqLenQ, attention.cuSeqLenQ, batch, extent(2));
  result.keys =
      emitLength(attention.seqLenKv, attention.cuSeqLenKv, batch, extent(3));
  for (AttentionCache *cache : {&k, &v})
    if (Value capacity = cache->emitCapacity())
      result.keys = e.make<arith::MinSIOp>(result.keys, capacity);
  result.shift = attention.alignment == DiagonalAlignment::BOTTOM_RIGHT
                     ? e.make<arith::SubIOp>(result.keys, result.queries)
                     : e.index(0);
  return result;
}

//===----------------------------------------------------------------------===//
// Scores
//===----------------------------------------------------------------------===//

Value AttentionScores::emitScalar(Value value) {
  return e.loadSingle(value, attention.computeType);
}

Value AttentionScores::emitScale() {
  if (attention.isScalePrefolded)
    return {};
  if (attention.attnScaleValue)
    return e.constant(roundAttribute(llvm::APFloat(*attention.attnScaleValue),
                                     attention.computeType));
  return attention.attnScale ? emitScalar(attention.attnScale) : Value();
}

Value AttentionScores::emitProduct(const Batch &batch, Value head, Value row,
                                   Value column) {
  Value keyHead = k.mapHead(head);
  Value product =
      e.reduce(ValueRange{e.extent(attention.q, 3)}, e.constant(0),
               [&](ValueRange inner, Value sum) {
                 Value x = loadQ({batch.index, head, row, inner[0]});
                 Value y = loadK({batch.index, keyHead, column, inner[0]});
                 return e.make<arith::AddFOp>(sum, e.make<arith::MulFOp>(x, y));
               });
  if (Value scale = emitScale())
    product = e.make<arith::MulFOp>(product, scale);
  return product;
}

Value AttentionScores::emitAlibi(Value head, Value row, Value column) {
  int64_t heads = LoopEmitter::typeOf(attention.q).getDimSize(1);
  if (heads == 0)
    return e.constant(0);
  // Slopes 2^(-8 (h + 1) / n) of the first n = 2^floor(log2 Hq) heads; the rest
  // take every other one of those of 2 n heads.
  int64_t n = int64_t(1) << llvm::Log2_64(heads);
  auto toWide = [&](Value index) {
    return e.make<arith::SIToFPOp>(
        e.b.getF64Type(), e.make<arith::IndexCastOp>(e.b.getI64Type(), index));
  };
  Value number = toWide(head);
  Value isFirst = e.make<arith::CmpIOp>(Predicate::slt, head, e.index(n));
  auto exponent = [&](double step, double first) {
    return e.make<arith::MulFOp>(
        e.make<arith::AddFOp>(number, e.constant(first)),
        e.constant(-step / static_cast<double>(n)));
  };
  Value slope = e.make<math::Exp2Op>(e.make<arith::SelectOp>(
      isFirst, exponent(8, 1), exponent(8, 0.5 - static_cast<double>(n))));
  Value distance = toWide(e.make<arith::SubIOp>(column, row));
  return e.make<arith::MulFOp>(slope, distance);
}

SmallVector<Value> AttentionScores::emitScoreMod(ValueRange scores,
                                                 const Batch &batch, Value head,
                                                 Value row, Value column) {
  Block &block = attention.scoreMod->front();
  Value position[] = {batch.index, head, row, column};
  // Each value of the region is one element, in its storage type.
  DenseMap<Value, Value> elements;
  auto define = [&](Value value, Value wide) {
    elements[value] =
        convertToStorage(e.b, e.loc, wide, LoopEmitter::elementTypeOf(value));
  };
  for (auto [argument, score] : llvm::zip(block.getArguments(), scores))
    define(argument, score);
  for (auto [argument, capture] : llvm::zip(
           block.getArguments().drop_front(scores.size()), attention.captures))
    elements[argument] = e.loadStored(capture, position);
  for (Operation &op : block.without_terminator()) {
    Value result = op.getResult(0);
    if (auto constant = dyn_cast<ConstantOp>(op)) {
      define(result, emitConstant(e, constant));
      continue;
    }
    // Right-aligned, as everything that broadcasts.
    SmallVector<Value> indices;
    int64_t rank = LoopEmitter::rankOf(result);
    for (int64_t axis = 0; axis < rank; ++axis)
      indices.push_back(LoopEmitter::isOne(result, axis)
                            ? e.index(0)
                            : position[4 - rank + axis]);
    define(result, emitPointwiseElement(
                       e, cast<PointwiseOpInterface>(op), indices,
                       [&](Value value) { return elements.lookup(value); }));
  }
  SmallVector<Value> yields;
  for (Value value : block.getTerminator()->getOperands())
    yields.push_back(convertOperand(
        e.b, e.loc, elements.lookup(value), LoopEmitter::elementTypeOf(value),
        attention.computeType, e.wideType(attention.computeType)));
  return yields;
}

Value AttentionScores::emitScore(const Batch &batch, Value head, Value row,
                                 Value column) {
  Value score = emitProduct(batch, head, row, column);
  if (attention.hasScoreMod() &&
      attention.scoreMod->front().getNumArguments() ==
          1 + attention.captures.size())
    score = emitScoreMod(score, batch, head, row, column).front();
  return emitMaskedScore(score, batch, head, row, column);
}

Value AttentionScores::emitMaskedScore(Value score, const Batch &batch,
                                       Value head, Value row, Value column) {
  Value position[] = {batch.index, head, row, column};
  auto add = [&](Value term) { score = e.make<arith::AddFOp>(score, term); };
  if (attention.bias)
    add(e.load(attention.bias, position, attention.computeType));
  if (attention.useAlibiMask)
    add(emitAlibi(head, row, column));
  if (attention.kvMask &&
      !LoopEmitter::elementTypeOf(attention.kvMask).isInteger(1))
    add(e.load(attention.kvMask, position, attention.computeType));
  return e.make<arith::SelectOp>(emitIsKept(batch, head, row, column), score,
                                 e.constant(kMasked));
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

Value opgraph::legalize::emitBandKeeps(LoopEmitter &e,
                                       std::optional<int64_t> leftBound,
                                       std::optional<int64_t> rightBound,
                                       Value row, Value column, Value shift) {
  // A bound that no column reaches may be anything, and must not overflow.
  auto emitBound = [&](int64_t bound) {
    return e.index(std::min(bound, int64_t(1) << 61));
  };
  Value kept;
  Value diagonal = e.make<arith::AddIOp>(row, shift);
  if (rightBound) {
    Value last = e.make<arith::AddIOp>(diagonal, emitBound(*rightBound));
    kept = e.make<arith::CmpIOp>(Predicate::sle, column, last);
  }
  if (leftBound) {
    Value before = e.make<arith::SubIOp>(diagonal, emitBound(*leftBound));
    Value isRight = e.make<arith::CmpIOp>(Predicate::sgt, column, before);
    kept = kept ? e.make<arith::AndIOp>(kept, isRight) : isRight;
  }
  return kept;
}

/// Whether the score's tile has its bit in the block mask.
Value AttentionScores::emitTileIsKept(ValueRange position) {
  Value row = e.make<arith::DivUIOp>(position[2], e.index(kMaskTile));
  Value tile = e.make<arith::DivUIOp>(position[3], e.index(kMaskTile));
  Value byte = e.make<arith::DivUIOp>(tile, e.index(8));
  Value bits = e.load(attention.blockMask,
                      {position[0], position[1], row, byte}, e.b.getI64Type());
  Value bit = e.make<arith::IndexCastOp>(
      e.b.getI64Type(), e.make<arith::RemUIOp>(tile, e.index(8)));
  Value shifted = e.make<arith::ShRUIOp>(bits, bit);
  return e.make<arith::CmpIOp>(Predicate::ne,
                               e.make<arith::AndIOp>(shifted, e.integer(1)),
                               e.integer(0));
}

Value AttentionScores::emitIsKept(const Batch &batch, Value head, Value row,
                                  Value column) {
  Value kept;
  auto require = [&](Value condition) {
    kept = kept ? e.make<arith::AndIOp>(kept, condition) : condition;
  };
  if (hasQueryLengths())
    require(e.make<arith::CmpIOp>(Predicate::slt, row, batch.queries));
  if (attention.seqLenKv || attention.cuSeqLenKv || attention.isPaged())
    require(e.make<arith::CmpIOp>(Predicate::slt, column, batch.keys));
  if (Value isInBand =
          emitBandKeeps(e, attention.leftBound, attention.rightBound, row,
                        column, batch.shift))
    require(isInBand);
  Value position[] = {batch.index, head, row, column};
  if (attention.kvMask) {
    Type type = LoopEmitter::elementTypeOf(attention.kvMask);
    if (type.isInteger(1))
      require(emitIsNonZero(e.b, e.loc,
                            e.loadStored(attention.kvMask, position), type));
  }
  if (attention.blockMask)
    require(emitTileIsKept(position));
  if (!kept)
    return e.make<arith::ConstantOp>(e.b.getBoolAttr(true));
  return kept;
}

//===----------------------------------------------------------------------===//
// Dropout
//===----------------------------------------------------------------------===//

Value AttentionScores::emitKeep(const Batch &batch, Value head, Value row,
                                Value column) {
  if (attention.dropoutMask)
    return e.load(attention.dropoutMask, {batch.index, head, row, column},
                  attention.computeType);
  if (!attention.dropoutProbability)
    return {};
  auto load = [&](Value value) {
    return e.loadSingle(value, e.b.getI64Type());
  };
  Value matrix = e.make<arith::AddIOp>(
      e.make<arith::MulIOp>(batch.index, extent(1)), head);
  Value isKept =
      emitDropoutKeep(e.b, e.loc, load(attention.seed), load(attention.offset),
                      matrix, row, column, *attention.dropoutProbability);
  return e.make<arith::SelectOp>(isKept, e.constant(1), e.constant(0));
}

Value AttentionScores::emitDropoutScale() {
  if (attention.dropoutMask)
    return emitScalar(attention.dropoutScale);
  if (attention.dropoutProbability)
    return e.constant(1 / (1 - *attention.dropoutProbability));
  return {};
}
