//===- HostReference.cpp - Planning of host.reference ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The judge takes every graph whose tensors are placed by strides or in the
// layout of block scales and whose temporaries can be addressed, and has no
// knobs.
//===----------------------------------------------------------------------===//
#include "passes/Planning/CostModel.h"
#include "passes/Planning/Engines/Engines.h"
#include "passes/Planning/Engines/HostWorkspace.h"
#include "passes/Planning/Work.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace opgraph;
using namespace opgraph::planning;

static constexpr StringLiteral kReorderings[] = {"f8_128x4"};

static constexpr CapabilityRow kRows[] = {
    CapabilityRow::noReordering(kReorderings)};

/// The bytes that are known to be needed, where not all are.
static int64_t leastWorkspace(const GraphFacts &facts) {
  int64_t bytes = referenceWorkspace(facts);
  // No operand need bear out the keys of paged attention.
  for (const OpFacts &op : facts.ops)
    if (!op.scores.empty())
      bytes = std::max<int64_t>(
          bytes, std::min<uint64_t>(SaturatingMultiply<uint64_t>(
                                        countElements(op.scores[3]), 8),
                                    INT64_MAX));
  return bytes;
}

namespace {
class HostReferenceEngine : public Engine {
public:
  ArrayRef<CapabilityRow> getCapabilities() const override { return kRows; }

  void judgeMore(const EngineQuery &query,
                 SmallVectorImpl<Decline> &declines) const override {
    judgeWorkspace(query, leastWorkspace(query.facts), declines);
  }

  SmallVector<KnobSpec> getKnobSpecs(const EngineQuery &query,
                                     ArrayRef<graph::Knob>) const override {
    return {};
  }

  SmallVector<graph::Knobs> propose(const EngineQuery &query,
                                    graph::HeurMode mode) const override {
    return {graph::Knobs()};
  }

  Config evaluate(const EngineQuery &query,
                  ArrayRef<graph::Knob> knobs) const override {
    const GraphFacts &facts = query.facts;
    Config config;
    // Each op is a loop nest of its own: temporaries are written and read back.
    double bytes = static_cast<double>(facts.portBytes()) +
                   2.0 * std::max<int64_t>(facts.temporaryBytes(), 0);
    config.timeNs = predictNs(hostReferenceRoofline(facts.family),
                              facts.totalWork(), bytes, /*workers=*/1);
    config.workspace = referenceWorkspace(facts);
    config.behaviorNotes = {graph::BehaviorNote::RUNTIME_COMPILATION};
    config.numericalNotes = {graph::NumericalNote::STRICT_NAN_PROP};
    return config;
  }
};
} // namespace

const Engine &opgraph::planning::getHostReferenceEngine() {
  static const HostReferenceEngine engine;
  return engine;
}
