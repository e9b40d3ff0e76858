//===- Launch.cpp - Enqueuing the steps of a plan -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/Cuda/Launch.h"

#include "runtime/Cudnn/Steps.h"
#include "runtime/Error.h"

using namespace opgraph::runtime;
using namespace opgraph::runtime::cuda;

namespace {

long long ll(int64_t value) { return value; }

/// Enqueues one launch.
class Launcher {
public:
  Launcher(const og_plan &plan, const Execution &execution, Stream stream)
      : plan(plan), driver(*execution.driver), prepared(*execution.prepared),
        stream(stream), block(*execution.block) {}

  /// Refuses a grid that no cluster divides.
  og_status check(size_t number, const StepPlan &step) const;
  og_status launch(size_t number, const StepPlan &step) const;

private:
  const KernelLaunch &kernelOf(const StepPlan &step) const {
    return prepared.kernels[step.kernel];
  }
  const char *nameOf(const StepPlan &step) const {
    return prepared.variant->kernels()->Get(step.kernel)->name()->c_str();
  }
  og_status wait(size_t number, const StepPlan &step) const;
  og_status refuse(size_t number, const StepPlan &step, int result,
                   const char *what) const;

  const og_plan &plan;
  const Driver &driver;
  const PreparedDevice &prepared;
  Stream stream;
  const Block &block;
};

} // namespace

og_status Launcher::check(size_t number, const StepPlan &step) const {
  const KernelLaunch &kernel = kernelOf(step);
  if (!kernel.hasCluster)
    return OG_OK;
  for (uint32_t axis = 0; axis < 3; ++axis)
    if (block.steps[number][axis] % kernel.cluster[axis])
      return fail(OG_INVALID_VARIANT_PACK,
                  "plan '%s': grid axis %u of kernel '%s' is %lld, expected a "
                  "multiple of its cluster's %u",
                  plan.name(), axis, nameOf(step),
                  ll(block.steps[number][axis]), kernel.cluster[axis]);
  return OG_OK;
}

og_status Launcher::launch(size_t number, const StepPlan &step) const {
  const int64_t (&grid)[3] = block.steps[number];
  if (isIdleLaunch(step, grid))
    return OG_OK;
  const KernelLaunch &kernel = kernelOf(step);
  LaunchAttribute attributes[2];
  LaunchConfig config{unsigned(grid[0]),
                      unsigned(grid[1]),
                      unsigned(grid[2]),
                      kernel.threads,
                      1,
                      1,
                      kernel.sharedBytes,
                      stream,
                      attributes,
                      0};
  if (kernel.hasCluster) {
    LaunchAttribute &attribute = attributes[config.numAttributes++];
    attribute = {};
    attribute.id = LaunchAttribute::ClusterDimension;
    attribute.value.cluster = {kernel.cluster[0], kernel.cluster[1],
                               kernel.cluster[2]};
  }
  if (step.dependent) {
    LaunchAttribute &attribute = attributes[config.numAttributes++];
    attribute = {};
    attribute.id = LaunchAttribute::StreamSerialization;
    attribute.value.flag = 1;
  }
  if (int result = driver.launchKernelEx(&config, kernel.function,
                                         block.params + step.firstArg, nullptr))
    return refuse(number, step, result, "cannot launch");
  return plan.program->sync ? wait(number, step) : OG_OK;
}

/// With OPGRAPH_DEBUG_SYNC=1: a fault is this kernel's.
og_status Launcher::wait(size_t number, const StepPlan &step) const {
  int capturing = CaptureNone;
  if (driver.streamIsCapturing(stream, &capturing) != Success ||
      capturing != CaptureNone)
    return OG_OK;
  if (int result = driver.streamSynchronize(stream))
    return refuse(number, step, result, "fault in");
  return OG_OK;
}

og_status Launcher::refuse(size_t number, const StepPlan &step, int result,
                           const char *what) const {
  const KernelLaunch &kernel = kernelOf(step);
  return failCuda(
      driver, result,
      "plan '%s': %s kernel '%s' (step %zu), grid %s, blocks of %u threads, "
      "clusters of %u x %u x %u, %u bytes of dynamic shared memory, on CUDA "
      "device %d%s",
      plan.name(), what, nameOf(step), number,
      ListText(block.steps[number], 3).str(), kernel.threads, kernel.cluster[0],
      kernel.cluster[1], kernel.cluster[2], kernel.sharedBytes,
      prepared.device->ordinal, plan.program->sync ? "" : faultHint(result));
}

/// Enqueues what cuDNN makes of a step.
static og_status executeCudnn(const og_plan &plan, const Execution &execution,
                              size_t number, const og_variant_pack &pack,
                              Stream stream) {
  const StepPlan &step = plan.program->steps[number];
  return cudnn::executeStep(plan, *execution.prepared->cudnn, step.cudnn,
                            stream, execution.block->params + step.firstArg,
                            static_cast<char *>(pack.workspace) +
                                execution.block->steps[number][0]);
}

static og_status fill(const og_plan &plan, const Driver &driver,
                      const StepPlan &step, const int64_t (&range)[3],
                      const og_variant_pack &pack, Stream stream) {
  if (range[1] == 0)
    return OG_OK;
  DevicePtr address =
      reinterpret_cast<uintptr_t>(pack.workspace) + uint64_t(range[0]);
  if (int result =
          driver.memsetD8Async(address, step.fillValue, range[1], stream))
    return failCuda(driver, result,
                    "plan '%s': cannot fill %lld bytes of the workspace",
                    plan.name(), ll(range[1]));
  return OG_OK;
}

og_status opgraph::runtime::cuda::checkSteps(const og_plan &plan,
                                             const Execution &execution) {
  const std::vector<StepPlan> &steps = plan.program->steps;
  Launcher launcher(plan, execution, nullptr);
  for (size_t i = 0; i < steps.size(); ++i) {
    const int64_t (&numbers)[3] = execution.block->steps[i];
    if (steps[i].kernel >= 0) {
      if (og_status status = launcher.check(i, steps[i]))
        return status;
    } else if (numbers[0] > execution.workspace ||
               numbers[1] > execution.workspace - numbers[0]) {
      return fail(OG_INVALID_VARIANT_PACK,
                  "plan '%s': %s of the workspace for these shapes: leaves the "
                  "workspace",
                  plan.name(), steps[i].cudnn < 0 ? "a fill" : "cuDNN's part");
    }
  }
  return OG_OK;
}

og_status opgraph::runtime::cuda::launchSteps(const og_plan &plan,
                                              const Execution &execution,
                                              const og_variant_pack &pack,
                                              Stream stream) {
  const std::vector<StepPlan> &steps = plan.program->steps;
  const Driver &driver = *execution.driver;
  Launcher launcher(plan, execution, stream);
  ContextScope scope(driver, execution.prepared->device->context);
  if (scope.result())
    return failCuda(driver, scope.result(), "plan '%s': CUDA device %d",
                    plan.name(), execution.prepared->device->ordinal);
  if (plan.poison)
    if (og_status status =
            poisonDevice(plan, driver, *execution.frame, pack, stream))
      return status;
  for (size_t i = 0; i < steps.size(); ++i) {
    og_status status = steps[i].kernel >= 0 ? launcher.launch(i, steps[i])
                       : steps[i].cudnn >= 0
                           ? executeCudnn(plan, execution, i, pack, stream)
                           : fill(plan, driver, steps[i],
                                  execution.block->steps[i], pack, stream);
    if (status)
      return status;
  }
  return OG_OK;
}
