//===- PlanState.h - The plan list of a graph -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_LIB_COMPILER_PLANSTATE_H
#define OPGRAPH_LIB_COMPILER_PLANSTATE_H

#include "lib/Compiler/BuildCache.h"
#include "lib/Graph/GraphImpl.h"
#include "opgraph-c/compiler.h"
#include "passes/Planning/Engine.h"
#include "passes/Planning/Planner.h"

namespace opgraph::lib {

/// One entry of the plan list.
struct PlanEntry {
  graph::PlanAttr plan;
  /// An og_heur_mode; -1 for a pinned entry.
  int32_t mode = -1;
  /// Storage of what og_graph_plan_info points to.
  std::string engineName, identity;
  std::vector<og_knob> knobs;
  std::vector<int32_t> behaviorNotes, numericalNotes;
  /// Bytes of a block; -1 where planning does not know.
  int64_t sharedMemory = -1;
  /// Barred by a filter or a selection; `reason` says by which.
  bool barred = false;
  int32_t state = OG_PLAN_LISTED;
  /// Of the last build that failed.
  og_status failure = OG_OK;
  std::string reason;
  /// The last plan built from this entry.
  PlanHandle built;
};

/// One row of the manifest, or one of the library's engines, asked about the
/// graph.
struct EngineEntry {
  const planning::EngineSlot *slot = nullptr;
  /// The slot's, or those of one of the library's engines.
  int64_t id = 0;
  int64_t version = 1;
  bool accepts = false;
  llvm::SmallVector<planning::KnobSpec> knobs;
};

/// What planning found, and what building made of it. The prepared graph is a
/// copy: no later stage edits what the user's graph was checked as.
class PlanState {
public:
  mlir::OwningOpRef<mlir::ModuleOp> prepared;
  graph::GraphOp graphOp;
  planning::PlanRequest request;
  planning::PlanOutcome outcome;
  /// Only the first is final while outcome.isPostponed: see hasEntry().
  std::vector<PlanEntry> entries;
  /// Those given so far: entries that come later are judged as well.
  std::vector<planning::Filters> filters;
  /// Empty until asked.
  std::vector<EngineEntry> engines;
  /// The entry that runs; -1 before a build.
  int64_t candidate = -1;
  /// Upper limit of a plan's workers; 0 leaves it to the code generator.
  int32_t maxWorkers = 0;
  /// Set while `request` is for a CUDA device that nobody named: the host,
  /// which is planned for where that device has no plan.
  std::optional<planning::Target> otherwise;
  /// og_graph_create_plans was called.
  bool hasList = false;
  BuildCache cache;
};

/// Freezes the graph and prepares a copy of it, once.
og_status beginPlanning(GraphImpl &graph, const og_plan_options *options);

/// Makes the list whole where only its first plan is known so far. Entries
/// keep what became of them; their positions may change.
void completeList(GraphImpl &graph);
/// Whether the list has an entry `index`; completes it to tell for any but the
/// first.
bool hasEntry(GraphImpl &graph, int64_t index);
/// Bars `entry` where one of `filters` does.
void applyFilters(PlanEntry &entry, llvm::ArrayRef<planning::Filters> filters);

/// The entry at `index`, or OG_OUT_OF_RANGE.
og_status findEntry(GraphImpl &graph, int64_t index, PlanEntry *&entry);
/// The same, or OG_FAILED_PRECONDITION where that entry is barred.
og_status findUsableEntry(GraphImpl &graph, int64_t index, PlanEntry *&entry);

} // namespace opgraph::lib

#endif // OPGRAPH_LIB_COMPILER_PLANSTATE_H
