//===- SdpaLoops.cpp - The judge's attention ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exact softmax over all scores of a row, in f64; nothing inside rounds.
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "passes/Legalize/Host/Reference/Loops.h"

#include <limits>

using namespace mlir;
using namespace opgraph::graph;
using namespace opgraph::legalize;

using Predicate = arith::CmpIPredicate;

static constexpr double kMasked = -std::numeric_limits<double>::infinity();

namespace {
/// The loops of one attention op.
class SdpaEmitter {
public:
  SdpaEmitter(LoopEmitter &e, SdpaOp op)
      : e(e), op(op), computeType(op.getEffectiveComputeType()),
        keyExtent(e.extent(op.getK(), 2)), valueExtent(e.extent(op.getV(), 3)),
        scores(allocate(keyExtent)), sums(allocate(valueExtent)) {}

  void emit() {
    Value q = op.getQ();
    e.forEach({e.extent(q, 0), e.extent(q, 1), e.extent(q, 2)},
              [&](ValueRange row) { emitRow(row[0], row[1], row[2]); });
  }

private:
  Value allocate(Value extent) {
    auto type = MemRefType::get({ShapedType::kDynamic}, e.b.getF64Type());
    return e.make<memref::AllocOp>(type, ValueRange{extent});
  }
  Value load(Value memref, Value position) {
    return e.make<memref::LoadOp>(memref, ValueRange{position});
  }
  void store(Value value, Value memref, Value position) {
    memref::StoreOp::create(e.b, e.loc, value, memref, ValueRange{position});
  }
  Value loadElement(Value value, ArrayRef<Value> indices) {
    return e.load(value, indices, computeType);
  }

  /// The head of `value` (K or V) that query head `head` reads.
  Value mapHead(Value value, Value head) {
    int64_t own = LoopEmitter::typeOf(value).getDimSize(1);
    int64_t full = LoopEmitter::typeOf(op.getQ()).getDimSize(1);
    if (own == full || own <= 1)
      return head;
    return e.make<arith::DivUIOp>(head, e.index(full / own));
  }

  Value loadLength(Value lengths, Value batch, Value extent) {
    if (!lengths)
      return extent;
    Value zero = e.index(0);
    return e.loadClamped(lengths, {batch, zero, zero, zero}, extent);
  }

  /// A bound of the band; one that no column reaches may be anything, and must
  /// not overflow.
  Value emitBound(uint64_t bound) {
    return e.index(std::min(bound, uint64_t(1) << 61));
  }

  /// Whether the band keeps `column` in `row`; null without bounds.
  Value emitIsInBand(Value row, Value column, Value shift) {
    Value isKept;
    auto require = [&](Value condition) {
      isKept = isKept ? e.make<arith::AndIOp>(isKept, condition) : condition;
    };
    Value diagonal = e.make<arith::AddIOp>(row, shift);
    if (auto right = op.getDiagonalBandRightBound()) {
      Value last = e.make<arith::AddIOp>(diagonal, emitBound(*right));
      require(e.make<arith::CmpIOp>(Predicate::sle, column, last));
    }
    if (auto left = op.getDiagonalBandLeftBound()) {
      Value before = e.make<arith::SubIOp>(diagonal, emitBound(*left));
      require(e.make<arith::CmpIOp>(Predicate::sgt, column, before));
    }
    return isKept;
  }

  /// Q K^T, scaled and biased.
  Value emitScore(Value batch, Value head, Value row, Value column) {
    Value q = op.getQ(), k = op.getK();
    Value keyHead = mapHead(k, head);
    Value score =
        e.reduce(ValueRange{e.extent(q, 3)}, e.constant(0),
                 [&](ValueRange inner, Value accumulator) {
                   Value x = loadElement(q, {batch, head, row, inner[0]});
                   Value y = loadElement(k, {batch, keyHead, column, inner[0]});
                   return e.make<arith::AddFOp>(accumulator,
                                                e.make<arith::MulFOp>(x, y));
                 });
    if (auto scale = op.getAttnScaleValue())
      score =
          e.make<arith::MulFOp>(score, e.constant(scale->convertToDouble()));
    if (Value scale = op.getAttnScale()) {
      SmallVector<Value> zeros(LoopEmitter::rankOf(scale), e.index(0));
      score = e.make<arith::MulFOp>(score, loadElement(scale, zeros));
    }
    if (Value bias = op.getBias())
      score = e.make<arith::AddFOp>(
          score, loadElement(bias, {batch, head, row, column}));
    return score;
  }

