//===- Manifest.cpp - Every engine slot in one table ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Planning/Manifest.h"
#include "passes/Planning/Engines/Engines.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace opgraph::planning;

// Ties in predicted time go to the earlier row.
static constexpr EngineSlot kSlots[] = {
    // id, name, version, side, families, archs, maturity, engine
    // Stands for the ids 0 - 9999, the library's own; a plan's version is the
    // library's.
    {0,
     "cudnn",
     1,
     Side::Cudnn,
     FamilySet::all(),
     {75, 129},
     Maturity::Stable,
     getCudnnEngine},
    {10000,
     "host.reference",
     1,
     Side::Host,
     FamilySet::all(),
     {},
     Maturity::Stable,
     getHostReferenceEngine},
    {10100,
     "host.fused",
     1,
     Side::Host,
     FamilySet::all(),
     {},
     Maturity::Stable,
     getHostFusedEngine},
    {10900,
     "host.composite",
     1,
     Side::Host,
     FamilySet::all(),
     {},
     Maturity::Stable,
     getHostCompositeEngine},
    {30000,
     "nvptx.pointwise",
     1,
     Side::Nvptx,
     {Family::Pointwise},
     {80, 120},
     Maturity::Stable,
     getNvptxPointwiseEngine},
};

const Manifest &opgraph::planning::getManifest() {
  static const Manifest manifest(kSlots);
  return manifest;
}

const EngineSlot *Manifest::find(int64_t id) const {
  const auto *slot =
      find_if(slots, [&](const EngineSlot &slot) { return slot.id == id; });
  return slot == slots.end() ? nullptr : slot;
}

const EngineSlot *Manifest::findCudnn() const {
  const EngineSlot *slot = find(int64_t(0));
  return slot && slot->side == Side::Cudnn ? slot : nullptr;
}

const EngineSlot *Manifest::find(StringRef name) const {
  const auto *slot =
      find_if(slots, [&](const EngineSlot &slot) { return slot.name == name; });
  return slot == slots.end() ? nullptr : slot;
}

IdBand opgraph::planning::bandOf(int64_t id) {
  if (id >= 0 && id < 10000)
    return IdBand::Cudnn;
  if (id >= 20000 && id < 30000)
    return IdBand::Peer;
  return IdBand::Unknown;
}

namespace {
struct PeerEngine {
  int64_t id;
  StringLiteral name;
};
} // namespace

/// Engines of the peer frontend 1.32 (reference/op_surface.md, section 18.1).
static constexpr PeerEngine kPeerEngines[] = {
    {20100, "gdn_frost"},
    {20101, "gdn_cutile"},
    {20102, "gdn_summary_frost"},
    {20200, "kda_frost"},
    {20201, "kda_cutile"},
    {20202, "kda_summary_frost"},
    {20203, "kda_cake"},
    {20204, "kda_hopper"},
    {20205, "kda_hopper_cuda"},
    {20300, "gdn2_frost"},
    {20301, "gdn2_summary_frost"},
    {20400, "frost_gemm"},
    {20505, "sdpa_fwd_prefill_sm120"},
    {20507, "sdpa_fwd_prefill_sm120_fp8"},
    {20508, "sdpa_fwd_prefill_sm80"},
    {20511, "sdpa_fwd_prefill_sm100"},
    {20512, "sdpa_fwd_prefill_sm100_mxfp8"},
    {20513, "sdpa_fwd_prefill_sm100_fp8"},
    {20514, "sdpa_fwd_prefill_sm107_fp8"},
    {20515, "sdpa_fwd_prefill_sm107"},
    {20516, "sdpa_fwd_prefill_sm107_mxfp8"},
    {20517, "sdpa_fwd_prefill_sm90"},
    {20518, "sdpa_fwd_prefill_sm120_mxfp8"},
    {20600, "sdpa_bwd_sm120"},
    {20601, "sdpa_bwd_sm80"},
    {20602, "sdpa_bwd_sm100"},
    {20603, "sdpa_bwd_sm100_mxfp8"},
    {20604, "sdpa_bwd_sm107"},
    {20605, "sdpa_bwd_sm107_fp8"},
    {20606, "sdpa_bwd_sm107_mxfp8"},
    {20607, "sdpa_bwd_sm100_d256"},
    {20608, "sdpa_bwd_sm107_d512"},
    {20609, "sdpa_bwd_sm100_d128"},
    {20700, "gdp_frost"},
    {20701, "gdp_summary_frost"},
    {20800, "frost_conv"},
    {20900, "mamba2_frost"},
    {20901, "mamba2_summary_frost"},
    {21000, "norm_fprop_sm100"},
    {21100, "norm_bprop_sm100"},
};

StringRef opgraph::planning::peerEngineName(int64_t id) {
  for (const PeerEngine &engine : kPeerEngines)
    if (engine.id == id)
      return engine.name;
  return "";
}
