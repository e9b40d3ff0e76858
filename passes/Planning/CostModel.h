//===- CostModel.h - Predicted time of a plan -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A calibrated roofline per engine and family: a plan takes its launch cost
// plus the longer of moving its bytes and doing its arithmetic. No clock is
// read; the same request always ranks the same.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_PLANNING_COSTMODEL_H
#define OPGRAPH_PASSES_PLANNING_COSTMODEL_H

#include "passes/Planning/Facts.h"

namespace opgraph::planning {

/// Rates of one worker on the machine that the tables were measured on.
struct Roofline {
  /// Fixed cost of a call.
  double launchNs;
  /// Bytes, simple operations, transcendental calls and matrix flops that one
  /// worker does in a nanosecond.
  double bytesPerNs;
  double flopsPerNs;
  double transcendentalsPerNs;
  double matrixFlopsPerNs;
  /// What a second worker adds, as a share of the first.
  double scaling;
};

/// The rates of host.fused and host.reference for `family`.
const Roofline &hostFusedRoofline(Family family);
const Roofline &hostReferenceRoofline(Family family);

/// The rates of generated GPU kernels on the H200, for one launch.
const Roofline &nvptxRoofline();

/// The rates of the cuDNN library's kernels on the H200 for `family`, one
/// execution.
const Roofline &cudnnRoofline(Family family);

/// Predicted nanoseconds of `work` over `bytes` with `workers` workers; at
/// least 1.
int64_t predictNs(const Roofline &roofline, const Work &work, double bytes,
                  int64_t workers);

} // namespace opgraph::planning

#endif // OPGRAPH_PASSES_PLANNING_COSTMODEL_H
