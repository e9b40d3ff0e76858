//===- SharedLayout.h - Bytes of shared tiles and rings ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How shared tiles and rings lie in memory, for the lowering and the
// interpreter.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_DIALECTS_TILE_SHAREDLAYOUT_H
#define OPGRAPH_DIALECTS_TILE_SHAREDLAYOUT_H

#include "dialects/Tile/TileDialect.h"

namespace opgraph::tile {

/// Bytes of an element in memory; bool and 8-bit floats have one.
int64_t getElementBytes(mlir::Type element);

/// Row pitch in bytes: of a swizzled tile the swizzle's span.
int64_t getRowBytes(SharedType type);
/// 32, 64 or 128; 0 without a swizzle.
int64_t getSwizzleSpan(Swizzle swizzle);
/// From one plane of a swizzled tile to the next.
int64_t getPlaneBytes(SharedType type);
/// Of the last two axes: rows x columns with their pad, or all planes.
int64_t getMatrixBytes(SharedType type);
int64_t getSharedBytes(SharedType type);
int64_t getSharedAlignment(SharedType type);

/// A ring: stages of fields, then the full mbarriers, then the empty ones.
struct RingLayout {
  llvm::SmallVector<int64_t> fieldOffsets; ///< within a stage
  int64_t stageBytes = 0;
  int64_t fullOffset = 0;  ///< of stage 0's full mbarrier; 8 bytes a stage
  int64_t emptyOffset = 0; ///< of stage 0's empty mbarrier
  int64_t bytes = 0;
  int64_t alignment = 8;
};
RingLayout getRingLayout(RingType type);

/// What the base of the kernel's shared memory must be a multiple of.
int64_t getSharedAlignment(KernelOp kernel);

} // namespace opgraph::tile

#endif // OPGRAPH_DIALECTS_TILE_SHAREDLAYOUT_H
