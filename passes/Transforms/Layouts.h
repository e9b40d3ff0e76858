//===- Layouts.h - Layout ops as places in memory ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transposes, slices, reshapes and concatenates move no element where what they
// take, or what they give, lies in memory anyway: they only say in which order.
// What is computed in between is written to memory where nothing else helps.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_TRANSFORMS_LAYOUTS_H
#define OPGRAPH_PASSES_TRANSFORMS_LAYOUTS_H

#include "dialects/Graph/Extents.h"
#include "dialects/Graph/GraphDialect.h"
#include "llvm/ADT/SetVector.h"

namespace opgraph {

/// Memory in which the elements of a value lie.
struct MemoryView {
  /// An argument of the graph, or a value that is stored.
  mlir::Value base;
  /// Of the value's axes, and of its first element, in elements.
  graph::Dims strides;
  int64_t offset = 0;
};

/// A value that is written to a result, or to part of one or of a stored value.
struct LayoutStore {
  mlir::Value value;
  /// The number of the graph's result; -1: it is `whole`, a stored value.
  int64_t result = -1;
  mlir::Value whole;
  /// Of the axes of `value`, in elements.
  graph::Dims strides;
  int64_t offset = 0;
};

/// Whether a reshape only drops or adds leading axes of extent 1.
bool isOfLeadingAxes(graph::ReshapeOp op);

/// Whether `op` combines no elements: it is elementwise then.
bool isOverNoAxis(graph::ReductionOp op);

class Layouts {
public:
  /// Rewrites `graph`, of static extents, until every layout op that is reached
  /// from a store takes what lies in memory.
  explicit Layouts(graph::GraphOp graph);

  /// The memory that a kernel reads for an argument or for the result of a
  /// layout op or concatenate; nullopt for what it computes. A reshape of
  /// leading axes of what is computed is what is computed.
  std::optional<MemoryView> findView(mlir::Value value) const;

  /// Whether it passes through memory because of layout ops: packed row-major,
  /// written by stores.
  bool isStored(mlir::Value value) const { return stored.contains(value); }
  llvm::ArrayRef<mlir::Value> getStored() const { return stored.getArrayRef(); }
  /// What is written; of a concatenate its inputs.
  llvm::ArrayRef<LayoutStore> getStores() const { return stores; }
  /// Whether a store needs it.
  bool isReached(mlir::Value value) const { return reached.contains(value); }

private:
  void makeLogical();
  void addStores(const LayoutStore &store);
  void reach(mlir::Value value);
  void reachLayout(mlir::Operation *op);
  void store(mlir::Value value);
  void dropUnread();
  /// The memory that layout op `op` makes of that of `value`.
  std::optional<MemoryView> apply(mlir::Operation *op, mlir::Value value) const;
  std::optional<MemoryView> findMemory(mlir::Value value) const {
    return apply(nullptr, value);
  }

  friend class Sinker;
  graph::GraphOp graph;
  llvm::SetVector<mlir::Value> stored;
  llvm::SmallVector<LayoutStore> stores;
  llvm::DenseSet<mlir::Value> reached;
};

} // namespace opgraph

#endif // OPGRAPH_PASSES_TRANSFORMS_LAYOUTS_H
