//===- Space.cpp - Rows and columns of a kernel's iteration ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Legalize/NVPTX/Pointwise/Space.h"
#include "passes/Legalize/Host/Scalar/Scalar.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;
using namespace opgraph::legalize::nvptx;

using Axes = SmallVector<SpaceAxis>;

/// Bytes of a vector access: 16 a thread in flight is what reaches the speed of
/// a copy on the H200.
static constexpr int64_t kVectorBytes = 16;
/// Threads of a block of an elementwise kernel.
static constexpr int64_t kBlockWarps = 8;

//===----------------------------------------------------------------------===//
// Axes
//===----------------------------------------------------------------------===//

/// Slowest first, as the first written buffer lies in memory.
static void sortAxes(Axes &axes, ArrayRef<Buffer> buffers) {
  size_t lead = 0;
  for (auto [index, buffer] : llvm::enumerate(buffers))
    if (buffer.isWritten) {
      lead = index;
      break;
    }
  // An axis along which that buffer has one element goes by the others' order.
  auto key = [&](const SpaceAxis &axis) {
    if (axis.strides.empty())
      return int64_t(0);
    if (axis.strides[lead])
      return axis.strides[lead];
    int64_t most = 0;
    for (int64_t stride : axis.strides)
      most = std::max(most, stride);
    return most;
  };
  llvm::sort(axes, [&](const SpaceAxis &a, const SpaceAxis &b) {
    return std::pair(-key(a), a.axes.front()) <
           std::pair(-key(b), b.axes.front());
  });
}

/// Makes one axis of two where the inner one ends where the outer one steps.
static void mergeAxes(Axes &axes) {
  Axes merged;
  for (const SpaceAxis &axis : axes) {
    bool fits = !merged.empty();
    if (fits)
      for (auto [outer, inner] :
           llvm::zip_equal(merged.back().strides, axis.strides))
        fits &= outer == inner * axis.extent;
    if (!fits) {
      merged.push_back(axis);
      continue;
    }
    merged.back().extent *= axis.extent;
    merged.back().strides = axis.strides;
    merged.back().axes.append(axis.axes);
  }
  axes = std::move(merged);
}

