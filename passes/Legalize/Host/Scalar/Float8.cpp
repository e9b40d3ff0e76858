//===- Float8.cpp - Bit-level coding of narrow floats ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fp8 and fp4 have no machine type, and f64 to f16 or bf16 must not pass
// through f32, which would round twice. So narrow floats are coded with integer
// arithmetic.
//===----------------------------------------------------------------------===//
#include "passes/Legalize/Host/Scalar/Emit.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace opgraph::legalize;
using namespace opgraph::legalize::scalar;

using Predicate = arith::CmpIPredicate;

FloatFormat scalar::getFloatFormat(Type type) {
  if (type.isF16())
    return {16, 10, 15, 0x7C00, 0x7BFF, 0x7E00, /*saturates=*/false};
  if (type.isBF16())
    return {16, 7, 127, 0x7F80, 0x7F7F, 0x7FC0, /*saturates=*/false};
  if (isa<Float8E5M2Type>(type))
    return {8, 2, 15, 0x7C, 0x7B, 0x7E, /*saturates=*/true};
  if (isa<Float4E2M1FNType>(type))
    return {4, 1, 1, /*infinity=*/0, 0x7, 0x7, /*saturates=*/true};
  return {8, 3, 7, /*infinity=*/0, 0x7E, 0x7F, /*saturates=*/true};
}

namespace {
/// The work type seen as bits.
struct WorkFormat {
  explicit WorkFormat(Emit &e)
      : bits(e.type.getIntOrFloatBitWidth()), mantissa(bits == 64 ? 52 : 23),
        bias(bits == 64 ? 1023 : 127), integer(e.b.getIntegerType(bits)) {}

  /// The bits of 2^exponent.
  int64_t power(int exponent) const {
    return static_cast<int64_t>(exponent + bias) << mantissa;
  }

  unsigned bits;
  unsigned mantissa;
  int bias;
  Type integer;
};
} // namespace

/// The code of a magnitude that is normal in `format`: rebase the exponent,
/// then drop mantissa bits, rounding to nearest even. A carry out of the
/// mantissa raises the exponent by itself.
static Value emitNormal(Emit &e, const WorkFormat &work,
                        const FloatFormat &format, Value magnitude) {
  unsigned drop = work.mantissa - format.mantissa;
  int64_t rebase = static_cast<int64_t>(work.bias - format.bias)
                   << work.mantissa;
  auto integer = [&](int64_t value) { return e.integer(work.integer, value); };
  Value shifted = e.make<arith::SubIOp>(magnitude, integer(rebase));
  Value isOdd = e.make<arith::AndIOp>(
      e.make<arith::ShRUIOp>(shifted, integer(drop)), integer(1));
  Value nudged = e.make<arith::AddIOp>(
      e.make<arith::AddIOp>(shifted, integer((int64_t(1) << (drop - 1)) - 1)),
      isOdd);
  return e.make<arith::ShRUIOp>(nudged, integer(drop));
}

/// The code of a magnitude that is subnormal in `format`: adding a power of
/// two whose last place is the format's smallest value makes the hardware
/// round to a multiple of it, once.
static Value emitSubnormal(Emit &e, const WorkFormat &work,
                           const FloatFormat &format, Value value) {
  int exponent = 1 - format.bias - static_cast<int>(format.mantissa) +
                 static_cast<int>(work.mantissa);
  Value sum = e.add(e.abs(value), e.constant(std::ldexp(1.0, exponent)));
  return e.make<arith::SubIOp>(e.make<arith::BitcastOp>(work.integer, sum),
                               e.integer(work.integer, work.power(exponent)));
}

Value scalar::emitEncode(Emit &e, const FloatFormat &format, Value value) {
  WorkFormat work(e);
  auto integer = [&](int64_t v) { return e.integer(work.integer, v); };
  Value bits = e.make<arith::BitcastOp>(work.integer, value);
  int64_t magnitudeMask =
      static_cast<int64_t>((uint64_t(1) << (work.bits - 1)) - 1);
  Value magnitude = e.make<arith::AndIOp>(bits, integer(magnitudeMask));
  Value isSubnormal =
      e.cmp(Predicate::slt, magnitude, integer(work.power(1 - format.bias)));
  Value code = e.select(isSubnormal, emitSubnormal(e, work, format, value),
                        emitNormal(e, work, format, magnitude));
  unsigned limit = format.saturates ? format.largest : format.infinity;
  code = e.make<arith::MinSIOp>(code, integer(limit));
  Value isNaN =
      e.cmp(Predicate::sgt, magnitude, integer(work.power(work.bias + 1)));
  code = e.select(isNaN, integer(format.nan), code);
  Value sign = e.make<arith::AndIOp>(
      e.make<arith::ShRUIOp>(bits, integer(work.bits - format.bits)),
      integer(int64_t(1) << (format.bits - 1)));
  // Where there is no NaN, the value that stands for it is positive.
  if (format.nan == format.largest)
    sign = e.select(isNaN, integer(0), sign);
  return e.make<arith::TruncIOp>(e.b.getIntegerType(std::max(format.bits, 8u)),
                                 e.make<arith::OrIOp>(code, sign));
}

