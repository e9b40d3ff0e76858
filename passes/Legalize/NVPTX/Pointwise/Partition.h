//===- Partition.h - The kernels of a pointwise graph -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A graph of pointwise ops and reductions is a set of roots: its reductions and
// its results. A kernel computes roots of one shape that reduce the same axes;
// what lies between roots is computed again where it is needed, so that only
// results of reductions pass from kernel to kernel.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_LEGALIZE_NVPTX_POINTWISE_PARTITION_H
#define OPGRAPH_PASSES_LEGALIZE_NVPTX_POINTWISE_PARTITION_H

#include "dialects/Graph/GraphDialect.h"
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
  /// Numbers of the graph's results that it writes.
  llvm::SmallVector<unsigned> results;

  bool isElementwise() const { return !llvm::is_contained(reduced, true); }
};

struct Partition {
  llvm::SmallVector<KernelSpec> kernels;
  /// The kernel that computes a reduction.
  llvm::DenseMap<mlir::Operation *, unsigned> kernelOf;
  /// Axes of all shapes.
  int64_t rank = 0;
};

/// Whether `op` combines no elements: it is elementwise then.
bool isOverNoAxis(graph::ReductionOp op);

/// The extents of `value`, with leading ones up to `rank` axes.
Shape getAlignedShape(mlir::Value value, int64_t rank);

/// `graph` holds pointwise ops, reductions, constants, and reshapes that drop
/// or add leading axes of extent 1.
Partition partitionGraph(graph::GraphOp graph);

} // namespace opgraph::legalize::nvptx

#endif // OPGRAPH_PASSES_LEGALIZE_NVPTX_POINTWISE_PARTITION_H
