//===- Aot.cpp - Plans embedded in object files ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "opgraph-c/runtime.h"
#include "runtime/Error.h"

using namespace opgraph::runtime;

/// The plan of a slot, loaded by the first caller. Two callers may both load
/// it; one plan wins and the other is dropped, so that none waits for a lock.
static og_status planOfSlot(void **slot, const void *bytes, size_t size,
                            og_plan **out) {
  if (!slot)
    return fail(OG_INVALID_ARGUMENT, "embedded plan: slot is null");
  void *present = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
  if (!present) {
    og_plan *plan = nullptr;
    if (og_status status = og_plan_load_static(bytes, size, &plan))
      return status;
    if (__atomic_compare_exchange_n(slot, &present, static_cast<void *>(plan),
                                    /*weak=*/false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE))
      present = plan;
    else
      og_plan_release(plan);
  }
  *out = static_cast<og_plan *>(present);
  return OG_OK;
}

extern "C" {

og_status og_aot_execute(void **slot, const void *bytes, size_t size,
                         const og_variant_pack *pack, void *stream) {
  og_plan *plan;
  if (og_status status = planOfSlot(slot, bytes, size, &plan))
    return status;
  return og_plan_execute(plan, pack, stream);
}

og_status og_aot_workspace_size(void **slot, const void *bytes, size_t size,
                                const og_variant_pack *pack, size_t *out) {
  og_plan *plan;
  if (og_status status = planOfSlot(slot, bytes, size, &plan))
    return status;
  return og_plan_workspace_size(plan, pack, out);
}

og_status og_aot_describe(void **slot, const void *bytes, size_t size,
                          og_plan **out) {
  if (!out)
    return fail(OG_INVALID_ARGUMENT, "og_aot_describe: out is null");
  *out = nullptr;
  return planOfSlot(slot, bytes, size, out);
}
}
