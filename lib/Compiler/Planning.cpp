//===- Planning.cpp - Making the plan list: the C API ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "lib/Compiler/Compile.h"
#include "lib/Compiler/CompilerImpl.h"
#include "lib/Compiler/CudnnService.h"
#include "lib/Compiler/PlanState.h"
#include "lib/Compiler/Targets.h"
#include "lib/Support/CApi.h"
#include "lib/Support/Diagnostics.h"
#include "lib/Support/StageTimer.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::lib;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

static og_status readModes(const og_plan_options &options,
                           planning::PlanRequest &request) {
  if (!options.modes)
    return OG_OK;
  request.modes.clear();
  for (size_t i = 0; i < options.num_modes; ++i) {
    auto mode = graph::symbolizeHeurMode(options.modes[i]);
    if (!mode)
      return fail(OG_INVALID_VALUE,
                  "expected a heuristic mode in [0, 3], got " +
                      Twine(options.modes[i]));
    request.modes.push_back(*mode);
  }
  if (request.modes.empty())
    return fail(OG_ATTRIBUTE_NOT_SET,
                "expected at least one heuristic mode, got none");
  return OG_OK;
}

static og_status readRequest(const og_plan_options *options,
                             planning::PlanRequest &request,
                             int32_t &maxWorkers) {
  og_plan_options given;
  OG_TRY(readStruct(options, given, "og_plan_options"));
  maxWorkers = given.threads;
  OG_TRY(readTarget(given, request.target));
  if (request.target.kind == planning::TargetKind::Cuda)
    request.cudnn = &getCudnnLibrary();
  OG_TRY(readModes(given, request));
  if (!given.limit_workspace)
    return OG_OK;
  if (given.max_workspace < 0)
    return fail(OG_INVALID_VALUE,
                "expected max_workspace to be at least 0, got " +
                    Twine(given.max_workspace));
  request.filters.maxWorkspace = given.max_workspace;
  return OG_OK;
}

//===----------------------------------------------------------------------===//
// Preparation
//===----------------------------------------------------------------------===//

static og_status prepareCopy(GraphImpl &graph, PlanState &state) {
  StageTimer timer(graph, "prepare");
  DiagnosticCollector diagnostics(graph.context.get());
  state.prepared = graph.module->clone();
  PassManager &manager = graph.context.getPreparePipeline();
  manager.enableVerifier(isStrict());
  if (failed(manager.run(*state.prepared)))
    return fail(OG_INTERNAL, "preparing graph '" + graph.name + "' failed: " +
                                 diagnostics.textOr("no reason given"));
  // The module may hold other graphs; ours keeps its name.
  state.graphOp = state.prepared->lookupSymbol<graph::GraphOp>(
      graph.graphOp.getSymNameAttr());
  return OG_OK;
}

static og_status beginWith(GraphImpl &graph, planning::PlanRequest request,
                           int32_t maxWorkers) {
  auto state = std::make_unique<PlanState>();
  state->request = std::move(request);
  state->maxWorkers = maxWorkers;
  state->request.manifest = graph.compiler->engines.manifest;
  OG_TRY(graph.validate());
  OG_TRY(prepareCopy(graph, *state));
  graph.plans = std::move(state);
  graph.isFrozen = true;
  return OG_OK;
}

og_status opgraph::lib::beginPlanning(GraphImpl &graph,
                                      const og_plan_options *options) {
  if (graph.plans)
    return OG_OK;
  planning::PlanRequest request;
  int32_t maxWorkers;
  OG_TRY(readRequest(options, request, maxWorkers));
  return beginWith(graph, std::move(request), maxWorkers);
}

//===----------------------------------------------------------------------===//
// The list
//===----------------------------------------------------------------------===//

/// Appends a plan unless it is on the list; gives its position.
static int64_t addEntry(PlanState &state, graph::PlanAttr plan, int32_t mode) {
  graph::PlanId id = plan.getId();
  for (auto [index, entry] : llvm::enumerate(state.entries))
    if (entry.plan.getId().isSamePlan(id))
      return index;
  PlanEntry entry;
  entry.plan = plan;
  entry.mode = mode;
  entry.engineName = plan.getName().str();
  entry.identity = id.str();
  for (const graph::Knob &knob : plan.getKnobs())
    entry.knobs.push_back({knob.key, knob.value});
  for (graph::BehaviorNote note : plan.getBehaviorNotes())
    entry.behaviorNotes.push_back(int32_t(note));
  for (graph::NumericalNote note : plan.getNumericalNotes())
    entry.numericalNotes.push_back(int32_t(note));
  state.entries.push_back(std::move(entry));
  return state.entries.size() - 1;
}

