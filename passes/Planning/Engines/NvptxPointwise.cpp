//===- NvptxPointwise.cpp - Planning of nvptx.pointwise -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Planning/CostModel.h"
#include "passes/Planning/Engines/Engines.h"
#include "passes/Planning/Planner.h"

using namespace llvm;
using namespace opgraph;
using namespace opgraph::planning;

/// Norms and softmax are written as pointwise ops and reductions
/// (Transforms/Expansion.h).
static constexpr StringLiteral kOps[] = {"pointwise",
                                         "reduction",
                                         "rng",
                                         "block_scale_quantize",
                                         "block_scale_dequantize",
                                         "constant",
                                         "reshape",
                                         "transpose",
                                         "slice",
                                         "concatenate",
                                         "rope",
                                         "rope_backward",
                                         "softmax",
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
static constexpr StringLiteral kFeatures[] = {"sink"};
/// Of scales only.
static constexpr StringLiteral kReorderings[] = {"f8_128x4"};

static constexpr DTypeSet kElementTypes = {
    DType::F64,    DType::F32,    DType::F16,    DType::BF16,
    DType::F8E4M3, DType::F8E5M2, DType::F8E8M0, DType::I8,
    DType::UI8,    DType::I32,    DType::I64,    DType::I1};
static constexpr DTypeSet kComputeTypes = {DType::F64,  DType::F32, DType::F16,
                                           DType::BF16, DType::I32, DType::I64,
                                           DType::I1};

/// Coordinates are divided out over at most the axes that a view has.
static constexpr CapabilityRow kRows[] = {
    CapabilityRow::ops(kOps),
    CapabilityRow::features(kFeatures),
    CapabilityRow::elementTypes(kElementTypes),
    CapabilityRow::computeTypes(kComputeTypes),
    CapabilityRow::noReordering(kReorderings),
    CapabilityRow::staticExtents(),
    CapabilityRow::noOverrides(),
    CapabilityRow::maxRank(8)};

/// Coordinates are i32, and a tile may reach past the last element.
static constexpr int64_t kMostElements = (int64_t(1) << 31) - (1 << 20);
/// Of rows, and of columns, of a value with more elements.
static constexpr int64_t kMostAlong = int64_t(1) << 30;

namespace {
class NvptxPointwiseEngine : public Engine {
public:
  ArrayRef<CapabilityRow> getCapabilities() const override { return kRows; }

  void judgeMore(const EngineQuery &query,
                 SmallVectorImpl<Decline> &declines) const override;

  SmallVector<KnobSpec> getKnobSpecs(const EngineQuery &,
                                     ArrayRef<graph::Knob>) const override {
    // Vectors of 16 bytes of a row that a thread keeps.
    return {{static_cast<int64_t>(graph::KnobType::TILE_SIZE), {4, 2, 8}}};
  }

  SmallVector<graph::Knobs> propose(const EngineQuery &query,
                                    graph::HeurMode) const override {
    return {{{static_cast<int64_t>(graph::KnobType::TILE_SIZE), 4}}};
  }

  Config evaluate(const EngineQuery &query,
                  ArrayRef<graph::Knob> knobs) const override;
};
} // namespace

/// Ops whose f64 functions are those of NVIDIA's library.
static constexpr StringLiteral kLibraryOps[] = {"sin",
                                                "cos",
                                                "tan",
                                                "exp",
                                                "log",
                                                "pow",
                                                "erf",
                                                "tanh",
                                                "sigmoid",
                                                "elu",
                                                "gelu",
                                                "gelu_approx_tanh",
                                                "softplus",
                                                "swish",
                                                "tanh_backward",
                                                "sigmoid_backward",
                                                "elu_backward",
                                                "gelu_backward",
                                                "gelu_approx_tanh_backward",
                                                "softplus_backward",
                                                "swish_backward",
                                                "softmax"};

static void judgeFunctions(const EngineQuery &query,
                           SmallVectorImpl<Decline> &declines) {
  if (query.request.target.hasDeviceLibrary)
    return;
  for (const OpFacts &op : query.facts.ops)
    if (op.compute == DType::F64 && is_contained(kLibraryOps, op.mnemonic)) {
      declines.push_back(makeDecline(query.slot,
                                     "compute type(" + op.mnemonic + ")",
                                     "not f64 without libdevice.10.bc "
                                     "(OPGRAPH_LIBDEVICE names it)",
                                     "f64"));
      return;
    }
}

/// How often ops take `value`, but as the scale of a dequantization.
static int64_t countOtherUses(const GraphFacts &facts, unsigned value) {
  int64_t uses = 0;
  for (const OpFacts &op : facts.ops)
    for (auto [index, operand] : enumerate(op.operands))
      uses += operand == value &&
              !(op.mnemonic == "block_scale_dequantize" && index == 1);
  return uses;
}

/// Whether scales in tiles are those of one op, and nothing else sees that they
/// lie so.
static bool servesTiles(const GraphFacts &facts, unsigned value) {
  auto makes = [&](const OpFacts &op) {
    return is_contained(op.results, value);
  };
  const auto *producer = find_if(facts.ops, makes);
  int64_t uses = 0;
  for (const OpFacts &op : facts.ops)
    uses += count(op.operands, value);
  if (countOtherUses(facts, value) != 0)
    return false;
  if (producer == facts.ops.end())
    return uses == 1;
  return producer->mnemonic == "block_scale_quantize" &&
         producer->operands.size() == 1 &&
         (!facts.values[value].isOutput || uses == 0);
}

/// Blocks are cut from extents that are not 0.
static void judgeBlocks(const EngineQuery &query,
                        SmallVectorImpl<Decline> &declines) {
  const GraphFacts &facts = query.facts;
  for (const OpFacts &op : facts.ops)
    if (StringRef(op.mnemonic).starts_with("block_scale") &&
        facts.values[op.operands[0]].elements == 0) {
      declines.push_back(makeDecline(
          query.slot, "elements(" + op.mnemonic + ")", "at least 1", "0"));
      return;
    }
  for (auto [number, value] : enumerate(facts.values))
    if (value.reordering != "none" && !servesTiles(facts, number)) {
      declines.push_back(makeDecline(
          query.slot, "reordering(" + value.name + ")",
          "of scales of one op, without groups", value.reordering.str()));
      return;
    }
}

/// Above kMostElements: pointwise ops on packed rows, which are rows and
/// columns however axes are merged.
static void judgeSizes(const EngineQuery &query,
                       SmallVectorImpl<Decline> &declines) {
  const GraphFacts &facts = query.facts;
  bool isElementwise =
      all_of(facts.ops, [](const OpFacts &op) { return op.isPointwise; }) &&
      all_of(facts.values, [](const ValueFacts &value) {
        return value.layout == LayoutClass::Contiguous;
      });
  for (const ValueFacts &value : facts.values) {
    if (value.elements <= kMostElements)
      continue;
    bool isServed = isElementwise && value.dims.back() <= kMostAlong &&
                    value.elements / value.dims.back() <= kMostAlong;
    if (isServed)
      continue;
    declines.push_back(
        makeDecline(query.slot, "elements(" + value.name + ")",
                    "at most " + std::to_string(kMostElements) +
                        "; of pointwise ops on packed rows 2^30 rows of 2^30",
                    std::to_string(value.elements)));
    return;
  }
}

void NvptxPointwiseEngine::judgeMore(const EngineQuery &query,
                                     SmallVectorImpl<Decline> &declines) const {
  const GraphFacts &facts = query.facts;
  static constexpr int64_t kArchs[] = {80, 86, 89, 90, 100, 120};
  int64_t arch = query.request.target.arch;
  if (query.request.target.kind == TargetKind::Cuda &&
      !is_contained(kArchs, arch))
    declines.push_back(makeDecline(query.slot, "arch",
                                   "{sm_80, sm_86, sm_89, sm_90, sm_100, "
                                   "sm_120}",
                                   "sm_" + std::to_string(arch)));
  judgeFunctions(query, declines);
  judgeBlocks(query, declines);
  judgeSizes(query, declines);
}

Config NvptxPointwiseEngine::evaluate(const EngineQuery &query,
                                      ArrayRef<graph::Knob> knobs) const {
  const GraphFacts &facts = query.facts;
  Config config;
  config.timeNs = predictNs(nvptxRoofline(), facts.totalWork(),
                            static_cast<double>(facts.portBytes()),
                            /*workers=*/1);
  config.workspace = facts.reductionBytes;
  config.behaviorNotes = {graph::BehaviorNote::RUNTIME_COMPILATION};
  return config;
}

const Engine &opgraph::planning::getNvptxPointwiseEngine() {
  static const NvptxPointwiseEngine engine;
  return engine;
}
