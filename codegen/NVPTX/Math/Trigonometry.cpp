//===- Trigonometry.cpp - sin, cos and tan --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// x = q pi/2 + r with |r| <= pi/4, then polynomials of r (minimax fits).
//===----------------------------------------------------------------------===//

#include "codegen/NVPTX/Math/Arithmetic.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace opgraph::codegen::math;
using arith::CmpFPredicate;
using arith::CmpIPredicate;

namespace {
/// The quarter turns, of which the two low bits count, and the rest.
struct Reduced {
  Value quadrant, rest;
};
} // namespace

/// pi/2 in three parts. Up to 105615 the products with q are exact enough.
static Reduced reduceSmall(Arithmetic &a, Value x) {
  constexpr float shifter = 12582912.0f;
  Value shifted = a.fma(x, a.real(0.636619747f), a.real(shifter));
  // q is +0 for either 0, and -q times a positive part keeps the sign of x.
  Value q = a.sub(shifted, a.real(shifter));
  Value r = a.fma(q, a.real(-1.57079625129699707f), x);
  r = a.fma(q, a.real(-7.54978941586159635e-8f), r);
  r = a.fma(q, a.real(-5.39030252995776476e-15f), r);
  return {a.bits(shifted), r};
}

/// Four neighbouring words of 2/pi's binary digits, from word `index` (0 to 4)
/// on. Chosen by selects: a table would need memory.
static SmallVector<Value> selectDigits(Arithmetic &a, Value index) {
  static constexpr uint32_t digits[] = {0x00000000, 0xA2F9836E, 0x4E441529,
                                        0xFC2757D1, 0xF534DDC0, 0xDB629599,
                                        0x3C439041, 0xFE5163AB};
  SmallVector<Value> words;
  for (uint32_t digit : digits)
    words.push_back(a.number(digit));
  for (int64_t step : {4, 2, 1}) {
    Value isMoved = a.cmp(CmpIPredicate::ne, a.mask(index, step), 0);
    SmallVector<Value> moved;
    size_t kept = step == 4 ? 7 : 4 + step - 1;
    for (size_t word = 0; word < kept; ++word) {
      Value further =
          word + step < words.size() ? words[word + step] : words.back();
      moved.push_back(a.select(isMoved, further, words[word]));
    }
    words = std::move(moved);
  }
  words.resize(4);
  return words;
}

static Value wideNumber(Arithmetic &a, int64_t value) {
  return arith::ConstantOp::create(a.b, a.b.getI64IntegerAttr(value));
}

/// Quarter turns and rest of |x| 2/pi, of which `top` has the whole part's last
/// bits and `fraction` is the part behind them, in units of 2^-64 quarter
/// turns, for an x of these bits.
static Reduced finishLarge(Arithmetic &a, Value bits, Value exponent, Value top,
                           Value fraction) {
  ImplicitLocOpBuilder &b = a.b;
  // Round to the nearest quarter turn: the fraction becomes signed.
  Value quadrant = arith::TruncIOp::create(
      b, b.getI32Type(), arith::ShRUIOp::create(b, top, wideNumber(a, 30)));
  Value isUpper =
      arith::CmpIOp::create(b, CmpIPredicate::slt, fraction, wideNumber(a, 0));
  quadrant = arith::AddIOp::create(
      b, quadrant, arith::ExtUIOp::create(b, b.getI32Type(), isUpper));
  auto f64 = b.getF64Type();
  Value scaled = arith::MulFOp::create(
      b, arith::SIToFPOp::create(b, f64, fraction),
      arith::ConstantOp::create(
          b, b.getF64FloatAttr(1.5707963267948966 * 0x1p-64)));
  Value rest = arith::TruncFOp::create(b, b.getF32Type(), scaled);
  // A negative x turns the other way; infinity has no angle.
  Value isNegative = a.cmp(CmpIPredicate::slt, bits, 0);
  rest = a.select(isNegative, a.neg(rest), rest);
  quadrant = a.select(isNegative, a.subBits(a.number(0), quadrant), quadrant);
  Value isInfinite = a.cmp(CmpIPredicate::eq, exponent, 255);
  rest = a.select(isInfinite, a.real(std::numeric_limits<float>::quiet_NaN()),
                  rest);
  return {quadrant, rest};
}

