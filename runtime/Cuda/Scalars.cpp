//===- Scalars.cpp - By-value operands as kernel parameters ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/Cuda/Scalars.h"

#include <cmath>
#include <cstring>

using namespace opgraph::runtime::cuda;
namespace fb = opgraph::planfile::fb;

namespace {

/// A number: exact, whichever of the two it is.
struct Number {
  bool isInteger;
  int64_t integer;
  double real;
};

template <typename T>
T load(const void *source) {
  T value;
  std::memcpy(&value, source, sizeof(T));
  return value;
}

double fromBFloat16(uint16_t bits) {
  uint32_t wide = uint32_t(bits) << 16;
  return load<float>(&wide);
}

double fromHalf(uint16_t bits) {
  int exponent = bits >> 10 & 31;
  double fraction = bits & 1023;
  double value;
  if (exponent == 31)
    value = fraction != 0 ? NAN : INFINITY;
  else if (exponent == 0)
    value = std::ldexp(fraction, -24);
  else
    value = std::ldexp(fraction + 1024, exponent - 25);
  return bits & 0x8000 ? -value : value;
}

Number integer(int64_t value) { return {true, value, 0}; }
Number real(double value) { return {false, 0, value}; }

Number read(og_dtype dtype, const void *source) {
  switch (dtype) {
  case OG_DTYPE_FLOAT:
    return real(load<float>(source));
  case OG_DTYPE_DOUBLE:
    return real(load<double>(source));
  case OG_DTYPE_HALF:
    return real(fromHalf(load<uint16_t>(source)));
  case OG_DTYPE_BFLOAT16:
    return real(fromBFloat16(load<uint16_t>(source)));
  case OG_DTYPE_INT8:
    return integer(load<int8_t>(source));
  case OG_DTYPE_UINT8:
    return integer(load<uint8_t>(source));
  case OG_DTYPE_BOOLEAN:
    return integer(load<uint8_t>(source) != 0);
  case OG_DTYPE_INT32:
    return integer(load<int32_t>(source));
  default:
    return integer(load<int64_t>(source));
  }
}

/// Towards zero, clamped to [least, greatest], NaN to 0.
int64_t toInteger(const Number &number, int64_t least, int64_t greatest) {
  if (number.isInteger)
    return number.integer < least      ? least
           : number.integer > greatest ? greatest
                                       : number.integer;
  double value = number.real;
  if (std::isnan(value))
    return 0;
  // 2^63 - 1 as a double is 2^63, the first value that does not fit.
  if (value <= double(least))
    return least;
  return value >= double(greatest) ? greatest : int64_t(value);
}

template <typename T>
uint64_t store(T value) {
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  return bits;
}

} // namespace

bool opgraph::runtime::cuda::isScalarDtype(og_dtype dtype) {
  switch (dtype) {
  case OG_DTYPE_FLOAT:
  case OG_DTYPE_DOUBLE:
  case OG_DTYPE_HALF:
  case OG_DTYPE_BFLOAT16:
  case OG_DTYPE_INT8:
  case OG_DTYPE_UINT8:
  case OG_DTYPE_BOOLEAN:
  case OG_DTYPE_INT32:
  case OG_DTYPE_INT64:
    return true;
  default:
    return false;
  }
}

uint64_t opgraph::runtime::cuda::convertScalar(og_dtype dtype,
                                               const void *source,
                                               fb::ArgType type) {
  Number number = read(dtype, source);
  switch (type) {
  case fb::ArgType_F32:
    return number.isInteger ? store(float(number.integer))
                            : store(float(number.real));
  case fb::ArgType_F64:
    return number.isInteger ? store(double(number.integer))
                            : store(number.real);
  case fb::ArgType_I64:
    return store(toInteger(number, INT64_MIN, INT64_MAX));
  default:
    return store(int32_t(toInteger(number, INT32_MIN, INT32_MAX)));
  }
}
