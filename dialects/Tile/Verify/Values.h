//===- Values.h - Where values of a kernel come from ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_DIALECTS_TILE_VERIFY_VALUES_H
#define OPGRAPH_DIALECTS_TILE_VERIFY_VALUES_H

#include "dialects/Tile/TileDialect.h"
#include "llvm/ADT/SetVector.h"

namespace opgraph::tile {

/// The ops that may define what `value` holds: through the arguments and
/// results of loops and branches, and through ops that only name registers or
/// shared bytes anew.
void collectSources(mlir::Value value,
                    llvm::SetVector<mlir::Operation *> &sources);

/// The ring whose slot `slot` is; null where several may be.
mlir::Value getRingOf(mlir::Value slot);

/// Arrivals of one agent of the group whose text holds `op`.
int64_t countArrivals(mlir::Operation *op, ArriveBy by);

/// Whether one thread runs the text that holds `op`.
bool isInSingleRole(mlir::Operation *op);

/// Whether the condition is uniform per warp only: made from `tile.any`.
bool isPerWarp(mlir::Value condition);

/// CTAs of a cluster.
int64_t getClusterSize(KernelOp kernel);

} // namespace opgraph::tile

#endif // OPGRAPH_DIALECTS_TILE_VERIFY_VALUES_H
