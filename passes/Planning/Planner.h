//===- Planner.h - The ranked plan list of a graph --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Planning a graph for a target: every engine of the manifest is asked, each
// answers with plans or with reasons, and one list comes out, best first. Pure:
// no clock, no environment, no device is read.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_PLANNING_PLANNER_H
#define OPGRAPH_PASSES_PLANNING_PLANNER_H

#include "dialects/Graph/GraphDialect.h"
#include "opgraph-c/status.h"
#include "passes/Planning/Decline.h"
#include "passes/Planning/Engine.h"
#include "passes/Planning/Facts.h"
#include "passes/Planning/Filters.h"
#include "passes/Planning/Manifest.h"
#include "passes/Planning/Target.h"
#include <functional>

namespace opgraph::planning {

class CudnnLibrary;

struct PlanRequest {
  Target target;
  /// Lists in this order; a plan keeps the first mode that names it.
  llvm::SmallVector<graph::HeurMode, 4> modes = {graph::HeurMode::A,
                                                 graph::HeurMode::FALLBACK};
  /// Only this engine; with knobs, only this plan. Modes do not matter then.
  std::optional<graph::PlanId> pin;
  /// Take a pinned plan whose recorded engine version is not ours.
  bool acceptOtherVersion = false;
  Filters filters;
  bool allowOptIn = false;
  /// Null for getManifest().
  const Manifest *manifest = nullptr;
  /// The library whose engines are asked; null for none.
  const CudnnLibrary *cudnn = nullptr;
  /// Without the whole list, the library, which takes milliseconds to answer,
  /// is not asked where the list's first plan is known without it.
  bool wantsWholeList = true;
  /// A measured time replaces the prediction of a plan. Null for none.
  std::function<std::optional<int64_t>(const graph::PlanId &)> measuredTime;

  const Manifest &getManifest() const {
    return manifest ? *manifest : planning::getManifest();
  }
};

/// What became of one engine.
struct EngineVerdict {
  int64_t engine = 0;
  std::string name;
  /// Plans of it on the list.
  int64_t plans = 0;
};

struct PlanOutcome {
  std::string graph;
  Family family = Family::Pointwise;
  std::string target;
  /// Best first; unique by (engine, version, knobs).
  llvm::SmallVector<graph::PlanAttr> plans;
  /// Bytes of shared memory of the blocks of each; -1 where not known yet.
  llvm::SmallVector<int64_t> sharedMemory;
  /// By engine in manifest order; what barred single plans comes last.
  Declines declines;
  /// Every engine asked, in manifest order.
  llvm::SmallVector<EngineVerdict> verdicts;
  /// Whether the library was not asked: only the first plan is that of the
  /// whole list.
  bool isPostponed = false;
  /// OG_OK with at least one plan; OG_GRAPH_NOT_SUPPORTED where all engines
  /// declined; OG_NOT_FOUND for an unknown engine or knob of a pin;
  /// OG_INVALID_VALUE for a knob's value; OG_VERSION_MISMATCH.
  og_status status = OG_OK;
  /// Set when `status` is not OG_OK; holds the table of reasons.
  std::string message;
};

/// Plans `graph`, a valid graph.
PlanOutcome planGraph(graph::GraphOp graph, const PlanRequest &request);

/// What planning `graph` for `request` needs to know; opens the graph in the
/// cuDNN library where the request has one for its target.
GraphFacts parseFacts(graph::GraphOp graph, const PlanRequest &request);

/// The same on parsed facts.
PlanOutcome planFacts(mlir::MLIRContext *context, const GraphFacts &facts,
                      const PlanRequest &request);

/// Why `slot` does not take the graph; empty if it does. Bounds on workspace
/// and other filters judge plans, not engines: see Filters.h.
Declines judgeEngine(const EngineSlot &slot, const GraphFacts &facts,
                     const PlanRequest &request);

/// The knobs of an engine for a graph; empty if it has none or declines.
llvm::SmallVector<KnobSpec> knobsOf(const EngineSlot &slot,
                                    const GraphFacts &facts,
                                    const PlanRequest &request);

/// Writes the outcome on the graph as `graph.plans` and `graph.declines`.
void writeOutcome(graph::GraphOp graph, const PlanOutcome &outcome);

/// The plans on `graph`; empty before planning.
llvm::SmallVector<graph::PlanAttr> readPlans(graph::GraphOp graph);

/// "A" and its like; nullopt for another text.
std::optional<llvm::SmallVector<graph::HeurMode, 4>>
parseModes(llvm::ArrayRef<std::string> names, std::string &error);

} // namespace opgraph::planning

#endif // OPGRAPH_PASSES_PLANNING_PLANNER_H
