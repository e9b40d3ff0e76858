//===- Space.h - Rows and columns of a kernel's iteration -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The iteration of a kernel as rows of columns. Axes that lie behind one
// another in every buffer are one; where one axis of rows (of columns) is left,
// elements are addressed by it, else coordinates are divided out.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_LEGALIZE_NVPTX_POINTWISE_SPACE_H
#define OPGRAPH_PASSES_LEGALIZE_NVPTX_POINTWISE_SPACE_H

#include "dialects/Tile/TileDialect.h"
#include "passes/Legalize/NVPTX/Pointwise/Partition.h"

namespace opgraph::legalize::nvptx {

/// Bytes of a vector access: 16 a thread in flight is what reaches the speed of
/// a copy on the H200.
inline constexpr int64_t kVectorBytes = 16;

/// A buffer that a kernel reads or writes.
struct Buffer {
  /// A value of the graph; none for the portions of a reduction.
  mlir::Value value;
  /// The operand of the plan (arguments, then results) whose memory it is; -1
  /// for workspace.
  int64_t operand = -1;
  int64_t workspaceOffset = 0;
  /// Bytes from the operand's start.
  int64_t operandOffset = 0;
  mlir::Type elementType;
  /// Of the axes of the kernel's shape, in elements; 0 where it is broadcast.
  Shape strides;
  /// Bytes that the address is known to be a multiple of.
  int64_t alignment = 1;
  bool isWritten = false;

  /// Of one element, as it is stored.
  int64_t getElementBytes() const;
};

/// One axis, or several that are one.
struct SpaceAxis {
  int64_t extent = 1;
  /// Stride of each buffer.
  llvm::SmallVector<int64_t> strides;
  /// The axes of the kernel's shape that it is.
  llvm::SmallVector<unsigned> axes;

  /// Whether one stride, that of the last of the axes, makes all of `steps`,
  /// which are of the kernel's axes, as `shape` is.
  bool isPacked(llvm::ArrayRef<int64_t> steps,
                llvm::ArrayRef<int64_t> shape) const;
};

struct Space {
  /// Slowest first; none for extents of 1 only.
  llvm::SmallVector<SpaceAxis> rows, columns;
  int64_t numRows = 1, numColumns = 1;

  /// Neighbours in memory are neighbouring rows, as in the sum of a matrix's
  /// rows: vectors are along the rows, and columns are the rows of register
  /// tiles.
  bool isAcross = false;

  /// Inputs, by their number, whose neighbours in memory are neighbouring rows
  /// of an elementwise kernel: they are read along the rows and change hands in
  /// shared memory.
  llvm::SmallVector<unsigned, 4> turned;
  /// Tiles lie along the last axis of rows; blocks have one place along the
  /// others. `numRows` is the extent of that axis, `numBatches` is all else.
  bool isTiled = false;
  int64_t numBatches = 1;

  /// Registers and threads, by the axes of register tiles: tiles of `tileRows`
  /// x `tileColumns`.
  int64_t vector = 1, vectorsPerThread = 1;
  std::array<int64_t, 2> lanes = {1, 32}, warps = {1, 1};
  int64_t tileRows = 1, tileColumns = 1;
  /// Columns are walked in chunks of `tileColumns`, once for each reduction and
  /// once for the results.
  bool isLooped = false;
  /// Of a split kernel: portions of `portion` columns, a whole number of tiles.
  int64_t splits = 1, portion = 0;

  /// Whether an axis of the kernel's shape is along the columns.
  bool isColumnAxis(unsigned axis) const;
  bool dividesRows() const { return rows.size() > 1; }
  bool dividesColumns() const { return columns.size() > 1; }
  /// Whether a tile may have several rows.
  bool hasRowTiles() const { return isTiled || !dividesRows(); }
  int64_t numWarps() const { return warps[0] * warps[1]; }
  /// Tiles of columns of an elementwise kernel.
  int64_t columnTiles(const KernelSpec &kernel) const;
  int64_t numBlocks(const KernelSpec &kernel) const;
  /// Strides along the axes of a kernel of one number a row.
  Shape getRowStrides(const KernelSpec &kernel) const;
};

/// Where some inputs are to be turned, lays out the iteration over `axes`,
/// slowest first, of an elementwise kernel for that.
bool makeTurnedSpace(Space &space, llvm::ArrayRef<SpaceAxis> axes,
                     llvm::ArrayRef<Buffer> buffers);

/// How threads read a tile of a turned input, buffer `index`, of columns x
/// rows: by vectors along the rows.
tile::BlockedAttr getTurnedDistribution(mlir::MLIRContext *context,
                                        const Space &space,
                                        const Buffer &buffer, unsigned index);

/// The longest vector, of at most `most` elements, of which an axis of `extent`
/// whose neighbours are the buffer's neighbours in memory is a whole number,
/// all of them aligned, wherever one is along the other axes.
int64_t getWholeVector(const Buffer &buffer, unsigned index, int64_t extent,
                       llvm::ArrayRef<SpaceAxis> others, int64_t most);

/// `vectorsPerThread`: how many vectors of a row a thread may keep.
Space makeSpace(const KernelSpec &kernel, llvm::ArrayRef<Buffer> buffers,
                int64_t vectorsPerThread);

} // namespace opgraph::legalize::nvptx

#endif // OPGRAPH_PASSES_LEGALIZE_NVPTX_POINTWISE_SPACE_H
