//===- Planner.cpp - The ranked plan list of a graph ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Planning/Planner.h"
#include "mlir/IR/Builders.h"
#include "passes/Planning/Engine.h"
#include "passes/Planning/Engines/CudnnProblem.h"
#include "passes/Planning/Explain.h"
#include "passes/Planning/Pin.h"
#include "llvm/ADT/SmallSet.h"

using namespace llvm;
using namespace opgraph;
using namespace opgraph::planning;

static constexpr StringLiteral kPlansAttr = "graph.plans";
static constexpr StringLiteral kDeclinesAttr = "graph.declines";

//===----------------------------------------------------------------------===//
// Engines
//===----------------------------------------------------------------------===//

/// "8.6" of 86, where `base` is 10.
static std::string printVersion(int64_t version, int64_t base) {
  return std::to_string(version / base) + "." + std::to_string(version % base);
}

/// Whether the engine's side and architectures fit the target, and the target's
/// driver what generated code needs.
static void judgeTarget(const EngineSlot &slot, const Target &target,
                        SmallVectorImpl<Decline> &declines) {
  bool wantsHost = slot.side == Side::Host;
  if (wantsHost != (target.kind == TargetKind::Host)) {
    Decline decline = makeDecline(
        slot, "target", wantsHost ? "host" : "a CUDA device", target.name);
    if (wantsHost) {
      decline.nearest = Change{ChangeKind::TargetHost};
      decline.nearestText = decline.nearest->str({});
    }
    declines.push_back(std::move(decline));
    return;
  }
  if (target.kind == TargetKind::Cuda &&
      (target.arch < slot.archs.first || target.arch > slot.archs.last))
    declines.push_back(makeDecline(slot, "arch",
                                   "sm_" + std::to_string(slot.archs.first) +
                                       " to sm_" +
                                       std::to_string(slot.archs.last),
                                   "sm_" + std::to_string(target.arch)));
  if (slot.side == Side::Nvptx && target.shippedPtx > target.newestPtx)
    declines.push_back(makeDecline(
        slot, "driver",
        "one that compiles PTX " + printVersion(target.shippedPtx, 10),
        printVersion(target.driver / 10, 100) + ", which compiles PTX up to " +
            printVersion(target.newestPtx, 10) +
            " (with ptxas or nvJitLink here, a cubin would be shipped)"));
}

Declines opgraph::planning::judgeEngine(const EngineSlot &slot,
                                        const GraphFacts &facts,
                                        const PlanRequest &request) {
  Declines declines;
  judgeTarget(slot, request.target, declines);
  if (slot.maturity == Maturity::OptIn && !request.allowOptIn) {
    Decline decline =
        makeDecline(slot, "maturity", "opt-in engines allowed", "not allowed");
    decline.nearest = Change{ChangeKind::OptIn};
    decline.nearestText = decline.nearest->str({});
    declines.push_back(std::move(decline));
  }
  if (!slot.families.contains(facts.family))
    declines.push_back(makeDecline(slot, "family", slot.families.str(),
                                   stringifyFamily(facts.family).str()));
  const Engine &engine = slot.engine();
  judge(slot, engine.getCapabilities(), facts, declines);
  if (declines.empty())
    engine.judgeMore({slot, facts, request}, declines);
  return declines;
}

SmallVector<KnobSpec> opgraph::planning::knobsOf(const EngineSlot &slot,
                                                 const GraphFacts &facts,
                                                 const PlanRequest &request) {
  if (!judgeEngine(slot, facts, request).empty())
    return {};
  return slot.engine().getKnobSpecs({slot, facts, request}, {});
}

//===----------------------------------------------------------------------===//
// Ranking
//===----------------------------------------------------------------------===//

