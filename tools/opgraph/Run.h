//===- Run.h - opgraph run --------------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_TOOLS_OPGRAPH_RUN_H
#define OPGRAPH_TOOLS_OPGRAPH_RUN_H

#include "HostTensor.h"
#include "Session.h"

#include <map>

namespace opgraph::cli {

struct RunOptions {
  PlanOptions plan;
  /// KEY=FILE.npy; KEY is a uid or a name.
  std::vector<std::string> inputs;
  /// NAME=VALUE of dynamic extents.
  std::vector<std::string> extents;
  uint64_t seed = 0;
  int repeat = 1;
  bool verify = false;
  bool timing = false;
  bool json = false;
  std::string saveOutputs;
};

/// Comparison of one output with the reference.
struct Verdict {
  double maxError = 0;
  /// Largest finite magnitude of the reference.
  double scale = 0;
  double tolerance = 0;
  /// Elements out of tolerance, or NaN or infinite on one side only.
  int64_t mismatches = 0;
};

/// Everything that a run found.
struct RunResult {
  std::vector<HostTensor> operands;
  /// By index in `operands`, for outputs, when verified.
  std::map<size_t, Verdict> verdicts;
  /// Times of execution in nanoseconds.
  std::vector<int64_t> executions;
  size_t workspaceBytes = 0;
};

/// Makes and fills the operands of `plan`.
std::vector<HostTensor> makeOperands(Session &session, const og_plan *plan,
                                     const RunOptions &options);

/// Runs `plan` once on `operands`, on CUDA device `ordinal` where it is for
/// one; returns nanoseconds.
int64_t execute(og_plan *plan, std::vector<HostTensor> &operands, int ordinal,
                size_t &workspaceBytes);

/// The N of a device "cuda:N"; 0 for others.
int ordinalOf(const std::string &device);

/// Compares the outputs in `result` with those of host.reference on the same
/// inputs.
void verifyRun(Session &session, const RunOptions &options, RunResult &result);

/// Whether every verdict holds.
bool isVerified(const RunResult &result);

/// Prints the result: for people, or as JSON.
void reportRun(Session &session, og_plan *plan, const RunOptions &options,
               const RunResult &result);

/// The command; returns the process's exit code.
int run(const RunOptions &options);

} // namespace opgraph::cli

#endif // OPGRAPH_TOOLS_OPGRAPH_RUN_H
