//===- linear_gelu.cpp - A linear layer with bias and GELU, from C++ ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds gelu(x w + b), prints the ranked plan list, compiles the best plan,
// runs it and compares with a plain loop.
//===----------------------------------------------------------------------===//
#include <opgraph/opgraph.h>

#include <cmath>
#include <cstdio>
#include <vector>

using opgraph::DataType;

static constexpr int64_t kRows = 64, kDepth = 96, kColumns = 80;

/// Prints a failure of the library.
static int report(const opgraph::Error &error) {
  std::fprintf(stderr, "linear_gelu: %s\n", error.text.c_str());
  return 1;
}

/// Numbers in [-1, 1) that are the same in each run.
static std::vector<float> makeNumbers(size_t count, uint32_t seed) {
  std::vector<float> numbers(count);
  for (float &number : numbers) {
    seed = seed * 1664525u + 1013904223u;
    number = static_cast<float>(seed >> 8) / (1 << 23) - 1.0f;
  }
  return numbers;
}

/// The largest difference of `y` from the formula, computed in double.
static double findMaxError(const std::vector<float> &x,
                           const std::vector<float> &w,
                           const std::vector<float> &b,
                           const std::vector<float> &y) {
  double maxError = 0;
  for (int64_t i = 0; i < kRows; ++i)
    for (int64_t j = 0; j < kColumns; ++j) {
      double sum = b[j];
      for (int64_t k = 0; k < kDepth; ++k)
        sum += double(x[i * kDepth + k]) * w[k * kColumns + j];
      double expected = 0.5 * sum * std::erfc(-sum * std::sqrt(0.5));
      maxError = std::fmax(maxError, std::fabs(expected - y[i * kColumns + j]));
    }
  return maxError;
}

int main() {
  auto compiler = opgraph::Compiler::create();
  if (!compiler)
    return report(compiler.error());

  opgraph::GraphOptions options;
  options.name = "linear_gelu";
  options.ioDataType = DataType::Float;
  opgraph::Graph graph(*compiler, options);
  opgraph::Tensor x = graph.tensor({kRows, kDepth}).setName("X");
  opgraph::Tensor w = graph.tensor({kDepth, kColumns}).setName("W");
  opgraph::Tensor b = graph.tensor({1, kColumns}).setName("B");
  opgraph::Tensor y =
      graph.gelu(graph.bias(graph.matmul(x, w), b)).setName("Y").setOutput();

  // What went wrong while describing the graph is reported here.
  auto plans = graph.createPlans();
  if (!plans)
    return report(plans.error());
  for (const opgraph::PlanInfo &plan : *plans)
    std::printf("%10lld ns  %s\n", static_cast<long long>(plan.predictedTimeNs),
                plan.identity.c_str());

  auto plan = graph.build();
  if (!plan)
    return report(plan.error());
  auto bytes = plan->workspaceSize();
  if (!bytes)
    return report(bytes.error());
  opgraph::Workspace workspace(*bytes);

  std::vector<float> xs = makeNumbers(kRows * kDepth, 1);
  std::vector<float> ws = makeNumbers(kDepth * kColumns, 2);
  std::vector<float> bs = makeNumbers(kColumns, 3);
  std::vector<float> ys(kRows * kColumns);
  auto done = plan->execute({{x.uid(), xs.data()},
                             {w.uid(), ws.data()},
                             {b.uid(), bs.data()},
                             {y.uid(), ys.data()}},
                            workspace.data(), workspace.size());
  if (!done)
    return report(done.error());

  double maxError = findMaxError(xs, ws, bs, ys);
  std::printf("%s: max error %.3g\n", plan->engineName().c_str(), maxError);
  return maxError < 1e-4 ? 0 : 1;
}
