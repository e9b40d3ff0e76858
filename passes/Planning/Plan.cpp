//===- Plan.cpp - List every plan that can run a graph --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/GraphDialect.h"
#include "mlir/Pass/Pass.h"
#include "passes/Planning/Passes.h"
#include "passes/Planning/Planner.h"

namespace opgraph::planning {
#define GEN_PASS_DEF_GRAPHPLANPASS
#define GEN_PASS_REGISTRATION
#include "passes/Planning/Passes.h.inc"
} // namespace opgraph::planning

using namespace llvm;
using namespace opgraph;
using namespace opgraph::planning;

namespace {
struct GraphPlanPass
    : opgraph::planning::impl::GraphPlanPassBase<GraphPlanPass> {
  using GraphPlanPassBase::GraphPlanPassBase;

  void runOnOperation() override;

private:
  /// The request that the pass's options spell.
  std::optional<PlanRequest> makeRequest(std::string &error);
};
} // namespace

std::optional<PlanRequest> GraphPlanPass::makeRequest(std::string &error) {
  PlanRequest request;
  std::optional<Target> parsed = Target::parse(target, error);
  if (!parsed)
    return std::nullopt;
  request.target = *parsed;
  if (workers < 1) {
    error = "expected at least 1 worker, got " + std::to_string(workers);
    return std::nullopt;
  }
  request.target.workers = workers;
  if (!modes.empty()) {
    auto list = parseModes(modes, error);
    if (!list)
      return std::nullopt;
    request.modes = *list;
  }
  if (!engine.empty()) {
    request.pin = graph::PlanId::parse(engine, error);
    if (!request.pin)
      return std::nullopt;
  }
  request.filters.deselectEngines.assign(deselect.begin(), deselect.end());
  if (maxWorkspace >= 0)
    request.filters.maxWorkspace = maxWorkspace;
  request.allowOptIn = optIn;
  return request;
}

void GraphPlanPass::runOnOperation() {
  graph::GraphOp graph = getOperation();
  if (graph->hasAttr("graph.plans")) {
    graph.emitOpError("is planned already");
    return signalPassFailure();
  }
  std::string error;
  std::optional<PlanRequest> request = makeRequest(error);
  if (!request) {
    graph.emitOpError(error);
    return signalPassFailure();
  }
  PlanOutcome outcome =
      planFacts(&getContext(), getAnalysis<FactsAnalysis>().facts, *request);
  if (outcome.status != OG_OK) {
    graph.emitOpError(outcome.message);
    return signalPassFailure();
  }
  writeOutcome(graph, outcome);
  markAllAnalysesPreserved();
}

void opgraph::planning::registerPlanningPasses() {
  registerGeneratedPlanningPasses();
}
