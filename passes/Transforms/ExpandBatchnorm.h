//===- ExpandBatchnorm.h - Batch normalisation in simpler ops ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to passes/Transforms: what only expandAll replaces.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_TRANSFORMS_EXPANDBATCHNORM_H
#define OPGRAPH_PASSES_TRANSFORMS_EXPANDBATCHNORM_H

#include "passes/Transforms/Expansion.h"

namespace opgraph {

/// Whether `op` is a bn_finalize, or, of extents that are known and stay, a
/// dbn_weight, a batchnorm or batchnorm_backward with statistics of peers, or a
/// batchnorm of no elements.
bool canExpandBatchnorm(mlir::Operation *op);

/// Replaces `op` if canExpandBatchnorm(op).
void expandBatchnorm(mlir::IRRewriter &rewriter, mlir::Operation *op);

} // namespace opgraph

#endif // OPGRAPH_PASSES_TRANSFORMS_EXPANDBATCHNORM_H
