//===- Report.cpp - What opgraph run prints -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Elements.h"
#include "Failure.h"
#include "Run.h"
#include "Table.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

using namespace opgraph::cli;
using nlohmann::ordered_json;

namespace {
/// An output in short.
struct Summary {
  double min = INFINITY, max = -INFINITY, mean = 0;
  int64_t nans = 0;
  std::vector<double> first;
  std::string hash;
};
} // namespace

/// How many leading elements are shown.
static constexpr int64_t shownElements = 3;

static Summary summarize(const HostTensor &tensor) {
  Summary summary;
  for (int64_t i = 0; i < tensor.numElements; ++i) {
    double value = tensor.at(i);
    if (i < shownElements)
      summary.first.push_back(value);
    if (std::isnan(value)) {
      ++summary.nans;
      continue;
    }
    summary.min = std::min(summary.min, value);
    summary.max = std::max(summary.max, value);
    summary.mean += value;
  }
  int64_t numbers = tensor.numElements - summary.nans;
  if (numbers)
    summary.mean /= double(numbers);
  else
    summary.min = summary.max = summary.mean = NAN;
  std::string bytes = tensor.packed();
  char text[20];
  std::snprintf(
      text, sizeof(text), "%016llx",
      static_cast<unsigned long long>(XXH3_64bits(bytes.data(), bytes.size())));
  summary.hash = text;
  return summary;
}

/// The spelling of the plan that ran.
static std::string planIdentity(Session &session, const og_plan *plan) {
  if (og_graph *graph = session.getGraph()) {
    og_plan_info info = {};
    info.struct_size = sizeof(info);
    check(og_graph_plan_info(graph, og_graph_candidate(graph), &info));
    return info.identity;
  }
  std::string text = std::string(og_plan_engine_name(plan)) + ":" +
                     std::to_string(og_plan_engine_id(plan)) + ":v" +
                     std::to_string(og_plan_engine_version(plan));
  for (size_t i = 0; i < og_plan_num_knobs(plan); ++i) {
    og_knob knob;
    check(og_plan_knob(plan, i, &knob));
    const char *name = og_knob_name(knob.type);
    text += (i ? "," : "[") +
            (name ? std::string(name) : std::to_string(knob.type)) + "=" +
            std::to_string(knob.value);
  }
  text += og_plan_num_knobs(plan) ? "]@" : "@";
  return text + og_plan_target(plan);
}

/// (stage, nanoseconds) of this session, execution last.
static std::vector<std::pair<std::string, int64_t>>
collectTimes(Session &session, const RunResult &result) {
  std::vector<std::pair<std::string, int64_t>> times;
  for (size_t i = 0; i < og_graph_num_stages(session.getGraph()); ++i) {
    og_stage_time time = {};
    time.struct_size = sizeof(time);
    check(og_graph_stage(session.getGraph(), i, &time));
    times.emplace_back(time.stage, time.time_ns);
  }
  std::vector<int64_t> runs = result.executions;
  std::sort(runs.begin(), runs.end());
  times.emplace_back(runs.size() > 1 ? "execute (median)" : "execute",
                     runs[runs.size() / 2]);
  return times;
}

//===----------------------------------------------------------------------===//
// For people
//===----------------------------------------------------------------------===//

static void printVerdicts(const RunResult &result) {
  double error = 0, tolerance = 0, scale = 0;
  for (const auto &[index, verdict] : result.verdicts) {
    const HostTensor &operand = result.operands[index];
    if (verdict.mismatches)
      std::printf("verification FAILED for '%s' (uid %lld): %lld of %lld "
                  "elements differ, max error %s, tolerance %s\n",
                  operand.name.c_str(), static_cast<long long>(operand.uid),
                  static_cast<long long>(verdict.mismatches),
                  static_cast<long long>(operand.numElements),
                  numberText(verdict.maxError).c_str(),
                  numberText(verdict.tolerance).c_str());
    // The output nearest to its tolerance stands for all.
    double margin =
        verdict.tolerance ? verdict.maxError / verdict.tolerance : 0;
    if (margin >= (tolerance ? error / tolerance : 0)) {
      error = verdict.maxError;
      tolerance = verdict.tolerance;
      scale = verdict.scale;
    }
  }
  if (isVerified(result))
    std::printf("verified: max error %s (tolerance %s, largest value %s)\n",
                numberText(error).c_str(), numberText(tolerance).c_str(),
                numberText(scale).c_str());
}

