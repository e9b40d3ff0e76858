//===- Driver.cpp - The CUDA driver, opened at run time -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/Cuda/Driver.h"

#include "runtime/Error.h"
#include "runtime/Log.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <mutex>

using namespace opgraph::runtime;
using namespace opgraph::runtime::cuda;

namespace {

/// What opening the driver came to: told again to every later caller.
struct Opened {
  Driver driver;
  og_status status = OG_OK;
  char text[512] = "";
};

[[gnu::format(printf, 3, 4)]] void refuse(Opened &opened, og_status status,
                                          const char *format, ...) {
  va_list args;
  va_start(args, format);
  std::vsnprintf(opened.text, sizeof(opened.text), format, args);
  va_end(args);
  opened.status = status;
}

const char *nameOf(const Driver &driver, int result) {
  const char *name = nullptr;
  if (driver.getErrorName && driver.getErrorName(result, &name) == Success &&
      name)
    return name;
  return "CUDA error";
}

/// Fills the table; the name of the first function that is missing, or null.
const char *lookUp(void *library, Driver &driver) {
#define OPGRAPH_LOOK_UP(field, name, ...)                                      \
  driver.field = reinterpret_cast<decltype(driver.field)>(dlsym(library, name));
  OPGRAPH_CUDA_FUNCTIONS(OPGRAPH_LOOK_UP)
  OPGRAPH_CUDA_OPTIONAL_FUNCTIONS(OPGRAPH_LOOK_UP)
#undef OPGRAPH_LOOK_UP
#define OPGRAPH_CHECK(field, name, ...)                                        \
  if (!driver.field)                                                           \
    return name;
  OPGRAPH_CUDA_FUNCTIONS(OPGRAPH_CHECK)
#undef OPGRAPH_CHECK
  return nullptr;
}

void open(Opened &opened) {
  const char *path = std::getenv("OPGRAPH_LIBCUDA");
  path = path && *path ? path : "libcuda.so.1";
  // Never closed: contexts and modules live as long as the process.
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return refuse(opened, OG_LIBRARY_MISSING,
                  "no CUDA driver: cannot open '%s': %s", path, dlerror());
  Driver &driver = opened.driver;
  const char *missing = lookUp(library, driver);
  if (driver.driverGetVersion)
    driver.driverGetVersion(&driver.version);
  int major = driver.version / 1000, minor = driver.version % 1000 / 10;
  if (missing || driver.version < minDriverVersion)
    return refuse(opened, OG_UNSUPPORTED,
                  "the CUDA driver is of version %d.%d, expected at least "
                  "%d.%d%s%s",
                  major, minor, minDriverVersion / 1000,
                  minDriverVersion % 1000 / 10, missing ? ", with " : "",
                  missing ? missing : "");
  if (int result = driver.init(0)) {
    if (result == ErrorNoDevice)
      return refuse(opened, OG_UNAVAILABLE,
                    "the CUDA driver %d.%d finds no device", major, minor);
    return refuse(opened, OG_UNAVAILABLE,
                  "the CUDA driver %d.%d does not start: %s (%d)", major, minor,
                  nameOf(driver, result), result);
  }
  if (driver.deviceGetCount(&driver.deviceCount) != Success ||
      driver.deviceCount < 1)
    return refuse(opened, OG_UNAVAILABLE,
                  "the CUDA driver %d.%d finds no device", major, minor);
  logf(OG_LOG_DEBUG, "opened '%s': driver %d.%d, %d devices", path, major,
       minor, driver.deviceCount);
}

Opened &instance() {
  // Never destroyed: threads may execute while the process ends.
  static Opened *opened = new Opened;
  return *opened;
}

} // namespace

og_status opgraph::runtime::cuda::getDriver(const Driver **out) {
  Opened &opened = instance();
  static std::once_flag once;
  std::call_once(once, [&] { open(opened); });
  if (opened.status)
    return fail(opened.status, "%s", opened.text);
  *out = &opened.driver;
  return OG_OK;
}

const Driver &opgraph::runtime::cuda::openedDriver() {
  return instance().driver;
}

og_status opgraph::runtime::cuda::statusOf(int result) {
  switch (result) {
  case Success:
    return OG_OK;
  case ErrorOutOfMemory:
  case ErrorLaunchOutOfResources:
    return OG_RESOURCE;
  case ErrorInvalidImage:
  case ErrorNoBinaryForGpu:
  case ErrorInvalidPtx:
  case ErrorUnsupportedPtxVersion:
  case ErrorJitCompilerNotFound:
    return OG_UNSUPPORTED;
  case ErrorInvalidValue:
  case ErrorInvalidHandle:
  case ErrorNotFound:
    return OG_INTERNAL;
  default:
    // Faults of kernels are sticky: the context is of no use any more.
    return OG_UNAVAILABLE;
  }
}

const char *opgraph::runtime::cuda::faultHint(int result) {
  // Faults are told late, by whatever comes next.
  if (statusOf(result) != OG_UNAVAILABLE)
    return "";
  return "; the fault may be of work before it (OPGRAPH_DEBUG_SYNC=1 tells the "
         "kernel)";
}

og_status opgraph::runtime::cuda::failCuda(const Driver &driver, int result,
                                           const char *what, ...) {
  char text[768];
  va_list args;
  va_start(args, what);
  std::vsnprintf(text, sizeof(text), what, args);
  va_end(args);
  const char *meaning = nullptr;
  if (driver.getErrorString(result, &meaning) != Success || !meaning)
    meaning = "unknown error";
  return fail(statusOf(result), "%s: %s (%d): %s", text, nameOf(driver, result),
              result, meaning);
}
