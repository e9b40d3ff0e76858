//===- Engines.h - The engines that the manifest names ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_PLANNING_ENGINES_ENGINES_H
#define OPGRAPH_PASSES_PLANNING_ENGINES_ENGINES_H

#include "passes/Planning/Engine.h"

namespace opgraph::planning {

/// The engines of the cuDNN library.
const Engine &getCudnnEngine();

/// Plain loops, the judge of all others.
const Engine &getHostReferenceEngine();

/// One tiled, fused, vectorised function per graph.
const Engine &getHostFusedEngine();

/// Groups of the graph, each by another host engine, joined through workspace.
const Engine &getHostCompositeEngine();

/// Pointwise graphs, reductions and norms as generated GPU kernels.
const Engine &getNvptxPointwiseEngine();

/// A composite over the engines of `request.manifest` on one side, with its
/// capability rows: the planning that composites of all sides share.
class CompositeEngine : public Engine {
public:
  explicit CompositeEngine(llvm::ArrayRef<CapabilityRow> rows) : rows(rows) {}

  llvm::ArrayRef<CapabilityRow> getCapabilities() const override {
    return rows;
  }
  void judgeMore(const EngineQuery &query,
                 llvm::SmallVectorImpl<Decline> &declines) const override;
  llvm::SmallVector<KnobSpec>
  getKnobSpecs(const EngineQuery &query,
               llvm::ArrayRef<graph::Knob> given) const override;
  llvm::SmallVector<graph::Knobs> propose(const EngineQuery &query,
                                          graph::HeurMode mode) const override;
  graph::Knobs complete(const EngineQuery &query,
                        llvm::ArrayRef<graph::Knob> given) const override;
  Config evaluate(const EngineQuery &query,
                  llvm::ArrayRef<graph::Knob> knobs) const override;
  bool isComposite() const override { return true; }

private:
  llvm::ArrayRef<CapabilityRow> rows;
};

} // namespace opgraph::planning

#endif // OPGRAPH_PASSES_PLANNING_ENGINES_ENGINES_H