og_status og_graph_create_plans(og_graph *graph,
                                const og_plan_options *options) {
  OG_TRY(checkNotNull(graph, "graph"));
  if (graph->plans && graph->plans->hasList)
    return fail(OG_FAILED_PRECONDITION,
                "graph '" + graph->name +
                    "' has its plan list already; planning happens once");
  // Options of an earlier pin do not decide what this list is made for.
  planning::PlanRequest request;
  int32_t maxWorkers;
  OG_TRY(readRequest(options, request, maxWorkers));
  if (!graph->plans)
    OG_TRY(beginWith(*graph, request, maxWorkers));
  PlanState &state = *graph->plans;
  state.maxWorkers = maxWorkers;
  request.manifest = state.request.manifest;
  state.request = request;
  state.hasList = true;
  StageTimer timer(*graph, "rank");
  state.outcome = planning::planGraph(state.graphOp, state.request);
  for (graph::PlanAttr plan : state.outcome.plans)
    addEntry(state, plan, int32_t(plan.getMode()));
  if (state.outcome.status != OG_OK)
    return fail(state.outcome.status, state.outcome.message);
  return OG_OK;
}

/// Plans exactly what `pin` names and appends it.
static og_status addPinned(og_graph *graph, graph::PlanId pin,
                           const og_plan_options *options, int64_t *index) {
  OG_TRY(beginPlanning(*graph, options));
  PlanState &state = *graph->plans;
  StageTimer timer(*graph, "rank");
  planning::PlanRequest request = state.request;
  request.pin = std::move(pin);
  planning::PlanOutcome outcome = planning::planGraph(state.graphOp, request);
  if (outcome.status != OG_OK || outcome.plans.empty()) {
    // Kept for og_graph_explain when there is nothing better to tell.
    if (!state.hasList && state.entries.empty())
      state.outcome = outcome;
    return fail(outcome.status == OG_OK ? OG_GRAPH_NOT_SUPPORTED
                                        : outcome.status,
                outcome.message);
  }
  int64_t position = addEntry(state, outcome.plans.front(), -1);
  if (!state.hasList)
    state.outcome = outcome;
  if (index)
    *index = position;
  return OG_OK;
}

og_status og_graph_create_plan(og_graph *graph, int64_t engineId,
                               const og_knob *knobs, size_t numKnobs,
                               const og_plan_options *options, int64_t *index) {
  if (index)
    *index = -1;
  OG_TRY(checkNotNull(graph, "graph"));
  if (numKnobs)
    OG_TRY(checkNotNull(knobs, "knobs"));
  graph::PlanId pin;
  pin.engine = engineId;
  pin.hasKnobs = numKnobs != 0;
  for (size_t i = 0; i < numKnobs; ++i)
    pin.knobs.push_back({knobs[i].type, knobs[i].value});
  llvm::sort(pin.knobs);
  for (size_t i = 1; i < numKnobs; ++i)
    if (pin.knobs[i].key == pin.knobs[i - 1].key)
      return fail(OG_INVALID_VALUE, "knob " +
                                        graph::knobKeyName(pin.knobs[i].key) +
                                        " is given twice");
  return addPinned(graph, std::move(pin), options, index);
}

og_status og_graph_create_plan_named(og_graph *graph, const char *identity,
                                     const og_plan_options *options,
                                     int64_t *index) {
  if (index)
    *index = -1;
  OG_TRY(checkNotNull(graph, "graph"));
  OG_TRY(checkNotNull(identity, "identity"));
  std::string error;
  auto pin = graph::PlanId::parse(identity, error);
  if (!pin)
    return fail(OG_PARSE_ERROR, "plan '" + Twine(identity) + "': " + error);
  return addPinned(graph, std::move(*pin), options, index);
}
