//===- PlanAttrs.h - Syntax helpers of the plan attributes ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The custom directives that the generated parsers and printers in
// GraphDialect.cpp call; of no use elsewhere.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_DIALECTS_GRAPH_PLANATTRS_H
#define OPGRAPH_DIALECTS_GRAPH_PLANATTRS_H

#include "dialects/Graph/GraphDialect.h"
#include "mlir/IR/OpImplementation.h"

namespace opgraph::graph {

/// `{TILE_M = 6, 1000026 = 8}`; any order is read, key order is written.
mlir::ParseResult parseKnobs(mlir::AsmParser &parser,
                             llvm::SmallVector<Knob> &knobs);
void printKnobs(mlir::AsmPrinter &printer, llvm::ArrayRef<Knob> knobs);

/// `[RUNTIME_COMPILATION]`.
mlir::ParseResult parseBehaviorNotes(mlir::AsmParser &parser,
                                     llvm::SmallVector<BehaviorNote> &notes);
void printBehaviorNotes(mlir::AsmPrinter &printer,
                        llvm::ArrayRef<BehaviorNote> notes);

/// `[NONDETERMINISTIC]`.
mlir::ParseResult parseNumericalNotes(mlir::AsmParser &parser,
                                      llvm::SmallVector<NumericalNote> &notes);
void printNumericalNotes(mlir::AsmPrinter &printer,
                         llvm::ArrayRef<NumericalNote> notes);

/// Checks an op attribute of the dialect: planning's `graph.plans`,
/// `graph.declines`, `graph.family` and `graph.facts`, on a graph alone.
llvm::LogicalResult verifyPlanningAttribute(mlir::Operation *op,
                                            mlir::NamedAttribute attr);

} // namespace opgraph::graph

#endif // OPGRAPH_DIALECTS_GRAPH_PLANATTRS_H
