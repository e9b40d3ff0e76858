//===- CudnnProblem.cpp - A graph as the cuDNN library sees it ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Planning/Engines/CudnnProblem.h"
#include "dialects/CuDNN/CudnnDialect.h"
#include "passes/Legalize/CuDNN/CudnnLowering.h"
#include "passes/Planning/CostModel.h"
#include "passes/Planning/Planner.h"

using namespace llvm;
using namespace opgraph;
using namespace opgraph::planning;

CudnnProblem::CudnnProblem(graph::GraphOp graph, const PlanRequest &request) {
  version = request.cudnn->version();
  if (version == 0) {
    decline.constraint = "library";
    decline.limit = "libcudnn.so.9";
    decline.actual = "none that is usable";
    decline.status = "LIBRARY_MISSING";
    decline.text = request.cudnn->unavailable();
    return;
  }
  mlir::MLIRContext *context = graph.getContext();
  context->getOrLoadDialect<cudnn::CudnnDialect>();
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::ModuleOp::create(graph.getLoc());
  legalize::CudnnRefusal refusal;
  std::optional<legalize::CudnnProgram> lowered =
      legalize::lowerToCudnn(graph, version, "graph", *module, refusal);
  if (!lowered) {
    decline.constraint = refusal.constraint;
    decline.limit = refusal.limit;
    decline.actual = refusal.actual;
    return;
  }
  cudnn::Program program = cudnn::toProgram(lowered->graph);
  if (int64_t oldest = cudnn::oldestVersion(program); oldest > version) {
    decline.constraint = "version";
    decline.limit = "cuDNN " + cudnn::printVersion(oldest) + " or newer";
    decline.actual = cudnn::printVersion(version);
    return;
  }
  query = request.cudnn->open(program, request.target, error);
  if (query)
    return;
  decline.constraint = "operation graph";
  decline.limit = "one that cuDNN " + cudnn::printVersion(version) + " takes";
  decline.actual = "refused";
  decline.status = "NOT_SUPPORTED";
  decline.text = error;
}

Decline CudnnProblem::getDecline(const EngineSlot &slot) const {
  Decline copy = decline;
  copy.engine = slot.id;
  copy.name = slot.name.str();
  return copy;
}

ArrayRef<CudnnConfig> CudnnProblem::getConfigs(graph::HeurMode mode) {
  auto index = static_cast<size_t>(mode);
  if (!query || index >= kModes)
    return {};
  if (!configs[index]) {
    configs[index].emplace();
    if (!query->configs(mode, *configs[index], error))
      configs[index]->clear();
  }
  return *configs[index];
}

int64_t opgraph::planning::predictCudnnNs(const GraphFacts &facts,
                                          graph::HeurMode mode, size_t index) {
  constexpr double kStep = 0.02, kFallback = 2;
  int64_t base =
      predictNs(cudnnRoofline(facts.family), facts.totalWork(),
                static_cast<double>(facts.portBytes()), /*workers=*/1);
  double factor = 1 + kStep * static_cast<double>(index);
  if (mode == graph::HeurMode::FALLBACK)
    factor *= kFallback;
  return static_cast<int64_t>(static_cast<double>(base) * factor);
}

og_status opgraph::planning::checkCudnnKnobs(CudnnQuery &query, int64_t engine,
                                             ArrayRef<graph::Knob> knobs,
                                             std::string &error) {
  if (knobs.empty())
    return OG_OK;
  CudnnEngine described = query.engine(engine);
  for (const graph::Knob &knob : knobs) {
    const auto *known = find_if(described.knobs, [&](const CudnnKnob &row) {
      return row.type == knob.key;
    });
    std::string name = graph::knobKeyName(knob.key);
    if (known == described.knobs.end()) {
      error = "cuDNN's engine " + std::to_string(engine) + " has no knob '" +
              name + "' for this graph";
      return OG_NOT_FOUND;
    }
    int64_t step = std::max<int64_t>(known->stride, 1);
    if (knob.value >= known->minimum && knob.value <= known->maximum &&
        (knob.value - known->minimum) % step == 0)
      continue;
    error = "expected knob '" + name + "' of cuDNN's engine " +
            std::to_string(engine) + " to be from " +
            std::to_string(known->minimum) + " to " +
            std::to_string(known->maximum) + " in steps of " +
            std::to_string(step) + ", got " + std::to_string(knob.value);
    return OG_INVALID_VALUE;
  }
  return OG_OK;
}

/// Whether the library is asked. That takes milliseconds, far longer than all
/// other planning: where a generated engine takes the graph, only mode B, whose
/// list is the library's, or a pin asks.
static bool asksLibrary(const GraphFacts &facts, const PlanRequest &request) {
  const Manifest &manifest = request.getManifest();
  if (request.pin) {
    const EngineSlot *slot =
        !request.pin->engine ? manifest.find(StringRef(request.pin->name))
        : bandOf(*request.pin->engine) == IdBand::Cudnn ? manifest.findCudnn()
                                                        : nullptr;
    return slot && slot->side == Side::Cudnn;
  }
  if (is_contained(request.modes, graph::HeurMode::B))
    return true;
  if (all_of(request.modes, [](graph::HeurMode mode) {
        return mode == graph::HeurMode::OPENSOURCE;
      }))
    return false;
  return none_of(manifest.getSlots(), [&](const EngineSlot &slot) {
    return slot.side == Side::Nvptx &&
           judgeEngine(slot, facts, request).empty();
  });
}

GraphFacts opgraph::planning::parseFacts(graph::GraphOp graph,
                                         const PlanRequest &request) {
  GraphFacts facts = FactsAnalysis(graph).facts;
  if (request.cudnn && request.target.kind == TargetKind::Cuda &&
      asksLibrary(facts, request))
    facts.cudnn = std::make_shared<CudnnProblem>(graph, request);
  return facts;
}
