//===- Prepare.cpp - Loading a plan's code into a device ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/Cuda/Cuda.h"
#include "runtime/Cuda/Program.h"
#include "runtime/Cuda/Target.h"
#include "runtime/Cudnn/Steps.h"
#include "runtime/Error.h"
#include "runtime/Log.h"
#include "runtime/Plan.h"
#include "runtime/VerifierContext.h"

#include <string>

using namespace opgraph::runtime;
using namespace opgraph::runtime::cuda;
namespace fb = opgraph::planfile::fb;

Program::~Program() {
  for (std::atomic<PreparedDevice *> &slot : prepared)
    if (PreparedDevice *device = slot.load(std::memory_order_acquire)) {
      releaseModule(device->module);
      delete device;
    }
}

namespace {

/// The code that a device takes from a plan.
struct Choice {
  const fb::DeviceVariant *variant = nullptr;
  bool usePtx = false;
  /// Higher is better.
  int rank = -1;
};

/// Whether this driver compiles the PTX of a variant.
bool compiles(const fb::DeviceVariant &variant, const Driver &driver) {
  return int(variant.ptx_version()) <= newestPtx(driver.version);
}

/// Ranks what a variant offers: a cubin before PTX, then the later target, then
/// the specialised one.
Choice rank(const fb::DeviceVariant &variant, const Driver &driver,
            int capability) {
  CodeTarget target;
  if (!parseCodeTarget(variant.target()->c_str(), target))
    return {};
  int value = target.capability * 2 + (target.suffix != 0);
  if (length(variant.cubin()) && runsCubin(target, capability))
    return {&variant, false, 10000 + value};
  if (variant.ptx() && runsPtx(target, capability) && compiles(variant, driver))
    return {&variant, true, value};
  return {};
}

/// "sm_90a (cubin, PTX 8.0)".
std::string describe(const fb::DeviceVariant &variant) {
  std::string text = variant.target()->str() + " (";
  if (length(variant.cubin()))
    text += "cubin";
  if (variant.ptx()) {
    unsigned version = variant.ptx_version();
    text += length(variant.cubin()) ? ", PTX " : "PTX ";
    text += std::to_string(version / 10) + "." + std::to_string(version % 10);
  }
  return text + ")";
}

og_status choose(const og_plan &plan, const Driver &driver,
                 const DeviceState &device, Choice &best) {
  std::string offered;
  for (const fb::DeviceVariant *variant : *plan.body->device_variants()) {
    Choice choice = rank(*variant, driver, device.capability);
    if (choice.rank > best.rank)
      best = choice;
    offered += (offered.empty() ? "" : ", ") + describe(*variant);
  }
  if (best.variant)
    return OG_OK;
  int newest = newestPtx(driver.version);
  return fail(OG_UNSUPPORTED,
              "plan '%s' has code for %.300s; CUDA device %d is sm_%d, its "
              "driver %d.%d compiles PTX up to %d.%d",
              plan.name(), offered.c_str(), device.ordinal, device.capability,
              driver.version / 1000, driver.version % 1000 / 10, newest / 10,
              newest % 10);
}

/// Bytes of a kernel's parameter.
size_t bytesOf(const ArgumentRecord &arg) {
  switch (arg.kind) {
  case fb::ArgKind_TensorMap:
    return sizeof(TensorMapBytes);
  case fb::ArgKind_Pointer:
  case fb::ArgKind_Scratch:
    return 8;
  default:
    return arg.type == fb::ArgType_I64 || arg.type == fb::ArgType_F64 ? 8 : 4;
  }
}

/// Compares a launch's arguments with the kernel's own parameters, where the
/// driver tells them.
og_status checkParameters(const og_plan &plan, const Program &program,
                          const Driver &driver, const StepPlan &step,
                          Function function, const char *kernel) {
  size_t offset, size;
  for (uint32_t i = 0; i < step.numArgs; ++i) {
    size_t expected = bytesOf(program.args[step.firstArg + i]);
    int result = driver.funcGetParamInfo(function, i, &offset, &size);
    if (result)
      return fail(OG_DATA_LOSS,
                  "plan '%s': kernel '%s' has no parameter %u, its launch "
                  "passes %u",
                  plan.name(), kernel, i, step.numArgs);
    if (size != expected)
      return fail(OG_DATA_LOSS,
                  "plan '%s': parameter %u of kernel '%s' has %zu bytes, its "
                  "launch passes %zu",
                  plan.name(), i, kernel, size, expected);
  }
  if (driver.funcGetParamInfo(function, step.numArgs, &offset, &size) ==
      Success)
    return fail(OG_DATA_LOSS,
                "plan '%s': kernel '%s' has more parameters than the %u that "
                "its launch passes",
                plan.name(), kernel, step.numArgs);
  return OG_OK;
}

og_status checkLaunches(const og_plan &plan, const Program &program,
                        const Driver &driver, const PreparedDevice &prepared) {
  if (!driver.funcGetParamInfo)
    return OG_OK;
  for (const StepPlan &step : program.steps) {
    if (step.kernel < 0)
      continue;
    const char *name =
        prepared.variant->kernels()->Get(step.kernel)->name()->c_str();
    if (og_status status =
            checkParameters(plan, program, driver, step,
                            functionsOf(*prepared.module)[step.kernel], name))
      return status;
  }
  return OG_OK;
}

/// What launches read, taken out of the file's tables.
void resolveKernels(PreparedDevice &prepared) {
  const std::vector<Function> &functions = functionsOf(*prepared.module);
  for (size_t i = 0; i < functions.size(); ++i) {
    const fb::Kernel &kernel = *prepared.variant->kernels()->Get(i);
    const uint32_t *cluster = kernel.cluster()->data();
    bool hasCluster = cluster[0] * cluster[1] * cluster[2] > 1;
    prepared.kernels.push_back({functions[i],
                                kernel.threads(),
                                {cluster[0], cluster[1], cluster[2]},
                                kernel.dynamic_shared(),
                                hasCluster});
  }
}

og_status loadCudnn(const og_plan &plan, const Program &program,
                    const Driver &driver, PreparedDevice &prepared) {
  if (program.cudnn.empty())
    return OG_OK;
  RelaxedCapture relaxed(driver);
  ContextScope scope(driver, prepared.device->context);
  if (scope.result())
    return failCuda(driver, scope.result(), "plan '%s': CUDA device %d",
                    plan.name(), prepared.device->ordinal);
  return cudnn::prepareSteps(plan, program.cudnn, *prepared.device,
                             prepared.cudnn);
}

og_status load(const og_plan &plan, const Program &program,
               const Driver &driver, PreparedDevice &prepared) {
  if (!program.maps.empty() && !driver.tensorMapEncodeTiled)
    return fail(OG_UNSUPPORTED,
                "plan '%s' has tensor maps, which the CUDA driver %d.%d does "
                "not encode: expected at least 12.0",
                plan.name(), driver.version / 1000, driver.version % 1000 / 10);
  if (length(plan.body->device_variants()) == 0)
    return OG_OK;
  Choice choice;
  if (og_status status = choose(plan, driver, *prepared.device, choice))
    return status;
  prepared.variant = choice.variant;
  prepared.usedPtx = choice.usePtx;
  RelaxedCapture relaxed(driver);
  ContextScope scope(driver, prepared.device->context);
  if (scope.result())
    return failCuda(driver, scope.result(), "plan '%s': CUDA device %d",
                    plan.name(), prepared.device->ordinal);
  if (og_status status =
          acquireModule(driver, *prepared.device, *choice.variant,
                        choice.usePtx, plan.name(), &prepared.module))
    return status;
  resolveKernels(prepared);
  return checkLaunches(plan, program, driver, prepared);
}

} // namespace

