//===- NvptxPointwise.cpp - Planning of nvptx.pointwise -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Planning/CostModel.h"
#include "passes/Planning/Engines/Engines.h"
#include "passes/Planning/PlanTimes.h"
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
                                         "bn_finalize",
                                         "dbn_weight",
                                         "diagonal_band_mask",
                                         "genstats"};
static constexpr StringLiteral kFeatures[] = {
    "sink", "peer_stats", "running_statistics_of_unknown_count",
    "group_offset"};
/// Of scales only.
static constexpr StringLiteral kReorderings[] = {"f8_128x4"};

static constexpr DTypeSet kElementTypes = {
    DType::F64,    DType::F32,    DType::F16,    DType::BF16, DType::F8E4M3,
    DType::F8E5M2, DType::F8E8M0, DType::I8,     DType::UI8,  DType::I32,
    DType::I64,    DType::I1,     DType::F4E2M1, DType::I4};
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
    CapabilityRow::maxRank(8)};

/// Coordinates are i32, and a tile may reach past the last element.
static constexpr int64_t kMostElements = (int64_t(1) << 31) - (1 << 20);
/// Of rows, and of columns, of a value with more elements.
static constexpr int64_t kMostAlong = int64_t(1) << 30;

static constexpr auto kTileSize =
    static_cast<int64_t>(graph::KnobType::TILE_SIZE);
/// 0: reductions combine portions in a fixed order; 1: by atomics.
static constexpr auto kReductionMode =
    static_cast<int64_t>(graph::KnobType::REDUCTION_MODE);

namespace {
class NvptxPointwiseEngine : public Engine {
public:
  ArrayRef<CapabilityRow> getCapabilities() const override { return kRows; }

  void judgeMore(const EngineQuery &query,
                 SmallVectorImpl<Decline> &declines) const override;

  SmallVector<KnobSpec> getKnobSpecs(const EngineQuery &query,
                                     ArrayRef<graph::Knob>) const override {
    // Vectors of 16 bytes of a row that a thread keeps.
    SmallVector<KnobSpec> specs = {{kTileSize, {4, 2, 8}}};
    if (query.facts.atomicCombining != AtomicCombining::None)
      specs.push_back({kReductionMode, {0, 1}});
    return specs;
  }

  SmallVector<graph::Knobs> propose(const EngineQuery &query,
                                    graph::HeurMode) const override {
    if (query.facts.atomicCombining == AtomicCombining::None)
      return {{{kTileSize, 4}}};
    return {{{kTileSize, 4}, {kReductionMode, 0}},
            {{kTileSize, 4}, {kReductionMode, 1}}};
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

static void judgeScales(const EngineQuery &query,
                        SmallVectorImpl<Decline> &declines) {
  const GraphFacts &facts = query.facts;
  for (auto [number, value] : enumerate(facts.values))
    if (value.reordering != "none" && !servesTiles(facts, number)) {
      declines.push_back(makeDecline(
          query.slot, "reordering(" + value.name + ")",
          "of scales of one op, without groups", value.reordering.str()));
      return;
    }
}

/// Ops that are made of their extents' numbers.
static constexpr StringLiteral kOpsOfNumbers[] = {"block_scale_quantize",
                                                  "block_scale_dequantize"};
static constexpr StringLiteral kFeaturesOfNumbers[] = {
    "peer_stats", "running_statistics_of_unknown_count", "group_offset"};

/// Where extents are known at the call only.
static void judgeDynamic(const EngineQuery &query,
                         SmallVectorImpl<Decline> &declines) {
  const GraphFacts &facts = query.facts;
  bool isDynamic = facts.isDynamic();
  if (!isDynamic && !facts.allowsOverrides)
    return;
  auto refuse = [&](std::string constraint, std::string limit) {
    Decline decline =
        makeDecline(query.slot, std::move(constraint), std::move(limit),
                    isDynamic ? "dynamic" : "overrides allowed");
    decline.nearest =
        Change{isDynamic ? ChangeKind::StaticExtents : ChangeKind::NoOverrides};
    declines.push_back(std::move(decline));
  };
  for (const ValueFacts &value : facts.values)
    if (value.type == DType::F4E2M1 || value.type == DType::I4)
      return refuse("extents(" + value.name + ")",
                    "static where elements take 4 bits");
  for (const OpFacts &op : facts.ops) {
    for (StringRef feature : op.features)
      if (is_contained(kFeaturesOfNumbers, feature))
        return refuse("extents(" + op.mnemonic + ")",
                      ("static with " + feature).str());
    if (op.mnemonic == "dbn_weight" || op.mnemonic == "diagonal_band_mask")
      return refuse("extents(" + op.mnemonic + ")", "static");
    // Overrides leave the extents of the others as they are.
    if (isDynamic && is_contained(kOpsOfNumbers, op.mnemonic))
      return refuse("extents(" + op.mnemonic + ")", "static");
  }
}

/// Values above kMostElements are rows of columns, of which there are not too
/// many of either.
static void judgeSizes(const EngineQuery &query,
                       SmallVectorImpl<Decline> &declines) {
  const GraphFacts &facts = query.facts;
  bool isServed = !facts.isDynamic() && !facts.allowsOverrides &&
                  facts.longestSide <= kMostAlong;
  if (isServed)
    return;
  for (const ValueFacts &value : facts.values) {
    if (value.elements <= kMostElements || value.isDynamic)
      continue;
    declines.push_back(
        makeDecline(query.slot, "elements(" + value.name + ")",
                    "at most " + std::to_string(kMostElements) +
                        ", or 2^30 along an axis, beside the fastest one, and "
                        "left or combined by a reduction",
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
  judgeScales(query, declines);
  judgeSizes(query, declines);
  judgeDynamic(query, declines);
}

Config NvptxPointwiseEngine::evaluate(const EngineQuery &query,
                                      ArrayRef<graph::Knob> knobs) const {
  const GraphFacts &facts = query.facts;
  Config config;
  std::optional<PlanTimes> times = PlanTimes::at(facts, query.request.target);
  config.timeNs = times && times->knows(query.slot.id)
                      ? times->predict(query.slot.id, knobs)
                      : predictNs(nvptxRoofline(), facts.totalWork(),
                                  static_cast<double>(facts.portBytes()),
                                  /*workers=*/1);
  // That of overridden extents, and of the versions that suit them, is known
  // at the call.
  config.workspace = facts.allowsOverrides && facts.reductionBytes > 0
                         ? -1
                         : facts.reductionBytes;
  config.behaviorNotes = {graph::BehaviorNote::RUNTIME_COMPILATION};
  bool isAtomic = any_of(knobs, [](const graph::Knob &knob) {
    return knob.key == kReductionMode && knob.value == 1;
  });
  if (!isAtomic)
    return config;
  config.workspace -= facts.portionBytes;
  if (facts.atomicCombining == AtomicCombining::InAnyOrder)
    config.numericalNotes = {graph::NumericalNote::NONDETERMINISTIC};
  return config;
}

const Engine &opgraph::planning::getNvptxPointwiseEngine() {
  static const NvptxPointwiseEngine engine;
  return engine;
}
