//===- Cudnn.cpp - Planning of cudnn --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One slot for all engines of the library, whose settings it lists itself; the
// planner takes them from the CudnnProblem of the facts.
//===----------------------------------------------------------------------===//
#include "passes/Planning/Engines/CudnnProblem.h"
#include "passes/Planning/Engines/Engines.h"
#include "passes/Planning/Planner.h"

using namespace llvm;
using namespace opgraph;
using namespace opgraph::planning;

namespace {
class LibraryEngine : public Engine {
public:
  ArrayRef<CapabilityRow> getCapabilities() const override { return {}; }

  void judgeMore(const EngineQuery &query,
                 SmallVectorImpl<Decline> &declines) const override {
    const std::shared_ptr<CudnnProblem> &problem = query.facts.cudnn;
    if (problem && problem->getQuery())
      return;
    if (problem) {
      declines.push_back(problem->getDecline(query.slot));
      return;
    }
    if (query.request.cudnn) {
      declines.push_back(
          makeDecline(query.slot, "mode", "A, B or FALLBACK", "OPENSOURCE"));
      return;
    }
    Decline decline =
        makeDecline(query.slot, "library", "libcudnn.so.9", "not opened");
    decline.status = "LIBRARY_MISSING";
    declines.push_back(std::move(decline));
  }

  SmallVector<KnobSpec> getKnobSpecs(const EngineQuery &,
                                     ArrayRef<graph::Knob>) const override {
    return {};
  }
  SmallVector<graph::Knobs> propose(const EngineQuery &,
                                    graph::HeurMode) const override {
    return {};
  }
  Config evaluate(const EngineQuery &, ArrayRef<graph::Knob>) const override {
    return {};
  }
};
} // namespace

const Engine &opgraph::planning::getCudnnEngine() {
  static const LibraryEngine engine;
  return engine;
}
