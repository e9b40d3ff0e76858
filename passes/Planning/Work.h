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

/// The extent `back` axes from the end of `value`, kNominalExtent where it is
/// unknown; 1 where there is no such axis.
int64_t extentFromEnd(const ValueFacts &value, size_t back);

/// Elements of the axes before the last two of `value`, which a matmul batches
/// over; 1 below rank 2.
int64_t countMatrices(const ValueFacts &value);

/// What `op`, an op of a graph, computes.
Work workOf(mlir::Operation *op);

} // namespace opgraph::planning

#endif // OPGRAPH_PASSES_PLANNING_WORK_H
