//===- Work.h - Arithmetic of an op -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_PLANNING_WORK_H
#define OPGRAPH_PASSES_PLANNING_WORK_H

#include "passes/Planning/Facts.h"

namespace opgraph::planning {

/// Elements of `dims`, unknown extents counted as kNominalExtent; saturates at
/// 2^62.
int64_t countElements(llvm::ArrayRef<int64_t> dims);

/// What `op`, an op of a graph, computes.
Work workOf(mlir::Operation *op);

} // namespace opgraph::planning

#endif // OPGRAPH_PASSES_PLANNING_WORK_H
