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

/// The magnitude of `value`, at most 6 (as a NaN is), rounded to one of e2m1's:
/// added to 1.5 * 2^22 times its power of two, of which it has the last bit.
static Value roundToE2M1(OpBuilder &builder, Location loc, Value value) {
  Type i32 = builder.getI32Type(), f32 = builder.getF32Type();
  Value magnitude = math::AbsFOp::create(builder, loc, value);
  magnitude = arith::MinNumFOp::create(builder, loc, magnitude,
                                       number(builder, loc, 6.f));
  Value normal = arith::MaxNumFOp::create(builder, loc, magnitude,
                                          number(builder, loc, 1.f));
  Value power = arith::AndIOp::create(
      builder, loc, arith::BitcastOp::create(builder, loc, i32, normal),
      constant(builder, loc, 0x7f800000));
  power = arith::AddIOp::create(builder, loc, power,
                                constant(builder, loc, (22 << 23) + 0x400000));
  Value large = arith::BitcastOp::create(builder, loc, f32, power);
  Value sum = arith::AddFOp::create(builder, loc, magnitude, large);
  return arith::SubFOp::create(builder, loc, sum, large);
}

static Value encodeE2M1(OpBuilder &builder, Location loc, Value value) {
  Type i32 = builder.getI32Type();
  Value small =
      arith::MulFOp::create(builder, loc, roundToE2M1(builder, loc, value),
                            number(builder, loc, std::ldexp(1.f, -kShift)));
  auto shifted = [&](Value from, int64_t right) -> Value {
    Value bits = arith::BitcastOp::create(builder, loc, i32, from);
    return arith::ShRUIOp::create(builder, loc, bits,
                                  constant(builder, loc, right));
  };
  Value sign = arith::AndIOp::create(builder, loc, shifted(value, 28),
                                     constant(builder, loc, 8));
  Value isNaN = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO,
                                      value, value);
  // What stands for NaN is positive.
  sign = arith::SelectOp::create(builder, loc, isNaN, constant(builder, loc, 0),
                                 sign);
  Value code = arith::OrIOp::create(builder, loc, shifted(small, 22), sign);
  return arith::TruncIOp::create(builder, loc, builder.getI8Type(), code);
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
