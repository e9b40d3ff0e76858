//===- CudnnHotPathTest.cpp - An execution by cuDNN allocates nothing -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
///
/// \file
/// As HotPathTest.cpp, which takes the allocator over. The stub keeps the
/// storage of attributes, as the library does.
///
//===----------------------------------------------------------------------===//

#include "test/unit/runtime/Cudnn/TestCudnn.h"
#include "test/unit/runtime/HotPath.h"

using namespace opgraph::planfile;
using namespace opgraph::test;

namespace {

TEST_F(CudnnTest, ExecuteAllocatesNothing) {
  PlanContents contents = makeCudnnPlan();
  stepOf(contents).uids = {21, 23};
  stepOf(contents).args = {makePointerArg(0), makePointerArg(2, 4)};
  PlanPtr plan = load(contents);
  DeviceArray<float> other(8);
  std::vector<og_buffer> first = buffers(), second = buffers();
  second[0].data = other.get();
  Pack packs[] = {Pack(first, workspace.get(), 192),
                  Pack(second, workspace.get(), 192)};
  ASSERT_EQ(og_plan_execute(plan.get(), &packs[0], nullptr), OG_OK)
      << og_last_error();
  int before = numAllocations(), descriptors = stub_cudnn_live_descriptors();
  for (int repeat = 0; repeat < 20; ++repeat)
    ASSERT_EQ(og_plan_execute(plan.get(), &packs[repeat / 2 % 2], nullptr),
              OG_OK);
  EXPECT_EQ(numAllocations(), before);
  EXPECT_EQ(stub_cudnn_live_descriptors(), descriptors);
  EXPECT_EQ(stub_cudnn_num_executions(), 21);
}

} // namespace
