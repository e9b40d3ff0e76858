//===- LowerTile.h - Tile kernels to llvm and nvvm --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_NVPTX_LOWERTILE_H
#define OPGRAPH_CODEGEN_NVPTX_LOWERTILE_H

#include "mlir/Support/LogicalResult.h"
#include "llvm/ADT/StringRef.h"

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace opgraph::tile {
class KernelOp;
enum class Target : uint32_t;
} // namespace opgraph::tile

namespace opgraph::codegen {

/// Name of the attribute that a lowered kernel carries: bytes of dynamic shared
/// memory that its launch asks for (i32, absent = 0).
inline constexpr llvm::StringLiteral sharedBytesAttrName = "tile.shared_bytes";

/// Replaces every tile.kernel of `module` by an llvm.func with nvvm.kernel of
/// the same name, its arguments 1:1 (a pointer is a global address, a tensor
/// map 128 bytes by value). Runs `assignShared` and `assignBarriers` first. On
/// failure the diagnostics name the op, and the module is not to be used.
mlir::LogicalResult lowerTile(mlir::ModuleOp module, tile::Target target);

/// Writes the offsets of shared tiles and rings, and `shared_bytes`.
mlir::LogicalResult assignShared(tile::KernelOp kernel);
/// Writes the ids of groups' and named barriers.
mlir::LogicalResult assignBarriers(tile::KernelOp kernel);

} // namespace opgraph::codegen

#endif // OPGRAPH_CODEGEN_NVPTX_LOWERTILE_H
