//===- ModuleCache.cpp - Loaded device code, once per process -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/Cuda/ModuleCache.h"

#include "runtime/Error.h"
#include "runtime/PlanFormat.h"
#include "runtime/plan_generated.h"

#include <list>
#include <map>
#include <mutex>
#include <string>

using namespace opgraph::runtime;
using namespace opgraph::runtime::cuda;
namespace fb = opgraph::planfile::fb;

namespace {

/// What code is: the device, the bytes' digest, and the kernels' names, in
/// order. A digest of 128 bits stands for the bytes.
struct Key {
  int ordinal;
  uint64_t low, high;
  std::string kernels;

  bool operator<(const Key &other) const {
    return std::tie(ordinal, low, high, kernels) <
           std::tie(other.ordinal, other.low, other.high, other.kernels);
  }
};

using Modules = std::map<Key, LoadedModule>;

} // namespace

struct opgraph::runtime::cuda::LoadedModule {
  Context context = nullptr;
  Module module = nullptr;
  std::vector<Function> functions;
  int users = 0;
  Modules::iterator self;
  std::list<LoadedModule *>::iterator idle;
};

namespace {

struct Cache {
  std::mutex mutex;
  Modules modules;
  /// Without users, the one given back last at the end.
  std::list<LoadedModule *> idle;
};

Cache &cache() {
  // Never destroyed: the driver may be gone when static destructors run.
  static Cache *instance = new Cache;
  return *instance;
}

/// What the driver loads.
struct Image {
  const void *data;
  size_t size;
};

Image imageOf(const fb::DeviceVariant &variant, bool usePtx) {
  if (usePtx)
    return {variant.ptx()->c_str(), variant.ptx()->size() + 1};
  return {variant.cubin()->data(), variant.cubin()->size()};
}

Key makeKey(const DeviceState &device, const fb::DeviceVariant &variant,
            const Image &image) {
  XXH128_hash_t hash = XXH3_128bits(image.data, image.size);
  Key key{device.ordinal, hash.low64, hash.high64, {}};
  for (const fb::Kernel *kernel : *variant.kernels())
    key.kernels += kernel->name()->str() + ",";
  return key;
}

/// Sets what a kernel needs beyond the defaults.
og_status setUpFunction(const Driver &driver, const DeviceState &device,
                        const fb::Kernel &kernel, Function function,
                        const char *planName) {
  const char *name = kernel.name()->c_str();
  int threads = 0, fixedShared = 0;
  // Also makes a lazy driver load the code now.
  int result =
      driver.funcGetAttribute(&threads, FunctionMaxThreadsPerBlock, function);
  if (!result)
    result =
        driver.funcGetAttribute(&fixedShared, FunctionSharedSize, function);
  if (result)
    return failCuda(driver, result, "plan '%s': kernel '%s'", planName, name);
  if (kernel.threads() > unsigned(threads))
    return fail(OG_UNSUPPORTED,
                "plan '%s': kernel '%s' needs blocks of %u threads, device %d "
                "runs it with at most %d",
                planName, name, kernel.threads(), device.ordinal, threads);
  int64_t shared = int64_t(kernel.dynamic_shared()) + fixedShared;
  if (shared > device.maxShared)
    return fail(OG_UNSUPPORTED,
                "plan '%s': kernel '%s' needs %lld bytes of shared memory, "
                "device %d has %d",
                planName, name, static_cast<long long>(shared), device.ordinal,
                device.maxShared);
  if (kernel.dynamic_shared())
    result = driver.funcSetAttribute(function, FunctionMaxDynamicShared,
                                     int(kernel.dynamic_shared()));
  unsigned cluster = 1;
  for (uint32_t extent : *kernel.cluster())
    cluster *= extent;
  if (!result && cluster > 8)
    result = driver.funcSetAttribute(function, FunctionNonPortableCluster, 1);
  if (result)
    return failCuda(driver, result, "plan '%s': kernel '%s'", planName, name);
  return OG_OK;
}

og_status loadImage(const Driver &driver, const DeviceState &device,
                    const fb::DeviceVariant &variant, const Image &image,
                    const char *planName, Module *module) {
  char log[2048] = "";
  int options[] = {JitErrorLogBuffer, JitErrorLogBufferSize};
  void *values[] = {log, reinterpret_cast<void *>(sizeof(log))};
  int result = driver.moduleLoadDataEx(module, image.data, 2, options, values);
  if (!result)
    return OG_OK;
  log[sizeof(log) - 1] = 0;
  return failCuda(driver, result,
                  "plan '%s': cannot load its code for %s (%zu bytes) into "
                  "CUDA device %d (sm_%d)%s%.400s",
                  planName, variant.target()->c_str(), image.size,
                  device.ordinal, device.capability, *log ? ": " : "", log);
}

og_status load(const Driver &driver, const DeviceState &device,
               const fb::DeviceVariant &variant, const Image &image,
               const char *planName, LoadedModule &loaded) {
  loaded.context = device.context;
  if (og_status status =
          loadImage(driver, device, variant, image, planName, &loaded.module))
    return status;
  for (const fb::Kernel *kernel : *variant.kernels()) {
    Function function = nullptr;
    if (int result = driver.moduleGetFunction(&function, loaded.module,
                                              kernel->name()->c_str()))
      return failCuda(driver, result, "plan '%s': its code has no kernel '%s'",
                      planName, kernel->name()->c_str());
    if (og_status status =
            setUpFunction(driver, device, *kernel, function, planName))
      return status;
    loaded.functions.push_back(function);
  }
  return OG_OK;
}

/// Drops the modules that have been idle for longest. Their kernels have ended,
/// or the driver waits for them.
void trim(const Driver &driver, Cache &all) {
  while (all.idle.size() > maxIdleModules) {
    LoadedModule *oldest = all.idle.front();
    all.idle.pop_front();
    ContextScope scope(driver, oldest->context);
    driver.moduleUnload(oldest->module);
    all.modules.erase(oldest->self);
  }
}

} // namespace

og_status opgraph::runtime::cuda::acquireModule(
    const Driver &driver, const DeviceState &device,
    const fb::DeviceVariant &variant, bool usePtx, const char *planName,
    LoadedModule **out) {
  Image image = imageOf(variant, usePtx);
  Key key = makeKey(device, variant, image);
  Cache &all = cache();
  std::lock_guard<std::mutex> lock(all.mutex);
  auto [entry, isNew] = all.modules.try_emplace(std::move(key));
  LoadedModule &module = entry->second;
  if (isNew) {
    module.self = entry;
    if (og_status status =
            load(driver, device, variant, image, planName, module)) {
      if (module.module)
        driver.moduleUnload(module.module);
      all.modules.erase(entry);
      return status;
    }
  } else if (module.users == 0) {
    all.idle.erase(module.idle);
  }
  ++module.users;
  trim(driver, all);
  *out = &module;
  return OG_OK;
}

void opgraph::runtime::cuda::releaseModule(LoadedModule *module) {
  if (!module)
    return;
  Cache &all = cache();
  std::lock_guard<std::mutex> lock(all.mutex);
  if (--module->users == 0)
    module->idle = all.idle.insert(all.idle.end(), module);
}

const std::vector<Function> &
opgraph::runtime::cuda::functionsOf(const LoadedModule &module) {
  return module.functions;
}

size_t opgraph::runtime::cuda::numLoadedModules() {
  Cache &all = cache();
  std::lock_guard<std::mutex> lock(all.mutex);
  return all.modules.size();
}
