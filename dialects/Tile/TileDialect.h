//===- TileDialect.h - The tile dialect -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dialect, layouts, types and ops of `tile`.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_DIALECTS_TILE_TILEDIALECT_H
#define OPGRAPH_DIALECTS_TILE_TILEDIALECT_H

#include "dialects/Tile/Access.h"
#include "dialects/Tile/Factors.h"
#include "dialects/Tile/Targets.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/Tile/TileEnums.h.inc"

#include "dialects/Tile/TileAttrInterfaces.h.inc"

#include "dialects/Tile/TileDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Tile/TileAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/Tile/TileTypes.h.inc"

#include "dialects/Tile/TileOpInterfaces.h.inc"

#define GET_OP_CLASSES
#include "dialects/Tile/TileOps.h.inc"

#endif // OPGRAPH_DIALECTS_TILE_TILEDIALECT_H
