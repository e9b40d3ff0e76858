//===- CudaHotPathTest.cpp - A launch allocates nothing -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
///
/// \file
/// As HotPathTest.cpp, which takes the allocator over for both.
///
//===----------------------------------------------------------------------===//

#include "test/unit/runtime/Cuda/TestCuda.h"
#include "test/unit/runtime/HotPath.h"

using namespace opgraph::planfile;
using namespace opgraph::test;

namespace {

TEST_F(CudaTest, ExecuteAllocatesNothingAndWaitsForNothing) {
  PlanContents contents = makeDynamicAddPlan(8);
  contents.workspaceShared = 256;
  contents.steps.push_back(Fill{0, 256, 0});
  PlanPtr plan = load(contents);
  ASSERT_EQ(og_plan_prepare(plan.get(), {OG_DEVICE_CUDA, 0}), OG_OK);
  DeviceArray<uint8_t> workspace(256);
  std::vector<og_buffer> list = buffers(), host = buffers();
  host[0].device = {OG_DEVICE_HOST, 0};
  Pack pack(list, workspace.get(), 256), refused(host, workspace.get(), 256);
  og_override item = {sizeof(og_override), 1, 1, eight.data(), nullptr};
  stub_cuda_reset();
  int before = numAllocations();
  for (int repeat = 0; repeat < 100; ++repeat) {
    pack.overrides = &item;
    pack.num_overrides = repeat % 2;
    ASSERT_EQ(og_plan_execute(plan.get(), &pack, nullptr), OG_OK)
        << og_last_error();
  }
  EXPECT_EQ(og_plan_execute(plan.get(), &refused, nullptr),
            OG_INVALID_VARIANT_PACK);
  EXPECT_EQ(numAllocations(), before);
  EXPECT_EQ(stub_cuda_count("cuLaunchKernelEx"), 100);
  EXPECT_EQ(stub_cuda_count("cuStreamSynchronize"), 0);
  // One query an operand and for the workspace, and no capture to ask for.
  EXPECT_EQ(stub_cuda_count("cuPointerGetAttributes"), 400);
  EXPECT_EQ(stub_cuda_count("cuStreamIsCapturing"), 0);
}

TEST_F(CudaTest, ChoosingAmongKernelsAllocatesNothing) {
  PlanPtr plan = load(makeVersionedAddPlan());
  ASSERT_EQ(og_plan_prepare(plan.get(), {OG_DEVICE_CUDA, 0}), OG_OK);
  std::vector<og_buffer> list = buffers();
  Pack pack(list);
  int64_t n = 8;
  og_override item = {sizeof(og_override), 1, 1, &n, nullptr};
  pack.overrides = &item;
  pack.num_overrides = 1;
  int before = numAllocations();
  for (n = 0; n < 9; ++n)
    ASSERT_EQ(og_plan_execute(plan.get(), &pack, nullptr), OG_OK)
        << og_last_error();
  EXPECT_EQ(numAllocations(), before);
}

} // namespace
