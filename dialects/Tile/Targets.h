//===- Targets.h - What the GPUs that kernels claim can do ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_DIALECTS_TILE_TARGETS_H
#define OPGRAPH_DIALECTS_TILE_TARGETS_H

#include "llvm/ADT/BitmaskEnum.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace opgraph::tile {

enum class Target : uint32_t;

/// What an op may need of a target; bits of a FeatureSet.
enum Feature : uint32_t {
  StMatrix = 1,
  Tma = 2,
  Cluster = 4,
  ExpectBytes = 8,
  Elect = 16,
  SetMaxRegisters = 32,
  Wgmma = 64,
  Fp8Mma = 128,
  Fp8Convert = 256,
  DependentLaunch = 512
};
using FeatureSet = uint32_t;

/// The name of one feature, as diagnostics print it.
llvm::StringRef getFeatureName(Feature feature);

struct TargetInfo {
  Target target;
  llvm::StringLiteral cpu; ///< "sm_90a"
  FeatureSet features;
  int32_t sharedBytesPerCta; ///< opt-in maximum
  int32_t sharedBytesPerSm;
  int32_t registersPerSm;
  int32_t maxWarpsPerSm;
  int32_t maxClusterSize; ///< 1: none
  int32_t leastPtx;       ///< 80 = PTX 8.0
};

const TargetInfo &getTargetInfo(Target target);

} // namespace opgraph::tile

#endif // OPGRAPH_DIALECTS_TILE_TARGETS_H
