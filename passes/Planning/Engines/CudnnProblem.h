//===- CudnnProblem.h - A graph as the cuDNN library sees it ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_PLANNING_ENGINES_CUDNNPROBLEM_H
#define OPGRAPH_PASSES_PLANNING_ENGINES_CUDNNPROBLEM_H

#include "opgraph-c/status.h"
#include "passes/Planning/CudnnLibrary.h"
#include "passes/Planning/Decline.h"
#include "passes/Planning/Facts.h"
#include <array>

namespace opgraph::planning {

struct EngineSlot;
struct PlanRequest;

/// One graph, lowered for a version of the library and opened by it; or why
/// not. The library is asked once for each heuristic mode.
class CudnnProblem {
public:
  CudnnProblem(graph::GraphOp graph, const PlanRequest &request);

  /// The library's version: that of its plans.
  int64_t getVersion() const { return version; }
  /// Null where the library does not hold the graph.
  CudnnQuery *getQuery() const { return query.get(); }
  /// Why it does not, as a decline of `slot`.
  Decline getDecline(const EngineSlot &slot) const;

  /// The settings that the library lists for `mode`, in its order; none, with
  /// getError() set, where it refuses.
  llvm::ArrayRef<CudnnConfig> getConfigs(graph::HeurMode mode);
  llvm::StringRef getError() const { return error; }

private:
  int64_t version = 0;
  Decline decline;
  std::string error;
  std::unique_ptr<CudnnQuery> query;
  static constexpr size_t kModes = 3;
  std::array<std::optional<llvm::SmallVector<CudnnConfig>>, kModes> configs;
};

/// The time of entry `index` of a list of the library's. Until its engines are
/// measured: the roofline of the graph, a little more for each entry, so that
/// the library's order stands.
int64_t predictCudnnNs(const GraphFacts &facts, graph::HeurMode mode,
                       size_t index);

/// What became of the knobs of a pin: OG_OK, or OG_NOT_FOUND for a knob that
/// the engine lacks and OG_INVALID_VALUE for a value that it does not take,
/// with `error` set.
og_status checkCudnnKnobs(CudnnQuery &query, int64_t engine,
                          llvm::ArrayRef<graph::Knob> knobs,
                          std::string &error);

} // namespace opgraph::planning

#endif // OPGRAPH_PASSES_PLANNING_ENGINES_CUDNNPROBLEM_H
