//===- MatrixProduct.cpp - What a tensor core computes --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "codegen/TileInterpreter/MatrixProduct.h"
#include "llvm/ADT/bit.h"

#include <algorithm>
#include <cmath>

using namespace opgraph::tile::interp;

namespace {

/// Far below any exponent, and far enough from the least integer.
constexpr int32_t zeroExponent = -100000;
/// Bits behind the leading one that a factor's mantissa may have.
constexpr int factorBits = 10;

/// A matrix's elements as mantissa * 2^(exponent - factorBits), the leading bit
/// of a normal one being bit `factorBits`.
struct Factors {
  std::vector<int32_t> mantissas, exponents;
  /// Neither infinite nor NaN.
  bool isFinite = true;
};

/// How one instruction adds up.
struct SumRule {
  /// Bits behind the largest term's leading bit that a term keeps.
  int termBits;
  /// Mantissa bits that the sum keeps; an f16 is rounded instead.
  int sumBits;
  /// Whether the accumulator is one of the terms.
  bool holdsAccumulator;
};

/// A k-step of one row, column by column.
struct Step {
  std::vector<int64_t> sums;
  std::vector<int32_t> exponents;
};

} // namespace

static bool isFloat8(Format format) { return bytesOf(format) == 1; }

/// The least exponent of a normal number: subnormal ones keep it.
static int leastExponent(Format format) {
  switch (format) {
  case Format::F16:
  case Format::E5M2:
    return -14;
  case Format::E4M3:
    return -6;
  default:
    return -126;
  }
}

/// Columns of A that one instruction takes: 32 bytes.
static int64_t kStep(Format format) { return 32 / bytesOf(format); }

static SumRule ruleOf(Format factor, MmaKind kind) {
  if (!isFloat8(factor))
    return {25, 23, true};
  return kind == MmaKind::Async ? SumRule{13, 13, true}
                                : SumRule{25, 23, false};
}

static Factors decompose(const Numbers &from) {
  Factors factors;
  factors.mantissas.resize(from.count());
  factors.exponents.assign(from.count(), zeroExponent);
  int least = leastExponent(from.format);
  for (int64_t i = 0; i < from.count(); ++i) {
    float value =
        from.format == Format::F32 ? cutToTF32(from.floats[i]) : from.floats[i];
    if (!std::isfinite(value)) {
      factors.isFinite = false;
      return factors;
    }
    if (value == 0)
      continue;
    int exponent = std::max(std::ilogb(value), least);
    factors.exponents[i] = exponent;
    factors.mantissas[i] = int32_t(std::ldexp(value, factorBits - exponent));
  }
  return factors;
}

/// The value's leading `bits` mantissa bits, and no more.
static double cut(double value, int bits) {
  uint64_t rest = (uint64_t(1) << (52 - bits)) - 1;
  double whole =
      llvm::bit_cast<double>(llvm::bit_cast<uint64_t>(value) & ~rest);
  // An f32's subnormal numbers have fewer.
  if (std::fabs(whole) >= 0x1p-126)
    return whole;
  return std::trunc(value * 0x1p149) * 0x1p-149;
}

/// `value` * 2^shift, towards zero.
static int64_t shiftTowardsZero(int64_t value, int shift) {
  if (shift >= 0)
    return value << shift;
  int64_t magnitude = std::abs(value) >> std::min(-shift, 63);
  return value < 0 ? -magnitude : magnitude;
}

/// Products of a row's step; the exponents hold the largest one's already.
static void addProducts(const Factors &a, int64_t first, int64_t count,
                        const Factors &b, int64_t firstOfB, int64_t n,
                        const SumRule &rule, Step &step) {
  for (int64_t i = 0; i < count; ++i) {
    int64_t mantissa = a.mantissas[first + i];
    if (mantissa == 0)
      continue;
    int32_t exponent = a.exponents[first + i];
    const int32_t *mantissas = b.mantissas.data() + firstOfB + i * n;
    const int32_t *exponents = b.exponents.data() + firstOfB + i * n;
    for (int64_t j = 0; j < n; ++j) {
      int shift = exponent + exponents[j] - step.exponents[j] + rule.termBits -
                  2 * factorBits;
      step.sums[j] += shiftTowardsZero(mantissa * mantissas[j], shift);
    }
  }
}

