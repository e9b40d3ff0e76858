//===- DynamicGraph.h - A graph of symbols as graphs of numbers -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_LEGALIZE_NVPTX_POINTWISE_DYNAMICGRAPH_H
#define OPGRAPH_PASSES_LEGALIZE_NVPTX_POINTWISE_DYNAMICGRAPH_H

#include "dialects/Graph/GraphDialect.h"
#include "dialects/Plan/PlanDialect.h"
#include "mlir/IR/OwningOpRef.h"

namespace opgraph::legalize::nvptx {

/// A symbol of a plan's program.
struct ShapeSymbol {
  /// Of an extent, or of the stride of an operand's axis.
  bool isStride = false;
  /// The number that the user declared, where a call may override it.
  std::optional<int64_t> declared;
  /// Reductions combine elements along it.
  bool isReduced = false;
};

class DynamicGraph {
public:
  /// `program` declares the symbols of `graph`, and has no steps.
  DynamicGraph(graph::GraphOp graph, plan::ProgramOp program);

  llvm::ArrayRef<ShapeSymbol> getSymbols() const { return symbols; }
  /// Extents and strides that are numbers.
  llvm::ArrayRef<int64_t> getNumbers() const { return numbers; }

  /// The graph with a number for each symbol; null where it is none that these
  /// numbers suit, without a diagnostic.
  mlir::OwningOpRef<graph::GraphOp> instantiate(llvm::ArrayRef<int64_t> values);

private:
  void noteNumbers(mlir::RankedTensorType type);
  void noteReduced();
  mlir::RankedTensorType instantiate(mlir::RankedTensorType type,
                                     int64_t operand,
                                     llvm::ArrayRef<int64_t> values) const;

  graph::GraphOp graph;
  llvm::SmallVector<ShapeSymbol> symbols;
  llvm::SmallVector<int64_t> numbers;
  llvm::DenseMap<mlir::StringAttr, unsigned> extents;
  /// By operand and axis.
  llvm::DenseMap<std::pair<int64_t, int64_t>, unsigned> strides;
};

} // namespace opgraph::legalize::nvptx

#endif // OPGRAPH_PASSES_LEGALIZE_NVPTX_POINTWISE_DYNAMICGRAPH_H
