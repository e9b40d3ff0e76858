//===- ModuleCache.h - Loaded device code, once per process -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef OPGRAPH_RUNTIME_CUDA_MODULECACHE_H
#define OPGRAPH_RUNTIME_CUDA_MODULECACHE_H

#include "runtime/Cuda/Devices.h"

#include <vector>

namespace opgraph::planfile::fb {
struct DeviceVariant;
} // namespace opgraph::planfile::fb

namespace opgraph::runtime::cuda {

/// Code that is loaded in one device's context.
struct LoadedModule;

/// How many modules that no plan uses stay loaded, for the next plan with the
/// same code.
inline constexpr size_t maxIdleModules = 256;

/// Loads the cubin of a variant, or its PTX where `usePtx`; code that is loaded
/// already (by its digest) is shared. Thread-safe; one load per code.
/// `planName` is for error texts. The context is current.
og_status acquireModule(const Driver &driver, const DeviceState &device,
                        const planfile::fb::DeviceVariant &variant, bool usePtx,
                        const char *planName, LoadedModule **out);

/// Gives a module back. Null is ignored.
void releaseModule(LoadedModule *module);

/// The functions, in the order of the variant's kernels.
const std::vector<Function> &functionsOf(const LoadedModule &module);

/// Modules that are loaded now, in use or not.
size_t numLoadedModules();

} // namespace opgraph::runtime::cuda

#endif // OPGRAPH_RUNTIME_CUDA_MODULECACHE_H
