//===- PortionSpace.cpp - Rows, columns and tiles of split kernels --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel that combines portions does not mind how many there are, so that a
// split kernel may take some of the elements of a result for rows of their own
// where that makes whole vectors of them, or spares it divisions.
//===----------------------------------------------------------------------===//
#include "passes/Legalize/NVPTX/Pointwise/Space.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;
using namespace opgraph::legalize::nvptx;

static int64_t divideUp(int64_t value, int64_t by) {
  return static_cast<int64_t>(llvm::divideCeil(value, by));
}

//===----------------------------------------------------------------------===//
// Folds
//===----------------------------------------------------------------------===//

/// Elements of a vector of the widest buffer that varies.
static int64_t getVector(const Space &space, ArrayRef<Buffer> buffers) {
  int64_t bytes = 1;
  for (auto [index, buffer] : llvm::enumerate(buffers))
    if (space.columns.back().strides[index] != 0)
      bytes = std::max(bytes, buffer.getElementBytes());
  return kVectorBytes / bytes;
}

/// How many columns of `results` neighbours, of `count`, are a row of whole
/// vectors that leave few of a tile's lanes without work; 1 if none are.
static int64_t chooseFold(int64_t results, int64_t count, int64_t vector) {
  constexpr int64_t kMost = 16, kLanes = 16, kShare = 85;
  int64_t step = vector / std::gcd(results, vector), best = 1, bestShare = 0;
  for (int64_t fold = step; fold <= std::max(step, kMost); fold += step) {
    if (count % fold != 0)
      continue;
    int64_t vectors = fold * results / vector;
    int64_t lanes = std::min<int64_t>(
        kLanes, static_cast<int64_t>(llvm::PowerOf2Ceil(vectors)));
    int64_t share =
        100 * vectors / static_cast<int64_t>(llvm::alignTo(vectors, lanes));
    if (share <= bestShare)
      continue;
    best = fold;
    bestShare = share;
    if (share >= kShare)
      break;
  }
  return best;
}

/// Packed columns of results that are no whole vectors: several of them are a
/// row of such.
static void foldColumns(Space &space, ArrayRef<Buffer> buffers) {
  if (space.rows.size() != 1 || space.columns.size() != 1)
    return;
  SpaceAxis &rows = space.rows[0], &columns = space.columns[0];
  bool isFound = false;
  for (auto [row, column] : llvm::zip_equal(rows.strides, columns.strides)) {
    if (row == 0 && column == 0)
      continue;
    if (row != 1 || column != rows.extent)
      return;
    isFound = true;
  }
  int64_t vector = getVector(space, buffers);
  if (!isFound || rows.extent % vector == 0)
    return;
  int64_t fold = chooseFold(rows.extent, columns.extent, vector);
  rows.extent *= fold;
  columns.extent /= fold;
  for (int64_t &stride : columns.strides)
    stride *= fold;
  space.fold = fold;
}

/// Columns of two axes, the inner one long: each of the outer one's is a row,
/// so that no column's coordinates are divided out.
static bool foldOuterAxis(Space &space, ArrayRef<Buffer> buffers) {
  constexpr int64_t kLeastVectors = 128;
  if (space.columns.size() != 2)
    return false;
  const SpaceAxis &inner = space.columns.back();
  if (inner.extent < kLeastVectors * getVector(space, buffers) ||
      !llvm::all_of(inner.strides, [](int64_t stride) { return stride <= 1; }))
    return false;
  space.fold = space.columns.front().extent;
  space.rows.insert(space.rows.begin(), space.columns.front());
  space.columns.erase(space.columns.begin());
  return true;
}