/// x 2/pi as a fixed-point number of 96 bits, of which two are whole quarter
/// turns: the digits of 2/pi that could only add whole turns are left out
/// (Payne and Hanek).
static Reduced reduceLarge(Arithmetic &a, Value x) {
  ImplicitLocOpBuilder &b = a.b;
  Type wideType = b.getI64Type();
  auto wide = [&](Value word) -> Value {
    return arith::ExtUIOp::create(b, wideType, word);
  };
  auto high = [&](Value value) -> Value {
    return arith::ShRUIOp::create(b, value, wideNumber(a, 32));
  };
  auto low = [&](Value value) -> Value {
    return arith::AndIOp::create(b, value, wideNumber(a, 0xFFFFFFFF));
  };
  Value bits = a.bits(x);
  Value exponent = a.mask(a.right(bits, 23), 0xFF);
  Value mantissa =
      arith::OrIOp::create(b, a.mask(bits, 0x7FFFFF), a.number(0x800000));
  // |x| = mantissa * 2^(exponent - 150); the first digit that counts is that of
  // 2^-(exponent - 151).
  Value position = a.addBits(exponent, -120);
  SmallVector<Value> words = selectDigits(a, a.right(position, 5));
  Value shift = a.mask(position, 31);
  auto join = [&](Value upper, Value lower) -> Value {
    return wide(LLVM::FshlOp::create(b, upper, lower, shift));
  };
  Value factor = wide(mantissa);
  auto times = [&](Value digits) -> Value {
    return arith::MulIOp::create(b, digits, factor);
  };
  Value last = times(join(words[2], words[3]));
  Value middle =
      arith::AddIOp::create(b, times(join(words[1], words[2])), high(last));
  Value first =
      arith::AddIOp::create(b, times(join(words[0], words[1])), high(middle));
  Value top = low(first);
  Value fraction = arith::OrIOp::create(
      b, arith::ShLIOp::create(b, top, wideNumber(a, 34)),
      arith::OrIOp::create(
          b, arith::ShLIOp::create(b, low(middle), wideNumber(a, 2)),
          arith::ShRUIOp::create(b, low(last), wideNumber(a, 30))));
  return finishLarge(a, bits, exponent, top, fraction);
}

Value opgraph::codegen::math::emitIsLargeAngle(Arithmetic &a, Value x) {
  return a.cmp(CmpFPredicate::OGT, a.abs(x), a.real(105615.0f));
}

static Reduced reduce(Arithmetic &a, Value x, AngleTraits traits) {
  ImplicitLocOpBuilder &b = a.b;
  Reduced small = reduceSmall(a, x);
  if (traits.isSmall)
    return small;
  Value isLarge = emitIsLargeAngle(a, x);
  auto branch = scf::IfOp::create(b, TypeRange{b.getI32Type(), b.getF32Type()},
                                  isLarge, true, true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(branch.thenBlock());
  Reduced large = reduceLarge(a, x);
  scf::YieldOp::create(b, ValueRange{large.quadrant, large.rest});
  b.setInsertionPointToEnd(branch.elseBlock());
  scf::YieldOp::create(b, ValueRange{small.quadrant, small.rest});
  return {branch.getResult(0), branch.getResult(1)};
}

/// sin(r + turns pi/2).
static Value emitTurned(Arithmetic &a, Value r, Value turns,
                        bool isApproximate) {
  static constexpr float sine[] = {-1.666665524e-01f, 8.332177997e-03f,
                                   -1.951723389e-04f};
  static constexpr float cosine[] = {4.166664556e-02f, -1.388736651e-03f,
                                     2.443837730e-05f};
  static constexpr float shortSine[] = {-1.666345894e-01f, 8.164608851e-03f};
  static constexpr float shortCosine[] = {-4.997605681e-01f, 4.045845196e-02f};
  Value square = a.mul(r, r);
  Value sin, cos;
  if (isApproximate) {
    sin = a.fma(a.mul(a.polynomial(square, shortSine), square), r, r);
    cos = a.fma(a.polynomial(square, shortCosine), square, a.real(1.0f));
  } else {
    sin = a.fma(a.mul(a.polynomial(square, sine), square), r, r);
    cos = a.fma(square, a.real(-0.5f), a.real(1.0f));
    cos = a.fma(a.mul(a.polynomial(square, cosine), square), square, cos);
  }
  // -0 is lost in the sum.
  sin = a.copySign(sin, r);
  Value isOdd = a.cmp(CmpIPredicate::ne, a.mask(turns, 1), 0);
  Value result = a.select(isOdd, cos, sin);
  Value sign = a.left(a.mask(turns, 2), 30);
  return a.fromBits(arith::XOrIOp::create(a.b, a.bits(result), sign));
}

Value opgraph::codegen::math::emitSin(Arithmetic &a, Value x,
                                      AngleTraits traits) {
  Reduced angle = reduce(a, x, traits);
  return emitTurned(a, angle.rest, angle.quadrant, traits.isApproximate);
}

Value opgraph::codegen::math::emitCos(Arithmetic &a, Value x,
                                      AngleTraits traits) {
  Reduced angle = reduce(a, x, traits);
  return emitTurned(a, angle.rest, a.addBits(angle.quadrant, 1),
                    traits.isApproximate);
}

Value opgraph::codegen::math::emitTan(Arithmetic &a, Value x,
                                      AngleTraits traits) {
  static constexpr float fit[] = {
      3.333335221e-01f, 1.333260834e-01f, 5.406564474e-02f, 2.125441097e-02f,
      1.090386789e-02f, 7.549869679e-06f, 4.414880648e-03f};
  Reduced angle = reduce(a, x, traits);
  Value r = angle.rest;
  Value square = a.mul(r, r);
  Value tan = a.fma(a.mul(a.polynomial(square, fit), square), r, r);
  Value isOdd = a.cmp(CmpIPredicate::ne, a.mask(angle.quadrant, 1), 0);
  Value turned = arith::DivFOp::create(a.b, a.real(-1.0f), tan);
  return a.select(isOdd, turned, tan);
}