namespace {
/// A costed setting on its way to the list.
struct Entry {
  const EngineSlot *slot;
  Config config;
  /// What the list is sorted by.
  int64_t rankNs;
  /// The plan's engine and version: the slot's, but for the library.
  int64_t engine;
  int64_t version;
  size_t order = 0;
};

/// Plans one graph.
class Planner {
public:
  Planner(mlir::MLIRContext *context, const GraphFacts &facts,
          const PlanRequest &request)
      : context(context), facts(facts), request(request) {}

  PlanOutcome run();

private:
  void judgeAll();
  void addMode(graph::HeurMode mode);
  void propose(const EngineSlot &slot, graph::HeurMode mode,
               SmallVectorImpl<Entry> &entries) const;
  void proposeLibrary(const EngineSlot &slot, graph::HeurMode mode,
                      SmallVectorImpl<Entry> &entries) const;
  Entry cost(const EngineSlot &slot, ArrayRef<graph::Knob> knobs) const;
  Entry libraryEntry(const EngineSlot &slot, const CudnnConfig &config,
                     int64_t timeNs) const;
  void explainLibrary();
  void addPlan(const Entry &entry, graph::HeurMode mode);
  void planPin();
  void finish();

  mlir::MLIRContext *context;
  const GraphFacts &facts;
  const PlanRequest &request;
  PlanOutcome outcome;
  SmallVector<const EngineSlot *> accepting;
  /// Of the library, only this engine.
  std::optional<int64_t> libraryEngine;
  Declines barred;
  /// Keys of all plans seen, barred ones too.
  SmallSet<std::string, 16> seen;
};
} // namespace

void Planner::judgeAll() {
  for (const EngineSlot &slot : request.getManifest().getSlots()) {
    outcome.verdicts.push_back({slot.id, slot.name.str(), 0});
    Declines declines = judgeEngine(slot, facts, request);
    if (declines.empty())
      accepting.push_back(&slot);
    llvm::append_range(outcome.declines, std::move(declines));
  }
}

Entry Planner::cost(const EngineSlot &slot, ArrayRef<graph::Knob> knobs) const {
  Config config = slot.engine().evaluate({slot, facts, request}, knobs);
  config.knobs.assign(knobs.begin(), knobs.end());
  if (request.measuredTime) {
    graph::PlanId id{slot.name.str(),       slot.id,
                     slot.version,          config.knobs,
                     !config.knobs.empty(), request.target.name};
    if (std::optional<int64_t> measured = request.measuredTime(id))
      config.timeNs = *measured;
  }
  int64_t rank = config.timeNs;
  return {&slot, std::move(config), rank, slot.id, slot.version};
}

Entry Planner::libraryEntry(const EngineSlot &slot, const CudnnConfig &config,
                            int64_t timeNs) const {
  Config costed;
  costed.knobs = config.knobs;
  costed.timeNs = timeNs;
  costed.workspace = config.workspace;
  costed.sharedMemory = config.sharedMemory;
  costed.behaviorNotes = config.behaviorNotes;
  costed.numericalNotes = config.numericalNotes;
  int64_t version = facts.cudnn->getVersion();
  if (request.measuredTime) {
    graph::PlanId id{
        slot.name.str(), config.engine,         version,
        config.knobs,    !config.knobs.empty(), request.target.name};
    if (std::optional<int64_t> measured = request.measuredTime(id))
      costed.timeNs = *measured;
  }
  int64_t rank = rankCudnnNs(costed.timeNs);
  return {&slot, std::move(costed), rank, config.engine, version};
}

/// The library's list, in its order unless the model of times knows better.
void Planner::proposeLibrary(const EngineSlot &slot, graph::HeurMode mode,
                             SmallVectorImpl<Entry> &entries) const {
  bool keepsOrder = !ranksCudnnByTime(facts, request, mode);
  int64_t earlier = 0;
  for (auto [index, config] : enumerate(facts.cudnn->getConfigs(mode))) {
    if (libraryEngine && config.engine != *libraryEngine)
      continue;
    Entry entry = libraryEntry(
        slot, config, predictCudnnNs(facts, request, config, mode, index));
    if (keepsOrder)
      entry.rankNs = earlier = std::max(earlier, entry.rankNs);
    entry.order = entries.size();
    entries.push_back(std::move(entry));
  }
}

