//===- Change.h - A change that would turn a decline around -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The nearest accepted change of a decline, as data: printed for people,
// applied by whoever wants to know whether it is enough.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_PLANNING_CHANGE_H
#define OPGRAPH_PASSES_PLANNING_CHANGE_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace opgraph::planning {

struct GraphFacts;
struct PlanRequest;

enum class ChangeKind : uint8_t {
  /// Plan for the host instead.
  TargetHost,
  /// Let opt-in engines in.
  OptIn,
  /// Raise the workspace bound to `value` bytes, or, if -1, lift it.
  MaxWorkspace,
  /// Give value `index` the element type numbered `value` (a DType).
  ElementType,
  /// Let op `index` compute in the type numbered `value` (a DType).
  ComputeType,
  /// Declare every extent.
  StaticExtents,
  /// Give up overrides at a call.
  NoOverrides,
  /// Give value `index` a layout that strides alone describe.
  NoReordering,
  /// Lower the rank of value `index` to `value` by joining axes.
  Rank
};

struct Change {
  ChangeKind kind;
  int64_t index = -1;
  int64_t value = 0;

  /// "max_workspace = 4096", "element_type(X) = f32".
  std::string str(const GraphFacts &facts) const;

  /// Does it, on facts and on a request.
  void apply(GraphFacts &facts, PlanRequest &request) const;
};

} // namespace opgraph::planning

#endif // OPGRAPH_PASSES_PLANNING_CHANGE_H