void opgraph::legalize::nvptx::foldPortions(Space &space,
                                            const KernelSpec &kernel,
                                            ArrayRef<Buffer> buffers) {
  Space folded = space;
  // What pairs combine counts on portions of equal size.
  if (!foldOuterAxis(folded, buffers) && kernel.pairs.empty())
    foldColumns(folded, buffers);
  int64_t numRows = 1;
  for (const SpaceAxis &axis : folded.rows)
    numRows *= axis.extent;
  if (folded.fold > 1 && numRows <= kernel.mostPortions)
    space = std::move(folded);
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// Along the rows of a split kernel: 16 bytes, or what neighbouring columns are
/// whole vectors of. The words of the warps are few against a portion.
static int64_t getPortionVector(const Space &space, ArrayRef<Buffer> buffers,
                                int64_t widest) {
  int64_t vector = widest;
  auto isWhole = [&](size_t buffer) {
    return space.rows[0].strides[buffer] == 0 ||
           space.columns[0].strides[buffer] % vector == 0;
  };
  while (vector > 1 &&
         (vector > space.numRows ||
          !llvm::all_of(llvm::seq<size_t>(0, buffers.size()), isWhole)))
    vector /= 2;
  // Elements are read one by one then.
  return vector > 1 ? vector : 2;
}

/// Warps of a block that walks a portion: few, so that many blocks are resident
/// and a block's end is short.
static constexpr int64_t kPortionWarps = 8;

static void setPortionTilesAcross(Space &space, ArrayRef<Buffer> buffers,
                                  int64_t wanted) {
  constexpr int64_t kLanesAcross = 16, kMostVectors = 8;
  int64_t widest = 2 * space.vector;
  space.vector = getPortionVector(space, buffers, widest);
  space.vectorsPerThread =
      std::min(kMostVectors, wanted * widest / space.vector);
  int64_t vectors = divideUp(space.numRows, space.vector);
  space.lanes[1] =
      std::min(kLanesAcross, static_cast<int64_t>(llvm::PowerOf2Ceil(vectors)));
  space.lanes[0] = 32 / space.lanes[1];
  space.warps = {kPortionWarps, 1};
  space.tileRows = space.lanes[1] * space.vector;
  space.tileColumns = space.lanes[0] * kPortionWarps * space.vectorsPerThread;
}

/// A row's warps, as in setRowTiles.
static void setPortionTilesAlong(Space &space, int64_t wanted) {
  int64_t vectors = divideUp(space.getSpan(), space.vector);
  space.warps[1] =
      std::clamp<int64_t>(divideUp(vectors, 32 * wanted), 1, kPortionWarps);
  space.vectorsPerThread =
      std::clamp<int64_t>(divideUp(vectors, 32 * space.warps[1]), 1, wanted);
  space.tileColumns =
      32 * space.warps[1] * space.vector * space.vectorsPerThread;
}

void opgraph::legalize::nvptx::setPortionTiles(Space &space,
                                               const KernelSpec &kernel,
                                               ArrayRef<Buffer> buffers,
                                               int64_t vectorsPerThread) {
  if (space.isAcross) {
    setPortionTilesAcross(space, buffers, vectorsPerThread);
  } else {
    // Pairs count the columns of a thread.
    space.isShifted = kernel.mostPortions > 0 && kernel.pairs.empty() &&
                      canShift(space, buffers);
    setPortionTilesAlong(space, vectorsPerThread);
  }
  space.isLooped = true;
  int64_t splits = kernel.splits;
  if (space.fold > 1) {
    int64_t wanted = space.isAcross ? ReductionSplit::kBlocksAcross
                                    : ReductionSplit::kBlocksAlong;
    int64_t blocks = divideUp(space.numRows, space.tileRows);
    int64_t most = kernel.mostPortions / space.numRows;
    // Portions follow one another without gaps, and pairs want equal ones.
    bool isWhole = ReductionSplit::getPitch(space.numRows) == space.numRows;
    splits = isWhole && kernel.pairs.empty()
                 ? std::clamp<int64_t>(wanted / blocks, 1, most)
                 : 1;
  }
  int64_t tiles = divideUp(space.getSpan(), space.tileColumns);
  space.portion = divideUp(tiles, splits) * space.tileColumns;
  space.splits = divideUp(space.getSpan(), space.portion);
}
