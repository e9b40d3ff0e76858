//===- AttentionForward.cpp - Softmax and second product ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Legalize/Host/Reference/AttentionForward.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "passes/Legalize/Host/Scalar/Scalar.h"

#include <limits>

using namespace mlir;
using namespace opgraph::graph;
using namespace opgraph::legalize;

using Batch = AttentionScores::Batch;

static constexpr double kMasked = -std::numeric_limits<double>::infinity();
static constexpr double kLog2e = 1.4426950408889634;

AttentionForward::AttentionForward(LoopEmitter &e, Operation *op,
                                   const AttentionResults &results)
    : scores(e, Attention(op)), e(e), o(e, scores.attention, results.o, "o"),
      stats(e, scores.attention, results.stats, "stats"),
      max(e, scores.attention, results.max, "max"),
      sumExp(e, scores.attention, results.sumExp, "sum_exp"),
      rngDump(results.rngDump), scoreRow(allocate(scores.extent(3))),
      sumRow(allocate(e.extent(scores.attention.v, 3))) {
  Type computeType = scores.attention.computeType;
  loadV = [this, computeType](ValueRange at) {
    return scores.v.load(at[0], at[1], at[2], at[3], computeType);
  };
}

void AttentionForward::emit() {
  e.forEach(ValueRange{scores.extent(0)}, [&](ValueRange outer) {
    Batch batch = scores.emitBatch(outer[0]);
    e.forEach({scores.extent(1), scores.extent(2)},
              [&](ValueRange inner) { emitRow(batch, inner[0], inner[1]); });
  });
}

//===----------------------------------------------------------------------===//
// Shorthand
//===----------------------------------------------------------------------===//

Value AttentionForward::allocate(Value extent) {
  auto type = MemRefType::get({ShapedType::kDynamic}, e.b.getF64Type());
  return e.make<memref::AllocOp>(type, ValueRange{extent});
}

Value AttentionForward::load(Value memref, Value position) {
  return e.make<memref::LoadOp>(memref, ValueRange{position});
}

void AttentionForward::store(Value value, Value memref, Value position) {
  memref::StoreOp::create(e.b, e.loc, value, memref, ValueRange{position});
}

Value AttentionForward::round(Value wide) {
  return softmaxPrecision ? roundToType(e.b, e.loc, wide, softmaxPrecision)
                          : wide;
}

Value AttentionForward::isMasked(Value score) {
  return e.make<arith::CmpFOp>(arith::CmpFPredicate::OEQ, score,
                               e.constant(kMasked));
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

void AttentionForward::emitRow(const Batch &batch, Value head, Value index) {
  Row row{batch, head, index, batch.keys};
  Value sink;
  if (Value sinks = scores.attention.sinkToken) {
    Value zero = e.index(0);
    sink =
        e.load(sinks, {zero, head, zero, zero}, scores.attention.computeType);
  }
  // A padded row sees no key and no sink, so that it ends as a masked row does.
  if (scores.hasQueryLengths()) {
    Value isQuery =
        e.make<arith::CmpIOp>(arith::CmpIPredicate::slt, index, batch.queries);
    row.limit = e.make<arith::SelectOp>(isQuery, batch.keys, e.index(0));
    if (sink)
      sink = e.make<arith::SelectOp>(isQuery, sink, e.constant(kMasked));
  }
  Value max = emitMax(row, sink);
  Value sum = emitSum(row, max, sink);
  emitWeightedSums(row, max, sum);
  writeRow(row, max, sum);
  if (rngDump)
    writeKeeps(row);
}

/// Fills the row of scores below its limit; returns their maximum.
Value AttentionForward::emitMax(const Row &row, Value sink) {
  return e.reduce(ValueRange{row.limit}, sink ? sink : e.constant(kMasked),
                  [&](ValueRange column, Value max) {
                    Value score = scores.emitScore(row.batch, row.head,
                                                   row.index, column[0]);
                    store(score, scoreRow, column[0]);
                    return e.make<arith::MaximumFOp>(max, score);
                  });
}

/// exp(score - max); 0 for a masked score, whatever the maximum.
Value AttentionForward::emitExponential(Value score, Value max) {
  Value difference = round(e.make<arith::SubFOp>(score, max));
  Value exponential = round(e.make<math::ExpOp>(difference));
  return e.make<arith::SelectOp>(isMasked(score), e.constant(0), exponential);
}

Value AttentionForward::emitSum(const Row &row, Value max, Value sink) {
  Value initial = sink ? emitExponential(sink, max) : e.constant(0);
  return e.reduce(
      ValueRange{row.limit}, initial, [&](ValueRange column, Value sum) {
        Value score = load(scoreRow, column[0]);
        return e.make<arith::AddFOp>(sum, emitExponential(score, max));
      });
}

/// sumRow[d] = sum of P[column] V[column, d] over the columns that are kept.
void AttentionForward::emitWeightedSums(const Row &row, Value max, Value sum) {
  Value depth = e.extent(scores.attention.v, 3);
  Value valueHead = scores.v.mapHead(row.head);
  e.forEach(ValueRange{depth},
            [&](ValueRange d) { store(e.constant(0), sumRow, d[0]); });
  e.forEach(ValueRange{row.limit}, [&](ValueRange column) {
    Value score = load(scoreRow, column[0]);
    Value isKept = e.make<arith::XOrIOp>(
        isMasked(score), e.make<arith::ConstantOp>(e.b.getBoolAttr(true)));
    e.ifThen(isKept, [&] {
      Value weight =
          round(e.make<arith::DivFOp>(emitExponential(score, max), sum));
      if (Value keep =
              scores.emitKeep(row.batch, row.head, row.index, column[0]))
        weight = e.make<arith::MulFOp>(e.make<arith::MulFOp>(weight, keep),
                                       scores.emitDropoutScale());
      if (finishWeight)
        weight = finishWeight(weight);
      e.forEach(ValueRange{depth}, [&](ValueRange d) {
        Value x = loadV({row.batch.index, valueHead, column[0], d[0]});
        Value term = e.make<arith::MulFOp>(weight, x);
        store(e.make<arith::AddFOp>(load(sumRow, d[0]), term), sumRow, d[0]);
      });
    });
  });
}

void AttentionForward::writeRow(const Row &row, Value max, Value sum) {
  Value queries = row.batch.queries;
  e.forEach(ValueRange{e.extent(scores.attention.v, 3)}, [&](ValueRange d) {
    Value result = load(sumRow, d[0]);
    if (finishSum)
      result = finishSum(result);
    o.store(result, {row.batch.index, row.head, row.index, d[0]}, queries);
  });
  Value position[] = {row.batch.index, row.head, row.index, e.index(0)};
  if (stats) {
    Value total = e.make<arith::AddFOp>(max, e.make<math::LogOp>(sum));
    if (scores.attention.statsUseLog2)
      total = e.make<arith::MulFOp>(total, e.constant(kLog2e));
    stats.store(total, position, queries);
  }
  if (this->max)
    this->max.store(max, position, queries);
  if (sumExp)
    sumExp.store(sum, position, queries);
}

/// The keep mask of the row, of hidden scores too.
void AttentionForward::writeKeeps(const Row &row) {
  e.forEach(ValueRange{scores.extent(3)}, [&](ValueRange column) {
    Value keep = scores.emitKeep(row.batch, row.head, row.index, column[0]);
    e.store(keep, rngDump, {row.batch.index, row.head, row.index, column[0]});
  });
}
