//===- Filters.h - Barring plans of a list ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The peers' plan filters (reference/op_surface.md, section 2.3). A barred plan
// leaves a decline that names the filter.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_PLANNING_FILTERS_H
#define OPGRAPH_PASSES_PLANNING_FILTERS_H

#include "dialects/Graph/GraphDialect.h"
#include "passes/Planning/Decline.h"

namespace opgraph::planning {

struct Filters {
  /// Plans whose spelling contains one of these are barred.
  llvm::SmallVector<std::string, 2> deselectEngines;
  /// Plans that have one of these notes are barred.
  llvm::SmallVector<graph::BehaviorNote, 2> deselectBehavior;
  llvm::SmallVector<graph::NumericalNote, 2> deselectNumerical;
  /// Plans that lack one of these notes are barred.
  llvm::SmallVector<graph::BehaviorNote, 2> selectBehavior;
  llvm::SmallVector<graph::NumericalNote, 2> selectNumerical;
  /// Plans that may need more bytes are barred.
  std::optional<int64_t> maxWorkspace;
};

/// The first filter that bars `plan`; nullopt if none does.
std::optional<Decline> applyFilters(graph::PlanAttr plan,
                                    const Filters &filters);

} // namespace opgraph::planning

#endif // OPGRAPH_PASSES_PLANNING_FILTERS_H
