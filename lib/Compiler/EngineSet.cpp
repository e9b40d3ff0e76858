//===- EngineSet.cpp - The engines that a compiler serves -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "lib/Compiler/EngineSet.h"
#include "lib/Compiler/PlanState.h"
#include "lib/Support/CApi.h"
#include "passes/Legalize/CuDNN/CudnnLegalize.h"
#include "passes/Legalize/Host/HostLegalize.h"
#include "passes/Legalize/NVPTX/NvptxLegalize.h"
#include "passes/Planning/Engines/CudnnProblem.h"

using namespace opgraph;
using namespace opgraph::lib;
using llvm::Twine;

static LegalizeFn findOwnLegalization(llvm::StringRef engine) {
  if (engine == "host.reference")
    return legalize::legalizeReference;
  if (engine == "host.fused")
    return legalize::legalizeFused;
  if (engine == "nvptx.pointwise")
    return legalize::legalizeNvptxPointwise;
  if (engine == "cudnn")
    return legalize::legalizeCudnn;
  return nullptr;
}

EngineSet EngineSet::own() {
  return {&planning::getManifest(), findOwnLegalization};
}

//===----------------------------------------------------------------------===//
// C API
//===----------------------------------------------------------------------===//

/// The library's engines, where it holds the graph.
static void askLibrary(const planning::EngineSlot &slot,
                       planning::CudnnProblem &problem,
                       std::vector<EngineEntry> &engines) {
  // A list longer than this is no choice that a caller goes through.
  constexpr int64_t kMostChoices = 4096;
  planning::CudnnQuery &query = *problem.getQuery();
  for (int64_t index = 0; index < query.engineCount(); ++index) {
    planning::CudnnEngine engine = query.engine(index);
    EngineEntry entry;
    entry.slot = &slot;
    entry.id = index;
    entry.version = problem.getVersion();
    entry.accepts = engine.usable;
    for (const planning::CudnnKnob &knob : engine.knobs) {
      planning::KnobSpec spec;
      spec.key = knob.type;
      int64_t step = std::max<int64_t>(knob.stride, 1);
      for (int64_t value = knob.minimum;
           value <= knob.maximum && int64_t(spec.choices.size()) < kMostChoices;
           value += step)
        spec.choices.push_back(value);
      entry.knobs.push_back(std::move(spec));
    }
    engines.push_back(std::move(entry));
  }
}

/// The engines' answers for the planned graph, asked once.
static void askEngines(PlanState &state) {
  if (!state.engines.empty())
    return;
  planning::GraphFacts facts =
      planning::parseFacts(state.graphOp, state.request);
  for (const planning::EngineSlot &slot :
       state.request.getManifest().getSlots()) {
    EngineEntry entry;
    entry.slot = &slot;
    entry.id = slot.id;
    entry.version = slot.version;
    entry.accepts = planning::judgeEngine(slot, facts, state.request).empty();
    if (slot.side == planning::Side::Cudnn && entry.accepts) {
      askLibrary(slot, *facts.cudnn, state.engines);
      continue;
    }
    entry.knobs = planning::knobsOf(slot, facts, state.request);
    state.engines.push_back(std::move(entry));
  }
}

static og_status beginEngineQuery(og_graph *graph) {
  OG_TRY(checkNotNull(graph, "graph"));
  if (!graph->plans)
    return fail(OG_FAILED_PRECONDITION,
                "graph '" + graph->name + "' has not been planned");
  askEngines(*graph->plans);
  return OG_OK;
}

int32_t og_graph_num_engines(og_graph *graph) {
  if (!graph || !graph->plans)
    return 0;
  askEngines(*graph->plans);
  return int32_t(graph->plans->engines.size());
}

og_status og_graph_engine(og_graph *graph, int32_t index, og_engine_info *out) {
  OG_TRY(beginEngineQuery(graph));
  const auto &engines = graph->plans->engines;
  if (index < 0 || size_t(index) >= engines.size())
    return fail(OG_OUT_OF_RANGE, "expected an engine below " +
                                     Twine(engines.size()) + ", got " +
                                     Twine(index));
  const EngineEntry &entry = engines[index];
  og_engine_info info = {};
  info.id = entry.id;
  info.name = entry.slot->name.data();
  info.version = entry.version;
  info.accepts = entry.accepts;
  info.num_knobs = entry.knobs.size();
  return writeStruct(info, out, "og_engine_info");
}

og_status og_graph_engine_knob(og_graph *graph, int64_t engineId, int32_t index,
                               og_knob_info *out) {
  OG_TRY(beginEngineQuery(graph));
  for (const EngineEntry &entry : graph->plans->engines) {
    if (entry.id != engineId)
      continue;
    if (index < 0 || size_t(index) >= entry.knobs.size())
      return fail(OG_OUT_OF_RANGE, "expected a knob of engine " +
                                       Twine(entry.slot->name) + ", below " +
                                       Twine(entry.knobs.size()) + ", got " +
                                       Twine(index));
    const planning::KnobSpec &knob = entry.knobs[index];
    og_knob_info info = {};
    info.type = knob.key;
    info.choices = knob.choices.data();
    info.num_choices = knob.choices.size();
    return writeStruct(info, out, "og_knob_info");
  }
  return fail(OG_NOT_FOUND, "no engine has id " + Twine(engineId));
}
