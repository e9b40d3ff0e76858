//===- AttentionGradients.cpp - The loops of a backward op ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Legalize/Host/Reference/AttentionGradients.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "passes/Legalize/Host/Scalar/Scalar.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;
using namespace opgraph::legalize;

using Load = AttentionScores::Load;
using Indices = LoopEmitter::Indices;

static constexpr double kMasked = -std::numeric_limits<double>::infinity();

//===----------------------------------------------------------------------===//
// Accumulator
//===----------------------------------------------------------------------===//

Accumulator::Accumulator(LoopEmitter &e, ValueRange extents)
    : e(&e), extents(extents.begin(), extents.end()) {
  SmallVector<int64_t> shape(extents.size(), ShapedType::kDynamic);
  auto type = MemRefType::get(shape, e.b.getF64Type());
  memref = e.make<memref::AllocOp>(type, extents);
}

void Accumulator::store(Value value, ValueRange at) {
  memref::StoreOp::create(e->b, e->loc, value, memref, at);
}

void Accumulator::clear() {
  e->forEach(extents, [&](ValueRange at) { store(e->constant(0), at); });
}

Value Accumulator::load(ValueRange at) {
  return e->make<memref::LoadOp>(memref, at);
}

void Accumulator::add(Value term, ValueRange at) {
  store(e->make<arith::AddFOp>(load(at), term), at);
}

void Accumulator::raise(Value term, ValueRange at) {
  Value magnitude = e->make<math::AbsFOp>(term);
  store(e->make<arith::MaximumFOp>(load(at), magnitude), at);
}

//===----------------------------------------------------------------------===//
// Sources and results
//===----------------------------------------------------------------------===//

GradientEmitter::GradientEmitter(LoopEmitter &e, Operation *op, Value stats)
    : e(e), attention(op), scores(e, attention),
      stats(e, attention, stats, "stats") {}

Load GradientEmitter::loader(AttentionTensor &tensor) {
  return [this, &tensor](ValueRange at) {
    return tensor.load(at, attention.computeType);
  };
}

Load GradientEmitter::loadV() {
  return [this](ValueRange at) {
    return scores.v.load(at[0], at[1], at[2], at[3], attention.computeType);
  };
}

Load GradientEmitter::loadK() {
  return [this](ValueRange at) { return scores.loadK(at); };
}

Load GradientEmitter::loadQ() {
  return [this](ValueRange at) { return scores.loadQ(at); };
}

Load GradientEmitter::scaled(Load load, Value scale) {
  return [this, load, scale](ValueRange at) { return mul(load(at), scale); };
}

Gradient GradientEmitter::makeGradient(Value result, StringRef port, Value amax,
                                       Value factor, Value scale) {
  Gradient gradient{AttentionTensor(e, attention, result, port), amax, factor,
                    scale, std::nullopt};
  if (amax)
    gradient.largest.emplace(e, ValueRange{e.index(1)});
  return gradient;
}

/// a * b, where there is a b.
Value GradientEmitter::mul(Value a, Value b) {
  return b ? e.make<arith::MulFOp>(a, b) : a;
}

