//===- Planning.cpp - Making the plan list: the C API ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "lib/Compiler/Compile.h"
#include "lib/Compiler/CompilerImpl.h"
#include "lib/Compiler/CudnnService.h"
#include "lib/Compiler/DefaultDevice.h"
#include "lib/Compiler/PlanState.h"
#include "lib/Compiler/Targets.h"
#include "lib/Support/CApi.h"
#include "lib/Support/Diagnostics.h"
#include "lib/Support/StageTimer.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstdlib>

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

/// The rules of the environment: lines of a file, or rules with ';' between.
static og_status readPlanRules(std::vector<planning::PlanRule> &rules) {
  const char *value = std::getenv("OPGRAPH_PLANS");
  if (!value || !*value)
    return OG_OK;
  llvm::StringRef text = value;
  std::string source = "OPGRAPH_PLANS", error;
  std::string lines = llvm::join(llvm::split(text, ';'), "\n");
  if (text.consume_front("@")) {
    auto file = llvm::MemoryBuffer::getFile(text);
    if (!file)
      return fail(OG_INVALID_VALUE, "OPGRAPH_PLANS: cannot read '" + text +
                                        "': " + file.getError().message());
    lines = (*file)->getBuffer().str();
    source = ("'" + text + "'").str();
  }
  if (planning::parseRules(lines, source, rules, error))
    return OG_OK;
  return fail(OG_INVALID_VALUE, error);
}

namespace {
/// What og_plan_options say.
struct PlanOptions {
  planning::PlanRequest request;
  int32_t maxWorkers = 0;
  /// See PlanState.
  std::optional<planning::Target> otherwise;
};
} // namespace

static og_status readOptions(const og_plan_options *options,
                             PlanOptions &read) {
  og_plan_options given;
  OG_TRY(readStruct(options, given, "og_plan_options"));
  planning::PlanRequest &request = read.request;
  read.maxWorkers = given.threads;
  bool isDefault = false;
  OG_TRY(readTarget(given, request.target, isDefault));
  if (isDefault)
    read.otherwise = makeHostTarget(given);
  if (request.target.kind == planning::TargetKind::Cuda)
    request.cudnn = &getCudnnLibrary();
  OG_TRY(readModes(given, request));
  OG_TRY(readPlanRules(request.filters.rules));
  if (given.deterministic)
    request.filters.deselectNumerical.push_back(
        graph::NumericalNote::NONDETERMINISTIC);
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
  // The module may hold other graphs; ours keeps its name.
  state.graphOp = state.prepared->lookupSymbol<graph::GraphOp>(
      graph.graphOp.getSymNameAttr());
  graph.context.getSimplifier().run(state.graphOp);
  if (isStrict() && failed(mlir::verify(state.graphOp)))
    return fail(OG_INTERNAL, "preparing graph '" + graph.name + "' failed: " +
                                 diagnostics.textOr("no reason given"));
  return OG_OK;
}

/// Takes the options over into the graph's planning.
static void setOptions(GraphImpl &graph, PlanState &state,
                       const PlanOptions &options) {
  state.request = options.request;
  state.request.manifest = graph.compiler->engines.manifest;
  state.maxWorkers = options.maxWorkers;
  state.otherwise = options.otherwise;
}

static og_status beginWith(GraphImpl &graph, const PlanOptions &options) {
  auto state = std::make_unique<PlanState>();
  setOptions(graph, *state, options);
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
  PlanOptions read;
  OG_TRY(readOptions(options, read));
  return beginWith(graph, read);
}

//===----------------------------------------------------------------------===//
// The list
//===----------------------------------------------------------------------===//

/// Appends a plan unless it is on the list; gives its position.
static int64_t addEntry(PlanState &state, graph::PlanAttr plan, int32_t mode,
                        int64_t sharedMemory = -1) {
  graph::PlanId id = plan.getId();
  for (auto [index, entry] : llvm::enumerate(state.entries))
    if (entry.plan.getId().isSamePlan(id))
      return index;
  PlanEntry entry;
  entry.plan = plan;
  entry.mode = mode;
  entry.engineName = plan.getName().str();
  entry.identity = id.str();
  entry.sharedMemory = sharedMemory;
  for (const graph::Knob &knob : plan.getKnobs())
    entry.knobs.push_back({knob.key, knob.value});
  for (graph::BehaviorNote note : plan.getBehaviorNotes())
    entry.behaviorNotes.push_back(int32_t(note));
  for (graph::NumericalNote note : plan.getNumericalNotes())
    entry.numericalNotes.push_back(int32_t(note));
  state.entries.push_back(std::move(entry));
  return state.entries.size() - 1;
}

