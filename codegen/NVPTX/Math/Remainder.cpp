//===- Remainder.cpp - Exact floating-point remainder ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "codegen/NVPTX/Math/DeviceMath.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using arith::CmpFPredicate;
using arith::CmpIPredicate;

namespace {

/// Emits the remainder of f32 or f64 by long division of the mantissas, eight
/// binary digits a step: one step where the quotient is below 2^8.
class Remainder {
public:
  Remainder(ImplicitLocOpBuilder &b, Type type)
      : b(b), type(type), width(type.getIntOrFloatBitWidth()),
        mantissa(width == 64 ? 52 : 23), bias(width == 64 ? 1023 : 127),
        integer(b.getIntegerType(width)) {}

  Value emit(Value x, Value y);

private:
  struct Parts {
    Value mantissa, exponent;
  };
  /// value = mantissa * 2^(exponent - bias - mantissa bits).
  Parts split(Value magnitudeBits);
  Value divide(Value dividend, Value divisor, Value digits);
  /// number * 2^(exponent - bias - mantissa bits), exact.
  Value join(Value number, Value exponent);

  Value number(int64_t value) {
    return arith::ConstantOp::create(b, b.getIntegerAttr(integer, value));
  }
  Value real(double value) {
    return arith::ConstantOp::create(b, b.getFloatAttr(type, value));
  }
  Value bits(Value value) {
    return arith::BitcastOp::create(b, integer, value);
  }

  ImplicitLocOpBuilder &b;
  Type type;
  int64_t width, mantissa, bias;
  Type integer;
};

} // namespace

Remainder::Parts Remainder::split(Value magnitudeBits) {
  Value field = arith::ShRUIOp::create(b, magnitudeBits, number(mantissa));
  Value low = arith::AndIOp::create(b, magnitudeBits,
                                    number((int64_t(1) << mantissa) - 1));
  Value whole = arith::OrIOp::create(b, low, number(int64_t(1) << mantissa));
  Value isSubnormal =
      arith::CmpIOp::create(b, CmpIPredicate::eq, field, number(0));
  return {arith::SelectOp::create(b, isSubnormal, low, whole),
          arith::SelectOp::create(b, isSubnormal, number(1), field)};
}

/// (dividend * 2^digits) mod divisor.
Value Remainder::divide(Value dividend, Value divisor, Value digits) {
  Value rest = arith::RemUIOp::create(b, dividend, divisor);
  auto loop = scf::WhileOp::create(b, TypeRange{integer, integer},
                                   ValueRange{rest, digits});
  OpBuilder::InsertionGuard guard(b);
  Location loc = b.getLoc();
  Block *before =
      b.createBlock(&loop.getBefore(), {}, {integer, integer}, {loc, loc});
  Value goesOn = arith::CmpIOp::create(b, CmpIPredicate::sgt,
                                       before->getArgument(1), number(0));
  scf::ConditionOp::create(b, goesOn, before->getArguments());
  Block *after =
      b.createBlock(&loop.getAfter(), {}, {integer, integer}, {loc, loc});
  Value left = after->getArgument(1);
  Value step = arith::MinSIOp::create(b, left, number(8));
  Value shifted = arith::ShLIOp::create(b, after->getArgument(0), step);
  Value next = arith::RemUIOp::create(b, shifted, divisor);
  Value fewer = arith::SubIOp::create(b, left, step);
  scf::YieldOp::create(b, ValueRange{next, fewer});
  return loop.getResult(0);
}

Value Remainder::join(Value number, Value exponent) {
  Value value = arith::UIToFPOp::create(b, type, number);
  value = arith::MulFOp::create(b, value, real(std::ldexp(1.0, -mantissa)));
  Value power = arith::BitcastOp::create(
      b, type,
      arith::ShLIOp::create(b, exponent, this->number(mantissa)).getResult());
  return arith::MulFOp::create(b, value, power);
}

Value Remainder::emit(Value x, Value y) {
  Value magnitude = math::AbsFOp::create(b, x);
  Value divisor = math::AbsFOp::create(b, y);
  Parts a = split(bits(magnitude)), c = split(bits(divisor));
  // Nothing to divide by: 1, for the result is chosen below.
  Value isZero =
      arith::CmpIOp::create(b, CmpIPredicate::eq, c.mantissa, number(0));
  Value safe = arith::SelectOp::create(b, isZero, number(1), c.mantissa);
  Value digits = arith::SubIOp::create(b, a.exponent, c.exponent);
  Value rest = divide(a.mantissa, safe, digits);
  Value result = join(rest, c.exponent);
  Value isLess =
      arith::CmpFOp::create(b, CmpFPredicate::OLT, magnitude, divisor);
  result = arith::SelectOp::create(b, isLess, magnitude, result);
  result = math::CopySignOp::create(b, result, x);

  double infinity = std::numeric_limits<double>::infinity();
  Value isFinite =
      arith::CmpFOp::create(b, CmpFPredicate::OLT, magnitude, real(infinity));
  Value divides =
      arith::CmpFOp::create(b, CmpFPredicate::OGT, divisor, real(0));
  Value isDefined = arith::AndIOp::create(b, isFinite, divides);
  return arith::SelectOp::create(
      b, isDefined, result, real(std::numeric_limits<double>::quiet_NaN()));
}

Value opgraph::codegen::emitDeviceRemainder(OpBuilder &builder, Location loc,
                                            Value x, Value y) {
  ImplicitLocOpBuilder b(loc, builder);
  Type type = x.getType();
  if (type.isF64() || type.isF32())
    return Remainder(b, type).emit(x, y);
  // A remainder of 16-bit floats is one.
  auto f32 = b.getF32Type();
  Value result = Remainder(b, f32).emit(arith::ExtFOp::create(b, f32, x),
                                        arith::ExtFOp::create(b, f32, y));
  return arith::TruncFOp::create(b, type, result);
}
