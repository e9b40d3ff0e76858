//===- Elements.cpp - Elements in memory and in arithmetic ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Legalize/NVPTX/Pointwise/Elements.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

using namespace mlir;
using namespace opgraph::legalize;

/// 8-bit floats whose conversions arith has, by the graph's rules.
static bool isByteFloat(Type type) {
  return isa<Float8E4M3FNType, Float8E5M2Type, Float8E8M0FNUType>(type);
}

/// A number's bits as those of an f32 whose exponent is `kShift` less.
static constexpr int kShift = 126;

static Value constant(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantOp::create(
      builder, loc, builder.getI32IntegerAttr(static_cast<int32_t>(value)));
}

static Value number(OpBuilder &builder, Location loc, float value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getF32FloatAttr(value));
}

/// The f32 value of an e2m1 code: its exponent and mantissa where those of an
/// f32 begin, so that subnormals of the one are subnormals of the other.
static Value decodeE2M1(OpBuilder &builder, Location loc, Value code) {
  Value wide = arith::ExtUIOp::create(builder, loc, builder.getI32Type(), code);
  auto shifted = [&](int64_t left, int64_t mask) {
    Value bits =
        arith::ShLIOp::create(builder, loc, wide, constant(builder, loc, left));
    return arith::AndIOp::create(builder, loc, bits,
                                 constant(builder, loc, mask));
  };
  Value bits = arith::OrIOp::create(builder, loc, shifted(22, 7 << 22),
                                    shifted(28, INT32_MIN));
  Value small =
      arith::BitcastOp::create(builder, loc, builder.getF32Type(), bits);
  return arith::MulFOp::create(builder, loc, small,
                               number(builder, loc, std::ldexp(1.f, kShift)));
}

/// The e2m1 code of `value`. The magnitude, at most 6 (as a NaN's is), is added
/// to 1.5 * 2^22 times its power of two, of which it has the last bit: the
/// sum's last bits count halves of that power, of which codes have two to a
/// power.
static Value encodeE2M1(OpBuilder &builder, Location loc, Value value) {
  Type i32 = builder.getI32Type(), f32 = builder.getF32Type();
  auto bitsOf = [&](Value from) {
    return arith::BitcastOp::create(builder, loc, i32, from);
  };
  auto shiftRight = [&](Value bits, int64_t by) {
    return arith::ShRUIOp::create(builder, loc, bits,
                                  constant(builder, loc, by));
  };
  auto keep = [&](Value bits, int64_t mask) {
    return arith::AndIOp::create(builder, loc, bits,
                                 constant(builder, loc, mask));
  };
  // What stands for NaN is positive.
  Value inside =
      arith::MinNumFOp::create(builder, loc, value, number(builder, loc, 6.f));
  inside = arith::MaxNumFOp::create(builder, loc, inside,
                                    number(builder, loc, -6.f));
  Value magnitude = math::AbsFOp::create(builder, loc, inside);
  Value normal = arith::MaxNumFOp::create(builder, loc, magnitude,
                                          number(builder, loc, 1.f));
  Value power = keep(bitsOf(normal), 0x7f800000);
  // 2 more, which is even: with an exponent's own last bits, 14, it is 0.
  Value large = arith::AddIOp::create(
      builder, loc, power, constant(builder, loc, (22 << 23) + 0x400000 + 2));
  Value sum =
      arith::AddFOp::create(builder, loc, magnitude,
                            arith::BitcastOp::create(builder, loc, f32, large));
  Value halves = arith::SubIOp::create(builder, loc, bitsOf(sum), power);
  Value code =
      arith::AddIOp::create(builder, loc, halves, shiftRight(power, 22));
  code = arith::OrIOp::create(builder, loc, keep(code, 7),
                              keep(shiftRight(bitsOf(inside), 28), 8));
  return arith::TruncIOp::create(builder, loc, builder.getI8Type(), code);
}

Value nvptx::emitStickyQuotient(OpBuilder &builder, Location loc, Value a,
                                Value b) {
  Type i32 = builder.getI32Type();
  auto fma = [&](Value x, Value y, Value z) -> Value {
    return math::FmaOp::create(builder, loc, x, y, z);
  };
  auto restOf = [&](Value quotient) {
    return fma(arith::NegFOp::create(builder, loc, quotient), b, a);
  };
  Value inverse = arith::DivFOp::create(builder, loc, number(builder, loc, 1.f),
                                        b, arith::FastMathFlags::afn);
  Value quotient = arith::MulFOp::create(builder, loc, a, inverse);
  quotient = fma(restOf(quotient), inverse, quotient);
  // What is left is exact: the quotient is off by less than its last bit, to
  // the side that the signs tell.
  Value rest = restOf(quotient);
  Value bits = arith::BitcastOp::create(builder, loc, i32, quotient);
  Value restBits = arith::BitcastOp::create(builder, loc, i32, rest);
  Value isBelow = arith::ShRSIOp::create(
      builder, loc, arith::XOrIOp::create(builder, loc, restBits, bits),
      constant(builder, loc, 31));
  Value sticky = arith::OrIOp::create(
      builder, loc, arith::AddIOp::create(builder, loc, bits, isBelow),
      constant(builder, loc, 1));
  Value isExact = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ,
                                        rest, number(builder, loc, 0.f));
  return arith::SelectOp::create(
      builder, loc, isExact, quotient,
      arith::BitcastOp::create(builder, loc, builder.getF32Type(), sticky));
}

Value nvptx::readOperand(OpBuilder &builder, Location loc, Value stored,
                         Type elementType, Type computeType, Type workType) {
  // A narrow compute type holds no e8m0.
  bool isExact =
      computeType == workType ||
      (isa<FloatType>(computeType) && !isa<Float8E8M0FNUType>(elementType));
  if (isa<Float4E2M1FNType>(elementType) && workType.isF32())
    return decodeE2M1(builder, loc, stored);
  if (!isByteFloat(elementType) || !workType.isF32() || !isExact)
    return convertOperand(builder, loc, stored, elementType, computeType,
                          workType);
  Value code = arith::BitcastOp::create(builder, loc, elementType, stored);
  return arith::ExtFOp::create(builder, loc, workType, code);
}

Value nvptx::writeElement(OpBuilder &builder, Location loc, Value value,
                          Type elementType) {
  if (isa<Float4E2M1FNType>(elementType) && value.getType().isF32())
    return encodeE2M1(builder, loc, value);
  if (!isByteFloat(elementType) || !value.getType().isF32())
    return convertToStorage(builder, loc, value, elementType);
  Value code = arith::TruncFOp::create(builder, loc, elementType, value);
  return arith::BitcastOp::create(builder, loc, getStorageType(elementType),
                                  code);
}