Value scalar::emitDecode(Emit &e, const FloatFormat &format, Value code) {
  WorkFormat work(e);
  auto integer = [&](int64_t v) { return e.integer(work.integer, v); };
  int64_t signBit = int64_t(1) << (format.bits - 1);
  Value wide = e.make<arith::ExtUIOp>(work.integer, code);
  Value magnitude = e.make<arith::AndIOp>(wide, integer(signBit - 1));
  Value shifted = e.make<arith::ShLIOp>(
      magnitude, integer(work.mantissa - format.mantissa));
  Value rebased = e.make<arith::AddIOp>(
      shifted,
      integer(static_cast<int64_t>(work.bias - format.bias) << work.mantissa));
  Value normal = e.make<arith::BitcastOp>(e.type, rebased);
  double unit =
      std::ldexp(1.0, 1 - format.bias - static_cast<int>(format.mantissa));
  Value subnormal = e.mul(unit, e.make<arith::SIToFPOp>(e.type, magnitude));
  Value isSubnormal =
      e.cmp(Predicate::slt, magnitude, integer(int64_t(1) << format.mantissa));
  Value value = e.select(isSubnormal, subnormal, normal);
  if (format.infinity) {
    Value isInfinite =
        e.cmp(Predicate::eq, magnitude, integer(format.infinity));
    value = e.select(
        isInfinite, e.constant(std::numeric_limits<double>::infinity()), value);
  }
  unsigned last = format.infinity ? format.infinity : format.largest;
  if (format.nan != format.largest) {
    Value isNaN = e.cmp(Predicate::sgt, magnitude, integer(last));
    value = e.select(
        isNaN, e.constant(std::numeric_limits<double>::quiet_NaN()), value);
  }
  Value sign =
      e.make<arith::ShLIOp>(e.make<arith::AndIOp>(wide, integer(signBit)),
                            integer(work.bits - format.bits));
  Value bits = e.make<arith::BitcastOp>(work.integer, value);
  return e.make<arith::BitcastOp>(e.type, e.make<arith::OrIOp>(bits, sign));
}

//===----------------------------------------------------------------------===//
// Scales: an exponent alone
//===----------------------------------------------------------------------===//

static constexpr int kScaleBias = 127;
static constexpr int64_t kScaleNaN = 255;

Value scalar::emitEncodeScale(Emit &e, Value value) {
  // In f64 no scale is subnormal.
  Emit wide(e.b, e.loc, e.b.getF64Type());
  if (value.getType() != wide.type)
    value = e.make<arith::ExtFOp>(wide.type, value);
  WorkFormat work(wide);
  auto integer = [&](int64_t v) { return e.integer(work.integer, v); };
  Value bits = e.make<arith::BitcastOp>(work.integer, value);
  Value exponent = e.make<arith::ShRUIOp>(bits, integer(work.mantissa));
  Value rest =
      e.make<arith::AndIOp>(bits, integer((int64_t(1) << work.mantissa) - 1));
  Value isAbove = e.cmp(Predicate::ne, rest, integer(0));
  Value rounded = e.make<arith::AddIOp>(
      e.make<arith::SubIOp>(exponent, integer(work.bias - kScaleBias)),
      e.make<arith::ExtUIOp>(work.integer, isAbove));
  Value clamped = e.make<arith::MinSIOp>(
      e.make<arith::MaxSIOp>(rounded, integer(0)), integer(kScaleNaN - 1));
  Value isPositive = e.cmp(arith::CmpFPredicate::OGT, value, wide.constant(0));
  Value code = e.select(isPositive, clamped, integer(0));
  Value isNaN = e.cmp(arith::CmpFPredicate::UNO, value, value);
  return e.make<arith::TruncIOp>(e.b.getI8Type(),
                                 e.select(isNaN, integer(kScaleNaN), code));
}

Value scalar::emitDecodeScale(Emit &e, Value code) {
  WorkFormat work(e);
  auto integer = [&](int64_t v) { return e.integer(work.integer, v); };
  Value exponent =
      e.make<arith::AddIOp>(e.make<arith::ExtUIOp>(work.integer, code),
                            integer(work.bias - kScaleBias));
  Value value = e.make<arith::BitcastOp>(
      e.type, e.make<arith::ShLIOp>(exponent, integer(work.mantissa)));
  // The least scale is subnormal in f32.
  if (work.bias == kScaleBias) {
    Value isLeast = e.cmp(Predicate::eq, exponent, integer(0));
    value = e.select(isLeast, e.constant(std::ldexp(1.0, -kScaleBias)), value);
  }
  Value isNaN = e.cmp(Predicate::eq, code, e.integer(code.getType(), -1));
  return e.select(isNaN, e.constant(std::numeric_limits<double>::quiet_NaN()),
                  value);
}
