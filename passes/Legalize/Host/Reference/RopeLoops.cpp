//===- RopeLoops.cpp - The judge's rotary embedding -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Legalize/Host/Reference/Loops.h"
#include "passes/Legalize/Host/Scalar/Emit.h"

using namespace mlir;
using namespace opgraph::graph;
using namespace opgraph::legalize;

using Indices = LoopEmitter::Indices;
using opgraph::legalize::scalar::Emit;

namespace {
/// The loops of both directions. A pair is read before it is written, so that
/// the result may be in the input's place.
class RopeEmitter {
public:
  template <typename OpTy>
  RopeEmitter(LoopEmitter &e, OpTy op, Value x, Value y, bool isBackward)
      : e(e), math(e.b, e.loc, e.b.getF64Type()), x(x), y(y),
        freqs(op.getFreqs()), computeType(op.getEffectiveComputeType()),
        scale(e.constant(roundAttribute(op.getOutputScale(), computeType))),
        isBackward(isBackward),
        leading(LoopEmitter::typeOf(x).getDimSize(3) -
                LoopEmitter::typeOf(freqs).getDimSize(3)),
        half(LoopEmitter::typeOf(freqs).getDimSize(3) / 2) {}

  void emit() {
    e.forEach(rows(leading), [&](ValueRange at) {
      e.store(math.mul(scale, e.load(x, at, computeType)), y, at);
    });
    e.forEach(rows(half), [&](ValueRange at) { emitPair(at); });
  }

private:
  /// Every row of x, and `channels` of its channels.
  Indices rows(int64_t channels) {
    Indices bounds = e.extents(x);
    bounds[3] = e.index(channels);
    return bounds;
  }
  Value shift(Value position, int64_t by) {
    return e.make<arith::AddIOp>(position, e.index(by));
  }
  /// The angle of position `row` in column `column`.
  Value angle(Value row, Value column) {
    return e.load(freqs, {row, e.index(0), e.index(0), column}, computeType);
  }
  void emitPair(ValueRange at);

  LoopEmitter &e;
  Emit math;
  Value x, y, freqs;
  Type computeType;
  Value scale;
  bool isBackward;
  int64_t leading, half;
};
} // namespace

void RopeEmitter::emitPair(ValueRange at) {
  Indices low(at), high(at);
  low[3] = shift(at[3], leading);
  high[3] = shift(at[3], leading + half);
  Value lo = e.load(x, low, computeType), hi = e.load(x, high, computeType);
  Value first = angle(at[2], at[3]), second = angle(at[2], shift(at[3], half));
  auto cosine = [&](Value t) { return e.make<math::CosOp>(t); };
  auto sine = [&](Value t) { return e.make<math::SinOp>(t); };
  // Backward is the transpose: what one result takes from the other channel
  // comes with the angle of the column that it was given to.
  Value lowCross = math.mul(hi, sine(isBackward ? second : first));
  Value highCross = math.mul(lo, sine(isBackward ? first : second));
  Value lowOwn = math.mul(lo, cosine(first));
  Value highOwn = math.mul(hi, cosine(second));
  Value newLow =
      isBackward ? math.add(lowOwn, lowCross) : math.sub(lowOwn, lowCross);
  Value newHigh =
      isBackward ? math.sub(highOwn, highCross) : math.add(highOwn, highCross);
  e.store(math.mul(scale, newLow), y, low);
  e.store(math.mul(scale, newHigh), y, high);
}

void opgraph::legalize::emitLoops(LoopEmitter &e, RopeOp op) {
  RopeEmitter(e, op, op.getInput(), op.getY(), /*isBackward=*/false).emit();
}

void opgraph::legalize::emitLoops(LoopEmitter &e, RopeBackwardOp op) {
  RopeEmitter(e, op, op.getDY(), op.getDX(), /*isBackward=*/true).emit();
}
