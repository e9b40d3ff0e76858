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
#include "passes/Legalize/NVPTX/Pointwise/Formulas.h"
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
  /// Where extents are symbols: bytes from the start of that memory; null for
  /// 0.
  mlir::AffineExpr offset;
  mlir::Type elementType;
  /// Of the axes of the kernel's shape, in elements; 0 where it is broadcast.
  Shape strides;
  /// Bytes that the address is known to be a multiple of.
  int64_t alignment = 1;
  bool isWritten = false;
  /// Two elements, of 4 bits, share a byte; in workspace each has its own.
  bool isPacked = false;

  /// Of one element, as it is stored; 1 where two share a byte.
  int64_t getElementBytes() const;
  /// Of several.
  int64_t getBytes(int64_t elements) const {
    return isPacked ? elements / 2 : elements * getElementBytes();
  }
  /// A stride, but of neighbours, in what the kernel's views count.
  int64_t getSteps(int64_t stride) const {
    return isPacked ? stride / 2 : stride;
  }
};

/// A stride that a kernel's text spells: none, or neighbours.
inline bool isSpelled(int64_t stride) { return stride == 0 || stride == 1; }

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
  /// CTAs of a cluster that share a row.
  int64_t cluster = 1;
  /// Of rows that are kept in shared memory: how many chunks a CTA has.
  int64_t chunks = 0;
  /// Rows begin between whole vectors; a tile begins at the whole vector that
  /// its row begins in.
  bool isShifted = false;
  /// Columns are walked in chunks of `tileColumns`, once for each reduction and
  /// once for the results.
  bool isLooped = false;
  /// Of a split kernel: portions of `portion` columns, a whole number of tiles;
  /// `fold` rows are of one result, each a portion of its own.
  int64_t splits = 1, portion = 0, fold = 1;

  /// Whether an axis of the kernel's shape is along the columns.
  bool isColumnAxis(unsigned axis) const;
  bool dividesRows() const { return rows.size() > 1; }
  bool dividesColumns() const { return columns.size() > 1; }
  /// Whether a tile may have several rows.
  bool hasRowTiles() const { return isTiled || !dividesRows(); }
  /// Columns of a tile that a row may take.
  int64_t getSpan() const { return numColumns + (isShifted ? vector - 1 : 0); }
  int64_t numWarps() const { return warps[0] * warps[1]; }
  /// Tiles of columns of an elementwise kernel.
  int64_t columnTiles(const KernelSpec &kernel, Formulas &formulas) const;
  int64_t numBlocks(const KernelSpec &kernel, Formulas &formulas) const;
  /// Of portions: elements from one's results to the next one's.
  int64_t getPitch(Formulas &formulas) const;
  /// Strides along the axes of a kernel of one number a row.
  Shape getRowStrides(const KernelSpec &kernel) const;
};

/// Where some inputs are to be turned, lays out the iteration over `axes`,
/// slowest first, of an elementwise kernel for that.
bool makeTurnedSpace(Space &space, llvm::ArrayRef<SpaceAxis> axes,
                     llvm::ArrayRef<Buffer> buffers);

/// Lays out rows that one block or cluster, of at most `mostCtas`, reduces;
/// `vectorsPerThread`: how many vectors of a row a thread may keep.
void setRowTiles(Space &space, llvm::ArrayRef<Buffer> buffers,
                 int64_t vectorsPerThread, int64_t mostCtas);

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

/// The costly functions behind `values`, of a kernel's shape, that are not of
/// all elements.
llvm::SmallVector<mlir::Value>
findSharedValues(llvm::ArrayRef<mlir::Value> values, const Shape &shape);

/// The axes of `shape` along which each of the costly functions behind `values`
/// that are not of all elements has one result; empty if there is none.
llvm::SmallVector<bool, 6> findSharedAxes(llvm::ArrayRef<mlir::Value> values,
                                          const Shape &shape);

/// The longest of `axes`, slowest first, along which costly functions are the
/// same, but for the fastest.
std::optional<unsigned> findSharedAxis(const KernelSpec &kernel,
                                       llvm::ArrayRef<SpaceAxis> axes);

/// Rows of a thread that share the results of functions: as many as leave the
/// GPU blocks enough.
int64_t countSharing(const Space &space);

/// Whether each thread of the space holds whole bytes of buffer `index`, whose
/// elements share bytes.
bool holdsWholeBytes(const Space &space, unsigned index);

/// Where extents are symbols: writes the portions of a split kernel, of which
/// there are at most `most`, as formulas.
void setPortions(Space &space, int64_t most, Formulas &formulas);

/// The tiles of a split kernel, and its portions.
void setPortionTiles(Space &space, const KernelSpec &kernel,
                     llvm::ArrayRef<Buffer> buffers, int64_t vectorsPerThread);

/// Takes some columns of a split kernel for rows, where that is faster.
void foldPortions(Space &space, const KernelSpec &kernel,
                  llvm::ArrayRef<Buffer> buffers);

/// Whether all that a kernel with a row a block moves by vectors of columns
/// begins at the same distance from whole vectors, which is not 0 for all rows.
bool canShift(const Space &space, llvm::ArrayRef<Buffer> buffers);

/// `vectorsPerThread`: how many vectors of a row a thread may keep.
Space makeSpace(const KernelSpec &kernel, llvm::ArrayRef<Buffer> buffers,
                int64_t vectorsPerThread);

} // namespace opgraph::legalize::nvptx

#endif // OPGRAPH_PASSES_LEGALIZE_NVPTX_POINTWISE_SPACE_H
