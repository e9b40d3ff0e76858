//===- Passes.h - Graph-to-graph rewrites -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes between a checked graph and its classification. None changes what a
// graph computes, not even in its last bit.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_TRANSFORMS_PASSES_H
#define OPGRAPH_PASSES_TRANSFORMS_PASSES_H

#include <memory>

namespace mlir {
class OpPassManager;
class Pass;
} // namespace mlir

namespace opgraph {

#define GEN_PASS_DECL
#include "passes/Transforms/Passes.h.inc"

/// Appends what every graph goes through before it is classified:
/// canonicalization and recognition of composed operations. `pm` runs on a
/// builtin.module.
void buildGraphPreparePipeline(mlir::OpPassManager &pm);

/// Registers the passes and `graph-prepare`, the pipeline, by name.
void registerTransformsPasses();

} // namespace opgraph

#endif // OPGRAPH_PASSES_TRANSFORMS_PASSES_H