void Planner::propose(const EngineSlot &slot, graph::HeurMode mode,
                      SmallVectorImpl<Entry> &entries) const {
  if (facts.cudnn && slot.side == Side::Cudnn)
    return proposeLibrary(slot, mode, entries);
  const Engine &engine = slot.engine();
  int64_t earlier = 0;
  for (const graph::Knobs &knobs :
       engine.propose({slot, facts, request}, mode)) {
    Entry entry = cost(slot, knobs);
    // An engine that keeps its order never sorts below its earlier entries.
    if (engine.keepsOrder())
      entry.rankNs = earlier = std::max(earlier, entry.rankNs);
    entry.order = entries.size();
    entries.push_back(std::move(entry));
  }
}

void Planner::addMode(graph::HeurMode mode) {
  SmallVector<Entry> entries;
  for (const EngineSlot *slot : accepting)
    if (mode != graph::HeurMode::OPENSOURCE || slot->side != Side::Cudnn)
      propose(*slot, mode, entries);
  // The manifest's and the engine's order breaks ties.
  llvm::sort(entries, [](const Entry &a, const Entry &b) {
    return std::tie(a.rankNs, a.order) < std::tie(b.rankNs, b.order);
  });
  for (const Entry &entry : entries)
    addPlan(entry, mode);
}

