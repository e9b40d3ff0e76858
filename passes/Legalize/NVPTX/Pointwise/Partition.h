//===- Partition.h - The kernels of a pointwise graph -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A graph of pointwise ops and reductions is a set of roots: its reductions and
// what is stored, which is its results and what layout ops need in memory. A
// kernel computes roots of one shape that reduce the same axes; what lies
// between roots is computed again where it is needed, so that only results of
// reductions and stored values pass from kernel to kernel.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_LEGALIZE_NVPTX_POINTWISE_PARTITION_H
#define OPGRAPH_PASSES_LEGALIZE_NVPTX_POINTWISE_PARTITION_H

#include "passes/Transforms/Layouts.h"
#include "passes/Transforms/OnePass.h"
#include "passes/Transforms/ReductionSplit.h"
#include "llvm/ADT/MapVector.h"

namespace opgraph::legalize::nvptx {

using Shape = llvm::SmallVector<int64_t, 6>;

/// One kernel.
struct KernelSpec {
  /// Extents of the iteration, of the graph's largest rank.
  Shape shape;
  /// Which axes are reduced; none in an elementwise kernel.
  llvm::SmallVector<bool, 6> reduced;
  /// In an order in which each needs only those before it.
  llvm::SmallVector<graph::ReductionOp> reductions;
  /// Of those, what can share a walk though one needs the other.
  llvm::SmallVector<ReductionPair, 1> pairs;
  /// What a split kernel makes of its results for kernels of elements, so that
  /// these do not make it for each element.
  llvm::SmallVector<mlir::Value, 1> rowValues;
  /// Numbers of the layouts' stores that it does.
  llvm::SmallVector<unsigned> stores;
  /// Of an elementwise kernel: the axes along which the results of its costly
  /// functions are the same; empty for none.
  llvm::SmallVector<bool, 6> shared;
  /// In how many portions, at most, its columns are combined. If in several,
  /// the reductions need nothing of one another, but for pairs, and only rows
  /// are stored: by the kernel that combines the portions.
  int64_t splits = 1;
  /// How many numbers the portions of a reduction may be; 0 if the columns'
  /// places count.
  int64_t mostPortions = 0;
  /// In how many CTAs, at most, a row may be.
  int64_t mostCtas = 1;

  bool isElementwise() const { return !llvm::is_contained(reduced, true); }
};

struct Partition {
  llvm::SmallVector<KernelSpec, 0> kernels;
  /// The kernel that computes a reduction or row value, or writes the last part
  /// of a stored value, by the op whose result that is.
  llvm::DenseMap<mlir::Operation *, unsigned> kernelOf;
  /// Axes of all shapes.
  int64_t rank = 0;
};

/// The extents of `value`, with leading ones up to `rank` axes.
Shape getAlignedShape(mlir::Value value, int64_t rank);

/// `graph` holds pointwise ops, reductions, constants, and layout ops that
/// `layouts` has rewritten.
Partition partitionGraph(graph::GraphOp graph, const Layouts &layouts,
                         const ReductionSplit &split);

} // namespace opgraph::legalize::nvptx

#endif // OPGRAPH_PASSES_LEGALIZE_NVPTX_POINTWISE_PARTITION_H
