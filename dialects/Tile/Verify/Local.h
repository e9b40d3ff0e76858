//===- Local.h - Checks that several ops share ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_DIALECTS_TILE_VERIFY_LOCAL_H
#define OPGRAPH_DIALECTS_TILE_VERIFY_LOCAL_H

#include "dialects/Tile/TileDialect.h"

namespace opgraph::tile {

/// Bits of an element in memory (a boolean is a byte, tf32 four).
unsigned getStorageBits(mlir::Type elementType);

/// An 8-bit float that MMAs multiply.
bool isFloat8(mlir::Type type);

/// Rows and columns of a shared tile; a vector is one row.
std::array<int64_t, 2> getMatrix(SharedType type);

/// Bytes of one row of a plane: 32, 64, 128; 0 without swizzle.
int64_t getSpan(Swizzle swizzle);

/// Warps of the group whose text holds `op`.
int64_t getGroupWarps(mlir::Operation *op);

/// G4: the tile is spread over the warps of its group.
mlir::LogicalResult verifyWarps(mlir::Operation *op, RegType tile);

/// Which element of an axis's text holds: "rows" or "columns".
llvm::StringRef getAxisName(unsigned axis);

} // namespace opgraph::tile

#endif // OPGRAPH_DIALECTS_TILE_VERIFY_LOCAL_H
