//===- Exponentials.cpp - Exponentials, logarithms and powers -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Polynomials are minimax fits over the range that each reduction leaves.
//===----------------------------------------------------------------------===//

#include "codegen/NVPTX/Math/Arithmetic.h"

using namespace mlir;
using namespace opgraph::codegen::math;
using arith::CmpFPredicate;
using arith::CmpIPredicate;

/// log2(e) in two parts, ln(2) in two parts: products with a small integer are
/// exact in the first.
static constexpr float log2eHigh = 1.44269502162933349609375f;
static constexpr float log2eLow = 1.925963033500011e-8f;
static constexpr float ln2 = 0.693147182464599609375f;
static constexpr float ln2Low = -1.904654323148236e-9f;

/// 1.5 * 2^23: adding it rounds to an integer, which the low bits then hold.
/// 127 more makes the low bits an exponent field.
static constexpr float shifter = 12582912.0f;
static constexpr float exponentShifter = 12583039.0f;

/// x = j ln(2) + r: the exponent field of 2^j is built from bits, 2^(r / ln 2)
/// is the hardware's. j stays in [-126, 126] so that the field does; beyond, r
/// takes the rest, and overflow and underflow come out of the last product.
Value opgraph::codegen::math::emitExp(Arithmetic &a, Value x, Value extra) {
  constexpr float limit = 87.3f;
  Value inside = a.maxNum(a.minNum(x, a.real(limit)), a.real(-limit));
  Value shifted = a.fma(inside, a.real(log2eHigh), a.real(exponentShifter));
  Value j = a.sub(shifted, a.real(exponentShifter));
  Value rest = a.fma(x, a.real(log2eHigh), a.neg(j));
  rest = a.fma(x, a.real(log2eLow), rest);
  if (extra)
    rest = a.add(rest, extra);
  return a.mul(a.exp2Approx(rest), a.power(shifted));
}

/// With e^x = 2^j e^r: e^x - 1 = 2 (2^(j-1) expm1(r) + (2^(j-1) - 1/2)), which
/// is exact around 0 and does not overflow too early.
Value opgraph::codegen::math::emitExpM1(Arithmetic &a, Value x) {
  static constexpr float fit[] = {4.999999702e-01f, 1.666654348e-01f,
                                  4.166720062e-02f, 8.366595954e-03f,
                                  1.388250501e-03f};
  Value inside = a.maximum(a.minimum(x, a.real(89.0f)), a.real(-30.0f));
  Value shifted = a.fma(inside, a.real(log2eHigh), a.real(shifter));
  Value minusJ = a.sub(a.real(shifter), shifted);
  Value r = a.fma(minusJ, a.real(ln2), inside);
  r = a.fma(minusJ, a.real(ln2Low), r);
  Value p = a.fma(a.mul(a.polynomial(r, fit), r), r, r);
  Value half = a.fromBits(a.addBits(a.left(a.bits(shifted), 23), 0x3F000000));
  Value sum = a.fma(half, p, a.sub(half, a.real(0.5f)));
  return a.copySign(a.add(sum, sum), x); // -0 is lost above
}

/// log(1 + f) for f in [-1/3, 1/3].
static Value emitLogOfMantissa(Arithmetic &a, Value f) {
  static constexpr float fit[] = {
      -5.000000000e-01f, 3.333320916e-01f,  -2.499971688e-01f,
      2.001074702e-01f,  -1.668230295e-01f, 1.400115937e-01f,
      -1.216718554e-01f, 1.400476247e-01f,  -1.294883341e-01f};
  return a.fma(a.mul(a.polynomial(f, fit), f), f, f);
}

/// The exponent, as the bits of its field, of the power of two that brings a
/// positive number into [2/3, 4/3).
static Value getExponentBits(Arithmetic &a, Value bits) {
  return a.mask(a.addBits(bits, -0x3F2AAAAB), 0xFF800000);
}

/// What is not positive and finite has the hardware's value; not the flushing
/// one, for which a negative subnormal is 0.
static Value selectFinite(Arithmetic &a, Value x, Value result) {
  Value isFinite =
      a.cmp(CmpIPredicate::ult, a.addBits(a.bits(x), -1), 0x7F7FFFFF);
  return a.select(isFinite, result, a.call("llvm.nvvm.lg2.approx.f", x));
}

