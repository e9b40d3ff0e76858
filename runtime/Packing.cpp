//===- Packing.cpp - Block scales in tiles of 128x4 -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "opgraph-c/runtime.h"
#include "runtime/Error.h"
#include "runtime/Layout.h"

#include <cstring>

using namespace opgraph::runtime;

namespace {

constexpr int64_t tileRows = 128, tileColumns = 4, tileBytes = 512;

long long ll(int64_t value) { return value; }

/// One matrix of scales and its tiles.
struct ScaleMatrix {
  int64_t rows, columns;

  int64_t tilesPerRow() const {
    return (columns + tileColumns - 1) / tileColumns;
  }
  /// Bytes of whole tiles; false where they are too many.
  bool computeBytes(int64_t &bytes) const {
    int64_t limit = maxSpanBytes / tileBytes;
    int64_t down = rows / tileRows + (rows % tileRows != 0);
    int64_t across = columns / tileColumns + (columns % tileColumns != 0);
    return !__builtin_mul_overflow(down, across, &bytes) && bytes <= limit &&
           !__builtin_mul_overflow(bytes, tileBytes, &bytes);
  }
  /// Byte of a scale among the tiles.
  int64_t locate(int64_t row, int64_t column) const {
    int64_t tile = row / tileRows * tilesPerRow() + column / tileColumns;
    return tile * tileBytes + row % 32 * 16 + row / 32 % 4 * 4 + column % 4;
  }
};

og_status check(const char *function, const ScaleMatrix &matrix,
                const void *from, const void *to, size_t size, int64_t &bytes) {
  if (matrix.rows < 0 || matrix.columns < 0)
    return fail(OG_INVALID_ARGUMENT,
                "%s: expected at least 0 rows and columns, got %lld and %lld",
                function, ll(matrix.rows), ll(matrix.columns));
  if (!matrix.computeBytes(bytes))
    return fail(OG_INVALID_ARGUMENT, "%s: %lld by %lld scales are too many",
                function, ll(matrix.rows), ll(matrix.columns));
  if (size < uint64_t(bytes))
    return fail(OG_INVALID_ARGUMENT,
                "%s: expected %lld bytes for the tiles of %lld by %lld scales, "
                "got %zu",
                function, ll(bytes), ll(matrix.rows), ll(matrix.columns), size);
  if (bytes && (!from || !to))
    return fail(OG_INVALID_ARGUMENT, "%s: %s is null", function,
                from ? "the result" : "the source");
  return OG_OK;
}

} // namespace

extern "C" {

og_status og_pack_scales_128x4(const void *scales, int64_t rows,
                               int64_t columns, int64_t row_stride,
                               int64_t column_stride, void *tiles,
                               size_t tiles_size) {
  ScaleMatrix matrix = {rows, columns};
  int64_t bytes = 0;
  if (og_status status = check("og_pack_scales_128x4", matrix, scales, tiles,
                               tiles_size, bytes))
    return status;
  // No elements, but maybe as many rows as there are numbers.
  if (!bytes)
    return OG_OK;
  auto *from = static_cast<const unsigned char *>(scales);
  auto *to = static_cast<unsigned char *>(tiles);
  std::memset(to, 0, bytes);
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column)
      to[matrix.locate(row, column)] =
          from[row * row_stride + column * column_stride];
  return OG_OK;
}

og_status og_unpack_scales_128x4(const void *tiles, size_t tiles_size,
                                 int64_t rows, int64_t columns,
                                 int64_t row_stride, int64_t column_stride,
                                 void *scales) {
  ScaleMatrix matrix = {rows, columns};
  int64_t bytes = 0;
  if (og_status status = check("og_unpack_scales_128x4", matrix, tiles, scales,
                               tiles_size, bytes))
    return status;
  // No elements, but maybe as many rows as there are numbers.
  if (!bytes)
    return OG_OK;
  auto *from = static_cast<const unsigned char *>(tiles);
  auto *to = static_cast<unsigned char *>(scales);
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column)
      to[row * row_stride + column * column_stride] =
          from[matrix.locate(row, column)];
  return OG_OK;
}
}
