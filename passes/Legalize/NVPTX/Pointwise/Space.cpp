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

/// Threads of a block of an elementwise kernel.
static constexpr int64_t kBlockWarps = 8;

int64_t Buffer::getElementBytes() const {
  return getStorageType(elementType).getIntOrFloatBitWidth() / 8;
}

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

/// Coordinates are i32: axes of more elements stay apart.
static constexpr int64_t kMostAlong = int64_t(1) << 30;

/// Makes one axis of two where the inner one ends where the outer one steps.
static void mergeAxes(Axes &axes) {
  Axes merged;
  for (const SpaceAxis &axis : axes) {
    bool fits =
        !merged.empty() &&
        merged.back().extent <= kMostAlong / std::max<int64_t>(axis.extent, 1);
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
      bytes = std::max(bytes, buffer.getElementBytes());
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

int64_t opgraph::legalize::nvptx::getWholeVector(const Buffer &buffer,
                                                 unsigned index, int64_t extent,
                                                 ArrayRef<SpaceAxis> others,
                                                 int64_t most) {
  auto isWhole = [&](int64_t vector) {
    return extent % vector == 0 &&
           buffer.alignment >= buffer.getBytes(vector) &&
           llvm::all_of(others, [&](const SpaceAxis &axis) {
             return axis.strides[index] % vector == 0;
           });
  };
  while (most > 1 && !isWhole(most))
    most /= 2;
  return most;
}

/// The longest whole vector along the columns of all that is read by vectors,
/// but for single rows.
static int64_t getWholeVector(const Space &space, ArrayRef<Buffer> buffers) {
  int64_t vector = space.vector;
  if (space.columns.empty())
    return vector;
  Axes others = space.rows;
  llvm::append_range(others, ArrayRef(space.columns).drop_back());
  const SpaceAxis &inner = space.columns.back();
  for (auto [index, buffer] : llvm::enumerate(buffers))
    if (inner.strides[index] == 1 &&
        (others.empty() || variesAlong(others, index)))
      vector = getWholeVector(buffer, index, inner.extent, others, vector);
  return vector;
}

/// Where not all vectors are whole, as many shorter ones, so that neighbouring
/// lanes have neighbours in memory.
static void shortenVectors(Space &space, ArrayRef<Buffer> buffers) {
  int64_t whole = getWholeVector(space, buffers);
  space.vectorsPerThread *= space.vector / whole;
  space.vector = whole;
}

/// One vector a thread, many blocks.
static void setElementwiseTiles(Space &space) {
  int64_t vectors = divideUp(space.numColumns, space.vector);
  int64_t threads = kBlockWarps * 32;
  if (!hasOneRow(space))
    threads = std::min(threads, ceilPowerOfTwo(vectors));
  space.lanes[1] = std::min<int64_t>(threads, 32);
  space.warps[1] = threads / space.lanes[1];
  space.lanes[0] = 32 / space.lanes[1];
  space.warps[0] = kBlockWarps / space.warps[1];
}

/// Whether all that varies along both axes has neighbours along the rows.
static bool isAcross(const Space &space, ArrayRef<Buffer> buffers,
                     bool isSplit) {
  int64_t least = isSplit ? 2 : getAcrossVector(space, buffers);
  if (space.rows.size() != 1 || space.columns.size() != 1 ||
      space.numRows < least)
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
  // Few blocks have registers for more loads in flight.
  if (divideUp(vectors, space.lanes[1]) * 4 <= kBlocks)
    wanted *= 4;
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
  bool isSmall = countElements(space.rows) <= kMostAlong;
  if (kernel.isElementwise() && isSmall &&
      makeTurnedSpace(space, space.rows, buffers))
    return space;
  std::optional<unsigned> sharing;
  if (kernel.isElementwise() && isSmall)
    sharing = findSharedAxis(kernel, space.rows);
  if (sharing) {
    // Tiles of several rows, along that axis; all others are columns.
    space.columns = space.rows;
    space.columns.erase(space.columns.begin() + *sharing);
    space.rows = {space.rows[*sharing]};
    mergeAxes(space.columns);
  } else if (kernel.isElementwise()) {
    // The fastest axis is the columns, unless that leaves short rows of many
    // axes, which are better divided out of one number.
    constexpr int64_t kShort = 256;
    if (space.rows.size() > 2 && space.rows.back().extent < kShort && isSmall) {
      std::swap(space.rows, space.columns);
    } else if (!space.rows.empty()) {
      space.columns.push_back(space.rows.pop_back_val());
    }
  }
  if (kernel.mostPortions > 0) {
    foldPortions(space, kernel, buffers);
    mergeAxes(space.rows);
  }
  space.numRows = countElements(space.rows);
  space.numColumns = countElements(space.columns);
  space.isAcross =
      !kernel.isElementwise() && isAcross(space, buffers, kernel.splits > 1);
  space.vector = space.isAcross ? getAcrossVector(space, buffers)
                                : getVector(space, buffers);
  if (kernel.splits > 1) {
    setPortionTiles(space, kernel, buffers, vectorsPerThread);
    return space;
  }
  if (space.isAcross) {
    setAcrossTiles(space, vectorsPerThread);
    return space;
  }
  if (kernel.isElementwise())
    setElementwiseTiles(space);
  else
    setRowTiles(space, buffers, vectorsPerThread, kernel.mostCtas);
  if (!space.isShifted)
    shortenVectors(space, buffers);
  space.tileRows = space.lanes[0] * space.warps[0];
  space.tileColumns =
      space.lanes[1] * space.warps[1] * space.vector * space.vectorsPerThread;
  if (sharing)
    space.tileRows *= countSharing(space);
  return space;
}

int64_t Space::columnTiles(const KernelSpec &kernel, Formulas &formulas) const {
  return kernel.isElementwise() ? formulas.divideUp(numColumns, tileColumns)
                                : 1;
}

int64_t Space::numBlocks(const KernelSpec &kernel, Formulas &formulas) const {
  return numBatches * formulas.divideUp(numRows, tileRows) *
         columnTiles(kernel, formulas) * splits * cluster;
}

int64_t Space::getPitch(Formulas &formulas) const {
  return formulas.isDynamic(numRows)
             ? formulas.alignUp(numRows, ReductionSplit::kVector)
             : formulas.keep(ReductionSplit::getPitch(numRows));
}

void opgraph::legalize::nvptx::setPortions(Space &space, int64_t most,
                                           Formulas &formulas) {
  if (formulas.isStatic())
    return;
  int64_t tiles = formulas.divideUp(space.numColumns, space.tileColumns);
  int64_t perPortion =
      formulas.divideUp(formulas.atLeastOne(tiles), formulas.keep(most));
  space.portion = perPortion * space.tileColumns;
  space.splits = formulas.divideUpTo(tiles, perPortion, most);
}

Shape Space::getRowStrides(const KernelSpec &kernel) const {
  Shape strides(kernel.shape.size(), 0);
  int64_t stride = 1;
  for (const SpaceAxis &row : llvm::reverse(rows))
    for (unsigned axis : llvm::reverse(row.axes)) {
      strides[axis] = stride;
      stride *= kernel.shape[axis];
    }
  return strides;
}

bool SpaceAxis::isPacked(ArrayRef<int64_t> steps,
                         ArrayRef<int64_t> shape) const {
  for (size_t i = 1; i < axes.size(); ++i)
    if (steps[axes[i - 1]] != shape[axes[i]] * steps[axes[i]])
      return false;
  return true;
}

bool Space::isColumnAxis(unsigned axis) const {
  return llvm::any_of(columns, [&](const SpaceAxis &column) {
    return llvm::is_contained(column.axes, axis);
  });
}
