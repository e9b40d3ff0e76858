//===- EngineSet.h - The engines that a compiler serves ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_LIB_COMPILER_ENGINESET_H
#define OPGRAPH_LIB_COMPILER_ENGINESET_H

#include "dialects/Graph/GraphDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/Planning/Manifest.h"

namespace opgraph::lib {

/// Makes the program of a plan: appends a plan.program and its functions.
using LegalizeFn = llvm::LogicalResult (*)(graph::GraphOp, graph::PlanAttr,
                                           mlir::ModuleOp);

/// Both halves of the engines: the rows that planning asks, and what makes code
/// for their plans. Tests put fakes into either.
struct EngineSet {
  const planning::Manifest *manifest;
  /// By the engine's name; null where it makes no code.
  LegalizeFn (*findLegalization)(llvm::StringRef engine);

  /// The project's own.
  static EngineSet own();
};

} // namespace opgraph::lib

#endif // OPGRAPH_LIB_COMPILER_ENGINESET_H