Value opgraph::codegen::math::emitLog(Arithmetic &a, Value x, LogBase base) {
  Value isSubnormal = a.cmp(CmpFPredicate::OLT, x, a.real(1.17549435e-38f));
  Value scaled = a.select(isSubnormal, a.mul(x, a.real(8388608.0f)), x);
  Value bits = a.bits(scaled);
  Value exponent = getExponentBits(a, bits);
  Value mantissa = a.fromBits(a.subBits(bits, exponent));
  Value less = a.select(isSubnormal, a.real(-23.0f), a.real(0.0f));
  Value i = a.fma(a.toReal(exponent), a.real(0x1p-23f), less);
  Value r = emitLogOfMantissa(a, a.sub(mantissa, a.real(1.0f)));
  Value result;
  switch (base) {
  case LogBase::E:
    result = a.fma(i, a.real(ln2), r);
    break;
  case LogBase::Two:
    result = a.fma(r, a.real(log2eHigh), a.fma(r, a.real(log2eLow), i));
    break;
  case LogBase::Ten:
    result = a.fma(i, a.real(0.301029996f), a.mul(r, a.real(0.434294482f)));
    break;
  }
  return selectFinite(a, x, result);
}

/// With 1 + x = 2^e (1 + f): f = 2^-e x + (2^-e - 1), without the rounding of
/// 1 + x.
Value opgraph::codegen::math::emitLog1p(Arithmetic &a, Value x) {
  Value sum = a.add(x, a.real(1.0f));
  Value exponent = getExponentBits(a, a.bits(sum));
  // 4 * 2^-e has an exponent field for every e.
  Value scale = a.mul(a.fromBits(a.subBits(a.number(0x40800000), exponent)),
                      a.real(0.25f));
  Value f = a.fma(scale, x, a.sub(scale, a.real(1.0f)));
  Value i = a.mul(a.toReal(exponent), a.real(0x1p-23f));
  Value result = a.fma(i, a.real(ln2), emitLogOfMantissa(a, f));
  return a.copySign(selectFinite(a, sum, result), x); // -0 is lost above
}

/// Where 1 + x has lost the digits of x: x - x^2/2.
Value opgraph::codegen::math::emitLog1pApprox(Arithmetic &a, Value x) {
  Value far = a.mul(a.log2Approx(a.add(x, a.real(1.0f))), a.real(0.693147182f));
  Value near = a.mul(a.fma(x, a.real(-0.5f), a.real(1.0f)), x);
  Value isNear = a.cmp(CmpFPredicate::OLT, a.abs(x), a.real(0x1p-8f));
  return a.select(isNear, near, far);
}

//===-- Powers ------------------------------------------------------------===//

namespace {
/// A number as a sum of two, of which the second is below the first's last bit.
struct Pair {
  Value high, low;
};
} // namespace

/// log2 of a positive finite number to about 2^-29 of its value.
static Pair emitLog2Pair(Arithmetic &a, Value x) {
  // log(m) = 2 t + t^3 (2/3 + 2/5 t^2 + …), t = (m - 1) / (m + 1).
  static constexpr float fit[] = {6.666666269e-01f, 4.000086784e-01f,
                                  2.850679457e-01f, 2.410348505e-01f};
  Value isSubnormal = a.cmp(CmpFPredicate::OLT, x, a.real(1.17549435e-38f));
  Value scaled = a.select(isSubnormal, a.mul(x, a.real(8388608.0f)), x);
  Value bits = a.bits(scaled);
  Value exponent = getExponentBits(a, bits);
  Value m = a.fromBits(a.subBits(bits, exponent));
  Value less = a.select(isSubnormal, a.real(-23.0f), a.real(0.0f));
  Value i = a.fma(a.toReal(exponent), a.real(0x1p-23f), less);

  Value one = a.real(1.0f), two = a.real(2.0f);
  Value above = a.sub(m, one), sum = a.add(m, one);
  Value sumLow = a.sub(m, a.sub(sum, one));
  Value reciprocal = a.reciprocalApprox(sum);
  Value t = a.mul(above, reciprocal);
  Value left = a.fma(a.neg(t), sum, above);
  left = a.fma(a.neg(t), sumLow, left);
  Value tLow = a.mul(left, reciprocal);
  Value square = a.mul(t, t);
  Value series = a.mul(a.mul(a.polynomial(square, fit), square), t);
  Value high = a.mul(t, two);
  // The derivative of log by t is 2 / (1 - t^2).
  Value low = a.fma(tLow, a.fma(square, two, two), series);

  // Times log2(e), plus the exponent.
  Value log2e = a.real(log2eHigh);
  Value product = a.mul(high, log2e);
  Value productLow = a.fma(high, log2e, a.neg(product));
  productLow = a.fma(high, a.real(log2eLow), productLow);
  productLow = a.fma(low, log2e, productLow);
  Value total = a.add(i, product);
  Value totalLow = a.add(a.add(a.sub(i, total), product), productLow);
  return {total, totalLow};
}

