//===- HostFused.cpp - Planning of host.fused -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The knobs name the tiles that the engine's code generator cuts work into
// (codegen/Host/Tensor, passes/Legalize/Host/Fused).
//===----------------------------------------------------------------------===//
#include "passes/Planning/CostModel.h"
#include "passes/Planning/Engines/Engines.h"
#include "passes/Planning/Engines/HostWorkspace.h"
#include "passes/Planning/Planner.h"

using namespace llvm;
using namespace opgraph;
using namespace opgraph::planning;

/// Norms other than the first two are expanded (Transforms/Expansion.h).
static constexpr StringLiteral kOps[] = {"pointwise",
                                         "matmul",
                                         "reduction",
                                         "reshape",
                                         "transpose",
                                         "slice",
                                         "constant",
                                         "concatenate",
                                         "softmax",
                                         "sdpa",
                                         "layernorm",
                                         "rmsnorm",
                                         "layernorm_backward",
                                         "rmsnorm_backward",
                                         "adalayernorm",
                                         "adalayernorm_backward",
                                         "instancenorm",
                                         "instancenorm_backward",
                                         "batchnorm",
                                         "batchnorm_inference",
                                         "batchnorm_backward",
                                         "genstats"};

static constexpr StringLiteral kSdpa[] = {"sdpa"};

/// What vectors load and store: no packed halves of bytes, no scales.
static constexpr DTypeSet kElementTypes = {
    DType::F32,    DType::F64,    DType::F16, DType::BF16,
    DType::F8E4M3, DType::F8E5M2, DType::I8,  DType::UI8,
    DType::I32,    DType::I64,    DType::I1};

/// Attention's tiles hold whole heads, so their size is fixed when built.
static constexpr CapabilityRow kRows[] = {
    CapabilityRow::ops(kOps), CapabilityRow::features({}),
    CapabilityRow::elementTypes(kElementTypes), CapabilityRow::noReordering(),
    CapabilityRow::staticInnerExtents(kSdpa, 3)};

static KnobSpec knob(graph::KnobType type, ArrayRef<int64_t> choices) {
  return {static_cast<int64_t>(type), llvm::to_vector<4>(choices)};
}

static bool holds(const GraphFacts &facts, StringRef mnemonic) {
  return any_of(facts.ops,
                [&](const OpFacts &op) { return op.mnemonic == mnemonic; });
}

namespace {
class HostFusedEngine : public Engine {
public:
  ArrayRef<CapabilityRow> getCapabilities() const override { return kRows; }

  void judgeMore(const EngineQuery &query,
                 SmallVectorImpl<Decline> &declines) const override {
    judgeWorkspace(query, getWorkspace(query), declines);
  }

  SmallVector<KnobSpec> getKnobSpecs(const EngineQuery &query,
                                     ArrayRef<graph::Knob>) const override;
  SmallVector<graph::Knobs> propose(const EngineQuery &query,
                                    graph::HeurMode mode) const override;
  Config evaluate(const EngineQuery &query,
                  ArrayRef<graph::Knob> knobs) const override;

private:
  static int64_t getWorkspace(const EngineQuery &query) {
    const GraphFacts &facts = query.facts;
    return fusedWorkspace(facts.expanded ? *facts.expanded : facts,
                          query.request.target.maxWorkers);
  }
};
} // namespace

SmallVector<KnobSpec>
HostFusedEngine::getKnobSpecs(const EngineQuery &query,
                              ArrayRef<graph::Knob>) const {
  using graph::KnobType;
  // Steps of k per block, and rows of a register tile.
  if (holds(query.facts, "matmul"))
    return {knob(KnobType::TILEK, {256}), knob(KnobType::TILE_M, {6})};
  // Queries and keys of a block.
  if (holds(query.facts, "sdpa"))
    return {knob(KnobType::TILE_M, {32}), knob(KnobType::TILE_N, {96})};
  // Element operations of a task.
  return {knob(KnobType::TILE_SIZE, {32768})};
}

SmallVector<graph::Knobs> HostFusedEngine::propose(const EngineQuery &query,
                                                   graph::HeurMode mode) const {
  graph::Knobs knobs;
  for (const KnobSpec &spec : getKnobSpecs(query, {}))
    knobs.push_back({spec.key, spec.choices.front()});
  return {knobs};
}

Config HostFusedEngine::evaluate(const EngineQuery &query,
                                 ArrayRef<graph::Knob> knobs) const {
  const GraphFacts &facts = query.facts;
  Config config;
  config.timeNs = predictNs(hostFusedRoofline(facts.family), facts.totalWork(),
                            static_cast<double>(facts.portBytes()),
                            query.request.target.workers);
  config.workspace = getWorkspace(query);
  config.behaviorNotes = {graph::BehaviorNote::RUNTIME_COMPILATION};
  return config;
}

const Engine &opgraph::planning::getHostFusedEngine() {
  static const HostFusedEngine engine;
  return engine;
}