static void findExponents(const Factors &a, int64_t first, int64_t count,
                          const Factors &b, int64_t firstOfB, int64_t n,
                          Step &step) {
  for (int64_t i = 0; i < count; ++i) {
    int32_t exponent = a.exponents[first + i];
    if (exponent == zeroExponent)
      continue;
    const int32_t *exponents = b.exponents.data() + firstOfB + i * n;
    for (int64_t j = 0; j < n; ++j)
      step.exponents[j] = std::max(step.exponents[j], exponent + exponents[j]);
  }
}

/// One instruction on one row.
static void addStep(Numbers &d, int64_t row, const Factors &a, int64_t first,
                    int64_t count, const Factors &b, int64_t firstOfB,
                    const SumRule &rule, Step &step) {
  int64_t n = d.cols;
  float *to = d.floats.data() + row * n;
  std::fill(step.sums.begin(), step.sums.end(), 0);
  std::fill(step.exponents.begin(), step.exponents.end(), zeroExponent);
  if (rule.holdsAccumulator)
    for (int64_t j = 0; j < n; ++j)
      if (to[j] != 0)
        step.exponents[j] = std::ilogb(to[j]);
  findExponents(a, first, count, b, firstOfB, n, step);
  addProducts(a, first, count, b, firstOfB, n, rule, step);
  for (int64_t j = 0; j < n; ++j) {
    int32_t exponent = step.exponents[j];
    if (exponent <= zeroExponent / 2)
      continue;
    int64_t sum = step.sums[j];
    if (rule.holdsAccumulator)
      sum += int64_t(std::ldexp(to[j], rule.termBits - exponent));
    double total = std::ldexp(double(sum), exponent - rule.termBits);
    if (d.format == Format::F16)
      to[j] = float(roundTo(Format::F16, total));
    else
      to[j] = float(cut(total, rule.sumBits) +
                    (rule.holdsAccumulator ? 0.0 : to[j]));
  }
}

/// Infinities and NaN go where IEEE arithmetic takes them.
static void multiplyAny(Numbers &d, const Numbers &a, const Numbers &b) {
  std::vector<double> sums(d.cols);
  auto read = [](const Numbers &from, int64_t i) -> double {
    return from.format == Format::F32 ? cutToTF32(from.floats[i]) : from.at(i);
  };
  int64_t n = d.cols;
  for (int64_t row = 0; row < d.rows; ++row) {
    std::fill(sums.begin(), sums.end(), 0.0);
    for (int64_t i = 0; i < a.cols; ++i)
      for (int64_t j = 0; j < n; ++j)
        sums[j] += read(a, row * a.cols + i) * read(b, i * n + j);
    for (int64_t j = 0; j < n; ++j)
      d.floats[row * n + j] =
          float(roundTo(d.format, d.floats[row * n + j] + sums[j]));
  }
}

static void multiplyIntegers(Numbers &d, const Numbers &a, const Numbers &b) {
  int64_t k = a.cols, n = d.cols;
  for (int64_t row = 0; row < d.rows; ++row)
    for (int64_t i = 0; i < k; ++i)
      for (int64_t j = 0; j < n; ++j)
        d.integers[row * n + j] = wrapInteger(
            d.format, d.integers[row * n + j] +
                          a.integers[row * k + i] * b.integers[i * n + j]);
}

void opgraph::tile::interp::multiplyInto(Numbers &d, const Numbers &a,
                                         const Numbers &b, MmaKind kind) {
  if (holderOf(d.format) == Holder::Integer)
    return multiplyIntegers(d, a, b);
  Factors left = decompose(a), right = decompose(b);
  bool isFinite = left.isFinite && right.isFinite &&
                  std::all_of(d.floats.begin(), d.floats.end(),
                              [](float x) { return std::isfinite(x); });
  if (!isFinite)
    return multiplyAny(d, a, b);
  SumRule rule = ruleOf(a.format, kind);
  int64_t k = a.cols, n = d.cols, each = kStep(a.format);
  Step step{std::vector<int64_t>(n), std::vector<int32_t>(n)};
  for (int64_t row = 0; row < d.rows; ++row)
    for (int64_t first = 0; first < k; first += each)
      addStep(d, row, left, row * k + first, std::min(each, k - first), right,
              first * n, rule, step);
}
