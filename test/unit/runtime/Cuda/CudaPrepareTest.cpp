//===- CudaPrepareTest.cpp - Loading code into devices --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "opgraph-c/device.h"
#include "runtime/Cuda/ModuleCache.h"
#include "runtime/Cuda/Scalars.h"
#include "runtime/Cuda/Target.h"
#include "test/unit/runtime/Cuda/TestCuda.h"

#include <cmath>
#include <thread>

using namespace opgraph::planfile;
using namespace opgraph::runtime::cuda;
using namespace opgraph::test;
namespace fb = opgraph::planfile::fb;

namespace {

og_status prepare(const PlanPtr &plan, int device = 0) {
  return og_plan_prepare(plan.get(), {OG_DEVICE_CUDA, device});
}

/// Code that no other test has loaded.
PlanContents makeFreshPlan() {
  static int number = 0;
  PlanContents contents = makeAddPlan();
  std::string name = "opgraph_fresh_" + std::to_string(number++);
  contents.deviceVariants = {makeDeviceVariant("sm_90a", name + ": 8 8 8 4\n")};
  return contents;
}

TEST_F(CudaTest, LoadingAPlanLeavesTheDriverAlone) {
  load(makeFreshPlan());
  EXPECT_EQ(stub_cuda_count("cuModuleLoadDataEx"), 0);
}

TEST_F(CudaTest, LoadsCodeOnceForAllPlans) {
  PlanContents contents = makeFreshPlan();
  PlanPtr first = load(contents), second = load(contents);
  ASSERT_EQ(prepare(first), OG_OK) << og_last_error();
  ASSERT_EQ(prepare(first), OG_OK);
  ASSERT_EQ(prepare(second), OG_OK);
  EXPECT_EQ(stub_cuda_count("cuModuleLoadDataEx"), 1);
  // What no plan uses is kept for the next.
  first.reset();
  second.reset();
  PlanPtr third = load(contents);
  ASSERT_EQ(prepare(third), OG_OK);
  EXPECT_EQ(stub_cuda_count("cuModuleLoadDataEx"), 1);
  EXPECT_EQ(stub_cuda_count("cuModuleUnload"), 0);
}

TEST_F(CudaTest, KeepsABoundedNumberOfIdleModules) {
  for (size_t i = 0; i < maxIdleModules + 10; ++i)
    ASSERT_EQ(prepare(load(makeFreshPlan())), OG_OK) << og_last_error();
  EXPECT_LE(numLoadedModules(), maxIdleModules + 8);
  EXPECT_GT(stub_cuda_count("cuModuleUnload"), 0);
}

TEST_F(CudaTest, ThreadsPrepareOnePlanAtOnce) {
  PlanPtr plan = load(makeFreshPlan());
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] { EXPECT_EQ(prepare(plan), OG_OK); });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(stub_cuda_count("cuModuleLoadDataEx"), 1);
}

TEST_F(CudaTest, ChoosesTheBestCode) {
  PlanContents contents = makeFreshPlan();
  DeviceVariant older = contents.deviceVariants[0];
  older.target = "sm_80";
  older.ptx = "//stub\n";
  older.ptxVersion = 80;
  contents.deviceVariants.insert(contents.deviceVariants.begin(), older);
  PlanPtr plan = load(contents);
  ASSERT_EQ(prepare(plan, 0), OG_OK) << og_last_error();
  EXPECT_STREQ(og_plan_variant(plan.get()), "sm_90a");
  plan = load(contents);
  ASSERT_EQ(prepare(plan, 1), OG_OK) << og_last_error();
  EXPECT_STREQ(og_plan_variant(plan.get()), "sm_80");
}

TEST_F(CudaTest, CompilesPtxWhereNoCubinRuns) {
  PlanContents contents = makeFreshPlan();
  DeviceVariant &variant = contents.deviceVariants[0];
  variant.target = "sm_80";
  variant.ptx = "//stub\n" + variant.kernels[0].name + ": 8 8 8 4\n";
  variant.ptxVersion = 78;
  variant.cubin.clear();
  PlanPtr plan = load(contents);
  ASSERT_EQ(prepare(plan, 0), OG_OK) << og_last_error();
  variant.ptxVersion = 91;
  expectStatus(prepare(load(contents), 0), OG_UNSUPPORTED,
               {"sm_80 (PTX 9.1)", "CUDA device 0 is sm_90",
                "driver 13.0 compiles PTX up to 9.0"});
}

TEST_F(CudaTest, RefusesADeviceItHasNoCodeFor) {
  PlanPtr plan = load(makeFreshPlan());
  expectStatus(
      prepare(plan, 1), OG_UNSUPPORTED,
      {"plan 'sum' has code for sm_90a (cubin)", "CUDA device 1 is sm_80"});
  expectStatus(prepare(plan, 2), OG_UNSUPPORTED, {"no CUDA device 2", "has 2"});
  expectStatus(prepare(plan, -1), OG_UNSUPPORTED, {"no CUDA device -1"});
  expectStatus(og_plan_prepare(plan.get(), {OG_DEVICE_HOST, 0}), OG_UNSUPPORTED,
               {"CUDA device (type 2)", "device type 1"});
}

