//===- CudaVersionsTest.cpp - Plans whose grids choose among kernels ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "test/unit/runtime/Cuda/TestCuda.h"

using namespace opgraph::planfile;
using namespace opgraph::test;

namespace {

class CudaVersionsTest : public CudaTest {
protected:
  CudaVersionsTest() : plan(load(makeVersionedAddPlan())) {}

  /// Calls with N overridden.
  template <typename Call>
  og_status with(int64_t n, Call call) {
    std::vector<og_buffer> list = buffers();
    Pack pack(list);
    og_override item = {sizeof(og_override), 1, 1, &n, nullptr};
    pack.overrides = &item;
    pack.num_overrides = 1;
    return call(pack);
  }
  og_status execute(int64_t n) {
    return with(n, [&](const Pack &pack) {
      return og_plan_execute(plan.get(), &pack, nullptr);
    });
  }

  PlanPtr plan;
};

TEST_F(CudaVersionsTest, OneOfThemIsLaunched) {
  ASSERT_EQ(run(plan, buffers()), OG_OK) << og_last_error();
  ASSERT_EQ(execute(4), OG_OK) << og_last_error();
  ASSERT_EQ(execute(7), OG_OK) << og_last_error();
  ASSERT_EQ(execute(0), OG_OK) << og_last_error();
  ASSERT_EQ(stub_cuda_num_launches(), 3);
  EXPECT_STREQ(stub_cuda_launch(0)->kernel, addKernel);
  EXPECT_EQ(param<int32_t>(0, 3), 64);
  EXPECT_STREQ(stub_cuda_launch(1)->kernel, addKernel);
  EXPECT_EQ(param<int32_t>(1, 3), 16);
  EXPECT_STREQ(stub_cuda_launch(2)->kernel, "opgraph_any_f32");
  EXPECT_EQ(param<int32_t>(2, 3), 49);
}

TEST_F(CudaVersionsTest, RefusesWithTheSymbols) {
  // The stub knows how long its memory is.
  DeviceArray<float> large(3 * 70000);
  std::vector<int64_t> shape = {70000};
  std::vector<og_buffer> list = {
      makeDeviceBuffer(1, large.get(), shape),
      makeDeviceBuffer(2, large.get() + 70000, shape),
      makeDeviceBuffer(3, large.get() + 140000, shape)};
  Pack pack(list);
  og_override item = {sizeof(og_override), 1, 1, shape.data(), nullptr};
  pack.overrides = &item;
  pack.num_overrides = 1;
  expectStatus(og_plan_execute(plan.get(), &pack, nullptr),
               OG_INVALID_VARIANT_PACK,
               {"plan 'sum', step 0 (opgraph_add_f32) for N = 70000",
                "argument 3 is 4900000000, which i32 cannot hold"});
  EXPECT_EQ(stub_cuda_num_launches(), 0);
}

TEST_F(CudaVersionsTest, GraphsAreUpdatedToTheOther) {
  void *graph = stub_cuda_graph();
  auto populate = [&](const Pack &pack) {
    return og_plan_populate_graph(plan.get(), &pack, graph, 0);
  };
  auto update = [&](const Pack &pack) {
    return og_plan_update_graph(plan.get(), &pack, graph);
  };
  ASSERT_EQ(with(8, populate), OG_OK) << og_last_error();
  EXPECT_EQ(stub_cuda_num_nodes(graph), 1);
  stub_cuda_run_graph(graph);
  EXPECT_EQ(out[7], 17);
  out[7] = -1;
  // The stub knows what the first kernel computes, and of the other nothing.
  ASSERT_EQ(with(7, update), OG_OK) << og_last_error();
  stub_cuda_run_graph(graph);
  EXPECT_EQ(out[7], -1);
  ASSERT_EQ(with(4, update), OG_OK) << og_last_error();
  stub_cuda_run_graph(graph);
  EXPECT_EQ(out[3], 13);
  stub_cuda_free_graph(graph);
}

} // namespace
