//===- CudaGraphTest.cpp - Plans in CUDA graphs ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "test/unit/runtime/Cuda/TestCuda.h"

using namespace opgraph::planfile;
using namespace opgraph::test;

namespace {

/// A plan of a fill and two launches, in a graph.
class CudaGraphTest : public CudaTest {
protected:
  CudaGraphTest() : graph(stub_cuda_graph()) {
    PlanContents contents = makeAddPlan();
    contents.workspaceShared = 256;
    contents.steps.insert(contents.steps.begin(), Fill{0, 256, 7});
    contents.deviceVariants[0].kernels[0].cluster[0] = 1;
    plan = load(contents);
  }
  ~CudaGraphTest() override { stub_cuda_free_graph(graph); }

  og_status populate(const std::vector<og_buffer> &list, int retain = 0) {
    Pack pack(list, workspace.get(), 256);
    return og_plan_populate_graph(plan.get(), &pack, graph, retain);
  }
  og_status update(const std::vector<og_buffer> &list) {
    Pack pack(list, workspace.get(), 256);
    return og_plan_update_graph(plan.get(), &pack, graph);
  }

  PlanPtr plan;
  void *graph;
  DeviceArray<uint8_t> workspace{256};
};

TEST_F(CudaGraphTest, RunsWhenTheGraphDoes) {
  ASSERT_EQ(populate(buffers()), OG_OK) << og_last_error();
  EXPECT_EQ(stub_cuda_num_nodes(graph), 2);
  EXPECT_EQ(stub_cuda_num_launches(), 0);
  EXPECT_EQ(out[7], -1);
  stub_cuda_run_graph(graph);
  EXPECT_EQ(out[7], 17);
  EXPECT_EQ(workspace[255], 7);
  EXPECT_EQ(stub_cuda_current(), nullptr);
}

TEST_F(CudaGraphTest, IsPointedToOtherOperands) {
  ASSERT_EQ(populate(buffers()), OG_OK) << og_last_error();
  DeviceArray<float> other(8);
  std::vector<og_buffer> list = buffers();
  list[2].data = other.get();
  ASSERT_EQ(update(list), OG_OK) << og_last_error();
  stub_cuda_run_graph(graph);
  EXPECT_EQ(other[7], 17);
  EXPECT_EQ(out[7], -1);
}

TEST_F(CudaGraphTest, MustBeEmptyAndThenItsOwn) {
  expectStatus(update(buffers()), OG_INVALID_ARGUMENT,
               {"plan 'sum'", "not one that was populated", "too few nodes"});
  ASSERT_EQ(populate(buffers()), OG_OK) << og_last_error();
  expectStatus(populate(buffers()), OG_INVALID_ARGUMENT,
               {"expected an empty CUDA graph", "1 roots"});
  plan = load(makeAddPlan());
  expectStatus(update(buffers()), OG_INVALID_ARGUMENT,
               {"a node is of another kind"});
  PlanContents contents = makeAddPlan();
  contents.workspaceShared = 256;
  contents.steps = {Fill{0, 256, 7}};
  plan = load(contents);
  expectStatus(update(buffers()), OG_INVALID_ARGUMENT, {"too many nodes"});
}

TEST_F(CudaGraphTest, KeepsThePlanWhenAskedTo) {
  ASSERT_EQ(populate(buffers(), /*retain=*/1), OG_OK) << og_last_error();
  plan.reset();
  // The sanitizer would tell if the graph did not hold the last reference.
  stub_cuda_run_graph(graph);
  EXPECT_EQ(out[7], 17);
}

TEST_F(CudaGraphTest, RefusesWhatExecuteRefuses) {
  std::vector<og_buffer> list = buffers();
  float host[8] = {};
  list[0].data = host;
  expectStatus(populate(list), OG_INVALID_VARIANT_PACK,
               {"operand 'x' (uid 1)", "memory of the host"});
  EXPECT_EQ(stub_cuda_num_nodes(graph), 0);
  Pack pack(list);
  EXPECT_EQ(og_plan_populate_graph(plan.get(), &pack, nullptr, 0),
            OG_INVALID_ARGUMENT);
  PlanPtr onHost = load(makeScalePlan(8));
  expectStatus(og_plan_populate_graph(onHost.get(), &pack, graph, 0),
               OG_UNSUPPORTED, {"runs on the host"});
}

} // namespace
