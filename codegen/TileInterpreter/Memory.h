//===- Memory.h - Memory of a GPU, byte by byte -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_TILEINTERPRETER_MEMORY_H
#define OPGRAPH_CODEGEN_TILEINTERPRETER_MEMORY_H

#include "codegen/TileInterpreter/Clocks.h"
#include "codegen/TileInterpreter/Formats.h"
#include "codegen/TileInterpreter/Values.h"

#include <memory>
#include <string>
#include <unordered_map>

namespace opgraph::tile::interp {

/// How a shared tile lies in memory. Axes before the last two are tiles one
/// behind the other; a swizzled tile's columns are cut into planes.
struct SharedLayout {
  Format format = Format::F32;
  llvm::SmallVector<int64_t, 4> leading;
  int64_t rows = 1, cols = 1;
  /// Bytes of a plane's row (32, 64 or 128); 0 without swizzle.
  int64_t span = 0;
  /// Rows from one plane to the next.
  int64_t planeRows = 0;
  /// Bytes behind each row, without swizzle.
  int64_t pad = 0;

  int64_t elementBytes() const { return bytesOf(format); }
  int64_t planes() const { return span ? cols * elementBytes() / span : 1; }
  /// Bytes from one row to the next (of a plane, if swizzled).
  int64_t pitch() const { return span ? span : cols * elementBytes() + pad; }
  /// Bytes of rows and columns.
  int64_t matrixBytes() const {
    return span ? planes() * planeRows * span : rows * pitch();
  }
  int64_t bytes() const {
    int64_t total = matrixBytes();
    for (int64_t extent : leading)
      total *= extent;
    return total;
  }
  /// What the base must be a multiple of.
  int64_t alignment() const { return span ? 8 * span : 16; }
  /// Where an element lies, from the base, before the swizzle.
  int64_t plainOffset(int64_t row, int64_t col) const;
  /// ... after it.
  int64_t offset(int64_t row, int64_t col) const {
    return swizzle(plainOffset(row, col));
  }
  /// ... of a row counted over the leading axes too.
  int64_t offsetOfRow(int64_t row, int64_t col) const {
    return row / rows * matrixBytes() + offset(row % rows, col);
  }
  int64_t allRows() const {
    int64_t total = rows;
    for (int64_t extent : leading)
      total *= extent;
    return total;
  }
  /// Permutes the 16-byte chunks of a row: the row's low bits are added in.
  int64_t swizzle(int64_t plain) const {
    if (span == 0)
      return plain;
    // Rows are span bytes, but the pattern repeats every 8 * 128 bytes.
    int64_t phase = plain / 128 % (span / 16);
    return plain ^ phase * 16;
  }
};

/// Bytes of shared memory that mbarriers have.
constexpr uint16_t mbarrierAllocation = 0xffff;

/// The shared memory of a CTA.
class SharedMemory {
public:
  /// `granularity`: bytes of a shadow's cell, no more than any element has.
  SharedMemory(int64_t size, int64_t granularity)
      : bytes(size, 0xff), cells(size / granularity + 1),
        owners(size / granularity + 1), granularity(granularity) {}

  int64_t size() const { return int64_t(bytes.size()); }
  uint8_t *at(int64_t offset) { return bytes.data() + offset; }
  /// The cells of `count` bytes from `offset` on.
  llvm::MutableArrayRef<Shadow> shadow(int64_t offset, int64_t count) {
    int64_t first = offset / granularity;
    int64_t last = (offset + count - 1) / granularity;
    return llvm::MutableArrayRef<Shadow>(cells).slice(first, last - first + 1);
  }
  /// Through which allocation each of these cells was written last.
  llvm::MutableArrayRef<uint16_t> writers(int64_t offset, int64_t count) {
    int64_t first = offset / granularity;
    int64_t last = (offset + count - 1) / granularity;
    return llvm::MutableArrayRef<uint16_t>(owners).slice(first,
                                                         last - first + 1);
  }

private:
  std::vector<uint8_t> bytes;
  std::vector<Shadow> cells;
  std::vector<uint16_t> owners;
  int64_t granularity;
};

/// An operand of the kernel, or its workspace.
class GlobalBuffer {
public:
  GlobalBuffer(std::string name, int64_t size, int64_t granularity,
               Islands islands)
      : name(std::move(name)), granularity(granularity), islands(islands),
        bytes(size, 0xff), written(size / granularity + 1) {}

  /// Nobody writes it while the kernel runs, so reads are not tracked.
  bool isReadonly = false;

  const std::string &getName() const { return name; }
  int64_t size() const { return int64_t(bytes.size()); }
  int64_t getGranularity() const { return granularity; }
  uint8_t *at(int64_t offset) { return bytes.data() + islands.placeOf(offset); }
  const std::vector<uint8_t> &getBytes() const { return bytes; }
  const Islands &getIslands() const { return islands; }

  bool contains(int64_t offset, int64_t count) const {
    return offset >= 0 && islands.holds(offset, count) && count <= size() &&
           islands.placeOf(offset) <= size() - count;
  }
  bool isWritten(int64_t offset) const { return written[getCell(offset)]; }
  void setWritten(int64_t offset, int64_t count) {
    for (int64_t i = getCell(offset), e = getCell(offset + count - 1); i <= e;
         ++i)
      written[i] = true;
  }
  /// The cell at `offset`; cells are made a page at a time, most buffers being
  /// larger than what is tracked.
  Shadow &shadow(int64_t offset);

private:
  int64_t getCell(int64_t offset) const {
    return islands.placeOf(offset) / granularity;
  }

  static constexpr int64_t pageCells = 1024;
  std::string name;
  int64_t granularity;
  Islands islands;
  std::vector<uint8_t> bytes;
  std::vector<bool> written;
  std::unordered_map<int64_t, std::unique_ptr<Shadow[]>> pages;
};

/// A tensor map: what TMA knows of a tensor. Axes outermost first.
struct TensorMapModel {
  GlobalBuffer *buffer = nullptr;
  int64_t offset = 0;
  Format format = Format::BF16;
  llvm::SmallVector<int64_t, 5> extents;
  /// In bytes; the last is the element's size.
  llvm::SmallVector<int64_t, 5> strides;
  llvm::SmallVector<int64_t, 5> box;
  /// Of im2col, for each axis between images and channels; else empty.
  llvm::SmallVector<int64_t, 3> lower, upper, steps;
  /// A copy in memory, not usable by copies until published.
  bool isStale = false;

  /// Byte offset in the buffer of the box's element (row, col), rows counting
  /// all axes but the last; -1 outside of the tensor.
  int64_t locate(llvm::ArrayRef<int64_t> corner, int64_t row,
                 int64_t col) const;
  /// Coordinates of a box's pixels, from `corner` on, with the filter's offsets
  /// added; false where `corner` is not between the map's corners.
  using Pixel = llvm::SmallVector<int64_t, 5>;
  bool walk(llvm::ArrayRef<int64_t> corner, llvm::ArrayRef<int64_t> offsets,
            std::vector<Pixel> &pixels) const;
  /// Byte offset of an element; -1 outside of the tensor.
  int64_t locate(llvm::ArrayRef<int64_t> coordinates) const;
  bool isIm2col() const { return !steps.empty(); }
  int64_t boxRows() const;
  int64_t boxCols() const { return box.back(); }
};

} // namespace opgraph::tile::interp

#endif // OPGRAPH_CODEGEN_TILEINTERPRETER_MEMORY_H
