//===- Formats.cpp - Element formats of a GPU, on the host ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "codegen/TileInterpreter/Formats.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/ADT/bit.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

using namespace opgraph::tile::interp;

//===----------------------------------------------------------------------===//
// Properties
//===----------------------------------------------------------------------===//

namespace {
struct FormatInfo {
  const char *name;
  Holder holder;
  uint8_t bytes;
  uint8_t integerBits;
  uint8_t exponentBits, mantissaBits;
};
} // namespace

static const FormatInfo &infoOf(Format format) {
  static constexpr FormatInfo table[] = {
      {"f64", Holder::Double, 8, 0, 11, 52},
      {"f32", Holder::Float, 4, 0, 8, 23},
      {"tf32", Holder::Float, 4, 0, 8, 10},
      {"f16", Holder::Float, 2, 0, 5, 10},
      {"bf16", Holder::Float, 2, 0, 8, 7},
      {"f8E4M3FN", Holder::Float, 1, 0, 4, 3},
      {"f8E5M2", Holder::Float, 1, 0, 5, 2},
      {"f8E8M0FNU", Holder::Float, 1, 0, 8, 0},
      {"f4E2M1FN", Holder::Float, 1, 0, 2, 1},
      {"i1", Holder::Integer, 1, 1, 0, 0},
      {"i8", Holder::Integer, 1, 8, 0, 0},
      {"ui8", Holder::Integer, 1, 8, 0, 0},
      {"i16", Holder::Integer, 2, 16, 0, 0},
      {"i32", Holder::Integer, 4, 32, 0, 0},
      {"i64", Holder::Integer, 8, 64, 0, 0},
  };
  return table[static_cast<size_t>(format)];
}

Holder opgraph::tile::interp::holderOf(Format format) {
  return infoOf(format).holder;
}

unsigned opgraph::tile::interp::bytesOf(Format format) {
  return infoOf(format).bytes;
}

unsigned opgraph::tile::interp::integerBits(Format format) {
  return infoOf(format).integerBits;
}

llvm::StringRef opgraph::tile::interp::nameOf(Format format) {
  return infoOf(format).name;
}

std::optional<Format> opgraph::tile::interp::formatOf(mlir::Type type) {
  using Result = std::optional<Format>;
  return llvm::TypeSwitch<mlir::Type, Result>(type)
      .Case([](mlir::Float64Type) { return Format::F64; })
      .Case([](mlir::Float32Type) { return Format::F32; })
      .Case([](mlir::FloatTF32Type) { return Format::TF32; })
      .Case([](mlir::Float16Type) { return Format::F16; })
      .Case([](mlir::BFloat16Type) { return Format::BF16; })
      .Case([](mlir::Float8E4M3FNType) { return Format::E4M3; })
      .Case([](mlir::Float8E5M2Type) { return Format::E5M2; })
      .Case([](mlir::Float8E8M0FNUType) { return Format::E8M0; })
      .Case([](mlir::Float4E2M1FNType) { return Format::E2M1; })
      .Case([](mlir::IntegerType integer) -> Result {
        switch (integer.getWidth()) {
        case 1:
          return Format::I1;
        case 8:
          return integer.isUnsigned() ? Format::U8 : Format::I8;
        case 16:
          return Format::I16;
        case 32:
          return Format::I32;
        case 64:
          return Format::I64;
        default:
          return std::nullopt;
        }
      })
      .Default([](mlir::Type) { return std::nullopt; });
}

//===----------------------------------------------------------------------===//
// Rounding
//===----------------------------------------------------------------------===//

static double powerOfTwo(int exponent) {
  return llvm::bit_cast<double>(uint64_t(exponent + 1023) << 52);
}

static int exponentOf(double value) {
  return int(llvm::bit_cast<uint64_t>(value) >> 52 & 0x7ff) - 1023;
}

/// Rounds to `mantissaBits` behind the leading bit, or to multiples of the
/// format's least number. A sum with 1.5 * 2^52 units drops what lies below
/// the unit, and the host's addition is to nearest even.
static double roundMantissa(const FormatInfo &info, double value) {
  int bias = (1 << (info.exponentBits - 1)) - 1;
  int exponent = std::max(exponentOf(value), 1 - bias);
  double shift = 1.5 * powerOfTwo(exponent - info.mantissaBits + 52);
  double rounded = (value + shift) - shift;
  // The sum of a number that rounds to 0 has lost its sign.
  return std::copysign(rounded, value);
}

