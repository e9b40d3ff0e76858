//===- Materializer.h - From declarations to a valid graph.graph -*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_LIB_GRAPH_MATERIALIZER_H
#define OPGRAPH_LIB_GRAPH_MATERIALIZER_H

#include "lib/Graph/GraphImpl.h"
#include "lib/Support/Diagnostics.h"
#include "mlir/IR/Builders.h"

namespace opgraph::lib {

/// One run of validation. The graph and its ports are in Materialize.cpp, nodes
/// and regions in MaterializeNodes.cpp.
class Materializer {
public:
  explicit Materializer(GraphImpl &graph)
      : graph(graph), context(graph.context.get()), builder(context),
        diagnostics(context), values(graph.tensors.size()) {}

  og_status run();

private:
  // The graph.
  og_status checkRegions();
  og_status collectPorts();
  og_status checkTensors();
  og_status checkTensor(og_tensor tensor);
  og_status checkRaggedOffset(og_tensor tensor);
  og_status makeGraphOp();
  og_status makeConstant(og_tensor tensor);
  og_status finish();
  mlir::DictionaryAttr portAttributes(og_tensor tensor, mlir::Type type,
                                      bool isArgument);
  mlir::Type defaultElementType(const TensorRecord &record);

  // Its nodes.
  og_status makeNode(const NodeRecord &node);
  og_status inferResults(const NodeRecord &node, mlir::Operation *op);
  og_status makeRegion(const NodeRecord &node, mlir::Operation *op);
  og_status addRegionArguments(const RegionRecord &region,
                               llvm::ArrayRef<mlir::RankedTensorType> types,
                               mlir::Block *block);
  mlir::Operation *createOp(const NodeRecord &node);
  void addAttributes(const NodeRecord &node, mlir::OperationState &state);
  mlir::Attribute normalizeAxis(const AttributeValue &value,
                                mlir::OperationState &state,
                                mlir::Attribute attr);
  mlir::Location getLocation(const NodeRecord &node);

  GraphImpl &graph;
  mlir::MLIRContext *context;
  mlir::OpBuilder builder;
  DiagnosticCollector diagnostics;
  /// The value of each tensor; inside a region, of a capture the argument that
  /// stands for it.
  llvm::SmallVector<mlir::Value> values;
  /// Whether each tensor takes part in the graph as an operand.
  llvm::SmallVector<bool> isRead;
  llvm::SmallVector<og_tensor> arguments, outputs, constants;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  graph::GraphOp op;
};

} // namespace opgraph::lib

#endif // OPGRAPH_LIB_GRAPH_MATERIALIZER_H
