//===- ExpandGroups.h - Reductions by group in simpler ops ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to passes/Transforms.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_TRANSFORMS_EXPANDGROUPS_H
#define OPGRAPH_PASSES_TRANSFORMS_EXPANDGROUPS_H

#include "passes/Transforms/Expansion.h"

namespace opgraph {

/// Whether `op` is a reduction of groups of rows, of extents that are known and
/// stay.
bool canExpandGroups(mlir::Operation *op);

/// Replaces `op` if canExpandGroups(op): each group reduces all rows, of which
/// those of others do not change the result.
void expandGroups(mlir::IRRewriter &rewriter, mlir::Operation *op);

} // namespace opgraph

#endif // OPGRAPH_PASSES_TRANSFORMS_EXPANDGROUPS_H