TEST_F(CudaTest, AFailedLoadIsTriedAgain) {
  PlanPtr plan = load(makeFreshPlan());
  stub_cuda_fail("cuModuleLoadDataEx", 2, 0);
  expectStatus(prepare(plan), OG_RESOURCE,
               {"plan 'sum'", "cannot load its code for sm_90a",
                "CUDA device 0", "the stub's log",
                "CUDA_ERROR_OUT_OF_MEMORY (2)"});
  expectStatus(run(plan, buffers()), OG_RESOURCE, {"cannot load"});
  stub_cuda_fail("cuModuleLoadDataEx", 0, 0);
  EXPECT_EQ(prepare(plan), OG_OK) << og_last_error();
  plan = load(makeFreshPlan());
  stub_cuda_fail("cuModuleLoadDataEx", 209, 0);
  expectStatus(prepare(plan), OG_UNSUPPORTED, {"(209)"});
  stub_cuda_fail("cuModuleLoadDataEx", 0, 0);
  stub_cuda_fail("cuModuleGetFunction", 500, 0);
  expectStatus(prepare(plan), OG_INTERNAL, {"has no kernel 'opgraph_fresh_"});
  EXPECT_GE(stub_cuda_count("cuModuleUnload"), 1);
  EXPECT_EQ(stub_cuda_current(), nullptr);
}

TEST_F(CudaTest, RefusesMoreThanADeviceHas) {
  PlanContents contents = makeFreshPlan();
  contents.deviceVariants[0].kernels[0].dynamicShared = 232448;
  expectStatus(prepare(load(contents)), OG_UNSUPPORTED,
               {"kernel 'opgraph_fresh_", "232512 bytes of shared memory",
                "device 0 has 232448"});
}

TEST_F(CudaTest, ComparesArgumentsWithTheKernel) {
  PlanContents contents = makeFreshPlan();
  auto &launch = std::get<Launch>(contents.steps[0]);
  launch.args.pop_back();
  expectStatus(prepare(load(contents)), OG_DATA_LOSS,
               {"has more parameters than the 3"});
  launch.args.push_back(makeIntegerArg(8, ArgType::I64));
  expectStatus(prepare(load(contents)), OG_DATA_LOSS,
               {"parameter 3", "has 4 bytes, its launch passes 8"});
  launch.args[3] = makeIntegerArg(8);
  launch.args.push_back(makeIntegerArg(8));
  expectStatus(prepare(load(contents)), OG_DATA_LOSS,
               {"has no parameter 4, its launch passes 5"});
}

TEST_F(CudaTest, DescribesADevice) {
  char text[4096];
  size_t length = 0;
  ASSERT_EQ(og_cuda_describe(0, text, sizeof(text), &length), OG_OK);
  EXPECT_EQ(std::strlen(text), length);
  std::string all = text;
  EXPECT_NE(all.find("\"deviceVer\":900"), std::string::npos) << all;
  EXPECT_NE(all.find("\"multiProcessorCount\":132"), std::string::npos);
  // A quote in the name does not end the text.
  EXPECT_NE(all.find("\"deviceName\":\"Stub GPU 0\"}"), std::string::npos);
  size_t again = 0;
  char little[10];
  ASSERT_EQ(og_cuda_describe(0, little, sizeof(little), &again), OG_OK);
  EXPECT_EQ(again, length);
  EXPECT_EQ(std::strlen(little), 9u);
  EXPECT_EQ(og_cuda_describe(5, text, sizeof(text), &length), OG_UNSUPPORTED);
  int32_t count = 0, version = 0;
  EXPECT_EQ(og_cuda_device_count(&count), OG_OK);
  EXPECT_EQ(count, 2);
  EXPECT_EQ(og_cuda_driver_version(&version), OG_OK);
  EXPECT_EQ(version, 13000);
}

