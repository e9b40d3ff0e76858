//===- ReuseTest.cpp - Graphs that take over what others made -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "TestGraph.h"

#include <random>
#include <thread>

using namespace opgraph::test;

/// An H200, as far as planning asks.
static const char *const kDevice =
    R"({"deviceVer": 900, "deviceName": "NVIDIA H200",
        "multiProcessorCount": 132, "maxSharedMemoryPerBlockOptin": 232448,
        "l2CacheSize": 62914560, "totalGlobalMem": 150109880320,
        "smClockRateKHz": 1980000, "memClockRateKHz": 3201000})";

namespace {
/// Another graph each time, for a GPU that need not be here.
class Reuse : public GraphTest {
protected:
  void TearDown() override {
    unsetenv("OPGRAPH_CLASS_CACHE");
    GraphTest::TearDown();
  }

  static og_tensor declare(og_graph *graph, std::vector<int64_t> dims) {
    og_tensor_desc desc = {};
    desc.struct_size = sizeof(desc);
    desc.ndim = int32_t(dims.size());
    desc.dims = dims.data();
    og_tensor result = OG_NO_TENSOR;
    EXPECT_OK(og_graph_tensor(graph, &desc, &result));
    return result;
  }

  static og_tensor add(og_graph *graph, const char *name,
                       const std::vector<og_named_tensor> &operands) {
    og_op_desc desc = {};
    desc.struct_size = sizeof(desc);
    desc.op = name;
    desc.operands = operands.data();
    desc.num_operands = operands.size();
    std::vector<og_tensor> results(og_op_num_results(name), OG_NO_TENSOR);
    EXPECT_OK(og_graph_op(graph, &desc, results.data(), results.size()));
    return results[0];
  }

  /// softmax(x + b) or gelu(x + b) over m x n, as the bytes of its plan.
  std::string build(int64_t m, int64_t n, bool isSoftmax,
                    const char *target = kDevice) const {
    og_graph_options options = {};
    options.struct_size = sizeof(options);
    options.io_dtype = OG_DTYPE_BFLOAT16;
    options.intermediate_dtype = OG_DTYPE_FLOAT;
    og_graph *other = nullptr;
    EXPECT_OK(og_graph_create(compiler, &options, &other));
    og_tensor sum =
        add(other, "add",
            {{"a", declare(other, {m, n})}, {"b", declare(other, {1, n})}});
    og_tensor result =
        add(other, isSoftmax ? "softmax" : "gelu", {{"input", sum}});
    EXPECT_OK(og_tensor_set_virtual(other, result, 0));
    EXPECT_OK(og_tensor_set_dtype(other, result, OG_DTYPE_BFLOAT16));
    og_plan_options planning = {};
    planning.struct_size = sizeof(planning);
    planning.target = target;
    EXPECT_OK(og_graph_create_plans(other, &planning));
    EXPECT_OK(og_graph_build(other, nullptr));
    og_plan *plan = nullptr;
    EXPECT_OK(og_graph_plan(other, -1, &plan));
    const void *data = nullptr;
    size_t size = 0;
    EXPECT_OK(og_plan_serialize(plan, &data, &size));
    std::string bytes(static_cast<const char *>(data), size);
    og_plan_release(plan);
    og_graph_release(other);
    return bytes;
  }

  std::string buildAlone(int64_t m, int64_t n, bool isSoftmax,
                         const char *target = kDevice) const {
    setenv("OPGRAPH_CLASS_CACHE", "0", 1);
    std::string bytes = build(m, n, isSoftmax, target);
    unsetenv("OPGRAPH_CLASS_CACHE");
    return bytes;
  }
};
} // namespace

TEST_F(Reuse, plans_are_those_of_a_graph_that_is_alone) {
  std::mt19937 random(7);
  // Of several classes: rows that are whole vectors or not, short and long.
  const int64_t steps[] = {1, 8, 1000, 4096};
  for (int i = 0; i < 16; ++i) {
    int64_t m = 1 + random() % 5000;
    int64_t n = (1 + random() % 9) * steps[random() % 4];
    bool isSoftmax = random() % 2;
    std::string reused = build(m, n, isSoftmax);
    EXPECT_TRUE(reused == buildAlone(m, n, isSoftmax))
        << m << "x" << n << " softmax " << isSoftmax;
  }
}

TEST_F(Reuse, host_plans_too) {
  for (int64_t m : {4, 5, 6})
    EXPECT_TRUE(build(m, 32, true, "host") == buildAlone(m, 32, true, "host"));
}

TEST_F(Reuse, other_kinds_of_graphs_in_between_change_nothing) {
  std::string first = build(64, 1024, true);
  build(16, 16, false, "host");
  build(64, 999, false);
  EXPECT_TRUE(build(64, 1024, true) == first);
}

TEST_F(Reuse, graphs_that_fail_leave_nothing_behind) {
  std::string first = build(64, 1024, false);
  for (int i = 0; i < 3; ++i) {
    og_graph *broken = nullptr;
    EXPECT_EQ(og_graph_parse(compiler, "graph.graph @g(", 15, nullptr, &broken),
              OG_PARSE_ERROR);
  }
  EXPECT_TRUE(build(64, 1024, false) == first);
}

TEST_F(Reuse, graphs_of_several_threads_do_not_meet) {
  std::vector<std::string> want;
  for (int i = 0; i < 8; ++i)
    want.push_back(build(100 + i, 2048, i % 2));
  std::vector<std::thread> threads;
  std::vector<int> equal(4);
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 8; ++i)
        equal[t] += build(100 + i, 2048, i % 2) == want[i];
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_THAT(equal, ::testing::Each(8));
}

TEST_F(Reuse, many_graphs_one_after_another) {
  std::string first = build(300, 4096, false);
  // More than a context serves.
  for (int i = 1; i < 300; ++i)
    build(300 + i, 4096, false);
  EXPECT_TRUE(build(300, 4096, false) == first);
}
