//===- MatrixFragment.h - Tiles that move by ldmatrix -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_DIALECTS_TILE_MATRIXFRAGMENT_H
#define OPGRAPH_DIALECTS_TILE_MATRIXFRAGMENT_H

#include "dialects/Tile/TileDialect.h"

namespace opgraph::tile {

/// How a register tile of 16-bit elements falls into 8 x 8 blocks, in which
/// lane 4i + j holds elements 2j and 2j + 1 of row i in one 32-bit register.
struct MatrixFragment {
  /// The axis along which two elements share a register.
  unsigned pairAxis = 1;
  /// Neighbours along it that a lane holds: 2, or more where what follows is
  /// another block's.
  int64_t run = 2;

  /// Whether memory's rows run across the pairs, so that the instruction must
  /// transpose.
  bool isTransposing(bool isTransposed) const {
    return (pairAxis == 0) != isTransposed;
  }
};

/// Nothing where the tile does not fall into such blocks.
std::optional<MatrixFragment> findMatrixFragment(RegType type);

/// G6, of load_shared and store_shared.
mlir::LogicalResult verifyMatrixPath(mlir::Operation *op, RegType tile,
                                     SharedPath via, bool isTransposed);

} // namespace opgraph::tile

#endif // OPGRAPH_DIALECTS_TILE_MATRIXFRAGMENT_H
