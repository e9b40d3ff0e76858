//===- CudnnProblem.cpp - A graph as the cuDNN library sees it ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Planning/Engines/CudnnProblem.h"
#include "dialects/CuDNN/CudnnDialect.h"
#include "passes/Legalize/CuDNN/CudnnLowering.h"
#include "passes/Planning/CostModel.h"
#include "passes/Planning/PlanTimes.h"
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
  scratchBytes = lowered->scratchBytes;
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
    for (CudnnConfig &config : *configs[index])
      config.workspace += scratchBytes;
  }
  return *configs[index];
}

//===----------------------------------------------------------------------===//
// Times
//===----------------------------------------------------------------------===//

/// What a later place of a list of the library's costs: its order tells more
/// than the model where two settings are predicted alike.
static double placeFactor(size_t index, double step) {
  return 1 + step * static_cast<double>(index);
}

int64_t opgraph::planning::predictCudnnNs(const GraphFacts &facts,
                                          const PlanRequest &request,
                                          const CudnnConfig &config,
                                          graph::HeurMode mode, size_t index) {
  constexpr double kStep = 0.02, kModelStep = 0.03, kFallback = 2;
  if (std::optional<PlanTimes> times = PlanTimes::at(facts, request.target))
    return static_cast<int64_t>(
        static_cast<double>(times->predict(config.engine, config.knobs)) *
        placeFactor(index, kModelStep));
  int64_t base =
      predictNs(cudnnRoofline(facts.family), facts.totalWork(),
                static_cast<double>(facts.portBytes()), /*workers=*/1);
  double factor = placeFactor(index, kStep);
  if (mode == graph::HeurMode::FALLBACK)
    factor *= kFallback;
  return static_cast<int64_t>(static_cast<double>(base) * factor);
}

bool opgraph::planning::ranksCudnnByTime(const GraphFacts &facts,
                                         const PlanRequest &request,
                                         graph::HeurMode mode) {
  if (mode != graph::HeurMode::A)
    return false;
  std::optional<PlanTimes> times = PlanTimes::at(facts, request.target);
  return times && times->ranksSettings();
}

int64_t opgraph::planning::rankCudnnNs(int64_t timeNs) {
  // In percent; predictions are no better than that.
  constexpr int64_t kLead = 5;
  return timeNs + timeNs / 100 * kLead;
}

bool opgraph::planning::isFirstWithoutCudnn(graph::PlanAttr first,
                                            const GraphFacts &facts,
                                            const PlanRequest &request) {
  graph::HeurMode mode = first.getMode();
  if (mode != request.modes.front())
    return false;
  if (mode == graph::HeurMode::OPENSOURCE)
    return true;
  std::optional<PlanTimes> times = PlanTimes::at(facts, request.target);
  int64_t leastNs = times ? times->leastOfLibrary()
                          : predictCudnnNs(facts, request, {}, mode, 0);
  return first.getTimeNs() < rankCudnnNs(leastNs);
}

//===----------------------------------------------------------------------===//
// When the library is asked
//===----------------------------------------------------------------------===//

/// Whether a pin names the library or one of its engines.
static bool isPinOfCudnn(const graph::PlanId &pin, const Manifest &manifest) {
  const EngineSlot *slot = !pin.engine ? manifest.find(StringRef(pin.name))
                           : bandOf(*pin.engine) == IdBand::Cudnn
                               ? manifest.findCudnn()
                               : nullptr;
  return slot && slot->side == Side::Cudnn;
}

bool opgraph::planning::wantsCudnn(const PlanRequest &request) {
  if (!request.cudnn || request.target.kind != TargetKind::Cuda)
    return false;
  if (request.pin)
    return isPinOfCudnn(*request.pin, request.getManifest());
  return any_of(request.modes, [](graph::HeurMode mode) {
    return mode != graph::HeurMode::OPENSOURCE;
  });
}

GraphFacts opgraph::planning::parseFacts(graph::GraphOp graph,
                                         const PlanRequest &request) {
  GraphFacts facts = FactsAnalysis(graph).facts;
  if (wantsCudnn(request))
    facts.cudnn = std::make_shared<CudnnProblem>(graph, request);
  return facts;
}
