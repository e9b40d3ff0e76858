//===- RowSpace.cpp - Threads that keep a row -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Legalize/NVPTX/Pointwise/Space.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize::nvptx;

static int64_t divideUp(int64_t value, int64_t by) {
  return (value + by - 1) / by;
}

/// Bytes of a row's elements, of all inputs.
static int64_t countRowBytes(const Space &space, ArrayRef<Buffer> buffers) {
  auto varies = [](ArrayRef<SpaceAxis> axes, size_t index) {
    return llvm::any_of(
        axes, [&](const SpaceAxis &axis) { return axis.strides[index] != 0; });
  };
  int64_t bytes = 0;
  for (auto [index, buffer] : llvm::enumerate(buffers))
    if (!buffer.isWritten && varies(space.rows, index) &&
        varies(space.columns, index))
      bytes += buffer.getElementBytes();
  return bytes * space.numColumns;
}

/// Lays out rows of more elements than half of a multiprocessor's registers
/// hold, with which nothing would hide a block's waiting: as few CTAs as leave
/// room for three of them on a multiprocessor keep a row in shared memory.
static bool keepRow(Space &space, ArrayRef<Buffer> buffers, int64_t wanted,
                    int64_t mostCtas) {
  constexpr int64_t kWarps = 8, kBytes = 64 << 10, kMostBytes = 96 << 10;
  int64_t bytes = countRowBytes(space, buffers);
  if (mostCtas == 1 || bytes == 0 || bytes > mostCtas * kMostBytes)
    return false;
  while (space.cluster < mostCtas && bytes > space.cluster * kBytes)
    space.cluster *= 2;
  space.lanes = {1, 32};
  space.warps = {1, kWarps};
  space.vectorsPerThread = wanted;
  space.isLooped = true;
  int64_t tile = kWarps * 32 * space.vector * wanted;
  space.chunks = divideUp(divideUp(space.numColumns, tile), space.cluster);
  return true;
}

/// A row in the registers of as few warps as `wanted` vectors a thread allow,
/// several short rows to a block; longer ones in shared memory; the longest
/// are read in chunks for each walk.
static void setTiles(Space &space, ArrayRef<Buffer> buffers, int64_t wanted,
                     int64_t mostCtas) {
  bool hasOneRow =
      space.dividesRows() || space.dividesColumns() || space.isShifted;
  int64_t vectors =
      std::max<int64_t>(divideUp(space.getSpan(), space.vector), 1);
  constexpr int64_t kThreads = 512;
  if (vectors > kThreads * wanted && keepRow(space, buffers, wanted, mostCtas))
    return;
  int64_t perThread =
      std::clamp<int64_t>(divideUp(vectors, int64_t(32)), 1, wanted);
  int64_t threads = divideUp(vectors, perThread);
  space.lanes = {1, 32};
  if (threads <= 16 && !hasOneRow) {
    space.lanes[1] = llvm::PowerOf2Ceil(std::max<int64_t>(threads, 1));
    space.lanes[0] = 32 / space.lanes[1];
    space.warps = {4, 1};
  } else if (threads <= 32) {
    space.warps = {hasOneRow ? 1 : 4, 1};
  } else {
    space.warps = {1, std::min<int64_t>(divideUp(threads, int64_t(32)), 32)};
  }
  int64_t across = space.lanes[1] * space.warps[1];
  perThread = divideUp(vectors, across);
  if (perThread > wanted) {
    space.isLooped = true;
    space.warps[1] = 16;
    perThread = std::max<int64_t>(wanted / 2, 1);
  }
  // The vector that a shifted row takes more may cost less than a warp.
  if (space.isShifted && !space.isLooped && space.warps[1] > 1) {
    int64_t fewer = divideUp(vectors, across - 32);
    if (fewer <= wanted + 1 && fewer * (across - 32) < perThread * across) {
      --space.warps[1];
      perThread = fewer;
    }
  }
  space.vectorsPerThread = perThread;
}

void opgraph::legalize::nvptx::setRowTiles(Space &space,
                                           ArrayRef<Buffer> buffers,
                                           int64_t vectorsPerThread,
                                           int64_t mostCtas) {
  space.isShifted = canShift(space, buffers);
  setTiles(space, buffers, vectorsPerThread, mostCtas);
  // Chunks count what they have seen from their row's first element on.
  if (!space.isShifted || !space.isLooped)
    return;
  space.isShifted = space.isLooped = false;
  space.cluster = 1;
  setTiles(space, buffers, vectorsPerThread, mostCtas);
}