TEST_F(CudaTest, GivesMemoryOfEachDevice) {
  for (og_device device :
       {og_device{OG_DEVICE_HOST, 0}, og_device{OG_DEVICE_CUDA, 0},
        og_device{OG_DEVICE_CUDA, 1}}) {
    void *memory = nullptr;
    ASSERT_EQ(og_device_alloc(device, 100, &memory), OG_OK) << og_last_error();
    EXPECT_EQ(reinterpret_cast<uintptr_t>(memory) % 256, 0u);
    char sent[100] = "sent", received[100] = "";
    EXPECT_EQ(og_device_upload(device, memory, sent, 100), OG_OK);
    EXPECT_EQ(og_device_synchronize(device), OG_OK);
    EXPECT_EQ(og_device_download(device, received, memory, 100), OG_OK);
    EXPECT_STREQ(received, "sent");
    EXPECT_EQ(og_device_free(device, memory), OG_OK);
    ASSERT_EQ(og_device_alloc(device, 0, &memory), OG_OK);
    EXPECT_EQ(memory, nullptr);
    EXPECT_EQ(og_device_free(device, nullptr), OG_OK);
  }
  EXPECT_EQ(stub_cuda_current(), nullptr);
  void *memory = nullptr;
  EXPECT_EQ(og_device_alloc({OG_DEVICE_CUDA, 7}, 1, &memory), OG_UNSUPPORTED);
  EXPECT_EQ(og_device_alloc({99, 0}, 1, &memory), OG_UNSUPPORTED);
  stub_cuda_fail("cuMemAlloc_v2", 2, 0);
  expectStatus(og_device_alloc({OG_DEVICE_CUDA, 0}, 1, &memory), OG_RESOURCE,
               {"og_device_alloc: CUDA device 0", "(2)"});
  EXPECT_EQ(memory, nullptr);
}

TEST(CodeTarget, Names) {
  CodeTarget target;
  EXPECT_TRUE(parseCodeTarget("sm_90a", target));
  EXPECT_EQ(target.capability, 90);
  EXPECT_EQ(target.suffix, 'a');
  EXPECT_TRUE(parseCodeTarget("sm_120", target));
  EXPECT_EQ(target.capability, 120);
  for (const char *name :
       {"", "sm_", "sm_9", "sm_90b", "sm_90aa", "sm_99999", "x86-64-v3"})
    EXPECT_FALSE(parseCodeTarget(name, target)) << name;
}

TEST(CodeTarget, WhereCodeRuns) {
  EXPECT_TRUE(runsCubin({90, 'a'}, 90));
  EXPECT_FALSE(runsCubin({90, 'a'}, 100));
  EXPECT_TRUE(runsCubin({80, 0}, 86));
  EXPECT_FALSE(runsCubin({86, 0}, 80));
  EXPECT_FALSE(runsCubin({80, 0}, 90));
  EXPECT_TRUE(runsCubin({100, 'f'}, 103));
  EXPECT_TRUE(runsPtx({80, 0}, 120));
  EXPECT_FALSE(runsPtx({90, 'a'}, 100));
  EXPECT_FALSE(runsPtx({100, 'f'}, 120));
}

TEST(CodeTarget, PtxOfDrivers) {
  EXPECT_EQ(newestPtx(11080), 78);
  EXPECT_EQ(newestPtx(12000), 80);
  EXPECT_EQ(newestPtx(12060), 85);
  EXPECT_EQ(newestPtx(12080), 87);
  EXPECT_EQ(newestPtx(13000), 90);
  EXPECT_EQ(og_cuda_newest_ptx(12070), 86);
}

template <typename From>
uint64_t convert(og_dtype dtype, From value, fb::ArgType type) {
  return convertScalar(dtype, &value, type);
}

template <typename T>
T as(uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof(T));
  return value;
}

TEST(Scalars, Conversions) {
  EXPECT_EQ(as<float>(convert(OG_DTYPE_DOUBLE, 0.1, fb::ArgType_F32)), 0.1f);
  EXPECT_EQ(
      as<float>(convert<uint16_t>(OG_DTYPE_HALF, 0xc100, fb::ArgType_F32)),
      -2.5f);
  EXPECT_EQ(as<float>(convert<uint16_t>(OG_DTYPE_HALF, 1, fb::ArgType_F32)),
            0x1p-24f);
  EXPECT_EQ(
      as<float>(convert<uint16_t>(OG_DTYPE_HALF, 0x7c00, fb::ArgType_F32)),
      INFINITY);
  EXPECT_TRUE(std::isnan(
      as<float>(convert<uint16_t>(OG_DTYPE_HALF, 0x7e00, fb::ArgType_F32))));
  EXPECT_EQ(as<int32_t>(convert(OG_DTYPE_DOUBLE, 1e300, fb::ArgType_I32)),
            INT32_MAX);
  EXPECT_EQ(as<int32_t>(convert(OG_DTYPE_DOUBLE, -2.9, fb::ArgType_I32)), -2);
  EXPECT_EQ(as<int64_t>(convert(OG_DTYPE_DOUBLE, 0x1p63, fb::ArgType_I64)),
            INT64_MAX);
  EXPECT_EQ(as<int64_t>(convert<double>(OG_DTYPE_DOUBLE, NAN, fb::ArgType_I64)),
            0);
  EXPECT_EQ(
      as<int64_t>(convert<int64_t>(OG_DTYPE_INT64, INT64_MIN, fb::ArgType_I64)),
      INT64_MIN);
  EXPECT_EQ(as<float>(convert<int8_t>(OG_DTYPE_INT8, -3, fb::ArgType_F32)),
            -3.f);
  EXPECT_EQ(as<int32_t>(convert<uint8_t>(OG_DTYPE_BOOLEAN, 7, fb::ArgType_I32)),
            1);
}

} // namespace
