//===- MatrixProduct.cpp - What a tensor core computes --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "codegen/TileInterpreter/MatrixProduct.h"

#include <algorithm>

using namespace opgraph::tile::interp;

int64_t opgraph::tile::interp::kStep(Format format) {
  switch (bytesOf(format)) {
  case 1:
    return 32;
  case 2:
    return 16;
  case 8:
    return 4;
  default:
    return 8;
  }
}

/// The values as tensor cores read them.
static std::vector<double> read(const Numbers &from) {
  std::vector<double> values(from.count());
  for (int64_t i = 0; i < from.count(); ++i)
    values[i] =
        from.format == Format::F32 ? cutToTF32(from.floats[i]) : from.at(i);
  return values;
}

/// One row of the result, one k-step after the other.
static void multiplyRow(Numbers &d, int64_t row, const double *a,
                        const std::vector<double> &b, int64_t k, int64_t step,
                        std::vector<double> &sums) {
  int64_t n = d.cols;
  for (int64_t first = 0; first < k; first += step) {
    std::fill(sums.begin(), sums.end(), 0.0);
    for (int64_t i = first, e = std::min(k, first + step); i < e; ++i) {
      double factor = a[i];
      const double *from = b.data() + i * n;
      double *to = sums.data();
      for (int64_t j = 0; j < n; ++j)
        to[j] += factor * from[j];
    }
    if (d.format == Format::F64) {
      for (int64_t j = 0; j < n; ++j)
        d.doubles[row * n + j] += sums[j];
      continue;
    }
    float *to = d.floats.data() + row * n;
    for (int64_t j = 0; j < n; ++j)
      to[j] = float(to[j] + sums[j]);
    roundArray(d.format, to, n);
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
                                         const Numbers &b) {
  if (holderOf(d.format) == Holder::Integer)
    return multiplyIntegers(d, a, b);
  std::vector<double> as = read(a), bs = read(b), sums(d.cols);
  for (int64_t row = 0; row < d.rows; ++row)
    multiplyRow(d, row, as.data() + row * a.cols, bs, a.cols, kStep(a.format),
                sums);
}
