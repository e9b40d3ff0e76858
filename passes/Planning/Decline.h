//===- Decline.h - Why an engine does not run a graph -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_PLANNING_DECLINE_H
#define OPGRAPH_PASSES_PLANNING_DECLINE_H

#include "dialects/Graph/GraphDialect.h"
#include "passes/Planning/Change.h"
#include <optional>

namespace opgraph::planning {

/// One mismatch; the fields are those of `#graph.decline`.
struct Decline {
  int64_t engine = 0;
  std::string name;
  std::string constraint;
  std::string limit;
  std::string actual;
  /// The change as data, and as text (which outlives the facts).
  std::optional<Change> nearest;
  std::string nearestText;
  /// The configuration that was barred; empty when the engine declined.
  std::string plan;
  /// What a library said; empty for our own rules.
  std::string status;
  std::string text;

  graph::DeclineAttr toAttr(mlir::MLIRContext *context) const;
  /// "workspace: expected 0, got 4096; nearest accepted: max_workspace = 4096".
  std::string str() const;
};
using Declines = llvm::SmallVector<Decline, 0>;

} // namespace opgraph::planning

#endif // OPGRAPH_PASSES_PLANNING_DECLINE_H
