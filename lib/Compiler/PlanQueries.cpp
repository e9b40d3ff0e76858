//===- PlanQueries.cpp - Reading and filtering a plan list: the C API -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/LibraryKnobs.h"
#include "lib/Compiler/PlanState.h"
#include "lib/Support/CApi.h"

using namespace opgraph;
using namespace opgraph::lib;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

int64_t og_graph_num_plans(const og_graph *graph) {
  if (!graph || !graph->plans)
    return 0;
  // Asking is what a list waits for; nothing that could be seen changes.
  completeList(const_cast<og_graph &>(*graph));
  return graph->plans->entries.size();
}

int64_t og_graph_candidate(const og_graph *graph) {
  return graph && graph->plans ? graph->plans->candidate : -1;
}

bool opgraph::lib::hasEntry(GraphImpl &graph, int64_t index) {
  if (!graph.plans)
    return false;
  if (index != 0)
    completeList(graph);
  return index >= 0 && size_t(index) < graph.plans->entries.size();
}

og_status opgraph::lib::findEntry(GraphImpl &graph, int64_t index,
                                  PlanEntry *&entry) {
  if (!hasEntry(graph, index)) {
    size_t count = graph.plans ? graph.plans->entries.size() : 0;
    return fail(OG_OUT_OF_RANGE, "expected a plan of graph '" + graph.name +
                                     "', below " + Twine(count) + ", got " +
                                     Twine(index));
  }
  entry = &graph.plans->entries[index];
  return OG_OK;
}

og_status opgraph::lib::findUsableEntry(GraphImpl &graph, int64_t index,
                                        PlanEntry *&entry) {
  OG_TRY(findEntry(graph, index, entry));
  if (!entry->barred)
    return OG_OK;
  return fail(OG_FAILED_PRECONDITION, "plan " + Twine(index) + " (" +
                                          entry->identity +
                                          ") is barred: " + entry->reason);
}

og_status og_graph_plan_info(og_graph *graph, int64_t index,
                             og_plan_info *out) {
  OG_TRY(checkNotNull(graph, "graph"));
  PlanEntry *entry;
  OG_TRY(findEntry(*graph, index, entry));
  og_plan_info info = {};
  info.engine_id = entry->plan.getEngine();
  info.engine_name = entry->engineName.c_str();
  info.engine_version = entry->plan.getVersion();
  info.mode = entry->mode;
  info.identity = entry->identity.c_str();
  info.knobs = entry->knobs.data();
  info.num_knobs = entry->knobs.size();
  info.predicted_time_ns = entry->plan.getTimeNs();
  info.workspace = entry->plan.getWorkspace();
  size_t exact = 0;
  if (entry->built && !og_plan_is_dynamic(entry->built.get()) &&
      og_plan_workspace_size(entry->built.get(), nullptr, &exact) == OG_OK)
    info.workspace = exact;
  info.shared_memory = entry->sharedMemory;
  info.behavior_notes = entry->behaviorNotes.data();
  info.num_behavior_notes = entry->behaviorNotes.size();
  info.numerical_notes = entry->numericalNotes.data();
  info.num_numerical_notes = entry->numericalNotes.size();
  info.barred = entry->barred;
  info.state = entry->state;
  info.reason = entry->reason.c_str();
  return writeStruct(info, out, "og_plan_info");
}

const char *og_knob_name(int64_t type) {
  auto knob = type >= 0 && type <= INT32_MAX
                  ? graph::symbolizeKnobType(uint32_t(type))
                  : std::nullopt;
  if (knob)
    return graph::stringifyKnobType(*knob).data();
  llvm::StringRef library = graph::libraryKnobName(type);
  return library.empty() ? nullptr : library.data();
}

og_status og_knob_type(const char *name, int64_t *type) {
  OG_TRY(checkNotNull(type, "type"));
  OG_TRY(checkNotNull(name, "name"));
  auto key = graph::parseKnobKey(name);
  if (!key)
    return fail(OG_NOT_FOUND, "no knob is called '" + Twine(name) + "'");
  *type = *key;
  return OG_OK;
}

//===----------------------------------------------------------------------===//
// Filtering
//===----------------------------------------------------------------------===//

/// A graph with a plan list, or an error that names `call`.
static og_status checkPlanned(og_graph *graph, const char *call) {
  OG_TRY(checkNotNull(graph, "graph"));
  if (graph->plans)
    return OG_OK;
  return fail(OG_FAILED_PRECONDITION, Twine(call) + ": graph '" + graph->name +
                                          "' has not been planned");
}

