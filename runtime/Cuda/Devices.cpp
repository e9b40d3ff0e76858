//===- Devices.cpp - CUDA devices and their primary contexts --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/Cuda/Devices.h"

#include "opgraph-c/runtime.h"
#include "runtime/Error.h"

#include <atomic>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <string>

using namespace opgraph::runtime;
using namespace opgraph::runtime::cuda;

static std::atomic<DeviceState *> devices[maxDevices];

/// Retains the primary context of a device that no call has used yet.
static og_status openDevice(const Driver &driver, int ordinal,
                            DeviceState &state) {
  Device device;
  if (int result = driver.deviceGet(&device, ordinal))
    return failCuda(driver, result, "CUDA device %d", ordinal);
  int major = 0, minor = 0;
  driver.deviceGetAttribute(&major, DeviceComputeMajor, device);
  driver.deviceGetAttribute(&minor, DeviceComputeMinor, device);
  driver.deviceGetAttribute(&state.maxShared, DeviceMaxSharedPerBlockOptin,
                            device);
  state.ordinal = ordinal;
  state.capability = major * 10 + minor;
  RelaxedCapture relaxed(driver);
  if (int result = driver.primaryCtxRetain(&state.context, device))
    return failCuda(driver, result, "cannot use the context of CUDA device %d",
                    ordinal);
  return OG_OK;
}

og_status opgraph::runtime::cuda::getDevice(const Driver &driver, int ordinal,
                                            const DeviceState **out) {
  if (ordinal < 0 || ordinal >= driver.deviceCount || ordinal >= maxDevices)
    return fail(OG_UNSUPPORTED, "there is no CUDA device %d: the driver has %d",
                ordinal, driver.deviceCount);
  std::atomic<DeviceState *> &slot = devices[ordinal];
  *out = slot.load(std::memory_order_acquire);
  if (*out)
    return OG_OK;
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  *out = slot.load(std::memory_order_acquire);
  if (*out)
    return OG_OK;
  DeviceState opened;
  if (og_status status = openDevice(driver, ordinal, opened))
    return status;
  auto *state = new DeviceState(opened);
  slot.store(state, std::memory_order_release);
  *out = state;
  return OG_OK;
}

ContextScope::ContextScope(const Driver &driver, Context context)
    : driver(driver) {
  Context current = nullptr;
  if (driver.ctxGetCurrent(&current) == Success && current == context)
    return;
  code = driver.ctxPushCurrent(context);
  pushed = code == Success;
}

ContextScope::~ContextScope() {
  Context popped;
  if (pushed)
    driver.ctxPopCurrent(&popped);
}

//===----------------------------------------------------------------------===//
// What a device says of itself
//===----------------------------------------------------------------------===//

namespace {

/// A field of a device's description and the attribute that it is.
struct Field {
  const char *key;
  int attribute;
};

const Field fields[] = {
    {"regsPerBlock", DeviceMaxRegistersPerBlock},
    {"multiProcessorCount", DeviceMultiprocessorCount},
    {"warpSize", DeviceWarpSize},
    {"maxSharedMemoryPerBlock", DeviceMaxSharedPerBlock},
    {"maxSharedMemoryPerBlockOptin", DeviceMaxSharedPerBlockOptin},
    {"reservedSharedMemoryPerBlock", DeviceReservedSharedPerBlock},
    {"maxRegistersPerSM", DeviceMaxRegistersPerSm},
    {"maxCtasPerSM", DeviceMaxBlocksPerSm},
    {"maxThreadsPerBlock", DeviceMaxThreadsPerBlock},
    {"maxThreadsPerSM", DeviceMaxThreadsPerSm},
    {"pciDeviceId", DevicePciDeviceId},
    {"isTccDriver", DeviceTccDriver},
    {"supportCoopLaunch", DeviceCooperativeLaunch},
    {"smClockRateKHz", DeviceClockRate},
    {"memClockRateKHz", DeviceMemoryClockRate},
    {"memoryBusWidth", DeviceMemoryBusWidth},
    {"l2CacheSize", DeviceL2CacheSize}};

/// Text of bounded length, that counts what it would have held.
class TextBuffer {
public:
  TextBuffer(char *text, size_t capacity) : text(text), capacity(capacity) {}