og_status opgraph::runtime::cuda::prepareDevice(const og_plan &plan,
                                                Program &program,
                                                const Driver &driver,
                                                int ordinal,
                                                const PreparedDevice **out) {
  const DeviceState *device = nullptr;
  if (og_status status = getDevice(driver, ordinal, &device))
    return status;
  std::atomic<PreparedDevice *> &slot = program.prepared[ordinal];
  std::lock_guard<std::mutex> lock(program.mutex);
  if (PreparedDevice *present = slot.load(std::memory_order_acquire)) {
    *out = present;
    return OG_OK;
  }
  auto prepared = std::make_unique<PreparedDevice>();
  prepared->device = device;
  og_status status = load(plan, program, driver, *prepared);
  if (status == OG_OK)
    status = loadCudnn(plan, program, driver, *prepared);
  if (status) {
    releaseModule(prepared->module);
    return status;
  }
  logf(OG_LOG_DEBUG, "prepared plan '%s' for CUDA device %d: %s%s", plan.name(),
       ordinal,
       prepared->variant ? prepared->variant->target()->c_str() : "no code",
       prepared->usedPtx ? " (PTX, compiled by the driver)" : "");
  const PreparedDevice *done = prepared.get();
  slot.store(prepared.release(), std::memory_order_release);
  *out = done;
  return OG_OK;
}

og_status opgraph::runtime::prepareCuda(const og_plan &plan, og_device device) {
  if (device.type != OG_DEVICE_CUDA)
    return fail(OG_UNSUPPORTED,
                "plan '%s' runs on a CUDA device (type %d), not on device type "
                "%d id %d",
                plan.name(), OG_DEVICE_CUDA, device.type, device.id);
  return guarded([&] {
    const Driver *driver = nullptr;
    if (og_status status = getDriver(&driver))
      return status;
    const PreparedDevice *prepared = nullptr;
    return prepareDevice(plan, *plan.program, *driver, device.id, &prepared);
  });
}

const char *opgraph::runtime::cudaVariantName(const og_plan &plan) {
  for (const std::atomic<PreparedDevice *> &slot : plan.program->prepared)
    if (const PreparedDevice *device = slot.load(std::memory_order_acquire))
      return device->variant ? device->variant->target()->c_str() : "";
  return "";
}

void opgraph::runtime::ProgramDeleter::operator()(cuda::Program *p) const {
  delete p;
}

void opgraph::runtime::loadProgram(og_plan &plan) {
  plan.program.reset(makeProgram(plan).release());
}