static void bar(PlanEntry &entry, const std::string &reason) {
  if (entry.barred)
    return;
  entry.barred = true;
  entry.reason = reason;
}

void opgraph::lib::applyFilters(PlanEntry &entry,
                                llvm::ArrayRef<planning::Filters> filters) {
  for (const planning::Filters &filter : filters)
    if (auto decline =
            planning::applyFilters(entry.plan, filter, entry.sharedMemory))
      bar(entry, decline->str());
}

/// Bars the entries that `filters` bars, and those that come to the list.
static og_status filter(og_graph *graph, const planning::Filters &filters) {
  graph->plans->filters.push_back(filters);
  for (PlanEntry &entry : graph->plans->entries)
    applyFilters(entry, filters);
  return OG_OK;
}

og_status og_graph_deselect(og_graph *graph, int64_t index) {
  OG_TRY(checkPlanned(graph, "og_graph_deselect"));
  PlanEntry *entry;
  OG_TRY(findEntry(*graph, index, entry));
  bar(*entry, "deselected");
  return OG_OK;
}

og_status og_graph_select(og_graph *graph, int64_t index) {
  OG_TRY(checkPlanned(graph, "og_graph_select"));
  completeList(*graph);
  PlanEntry *selected;
  OG_TRY(findUsableEntry(*graph, index, selected));
  for (PlanEntry &entry : graph->plans->entries)
    if (&entry != selected)
      bar(entry, "another plan was selected");
  return OG_OK;
}

og_status og_graph_deselect_engines(og_graph *graph, const char *text) {
  OG_TRY(checkPlanned(graph, "og_graph_deselect_engines"));
  OG_TRY(checkNotNull(text, "text"));
  planning::Filters filters;
  filters.deselectEngines.push_back(text);
  return filter(graph, filters);
}

og_status og_graph_deselect_workspace(og_graph *graph, int64_t bytes) {
  OG_TRY(checkPlanned(graph, "og_graph_deselect_workspace"));
  if (bytes < 0)
    return fail(OG_INVALID_VALUE,
                "expected a workspace limit of at least 0, got " +
                    Twine(bytes));
  planning::Filters filters;
  filters.maxWorkspace = bytes;
  return filter(graph, filters);
}

og_status og_graph_deselect_shared_memory(og_graph *graph, int64_t bytes) {
  OG_TRY(checkPlanned(graph, "og_graph_deselect_shared_memory"));
  if (bytes < 0)
    return fail(OG_INVALID_VALUE,
                "expected a limit of shared memory of at least 0, got " +
                    Twine(bytes));
  planning::Filters filters;
  filters.maxSharedMemory = bytes;
  return filter(graph, filters);
}

og_status og_graph_filter_behavior(og_graph *graph, int32_t note,
                                   int32_t select) {
  OG_TRY(checkPlanned(graph, "og_graph_filter_behavior"));
  auto known = graph::symbolizeBehaviorNote(note);
  if (!known)
    return fail(OG_INVALID_VALUE,
                "expected a behavior note in [1, 5], got " + Twine(note));
  planning::Filters filters;
  (select ? filters.selectBehavior : filters.deselectBehavior)
      .push_back(*known);
  return filter(graph, filters);
}

og_status og_graph_filter_numeric(og_graph *graph, int32_t note,
                                  int32_t select) {
  OG_TRY(checkPlanned(graph, "og_graph_filter_numeric"));
  auto known = graph::symbolizeNumericalNote(note);
  if (!known)
    return fail(OG_INVALID_VALUE,
                "expected a numerical note in [1, 10], got " + Twine(note));
  planning::Filters filters;
  (select ? filters.selectNumerical : filters.deselectNumerical)
      .push_back(*known);
  return filter(graph, filters);
}

//===----------------------------------------------------------------------===//
// Times
//===----------------------------------------------------------------------===//

size_t og_graph_num_stages(const og_graph *graph) {
  return graph ? graph->stages.size() : 0;
}

og_status og_graph_stage(og_graph *graph, size_t index, og_stage_time *out) {
  OG_TRY(checkNotNull(graph, "graph"));
  if (index >= graph->stages.size())
    return fail(OG_OUT_OF_RANGE, "expected a stage below " +
                                     Twine(graph->stages.size()) + ", got " +
                                     Twine(index));
  const GraphImpl::StageTime &stage = graph->stages[index];
  og_stage_time time = {};
  time.stage = stage.stage.c_str();
  time.plan = stage.plan;
  time.time_ns = stage.timeNs;
  return writeStruct(time, out, "og_stage_time");
}
