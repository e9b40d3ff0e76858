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

/// A line of an allow or deny list.
struct PlanRule {
  bool allows = false;
  /// Over a plan's whole spelling; '*' stands for any text.
  std::string pattern;
  /// "line 3 of 'plans.txt'".
  std::string place;
};

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
  /// Plans whose blocks are known to use more bytes of shared memory are
  /// barred.
  std::optional<int64_t> maxSharedMemory;
  /// A plan that one of these denies is barred; where some allow, so is one
  /// that none of those names.
  std::vector<PlanRule> rules;
};

/// The first filter that bars `plan`; nullopt if none does. `sharedMemory` is
/// what its blocks use, -1 where that is not known before it is built.
std::optional<Decline> applyFilters(graph::PlanAttr plan,
                                    const Filters &filters,
                                    int64_t sharedMemory = -1);

/// Appends the rules of `text`: "allow PATTERN" or "deny PATTERN" a line, '#'
/// begins a comment. On a mistake returns false and sets `error`, which names
/// the line of `source`.
bool parseRules(llvm::StringRef text, llvm::StringRef source,
                std::vector<PlanRule> &rules, std::string &error);

} // namespace opgraph::planning

#endif // OPGRAPH_PASSES_PLANNING_FILTERS_H
