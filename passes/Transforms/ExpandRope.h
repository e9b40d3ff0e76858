//===- ExpandRope.h - Rotary embedding in simpler ops -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to passes/Transforms.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_TRANSFORMS_EXPANDROPE_H
#define OPGRAPH_PASSES_TRANSFORMS_EXPANDROPE_H

#include "passes/Transforms/Expansion.h"

namespace opgraph {

/// Replaces the op by arithmetic on slices of its operands, which a concatenate
/// joins.
void expandRope(mlir::IRRewriter &rewriter, graph::RopeOp op);
void expandRope(mlir::IRRewriter &rewriter, graph::RopeBackwardOp op);

} // namespace opgraph

#endif // OPGRAPH_PASSES_TRANSFORMS_EXPANDROPE_H
