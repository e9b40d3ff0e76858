//===- TileOps.td - Operations of tile ----------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_TILE_OPS_TD
#define OPGRAPH_TILE_OPS_TD

include "dialects/Tile/KernelOps.td"
include "dialects/Tile/MemoryOps.td"
include "dialects/Tile/AsyncOps.td"
include "dialects/Tile/SyncOps.td"
include "dialects/Tile/MmaOps.td"
include "dialects/Tile/RegisterOps.td"

#endif // OPGRAPH_TILE_OPS_TD
