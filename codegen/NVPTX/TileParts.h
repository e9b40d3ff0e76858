//===- TileParts.h - Registers of one tile found in another -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to codegen/NVPTX.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_NVPTX_TILEPARTS_H
#define OPGRAPH_CODEGEN_NVPTX_TILEPARTS_H

#include "codegen/NVPTX/KernelEmitter.h"

namespace opgraph::codegen {

/// Coordinates that registers add to their thread's, by register.
using Parts = llvm::SmallVector<std::array<int32_t, 2>>;
Parts getParts(tile::RegType type);

/// For each register of `to`, the register of `from` that holds the element
/// which broadcasts to it (an extent of 1, or one element per block).
llvm::SmallVector<int32_t> getSources(tile::RegType from, tile::RegType to);

/// For each register of `part`, the register of `whole` that holds the element
/// `row` and `col` further.
llvm::SmallVector<int32_t> getSlice(tile::RegType whole, tile::RegType part,
                                    int64_t row, int64_t col);

} // namespace opgraph::codegen

#endif // OPGRAPH_CODEGEN_NVPTX_TILEPARTS_H
