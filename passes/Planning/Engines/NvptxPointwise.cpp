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
                                         "constant",
                                         "reshape",
                                         "transpose",
                                         "slice",
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
static constexpr StringLiteral kNotOps[] = {"gen_index"};
static constexpr StringLiteral kFeatures[] = {"sink"};

static constexpr DTypeSet kElementTypes = {
    DType::F32, DType::F16, DType::BF16, DType::F8E4M3, DType::F8E5M2,
    DType::I8,  DType::UI8, DType::I32,  DType::I64,    DType::I1};
static constexpr DTypeSet kComputeTypes = {DType::F32, DType::F16, DType::BF16,
                                           DType::I32, DType::I64, DType::I1};

/// Coordinates are divided out over at most the axes that a view has.
static constexpr CapabilityRow kRows[] = {
    CapabilityRow::ops(kOps),
    CapabilityRow::notOps(kNotOps),
    CapabilityRow::features(kFeatures),
    CapabilityRow::elementTypes(kElementTypes),
    CapabilityRow::computeTypes(kComputeTypes),
    CapabilityRow::noReordering(),
    CapabilityRow::staticExtents(),
    CapabilityRow::noOverrides(),
    CapabilityRow::maxRank(8)};

/// Coordinates are i32, and a tile may reach past the last element.
static constexpr int64_t kMostElements = (int64_t(1) << 31) - (1 << 20);

static bool isInteger(DType type) {
  return type == DType::I32 || type == DType::I64 || type == DType::I1;
}

/// Whether a reshape drops or adds leading axes of extent 1 only.
static bool keepsShape(const GraphFacts &facts, const OpFacts &op) {
  auto strip = [&](unsigned value) {
    return ArrayRef<int64_t>(facts.values[value].dims)
        .drop_while([](int64_t extent) { return extent == 1; });
  };
  return strip(op.operands[0]) == strip(op.results[0]);
}

static const OpFacts *findProducer(const GraphFacts &facts, unsigned value) {
  const auto *op = find_if(facts.ops, [&](const OpFacts &op) {
    return is_contained(op.results, value);
  });
  return op == facts.ops.end() ? nullptr : op;
}

/// An argument in packed rows, reshaped or not.
static bool isPackedView(const GraphFacts &facts, unsigned value) {
  if (facts.values[value].isArgument)
    return facts.values[value].layout == LayoutClass::Contiguous;
  const OpFacts *op = findProducer(facts, value);
  return op && op->mnemonic == "reshape" &&
         isPackedView(facts, op->operands[0]);
}

/// An argument's memory, perhaps in another order.
static bool isArgumentView(const GraphFacts &facts, unsigned value) {
  if (facts.values[value].isArgument)
    return !facts.values[value].isByValue;
  const OpFacts *op = findProducer(facts, value);
  if (!op)
    return false;
  if (op->mnemonic == "transpose" || op->mnemonic == "slice")
    return isArgumentView(facts, op->operands[0]);
  return isPackedView(facts, value);
}

/// Whether a layout op only says how to read an argument's memory: of what is
/// computed it would need a copy.
static bool isView(const GraphFacts &facts, const OpFacts &op) {
  if (op.mnemonic == "reshape")
    return keepsShape(facts, op) || isPackedView(facts, op.operands[0]);
  return isArgumentView(facts, op.operands[0]);
}

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
  for (const ValueFacts &value : facts.values)
    if (value.elements > kMostElements) {
      declines.push_back(makeDecline(query.slot, "elements(" + value.name + ")",
                                     "at most " + std::to_string(kMostElements),
                                     std::to_string(value.elements)));
      break;
    }
  static constexpr StringLiteral kLayoutOps[] = {"reshape", "transpose",
                                                 "slice"};
  for (const OpFacts &op : facts.ops)
    if (is_contained(kLayoutOps, op.mnemonic) && !isView(facts, op)) {
      declines.push_back(makeDecline(query.slot, "operand(" + op.mnemonic + ")",
                                     "an argument's memory, in packed rows "
                                     "where it is reshaped",
                                     facts.values[op.operands[0]].name));
      break;
    }
  for (const OpFacts &op : facts.ops)
    if (op.mnemonic == "reduction" && isInteger(op.compute)) {
      declines.push_back(makeDecline(query.slot, "compute type(reduction)",
                                     "{f32, f16, bf16}",
                                     stringifyDType(op.compute).str()));
      break;
    }
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