static void printText(Session &session, og_plan *plan,
                      const RunOptions &options, const RunResult &result) {
  std::printf("plan: %s (%s, workspace %zu bytes)\n",
              planIdentity(session, plan).c_str(), og_plan_variant(plan),
              result.workspaceBytes);
  for (size_t i = 0; i < og_plan_num_notes(plan); ++i)
    std::printf("note: %s\n", og_plan_note(plan, i));
  Table table({"result", "uid", "dtype", "shape", "min", "max", "mean", "first",
               "xxh3"});
  for (const HostTensor &operand : result.operands) {
    if (!operand.isOutput)
      continue;
    Summary summary = summarize(operand);
    std::string first;
    for (double value : summary.first)
      first += (first.empty() ? "" : " ") + numberText(value);
    table.add({operand.name, std::to_string(operand.uid),
               dtypeText(operand.dtype),
               shapeText(operand.shape.data(), operand.shape.size()),
               numberText(summary.min), numberText(summary.max),
               numberText(summary.mean), first, summary.hash});
  }
  std::fputs(table.str().c_str(), stdout);
  if (options.timing) {
    Table times({"stage", "time"});
    for (const auto &[stage, time] : collectTimes(session, result))
      times.add({stage, timeText(time)});
    std::fputs(times.str().c_str(), stdout);
  }
  if (options.verify)
    printVerdicts(result);
}

//===----------------------------------------------------------------------===//
// For machines
//===----------------------------------------------------------------------===//

/// JSON has no NaN and no infinities: they become strings.
static ordered_json number(double value) {
  if (std::isfinite(value))
    return value;
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

static ordered_json resultJson(const RunResult &result, size_t index) {
  const HostTensor &operand = result.operands[index];
  Summary summary = summarize(operand);
  ordered_json first = ordered_json::array();
  for (double value : summary.first)
    first.push_back(number(value));
  ordered_json json = {{"name", operand.name},
                       {"uid", operand.uid},
                       {"dtype", dtypeText(operand.dtype)},
                       {"shape", operand.shape},
                       {"min", number(summary.min)},
                       {"max", number(summary.max)},
                       {"mean", number(summary.mean)},
                       {"nans", summary.nans},
                       {"first", first},
                       {"xxh3", summary.hash}};
  if (auto found = result.verdicts.find(index);
      found != result.verdicts.end()) {
    const Verdict &verdict = found->second;
    json["verify"] = {{"max_error", verdict.maxError},
                      {"tolerance", verdict.tolerance},
                      {"mismatches", verdict.mismatches}};
  }
  return json;
}

static void printJson(Session &session, og_plan *plan,
                      const RunOptions &options, const RunResult &result) {
  ordered_json json = {{"plan", planIdentity(session, plan)},
                       {"engine", og_plan_engine_name(plan)},
                       {"variant", og_plan_variant(plan)},
                       {"workspace", result.workspaceBytes},
                       {"notes", ordered_json::array()},
                       {"results", ordered_json::array()}};
  for (size_t i = 0; i < og_plan_num_notes(plan); ++i)
    json["notes"].push_back(og_plan_note(plan, i));
  for (size_t i = 0; i < result.operands.size(); ++i)
    if (result.operands[i].isOutput)
      json["results"].push_back(resultJson(result, i));
  if (options.timing)
    for (const auto &[stage, time] : collectTimes(session, result))
      json["times"].push_back({{"stage", stage}, {"ns", time}});
  if (options.verify)
    json["verified"] = isVerified(result);
  std::printf("%s\n", json.dump(2).c_str());
}

void opgraph::cli::reportRun(Session &session, og_plan *plan,
                             const RunOptions &options,
                             const RunResult &result) {
  if (options.json)
    printJson(session, plan, options, result);
  else
    printText(session, plan, options, result);
}
