//===- FallThrough.h - What follows when a plan does not build --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Building goes down the ranked list, but only past plans that failed for a
// reason that another plan may not share. The set of such reasons is closed.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_PLANNING_FALLTHROUGH_H
#define OPGRAPH_PASSES_PLANNING_FALLTHROUGH_H

#include "opgraph-c/status.h"

namespace opgraph::planning {

/// Whether a build that ended with `status` lets the next plan try:
/// OG_UNSUPPORTED, OG_LIBRARY_MISSING or OG_RESOURCE, and no other.
bool mayFallThrough(og_status status);

enum class NextStep {
  /// The plan is built.
  Use,
  /// Build the next plan.
  TryNext,
  /// A defect of ours: log it once, record it in the plan that is used instead,
  /// and build the next plan.
  RecordAndTryNext,
  /// The call fails with this status.
  Fail
};

/// What a call does after building a plan ended with `status`. `isStrict` is
/// OPGRAPH_STRICT=1, which all tests set: an internal failure (a verifier, an
/// LLVM error, a spill) then fails the call instead of hiding behind the next
/// plan. A pinned plan has no next one, whatever the status.
NextStep afterBuild(og_status status, bool isStrict);

} // namespace opgraph::planning

#endif // OPGRAPH_PASSES_PLANNING_FALLTHROUGH_H
