//===- HostLegalize.h - Graph and plan to host code --------------*- C++ -*-==//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The entries of the host engines' legalization. Each appends a plan.program
// and its entry function to a module; on failure a diagnostic was emitted and
// what was appended is unspecified.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_LEGALIZE_HOST_HOSTLEGALIZE_H
#define OPGRAPH_PASSES_LEGALIZE_HOST_HOSTLEGALIZE_H

#include "dialects/Graph/GraphDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace opgraph::legalize {

/// The judge: plain loops in f64 and i64, one nest per op, rounding at every
/// value's element type. `plan` may be null.
llvm::LogicalResult legalizeReference(graph::GraphOp graph,
                                      graph::PlanAttr plan,
                                      mlir::ModuleOp into);

/// The fast engine: linalg on tensors. `plan` may be null.
llvm::LogicalResult legalizeFused(graph::GraphOp graph, graph::PlanAttr plan,
                                  mlir::ModuleOp into);

} // namespace opgraph::legalize

#endif // OPGRAPH_PASSES_LEGALIZE_HOST_HOSTLEGALIZE_H
