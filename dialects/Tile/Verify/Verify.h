//===- Verify.h - Rules that need the whole kernel --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_DIALECTS_TILE_VERIFY_VERIFY_H
#define OPGRAPH_DIALECTS_TILE_VERIFY_VERIFY_H

#include "dialects/Tile/TileDialect.h"

namespace opgraph::tile {

/// All of the rules below; diagnostics are on the ops they are about.
mlir::LogicalResult verifyKernel(KernelOp kernel);

/// K1 to K3: order of the body, features, roles.
mlir::LogicalResult verifyStructure(KernelOp kernel);

/// K4 to K9: budgets, executors, hardware barriers, shared memory.
mlir::LogicalResult verifyGroups(KernelOp kernel);

/// P1, P5, A7: arrivals of rings and semaphores, drains, fences.
mlir::LogicalResult verifyProtocol(KernelOp kernel);

/// P2, P4, A8, W3, W4, W6, W7: what each group holds and has in flight.
mlir::LogicalResult verifyTexts(KernelOp kernel);

} // namespace opgraph::tile

#endif // OPGRAPH_DIALECTS_TILE_VERIFY_VERIFY_H
