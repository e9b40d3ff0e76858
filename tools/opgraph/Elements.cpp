//===- Elements.cpp - Elements of every dtype as numbers ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Elements.h"
#include "Failure.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstring>

using namespace opgraph::cli;

//===----------------------------------------------------------------------===//
// Narrow floats: sign, exponent and mantissa bits in that order
//===----------------------------------------------------------------------===//

namespace {
struct FloatFormat {
  int exponentBits, mantissaBits;
  /// No infinity; e4m3fn has one NaN, all ones, and e2m1fn none.
  bool isFinite;
  bool hasNaN = true;

  int bias() const { return (1 << (exponentBits - 1)) - 1; }
};
} // namespace

static constexpr FloatFormat half = {5, 10, false};
static constexpr FloatFormat bfloat = {8, 7, false};
static constexpr FloatFormat e4m3 = {4, 3, true};
static constexpr FloatFormat e5m2 = {5, 2, false};
static constexpr FloatFormat e2m1 = {2, 1, true, /*hasNaN=*/false};

static double decode(const FloatFormat &format, uint32_t bits) {
  int width = format.exponentBits + format.mantissaBits;
  uint32_t mantissa = bits & ((1u << format.mantissaBits) - 1);
  uint32_t allOnes = (1u << format.exponentBits) - 1;
  uint32_t exponent = (bits >> format.mantissaBits) & allOnes;
  double sign = (bits >> width) & 1 ? -1 : 1;
  if (format.isFinite) {
    if (format.hasNaN && exponent == allOnes &&
        mantissa == (1u << format.mantissaBits) - 1)
      return std::nan("");
  } else if (exponent == allOnes) {
    return mantissa ? std::nan("") : sign * INFINITY;
  }
  int scale = int(exponent) - format.bias() - format.mantissaBits;
  if (exponent == 0)
    return sign * std::ldexp(double(mantissa), scale + 1);
  return sign *
         std::ldexp(double(mantissa + (1u << format.mantissaBits)), scale);
}

/// Rounds to nearest even; values beyond the largest finite one become it.
static uint32_t encode(const FloatFormat &format, double value) {
  uint32_t sign = std::signbit(value);
  int width = format.exponentBits + format.mantissaBits;
  uint32_t largest =
      format.isFinite
          ? (1u << width) - (format.hasNaN ? 2 : 1)
          : (((1u << format.exponentBits) - 1) << format.mantissaBits) - 1;
  uint32_t nan = (1u << width) - 1;
  if (std::isnan(value))
    return nan;
  double magnitude = std::fabs(value);
  int exponent;
  std::frexp(magnitude, &exponent);
  int unit = std::max(exponent - 1, 1 - format.bias()) - format.mantissaBits;
  // Counted in units of the last place, magnitude is an integer plus a rest.
  double units = std::nearbyint(std::ldexp(magnitude, -unit));
  uint32_t bits;
  if (magnitude >= decode(format, largest)) {
    bits = largest;
  } else {
    int biased = unit + format.mantissaBits + format.bias();
    bits = uint32_t(units) + (uint32_t(biased - 1) << format.mantissaBits);
  }
  return bits | sign << width;
}

/// e8m0: a power of two without sign, rounded up; all ones is NaN.
static double decodeScale(uint8_t code) {
  return code == 255 ? std::nan("") : std::ldexp(1.0, code - 127);
}

static uint8_t encodeScale(double value) {
  if (std::isnan(value))
    return 255;
  int exponent;
  double mantissa = std::frexp(value, &exponent);
  if (!(value > 0))
    return 0;
  if (std::isinf(value))
    return 254;
  int power = mantissa == 0.5 ? exponent - 1 : exponent;
  return uint8_t(std::min(std::max(power + 127, 0), 254));
}

static const FloatFormat *narrowFormat(int32_t dtype) {
  switch (dtype) {
  case OG_DTYPE_HALF:
    return &half;
  case OG_DTYPE_BFLOAT16:
    return &bfloat;
  case OG_DTYPE_FP8_E4M3:
    return &e4m3;
  case OG_DTYPE_FP8_E5M2:
    return &e5m2;
  case OG_DTYPE_FP4_E2M1:
    return &e2m1;
  default:
    return nullptr;
  }
}

