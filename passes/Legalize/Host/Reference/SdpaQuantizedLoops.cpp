//===- SdpaQuantizedLoops.cpp - The judge's attention on fp8 --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "passes/Legalize/Host/Reference/AttentionForward.h"
#include "passes/Legalize/Host/Scalar/Scalar.h"

using namespace mlir;
using namespace opgraph::graph;
using namespace opgraph::legalize;

using Load = AttentionScores::Load;

/// Elements that share a block scale.
static constexpr int64_t kBlock = 32;

namespace {
/// The largest magnitude of what passes through; NaN once one has been NaN.
class Amax {
public:
  explicit Amax(LoopEmitter &e)
      : e(e), cell(e.make<memref::AllocOp>(
                  MemRefType::get({ShapedType::kDynamic}, e.b.getF64Type()),
                  ValueRange{e.index(1)})) {
    set(e.constant(0));
  }

  void add(Value wide) {
    set(e.make<arith::MaximumFOp>(get(), e.make<math::AbsFOp>(wide)));
  }
  void write(Value result) { e.storeSingle(get(), result); }

private:
  Value get() { return e.make<memref::LoadOp>(cell, ValueRange{e.index(0)}); }
  void set(Value wide) {
    memref::StoreOp::create(e.b, e.loc, wide, cell, ValueRange{e.index(0)});
  }

  LoopEmitter &e;
  Value cell;
};
} // namespace

/// `load` times the one element of `factor`.
static Load makeScaled(AttentionScores &scores, Load load, Value factor) {
  return [&scores, load = std::move(load), factor](ValueRange at) -> Value {
    return scores.e.make<arith::MulFOp>(load(at), scores.emitScalar(factor));
  };
}

void opgraph::legalize::emitLoops(LoopEmitter &e, SdpaFp8Op op) {
  AttentionForward forward(e, op,
                           {op.getO(), op.getStats(), op.getMax(),
                            op.getSumExp(), op.getRNG_DUMP()});
  AttentionScores &scores = forward.scores;
  scores.loadQ = makeScaled(scores, scores.loadQ, op.getDescaleQ());
  scores.loadK = makeScaled(scores, scores.loadK, op.getDescaleK());
  auto scale = [&](Value wide, Value factor) {
    return e.make<arith::MulFOp>(wide, scores.emitScalar(factor));
  };
  Amax weights(e), sums(e);
  Type weightType = LoopEmitter::elementTypeOf(op.getV());
  forward.finishWeight = [&](Value weight) {
    weights.add(weight);
    return roundToType(e.b, e.loc, scale(weight, op.getScaleS()), weightType);
  };
  forward.finishSum = [&](Value sum) {
    sum = scale(scale(sum, op.getDescaleS()), op.getDescaleV());
    sums.add(sum);
    return op.getScaleO() ? scale(sum, op.getScaleO()) : sum;
  };
  forward.emit();
  weights.write(op.getAmax_S());
  sums.write(op.getAmax_O());
}

void opgraph::legalize::emitLoops(LoopEmitter &e, SdpaMxfp8Op op) {
  AttentionForward forward(e, op, {op.getO(), op.getStats(), {}, {}, {}});
  AttentionScores &scores = forward.scores;
  // Scales lie as what they scale does, in pages too.
  auto scaled = [&](Load load, AttentionCache *cache, Value descale,
                    unsigned blockAxis) -> Load {
    return [&, load = std::move(load), cache, descale,
            blockAxis](ValueRange at) -> Value {
      SmallVector<Value, 4> place(at);
      if (cache)
        std::tie(place[0], place[2]) = cache->locate(at[0], at[2]);
      place[blockAxis] =
          e.make<arith::DivUIOp>(place[blockAxis], e.index(kBlock));
      Value factor = e.load(descale, place, scores.attention.computeType);
      return e.make<arith::MulFOp>(load(at), factor);
    };
  };
  scores.loadQ = scaled(scores.loadQ, nullptr, op.getDescaleQ(), 3);
  scores.loadK = scaled(scores.loadK, &scores.k, op.getDescaleK(), 3);
  forward.loadV = scaled(forward.loadV, &scores.v, op.getDescaleV(), 2);
  Amax sums(e);
  forward.finishSum = [&](Value sum) -> Value {
    sums.add(sum);
    if (!op.getScaleO())
      return sum;
    return e.make<arith::MulFOp>(sum, scores.emitScalar(op.getScaleO()));
  };
  forward.emit();
  sums.write(op.getAmax_O());
}
