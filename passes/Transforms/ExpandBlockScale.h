//===- ExpandBlockScale.h - Block scaling in simpler ops --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to passes/Transforms.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_TRANSFORMS_EXPANDBLOCKSCALE_H
#define OPGRAPH_PASSES_TRANSFORMS_EXPANDBLOCKSCALE_H

#include "passes/Transforms/Expansion.h"

namespace opgraph {

/// Whether `op` quantises or dequantises blocks, of static extents, with scales
/// that lie by their strides or in tiles (f8_128x4, but not those of groups).
bool canExpandBlockScale(mlir::Operation *op);

/// Replaces `op` if canExpandBlockScale(op). Scales in tiles that are arguments
/// or results have more axes then, and the graph's signature says so.
void expandBlockScale(mlir::IRRewriter &rewriter, mlir::Operation *op);

} // namespace opgraph

#endif // OPGRAPH_PASSES_TRANSFORMS_EXPANDBLOCKSCALE_H
