//===- NewShape.cpp - Time from a graph of a known class to its plan ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: NewShape TARGET [COUNT]
// TARGET: cuda (plans are prepared too), or a device description, in which case
// no GPU is needed. Builds each work for COUNT shapes of one class, and prints
// a line of JSON with medians in microseconds, whole and by stage.
//===----------------------------------------------------------------------===//
#include "opgraph/opgraph.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>

using namespace opgraph;

namespace {
using Samples = std::map<std::string, std::vector<double>>;
using Clock = std::chrono::steady_clock;

double sinceUs(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start)
      .count();
}

double medianOf(std::vector<double> samples) {
  std::nth_element(samples.begin(), samples.begin() + samples.size() / 2,
                   samples.end());
  return samples[samples.size() / 2];
}

[[noreturn]] void stop(const std::string &text) {
  std::fprintf(stderr, "%s\n", text.c_str());
  std::exit(1);
}

Tensor addWork(const std::string &work, Graph &graph, int64_t m, int64_t n) {
  Tensor x = graph.tensor({m, n});
  if (work == "bias_gelu")
    return graph.geluApproxTanh(graph.add(x, graph.tensor({1, n})));
  if (work == "softmax")
    return graph.softmax(x).s;
  LayernormOptions options;
  options.scale = graph.tensor({1, n});
  options.bias = graph.tensor({1, n});
  return graph
      .layernorm(x, graph.parameter(1e-5f), NormForwardPhase::INFERENCE,
                 options)
      .y;
}

/// From nothing to a plan that can be executed.
void buildOne(const Compiler &compiler, const char *target,
              const std::string &work, int64_t m, int64_t n, Samples &samples) {
  Clock::time_point start = Clock::now();
  GraphOptions options;
  options.ioDataType = DataType::BFloat16;
  options.intermediateDataType = DataType::Float;
  Graph graph(compiler, options);
  addWork(work, graph, m, n).setOutput().setDataType(DataType::BFloat16);
  samples["declare"].push_back(sinceUs(start));
  og_plan_options planning = {};
  planning.struct_size = sizeof(planning);
  planning.target = target;
  if (og_graph_create_plans(graph.get(), &planning))
    stop(graph.error().text + og_last_error());
  auto plan = graph.build();
  if (!plan)
    stop(plan.error().text);
  if (std::string(target) == "cuda") {
    Clock::time_point prepare = Clock::now();
    if (auto done = plan->prepare(); !done)
      stop(done.error().text);
    samples["load module"].push_back(sinceUs(prepare));
  }
  samples["whole"].push_back(sinceUs(start));
  for (size_t i = 0; i < og_graph_num_stages(graph.get()); ++i) {
    og_stage_time stage = {};
    stage.struct_size = sizeof(stage);
    og_graph_stage(graph.get(), i, &stage);
    samples[stage.stage].push_back(stage.time_ns / 1e3);
  }
}

/// The text of a file; that of a target that names none.
std::string readTarget(const char *target) {
  std::ifstream file(target);
  return file ? std::string(std::istreambuf_iterator<char>(file), {}) : target;
}
} // namespace

int main(int argc, char **argv) {
  if (argc < 2)
    stop("usage: NewShape TARGET [COUNT]");
  std::string target = readTarget(argv[1]);
  int64_t count = argc > 2 ? std::atoll(argv[2]) : 100;
  auto compiler = Compiler::create();
  if (!compiler)
    stop(compiler.error().text);
  for (const char *work : {"bias_gelu", "softmax", "layernorm"}) {
    Samples cold, samples;
    buildOne(*compiler, target.c_str(), work, 1024, 4096, cold);
    for (int64_t i = 1; i <= count; ++i)
      buildOne(*compiler, target.c_str(), work, 1024 + 8 * i, 4096, samples);
    std::printf("{\"work\": \"%s\", \"cold\": %.0f", work, cold["whole"][0]);
    for (const auto &[stage, times] : samples)
      std::printf(", \"%s\": %.1f", stage.c_str(), medianOf(times));
    std::printf("}\n");
  }
  return 0;
}