/// 2^(y log2 |x|) for any y and any |x| but 1.
static Value emitPowMagnitude(Arithmetic &a, Value magnitude, Value y) {
  Pair log = emitLog2Pair(a, magnitude);
  // 0 and infinity have no mantissa.
  Value isFinite =
      a.cmp(CmpIPredicate::ult, a.addBits(a.bits(magnitude), -1), 0x7F7FFFFF);
  log.high = a.select(isFinite, log.high, a.log2Approx(magnitude));
  Value z = a.mul(y, log.high);
  Value zLow = a.fma(y, log.high, a.neg(z));
  zLow = a.fma(y, log.low, zLow);
  // Far outside of the range only the sign counts.
  constexpr float far = 400.0f;
  Value isFar = a.cmp(CmpFPredicate::OGT, a.abs(z), a.real(far));
  z = a.select(isFar, a.copySign(a.real(far), z), z);
  zLow = a.select(isFar, a.real(0.0f), zLow);
  Value inside = a.maxNum(a.minNum(z, a.real(126.0f)), a.real(-126.0f));
  Value shifted = a.add(inside, a.real(exponentShifter));
  Value rest = a.sub(z, a.sub(shifted, a.real(exponentShifter)));
  return a.mul(a.exp2Approx(a.add(rest, zLow)), a.power(shifted));
}

Value opgraph::codegen::math::emitPow(Arithmetic &a, Value x, Value y) {
  Value one = a.real(1.0f), zero = a.real(0.0f), half = a.real(0.5f);
  Value magnitude = a.abs(x);
  Value result = emitPowMagnitude(a, magnitude, y);
  Value isOne = a.cmp(CmpFPredicate::OEQ, magnitude, one);
  result = a.select(isOne, one, result);

  Value isBroken = a.cmp(CmpFPredicate::UNE, a.trunc(y), y);
  Value halved = a.mul(y, half);
  Value isHalfBroken = a.cmp(CmpFPredicate::UNE, a.trunc(halved), halved);
  Value isNegative = a.cmp(CmpIPredicate::slt, a.bits(x), 0);
  Value changesSign = a.both(isNegative, isHalfBroken);
  result =
      a.select(a.both(changesSign, a.negated(isBroken)), a.neg(result), result);
  // A negative number takes whole exponents only; -0 and -inf take all.
  Value isBelow = a.cmp(CmpFPredicate::OLT, x, zero);
  Value isFinite = a.cmp(CmpFPredicate::ONE, magnitude,
                         a.real(std::numeric_limits<float>::infinity()));
  Value nan = a.real(std::numeric_limits<float>::quiet_NaN());
  Value isUndefined = a.both(a.both(isBelow, isFinite), isBroken);
  result = a.select(isUndefined, nan, result);
  Value hasNaN = a.cmp(CmpFPredicate::UNO, x, y);
  result = a.select(hasNaN, nan, result);
  Value isUnit = a.either(a.cmp(CmpFPredicate::OEQ, x, one),
                          a.cmp(CmpFPredicate::OEQ, y, zero));
  return a.select(isUnit, one, result);
}
