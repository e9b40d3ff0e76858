//===- Target.cpp - Which device runs which code --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/Cuda/Target.h"

#include "opgraph-c/device.h"

#include <cstring>

using namespace opgraph::runtime::cuda;

bool opgraph::runtime::cuda::parseCodeTarget(const char *name,
                                             CodeTarget &target) {
  if (std::strncmp(name, "sm_", 3) != 0)
    return false;
  name += 3;
  int number = 0, digits = 0;
  for (; *name >= '0' && *name <= '9' && digits < 4; ++name, ++digits)
    number = number * 10 + (*name - '0');
  target = {number, *name};
  if (digits < 2 || (*name && *name != 'a' && *name != 'f'))
    return false;
  return !*name || !name[1];
}

/// Devices of one major version are binary compatible upwards.
static bool inFamily(const CodeTarget &target, int capability) {
  return capability / 10 == target.capability / 10 &&
         capability >= target.capability;
}

bool opgraph::runtime::cuda::runsCubin(const CodeTarget &target,
                                       int capability) {
  if (target.suffix == 'a')
    return capability == target.capability;
  return inFamily(target, capability);
}

bool opgraph::runtime::cuda::runsPtx(const CodeTarget &target, int capability) {
  if (target.suffix == 'a')
    return capability == target.capability;
  if (target.suffix == 'f')
    return inFamily(target, capability);
  return capability >= target.capability;
}

int opgraph::runtime::cuda::newestPtx(int version) {
  // CUDA 12.0 to 12.5 came with PTX 8.0 to 8.5 and then skipped one number.
  int major = version / 1000, minor = version % 1000 / 10;
  if (major >= 13)
    return (major - 13) * 10 + 90 + minor;
  if (major == 12)
    return 80 + (minor <= 5 ? minor : minor - 1);
  return 70 + minor;
}

int32_t og_cuda_newest_ptx(int32_t driverVersion) {
  return newestPtx(driverVersion);
}