void Planner::addPlan(const Entry &entry, graph::HeurMode mode) {
  const Config &config = entry.config;
  auto plan = graph::PlanAttr::get(
      context, entry.engine, entry.slot->name, entry.version,
      request.target.name, config.knobs, mode, config.timeNs, config.workspace,
      config.behaviorNotes, config.numericalNotes);
  if (!seen.insert(plan.getId().str()).second)
    return;
  if (std::optional<Decline> decline =
          applyFilters(plan, request.filters, config.sharedMemory)) {
    decline->engine = entry.slot->id;
    barred.push_back(std::move(*decline));
    return;
  }
  outcome.plans.push_back(plan);
  outcome.sharedMemory.push_back(config.sharedMemory);
  for (EngineVerdict &verdict : outcome.verdicts)
    if (verdict.engine == entry.slot->id)
      ++verdict.plans;
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

void Planner::planPin() {
  PinResult pin = resolvePin(*request.pin, facts, request);
  outcome.status = pin.status;
  outcome.message = pin.message;
  llvm::append_range(outcome.declines, pin.declines);
  if (!pin.slot) {
    for (const Decline &decline : pin.declines)
      outcome.verdicts.push_back({decline.engine, decline.name, 0});
    return;
  }
  outcome.verdicts.push_back({pin.slot->id, pin.slot->name.str(), 0});
  if (outcome.status != OG_OK || !outcome.declines.empty())
    return;
  if (pin.config) {
    int64_t timeNs =
        predictCudnnNs(facts, request, *pin.config, graph::HeurMode::A, 0);
    addPlan(libraryEntry(*pin.slot, *pin.config, timeNs), graph::HeurMode::A);
    return;
  }
  if (pin.knobs) {
    addPlan(cost(*pin.slot, *pin.knobs), graph::HeurMode::A);
    return;
  }
  accepting.push_back(pin.slot);
  libraryEngine = pin.libraryEngine;
  for (graph::HeurMode mode : request.modes)
    addMode(mode);
}

/// Why the library, which holds the graph, lists nothing for it.
void Planner::explainLibrary() {
  for (const EngineSlot *slot : accepting) {
    bool isBarred = llvm::any_of(
        barred, [&](const Decline &d) { return d.engine == slot->id; });
    bool hasPlans = llvm::any_of(outcome.verdicts, [&](const EngineVerdict &v) {
      return v.engine == slot->id && v.plans > 0;
    });
    if (!facts.cudnn || slot->side != Side::Cudnn || isBarred || hasPlans)
      continue;
    Decline decline = makeDecline(
        *slot, "engines", "one that the library lists for this graph", "none");
    decline.status = "NOT_SUPPORTED";
    decline.text = facts.cudnn->getError().str();
    outcome.declines.push_back(std::move(decline));
  }
}

void Planner::finish() {
  explainLibrary();
  llvm::append_range(outcome.declines, std::move(barred));
  if (!outcome.plans.empty() || outcome.status != OG_OK)
    return;
  outcome.status = OG_GRAPH_NOT_SUPPORTED;
  outcome.message = "no plan for this graph on target '" + outcome.target +
                    "':\n" + renderTable(outcome);
}

PlanOutcome Planner::run() {
  outcome.family = facts.family;
  outcome.target = request.target.name;
  if (request.pin) {
    planPin();
  } else {
    judgeAll();
    for (graph::HeurMode mode : request.modes)
      addMode(mode);
  }
  finish();
  return std::move(outcome);
}

PlanOutcome opgraph::planning::planFacts(mlir::MLIRContext *context,
                                         const GraphFacts &facts,
                                         const PlanRequest &request) {
  return Planner(context, facts, request).run();
}

/// The generated plans; marked as postponed where the first is the whole
/// list's.
static PlanOutcome planWithoutLibrary(graph::GraphOp graph,
                                      const PlanRequest &request) {
  GraphFacts facts = FactsAnalysis(graph).facts;
  PlanOutcome outcome = planFacts(graph.getContext(), facts, request);
  outcome.isPostponed =
      !outcome.plans.empty() &&
      isFirstWithoutCudnn(outcome.plans.front(), facts, request);
  return outcome;
}

PlanOutcome opgraph::planning::planGraph(graph::GraphOp graph,
                                         const PlanRequest &request) {
  PlanOutcome outcome;
  if (!request.wantsWholeList && !request.pin && wantsCudnn(request))
    outcome = planWithoutLibrary(graph, request);
  if (!outcome.isPostponed)
    outcome =
        planFacts(graph.getContext(), parseFacts(graph, request), request);
  outcome.graph = graph.getSymName().str();
  return outcome;
}

void opgraph::planning::writeOutcome(graph::GraphOp graph,
                                     const PlanOutcome &outcome) {
  mlir::MLIRContext *context = graph.getContext();
  SmallVector<mlir::Attribute> plans(outcome.plans.begin(),
                                     outcome.plans.end());
  graph->setAttr(kPlansAttr, mlir::ArrayAttr::get(context, plans));
  if (outcome.declines.empty())
    return;
  SmallVector<mlir::Attribute> declines;
  for (const Decline &decline : outcome.declines)
    declines.push_back(decline.toAttr(context));
  graph->setAttr(kDeclinesAttr, mlir::ArrayAttr::get(context, declines));
}

SmallVector<graph::PlanAttr>
opgraph::planning::readPlans(graph::GraphOp graph) {
  SmallVector<graph::PlanAttr> plans;
  if (auto list = graph->getAttrOfType<mlir::ArrayAttr>(kPlansAttr))
    for (mlir::Attribute attr : list)
      if (auto plan = dyn_cast<graph::PlanAttr>(attr))
        plans.push_back(plan);
  return plans;
}

std::optional<SmallVector<graph::HeurMode, 4>>
opgraph::planning::parseModes(ArrayRef<std::string> names, std::string &error) {
  SmallVector<graph::HeurMode, 4> modes;
  for (const std::string &name : names) {
    std::optional<graph::HeurMode> mode = graph::symbolizeHeurMode(name);
    if (!mode) {
      error = "expected a heuristic mode (A, B, FALLBACK, OPENSOURCE), got '" +
              name + "'";
      return std::nullopt;
    }
    modes.push_back(*mode);
  }
  return modes;
}
