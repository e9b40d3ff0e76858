//===- DynamicGraph.h - A graph of symbols as graphs of numbers -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_LEGALIZE_NVPTX_POINTWISE_DYNAMICGRAPH_H
#define OPGRAPH_PASSES_LEGALIZE_NVPTX_POINTWISE_DYNAMICGRAPH_H

#include "dialects/Graph/GraphDialect.h"
#include "dialects/Plan/PlanDialect.h"
#include "mlir/IR/OwningOpRef.h"
#include "passes/Legalize/NVPTX/Pointwise/Formulas.h"

namespace opgraph::legalize::nvptx {

/// A symbol of a plan's program.
struct ShapeSymbol {
  /// Of an extent, or of the stride of an operand's axis.
  bool isStride = false;
  /// The number that the user declared, where a call may override it.
  std::optional<int64_t> declared;
  /// Reductions combine elements along it.
  bool isReduced = false;
  /// The most that it may be: elements of results do not overlap.
  int64_t most = kLongestSide;
};

/// An axis of an operand whose strides are spelled.
struct StridedAxis {
  /// Of the extent and the stride: the symbol, or -1 and the number.
  int64_t extentSymbol = -1, extent = 1;
  int64_t strideSymbol = -1, stride = 0;
};

class DynamicGraph {
public:
  /// `program` declares the symbols of `graph`, and has no steps.
  DynamicGraph(graph::GraphOp graph, plan::ProgramOp program);

  llvm::ArrayRef<ShapeSymbol> getSymbols() const { return symbols; }
  /// The operands whose strides are spelled; axes by ascending stride.
  llvm::ArrayRef<llvm::SmallVector<StridedAxis>> getOperands() const {
    return operands;
  }
  /// Extents and strides that are numbers.
  llvm::ArrayRef<int64_t> getNumbers() const { return numbers; }

  /// Finds which symbols are reduced: `values` are primes.
  void noteReduced(llvm::ArrayRef<int64_t> values);

  /// The graph with a number for each symbol; null where it is none that these
  /// numbers suit, without a diagnostic.
  mlir::OwningOpRef<graph::GraphOp> instantiate(llvm::ArrayRef<int64_t> values);

private:
  void noteOperand(mlir::RankedTensorType type, int64_t operand, bool isResult);
  void noteOverlaps(llvm::ArrayRef<StridedAxis> axes);
  void noteNumbers(mlir::RankedTensorType type);
  mlir::RankedTensorType instantiate(mlir::RankedTensorType type,
                                     int64_t operand,
                                     llvm::ArrayRef<int64_t> values) const;

  graph::GraphOp graph;
  llvm::SmallVector<ShapeSymbol> symbols;
  llvm::SmallVector<llvm::SmallVector<StridedAxis>> operands;
  llvm::SmallVector<int64_t> numbers;
  llvm::DenseMap<mlir::StringAttr, unsigned> extents;
  /// By operand and axis.
  llvm::DenseMap<std::pair<int64_t, int64_t>, unsigned> strides;
};

} // namespace opgraph::legalize::nvptx

#endif // OPGRAPH_PASSES_LEGALIZE_NVPTX_POINTWISE_DYNAMICGRAPH_H
