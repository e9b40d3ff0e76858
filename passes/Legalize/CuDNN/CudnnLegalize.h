//===- CudnnLegalize.h - Graph to calls of the cuDNN library ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_LEGALIZE_CUDNN_CUDNNLEGALIZE_H
#define OPGRAPH_PASSES_LEGALIZE_CUDNN_CUDNNLEGALIZE_H

#include "dialects/Graph/GraphDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace opgraph::legalize {

/// Engine cudnn: appends the plan.program that executes `graph`, and its
/// descriptor program. `plan` may be null: then engine 0 without knobs is
/// named, and all that the project knows of the library is used.
llvm::LogicalResult legalizeCudnn(graph::GraphOp graph, graph::PlanAttr plan,
                                  mlir::ModuleOp into);

/// The same without a plan, for version `version` of the library.
llvm::LogicalResult legalizeCudnnFor(graph::GraphOp graph, int64_t version,
                                     mlir::ModuleOp into);

} // namespace opgraph::legalize

#endif // OPGRAPH_PASSES_LEGALIZE_CUDNN_CUDNNLEGALIZE_H
