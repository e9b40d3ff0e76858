//===- Pipelines.cpp - Registration and order of the rewrites -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/GraphDialect.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "passes/Transforms/Passes.h"

using namespace mlir;

namespace opgraph {
#define GEN_PASS_REGISTRATION
#include "passes/Transforms/Passes.h.inc"
} // namespace opgraph

void opgraph::buildGraphPreparePipeline(OpPassManager &pm) {
  // Merging of equal operations is left out on purpose: two results that are
  // returned may be equal, and a graph returns no value twice.
  pm.nest<graph::GraphOp>().addPass(createGraphSimplifyPass());
}

void opgraph::registerTransformsPasses() {
  registerTransformsGeneratedPasses();
  PassPipelineRegistration<>(
      "graph-prepare", "Canonicalize graphs and recognise composed operations",
      buildGraphPreparePipeline);
}
