//===- Passes.cpp - Passes that legalize graphs for GPUs ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Legalize/NVPTX/Passes.h"
#include "dialects/Plan/PlanDialect.h"
#include "dialects/Tile/TileDialect.h"
#include "mlir/Pass/Pass.h"
#include "passes/Legalize/NVPTX/NvptxLegalize.h"

namespace opgraph {
#define GEN_PASS_DECL
#define GEN_PASS_DEF_LEGALIZENVPTXPOINTWISEPASS
#define GEN_PASS_REGISTRATION
#include "passes/Legalize/NVPTX/Passes.h.inc"
} // namespace opgraph

using namespace mlir;
using namespace opgraph;

namespace {
struct LegalizeNvptxPointwise
    : opgraph::impl::LegalizeNvptxPointwisePassBase<LegalizeNvptxPointwise> {
  using LegalizeNvptxPointwisePassBase::LegalizeNvptxPointwisePassBase;

  void runOnOperation() override {
    auto graphs =
        llvm::to_vector(getOperation().getOps<opgraph::graph::GraphOp>());
    for (opgraph::graph::GraphOp graph : graphs) {
      if (failed(legalize::legalizeNvptxPointwise(graph, /*plan=*/{}, isAtomic,
                                                  getOperation())))
        return signalPassFailure();
      graph.erase();
    }
  }
};
} // namespace

void opgraph::registerNvptxLegalizePasses() {
  registerLegalizeNvptxPointwisePass();
}