static double largestOf(Format format) {
  switch (format) {
  case Format::E4M3:
    return 448;
  case Format::E5M2:
    return 57344;
  case Format::E2M1:
    return 6;
  case Format::F16:
    return 65504;
  default: { // exponents as of f32
    const FormatInfo &info = infoOf(format);
    return (2 - powerOfTwo(-info.mantissaBits)) * powerOfTwo(127);
  }
  }
}

/// A power of two, rounded up; what is not positive becomes the least one.
static double roundScale(double value) {
  if (std::isnan(value))
    return value;
  if (value <= powerOfTwo(-127))
    return powerOfTwo(-127);
  if (value > powerOfTwo(127))
    return powerOfTwo(127);
  int exponent = exponentOf(value);
  bool exact = powerOfTwo(exponent) == value;
  return powerOfTwo(exact ? exponent : exponent + 1);
}

double opgraph::tile::interp::roundTo(Format format, double value) {
  switch (format) {
  case Format::F64:
    return value;
  case Format::F32:
    return float(value);
  case Format::E8M0:
    return roundScale(value);
  case Format::E2M1:
    if (std::isnan(value))
      return 6;
    break;
  default:
    break;
  }
  if (std::isnan(value) || value == 0)
    return value;
  double largest = largestOf(format);
  bool saturates = infoOf(format).bytes == 1;
  if (std::isinf(value))
    return saturates ? std::copysign(largest, value) : value;
  double rounded = roundMantissa(infoOf(format), value);
  if (std::fabs(rounded) <= largest)
    return rounded;
  return std::copysign(
      saturates ? largest : std::numeric_limits<double>::infinity(), value);
}

static float roundBF16(float value) {
  uint32_t bits = llvm::bit_cast<uint32_t>(value);
  if (std::isnan(value))
    return value;
  bits += 0x7fff + (bits >> 16 & 1);
  return llvm::bit_cast<float>(bits & 0xffff0000);
}

void opgraph::tile::interp::roundArray(Format format, float *values,
                                       int64_t count) {
  if (format == Format::F32)
    return;
  if (format == Format::BF16) {
    for (int64_t i = 0; i < count; ++i)
      values[i] = roundBF16(values[i]);
    return;
  }
  for (int64_t i = 0; i < count; ++i)
    values[i] = float(roundTo(format, values[i]));
}

float opgraph::tile::interp::cutToTF32(float value) {
  return llvm::bit_cast<float>(llvm::bit_cast<uint32_t>(value) & 0xffffe000);
}

int64_t opgraph::tile::interp::wrapInteger(Format format, int64_t value) {
  unsigned bits = integerBits(format);
  if (bits == 1)
    return value & 1;
  if (bits == 64)
    return value;
  if (format == Format::U8)
    return value & 0xff;
  unsigned unused = 64 - bits;
  return int64_t(uint64_t(value) << unused) >> unused;
}

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

static uint64_t encodeScale(double value) {
  return std::isnan(value) ? 255 : exponentOf(roundScale(value)) + 127;
}

/// Bits of a NaN: all ones but the sign, which every format here takes for
/// one (f8E4M3FN has no other).
static uint64_t nanOf(const FormatInfo &info) {
  if (info.bytes == 1)
    return (1u << (info.exponentBits + info.mantissaBits)) - 1;
  uint64_t exponent = (uint64_t(1) << info.exponentBits) - 1;
  return exponent << info.mantissaBits | uint64_t(1) << (info.mantissaBits - 1);
}

uint64_t opgraph::tile::interp::encode(Format format, double value) {
  if (format == Format::F64)
    return llvm::bit_cast<uint64_t>(value);
  if (format == Format::E8M0)
    return encodeScale(value);
  value = roundTo(format, value);
  // tf32 is an f32 in memory.
  if (format == Format::F32 || format == Format::TF32)
    return llvm::bit_cast<uint32_t>(float(value));
  const FormatInfo &info = infoOf(format);
  int width = info.exponentBits + info.mantissaBits;
  uint64_t sign = uint64_t(std::signbit(value)) << width;
  if (std::isnan(value))
    return nanOf(info) | sign;
  uint64_t allOnes = (uint64_t(1) << info.exponentBits) - 1;
  if (std::isinf(value))
    return allOnes << info.mantissaBits | sign;
  if (value == 0)
    return sign;
  int bias = (1 << (info.exponentBits - 1)) - 1;
  int exponent = std::max(exponentOf(value), 1 - bias);
  auto units =
      uint64_t(std::ldexp(std::fabs(value), info.mantissaBits - exponent));
  // The leading bit, where there is one, adds 1 to the exponent.
  return (units + (uint64_t(exponent + bias - 1) << info.mantissaBits)) | sign;
}