/// Records how long the library took to answer.
static void recordLibraryTime(GraphImpl &graph) {
  if (int64_t time = takeLibraryTime())
    graph.stages.push_back({"rank/library", -1, time});
}

/// Appends the plans of the outcome.
static void addList(PlanState &state) {
  const planning::PlanOutcome &outcome = state.outcome;
  for (auto [plan, sharedMemory] :
       llvm::zip_equal(outcome.plans, outcome.sharedMemory)) {
    int64_t index =
        addEntry(state, plan, int32_t(plan.getMode()), sharedMemory);
    applyFilters(state.entries[index], state.filters);
  }
}

void opgraph::lib::completeList(GraphImpl &graph) {
  if (!graph.plans || !graph.plans->outcome.isPostponed)
    return;
  PlanState &state = *graph.plans;
  StageTimer timer(graph, "rank");
  state.request.wantsWholeList = true;
  state.outcome = planning::planGraph(state.graphOp, state.request);
  recordLibraryTime(graph);
  std::vector<PlanEntry> known = std::move(state.entries);
  state.entries.clear();
  addList(state);
  int64_t candidate = -1;
  for (auto [index, entry] : llvm::enumerate(known)) {
    int64_t now = addEntry(state, entry.plan, entry.mode);
    state.entries[now] = std::move(entry);
    if (int64_t(index) == state.candidate)
      candidate = now;
  }
  state.candidate = candidate;
}

og_status og_graph_create_plans(og_graph *graph,
                                const og_plan_options *options) {
  OG_TRY(checkNotNull(graph, "graph"));
  if (graph->plans && graph->plans->hasList)
    return fail(OG_FAILED_PRECONDITION,
                "graph '" + graph->name +
                    "' has its plan list already; planning happens once");
  // Options of an earlier pin do not decide what this list is made for.
  PlanOptions read;
  OG_TRY(readOptions(options, read));
  if (!graph->plans) {
    OG_TRY(beginWith(*graph, read));
  } else {
    // But where nobody names a device, a pin may have settled it.
    bool wasOnHost =
        graph->plans->request.target.kind == planning::TargetKind::Host;
    setOptions(*graph, *graph->plans, read);
    if (read.otherwise && wasOnHost && !graph->plans->entries.empty())
      fallBack(*graph->plans);
  }
  PlanState &state = *graph->plans;
  state.request.wantsWholeList = false;
  state.hasList = true;
  StageTimer timer(*graph, "rank");
  state.outcome = planOrFallBack(*graph, state.request);
  recordLibraryTime(*graph);
  addList(state);
  if (state.outcome.status != OG_OK)
    return fail(state.outcome.status, state.outcome.message);
  return OG_OK;
}

/// Plans exactly what `pin` names and appends it.
static og_status addPinned(og_graph *graph, graph::PlanId pin,
                           const og_plan_options *options, int64_t *index) {
  OG_TRY(beginPlanning(*graph, options));
  completeList(*graph);
  PlanState &state = *graph->plans;
  StageTimer timer(*graph, "rank");
  planning::PlanRequest request = state.request;
  request.pin = std::move(pin);
  planning::PlanOutcome outcome = planOrFallBack(*graph, std::move(request));
  recordLibraryTime(*graph);
  if (outcome.status != OG_OK || outcome.plans.empty()) {
    // Kept for og_graph_explain when there is nothing better to tell.
    if (!state.hasList && state.entries.empty())
      state.outcome = outcome;
    return fail(outcome.status == OG_OK ? OG_GRAPH_NOT_SUPPORTED
                                        : outcome.status,
                outcome.message);
  }
  int64_t position =
      addEntry(state, outcome.plans.front(), -1, outcome.sharedMemory.front());
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
