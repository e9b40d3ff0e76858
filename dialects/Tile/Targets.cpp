//===- Targets.cpp - What the GPUs that kernels claim can do --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Tile/TileDialect.h"
#include "llvm/ADT/StringSwitch.h"

using namespace opgraph::tile;

static constexpr FeatureSet kAmpere = 0;
static constexpr FeatureSet kAda = Fp8Mma | Fp8Convert;
static constexpr FeatureSet kBlackwellGeforce =
    kAda | StMatrix | Tma | Cluster | ExpectBytes | Elect | SetMaxRegisters |
    DependentLaunch;
static constexpr FeatureSet kHopper = kBlackwellGeforce | Wgmma;

// CUDA C++ Programming Guide, technical specifications per compute capability;
// PTX ISA, release notes. GeForce Blackwell has clusters of one CTA only.
static constexpr TargetInfo kTargets[] = {
    {Target::sm_80, "sm_80", kAmpere, 166912, 167936, 65536, 64, 1, 70},
    {Target::sm_86, "sm_86", kAmpere, 101376, 102400, 65536, 48, 1, 71},
    {Target::sm_89, "sm_89", kAda, 101376, 102400, 65536, 48, 1, 84},
    {Target::sm_90a, "sm_90a", kHopper, 232448, 233472, 65536, 64, 16, 86},
    {Target::sm_100a, "sm_100a", kBlackwellGeforce, 232448, 233472, 65536, 64,
     16, 86},
    {Target::sm_120a, "sm_120a", kBlackwellGeforce, 101376, 102400, 65536, 48,
     1, 87},
};

const TargetInfo &opgraph::tile::getTargetInfo(Target target) {
  return kTargets[static_cast<uint32_t>(target)];
}

llvm::StringRef opgraph::tile::getFeatureName(Feature feature) {
  switch (feature) {
  case StMatrix:
    return "stmatrix";
  case Tma:
    return "bulk and tensor copies";
  case Cluster:
    return "clusters";
  case ExpectBytes:
    return "mbarriers that count bytes";
  case Elect:
    return "elect.sync";
  case SetMaxRegisters:
    return "setmaxnreg";
  case Wgmma:
    return "wgmma";
  case Fp8Mma:
    return "fp8 MMA";
  case Fp8Convert:
    return "fp8 conversions";
  case DependentLaunch:
    return "dependent launch";
  }
  return "";
}
