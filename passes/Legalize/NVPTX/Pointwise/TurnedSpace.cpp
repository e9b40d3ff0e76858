//===- TurnedSpace.cpp - Tiles that change hands in shared memory ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Legalize/NVPTX/Pointwise/Space.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;
using namespace opgraph::legalize::nvptx;

static constexpr int64_t kWarps = 8;
/// Shorter axes leave most of a tile empty.
static constexpr int64_t kLeastExtent = 32;
/// Their shared tiles, of up to 16 KB, fit into the smallest GPU's memory.
static constexpr size_t kMostTurned = 4;

/// The axis along which the buffer's neighbours in memory are; -1: none.
static int64_t findInner(ArrayRef<SpaceAxis> axes, size_t buffer) {
  for (auto [number, axis] : llvm::enumerate(axes))
    if (axis.strides[buffer] == 1)
      return number;
  return -1;
}

/// Chooses the inputs that are turned, which agree about their inner axis; that
/// axis, or -1.
static int64_t findTurned(Space &space, ArrayRef<SpaceAxis> axes,
                          ArrayRef<Buffer> buffers, int64_t inner) {
  int64_t across = -1;
  for (auto [index, buffer] : llvm::enumerate(buffers)) {
    int64_t own = findInner(axes, index);
    if (buffer.isWritten || own < 0 || axes[inner].strides[index] < 2 ||
        (across >= 0 && own != across) || space.turned.size() == kMostTurned)
      continue;
    across = own;
    space.turned.push_back(index);
  }
  return across;
}

/// Whether the rows of what is written start within sectors of memory, of which
/// two accesses write parts then.
static bool splitsSectors(const Space &space, ArrayRef<Buffer> buffers) {
  constexpr int64_t kSectorBytes = 32;
  for (size_t index = 0; index < buffers.size(); ++index) {
    if (!buffers[index].isWritten || space.columns[0].strides[index] != 1)
      continue;
    for (const SpaceAxis &axis : space.rows)
      if (axis.strides[index] * buffers[index].getElementBytes() %
              kSectorBytes !=
          0)
        return true;
  }
  return false;
}

/// Four vectors a thread, of 16 bytes where whole ones lie so. What the columns
/// are is written.
static void setTiles(Space &space, ArrayRef<Buffer> buffers) {
  int64_t widest = 1;
  bool hasHalves = false;
  for (unsigned index : space.turned)
    hasHalves |= buffers[index].getElementBytes() == 2;
  for (auto [index, buffer] : llvm::enumerate(buffers))
    if (space.columns[0].strides[index] != 0)
      widest = std::max(widest, buffer.getElementBytes());
  int64_t most = kVectorBytes / widest;
  space.vector = most;
  for (auto [index, buffer] : llvm::enumerate(buffers))
    if (space.columns[0].strides[index] == 1)
      space.vector = getWholeVector(buffer, index, space.numColumns, space.rows,
                                    space.vector);
  space.vectorsPerThread = 1;
  space.tileColumns = widest == 1 ? 128 : widest == 8 ? 32 : 64;
  space.tileRows = widest <= 2 ? 128 : 64;
  // What ldmatrix gives has four lanes along its rows.
  space.lanes[1] = hasHalves ? 4 : 8;
  if (space.vector < most) {
    // Fewer blocks, whose lines stay in the L1 cache until all of them is read.
    if (widest == 4 && space.turned.size() == 1)
      space.tileColumns *= 2;
    space.lanes[1] = std::min<int64_t>(space.tileColumns / space.vector, 32);
  } else if (widest > 1 && splitsSectors(space, buffers)) {
    space.tileColumns *= 2;
    space.tileRows /= 2;
    space.lanes[1] = 16;
  }
  space.lanes[0] = 32 / space.lanes[1];
  space.warps[1] = space.tileColumns / (space.lanes[1] * space.vector);
  space.warps[0] = kWarps / space.warps[1];
}

bool opgraph::legalize::nvptx::makeTurnedSpace(Space &space,
                                               ArrayRef<SpaceAxis> axes,
                                               ArrayRef<Buffer> buffers) {
  const auto *lead = llvm::find_if(
      buffers, [](const Buffer &buffer) { return buffer.isWritten; });
  int64_t inner = findInner(axes, lead - buffers.begin());
  if (inner < 0 || axes[inner].extent < kLeastExtent)
    return false;
  int64_t across = findTurned(space, axes, buffers, inner);
  if (across < 0 || axes[across].extent < kLeastExtent) {
    space.turned.clear();
    return false;
  }
  SmallVector<SpaceAxis> rows;
  for (auto [number, axis] : llvm::enumerate(axes))
    if (static_cast<int64_t>(number) != inner &&
        static_cast<int64_t>(number) != across) {
      space.numBatches *= axis.extent;
      rows.push_back(axis);
    }
  rows.push_back(axes[across]);
  space.isTiled = true;
  space.numRows = axes[across].extent;
  space.numColumns = axes[inner].extent;
  space.columns = {axes[inner]};
  space.rows = std::move(rows);
  setTiles(space, buffers);
  return true;
}

tile::BlockedAttr opgraph::legalize::nvptx::getTurnedDistribution(
    MLIRContext *context, const Space &space, const Buffer &buffer,
    unsigned index) {
  // No thread is without a vector.
  int64_t most = std::min(kVectorBytes / buffer.getElementBytes(),
                          space.tileRows * space.tileColumns / (kWarps * 32));
  SmallVector<SpaceAxis> others(ArrayRef(space.rows).drop_back());
  others.push_back(space.columns[0]);
  int64_t vector = getWholeVector(buffer, index, space.numRows, others, most);
  std::array<int64_t, 2> lanes, warps = {kWarps, 1};
  lanes[1] = std::min<int64_t>(space.tileRows / vector, 32);
  lanes[0] = 32 / lanes[1];
  return tile::BlockedAttr::get(context, vector, lanes, warps);
}
