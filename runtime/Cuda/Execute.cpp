//===- Execute.cpp - Running a plan on a CUDA device ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
///
/// \file
/// The hot path: check everything, make the parameters of all kernels, then
/// enqueue them. Allocates nothing and waits for nothing; what an execution
/// needs lies on the caller's stack.
///
//===----------------------------------------------------------------------===//

#include "runtime/Binding.h"
#include "runtime/Cuda/Cuda.h"
#include "runtime/Cuda/Launch.h"
#include "runtime/Cuda/Pointers.h"
#include "runtime/Error.h"

#include <cstring>

using namespace opgraph::runtime;
using namespace opgraph::runtime::cuda;

namespace {

/// Refuses what would need work that a capture forbids.
og_status checkNotCapturing(const og_plan &plan, const Driver &driver,
                            const DeviceState &device, Stream stream) {
  ContextScope scope(driver, device.context);
  int status = CaptureNone;
  int result = driver.streamIsCapturing(stream, &status);
  if (result == Success && status == CaptureNone)
    return OG_OK;
  if (result == Success || result == ErrorStreamCaptureImplicit)
    return fail(OG_NOT_PREPARED,
                "plan '%s' is not prepared for CUDA device %d, and the stream "
                "is capturing: call og_plan_prepare before the capture",
                plan.name(), device.ordinal);
  return failCuda(driver, result, "plan '%s': cannot use the stream%s",
                  plan.name(), faultHint(result));
}

/// The device's code, loaded now when no og_plan_prepare has done so.
og_status findPrepared(const og_plan &plan, const Driver &driver, int ordinal,
                       Stream stream, const PreparedDevice **out) {
  Program &program = *plan.program;
  if (ordinal >= 0 && ordinal < maxDevices) {
    *out = program.prepared[ordinal].load(std::memory_order_acquire);
    if (*out)
      return OG_OK;
  }
  return guarded([&] {
    const DeviceState *device = nullptr;
    if (og_status status = getDevice(driver, ordinal, &device))
      return status;
    if (og_status status = checkNotCapturing(plan, driver, *device, stream))
      return status;
    return prepareDevice(plan, program, driver, ordinal, out);
  });
}

/// Refuses a stream that is not of the device's primary context.
og_status checkStream(const og_plan &plan, const Driver &driver,
                      const DeviceState &device, Stream stream) {
  if (isSpecialStream(stream))
    return OG_OK;
  Context context = nullptr;
  if (int result = driver.streamGetCtx(stream, &context))
    return failCuda(driver, result, "plan '%s': cannot use the stream%s",
                    plan.name(), faultHint(result));
  if (context == device.context)
    return OG_OK;
  return fail(OG_INVALID_VARIANT_PACK,
              "plan '%s': the stream is of another context than the primary "
              "one of CUDA device %d, on which the operands are",
              plan.name(), device.ordinal);
}

/// Makes the parameters of all kernels.
og_status fillBlock(const og_plan &plan, const Driver &driver,
                    const Frame &frame, const og_variant_pack &pack,
                    int64_t workspace, Block &block) {
  const Program &program = *plan.program;
  if (program.declared && pack.num_overrides == 0) {
    Block declared(program, program.declared.get());
    std::memcpy(block.steps, declared.steps, program.declaredBytes);
  } else if (og_status status =
                 evaluateProgram(plan, program, frame.symbols(), block)) {
    return status;
  }
  return bindArguments(plan, program, driver, frame,
                       reinterpret_cast<uintptr_t>(pack.workspace), workspace,
                       block);
}

} // namespace

size_t opgraph::runtime::cudaBlockBytes(const og_plan &plan) {
  return plan.program->blockBytes + alignof(TensorMapBytes);
}

og_status opgraph::runtime::cuda::makeExecution(const og_plan &plan,
                                                const og_variant_pack &pack,
                                                Stream stream, void *storage,
                                                void *memory,
                                                Execution &execution) {
  execution.frame.emplace(plan, storage);
  const Frame &frame = *execution.frame;
  int64_t workspace = 0;
  if (og_status status = bindPack(plan, frame, pack, workspace))
    return status;
  const Driver *driver = nullptr;
  if (og_status status = guarded([&] { return getDriver(&driver); }))
    return status;
  int ordinal = -1;
  if (og_status status =
          findDevice(plan, *driver, frame, pack, workspace, ordinal))
    return status;
  // No operand has an element: there is nothing to compute.
  if (ordinal < 0)
    return OG_OK;
  if (og_status status =
          findPrepared(plan, *driver, ordinal, stream, &execution.prepared))
    return status;
  if (og_status status =
          checkStream(plan, *driver, *execution.prepared->device, stream))
    return status;
  auto address = reinterpret_cast<uintptr_t>(memory);
  address = (address + alignof(TensorMapBytes) - 1) &
            ~uintptr_t(alignof(TensorMapBytes) - 1);
  execution.driver = driver;
  execution.workspace = workspace;
  execution.block.emplace(*plan.program,
                          reinterpret_cast<unsigned char *>(address));
  if (og_status status =
          fillBlock(plan, *driver, frame, pack, workspace, *execution.block))
    return status;
  return checkSteps(plan, execution);
}

og_status opgraph::runtime::executeCuda(const og_plan &plan,
                                        const og_variant_pack &pack,
                                        void *stream, void *storage,
                                        void *memory) {
  Execution execution;
  if (og_status status = makeExecution(plan, pack, static_cast<Stream>(stream),
                                       storage, memory, execution))
    return status;
  if (!execution.prepared)
    return OG_OK;
  return launchSteps(plan, execution, pack, static_cast<Stream>(stream));
}
