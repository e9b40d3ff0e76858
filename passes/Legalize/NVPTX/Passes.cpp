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

static graph::Knobs getAtomicKnobs() {
  return {{static_cast<int64_t>(graph::KnobType::REDUCTION_MODE), 1}};
}

namespace {
struct LegalizeNvptxPointwise
    : opgraph::impl::LegalizeNvptxPointwisePassBase<LegalizeNvptxPointwise> {
  using LegalizeNvptxPointwisePassBase::LegalizeNvptxPointwisePassBase;

  void runOnOperation() override {
    auto graphs =
        llvm::to_vector(getOperation().getOps<opgraph::graph::GraphOp>());
    for (opgraph::graph::GraphOp graph : graphs) {
      if (failed(legalize::legalizeNvptxPointwise(graph, makePlan(),
                                                  getOperation())))
        return signalPassFailure();
      graph.erase();
    }
  }

private:
  /// Null where the options say nothing.
  opgraph::graph::PlanAttr makePlan() {
    if (target.empty() && !isAtomic)
      return {};
    return opgraph::graph::PlanAttr::get(
        &getContext(), legalize::kPointwiseEngine, legalize::kPointwiseName,
        /*version=*/1, target.empty() ? "sm_90" : target.getValue(),
        isAtomic ? getAtomicKnobs() : opgraph::graph::Knobs(),
        opgraph::graph::HeurMode::A, /*time_ns=*/0, /*workspace=*/0,
        /*behavior_notes=*/{}, /*numerical_notes=*/{});
  }
};
} // namespace

void opgraph::registerNvptxLegalizePasses() {
  registerLegalizeNvptxPointwisePass();
}
