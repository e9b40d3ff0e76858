//===- Passes.cpp - Passes that legalize graphs for cuDNN -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Legalize/CuDNN/Passes.h"
#include "dialects/CuDNN/CudnnDialect.h"
#include "dialects/Plan/PlanDialect.h"
#include "mlir/Pass/Pass.h"
#include "passes/Legalize/CuDNN/CudnnLegalize.h"

namespace opgraph {
#define GEN_PASS_DECL
#define GEN_PASS_DEF_LEGALIZECUDNNPASS
#define GEN_PASS_REGISTRATION
#include "passes/Legalize/CuDNN/Passes.h.inc"
} // namespace opgraph

using namespace mlir;
using namespace opgraph;

namespace {
struct LegalizeCudnn : opgraph::impl::LegalizeCudnnPassBase<LegalizeCudnn> {
  using LegalizeCudnnPassBase::LegalizeCudnnPassBase;

  void runOnOperation() override {
    auto graphs =
        llvm::to_vector(getOperation().getOps<opgraph::graph::GraphOp>());
    for (opgraph::graph::GraphOp graph : graphs) {
      if (failed(legalize::legalizeCudnnFor(graph, library, getOperation())))
        return signalPassFailure();
      graph.erase();
    }
  }
};
} // namespace

void opgraph::registerCudnnLegalizePasses() { registerLegalizeCudnnPass(); }