  /// Fills `scores` below `limit`; returns their maximum.
  Value emitScores(Value batch, Value head, Value row, Value shift,
                   Value limit) {
    return e.reduce(ValueRange{limit}, e.constant(kMasked),
                    [&](ValueRange inner, Value max) {
                      Value score = emitScore(batch, head, row, inner[0]);
                      if (Value isKept = emitIsInBand(row, inner[0], shift))
                        score = e.make<arith::SelectOp>(isKept, score,
                                                        e.constant(kMasked));
                      store(score, scores, inner[0]);
                      return e.make<arith::MaximumFOp>(max, score);
                    });
  }

  Value isMasked(Value score) {
    return e.make<arith::CmpFOp>(arith::CmpFPredicate::OEQ, score,
                                 e.constant(kMasked));
  }

  Value emitWeight(Value score, Value max) {
    return e.make<math::ExpOp>(e.make<arith::SubFOp>(score, max));
  }

  /// sums[d] = sum of P[column] V[column, d] over the columns that are kept.
  void emitWeightedSums(Value batch, Value head, Value max, Value sum,
                        Value limit) {
    Value v = op.getV();
    Value valueHead = mapHead(v, head);
    e.forEach(ValueRange{valueExtent},
              [&](ValueRange d) { store(e.constant(0), sums, d[0]); });
    e.forEach(ValueRange{limit}, [&](ValueRange column) {
      Value score = load(scores, column[0]);
      Value isKept = e.make<arith::XOrIOp>(
          isMasked(score), e.make<arith::ConstantOp>(e.b.getBoolAttr(true)));
      e.ifThen(isKept, [&] {
        Value p = e.make<arith::DivFOp>(emitWeight(score, max), sum);
        e.forEach(ValueRange{valueExtent}, [&](ValueRange d) {
          Value x = loadElement(v, {batch, valueHead, column[0], d[0]});
          Value term = e.make<arith::MulFOp>(p, x);
          store(e.make<arith::AddFOp>(load(sums, d[0]), term), sums, d[0]);
        });
      });
    });
  }

  void emitRow(Value batch, Value head, Value row) {
    Value queryExtent = e.extent(op.getQ(), 2);
    Value queries = loadLength(op.getSeqLenQ(), batch, queryExtent);
    Value keys = loadLength(op.getSeqLenKv(), batch, keyExtent);
    Value shift = op.getDiagonalAlignment() == DiagonalAlignment::BOTTOM_RIGHT
                      ? e.make<arith::SubIOp>(keys, queries)
                      : e.index(0);
    // A padded row sees no key, so that it ends as a masked row does.
    Value isQuery = e.make<arith::CmpIOp>(Predicate::slt, row, queries);
    Value limit = e.make<arith::SelectOp>(isQuery, keys, e.index(0));
    Value max = emitScores(batch, head, row, shift, limit);
    Value sum =
        e.reduce(ValueRange{limit}, e.constant(0),
                 [&](ValueRange column, Value accumulator) {
                   Value score = load(scores, column[0]);
                   Value weight = e.make<arith::SelectOp>(
                       isMasked(score), e.constant(0), emitWeight(score, max));
                   return e.make<arith::AddFOp>(accumulator, weight);
                 });
    emitWeightedSums(batch, head, max, sum, limit);
    e.forEach(ValueRange{valueExtent}, [&](ValueRange d) {
      e.store(load(sums, d[0]), op.getO(), {batch, head, row, d[0]});
    });
    if (op.getStats())
      e.store(e.make<arith::AddFOp>(max, e.make<math::LogOp>(sum)),
              op.getStats(), {batch, head, row, e.index(0)});
  }

  LoopEmitter &e;
  SdpaOp op;
  Type computeType;
  Value keyExtent, valueExtent;
  /// Scratch rows, reused by every row of Q.
  Value scores, sums;
};
} // namespace

void opgraph::legalize::emitLoops(LoopEmitter &e, SdpaOp op) {
  SdpaEmitter(e, op).emit();
}
