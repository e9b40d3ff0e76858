//===- RngLoops.cpp - The judge's random numbers --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Legalize/Host/Reference/Loops.h"
#include "passes/Legalize/Host/Scalar/Emit.h"
#include "passes/Legalize/Host/Scalar/Philox.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace opgraph::graph;
using namespace opgraph::legalize;

using opgraph::legalize::scalar::Emit;

namespace {
class RngEmitter {
public:
  RngEmitter(LoopEmitter &e, RngOp op)
      : e(e), op(op), words(e.b, e.loc, e.b.getI32Type()),
        wide(e.b, e.loc, e.b.getI64Type()), math(e.b, e.loc, e.b.getF64Type()) {
    seed = op.getSeed() ? loadScalar(op.getSeed())
                        : wide.integer(op.getSeedValue().value());
    offset = op.getOffset() ? loadScalar(op.getOffset()) : wide.integer(0);
  }

  void emit() {
    Value y = op.getY();
    e.forEach(e.extents(y),
              [&](ValueRange at) { e.store(draw(linearIndex(at)), y, at); });
  }

private:
  Value loadScalar(Value value) {
    LoopEmitter::Indices zeros(LoopEmitter::rankOf(value), e.index(0));
    return convertFromStorage(e.b, e.loc, e.loadStored(value, zeros),
                              LoopEmitter::elementTypeOf(value),
                              e.b.getI64Type());
  }
  /// The row-major number of an element, as an i64.
  Value linearIndex(ValueRange at) {
    Value number = e.index(0);
    for (auto [axis, position] : llvm::enumerate(at))
      number = e.make<arith::AddIOp>(
          e.make<arith::MulIOp>(number, e.extent(op.getY(), axis)), position);
    return e.make<arith::IndexCastOp>(e.b.getI64Type(), number);
  }
  Value lowWord(Value value) {
    return e.make<arith::TruncIOp>(words.type, value);
  }
  Value highWord(Value value) {
    return lowWord(e.make<arith::ShRUIOp>(value, wide.integer(32)));
  }
  /// `word / 2^32`.
  Value fraction(Value word) {
    return math.mul(std::ldexp(1.0, -32),
                    e.make<arith::UIToFPOp>(math.type, word));
  }
  Value draw(Value number);
  Value drawNormal(const PhiloxWords &block, Value word);

  LoopEmitter &e;
  RngOp op;
  Emit words, wide, math;
  Value seed, offset;
};
} // namespace

/// The number of an element of the standard normal distribution (Box and
/// Muller): words 0 and 1 give two elements, words 2 and 3 two more.
Value RngEmitter::drawNormal(const PhiloxWords &block, Value word) {
  auto hasBit = [&](int64_t bit) {
    return words.cmp(arith::CmpIPredicate::ne,
                     e.make<arith::AndIOp>(word, words.integer(bit)),
                     words.integer(0));
  };
  Value isSecondPair = hasBit(2);
  Value first = fraction(words.select(isSecondPair, block[2], block[0]));
  Value second = fraction(words.select(isSecondPair, block[3], block[1]));
  // In (0, 1]: the logarithm is finite.
  Value positive = math.add(first, math.constant(std::ldexp(1.0, -32)));
  Value radius =
      e.make<math::SqrtOp>(math.mul(-2.0, e.make<math::LogOp>(positive)));
  Value angle = math.mul(2 * llvm::numbers::pi, second);
  return math.mul(radius, math.select(hasBit(1), e.make<math::SinOp>(angle),
                                      e.make<math::CosOp>(angle)));
}

Value RngEmitter::draw(Value number) {
  Value quad = e.make<arith::ShRUIOp>(number, wide.integer(2));
  Value word = e.make<arith::AndIOp>(lowWord(number), words.integer(3));
  PhiloxWords counter = {lowWord(offset), highWord(offset), lowWord(quad),
                         highWord(quad)};
  if (op.getDistribution() == RngDistribution::NORMAL)
    return drawNormal(emitPhilox(e.b, e.loc, seed, counter), word);
  Value random = emitPhiloxWord(e.b, e.loc, seed, counter, word);
  if (op.getDistribution() == RngDistribution::UNIFORM)
    return fraction(random);
  Value isOne =
      emitIsBelow(e.b, e.loc, random, op.getProbability()->convertToDouble());
  return math.select(isOne, math.constant(1), math.constant(0));
}

void opgraph::legalize::emitLoops(LoopEmitter &e, RngOp op) {
  RngEmitter(e, op).emit();
}