static int64_t countElements(const Axes &axes) {
  int64_t count = 1;
  for (const SpaceAxis &axis : axes)
    count *= axis.extent;
  return count;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

static bool variesAlong(const Axes &axes, size_t buffer) {
  return llvm::any_of(
      axes, [&](const SpaceAxis &axis) { return axis.strides[buffer] != 0; });
}

/// Elements of a vector: 16 bytes of the widest type of the `counted` buffers.
static int64_t getVector(ArrayRef<Buffer> buffers,
                         function_ref<bool(size_t)> counted) {
  int64_t bytes = 1;
  for (auto [index, buffer] : llvm::enumerate(buffers))
    if (counted(index))
      bytes = std::max<int64_t>(
          bytes,
          getStorageType(buffer.elementType).getIntOrFloatBitWidth() / 8);
  return kVectorBytes / bytes;
}

/// Vectors along the columns.
static int64_t getVector(const Space &space, ArrayRef<Buffer> buffers) {
  return getVector(buffers, [&](size_t buffer) {
    return variesAlong(space.columns, buffer);
  });
}

/// Vectors along the rows, of what is not one number a row: half as wide, since
/// each thread combines the warps' words for each row that it holds.
static int64_t getAcrossVector(const Space &space, ArrayRef<Buffer> buffers) {
  return getVector(buffers,
                   [&](size_t buffer) {
                     return variesAlong(space.rows, buffer) &&
                            variesAlong(space.columns, buffer);
                   }) /
         2;
}

static int64_t divideUp(int64_t value, int64_t by) {
  return (value + by - 1) / by;
}

static int64_t ceilPowerOfTwo(int64_t value) {
  return static_cast<int64_t>(llvm::PowerOf2Ceil(std::max<int64_t>(value, 1)));
}

/// Whether a tile has one row only: the rows' offset is one number then.
static bool hasOneRow(const Space &space) {
  return space.dividesRows() || space.dividesColumns();
}

/// One vector a thread, many blocks.
static void setElementwiseTiles(Space &space) {
  int64_t vectors = divideUp(space.numColumns, space.vector);
  int64_t threads = kBlockWarps * 32;
  if (!hasOneRow(space))
    threads = std::min(threads, ceilPowerOfTwo(vectors));
  space.vectorsPerThread = 1;
  space.lanes[1] = std::min<int64_t>(threads, 32);
  space.warps[1] = threads / space.lanes[1];
  space.lanes[0] = 32 / space.lanes[1];
  space.warps[0] = kBlockWarps / space.warps[1];
}

/// A row in the registers of as few warps as `vectorsPerThread` allows, several
/// short rows to a block; long rows in chunks.
static void setRowTiles(Space &space, int64_t wanted) {
  int64_t vectors =
      std::max<int64_t>(divideUp(space.numColumns, space.vector), 1);
  int64_t perThread = std::min(wanted, divideUp(vectors, int64_t(32)));
  perThread = std::max<int64_t>(perThread, 1);
  int64_t threads = divideUp(vectors, perThread);
  if (threads <= 16 && !hasOneRow(space)) {
    space.lanes[1] = ceilPowerOfTwo(threads);
    space.lanes[0] = 32 / space.lanes[1];
    space.warps = {4, 1};
  } else if (threads <= 32) {
    space.lanes = {1, 32};
    space.warps = {hasOneRow(space) ? 1 : 4, 1};
  } else {
    space.lanes = {1, 32};
    space.warps = {1, std::min<int64_t>(divideUp(threads, int64_t(32)), 32)};
  }
  int64_t across = space.lanes[1] * space.warps[1];
  perThread = divideUp(vectors, across);
  if (perThread > wanted) {
    space.isLooped = true;
    space.warps[1] = 16;
    perThread = std::max<int64_t>(wanted / 2, 1);
  }
  space.vectorsPerThread = perThread;
}

/// Whether all that varies along both axes has neighbours along the rows.
static bool isAcross(const Space &space, ArrayRef<Buffer> buffers) {
  if (space.rows.size() != 1 || space.columns.size() != 1 ||
      space.numRows < getAcrossVector(space, buffers))
    return false;
  bool found = false;
  for (auto [row, column] :
       llvm::zip_equal(space.rows[0].strides, space.columns[0].strides))
    if (row != 0 && column != 0) {
      if (row != 1)
        return false;
      found = true;
    }
  return found;
}

/// A few vectors of neighbouring rows; all other threads are along the columns,
/// which are walked in chunks.
static void setAcrossTiles(Space &space, int64_t wanted) {
  // 64 neighbouring bytes, and fewer where that leaves multiprocessors idle.
  constexpr int64_t kLanes = 8, kLeastLanes = 2, kBlocks = 200;
  int64_t vectors = divideUp(space.numRows, space.vector);
  space.lanes[1] = std::min(kLanes, ceilPowerOfTwo(vectors));
  while (space.lanes[1] > kLeastLanes &&
         divideUp(vectors, space.lanes[1]) < kBlocks)
    space.lanes[1] /= 2;
  space.lanes[0] = 32 / space.lanes[1];
  // Where there are many blocks, small ones start and end more smoothly.
  bool isMany = divideUp(vectors, space.lanes[1]) >= 2 * kBlocks;
  int64_t warps = divideUp(space.numColumns, space.lanes[0] * wanted);
  space.warps = {std::clamp<int64_t>(warps, 1, isMany ? 8 : 16), 1};
  int64_t across = space.lanes[0] * space.warps[0];
  space.vectorsPerThread =
      std::clamp<int64_t>(divideUp(space.numColumns, across), 1, wanted);
  space.tileRows = space.lanes[1] * space.vector;
  space.tileColumns = across * space.vectorsPerThread;
  space.isLooped = space.numColumns > space.tileColumns;
}

Space opgraph::legalize::nvptx::makeSpace(const KernelSpec &kernel,
                                          ArrayRef<Buffer> buffers,
                                          int64_t vectorsPerThread) {
  Space space;
  for (size_t axis = 0; axis < kernel.shape.size(); ++axis) {
    if (kernel.shape[axis] == 1)
      continue;
    SpaceAxis found;
    found.extent = kernel.shape[axis];
    found.axes.push_back(axis);
    for (const Buffer &buffer : buffers)
      found.strides.push_back(buffer.strides[axis]);
    (kernel.reduced[axis] ? space.columns : space.rows).push_back(found);
  }
  for (Axes *axes : {&space.rows, &space.columns}) {
    sortAxes(*axes, buffers);
    mergeAxes(*axes);
  }
  if (kernel.isElementwise()) {
    // The fastest axis is the columns, unless that leaves short rows of many
    // axes, which are better divided out of one number.
    constexpr int64_t kShort = 256;
    if (space.rows.size() > 2 && space.rows.back().extent < kShort) {
      std::swap(space.rows, space.columns);
    } else if (!space.rows.empty()) {
      space.columns.push_back(space.rows.pop_back_val());
    }
  }
  space.numRows = countElements(space.rows);
  space.numColumns = countElements(space.columns);
  space.isAcross = !kernel.isElementwise() && isAcross(space, buffers);
  space.vector = space.isAcross ? getAcrossVector(space, buffers)
                                : getVector(space, buffers);
  if (space.isAcross) {
    setAcrossTiles(space, vectorsPerThread);
    return space;
  }
  if (kernel.isElementwise())
    setElementwiseTiles(space);
  else
    setRowTiles(space, vectorsPerThread);
  space.tileRows = space.lanes[0] * space.warps[0];
  space.tileColumns =
      space.lanes[1] * space.warps[1] * space.vector * space.vectorsPerThread;
  return space;
}

int64_t Space::columnTiles(const KernelSpec &kernel) const {
  return kernel.isElementwise() ? divideUp(numColumns, tileColumns) : 1;
}

int64_t Space::numBlocks(const KernelSpec &kernel) const {
  return divideUp(numRows, tileRows) * columnTiles(kernel);
}

bool Space::isColumnAxis(unsigned axis) const {
  return llvm::any_of(columns, [&](const SpaceAxis &column) {
    return llvm::is_contained(column.axes, axis);
  });
}
