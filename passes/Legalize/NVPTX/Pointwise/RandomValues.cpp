//===- RandomValues.cpp - Random numbers in a row kernel ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The judge's definitions (Host/Reference/RngLoops.cpp) in f32 and integers.
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Math/IR/Math.h"
#include "passes/Legalize/Host/Scalar/Emit.h"
#include "passes/Legalize/Host/Scalar/Philox.h"
#include "passes/Legalize/NVPTX/Pointwise/RowKernel.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;
using namespace opgraph::legalize::nvptx;
using scalar::Emit;

static Type elementOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getElementType();
}

namespace {
class Drawing {
public:
  Drawing(OpBuilder &builder, Location loc)
      : real(builder, loc, builder.getF32Type()),
        word(builder, loc, builder.getI32Type()) {}

  /// `bits / 2^32` as an element of `element`, rounded once.
  Value emitUniform(Value bits, Type element);
  /// The element that word number `which` of a block stands for.
  Value emitNormal(const PhiloxWords &block, Value which);
  Value emitBernoulli(Value bits, double probability) {
    return real.select(emitIsBelow(real.b, real.loc, bits, probability),
                       real.constant(1), real.constant(0));
  }

private:
  Value hasBit(Value bits, int64_t bit) {
    return word.cmp(arith::CmpIPredicate::ne,
                    word.make<arith::AndIOp>(bits, word.integer(bit)),
                    word.integer(0));
  }
  Value emitLogarithm(Value bits);

  Emit real, word;
};
} // namespace

Value Drawing::emitUniform(Value bits, Type element) {
  if (element.isF64()) {
    Emit wide(real.b, real.loc, element);
    return wide.mul(std::ldexp(1.0, -32),
                    wide.make<arith::UIToFPOp>(element, bits));
  }
  if (!element.isF32()) {
    // What f32 has no room for goes into its last bit, far below the others'.
    Value low = word.make<arith::AndIOp>(bits, word.integer(0xFF));
    Value sticky =
        word.select(word.cmp(arith::CmpIPredicate::ne, low, word.integer(0)),
                    word.integer(0x100), word.integer(0));
    Value high = word.make<arith::AndIOp>(bits, word.integer(-0x100));
    Value isSmall =
        word.cmp(arith::CmpIPredicate::ult, bits, word.integer(1 << 24));
    bits = word.select(isSmall, bits, word.make<arith::OrIOp>(high, sticky));
  }
  Value value = real.mul(std::ldexp(1.0, -32),
                         real.make<arith::UIToFPOp>(real.type, bits));
  return convertToStorage(real.b, real.loc, value, element);
}

/// ln((bits + 1) / 2^32), from the side on which the number keeps its digits.
Value Drawing::emitLogarithm(Value bits) {
  Value isUpper = word.cmp(arith::CmpIPredicate::slt, bits, word.integer(0));
  // 2^32 - 1 - bits is what is missing to 1.
  Value missing = word.make<arith::XOrIOp>(bits, word.integer(-1));
  Value next = word.make<arith::AddIOp>(bits, word.integer(1));
  auto fraction = [&](double scale, Value number) {
    return real.mul(std::ldexp(scale, -32),
                    real.make<arith::UIToFPOp>(real.type, number));
  };
  Value upper = real.make<math::Log1pOp>(fraction(-1, missing));
  Value lower = real.make<math::LogOp>(
      real.select(isUpper, real.constant(1), fraction(1, next)));
  return real.select(isUpper, upper, lower);
}

Value Drawing::emitNormal(const PhiloxWords &block, Value which) {
  Value isSecondPair = hasBit(which, 2);
  Value first = word.select(isSecondPair, block[2], block[0]);
  Value second = word.select(isSecondPair, block[3], block[1]);
  Value radius = real.make<math::SqrtOp>(real.mul(-2.0, emitLogarithm(first)));
  // A turn is 2^32; the nearest quarter turn is taken off exactly.
  Value shifted =
      word.make<arith::AddIOp>(second, word.integer(int64_t(1) << 29));
  Value quarter = word.make<arith::ShRUIOp>(shifted, word.integer(30));
  Value rest = word.make<arith::SubIOp>(
      second, word.make<arith::ShLIOp>(quarter, word.integer(30)));
  Value angle = real.mul(std::ldexp(2 * llvm::numbers::pi, -32),
                         real.make<arith::SIToFPOp>(real.type, rest));
  Value sine = real.make<math::SinOp>(angle);
  Value cosine = real.make<math::CosOp>(angle);
  // cos(a + q pi/2); the sine is that of a quarter turn less.
  Value turns =
      word.select(hasBit(which, 1),
                  word.make<arith::AddIOp>(quarter, word.integer(3)), quarter);
  Value part = real.select(hasBit(turns, 1), sine, cosine);
  Value next = word.make<arith::AddIOp>(turns, word.integer(1));
  part = real.select(hasBit(next, 2), real.neg(part), part);
  return real.mul(radius, part);
}

Value RowKernel::evaluateRandom(graph::RngOp op) {
  Value y = op.getY();
  Type element = elementOf(y), i64 = b.getI64Type();
  SmallVector<Value> inputs;
  for (Value operand : op->getOperands())
    if (!buffers.scalars.contains(operand))
      inputs.push_back(evaluate(operand));
  // A parameter, so that kernels with other seeds are the same.
  Value fixedSeed =
      op.getSeed() ? Value() : arguments.addConstant(op.getSeedValue().value());
  return map(
      inputs, regType(shapeOf(y), getStorageType(element)),
      [&](OpBuilder &builder, ValueRange args) -> Value {
        Location loc = b.getLoc();
        auto read = [&](Value operand) -> Value {
          Value stored = getScalar(builder, operand);
          if (!stored) {
            stored = args.front();
            args = args.drop_front();
          }
          return convertFromStorage(builder, loc, stored, elementOf(operand),
                                    i64);
        };
        Emit wide(builder, loc, i64);
        Value seed = fixedSeed ? fixedSeed : read(op.getSeed());
        Value offset = op.getOffset() ? read(op.getOffset()) : wide.integer(0);
        QuadPlace place = emitQuadPlace(builder, y);
        auto low = [&](Value value) {
          return wide.make<arith::TruncIOp>(b.getI32Type(), value);
        };
        auto high = [&](Value value) {
          return low(wide.make<arith::ShRUIOp>(value, wide.integer(32)));
        };
        PhiloxWords counter = {low(offset), high(offset), low(place.quad),
                               high(place.quad)};
        Drawing drawing(builder, loc);
        if (op.getDistribution() == graph::RngDistribution::NORMAL)
          return convertToStorage(
              builder, loc,
              drawing.emitNormal(emitPhilox(builder, loc, seed, counter),
                                 place.word),
              element);
        Value bits = emitPhiloxWord(builder, loc, seed, counter, place.word);
        if (op.getDistribution() == graph::RngDistribution::UNIFORM)
          return drawing.emitUniform(bits, element);
        return convertToStorage(
            builder, loc,
            drawing.emitBernoulli(bits, op.getProbability()->convertToDouble()),
            element);
      });
}
