//===- PlanProgram.h - The plan program of a graph ---------------*- C++ -*-==//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all engines that legalize a whole graph to one host function share: the
// plan.program with the graph's operands, and the empty entry function.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_LEGALIZE_PLANPROGRAM_H
#define OPGRAPH_PASSES_LEGALIZE_PLANPROGRAM_H

#include "dialects/Graph/GraphDialect.h"
#include "dialects/Plan/PlanDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/MapVector.h"

namespace opgraph::legalize {

/// What an engine says about the program that it makes.
struct ProgramSpec {
  /// Last part of the entry's name: `opgraph_<graph>_<suffix>`.
  llvm::StringRef suffix;
  /// Which strides a bound buffer may have; decides the entry's memref types.
  plan::StrideRule strideRule = plan::StrideRule::Exact;
  /// (argument, result) pairs that may be one buffer.
  llvm::SmallVector<std::pair<int64_t, int64_t>> aliases;
  /// Identity of the engine where the plan attribute is null.
  int64_t engineId = 0;
  llvm::StringRef engineName;
  /// Where the graph is a generalised copy (GeneralizeExtents.h), the graph as
  /// it was declared; its numbers are the symbols' default values.
  graph::GraphOp declared;
};

/// A plan.program and its entry, whose arguments are the graph's arguments,
/// then its results, as memrefs.
struct HostProgram {
  plan::ProgramOp program;
  mlir::func::FuncOp entry;
};

/// `opgraph_<graph>_<suffix>`, of letters, digits and underscores.
std::string getEntrySymbol(graph::GraphOp graph, llvm::StringRef suffix);

/// The strides that a buffer of an operand of graph type `type` may have in a
/// plan whose rule is `rule`.
plan::StrideRule getStrideRule(mlir::RankedTensorType type,
                               plan::StrideRule rule);

/// The memref that an operand of graph type `type` is, under `rule`. The
/// element type is the storage type; no encoding is left. Strides count
/// elements, also of those that share bytes.
mlir::MemRefType getOperandType(mlir::RankedTensorType type,
                                plan::StrideRule rule);

/// Appends to `into` the plan.program of `graph` and its entry function, which
/// has one empty block ending in func.return. Fails, with a diagnostic, where
/// a virtual value has an extent that no operand gives.
llvm::FailureOr<HostProgram> buildHostProgram(graph::GraphOp graph,
                                              graph::PlanAttr plan,
                                              const ProgramSpec &spec,
                                              mlir::ModuleOp into);

/// Appends to `into` the plan.program of `graph` for a GPU, without steps.
/// Fails as buildHostProgram does.
llvm::FailureOr<plan::ProgramOp> buildDeviceProgram(graph::GraphOp graph,
                                                    graph::PlanAttr plan,
                                                    const ProgramSpec &spec,
                                                    mlir::ModuleOp into);

/// An operand (graph arguments, then results) and an axis of it.
struct OperandAxis {
  unsigned operand;
  unsigned axis;
};

/// Where each symbol of the graph is bound: the first operand that has it.
llvm::MapVector<mlir::StringAttr, OperandAxis>
getSymbolSources(graph::GraphOp graph);

} // namespace opgraph::legalize

#endif // OPGRAPH_PASSES_LEGALIZE_PLANPROGRAM_H
