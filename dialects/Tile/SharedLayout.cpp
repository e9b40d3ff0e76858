//===- SharedLayout.cpp - Bytes of shared tiles and rings -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "dialects/Tile/SharedLayout.h"
#include "dialects/Tile/Verify/Local.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace opgraph::tile;

int64_t opgraph::tile::getElementBytes(Type element) {
  return getStorageBits(element) / 8;
}

int64_t opgraph::tile::getSwizzleSpan(Swizzle swizzle) {
  return getSpan(swizzle);
}

static int64_t getColumnBytes(SharedType type) {
  return type.getShape().back() * getElementBytes(type.getElementType());
}

static int64_t getRows(SharedType type) {
  ArrayRef<int64_t> shape = type.getShape();
  return shape.size() > 1 ? shape[shape.size() - 2] : 1;
}

int64_t opgraph::tile::getRowBytes(SharedType type) {
  int64_t span = getSwizzleSpan(type.getSwizzle());
  return span ? span : getColumnBytes(type) + type.getPad();
}

int64_t opgraph::tile::getPlaneBytes(SharedType type) {
  int64_t rows = type.getPlaneRows() ? type.getPlaneRows() : getRows(type);
  return rows * getRowBytes(type);
}

int64_t opgraph::tile::getMatrixBytes(SharedType type) {
  int64_t span = getSwizzleSpan(type.getSwizzle());
  return span ? getColumnBytes(type) / span * getPlaneBytes(type)
              : getRows(type) * getRowBytes(type);
}

int64_t opgraph::tile::getSharedBytes(SharedType type) {
  int64_t bytes = getMatrixBytes(type);
  ArrayRef<int64_t> shape = type.getShape();
  if (shape.size() > 2)
    for (int64_t extent : shape.drop_back(2))
      bytes *= extent;
  return bytes;
}

int64_t opgraph::tile::getSharedAlignment(SharedType type) {
  if (int64_t span = getSwizzleSpan(type.getSwizzle()))
    return span * 8;
  // A tensor copy's box starts at a multiple of 128 bytes.
  return getSharedBytes(type) >= 128 ? 128 : 16;
}

RingLayout opgraph::tile::getRingLayout(RingType type) {
  RingLayout layout;
  for (Type field : type.getFields()) {
    auto shared = cast<SharedType>(field);
    int64_t alignment = getSharedAlignment(shared);
    layout.alignment = std::max(layout.alignment, alignment);
    layout.stageBytes = llvm::alignTo(layout.stageBytes, alignment);
    layout.fieldOffsets.push_back(layout.stageBytes);
    layout.stageBytes += getSharedBytes(shared);
  }
  layout.stageBytes = llvm::alignTo(layout.stageBytes, layout.alignment);
  layout.fullOffset = type.getStages() * layout.stageBytes;
  layout.emptyOffset = layout.fullOffset + 8 * type.getStages();
  layout.bytes = layout.emptyOffset + 8 * type.getStages();
  return layout;
}

int64_t opgraph::tile::getSharedAlignment(KernelOp kernel) {
  int64_t alignment = 16;
  for (Operation &op : kernel.getBody().front()) {
    if (auto shared = dyn_cast<AllocSharedOp>(op))
      alignment = std::max(alignment, getSharedAlignment(cast<SharedType>(
                                          shared.getTile().getType())));
    if (auto ring = dyn_cast<MakeRingOp>(op))
      alignment = std::max(
          alignment,
          getRingLayout(cast<RingType>(ring.getRing().getType())).alignment);
  }
  return alignment;
}
