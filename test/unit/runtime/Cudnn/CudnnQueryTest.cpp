//===- CudnnQueryTest.cpp - Questions to cuDNN about a graph --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "opgraph-c/cudnn.h"
#include "test/unit/runtime/Cudnn/TestCudnn.h"

using namespace opgraph::planfile;
using namespace opgraph::test;

namespace {

/// The operation graph of makeCopyStep, given to the stub.
class CudnnQuery : public CudnnTest {
protected:
  ~CudnnQuery() override { og_cudnn_graph_destroy(graph); }

  og_status create() {
    return og_cudnn_graph_create(&program, 0, nullptr, &graph);
  }

  CudnnExecute step = makeCopyStep();
  og_cudnn_program program = programOf(step);
  og_cudnn_graph *graph = nullptr;
};

TEST_F(CudnnQuery, CountsEngines) {
  ASSERT_EQ(create(), OG_OK) << og_last_error();
  int64_t count = 0;
  ASSERT_EQ(og_cudnn_graph_num_engines(graph, &count), OG_OK);
  EXPECT_EQ(count, 10);
}

TEST_F(CudnnQuery, ChoosesAndBuilds) {
  ASSERT_EQ(create(), OG_OK) << og_last_error();
  og_cudnn_config config = {};
  config.struct_size = sizeof(config);
  ASSERT_EQ(og_cudnn_graph_choose(graph, 7, nullptr, 0, &config), OG_OK)
      << og_last_error();
  EXPECT_EQ(config.engine, 7);
  EXPECT_EQ(config.workspace, 0);
  og_cudnn_plan plan = {};
  plan.struct_size = sizeof(plan);
  StubSettings settings("workspace=64");
  ASSERT_EQ(og_cudnn_graph_build(graph, 7, nullptr, 0, &plan), OG_OK)
      << og_last_error();
  EXPECT_EQ(plan.workspace, 64);
  EXPECT_EQ(plan.version, 91900);
  EXPECT_STREQ(plan.serialized, "stub plan 91900 engine 7");
  EXPECT_EQ(plan.serialized_length, std::strlen(plan.serialized) + 1);
}

TEST_F(CudnnQuery, NamesWhatTheLibraryLacks) {
  ASSERT_EQ(create(), OG_OK) << og_last_error();
  og_cudnn_config config = {};
  config.struct_size = sizeof(config);
  expectStatus(og_cudnn_graph_choose(graph, 10, nullptr, 0, &config),
               OG_NOT_FOUND,
               {"cuDNN 9.19.0 has no engine 10", "expected 0 to 9"});
  og_knob knob = {99, 1};
  expectStatus(og_cudnn_graph_choose(graph, 7, &knob, 1, &config), OG_NOT_FOUND,
               {"engine 7 of cuDNN 9.19.0 has no knob 99"});
  expectStatus(og_cudnn_graph_choose(graph, 3, nullptr, 0, &config),
               OG_UNSUPPORTED, {"engine 3 takes no graph"});
  og_cudnn_engine_info info = {};
  info.struct_size = sizeof(info);
  expectStatus(og_cudnn_graph_engine(graph, 3, &info), OG_UNSUPPORTED,
               {"engine 3 takes no graph"});
  expectStatus(og_cudnn_graph_config(graph, 0, &config), OG_OUT_OF_RANGE,
               {"below 0"});
}

TEST_F(CudnnQuery, RefusesBadPrograms) {
  step.kinds.back() = 4711;
  expectStatus(create(), OG_INVALID_ARGUMENT, {"kind 4711"});
  step.kinds.back() = 15;
  program.struct_size = 8;
  expectStatus(create(), OG_INVALID_ARGUMENT, {"struct_size is 8"});
  program.struct_size = sizeof(program);
  expectStatus(og_cudnn_graph_create(&program, -1, nullptr, &graph),
               OG_INVALID_ARGUMENT, {"device_json is null"});
  expectStatus(og_cudnn_graph_create(&program, 99, nullptr, &graph),
               OG_UNSUPPORTED, {"no CUDA device 99"});
  StubSettings settings("fail_finalize_15=3000");
  expectStatus(create(), OG_UNSUPPORTED, {"refuses the OPERATIONGRAPH"});
  EXPECT_EQ(graph, nullptr);
}

TEST_F(CudnnQuery, LeavesNothingBehind) {
  ASSERT_EQ(create(), OG_OK) << og_last_error();
  og_cudnn_graph_destroy(graph);
  graph = nullptr;
  int before = stub_cudnn_live_descriptors();
  ASSERT_EQ(create(), OG_OK);
  og_cudnn_graph_destroy(graph);
  graph = nullptr;
  EXPECT_EQ(stub_cudnn_live_descriptors(), before);
}

} // namespace
