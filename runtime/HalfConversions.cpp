//===- HalfConversions.cpp - 16-bit float conversions ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
///
/// \file
/// Done on bits, so that no conversion here can be compiled into a call of
/// itself, and rounded once: f64 to bf16 through f32 would round twice.
///
//===----------------------------------------------------------------------===//

#include "runtime/ImportTable.h"

#include <cstdint>
#include <cstring>

namespace {

template <typename To, typename From>
To bitCast(From value) {
  static_assert(sizeof(To) == sizeof(From));
  To result;
  std::memcpy(&result, &value, sizeof(To));
  return result;
}

/// Rounds a double to a 16-bit format, nearest even, NaN quieted.
template <int ExponentBits, int MantissaBits>
uint16_t narrow(double value) {
  static_assert(ExponentBits + MantissaBits == 15);
  constexpr int bias = (1 << (ExponentBits - 1)) - 1;
  constexpr uint16_t infinity = ((1 << ExponentBits) - 1) << MantissaBits;
  constexpr uint16_t quietBit = 1 << (MantissaBits - 1);
  uint64_t bits = bitCast<uint64_t>(value);
  uint16_t sign = (bits >> 48) & 0x8000;
  int biased = (bits >> 52) & 0x7ff;
  uint64_t fraction = bits & ((uint64_t(1) << 52) - 1);
  if (biased == 0x7ff) {
    if (fraction == 0)
      return sign | infinity;
    return sign | infinity | quietBit | (fraction >> (52 - MantissaBits));
  }
  int exponent = biased - 1023;
  if (exponent > bias)
    return sign | infinity;
  bool subnormal = exponent < 1 - bias;
  int shift = 52 - MantissaBits + (subnormal ? 1 - bias - exponent : 0);
  // Below half of the least subnormal; zeros and f64 subnormals too.
  if (shift > 53 || biased == 0)
    return sign;
  uint64_t significand = fraction | (uint64_t(1) << 52);
  uint64_t kept = significand >> shift;
  uint64_t rest = significand & ((uint64_t(1) << shift) - 1);
  uint64_t half = uint64_t(1) << (shift - 1);
  if (rest > half || (rest == half && (kept & 1)))
    ++kept;
  // A carry runs from the mantissa into the exponent, and on to infinity.
  if (!subnormal)
    kept += uint64_t(exponent + bias - 1) << MantissaBits;
  return sign | uint16_t(kept);
}

} // namespace

extern "C" {

_Float16 ogTruncDfHf(double value) {
  return bitCast<_Float16>(narrow<5, 10>(value));
}

_Float16 ogTruncSfHf(float value) {
  // f32 to f64 is exact, so this rounds once.
  return bitCast<_Float16>(narrow<5, 10>(double(value)));
}

_Float16 ogTruncDfBf(double value) {
  return bitCast<_Float16>(narrow<8, 7>(value));
}

_Float16 ogTruncSfBf(float value) {
  return bitCast<_Float16>(narrow<8, 7>(double(value)));
}

float ogExtendHfSf(_Float16 value) {
  uint16_t bits = bitCast<uint16_t>(value);
  uint32_t sign = uint32_t(bits & 0x8000) << 16;
  uint32_t exponent = (bits >> 10) & 0x1f;
  uint32_t mantissa = bits & 0x3ff;
  if (exponent == 0x1f)
    return bitCast<float>(sign | 0x7f800000 | (mantissa << 13) |
                          (mantissa ? 0x400000u : 0u));
  if (exponent != 0)
    return bitCast<float>(sign | ((exponent + 112) << 23) | (mantissa << 13));
  // Zero and subnormals: a multiple of 2^-24, exact in f32.
  float magnitude = float(mantissa) * 0x1p-24f;
  return bitCast<float>(sign | bitCast<uint32_t>(magnitude));
}
}