//===----------------------------------------------------------------------===//
// All dtypes
//===----------------------------------------------------------------------===//

unsigned opgraph::cli::elementBits(int32_t dtype) {
  int bits = og_dtype_bits(og_dtype(dtype));
  if (bits < 4)
    throw Failure(ExitUnsupported, std::string("dtype ") +
                                       og_dtype_name(og_dtype(dtype)) +
                                       " is not served by the command line");
  return bits;
}

size_t opgraph::cli::elementBytes(int32_t dtype) {
  return (elementBits(dtype) + 7) / 8;
}

bool opgraph::cli::isFloat(int32_t dtype) {
  return dtype == OG_DTYPE_FLOAT || dtype == OG_DTYPE_DOUBLE ||
         dtype == OG_DTYPE_FP8_E8M0 || narrowFormat(dtype);
}

template <typename T>
static T load(const void *from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

double opgraph::cli::readElement(int32_t dtype, const void *from) {
  if (const FloatFormat *format = narrowFormat(dtype))
    return decode(*format, elementBytes(dtype) == 2 ? load<uint16_t>(from)
                                                    : load<uint8_t>(from));
  switch (dtype) {
  case OG_DTYPE_FLOAT:
    return load<float>(from);
  case OG_DTYPE_DOUBLE:
    return load<double>(from);
  case OG_DTYPE_INT8:
    return load<int8_t>(from);
  case OG_DTYPE_UINT8:
    return load<uint8_t>(from);
  case OG_DTYPE_INT32:
    return load<int32_t>(from);
  case OG_DTYPE_INT64:
    return double(load<int64_t>(from));
  case OG_DTYPE_FP8_E8M0:
    return decodeScale(load<uint8_t>(from));
  case OG_DTYPE_INT4:
    // The low half, as a signed number.
    return int((load<uint8_t>(from) & 15) ^ 8) - 8;
  default:
    return load<uint8_t>(from) != 0;
  }
}

template <typename T>
static void store(void *to, T value) {
  std::memcpy(to, &value, sizeof(T));
}

void opgraph::cli::writeElement(int32_t dtype, double value, void *to) {
  if (const FloatFormat *format = narrowFormat(dtype)) {
    uint32_t bits = encode(*format, value);
    return elementBytes(dtype) == 2 ? store(to, uint16_t(bits))
                                    : store(to, uint8_t(bits));
  }
  switch (dtype) {
  case OG_DTYPE_FLOAT:
    return store(to, float(value));
  case OG_DTYPE_DOUBLE:
    return store(to, value);
  case OG_DTYPE_INT8:
    return store(to, int8_t(value));
  case OG_DTYPE_UINT8:
    return store(to, uint8_t(value));
  case OG_DTYPE_INT32:
    return store(to, int32_t(value));
  case OG_DTYPE_INT64:
    return store(to, int64_t(value));
  case OG_DTYPE_FP8_E8M0:
    return store(to, encodeScale(value));
  case OG_DTYPE_INT4:
    return store(to, uint8_t(int(value) & 15));
  default:
    return store(to, uint8_t(value != 0));
  }
}

double opgraph::cli::relativeTolerance(int32_t dtype) {
  switch (dtype) {
  case OG_DTYPE_DOUBLE:
    return 1e-11;
  case OG_DTYPE_FLOAT:
    return 1e-5;
  case OG_DTYPE_HALF:
    return 4e-3;
  case OG_DTYPE_BFLOAT16:
    return 3e-2;
  case OG_DTYPE_FP8_E4M3:
    return 0.13;
  case OG_DTYPE_FP8_E5M2:
    return 0.26;
  case OG_DTYPE_FP4_E2M1:
    return 0.5;
  case OG_DTYPE_FP8_E8M0:
    return 1;
  default:
    return 0;
  }
}

std::string opgraph::cli::dtypeText(int32_t dtype) {
  std::string text = og_dtype_name(og_dtype(dtype));
  for (char &c : text)
    c = char(std::tolower(c));
  return text;
}
