//===- Plan.h - A compiled plan in Python -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PYTHON_PLAN_H
#define OPGRAPH_PYTHON_PLAN_H

#include "Api.h"

#include <nanobind/nanobind.h>
#include <unordered_map>

namespace opgraph::python {

/// A loaded plan. Immutable: threads may execute it at once.
class Plan {
public:
  /// Takes over one reference to `plan`.
  explicit Plan(og_plan *plan);
  Plan(const Plan &) = delete;
  Plan &operator=(const Plan &) = delete;
  ~Plan() { og_plan_release(plan); }

  og_plan *get() const { return plan; }

  /// Runs on the operands of `pack`: a mapping from uid, or from an object
  /// with an integer attribute `_uid`, to an array or address. Keys and values
  /// that are None, and uids of no port, are ignored.
  void execute(nanobind::dict pack, nanobind::handle workspace,
               nanobind::handle overrideUids, nanobind::handle overrideShapes,
               nanobind::handle overrideStrides);

  /// Bytes to allocate: what the plan needs, and the slack to align it.
  size_t workspaceSize(nanobind::handle overrideUids,
                       nanobind::handle overrideShapes,
                       nanobind::handle overrideStrides) const;

private:
  og_plan *plan;
  /// Whether the operand with this uid is written.
  std::unordered_map<int64_t, bool> isOutput;
};

void bindPlan(nanobind::module_ &module);
void bindGraph(nanobind::module_ &module);

} // namespace opgraph::python

#endif // OPGRAPH_PYTHON_PLAN_H
