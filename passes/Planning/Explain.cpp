//===- Explain.cpp - An outcome for people and for machines ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Planning/Explain.h"
#include "passes/Planning/Planner.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace opgraph;
using namespace opgraph::planning;

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

std::string opgraph::planning::renderColumns(ArrayRef<Row> rows) {
  SmallVector<size_t> widths;
  for (const Row &row : rows)
    for (auto [index, cell] : llvm::enumerate(row)) {
      if (index == widths.size())
        widths.push_back(0);
      widths[index] = std::max(widths[index], cell.size());
    }
  std::string text;
  raw_string_ostream os(text);
  for (const Row &row : rows) {
    std::string line;
    for (auto [index, cell] : llvm::enumerate(row))
      line += cell + std::string(widths[index] - cell.size() + 2, ' ');
    os << StringRef(line).rtrim() << '\n';
  }
  return text;
}

std::string opgraph::planning::renderTable(const PlanOutcome &outcome) {
  SmallVector<Row> rows{{"engine", "verdict", "reason"}};
  for (const EngineVerdict &verdict : outcome.verdicts) {
    bool isFirst = true;
    if (verdict.plans > 0) {
      rows.push_back(
          {verdict.name, std::to_string(verdict.plans) +
                             (verdict.plans == 1 ? " plan" : " plans")});
      isFirst = false;
    }
    for (const Decline &decline : outcome.declines) {
      if (decline.engine != verdict.engine)
        continue;
      std::string reason = decline.str();
      if (!decline.plan.empty())
        reason = decline.plan + ": " + reason;
      rows.push_back({isFirst ? verdict.name : "",
                      decline.plan.empty() ? "declined" : "barred", reason});
      isFirst = false;
    }
    if (isFirst)
      rows.push_back({verdict.name, "no plan"});
  }
  return renderColumns(rows);
}

static std::string printTime(int64_t timeNs) {
  std::string text;
  raw_string_ostream os(text);
  double ns = static_cast<double>(timeNs);
  if (ns < 1e3)
    os << format("%.0f ns", ns);
  else if (ns < 1e6)
    os << format("%.3f us", ns / 1e3);
  else
    os << format("%.3f ms", ns / 1e6);
  return text;
}

/// "RUNTIME_COMPILATION, TENSOR_CORE".
static std::string printNotes(graph::PlanAttr plan) {
  SmallVector<StringRef> names;
  for (graph::BehaviorNote note : plan.getBehaviorNotes())
    names.push_back(graph::stringifyBehaviorNote(note));
  for (graph::NumericalNote note : plan.getNumericalNotes())
    names.push_back(graph::stringifyNumericalNote(note));
  return llvm::join(names, ", ");
}

std::string opgraph::planning::renderPlans(const PlanOutcome &outcome) {
  SmallVector<Row> rows{{"#", "plan", "mode", "predicted", "workspace"}};
  bool hasNotes = any_of(outcome.plans, [](graph::PlanAttr plan) {
    return !printNotes(plan).empty();
  });
  if (hasNotes)
    rows.front().push_back("notes");
  for (auto [index, plan] : llvm::enumerate(outcome.plans)) {
    rows.push_back({std::to_string(index), plan.getId().str(),
                    graph::stringifyHeurMode(plan.getMode()).str(),
                    printTime(plan.getTimeNs()),
                    plan.getWorkspace() < 0
                        ? "by extents"
                        : std::to_string(plan.getWorkspace()) + " B"});
    if (hasNotes)
      rows.back().push_back(printNotes(plan));
  }
  return renderColumns(rows);
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static json::Value toJson(graph::PlanAttr plan) {
  json::Object knobs;
  for (const graph::Knob &knob : plan.getKnobs())
    knobs[graph::knobKeyName(knob.key)] = knob.value;
  json::Array behavior, numerical;
  for (graph::BehaviorNote note : plan.getBehaviorNotes())
    behavior.push_back(graph::stringifyBehaviorNote(note));
  for (graph::NumericalNote note : plan.getNumericalNotes())
    numerical.push_back(graph::stringifyNumericalNote(note));
  json::Object object{
      {"plan", plan.getId().str()},
      {"engine", plan.getEngine()},
      {"name", plan.getName()},
      {"version", plan.getVersion()},
      {"target", plan.getTarget()},
      {"knobs", std::move(knobs)},
      {"mode", graph::stringifyHeurMode(plan.getMode())},
      {"time_ns", plan.getTimeNs()},
      {"workspace", plan.getWorkspace()},
      {"behavior_notes", std::move(behavior)},
      {"numerical_notes", std::move(numerical)},
  };
  return json::Value(std::move(object));
}

static json::Value toJson(const Decline &decline) {
  json::Object object{{"constraint", decline.constraint},
                      {"limit", decline.limit},
                      {"actual", decline.actual}};
  auto optional = [&](StringRef key, const std::string &field) {
    object[key] = field.empty() ? json::Value(nullptr) : json::Value(field);
  };
  optional("nearest", decline.nearestText);
  if (!decline.plan.empty())
    object["plan"] = decline.plan;
  if (!decline.status.empty())
    object["status"] = decline.status;
  if (!decline.text.empty())
    object["text"] = decline.text;
  return json::Value(std::move(object));
}

json::Value opgraph::planning::toJson(const PlanOutcome &outcome) {
  json::Array plans, engines;
  for (graph::PlanAttr plan : outcome.plans)
    plans.push_back(::toJson(plan));
  for (const EngineVerdict &verdict : outcome.verdicts) {
    json::Array declines;
    for (const Decline &decline : outcome.declines)
      if (decline.engine == verdict.engine)
        declines.push_back(::toJson(decline));
    engines.push_back(json::Object{
        {"engine", verdict.engine},
        {"name", verdict.name},
        {"verdict", verdict.plans > 0 ? "accepted" : "declined"},
        {"plans", verdict.plans},
        {"declines", std::move(declines)},
    });
  }
  return json::Object{
      {"graph", outcome.graph},
      {"family", stringifyFamily(outcome.family)},
      {"target", outcome.target},
      {"plans", std::move(plans)},
      {"engines", std::move(engines)},
  };
}
