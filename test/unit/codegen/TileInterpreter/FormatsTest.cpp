//===- FormatsTest.cpp - Rounding of every element format -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expected values come from the formats' definitions: a value is sign * 2^e *
// (1 + m / 2^M), and rounding finds the nearest code, the even one in a tie.
//===----------------------------------------------------------------------===//
#include "codegen/TileInterpreter/Formats.h"
#include "gtest/gtest.h"

#include <cmath>
#include <limits>
#include <vector>

using namespace opgraph::tile::interp;

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();

struct Definition {
  Format format;
  int exponentBits, mantissaBits;
  bool hasInfinity;
  /// Codes without sign that are NaN begin here.
  unsigned firstNaN;
  bool saturates;
};

const Definition definitions[] = {
    {Format::F16, 5, 10, true, 0x7c01, false},
    {Format::BF16, 8, 7, true, 0x7f81, false},
    {Format::E4M3, 4, 3, false, 0x7f, true},
    {Format::E5M2, 5, 2, true, 0x7d, true},
    {Format::E2M1, 2, 1, false, 8, true},
};

/// The value of a code without sign.
double valueOf(const Definition &d, unsigned code) {
  unsigned mantissa = code % (1u << d.mantissaBits);
  int exponent = int(code >> d.mantissaBits);
  int bias = (1 << (d.exponentBits - 1)) - 1;
  if (code >= d.firstNaN)
    return std::nan("");
  if (d.hasInfinity && code == d.firstNaN - 1)
    return infinity;
  double fraction = mantissa / std::pow(2.0, d.mantissaBits);
  return exponent == 0 ? std::pow(2.0, 1 - bias) * fraction
                       : std::pow(2.0, exponent - bias) * (1 + fraction);
}

unsigned codes(const Definition &d) {
  return 1u << (d.exponentBits + d.mantissaBits);
}

/// The last code of a finite value.
unsigned lastFinite(const Definition &d) {
  return std::min(codes(d), d.firstNaN) - (d.hasInfinity ? 2 : 1);
}

TEST(FormatsTest, DecodesEveryCode) {
  for (const Definition &d : definitions)
    for (unsigned code = 0; code < codes(d); ++code) {
      double expected = valueOf(d, code);
      double positive = decode(d.format, code);
      double negative = decode(d.format, code | codes(d));
      if (std::isnan(expected)) {
        EXPECT_TRUE(std::isnan(positive) && std::isnan(negative));
        continue;
      }
      EXPECT_EQ(positive, expected) << nameOf(d.format).str() << code;
      EXPECT_EQ(negative, -expected);
      EXPECT_TRUE(std::signbit(negative));
    }
}

TEST(FormatsTest, EncodesEveryValue) {
  for (const Definition &d : definitions)
    for (unsigned code = 0; code <= lastFinite(d); ++code)
      for (unsigned sign : {0u, codes(d)}) {
        double value = decode(d.format, code | sign);
        EXPECT_EQ(encode(d.format, value), code | sign);
        EXPECT_EQ(roundTo(d.format, value), value);
      }
}

TEST(FormatsTest, RoundsToNearestEven) {
  for (const Definition &d : definitions)
    for (unsigned code = 0; code < lastFinite(d); ++code) {
      double low = valueOf(d, code), high = valueOf(d, code + 1);
      double middle = (low + high) / 2;
      EXPECT_EQ(roundTo(d.format, middle), code % 2 ? high : low);
      EXPECT_EQ(roundTo(d.format, -middle), code % 2 ? -high : -low);
      EXPECT_EQ(roundTo(d.format, std::nextafter(middle, 0)), low);
      EXPECT_EQ(roundTo(d.format, std::nextafter(middle, infinity)), high);
    }
}

TEST(FormatsTest, TreatsOverflowAsTheHardwareDoes) {
  for (const Definition &d : definitions) {
    double largest = valueOf(d, lastFinite(d));
    double step = largest - valueOf(d, lastFinite(d) - 1);
    double beyond = d.saturates ? largest : infinity;
    EXPECT_EQ(roundTo(d.format, largest + step * 0.49), largest);
    EXPECT_EQ(roundTo(d.format, largest + step / 2), beyond);
    EXPECT_EQ(roundTo(d.format, infinity), beyond);
    EXPECT_EQ(roundTo(d.format, -1e300), -beyond);
  }
  EXPECT_EQ(roundTo(Format::E2M1, std::nan("")), 6);
  EXPECT_TRUE(std::isnan(roundTo(Format::E4M3, std::nan(""))));
  EXPECT_TRUE(
      std::isnan(decode(Format::F16, encode(Format::F16, std::nan("")))));
}

TEST(FormatsTest, ScalesArePowersOfTwoRoundedUp) {
  for (unsigned code = 0; code < 255; ++code) {
    double value = std::pow(2.0, int(code) - 127);
    EXPECT_EQ(decode(Format::E8M0, code), value);
    EXPECT_EQ(encode(Format::E8M0, value), code);
    if (code < 254)
      EXPECT_EQ(encode(Format::E8M0, value * 1.0001), code + 1);
  }
  EXPECT_TRUE(std::isnan(decode(Format::E8M0, 255)));
  EXPECT_EQ(encode(Format::E8M0, std::nan("")), 255u);
  EXPECT_EQ(encode(Format::E8M0, 0), 0u);
  EXPECT_EQ(encode(Format::E8M0, infinity), 254u);
}

TEST(FormatsTest, RoundsToTF32) {
  float one = 1, unit = std::ldexp(1.0f, -10);
  EXPECT_EQ(roundTo(Format::TF32, one + unit / 2), one);
  EXPECT_EQ(roundTo(Format::TF32, one + unit * 3 / 2), one + 2 * unit);
  EXPECT_EQ(roundTo(Format::TF32, std::numeric_limits<float>::max()), infinity);
  EXPECT_EQ(cutToTF32(one + unit * 1.75f), one + unit);
}

TEST(FormatsTest, RoundsArraysAsSingleValues) {
  std::vector<float> values;
  for (unsigned i = 0; i < 1u << 16; ++i)
    values.push_back(float(decode(Format::F32, uint64_t(i) << 16 | i)));
  for (Format format :
       {Format::F32, Format::TF32, Format::F16, Format::BF16, Format::E4M3}) {
    std::vector<float> rounded = values;
    roundArray(format, rounded.data(), int64_t(rounded.size()));
    for (size_t i = 0; i < values.size(); ++i) {
      auto expected = float(roundTo(format, values[i]));
      if (std::isnan(expected))
        EXPECT_TRUE(std::isnan(rounded[i]));
      else
        EXPECT_EQ(rounded[i], expected) << nameOf(format).str();
    }
  }
}

TEST(FormatsTest, KeepsMemory) {
  uint8_t bytes[8] = {};
  storeFloat(Format::BF16, 1.5f, bytes);
  EXPECT_EQ(bytes[0], 0xc0);
  EXPECT_EQ(bytes[1], 0x3f);
  EXPECT_EQ(loadFloat(Format::BF16, bytes), 1.5f);
  storeInteger(Format::I16, -2, bytes);
  EXPECT_EQ(loadInteger(Format::I16, bytes), -2);
  bytes[0] = 7;
  EXPECT_EQ(loadInteger(Format::I1, bytes), 1);
  EXPECT_EQ(wrapInteger(Format::I8, 200), -56);
  EXPECT_EQ(wrapInteger(Format::I1, 3), 1);
}
} // namespace
