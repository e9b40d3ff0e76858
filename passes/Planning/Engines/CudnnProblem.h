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
  /// What a plan needs of the workspace beside the library's part; the lists'
  /// numbers are of both.
  int64_t getScratchBytes() const { return scratchBytes; }

private:
  int64_t version = 0;
  int64_t scratchBytes = 0;
  Decline decline;
  std::string error;
  std::unique_ptr<CudnnQuery> query;
  static constexpr size_t kModes = 3;
  std::array<std::optional<llvm::SmallVector<CudnnConfig>>, kModes> configs;
};

/// The time of `config`, entry `index` of a list of the library's: as the model
/// of measured times has it, else the roofline of the graph; a little more for
/// each place in the list.
int64_t predictCudnnNs(const GraphFacts &facts, const PlanRequest &request,
                       const CudnnConfig &config, graph::HeurMode mode,
                       size_t index);

/// Whether the predictions of that list order it; else its own order is kept.
bool ranksCudnnByTime(const GraphFacts &facts, const PlanRequest &request,
                      graph::HeurMode mode);

/// What a plan of the library's counts as beside generated ones, which go first
/// where predictions cannot tell the two apart.
int64_t rankCudnnNs(int64_t timeNs);

/// Whether the whole list begins with `first`, a generated plan, whatever the
/// library would list.
bool isFirstWithoutCudnn(graph::PlanAttr first, const GraphFacts &facts,
                         const PlanRequest &request);

/// Whether plans of the library can be on the list.
bool wantsCudnn(const PlanRequest &request);

} // namespace opgraph::planning

#endif // OPGRAPH_PASSES_PLANNING_ENGINES_CUDNNPROBLEM_H
