//===- Explain.h - An outcome for people and for machines -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_PLANNING_EXPLAIN_H
#define OPGRAPH_PASSES_PLANNING_EXPLAIN_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/JSON.h"
#include <string>

namespace opgraph::planning {

struct PlanOutcome;

using Row = llvm::SmallVector<std::string, 5>;

/// Columns as wide as their widest cell, two spaces between, no trailing ones.
std::string renderColumns(llvm::ArrayRef<Row> rows);

/// One line per engine and decline:
///
///   engine          verdict   reason
///   host.reference  1 plan
///   host.composite  declined  groups: expected ..., got 1
std::string renderTable(const PlanOutcome &outcome);

/// The ranked list, one line per plan, with the plans' notes where there are
/// any:
///
///   #  plan                            mode  predicted  workspace
///   0  host.fused:10100:v1[...]@host   A     1.200 us   0 B
std::string renderPlans(const PlanOutcome &outcome);

/// {"graph", "family", "target", "plans": [...], "engines": [{"engine",
/// "name", "verdict", "plans", "declines": [{"constraint", "limit", "actual",
/// "nearest", ...}]}]}.
llvm::json::Value toJson(const PlanOutcome &outcome);

} // namespace opgraph::planning

#endif // OPGRAPH_PASSES_PLANNING_EXPLAIN_H
