//===- Build.cpp - Building plans: the C API ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "lib/Compiler/Compile.h"
#include "lib/Support/CApi.h"
#include "lib/Support/StageTimer.h"
#include "passes/Planning/FallThrough.h"
#include "llvm/ADT/StringExtras.h"

using namespace opgraph;
using namespace opgraph::lib;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// One entry
//===----------------------------------------------------------------------===//

/// Compiles and loads entry `index`, or takes it from the graph's cache.
static og_status compileAndLoad(GraphImpl &graph, int64_t index,
                                const og_build_options &options,
                                std::vector<std::string> notes) {
  PlanState &state = *graph.plans;
  PlanEntry &entry = state.entries[index];
  CompileRequest request;
  OG_TRY(readVariants(options.variants, request.variants));
  std::string key = llvm::join(request.variants, ",");
  if (PlanHandle known = state.cache.find(entry.identity, key)) {
    entry.built = known;
    return OG_OK;
  }
  request.notes = std::move(notes);
  CompileResult result;
  OG_TRY(compileEntry(graph, index, request, result));
  StageTimer timer(graph, "load", index);
  og_plan *plan = nullptr;
  OG_TRY(og_plan_load(result.planFile.data(), result.planFile.size(), &plan));
  entry.built = PlanHandle(plan, PlanRelease());
  state.cache.insert(entry.identity, key, entry.built);
  return OG_OK;
}

/// As compileAndLoad, recording on the entry how it went.
static og_status buildRecorded(GraphImpl &graph, int64_t index,
                               const og_build_options &options,
                               std::vector<std::string> notes) {
  og_status status = compileAndLoad(graph, index, options, std::move(notes));
  PlanEntry &entry = graph.plans->entries[index];
  entry.state = status == OG_OK ? OG_PLAN_BUILT : OG_PLAN_FAILED;
  entry.failure = status;
  entry.reason = status == OG_OK ? "" : og_last_error();
  return status;
}

/// Options, and a planned graph.
static og_status beginBuild(og_graph *graph, const og_build_options *options,
                            og_build_options &given) {
  OG_TRY(checkNotNull(graph, "graph"));
  OG_TRY(readStruct(options, given, "og_build_options"));
  // A mistake in the request is no reason to try the next plan.
  llvm::SmallVector<std::string> variants;
  OG_TRY(readVariants(given.variants, variants));
  if (!graph->plans)
    return og_graph_create_plans(graph, nullptr);
  return OG_OK;
}

//===----------------------------------------------------------------------===//
// The list
//===----------------------------------------------------------------------===//

/// Every entry with why it was not built, one a line.
static std::string listReasons(const PlanState &state) {
  std::string text;
  for (const PlanEntry &entry : state.entries)
    text += "\n  " + entry.identity + ": " + (entry.barred ? "barred: " : "") +
            entry.reason;
  return text;
}

og_status og_graph_build(og_graph *graph, const og_build_options *options) {
  og_build_options given;
  OG_TRY(beginBuild(graph, options, given));
  PlanState &state = *graph->plans;
  std::vector<std::string> notes;
  for (size_t i = 0; hasEntry(*graph, i); ++i) {
    if (state.entries[i].barred)
      continue;
    og_status status = buildRecorded(*graph, i, given, notes);
    planning::NextStep next = planning::afterBuild(status, isStrict());
    if (next == planning::NextStep::Use) {
      state.candidate = i;
      return OG_OK;
    }
    if (next == planning::NextStep::Fail || given.no_fallback)
      return status;
    const PlanEntry &entry = state.entries[i];
    std::string note = "passed over " + entry.identity + ": " + entry.reason;
    if (next == planning::NextStep::RecordAndTryNext)
      og_log(OG_LOG_WARNING, "compiler", note.c_str());
    notes.push_back(std::move(note));
  }
  return fail(OG_GRAPH_NOT_SUPPORTED,
              "no plan of graph '" + graph->name +
                  "' can be built:" + listReasons(state));
}

og_status og_graph_build_all(og_graph *graph, const og_build_options *options) {
  og_build_options given;
  OG_TRY(beginBuild(graph, options, given));
  completeList(*graph);
  PlanState &state = *graph->plans;
  int64_t first = -1;
  for (size_t i = 0; i < state.entries.size(); ++i) {
    if (state.entries[i].barred)
      continue;
    og_status status = buildRecorded(*graph, i, given, {});
    if (status == OG_OK && first < 0)
      first = i;
    if (planning::afterBuild(status, isStrict()) == planning::NextStep::Fail ||
        (status != OG_OK && given.no_fallback))
      return status;
  }
  if (first < 0)
    return fail(OG_GRAPH_NOT_SUPPORTED,
                "no plan of graph '" + graph->name +
                    "' can be built:" + listReasons(state));
  state.candidate = first;
  return OG_OK;
}

og_status og_graph_build_at(og_graph *graph, int64_t index,
                            const og_build_options *options) {
  og_build_options given;
  OG_TRY(beginBuild(graph, options, given));
  PlanEntry *entry;
  OG_TRY(findUsableEntry(*graph, index, entry));
  OG_TRY(buildRecorded(*graph, index, given, {}));
  graph->plans->candidate = index;
  return OG_OK;
}

og_status og_graph_plan(og_graph *graph, int64_t index, og_plan **out) {
  OG_TRY(checkNotNull(out, "out"));
  *out = nullptr;
  OG_TRY(checkNotNull(graph, "graph"));
  if (index == -1)
    index = og_graph_candidate(graph);
  if (index == -1)
    return fail(OG_FAILED_PRECONDITION,
                "no plan of graph '" + graph->name + "' has been built");
  PlanEntry *entry;
  OG_TRY(findEntry(*graph, index, entry));
  if (!entry->built)
    return fail(OG_FAILED_PRECONDITION, "plan " + Twine(index) + " (" +
                                            entry->identity +
                                            ") has not been built");
  *out = entry->built.get();
  og_plan_retain(*out);
  return OG_OK;
}