  [[gnu::format(printf, 2, 3)]] void add(const char *format, ...) {
    va_list args;
    va_start(args, format);
    bool fits = length < capacity;
    int added = std::vsnprintf(fits ? text + length : nullptr,
                               fits ? capacity - length : 0, format, args);
    va_end(args);
    length += added > 0 ? added : 0;
  }

  size_t length = 0;

private:
  char *text;
  size_t capacity;
};

int attributeOf(const Driver &driver, Device device, int attribute) {
  int value = 0;
  driver.deviceGetAttribute(&value, attribute, device);
  return value;
}

void writeDescription(const Driver &driver, Device device, int ordinal,
                      TextBuffer &out) {
  auto get = [&](int attribute) {
    return attributeOf(driver, device, attribute);
  };
  out.add("{\"maxGridSize\":[%d,%d,%d],\"maxBlockSize\":[%d,%d,%d]",
          get(DeviceMaxGridDimX), get(DeviceMaxGridDimY),
          get(DeviceMaxGridDimZ), get(DeviceMaxBlockDimX),
          get(DeviceMaxBlockDimY), get(DeviceMaxBlockDimZ));
  for (const Field &field : fields)
    out.add(",\"%s\":%d", field.key, get(field.attribute));
  size_t memory = 0;
  driver.deviceTotalMem(&memory, device);
  int version = get(DeviceComputeMajor) * 100 + get(DeviceComputeMinor) * 10;
  out.add(",\"totalGlobalMem\":%zu,\"cudaDeviceId\":%d,\"deviceVer\":%d,"
          "\"driverVer\":%d,\"deviceName\":\"",
          memory, ordinal, version, driver.version);
  char name[128] = "";
  driver.deviceGetName(name, sizeof(name), device);
  for (const char *c = name; *c; ++c)
    if (*c >= ' ' && *c != '"' && *c != '\\')
      out.add("%c", *c);
  out.add("\"}");
}

/// Made once: the driver takes a millisecond to tell some of it.
const std::string &describe(const Driver &driver, Device device, int ordinal) {
  static std::mutex mutex;
  static auto *known = new std::map<int, std::string>;
  std::lock_guard<std::mutex> lock(mutex);
  std::string &text = (*known)[ordinal];
  if (!text.empty())
    return text;
  TextBuffer measured(nullptr, 0);
  writeDescription(driver, device, ordinal, measured);
  text.resize(measured.length);
  // std::string has room for the terminator.
  TextBuffer buffer(text.data(), text.size() + 1);
  writeDescription(driver, device, ordinal, buffer);
  return text;
}

} // namespace

extern "C" {

og_status og_cuda_device_count(int32_t *count) {
  if (!count)
    return fail(OG_INVALID_ARGUMENT, "og_cuda_device_count: count is null");
  *count = 0;
  return guarded([&] {
    const Driver *driver = nullptr;
    if (og_status status = getDriver(&driver))
      return status;
    *count = driver->deviceCount;
    return OG_OK;
  });
}

og_status og_cuda_driver_version(int32_t *version) {
  if (!version)
    return fail(OG_INVALID_ARGUMENT, "og_cuda_driver_version: version is null");
  *version = 0;
  return guarded([&] {
    const Driver *driver = nullptr;
    if (og_status status = getDriver(&driver))
      return status;
    *version = driver->version;
    return OG_OK;
  });
}

og_status og_cuda_describe(int32_t ordinal, char *text, size_t capacity,
                           size_t *length) {
  if (!length || (!text && capacity))
    return fail(OG_INVALID_ARGUMENT, "og_cuda_describe: %s is null",
                length ? "text" : "length");
  *length = 0;
  return guarded([&] {
    const Driver *driver = nullptr;
    if (og_status status = getDriver(&driver))
      return status;
    Device device;
    if (ordinal < 0 || ordinal >= driver->deviceCount ||
        driver->deviceGet(&device, ordinal) != Success)
      return fail(OG_UNSUPPORTED,
                  "there is no CUDA device %d: the driver has %d", ordinal,
                  driver->deviceCount);
    const std::string &described = describe(*driver, device, ordinal);
    if (capacity)
      std::snprintf(text, capacity, "%s", described.c_str());
    *length = described.size();
    return OG_OK;
  });
}
}
