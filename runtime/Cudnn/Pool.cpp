//===- Pool.cpp - Handles and variant packs of a device -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/Cudnn/Pool.h"

#include "runtime/Cuda/Devices.h"

#include <memory>
#include <mutex>
#include <sched.h>

using namespace opgraph::runtime;
using namespace opgraph::runtime::cudnn;

og_status StatePool::fill(const Library &library, int ordinal) {
  for (uint32_t i = 0; i < size; ++i) {
    ExecutionState &state = states[i];
    if (int code = library.create(&state.handle))
      return failCudnn(library, code,
                       "cuDNN %s does not start on CUDA device %d",
                       versionText(library.version).c_str(), ordinal);
    if (int code = library.createDescriptor(KIND_VARIANT_PACK, &state.pack)) {
      library.destroy(state.handle);
      return failCudnn(library, code, "cuDNN %s has no variant pack",
                       versionText(library.version).c_str());
    }
    free.fetch_or(1u << i, std::memory_order_release);
  }
  return OG_OK;
}

og_status StatePool::get(const Library &library, int ordinal, StatePool **out) {
  static std::atomic<StatePool *> pools[cuda::maxDevices];
  std::atomic<StatePool *> &slot = pools[ordinal];
  *out = slot.load(std::memory_order_acquire);
  if (*out)
    return OG_OK;
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  *out = slot.load(std::memory_order_acquire);
  if (*out)
    return OG_OK;
  auto pool = std::make_unique<StatePool>();
  if (og_status status = pool->fill(library, ordinal))
    return status;
  *out = pool.release();
  slot.store(*out, std::memory_order_release);
  return OG_OK;
}

ExecutionState &StatePool::acquire(uint32_t &index) {
  for (;;) {
    uint32_t mask = free.load(std::memory_order_relaxed);
    if (mask == 0) {
      sched_yield();
      continue;
    }
    index = uint32_t(__builtin_ctz(mask));
    if (free.compare_exchange_weak(mask, mask & ~(1u << index),
                                   std::memory_order_acquire,
                                   std::memory_order_relaxed))
      return states[index];
  }
}
