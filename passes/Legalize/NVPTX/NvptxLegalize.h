//===- NvptxLegalize.h - Graph and plan to GPU kernels ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The entries of the generated GPU engines' legalization. Each appends a
// plan.program with its launches, and the tile kernels that they name, to a
// module; on failure a diagnostic was emitted and what was appended is
// unspecified.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_LEGALIZE_NVPTX_NVPTXLEGALIZE_H
#define OPGRAPH_PASSES_LEGALIZE_NVPTX_NVPTXLEGALIZE_H

#include "dialects/Graph/GraphDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace opgraph::legalize {

/// The engine's row in the manifest (passes/Planning), for plans that no
/// planning made.
inline constexpr int64_t kPointwiseEngine = 30000;
inline constexpr char kPointwiseName[] = "nvptx.pointwise";

/// Engine nvptx.pointwise. `plan` may be null: then the target is sm_90a.
llvm::LogicalResult legalizeNvptxPointwise(graph::GraphOp graph,
                                           graph::PlanAttr plan,
                                           mlir::ModuleOp into);

} // namespace opgraph::legalize

#endif // OPGRAPH_PASSES_LEGALIZE_NVPTX_NVPTXLEGALIZE_H
