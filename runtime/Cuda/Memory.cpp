//===- Memory.cpp - Memory of devices, for tools --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "opgraph-c/device.h"
#include "opgraph-c/runtime.h"
#include "runtime/Cuda/Devices.h"
#include "runtime/Error.h"

#include <cstdlib>
#include <cstring>

using namespace opgraph::runtime;
using namespace opgraph::runtime::cuda;

namespace {

DevicePtr addressOf(const void *memory) {
  return reinterpret_cast<uintptr_t>(memory);
}

/// Runs `body(driver)`, which returns a driver's code, in the device's primary
/// context.
template <typename Body>
og_status onCuda(const char *function, og_device device, Body &&body) {
  return guarded([&] {
    if (device.type != OG_DEVICE_CUDA)
      return fail(OG_UNSUPPORTED,
                  "%s: device type %d, expected the host (%d) or CUDA (%d)",
                  function, device.type, OG_DEVICE_HOST, OG_DEVICE_CUDA);
    const Driver *driver = nullptr;
    const DeviceState *state = nullptr;
    if (og_status status = getDriver(&driver))
      return status;
    if (og_status status = getDevice(*driver, device.id, &state))
      return status;
    ContextScope scope(*driver, state->context);
    int result = scope.result() ? scope.result() : body(*driver);
    if (result)
      return failCuda(*driver, result, "%s: CUDA device %d", function,
                      device.id);
    return OG_OK;
  });
}

bool isHost(og_device device) {
  return device.type == OG_DEVICE_HOST && device.id == 0;
}

} // namespace

extern "C" {

og_status og_device_alloc(og_device device, size_t bytes, void **out) {
  if (!out)
    return fail(OG_INVALID_ARGUMENT, "og_device_alloc: out is null");
  *out = nullptr;
  if (bytes == 0)
    return OG_OK;
  if (isHost(device)) {
    if (posix_memalign(out, OG_DEVICE_WORKSPACE_ALIGNMENT, bytes) == 0)
      return OG_OK;
    *out = nullptr;
    return fail(OG_OUT_OF_MEMORY, "og_device_alloc: no %zu bytes of memory",
                bytes);
  }
  return onCuda("og_device_alloc", device, [&](const Driver &driver) {
    DevicePtr memory = 0;
    int result = driver.memAlloc(&memory, bytes);
    *out = reinterpret_cast<void *>(memory);
    return result;
  });
}

og_status og_device_free(og_device device, void *memory) {
  if (!memory)
    return OG_OK;
  if (isHost(device)) {
    std::free(memory);
    return OG_OK;
  }
  return onCuda("og_device_free", device, [&](const Driver &driver) {
    return driver.memFree(addressOf(memory));
  });
}

og_status og_device_upload(og_device device, void *to, const void *from,
                           size_t bytes) {
  if (bytes == 0)
    return OG_OK;
  if (!to || !from)
    return fail(OG_INVALID_ARGUMENT, "og_device_upload: %s is null",
                to ? "from" : "to");
  if (isHost(device)) {
    std::memcpy(to, from, bytes);
    return OG_OK;
  }
  return onCuda("og_device_upload", device, [&](const Driver &driver) {
    return driver.memcpyHtoD(addressOf(to), from, bytes);
  });
}

og_status og_device_download(og_device device, void *to, const void *from,
                             size_t bytes) {
  if (bytes == 0)
    return OG_OK;
  if (!to || !from)
    return fail(OG_INVALID_ARGUMENT, "og_device_download: %s is null",
                to ? "from" : "to");
  if (isHost(device)) {
    std::memcpy(to, from, bytes);
    return OG_OK;
  }
  return onCuda("og_device_download", device, [&](const Driver &driver) {
    return driver.memcpyDtoH(to, addressOf(from), bytes);
  });
}

og_status og_device_synchronize(og_device device) {
  if (isHost(device))
    return OG_OK;
  return onCuda("og_device_synchronize", device,
                [](const Driver &driver) { return driver.ctxSynchronize(); });
}
}
