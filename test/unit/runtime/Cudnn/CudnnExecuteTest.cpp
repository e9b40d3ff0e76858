//===- CudnnExecuteTest.cpp - Plans that cuDNN runs -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/Cudnn/Pool.h"
#include "test/unit/runtime/Cudnn/TestCudnn.h"

#include <thread>

using namespace opgraph::planfile;
using namespace opgraph::test;

namespace {

TEST_F(CudnnTest, GivesTheLibraryWhatTheStepNames) {
  PlanPtr plan = load(makeCudnnPlan());
  void *stream = stub_cuda_stream(0, 1);
  ASSERT_EQ(execute(plan, stream), OG_OK) << og_last_error();
  ASSERT_EQ(stub_cudnn_num_executions(), 1);
  const stub_cudnn_execution &done = *stub_cudnn_execution_at(0);
  EXPECT_EQ(done.engine, 7);
  EXPECT_EQ(done.stream, stream);
  EXPECT_EQ(done.workspace, workspace.get() + 64);
  ASSERT_EQ(done.num_data, 3);
  EXPECT_EQ(done.uids[0], 21);
  EXPECT_EQ(done.uids[2], 23);
  EXPECT_EQ(done.data[0], x.get());
  EXPECT_EQ(done.data[2], out.get() + 1);
  // A constant lies in the execution's own memory, gone by now.
  EXPECT_NE(done.data[1], nullptr);
}

TEST_F(CudnnTest, RestoresAPlanOfItsVersion) {
  PlanPtr plan = load(makeSerializedPlan());
  ASSERT_EQ(execute(plan), OG_OK) << og_last_error();
  EXPECT_EQ(stub_cudnn_execution_at(0)->restored, 1);
}

TEST_F(CudnnTest, MakesAPlanOfAnotherVersionAnew) {
  PlanPtr plan = load(makeSerializedPlan(91400));
  ASSERT_EQ(execute(plan), OG_OK) << og_last_error();
  EXPECT_EQ(stub_cudnn_execution_at(0)->restored, 0);
  EXPECT_EQ(stub_cudnn_execution_at(0)->engine, 7);
}

TEST_F(CudnnTest, ADamagedPlanIsNamed) {
  PlanContents contents = makeSerializedPlan(91400);
  stepOf(contents).library = 91900;
  expectStatus(execute(load(contents)), OG_VERSION_MISMATCH,
               {"EXECUTION_PLAN", "1003", "a plan of another version"});
}

TEST_F(CudnnTest, APlanOfAnotherDeviceIsNamed) {
  // As the library answers where the plan is of another architecture.
  StubSettings settings("fail_finalize_5=3007");
  static_assert(opgraph::runtime::cudnn::KIND_EXECUTION_PLAN == 5);
  expectStatus(execute(load(makeSerializedPlan())), OG_UNSUPPORTED,
               {"EXECUTION_PLAN", "3007", "asked to refuse"});
}

TEST_F(CudnnTest, WhatFailsInsideOfTheLibraryIsOfOneEngine) {
  for (auto [code, status] : {std::pair("4000", OG_UNSUPPORTED),
                              {"4001", OG_UNSUPPORTED},
                              {"4002", OG_UNSUPPORTED},
                              {"4003", OG_RESOURCE},
                              {"4004", OG_RESOURCE},
                              {"2000", OG_UNSUPPORTED}}) {
    StubSettings settings((std::string("fail_finalize_5=") + code).c_str());
    expectStatus(execute(load(makeCudnnPlan())), status, {code});
  }
}

TEST_F(CudnnTest, RefusesAPlanThatNeedsMoreWorkspace) {
  StubSettings settings("workspace=4096");
  expectStatus(execute(load(makeCudnnPlan())), OG_VERSION_MISMATCH,
               {"plan 'copy'", "engine 7 of cuDNN 9.19.0", "4096", "128"});
}

TEST_F(CudnnTest, NamesWhatTheLibraryRefuses) {
  PlanContents contents = makeCudnnPlan();
  stepOf(contents).engine = 3;
  expectStatus(execute(load(contents)), OG_UNSUPPORTED,
               {"cuDNN refuses the ENGINE", "CUDNN_STATUS_NOT_SUPPORTED (3000)",
                "engine 3 takes no graph"});
  EXPECT_EQ(std::string(og_last_error()).find("second line"),
            std::string::npos);
  StubSettings settings("fail_execute=5000");
  expectStatus(execute(load(makeCudnnPlan())), OG_UNAVAILABLE,
               {"plan 'copy': cannot execute engine 7 of cuDNN 9.19.0",
                "asked to fail"});
}

TEST_F(CudnnTest, KeepsNoDescriptorsOfPlans) {
  ASSERT_EQ(execute(load(makeCudnnPlan())), OG_OK);
  int before = stub_cudnn_live_descriptors();
  for (int i = 0; i < 3; ++i)
    ASSERT_EQ(execute(load(makeCudnnPlan())), OG_OK);
  EXPECT_EQ(stub_cudnn_live_descriptors(), before);
  EXPECT_EQ(stub_cudnn_live_handles(),
            int(opgraph::runtime::cudnn::StatePool::size));
}

TEST_F(CudnnTest, APackStaysWhereNoOperandChanges) {
  PlanContents contents = makeCudnnPlan();
  stepOf(contents).uids = {21, 23};
  stepOf(contents).args = {makePointerArg(0), makePointerArg(2, 4)};
  PlanPtr plan = load(contents);
  ASSERT_EQ(execute(plan), OG_OK) << og_last_error();
  int before = stub_cudnn_num_attributes_set();
  ASSERT_EQ(execute(plan), OG_OK);
  EXPECT_EQ(stub_cudnn_num_attributes_set(), before);
  DeviceArray<float> other(8);
  std::vector<og_buffer> list = buffers();
  list[0].data = other.get();
  Pack pack(list, workspace.get(), 192);
  ASSERT_EQ(og_plan_execute(plan.get(), &pack, nullptr), OG_OK);
  EXPECT_EQ(stub_cudnn_execution_at(2)->data[0], other.get());
  // Another plan, whose step has the same operands but one on the host.
  PlanPtr constant = load(makeCudnnPlan());
  ASSERT_EQ(execute(constant), OG_OK);
  EXPECT_EQ(stub_cudnn_execution_at(3)->num_data, 3);
  before = stub_cudnn_num_attributes_set();
  ASSERT_EQ(execute(constant), OG_OK);
  EXPECT_EQ(stub_cudnn_num_attributes_set(), before + 3);
  ASSERT_EQ(execute(plan), OG_OK);
  EXPECT_EQ(stub_cudnn_execution_at(5)->num_data, 2);
}

TEST_F(CudnnTest, ThreadsShareTheHandles) {
  PlanPtr plan = load(makeCudnnPlan());
  ASSERT_EQ(og_plan_prepare(plan.get(), {OG_DEVICE_CUDA, 0}), OG_OK);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int repeat = 0; repeat < 20; ++repeat)
        EXPECT_EQ(execute(plan), OG_OK) << og_last_error();
    });
  for (std::thread &thread : threads)
    thread.join();
  ASSERT_EQ(stub_cudnn_num_executions(), 80);
  for (int i = 0; i < 80; ++i)
    EXPECT_EQ(stub_cudnn_execution_at(i)->data[0], x.get());
}

