//===- Plans.cpp - opgraph plans and opgraph explain ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Commands.h"
#include "Failure.h"
#include "Table.h"

#include <cstdio>
#include <nlohmann/json.hpp>

using namespace opgraph::cli;
using nlohmann::ordered_json;

static const char *modeText(int32_t mode) {
  static constexpr const char *names[] = {"A", "B", "FALLBACK", "OPENSOURCE"};
  return mode >= 0 && mode < 4 ? names[mode] : "pinned";
}

static ordered_json planJson(const og_plan_info &info) {
  ordered_json knobs = ordered_json::object();
  for (size_t i = 0; i < info.num_knobs; ++i) {
    const char *name = og_knob_name(info.knobs[i].type);
    knobs[name ? name : std::to_string(info.knobs[i].type)] =
        info.knobs[i].value;
  }
  return {{"plan", info.identity},
          {"engine", info.engine_id},
          {"name", info.engine_name},
          {"version", info.engine_version},
          {"mode", modeText(info.mode)},
          {"knobs", knobs},
          {"time_ns", info.predicted_time_ns},
          {"workspace", info.workspace}};
}

int opgraph::cli::plans(const PlanOptions &options, bool json) {
  Session session(options);
  session.plan();
  og_graph *graph = session.getGraph();
  Table table({"#", "plan", "mode", "predicted", "workspace"});
  ordered_json list = ordered_json::array();
  for (int64_t i = 0; i < og_graph_num_plans(graph); ++i) {
    og_plan_info info = {};
    info.struct_size = sizeof(info);
    check(og_graph_plan_info(graph, i, &info));
    list.push_back(planJson(info));
    table.add({std::to_string(i), info.identity, modeText(info.mode),
               timeText(info.predicted_time_ns),
               info.workspace < 0 ? "by extents"
                                  : std::to_string(info.workspace) + " B"});
  }
  if (json)
    std::printf("%s\n", list.dump(2).c_str());
  else
    std::fputs(table.str().c_str(), stdout);
  return ExitOk;
}

int opgraph::cli::explain(const PlanOptions &options, bool json) {
  Session session(options);
  int exitCode = ExitOk;
  og_status built = OG_OK;
  try {
    session.plan();
    // What a kernel needs of a GPU is known when it is compiled.
    if (session.isForDevice())
      built = og_graph_build(session.getGraph(), nullptr);
  } catch (const Failure &failure) {
    // A graph that every engine declined has the most to explain.
    if (failure.code != ExitUnsupported || !session.getGraph())
      throw;
    exitCode = failure.code;
  }
  std::string reason = built == OG_OK ? "" : og_last_error();
  const char *text = nullptr;
  check(og_graph_explain(session.getGraph(),
                         json ? OG_EXPLAIN_JSON : OG_EXPLAIN_TEXT, &text));
  std::fputs(text, stdout);
  // The list stands without; a defect of ours is not passed over.
  if (toExitCode(built) == ExitUnsupported)
    std::fprintf(stderr, "opgraph: note: no kernel is shown: %s\n",
                 reason.c_str());
  else if (built != OG_OK)
    throw Failure(toExitCode(built), reason);
  return exitCode;
}
