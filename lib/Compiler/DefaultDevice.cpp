//===- DefaultDevice.cpp - Where no device is named -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "lib/Compiler/DefaultDevice.h"
#include "lib/Support/CApi.h"
#include "llvm/ADT/STLExtras.h"

using namespace opgraph;
using namespace opgraph::lib;
using planning::Decline;
using planning::Declines;
using planning::PlanOutcome;

/// Whether it says no more than that the engine is for another kind of device.
static bool isOfOtherDevice(const Decline &decline) {
  return decline.constraint == "target";
}

static void append(Declines &declines, const PlanOutcome &outcome,
                   int64_t engine) {
  for (const Decline &decline : outcome.declines)
    if (decline.engine == engine)
      declines.push_back(decline);
}

/// What is said of every engine on the device that it is for.
static Declines joinDeclines(const PlanOutcome &onHost,
                             const PlanOutcome &onDevice) {
  Declines joined;
  for (const planning::EngineVerdict &verdict : onHost.verdicts) {
    bool isForDevice = llvm::any_of(onHost.declines, [&](const Decline &of) {
      return of.engine == verdict.engine && isOfOtherDevice(of);
    });
    append(joined, isForDevice ? onDevice : onHost, verdict.engine);
  }
  return joined;
}

/// The first reason of every engine for the device, and of an engine for the
/// host where it was the only one asked.
static std::string listReasons(const PlanOutcome &onDevice) {
  std::string reasons;
  bool isOne = onDevice.verdicts.size() == 1;
  int64_t last = -1;
  for (const Decline &decline : onDevice.declines) {
    if (decline.engine == last || (isOfOtherDevice(decline) && !isOne))
      continue;
    last = decline.engine;
    reasons += (reasons.empty() ? "" : "; ") + decline.name + ": " +
               decline.constraint + ": expected " + decline.limit + ", got " +
               decline.actual;
  }
  return reasons;
}

void opgraph::lib::fallBack(PlanState &state) {
  state.request.target = *state.otherwise;
  state.request.cudnn = nullptr;
  state.otherwise.reset();
}

PlanOutcome opgraph::lib::planOrFallBack(GraphImpl &graph,
                                         planning::PlanRequest request) {
  PlanState &state = *graph.plans;
  PlanOutcome outcome = planning::planGraph(state.graphOp, request);
  // A list has plans of one target only.
  if (outcome.status != OG_GRAPH_NOT_SUPPORTED || !state.otherwise ||
      !state.entries.empty())
    return outcome;
  request.target = *state.otherwise;
  request.cudnn = nullptr;
  PlanOutcome onHost = planning::planGraph(state.graphOp, request);
  if (onHost.status != OG_OK)
    return outcome;
  std::string note = "graph '" + graph.name + "' is planned for the host: " +
                     "no device was named, and no engine takes it on " +
                     outcome.target + " (" + listReasons(outcome) + ")";
  og_log(OG_LOG_WARNING, "compiler", note.c_str());
  onHost.declines = joinDeclines(onHost, outcome);
  fallBack(state);
  return onHost;
}
