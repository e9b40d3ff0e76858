//===- PlanTimes.h - Times of plans as measured on an H200 ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A model per kind of graph: what test/gpu/rank_plans.py measured
// (Data/h200_times.txt), fitted by test/gpu/fit_times.py. The logarithm of a
// plan's time over its graph's roofline is linear in a few features of the
// graph; each engine adds to the kind's weights, and each setting that was seen
// a constant.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_PLANNING_PLANTIMES_H
#define OPGRAPH_PASSES_PLANNING_PLANTIMES_H

#include "dialects/Graph/GraphDialect.h"
#include "passes/Planning/Facts.h"
#include <array>

namespace opgraph::planning {

struct Target;

/// The model at one graph.
class PlanTimes {
public:
  /// nullopt for a kind of graph, or a device, that was not measured.
  static std::optional<PlanTimes> at(const GraphFacts &facts,
                                     const Target &target);

  /// Predicted nanoseconds of a setting of an engine, by plan id. A setting
  /// that was not seen counts as the others of its engine, an engine as a slow
  /// one of its kind.
  int64_t predict(int64_t engine, llvm::ArrayRef<graph::Knob> knobs) const;

  /// No plan of the cuDNN library is predicted to take less.
  int64_t leastOfLibrary() const;

  /// Whether the model is better than the library's own order among settings of
  /// one engine. It is not for convolutions, which have long lists of settings
  /// and were measured less.
  bool ranksSettings() const;

  /// Whether plans of `engine` were measured on this kind of graph.
  bool knows(int64_t engine) const;

  static constexpr size_t kFeatures = 8;
  using Features = std::array<float, kFeatures>;

private:
  size_t kind = 0;
  /// Within the range of what was measured.
  Features features = {};
  double rooflineNs = 0;

  int64_t toNs(double logarithm) const;
};

} // namespace opgraph::planning

#endif // OPGRAPH_PASSES_PLANNING_PLANTIMES_H
