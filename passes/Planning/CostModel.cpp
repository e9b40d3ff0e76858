//===- CostModel.cpp - Predicted time of a plan ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Planning/CostModel.h"
#include <algorithm>
#include <cmath>

using namespace opgraph::planning;

// Rates of one worker on a 2-core AVX2 machine. `python3
// test/benchmarks/calibrate_host.py` prints the best ones, of long runs over
// f32; where the small shapes and narrow types of docs/examples are slower, the
// geometric middle is taken. Predictions there are within 4x, and the order of
// engines is that of the measured times. A second worker was worth 0.9 of the
// first.

// Indexed by Family: pointwise, gemm, conv, sdpa, linear_attention, mixed.
static constexpr Roofline kHostFused[kNumFamilies] = {
    {130, 18.0, 12.0, 1.2, 70.0, 0.9}, {130, 18.0, 12.0, 1.2, 70.0, 0.9},
    {130, 18.0, 12.0, 1.2, 70.0, 0.9}, {130, 18.0, 6.0, 1.0, 30.0, 0.9},
    {130, 18.0, 12.0, 1.2, 30.0, 0.9}, {130, 18.0, 12.0, 1.2, 30.0, 0.9},
};

// Scalar loops in f64, always on one worker.
static constexpr Roofline kHostReference[kNumFamilies] = {
    {150, 12.0, 4.0, 0.15, 1.0, 0}, {150, 12.0, 4.0, 0.15, 1.0, 0},
    {150, 12.0, 4.0, 0.15, 1.0, 0}, {150, 12.0, 4.0, 0.15, 2.0, 0},
    {150, 12.0, 4.0, 0.15, 1.0, 0}, {150, 12.0, 4.0, 0.15, 1.0, 0},
};

// The speed of a copy of 128 MB and more, and the launch of a kernel, as
// measured there (docs/Planning.md); arithmetic by the data sheet.
static constexpr Roofline kNvptx = {3000, 4100.0, 33000.0, 4000.0, 0.0001, 0};

// Rates of large problems as measured there (guides/performance.md): matmuls
// of 4096 and more with an epilogue, convolutions of 256 channels, attention
// over 4096 keys; norms and pointwise graphs by their bytes.
static constexpr Roofline kCudnn[kNumFamilies] = {
    {4000, 3000.0, 33000.0, 4000.0, 0.0001, 0},
    {5000, 3500.0, 33000.0, 4000.0, 600000.0, 0},
    {5000, 3500.0, 33000.0, 4000.0, 680000.0, 0},
    {6000, 3500.0, 33000.0, 4000.0, 580000.0, 0},
    {6000, 3500.0, 33000.0, 4000.0, 580000.0, 0},
    {6000, 3500.0, 33000.0, 4000.0, 580000.0, 0},
};

const Roofline &opgraph::planning::cudnnRoofline(Family family) {
  return kCudnn[static_cast<unsigned>(family)];
}

const Roofline &opgraph::planning::nvptxRoofline() { return kNvptx; }

const Roofline &opgraph::planning::hostFusedRoofline(Family family) {
  return kHostFused[static_cast<unsigned>(family)];
}

const Roofline &opgraph::planning::hostReferenceRoofline(Family family) {
  return kHostReference[static_cast<unsigned>(family)];
}

int64_t opgraph::planning::predictNs(const Roofline &roofline, const Work &work,
                                     double bytes, int64_t workers) {
  double speedup = 1 + roofline.scaling * static_cast<double>(workers - 1);
  double arithmetic = work.flops / roofline.flopsPerNs +
                      work.transcendentals / roofline.transcendentalsPerNs +
                      work.matrixFlops / roofline.matrixFlopsPerNs;
  double time = roofline.launchNs +
                std::max(bytes / roofline.bytesPerNs, arithmetic) / speedup;
  constexpr double kLongest = 9e18;
  return static_cast<int64_t>(std::clamp(std::round(time), 1.0, kLongest));
}
