//===- CudaRefuseTest.cpp - What is refused before a launch ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "test/unit/runtime/Cuda/TestCuda.h"

using namespace opgraph::planfile;
using namespace opgraph::test;

namespace {

/// A plan whose every refusal must leave the device alone.
class CudaRefuseTest : public CudaTest {
protected:
  void refuses(const PlanPtr &plan, const std::vector<og_buffer> &list,
               og_status status, const std::vector<std::string> &texts,
               void *stream = nullptr, void *workspace = nullptr,
               size_t bytes = 0) {
    expectStatus(run(plan, list, stream, workspace, bytes), status, texts);
    EXPECT_EQ(stub_cuda_num_launches(), 0);
    EXPECT_EQ(stub_cuda_num_fills(), 0);
    EXPECT_EQ(stub_cuda_current(), nullptr);
  }
};

TEST_F(CudaRefuseTest, HostMemory) {
  PlanPtr plan = load(makeAddPlan());
  float host[8] = {};
  std::vector<og_buffer> list = buffers();
  // As a framework says it, and as only the driver knows it.
  list[1] = makeBuffer(2, host, eight);
  refuses(plan, list, OG_INVALID_VARIANT_PACK,
          {"operand 'y' (uid 2)", "device type 1", "a CUDA device (type 2)"});
  list[1].device = {0, 0};
  refuses(plan, list, OG_INVALID_VARIANT_PACK,
          {"operand 'y' (uid 2)", "memory of the host"});
  list[1] = makePointer(2, host);
  list[1].device = {OG_DEVICE_CUDA, 0};
  refuses(plan, list, OG_INVALID_VARIANT_PACK, {"memory of the host"});
  DeviceArray<float> pinned(8, -1);
  list[1].data = pinned.get();
  refuses(plan, list, OG_INVALID_VARIANT_PACK, {"memory of the host"});
}

TEST_F(CudaRefuseTest, DeviceMemoryOnAHostPlan) {
  PlanPtr plan = load(makeScalePlan(8));
  std::vector<og_buffer> list = {makeDeviceBuffer(1, x.get(), eight),
                                 makeDeviceBuffer(2, y.get(), eight)};
  refuses(plan, list, OG_INVALID_VARIANT_PACK,
          {"operand 'x' (uid 1)", "device type 2", "the host (type 1)"});
}

TEST_F(CudaRefuseTest, TwoDevices) {
  PlanPtr plan = load(makeAddPlan());
  DeviceArray<float> other(8, 1);
  std::vector<og_buffer> list = buffers();
  list[2] = makeDeviceBuffer(3, other.get(), eight, 1);
  refuses(plan, list, OG_INVALID_VARIANT_PACK,
          {"output 'out' (uid 3) is on CUDA device 1", "operand 'x' (uid 1)",
           "device 0"});
  list[2].device.id = 0;
  refuses(plan, list, OG_INVALID_VARIANT_PACK,
          {"output 'out' (uid 3) is given as on CUDA device 0", "on device 1"});
}

TEST_F(CudaRefuseTest, Workspace) {
  PlanContents contents = makeAddPlan();
  contents.workspaceShared = 256;
  PlanPtr plan = load(contents);
  DeviceArray<uint8_t> device(1024), other(1024, 1);
  alignas(256) uint8_t host[256];
  auto check = [&](void *workspace, size_t bytes, const char *text) {
    refuses(plan, buffers(), OG_INVALID_VARIANT_PACK, {"the workspace", text},
            nullptr, workspace, bytes);
  };
  check(nullptr, 0, "is null");
  check(device.get(), 255, "255 bytes, expected 256");
  check(device.get() + 64, 512, "alignment to 256");
  check(host, 256, "memory of the host");
  check(other.get(), 256, "CUDA device 1");
}

TEST_F(CudaRefuseTest, MisalignedOperand) {
  PlanContents contents = makeAddPlan(4);
  contents.operands[0].alignment = 16;
  PlanPtr plan = load(contents);
  std::vector<int64_t> four = {4};
  std::vector<og_buffer> list = {makeDeviceBuffer(1, x.get() + 1, four),
                                 makeDeviceBuffer(2, y.get(), four),
                                 makeDeviceBuffer(3, out.get(), four)};
  refuses(plan, list, OG_INVALID_VARIANT_PACK,
          {"operand 'x' (uid 1)", "alignment to 16"});
}

TEST_F(CudaRefuseTest, StreamOfAnotherContext) {
  PlanPtr plan = load(makeAddPlan());
  refuses(plan, buffers(), OG_INVALID_VARIANT_PACK,
          {"plan 'sum'", "another context"}, stub_cuda_stream(0, 0));
  refuses(plan, buffers(), OG_INVALID_VARIANT_PACK, {"another context"},
          stub_cuda_stream(1, 1));
}

TEST_F(CudaRefuseTest, CaptureOfAnUnpreparedPlan) {
  PlanPtr plan = load(makeAddPlan());
  void *stream = stub_cuda_stream(0, 1);
  stub_cuda_capture(stream, 1);
  refuses(plan, buffers(), OG_NOT_PREPARED,
          {"plan 'sum' is not prepared for CUDA device 0", "capturing"},
          stream);
  refuses(plan, buffers(), OG_NOT_PREPARED, {"capturing"}, nullptr);
  // Preparing is legal at any time, and then so is executing.
  EXPECT_EQ(og_plan_prepare(plan.get(), {OG_DEVICE_CUDA, 0}), OG_OK)
      << og_last_error();
  EXPECT_EQ(run(plan, buffers(), stream), OG_OK) << og_last_error();
  EXPECT_EQ(stub_cuda_num_launches(), 1);
  stub_cuda_capture(stream, 0);
}

TEST_F(CudaRefuseTest, NumbersThatDoNotFit) {
  PlanPtr plan = load(makeDynamicAddPlan());
  std::vector<int64_t> shape = {int64_t(1) << 32};
  std::vector<og_buffer> list = {makeDeviceBuffer(1, x.get(), shape),
                                 makeDeviceBuffer(2, y.get(), shape),
                                 makeDeviceBuffer(3, out.get(), shape)};
  for (og_buffer &buffer : list)
    buffer.data = x.get();
  PlanContents contents = makeDynamicAddPlan();
  contents.aliases = {{0, 2}, {1, 2}};
  plan = load(contents);
  refuses(plan, list, OG_INVALID_VARIANT_PACK,
          {"plan 'sum', step 0 (opgraph_add_f32)", "argument 3 is 4294967296",
           "i32"});
  auto &launch = std::get<Launch>(contents.steps[0]);
  launch.grid[1] = Expr::symbol(0);
  plan = load(contents);
  refuses(plan, list, OG_INVALID_VARIANT_PACK,
          {"grid axis 1 is 4294967296", "0 to 65535"});
}

TEST_F(CudaRefuseTest, OffsetsBeyondTheMemory) {
  PlanContents contents = makeAddPlan();
  auto &launch = std::get<Launch>(contents.steps[0]);
  launch.args[1] = makePointerArg(1, 33);
  refuses(load(contents), buffers(), OG_INVALID_VARIANT_PACK,
          {"byte 33 of operand 'y' (uid 2)", "bytes 0 to 32"});
  launch.args[1] = makeArg(ArgKind::Scratch, ArgType::I32);
  launch.args[1].expr = 64;
  refuses(load(contents), buffers(), OG_INVALID_VARIANT_PACK,
          {"byte 64 of a workspace of 0"});
}

TEST_F(CudaRefuseTest, GridThatNoClusterDivides) {
  PlanContents contents = makeAddPlan();
  contents.deviceVariants[0].kernels[0].cluster[0] = 2;
  refuses(load(contents), buffers(), OG_INVALID_VARIANT_PACK,
          {"grid axis 0 of kernel 'opgraph_add_f32' is 1",
           "multiple of its cluster's 2"});
}

TEST_F(CudaRefuseTest, TensorMapsThatTheHardwareHasNot) {
  PlanContents contents = makeDynamicAddPlan();
  TensorMap map;
  map.base = makePointerArg(0);
  map.dtype = OG_DTYPE_FLOAT;
  map.extents = {2, Expr::symbol(0)};
  map.strides = {Expr::symbol(0), 1};
  map.box = {2, 4};
  contents.tensorMaps = {map};
  PlanPtr plan = load(contents);
  std::vector<int64_t> seven = {7};
  std::vector<og_buffer> list = {makeDeviceBuffer(1, x.get(), seven),
                                 makeDeviceBuffer(2, y.get(), seven),
                                 makeDeviceBuffer(3, out.get(), seven)};
  refuses(plan, list, OG_INVALID_VARIANT_PACK,
          {"tensor map 0", "the stride of axis 0 is 7", "multiple of 16"});
  for (og_buffer &buffer : list)
    buffer.shape = eight.data();
  list[0].data = x.get() + 1;
  refuses(plan, list, OG_INVALID_VARIANT_PACK,
          {"tensor map 0", "alignment to 16"});
}

TEST_F(CudaTest, FaultsNamePlanKernelAndShape) {
  PlanPtr plan = load(makeAddPlan());
  stub_cuda_fail("cuLaunchKernelEx", 700, 0);
  expectStatus(run(plan, buffers()), OG_UNAVAILABLE,
               {"plan 'sum'", "kernel 'opgraph_add_f32'", "grid [1, 1, 1]",
                "blocks of 256 threads", "CUDA device 0",
                "CUDA_ERROR_ILLEGAL_ADDRESS (700)", "work before it"});
  EXPECT_EQ(stub_cuda_current(), nullptr);
  stub_cuda_fail("cuLaunchKernelEx", 0, 0);
  stub_cuda_fail("cuStreamSynchronize", 700, 0);
  EXPECT_EQ(run(plan, buffers()), OG_OK);
  EXPECT_EQ(stub_cuda_count("cuStreamSynchronize"), 0);
  setenv("OPGRAPH_DEBUG_SYNC", "1", 1);
  plan = load(makeAddPlan());
  unsetenv("OPGRAPH_DEBUG_SYNC");
  expectStatus(run(plan, buffers()), OG_UNAVAILABLE,
               {"fault in kernel 'opgraph_add_f32'", "(700)"});
}

} // namespace
