//===- CudnnKnobs.h - The library's numbers of knobs ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_PLANNING_CUDNNKNOBS_H
#define OPGRAPH_PASSES_PLANNING_CUDNNKNOBS_H

#include "dialects/Graph/GraphDialect.h"

namespace opgraph::planning {

/// A knob's number in KnobType and in the library.
struct CudnnKnobNumber {
  graph::KnobType ours;
  int64_t library;
};

/// Knobs that the library deprecates have no KnobType; a setting that names one
/// cannot be a plan.
inline constexpr CudnnKnobNumber kCudnnKnobs[] = {
    {graph::KnobType::SWIZZLE, 1},
    {graph::KnobType::TILE_SIZE, 2},
    {graph::KnobType::EDGE, 4},
    {graph::KnobType::MULTIPLY, 11},
    {graph::KnobType::SPLIT_K_BUF, 12},
    {graph::KnobType::TILEK, 13},
    {graph::KnobType::STAGES, 14},
    {graph::KnobType::REDUCTION_MODE, 15},
    {graph::KnobType::SPLIT_K_SLC, 17},
    {graph::KnobType::IDX_MODE, 18},
    {graph::KnobType::SPECFILT, 23},
    {graph::KnobType::KERNEL_CFG, 24},
    {graph::KnobType::WORKSPACE, 25},
    {graph::KnobType::TILE_CGA, 26},
    {graph::KnobType::TILE_CGA_M, 27},
    {graph::KnobType::TILE_CGA_N, 28},
    {graph::KnobType::BLOCK_SIZE, 29},
    {graph::KnobType::OCCUPANCY, 30},
    {graph::KnobType::ARRAY_SIZE_PER_THREAD, 31},
    {graph::KnobType::SPLIT_COLS, 33},
    {graph::KnobType::TILE_ROWS, 34},
    {graph::KnobType::TILE_COLS, 35},
    {graph::KnobType::LOAD_SIZE, 36},
    {graph::KnobType::CTA_COUNT, 37},
    {graph::KnobType::STREAM_K, 38},
    {graph::KnobType::SPLIT_P_SLC, 39},
    {graph::KnobType::TILE_M, 40},
    {graph::KnobType::TILE_N, 41},
    {graph::KnobType::WARP_SPEC_CFG, 42},
    {graph::KnobType::SWAP_AB, 43},
};

/// The library's number of knob `key`; nullopt for a knob that it has not.
inline std::optional<int64_t> toCudnnKnob(int64_t key) {
  for (const CudnnKnobNumber &knob : kCudnnKnobs)
    if (static_cast<int64_t>(knob.ours) == key)
      return knob.library;
  return std::nullopt;
}

/// The KnobType of the library's knob `number`.
inline std::optional<int64_t> fromCudnnKnob(int64_t number) {
  for (const CudnnKnobNumber &knob : kCudnnKnobs)
    if (knob.library == number)
      return static_cast<int64_t>(knob.ours);
  return std::nullopt;
}

} // namespace opgraph::planning

#endif // OPGRAPH_PASSES_PLANNING_CUDNNKNOBS_H
