//===- Execute.cpp - Running a plan ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
///
/// \file
/// The hot path: check everything, then run the plan's steps. Allocates
/// nothing; what an execution needs lies on the caller's stack.
///
//===----------------------------------------------------------------------===//

#include "opgraph-c/host_abi.h"
#include "runtime/Binding.h"
#include "runtime/Cuda/Cuda.h"
#include "runtime/Error.h"
#include "runtime/Poison.h"
#include "runtime/ThreadPool.h"

#include <alloca.h>
#include <cstring>

using namespace opgraph::runtime;

/// Checks the workspace and gives it its descriptor. `required`: its bytes.
static og_status bindWorkspace(const og_plan &plan, const Frame &frame,
                               const og_variant_pack &pack, int64_t &required) {
  if (og_status status = workspaceBytes(plan, frame.symbols(), required))
    return status;
  uintptr_t address = reinterpret_cast<uintptr_t>(pack.workspace);
  uintptr_t end;
  if (__builtin_add_overflow(address, pack.workspace_size, &end))
    return fail(OG_INVALID_VARIANT_PACK,
                "the workspace of %zu bytes leaves the address space",
                pack.workspace_size);
  if (required == 0) {
    frame.setWorkspace(nullptr, 0);
    return OG_OK;
  }
  if (!pack.workspace)
    return fail(OG_INVALID_VARIANT_PACK,
                "the workspace is null, expected %lld bytes",
                static_cast<long long>(required));
  if (pack.workspace_size < uint64_t(required))
    return fail(OG_INVALID_VARIANT_PACK,
                "the workspace has %zu bytes, expected %lld",
                pack.workspace_size, static_cast<long long>(required));
  int alignment =
      plan.isCuda() ? OG_DEVICE_WORKSPACE_ALIGNMENT : OG_WORKSPACE_ALIGNMENT;
  if (address % alignment)
    return fail(OG_INVALID_VARIANT_PACK,
                "the workspace is at address 0x%llx, expected alignment to %d "
                "bytes",
                static_cast<unsigned long long>(address), alignment);
  frame.setWorkspace(pack.workspace, required);
  return OG_OK;
}

og_status opgraph::runtime::bindPack(const og_plan &plan, const Frame &frame,
                                     const og_variant_pack &pack,
                                     int64_t &workspace) {
  if (og_status status = matchPack(plan, pack, frame))
    return status;
  if (!plan.symbols.empty())
    if (og_status status = bindSymbols(plan, frame, /*lenient=*/false))
      return status;
  if (og_status status = bindOperands(plan, frame))
    return status;
  if (og_status status = bindWorkspace(plan, frame, pack, workspace))
    return status;
  return checkOverlaps(plan, frame, pack);
}

namespace {

/// Evaluates the bytes that a fill writes, and checks that they are in the
/// workspace.
og_status evaluateFill(const og_plan &plan, const StepRecord &step,
                       const int64_t *symbols, int64_t workspace,
                       int64_t &offset, int64_t &size) {
  const char *error = plan.exprs.evaluate(step.offsetExpr, symbols, offset);
  if (!error)
    error = plan.exprs.evaluate(step.sizeExpr, symbols, size);
  if (!error && (offset < 0 || size < 0 || offset > workspace ||
                 size > workspace - offset))
    error = "leaves the workspace";
  if (error)
    return fail(OG_INVALID_VARIANT_PACK,
                "plan '%s': a fill of the workspace for these shapes: %s",
                plan.name(), error);
  return OG_OK;
}

og_status checkFills(const og_plan &plan, const int64_t *symbols,
                     int64_t workspace) {
  int64_t offset, size;
  for (const StepRecord &step : plan.steps)
    if (!step.entry)
      if (og_status status =
              evaluateFill(plan, step, symbols, workspace, offset, size))
        return status;
  return OG_OK;
}

og_status runSteps(const og_plan &plan, const Frame &frame, void *workspace,
                   int64_t workspaceSize) {
  ExecutionScope scope(plan.maxWorkers);
  for (const StepRecord &step : plan.steps) {
    if (step.entry) {
      step.entry(frame.args());
      continue;
    }
    int64_t offset, size;
    if (og_status status = evaluateFill(plan, step, frame.symbols(),
                                        workspaceSize, offset, size))
      return status;
    if (size)
      std::memset(static_cast<unsigned char *>(workspace) + offset, step.value,
                  size);
  }
  return OG_OK;
}

/// Executes with `storage` of plan.frameBytes bytes.
og_status execute(const og_plan &plan, const og_variant_pack &pack,
                  void *storage) {
  Frame frame(plan, storage);
  int64_t workspace = 0;
  if (og_status status = bindPack(plan, frame, pack, workspace))
    return status;
  if (og_status status = checkFills(plan, frame.symbols(), workspace))
    return status;
  if (plan.poison)
    poisonOutputs(plan, frame, pack);
  return runSteps(plan, frame, pack.workspace, workspace);
}

og_status checkCall(const og_plan *plan, const og_variant_pack *pack,
                    const char *function) {
  if (!plan)
    return fail(OG_INVALID_ARGUMENT, "%s: plan is null", function);
  if (!pack)
    return fail(OG_INVALID_ARGUMENT, "%s: pack is null", function);
  return checkPack(*plan, *pack);
}

} // namespace

extern "C" {

og_status og_plan_execute(og_plan *plan, const og_variant_pack *pack,
                          void *stream) {
  if (og_status status = checkCall(plan, pack, "og_plan_execute"))
    return status;
  void *storage = alloca(plan->frameBytes);
  if (plan->isCuda()) {
    void *block = alloca(cudaBlockBytes(*plan));
    return executeCuda(*plan, *pack, stream, storage, block);
  }
  if (stream)
    return fail(OG_INVALID_ARGUMENT,
                "og_plan_execute: plan '%s' runs on the host, stream must be "
                "null",
                plan->name());
  return execute(*plan, *pack, storage);
}

og_status og_plan_workspace_size(const og_plan *plan,
                                 const og_variant_pack *pack, size_t *out) {
  if (!out)
    return fail(OG_INVALID_ARGUMENT, "og_plan_workspace_size: out is null");
  *out = 0;
  og_variant_pack empty = {};
  empty.struct_size = sizeof(empty);
  if (!pack)
    pack = &empty;
  if (og_status status = checkCall(plan, pack, "og_plan_workspace_size"))
    return status;
  int64_t bytes = plan->staticWorkspace;
  if (bytes == OG_DYNAMIC) {
    Frame frame(*plan, alloca(plan->frameBytes));
    if (og_status status = matchPack(*plan, *pack, frame))
      return status;
    if (og_status status = bindSymbols(*plan, frame, /*lenient=*/true))
      return status;
    if (og_status status = workspaceBytes(*plan, frame.symbols(), bytes))
      return status;
  }
  *out = static_cast<size_t>(bytes);
  return OG_OK;
}

og_status og_plan_prepare(og_plan *plan, og_device device) {
  if (!plan)
    return fail(OG_INVALID_ARGUMENT, "og_plan_prepare: plan is null");
  if (plan->isCuda())
    return prepareCuda(*plan, device);
  if (device.type != OG_DEVICE_HOST || device.id != 0)
    return fail(OG_UNSUPPORTED,
                "plan '%s' runs on the host (type %d id 0), not on device type "
                "%d id %d",
                plan->name(), OG_DEVICE_HOST, device.type, device.id);
  if (plan->maxWorkers > 1)
    startThreadPool();
  return OG_OK;
}
}
