//===- Devices.h - CUDA devices and their primary contexts ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef OPGRAPH_RUNTIME_CUDA_DEVICES_H
#define OPGRAPH_RUNTIME_CUDA_DEVICES_H

#include "runtime/Cuda/Driver.h"

namespace opgraph::runtime::cuda {

/// Ordinals that a process can use.
inline constexpr int maxDevices = 64;

/// A device in use. Its primary context is retained for as long as the process
/// lives, as frameworks do.
struct DeviceState {
  int ordinal = 0;
  Context context = nullptr;
  /// Compute capability, major * 10 + minor.
  int capability = 0;
  int maxShared = 0;
};

/// The device with this ordinal; the first call makes its context.
/// OG_UNSUPPORTED when there is no such ordinal.
og_status getDevice(const Driver &driver, int ordinal, const DeviceState **out);

/// Makes a context current while it lives; the caller's is restored after.
class ContextScope {
public:
  ContextScope(const Driver &driver, Context context);
  ~ContextScope();
  ContextScope(const ContextScope &) = delete;
  ContextScope &operator=(const ContextScope &) = delete;

  /// The driver's code of a push that failed.
  int result() const { return code; }

private:
  const Driver &driver;
  bool pushed = false;
  int code = 0;
};

/// Lets this thread do what a capture in another mode forbids (load a module)
/// while it lives.
class RelaxedCapture {
public:
  explicit RelaxedCapture(const Driver &driver) : driver(driver) {
    driver.exchangeCaptureMode(&mode);
  }
  ~RelaxedCapture() { driver.exchangeCaptureMode(&mode); }
  RelaxedCapture(const RelaxedCapture &) = delete;
  RelaxedCapture &operator=(const RelaxedCapture &) = delete;

private:
  const Driver &driver;
  int mode = CaptureRelaxed;
};

} // namespace opgraph::runtime::cuda

#endif // OPGRAPH_RUNTIME_CUDA_DEVICES_H