TEST_F(CudnnTest, StandsBetweenOtherSteps) {
  PlanContents contents = makeCudnnPlan();
  PlanContents sum = makeAddPlan();
  contents.deviceVariants = sum.deviceVariants;
  contents.steps = {Fill{0, 64, 7}, makeCopyStep(), sum.steps[0]};
  PlanPtr plan = load(contents);
  ASSERT_EQ(execute(plan), OG_OK) << og_last_error();
  EXPECT_EQ(stub_cudnn_num_executions(), 1);
  EXPECT_EQ(workspace[63], 7);
  EXPECT_EQ(out[7], 17);
}

TEST_F(CudnnTest, WritesAndUpdatesACudaGraph) {
  PlanContents contents = makeCudnnPlan();
  contents.steps.insert(contents.steps.begin(), Fill{0, 64, 7});
  PlanPtr plan = load(contents);
  void *graph = stub_cuda_graph();
  std::vector<og_buffer> list = buffers();
  Pack pack(list, workspace.get(), 192);
  ASSERT_EQ(og_plan_populate_graph(plan.get(), &pack, graph, 0), OG_OK)
      << og_last_error();
  EXPECT_EQ(stub_cuda_num_nodes(graph), 2);
  ASSERT_EQ(stub_cudnn_num_executions(), 1);
  EXPECT_EQ(stub_cudnn_execution_at(0)->graph, 1);
  DeviceArray<float> other(8);
  list[0].data = other.get();
  ASSERT_EQ(og_plan_update_graph(plan.get(), &pack, graph), OG_OK)
      << og_last_error();
  EXPECT_EQ(stub_cudnn_execution_at(1)->graph, 2);
  EXPECT_EQ(stub_cudnn_execution_at(1)->data[0], other.get());
  {
    StubSettings settings("fail_execute=3013");
    expectStatus(og_plan_update_graph(plan.get(), &pack, graph), OG_UNSUPPORTED,
                 {"cannot write into a CUDA graph engine 7", "3013"});
  }
  stub_cuda_free_graph(graph);
}

} // namespace