Value GradientEmitter::isUnmasked(Value score) {
  return e.make<arith::CmpFOp>(arith::CmpFPredicate::UNE, score,
                               e.constant(kMasked));
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

void GradientEmitter::allocate() {
  auto extents = [&](Value value) { return e.extents(value); };
  queryRow.emplace(e, ValueRange{e.extent(attention.q, 3)});
  keySums.emplace(e, ValueRange(extents(attention.k)).drop_front());
  valueSums.emplace(e, ValueRange(extents(attention.v)).drop_front());
  if (dBias)
    biasSums.emplace(e, extents(dBias));
  if (dSink)
    sinkSums.emplace(e, ValueRange{scores.extent(1)});
  if (rounding)
    largestDS.emplace(e, ValueRange{e.index(1)});
  for (std::optional<Accumulator> *sums :
       {&biasSums, &sinkSums, &largestDS, &dQ->largest, &dK->largest,
        &dV->largest})
    if (*sums)
      (*sums)->clear();
}

void GradientEmitter::emit() {
  allocate();
  e.forEach(ValueRange{scores.extent(0)}, [&](ValueRange at) {
    Batch batch = scores.emitBatch(at[0]);
    keySums->clear();
    valueSums->clear();
    e.forEach({scores.extent(1), scores.extent(2)},
              [&](ValueRange row) { emitRow(batch, row[0], row[1]); });
    writeSums(batch);
  });
  writeTotals();
  if (dump)
    emitDump();
}

void GradientEmitter::emitRow(const Batch &batch, Value head, Value row) {
  queryRow->clear();
  Value isQuery =
      e.make<arith::CmpIOp>(arith::CmpIPredicate::slt, row, batch.queries);
  e.ifThen(isQuery, [&] {
    Value lse =
        stats.load({batch.index, head, row, zero()}, attention.computeType);
    e.ifThen(isUnmasked(lse), [&] {
      Value unit =
          attention.statsUseLog2 ? e.constant(llvm::numbers::ln2) : Value();
      emitLiveRow(batch, head, row, mul(lse, unit));
    });
  });
  e.forEach(ValueRange{e.extent(attention.q, 3)}, [&](ValueRange d) {
    write(*dQ, queryRow->load(d), {batch.index, head, row, d[0]},
          batch.queries);
  });
}

void GradientEmitter::emitLiveRow(const Batch &batch, Value head, Value row,
                                  Value lse) {
  Value delta = emitRowDelta(batch, head, row);
  if (dSink)
    emitSinkTerm(head, lse, delta);
  e.forEach(ValueRange{batch.keys}, [&](ValueRange column) {
    Place at{batch, head, row, column[0]};
    Value product = scores.emitProduct(batch, head, row, column[0]);
    Value score = scores.emitMaskedScore(emitModified(at, product, {})[0],
                                         batch, head, row, column[0]);
    e.ifThen(isUnmasked(score),
             [&] { emitElement(at, product, score, lse, delta); });
  });
}

/// D = rowsum(dO * O), with a dropout mask corrected by its scales.
Value GradientEmitter::emitRowDelta(const Batch &batch, Value head, Value row) {
  Value delta =
      e.reduce(ValueRange{e.extent(attention.v, 3)}, e.constant(0),
               [&](ValueRange d, Value sum) {
                 Value at[] = {batch.index, head, row, d[0]};
                 return e.make<arith::AddFOp>(
                     sum, mul(sources.output(at), sources.outputGradient(at)));
               });
  if (!attention.dropoutScaleInv)
    return delta;
  Value inverse = scores.emitScalar(attention.dropoutScaleInv);
  return mul(delta, mul(scores.emitDropoutScale(), inverse));
}

void GradientEmitter::emitSinkTerm(Value head, Value lse, Value delta) {
  Value sink = e.load(attention.sinkToken, {zero(), head, zero(), zero()},
                      attention.computeType);
  Value weight = e.make<math::ExpOp>(e.make<arith::SubFOp>(sink, lse));
  sinkSums->add(e.make<arith::NegFOp>(mul(weight, delta)), head);
}

/// S' and dS' of the region, or what it was given.
std::array<Value, 2> GradientEmitter::emitModified(const Place &at,
                                                   Value product, Value ds) {
  if (!attention.hasScoreMod())
    return {product, ds};
  SmallVector<Value> yields = scores.emitScoreMod(
      {product, ds ? ds : e.constant(0)}, at.batch, at.head, at.row, at.column);
  return {yields[0], yields[1]};
}

void GradientEmitter::emitElement(const Place &at, Value product, Value score,
                                  Value lse, Value delta) {
  Value p = e.make<math::ExpOp>(e.make<arith::SubFOp>(score, lse));
  Value valueHead = scores.v.mapHead(at.head);
  Value dp = e.reduce(
      ValueRange{e.extent(attention.v, 3)}, e.constant(0),
      [&](ValueRange d, Value sum) {
        Value x = sources.gradient({at.batch.index, at.head, at.row, d[0]});
        Value y = sources.value({at.batch.index, valueHead, at.column, d[0]});
        return e.make<arith::AddFOp>(sum, mul(x, y));
      });
  Value weight = p;
  if (Value keep = scores.emitKeep(at.batch, at.head, at.row, at.column)) {
    Value factor = mul(keep, scores.emitDropoutScale());
    weight = mul(p, factor);
    dp = mul(dp, factor);
  }
  Value ds = mul(p, e.make<arith::SubFOp>(dp, delta));
  if (dBias)
    addBiasTerm(at, ds);
  // From the gradient of the softmax's argument to that of Q K^T.
  ds = mul(emitModified(at, product, ds)[1], scores.emitScale());
  emitProducts(at, ds, weight);
}

/// Adds the element's terms to a row of dQ, dK and dV.
void GradientEmitter::emitProducts(const Place &at, Value ds, Value weight) {
  if (rounding) {
    largestDS->raise(ds, zero());
    ds = roundToType(e.b, e.loc, mul(ds, rounding->scaleDS), rounding->typeDS);
    weight =
        roundToType(e.b, e.loc, mul(weight, rounding->scaleP), rounding->typeP);
  }
  Value keyHead = scores.k.mapHead(at.head);
  Value valueHead = scores.v.mapHead(at.head);
  Value batch = at.batch.index;
  e.forEach(ValueRange{e.extent(attention.q, 3)}, [&](ValueRange d) {
    Value key = sources.keyOfDQ({batch, keyHead, at.column, d[0]});
    Value query = sources.queryOfDK({batch, at.head, at.row, d[0]});
    queryRow->add(mul(ds, key), d);
    keySums->add(mul(ds, query), {keyHead, at.column, d[0]});
  });
  e.forEach(ValueRange{e.extent(attention.v, 3)}, [&](ValueRange d) {
    Value gradient = sources.gradientOfDV({batch, at.head, at.row, d[0]});
    valueSums->add(mul(weight, gradient), {valueHead, at.column, d[0]});
  });
}

/// Where dBias sums the score's gradient.
void GradientEmitter::addBiasTerm(const Place &at, Value ds) {
  Value position[] = {at.batch.index, at.head, at.row, at.column};
  Indices indices;
  int64_t rank = LoopEmitter::rankOf(dBias);
  for (auto [axis, index] :
       llvm::enumerate(ValueRange(position).take_back(rank)))
    indices.push_back(LoopEmitter::isOne(dBias, axis) ? zero() : index);
  biasSums->add(ds, indices);
}

void GradientEmitter::write(Gradient &gradient, Value sum, ValueRange position,
                            Value length) {
  sum = mul(sum, gradient.factor);
  if (gradient.largest)
    gradient.largest->raise(sum, zero());
  gradient.result.store(mul(sum, gradient.scale), position, length);
}

/// dK and dV of a batch.
void GradientEmitter::writeSums(const Batch &batch) {
  auto writeLike = [&](Value like, Gradient &gradient, Accumulator &sums) {
    e.forEach(ValueRange(e.extents(like)).drop_front(), [&](ValueRange at) {
      write(gradient, sums.load(at), {batch.index, at[0], at[1], at[2]},
            batch.keys);
    });
  };
  writeLike(attention.k, *dK, *keySums);
  writeLike(attention.v, *dV, *valueSums);
}

/// What sums over batches.
void GradientEmitter::writeTotals() {
  if (dBias)
    e.forEach(e.extents(dBias),
              [&](ValueRange at) { e.store(biasSums->load(at), dBias, at); });
  if (dSink)
    e.forEach(ValueRange{scores.extent(1)}, [&](ValueRange head) {
      e.store(sinkSums->load(head), dSink, {zero(), head[0], zero(), zero()});
    });
  auto writeLargest = [&](Accumulator &largest, Value result) {
    e.store(largest.load(zero()), result, Indices(4, zero()));
  };
  for (Gradient *gradient : {&*dQ, &*dK, &*dV})
    if (gradient->amax)
      writeLargest(*gradient->largest, gradient->amax);
  if (rounding)
    writeLargest(*largestDS, rounding->amaxDS);
}

void GradientEmitter::emitDump() {
  Value bounds[] = {scores.extent(0), scores.extent(1), scores.extent(2),
                    scores.extent(3)};
  e.forEach(bounds, [&](ValueRange at) {
    Batch batch = scores.emitBatch(at[0]);
    e.store(scores.emitKeep(batch, at[1], at[2], at[3]), dump, at);
  });
}
