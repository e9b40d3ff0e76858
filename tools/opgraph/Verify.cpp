//===- Verify.cpp - Comparing a run with the reference --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Elements.h"
#include "Failure.h"
#include "Run.h"

#include <algorithm>
#include <cmath>

using namespace opgraph::cli;

/// The reference plan of `graph`, compiled.
static PlanPtr buildReference(og_graph *graph) {
  int64_t index = -1;
  og_plan_options options = {};
  options.struct_size = sizeof(options);
  options.target = "host";
  check(og_graph_create_plan_named(graph, "host.reference", &options, &index));
  check(og_graph_build_at(graph, index, nullptr));
  og_plan *plan = nullptr;
  check(og_graph_plan(graph, index, &plan));
  return PlanPtr(plan);
}

/// The widest tolerance among the float dtypes that values of the graph round
/// to: an intermediate that rounds the other way shows in every result.
static double graphTolerance(og_graph *graph) {
  double tolerance = 0;
  for (og_tensor i = 0; i < og_graph_num_tensors(graph); ++i) {
    og_tensor_info info = {};
    info.struct_size = sizeof(info);
    check(og_tensor_get(graph, i, &info));
    // Inputs are exact, whatever their dtype.
    if (info.node >= 0)
      tolerance = std::max(tolerance, relativeTolerance(info.dtype));
  }
  return tolerance;
}

/// Masks add values like -1e30 for -inf; what is left of those says nothing of
/// how large the numbers of the graph are.
static constexpr double sentinel = 1e15;

static Verdict compare(const HostTensor &actual, const HostTensor &expected,
                       double tolerance) {
  Verdict verdict;
  for (int64_t i = 0; i < expected.numElements; ++i)
    if (double value = std::fabs(expected.at(i)); value < sentinel)
      verdict.scale = std::max(verdict.scale, value);
  verdict.tolerance = isFloat(actual.dtype) ? tolerance * verdict.scale : 0;
  for (int64_t i = 0; i < expected.numElements; ++i) {
    double a = actual.at(i), e = expected.at(i);
    if (a == e || (std::isnan(a) && std::isnan(e)))
      continue;
    double error = std::fabs(a - e);
    if (std::isfinite(error))
      verdict.maxError = std::max(verdict.maxError, error);
    double own = std::fabs(e) < sentinel ? 0 : tolerance * std::fabs(e);
    if (!(error <= std::max(verdict.tolerance, own)))
      ++verdict.mismatches;
  }
  return verdict;
}

void opgraph::cli::verifyRun(Session &session, const RunOptions &options,
                             RunResult &result) {
  GraphPtr graph = session.parseAgain();
  if (!graph)
    throw Failure(ExitUserError, "'" + options.plan.file +
                                     "' does not hold its graph, so there is "
                                     "nothing to verify it with");
  double tolerance = graphTolerance(graph.get());
  PlanPtr reference = buildReference(graph.get());
  std::vector<HostTensor> operands =
      makeOperands(session, reference.get(), options);
  size_t workspaceBytes = 0;
  execute(reference.get(), operands, /*ordinal=*/0, workspaceBytes);
  for (size_t i = 0; i < result.operands.size(); ++i) {
    const HostTensor &actual = result.operands[i];
    if (!actual.isOutput)
      continue;
    for (const HostTensor &expected : operands)
      if (expected.isOutput && expected.uid == actual.uid)
        result.verdicts[i] = compare(actual, expected, tolerance);
  }
}

bool opgraph::cli::isVerified(const RunResult &result) {
  for (const auto &[index, verdict] : result.verdicts)
    if (verdict.mismatches)
      return false;
  return true;
}
