//===- ReductionSplit.h - Long reductions in portions -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A reduction with few results cannot fill a GPU with one block a result: its
// elements are combined in portions, and the portions by a kernel of their own.
// What says how many is shared by planning, which counts the memory between the
// two, and by legalization.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_TRANSFORMS_REDUCTIONSPLIT_H
#define OPGRAPH_PASSES_TRANSFORMS_REDUCTIONSPLIT_H

#include "dialects/Graph/GraphDialect.h"

namespace opgraph {

class ReductionSplit {
public:
  /// `graph` has static extents.
  explicit ReductionSplit(graph::GraphOp graph);

  /// In how many portions, at most, the elements are combined; 1 for all at
  /// once. Equal for reductions of equal shapes.
  int64_t getSplits(graph::ReductionOp op) const {
    return splits.lookup_or(op, 1);
  }

  /// Elements from a portion's results to the next one's: whole vectors.
  static int64_t getPitch(int64_t numResults);

  /// Of the memory between the two kernels, for all portions.
  int64_t countBytes(graph::ReductionOp op) const;

private:
  llvm::DenseMap<mlir::Operation *, int64_t> splits;
};

} // namespace opgraph

#endif // OPGRAPH_PASSES_TRANSFORMS_REDUCTIONSPLIT_H