double opgraph::tile::interp::decode(Format format, uint64_t bits) {
  if (format == Format::F64)
    return llvm::bit_cast<double>(bits);
  if (format == Format::F32 || format == Format::TF32)
    return llvm::bit_cast<float>(uint32_t(bits));
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  if (format == Format::E8M0)
    return bits == 255 ? nan : powerOfTwo(int(bits) - 127);
  const FormatInfo &info = infoOf(format);
  int width = info.exponentBits + info.mantissaBits;
  uint64_t mantissaMask = (uint64_t(1) << info.mantissaBits) - 1;
  uint64_t allOnes = (uint64_t(1) << info.exponentBits) - 1;
  uint64_t mantissa = bits & mantissaMask;
  uint64_t exponent = bits >> info.mantissaBits & allOnes;
  double sign = bits >> width & 1 ? -1 : 1;
  bool hasInfinity = format != Format::E4M3 && format != Format::E2M1;
  if (exponent == allOnes && hasInfinity)
    return mantissa ? std::copysign(nan, sign)
                    : sign * std::numeric_limits<double>::infinity();
  if (format == Format::E4M3 && exponent == allOnes && mantissa == mantissaMask)
    return std::copysign(nan, sign);
  int bias = (1 << (info.exponentBits - 1)) - 1;
  if (exponent == 0)
    return sign * std::ldexp(double(mantissa), 1 - bias - info.mantissaBits);
  return sign * std::ldexp(double(mantissa | (mantissaMask + 1)),
                           int(exponent) - bias - info.mantissaBits);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

template <typename T>
static T read(const void *from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

template <typename T>
static void write(void *to, T value) {
  std::memcpy(to, &value, sizeof(T));
}

float opgraph::tile::interp::loadFloat(Format format, const void *from) {
  switch (bytesOf(format)) {
  case 4:
    return read<float>(from);
  case 2: {
    auto bits = read<uint16_t>(from);
    if (format == Format::BF16)
      return llvm::bit_cast<float>(uint32_t(bits) << 16);
    return float(decode(format, bits));
  }
  default:
    return float(decode(format, read<uint8_t>(from)));
  }
}

double opgraph::tile::interp::loadDouble(Format format, const void *from) {
  return format == Format::F64 ? read<double>(from) : loadFloat(format, from);
}

int64_t opgraph::tile::interp::loadInteger(Format format, const void *from) {
  switch (format) {
  case Format::I1:
    return read<uint8_t>(from) != 0;
  case Format::I8:
    return read<int8_t>(from);
  case Format::U8:
    return read<uint8_t>(from);
  case Format::I16:
    return read<int16_t>(from);
  case Format::I32:
    return read<int32_t>(from);
  default:
    return read<int64_t>(from);
  }
}

void opgraph::tile::interp::storeFloat(Format format, float value, void *to) {
  if (format == Format::F32)
    return write(to, value);
  if (format == Format::BF16 && !std::isnan(value))
    return write(to,
                 uint16_t(llvm::bit_cast<uint32_t>(roundBF16(value)) >> 16));
  // A register that holds infinity has not been rounded to it.
  if (format == Format::E5M2 && std::isinf(value))
    return write(to, uint8_t(std::signbit(value) ? 0xfc : 0x7c));
  switch (bytesOf(format)) {
  case 4:
    return write(to, uint32_t(encode(format, value)));
  case 2:
    return write(to, uint16_t(encode(format, value)));
  default:
    return write(to, uint8_t(encode(format, value)));
  }
}

void opgraph::tile::interp::storeInteger(Format format, int64_t value,
                                         void *to) {
  switch (bytesOf(format)) {
  case 1:
    return write(to, uint8_t(value));
  case 2:
    return write(to, uint16_t(value));
  case 4:
    return write(to, uint32_t(value));
  default:
    return write(to, value);
  }
}
