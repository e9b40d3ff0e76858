//===- Targets.h - What a graph is to be planned for ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_LIB_COMPILER_TARGETS_H
#define OPGRAPH_LIB_COMPILER_TARGETS_H

#include "opgraph-c/compiler.h"
#include "passes/Planning/Target.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace opgraph::tile {
enum class Target : uint32_t;
} // namespace opgraph::tile

namespace opgraph::lib {

/// The target that the options name, else OPGRAPH_DEVICE, else the first CUDA
/// device where there is one, which `isDefault` tells, else the host. A device
/// of this machine is described by its driver.
og_status readTarget(const og_plan_options &options, planning::Target &target,
                     bool &isDefault);

/// The host with as many workers as the options allow.
planning::Target makeHostTarget(const og_plan_options &options);

/// What kernels are compiled for: sm_90a for a target called
/// "sm_90:NVIDIA_H200".
std::optional<tile::Target> findTileTarget(llvm::StringRef name);

} // namespace opgraph::lib

#endif // OPGRAPH_LIB_COMPILER_TARGETS_H
