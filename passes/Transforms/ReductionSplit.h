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

  /// Blocks that fill a GPU: of those that read lines of neighbouring results
  /// as many as are resident on 132 multiprocessors, since each writes a line a
  /// portion; of the others several times as many. Measured on the H200.
  static constexpr int64_t kBlocksAcross = 512, kBlocksAlong = 2048;

  /// Elements of a vector of results.
  static constexpr int64_t kVector = 4;
  /// Elements from a portion's results to the next one's: whole vectors.
  static int64_t getPitch(int64_t numResults);

  /// How many numbers go from one kernel to the other, at most, and how many
  /// bytes they take; 0 where there is one kernel. A kernel may make more
  /// portions of a result than getSplits, where that spares it single elements
  /// or divisions.
  int64_t countPortions(graph::ReductionOp op) const;
  int64_t countBytes(graph::ReductionOp op) const;

private:
  llvm::DenseMap<mlir::Operation *, int64_t> splits;
};

} // namespace opgraph

#endif // OPGRAPH_PASSES_TRANSFORMS_REDUCTIONSPLIT_H
