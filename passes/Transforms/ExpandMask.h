//===- ExpandMask.h - Masks by coordinates in simpler ops -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to passes/Transforms.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_TRANSFORMS_EXPANDMASK_H
#define OPGRAPH_PASSES_TRANSFORMS_EXPANDMASK_H

#include "passes/Transforms/Expansion.h"

namespace opgraph {

/// Whether `op` is a diagonal_band_mask, of extents that are known and stay.
bool canExpandMask(mlir::Operation *op);

/// Replaces `op` if canExpandMask(op).
void expandMask(mlir::IRRewriter &rewriter, mlir::Operation *op);

} // namespace opgraph

#endif // OPGRAPH_PASSES_TRANSFORMS_EXPANDMASK_H
