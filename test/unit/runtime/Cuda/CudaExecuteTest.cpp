//===- CudaExecuteTest.cpp - Launching plans through a stub driver --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "test/unit/runtime/Cuda/TestCuda.h"

#include <thread>

using namespace opgraph::planfile;
using namespace opgraph::test;

namespace {

TEST_F(CudaTest, Executes) {
  PlanPtr plan = load(makeAddPlan());
  ASSERT_EQ(run(plan, buffers()), OG_OK) << og_last_error();
  for (int i = 0; i < 8; ++i)
    EXPECT_EQ(out[i], float(i) + 10);
  ASSERT_EQ(stub_cuda_num_launches(), 1);
  const stub_launch &launch = *stub_cuda_launch(0);
  EXPECT_STREQ(launch.kernel, addKernel);
  EXPECT_EQ(launch.grid[0], 1u);
  EXPECT_EQ(launch.grid[1], 1u);
  EXPECT_EQ(launch.block[0], 256u);
  EXPECT_EQ(launch.cluster[0], 1u);
  EXPECT_EQ(launch.dependent, 0);
  EXPECT_EQ(launch.stream, nullptr);
}

TEST_F(CudaTest, TellsItsDeviceAndKernels) {
  PlanPtr plan = load(makeAddPlan());
  EXPECT_EQ(og_plan_device_type(plan.get()), OG_DEVICE_CUDA);
  EXPECT_STREQ(og_plan_variant(plan.get()), "");
  EXPECT_EQ(og_plan_num_variants(plan.get()), 1u);
  EXPECT_STREQ(og_plan_variant_name(plan.get(), 0), "sm_90a");
  EXPECT_EQ(og_plan_num_kernels(plan.get()), 1u);
  og_kernel_info info = {};
  info.struct_size = sizeof(info);
  ASSERT_EQ(og_plan_kernel(plan.get(), 0, 0, &info), OG_OK);
  EXPECT_STREQ(info.name, addKernel);
  EXPECT_EQ(info.threads, 256u);
  EXPECT_EQ(info.registers, 16u);
  EXPECT_EQ(og_plan_kernel(plan.get(), 1, 0, &info), OG_OUT_OF_RANGE);
  EXPECT_EQ(og_plan_kernel(plan.get(), 0, 1, &info), OG_OUT_OF_RANGE);
  ASSERT_EQ(og_plan_prepare(plan.get(), {OG_DEVICE_CUDA, 0}), OG_OK);
  EXPECT_STREQ(og_plan_variant(plan.get()), "sm_90a");
}

TEST_F(CudaTest, RunsOnTheCallersStream) {
  PlanPtr plan = load(makeAddPlan());
  void *stream = stub_cuda_stream(0, 1);
  for (void *given : {stream, static_cast<void *>(nullptr),
                      reinterpret_cast<void *>(1), reinterpret_cast<void *>(2)})
    ASSERT_EQ(run(plan, buffers(), given), OG_OK) << og_last_error();
  ASSERT_EQ(stub_cuda_num_launches(), 4);
  EXPECT_EQ(stub_cuda_launch(0)->stream, stream);
  EXPECT_EQ(stub_cuda_launch(3)->stream, reinterpret_cast<void *>(2));
}

TEST_F(CudaTest, RestoresTheCurrentContext) {
  PlanPtr plan = load(makeAddPlan());
  EXPECT_EQ(stub_cuda_current(), nullptr);
  ASSERT_EQ(run(plan, buffers()), OG_OK) << og_last_error();
  EXPECT_EQ(stub_cuda_current(), nullptr);
  EXPECT_EQ(stub_cuda_launch(0)->device, 0);
}

TEST_F(CudaTest, RunsOnTheDeviceOfTheOperands) {
  PlanContents contents = makeAddPlan();
  contents.deviceVariants.push_back(makeDeviceVariant("sm_80"));
  PlanPtr plan = load(contents);
  DeviceArray<float> a(8, 1), b(8, 1), c(8, 1);
  std::vector<og_buffer> list = {makeDeviceBuffer(1, a.get(), eight, 1),
                                 makePointer(2, b.get()),
                                 makeDeviceBuffer(3, c.get(), eight, 1)};
  list[1].device = {0, 0};
  ASSERT_EQ(run(plan, list), OG_OK) << og_last_error();
  EXPECT_EQ(stub_cuda_launch(0)->device, 1);
  ASSERT_EQ(run(plan, buffers()), OG_OK) << og_last_error();
  EXPECT_EQ(stub_cuda_launch(1)->device, 0);
}

TEST_F(CudaTest, PassesEveryKindOfArgument) {
  PlanContents contents = makeAddPlan();
  Operand alpha = makeOperand(9, "alpha", OG_DTYPE_BFLOAT16, {1});
  alpha.byValue = true;
  alpha.alignment = 1;
  contents.operands.insert(contents.operands.begin() + 2, alpha);
  contents.operands[0].strideRule = OG_STRIDES_ANY;
  contents.workspaceShared = 256;
  LaunchArg scratch = makeArg(ArgKind::Scratch, ArgType::I32);
  scratch.expr = 64;
  LaunchArg constant = makeArg(ArgKind::Constant, ArgType::F64);
  constant.bits = 0x3ff8000000000000; // 1.5
  auto &launch = std::get<Launch>(contents.steps[0]);
  launch.dependent = true;
  launch.args = {makePointerArg(0, 4),
                 scratch,
                 makeIntegerArg(-7, ArgType::I32),
                 makeIntegerArg(4000000000, ArgType::U32),
                 makeIntegerArg(int64_t(1) << 40, ArgType::I64),
                 makeArg(ArgKind::Stride, ArgType::I64, 0),
                 makeArg(ArgKind::Scalar, ArgType::F32, 2),
                 makeArg(ArgKind::Scalar, ArgType::F64, 2),
                 makeArg(ArgKind::Scalar, ArgType::I32, 2),
                 constant};
  contents.deviceVariants = {
      makeDeviceVariant("sm_90a", "opgraph_k: 8 8 4 4 8 8 4 8 4 8\n")};
  DeviceKernel &kernel = contents.deviceVariants[0].kernels[0];
  kernel.dynamicShared = 100000;
  kernel.cluster[0] = 2;
  launch.grid[0] = 4;
  PlanPtr plan = load(contents);
  DeviceArray<float> wide(64);
  std::vector<int64_t> three = {3};
  std::vector<og_buffer> list = buffers();
  list[0] = makeDeviceBuffer(1, wide.get(), eight);
  list[0].strides = three.data();
  uint16_t value = 0x4020; // 2.5
  list.push_back(makePointer(9, &value));
  DeviceArray<uint8_t> workspace(256);
  ASSERT_EQ(run(plan, list, nullptr, workspace.get(), 256), OG_OK)
      << og_last_error();
  EXPECT_EQ(param<float *>(0, 0), wide.get() + 1);
  EXPECT_EQ(param<uint8_t *>(0, 1), workspace.get() + 64);
  EXPECT_EQ(param<int32_t>(0, 2), -7);
  EXPECT_EQ(param<uint32_t>(0, 3), 4000000000u);
  EXPECT_EQ(param<int64_t>(0, 4), int64_t(1) << 40);
  EXPECT_EQ(param<int64_t>(0, 5), 3);
  EXPECT_EQ(param<float>(0, 6), 2.5f);
  EXPECT_EQ(param<double>(0, 7), 2.5);
  EXPECT_EQ(param<int32_t>(0, 8), 2);
  EXPECT_EQ(param<double>(0, 9), 1.5);
  EXPECT_EQ(stub_cuda_launch(0)->shared, 100000u);
  EXPECT_EQ(stub_cuda_launch(0)->cluster[0], 2u);
  EXPECT_EQ(stub_cuda_launch(0)->dependent, 1);
}

TEST_F(CudaTest, EncodesTensorMaps) {
  PlanContents contents = makeAddPlan();
  contents.operands[0] = makeOperand(1, "x", OG_DTYPE_BFLOAT16, {16, 64});
  TensorMap map;
  map.base = makePointerArg(0);
  map.dtype = OG_DTYPE_BFLOAT16;
  map.extents = {16, 64};
  map.strides = {64, 1};
  map.box = {8, 32};
  map.swizzle = Swizzle::Sw64;
  contents.tensorMaps = {map};
  auto &launch = std::get<Launch>(contents.steps[0]);
  launch.args = {makeArg(ArgKind::TensorMap, ArgType::I32, 0)};
  contents.deviceVariants = {makeDeviceVariant("sm_90a", "opgraph_k: 128\n")};
  PlanPtr plan = load(contents);
  DeviceArray<uint16_t> data(16 * 64);
  std::vector<og_buffer> list = buffers();
  list[0].data = data.get();
  list[0].ndim = OG_BARE_POINTER;
  ASSERT_EQ(run(plan, list), OG_OK) << og_last_error();
  // Innermost first; a bfloat16 is the driver's 9.
  EXPECT_EQ(param<uint16_t *>(0, 0), data.get());
  uint64_t words[16];
  std::memcpy(words, stub_cuda_launch(0)->params[0], sizeof(words));
  EXPECT_EQ(words[1], uint64_t(9) << 32 | 2);
  EXPECT_EQ(words[2], uint64_t(2) << 32);
  EXPECT_EQ(words[3], 64u);
  EXPECT_EQ(words[4], 16u);
  EXPECT_EQ(words[8], 128u);
  EXPECT_EQ(words[11], 32u);
  EXPECT_EQ(words[12], 8u);
}

TEST_F(CudaTest, EncodesTensorMapsOfImages) {
  PlanContents contents = makeAddPlan();
  contents.operands[0] = makeOperand(1, "x", OG_DTYPE_BFLOAT16, {2, 6, 10, 64});
  TensorMap map;
  map.base = makePointerArg(0);
  map.dtype = OG_DTYPE_BFLOAT16;
  map.extents = {2, 6, 10, 64};
  map.strides = {3840, 640, 64, 1};
  map.box = {128, 1, 1, 64};
  map.lower = {-1, -2};
  map.upper = {-3, -4};
  map.steps = {1, 2};
  map.swizzle = Swizzle::Sw128;
  contents.tensorMaps = {map};
  auto &launch = std::get<Launch>(contents.steps[0]);
  launch.args = {makeArg(ArgKind::TensorMap, ArgType::I32, 0)};
  contents.deviceVariants = {makeDeviceVariant("sm_90a", "opgraph_k: 128\n")};
  PlanPtr plan = load(contents);
  DeviceArray<uint16_t> data(2 * 6 * 10 * 64);
  std::vector<og_buffer> list = buffers();
  list[0].data = data.get();
  list[0].ndim = OG_BARE_POINTER;
  ASSERT_EQ(run(plan, list), OG_OK) << og_last_error();
  uint64_t words[16];
  std::memcpy(words, stub_cuda_launch(0)->params[0], sizeof(words));
  EXPECT_EQ(words[1], uint64_t(9) << 32 | 4);
  EXPECT_EQ(words[2], uint64_t(3) << 32);
  EXPECT_EQ(words[3], 2u);
  EXPECT_EQ(words[4], 7680u);
  int numbers[13];
  std::memcpy(numbers, words + 5, sizeof(numbers));
  // Channels and pixels; corners and steps of W before H.
  EXPECT_EQ(std::vector<int>(numbers, numbers + 4),
            (std::vector<int>{64, 128, -2, -1}));
  EXPECT_EQ(std::vector<int>(numbers + 5, numbers + 7),
            (std::vector<int>{-4, -3}));
  EXPECT_EQ(std::vector<int>(numbers + 8, numbers + 12),
            (std::vector<int>{1, 2, 1, 1}));
}

TEST_F(CudaTest, FillsTheWorkspaceInOrder) {
  // Poisoning would fill, too.
  unsetenv("OPGRAPH_DEBUG_POISON");
  PlanContents contents = makeAddPlan();
  contents.workspaceShared = 256;
  contents.steps.insert(contents.steps.begin(), Fill{64, 128, 7});
  PlanPtr plan = load(contents);
  DeviceArray<uint8_t> workspace(256);
  ASSERT_EQ(run(plan, buffers(), nullptr, workspace.get(), 256), OG_OK)
      << og_last_error();
  ASSERT_EQ(stub_cuda_num_fills(), 1);
  EXPECT_EQ(stub_cuda_fill(0)->width, 128u);
  EXPECT_EQ(workspace[63], 0);
  EXPECT_EQ(workspace[64], 7);
  EXPECT_EQ(workspace[191], 7);
  EXPECT_EQ(workspace[192], 0);
}

TEST_F(CudaTest, EvaluatesBoundShapesAndOverrides) {
  PlanPtr bound = load(makeDynamicAddPlan());
  DeviceArray<float> large(5000);
  std::vector<int64_t> shape = {1000};
  std::vector<og_buffer> list = {
      makeDeviceBuffer(1, large.get(), shape),
      makeDeviceBuffer(2, large.get() + 1000, shape),
      makeDeviceBuffer(3, large.get() + 2000, shape)};
  ASSERT_EQ(run(bound, list), OG_OK) << og_last_error();
  EXPECT_EQ(stub_cuda_launch(0)->grid[0], 4u);
  EXPECT_EQ(param<int32_t>(0, 3), 1000);
  PlanPtr overridden = load(makeDynamicAddPlan(8));
  ASSERT_EQ(run(overridden, buffers()), OG_OK) << og_last_error();
  EXPECT_EQ(param<int32_t>(1, 3), 8);
  Pack pack(list);
  og_override item = {sizeof(og_override), 1, 1, shape.data(), nullptr};
  pack.overrides = &item;
  pack.num_overrides = 1;
  ASSERT_EQ(og_plan_execute(overridden.get(), &pack, nullptr), OG_OK)
      << og_last_error();
  EXPECT_EQ(param<int32_t>(2, 3), 1000);
}

TEST_F(CudaTest, LaunchesNothingForNoElements) {
  PlanPtr plan = load(makeDynamicAddPlan());
  std::vector<int64_t> none = {0};
  std::vector<og_buffer> list = {makeDeviceBuffer(1, nullptr, none),
                                 makeDeviceBuffer(2, nullptr, none),
                                 makeDeviceBuffer(3, nullptr, none)};
  ASSERT_EQ(run(plan, list), OG_OK) << og_last_error();
  EXPECT_EQ(stub_cuda_num_launches(), 0);
}

TEST_F(CudaTest, TakesManagedMemory) {
  PlanPtr plan = load(makeAddPlan());
  DeviceArray<float> managed(8, 0, /*managed=*/true);
  std::vector<og_buffer> list = buffers();
  list[1] = makeBuffer(2, managed.get(), eight);
  list[1].device = {OG_DEVICE_CUDA_MANAGED, 0};
  EXPECT_EQ(run(plan, list), OG_OK) << og_last_error();
}

TEST_F(CudaTest, TwoThreadsExecuteAtOnce) {
  PlanPtr plan = load(makeAddPlan());
  auto work = [&](int id) {
    DeviceArray<float> a(8), b(8), c(8);
    for (int i = 0; i < 8; ++i)
      a[i] = float(id);
    std::vector<og_buffer> list = {makeDeviceBuffer(1, a.get(), eight),
                                   makeDeviceBuffer(2, b.get(), eight),
                                   makeDeviceBuffer(3, c.get(), eight)};
    for (int repeat = 0; repeat < 200; ++repeat) {
      c[7] = -1;
      ASSERT_EQ(run(plan, list), OG_OK) << og_last_error();
      ASSERT_EQ(c[7], float(id));
    }
  };
  std::thread first(work, 1), second(work, 2);
  first.join();
  second.join();
}

TEST_F(CudaTest, PoisonsWhatItWrites) {
  setenv("OPGRAPH_DEBUG_POISON", "1", 1);
  PlanContents contents = makeAddPlan();
  contents.operands[2] = makeOperand(3, "out", OG_DTYPE_FLOAT, {2, 3}, true);
  contents.operands[2].strides = {5, 1};
  contents.workspaceShared = 256;
  contents.deviceVariants = {
      makeDeviceVariant("sm_90a", "opgraph_k: 8 8 8 4\n")};
  PlanPtr plan = load(contents);
  unsetenv("OPGRAPH_DEBUG_POISON");
  DeviceArray<uint8_t> workspace(256);
  std::vector<int64_t> shape = {2, 3}, strides = {5, 1};
  std::vector<og_buffer> list = buffers();
  list[2] = makeDeviceBuffer(3, out.get(), shape);
  list[2].strides = strides.data();
  ASSERT_EQ(run(plan, list, nullptr, workspace.get(), 256), OG_OK)
      << og_last_error();
  EXPECT_NE(out[0], out[0]);
  EXPECT_NE(out[7], out[7]);
  EXPECT_EQ(out[3], -1);
  EXPECT_EQ(out[4], -1);
  EXPECT_EQ(workspace[255], 0xff);
}

} // namespace
