//===- Plan.h - A compiled plan in Python -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PYTHON_PLAN_H
#define OPGRAPH_PYTHON_PLAN_H

#include "Api.h"
#include "opgraph-c/host_abi.h"

#include <nanobind/nanobind.h>
#include <unordered_map>

namespace opgraph::python {

class Operands;

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
  /// that are None, and uids of no port, are ignored. `stream` is a CUDA
  /// stream's address; `device`, when not negative, the ordinal that the
  /// operands must be on.
  void execute(nanobind::dict pack, nanobind::handle workspace,
               nanobind::handle overrideUids, nanobind::handle overrideShapes,
               nanobind::handle overrideStrides, uintptr_t stream, int device);

  /// Adds an execution to an empty CUDA graph, which then keeps the plan when
  /// `retain`; or writes other operands into one that was filled so.
  void populateGraph(nanobind::dict pack, nanobind::handle workspace,
                     uintptr_t graph, bool retain,
                     nanobind::handle overrideUids,
                     nanobind::handle overrideShapes,
                     nanobind::handle overrideStrides);
  void updateGraph(nanobind::dict pack, nanobind::handle workspace,
                   uintptr_t graph, nanobind::handle overrideUids,
                   nanobind::handle overrideShapes,
                   nanobind::handle overrideStrides);

  bool onCuda() const { return og_plan_device_type(plan) == OG_DEVICE_CUDA; }
  /// Of a workspace's base.
  size_t workspaceAlignment() const {
    return onCuda() ? OG_DEVICE_WORKSPACE_ALIGNMENT : OG_WORKSPACE_ALIGNMENT;
  }

  /// Bytes to allocate: what the plan needs, and the slack to align it.
  size_t workspaceSize(nanobind::handle overrideUids,
                       nanobind::handle overrideShapes,
                       nanobind::handle overrideStrides) const;

private:
  /// Checks what `call(pack)` says.
  template <typename Call>
  void writeGraph(nanobind::dict pack, nanobind::handle workspace,
                  nanobind::handle overrideUids,
                  nanobind::handle overrideShapes,
                  nanobind::handle overrideStrides, Call call);

  /// The buffers of a variant pack.
  void readPack(nanobind::dict dict, Operands &operands) const;

  og_plan *plan;
  /// Whether the operand with this uid is written.
  std::unordered_map<int64_t, bool> isOutput;
};

void bindPlan(nanobind::module_ &module);
void bindGraph(nanobind::module_ &module);

} // namespace opgraph::python

#endif // OPGRAPH_PYTHON_PLAN_H
