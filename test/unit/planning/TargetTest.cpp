//===- TargetTest.cpp - Reading device descriptions -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Planning/Target.h"
#include "gtest/gtest.h"

using namespace opgraph::planning;

static std::string errorOf(llvm::StringRef text) {
  std::string error;
  EXPECT_FALSE(Target::parse(text, error)) << text.str();
  return error;
}

TEST(Target, Host) {
  std::string error;
  auto target = Target::parse("host", error);
  ASSERT_TRUE(target);
  EXPECT_EQ(target->kind, TargetKind::Host);
  EXPECT_EQ(target->name, "host");
}

TEST(Target, DeviceDescription) {
  std::string error;
  auto target = Target::parse(OPGRAPH_DEVICES_DIR "/h200.json", error);
  ASSERT_TRUE(target) << error;
  EXPECT_EQ(target->kind, TargetKind::Cuda);
  EXPECT_EQ(target->name, "sm_90:NVIDIA_H200");
  EXPECT_EQ(target->arch, 90);
  EXPECT_EQ(target->multiprocessors, 132);
  EXPECT_EQ(target->sharedMemoryPerBlock, 232448);
  EXPECT_EQ(target->memoryBytes, 150109880320);
  EXPECT_EQ(target->driver, 13000);
}

TEST(Target, Architectures) {
  std::string error;
  for (auto [name, arch] : {std::pair("sm_80", 80),
                            {"sm_86", 86},
                            {"sm_89", 89},
                            {"sm_90a", 90},
                            {"sm_100a", 100},
                            {"sm_120a", 120}}) {
    auto target = Target::parse(name, error);
    ASSERT_TRUE(target) << error;
    EXPECT_EQ(target->kind, TargetKind::Cuda);
    EXPECT_EQ(target->name, name);
    EXPECT_EQ(target->arch, arch);
    EXPECT_GT(target->multiprocessors, 0);
    EXPECT_EQ(target->driver, 0);
  }
  auto named = Target::parse("sm_90a", error);
  auto described = Target::parse(OPGRAPH_DEVICES_DIR "/h200.json", error);
  EXPECT_EQ(named->sharedMemoryPerBlock, described->sharedMemoryPerBlock);
  EXPECT_NE(errorOf("sm_90").find("sm_90a"), std::string::npos);
}

TEST(Target, Mistakes) {
  EXPECT_EQ(errorOf("/nowhere.json"),
            "expected target 'host', sm_80, sm_86, sm_89, sm_90a, sm_100a, "
            "sm_120a or a device description, got '/nowhere.json': No such "
            "file or directory");
  EXPECT_NE(errorOf("{").find("device description is not JSON"),
            std::string::npos);
  EXPECT_NE(errorOf("{}").find("'deviceVer'"), std::string::npos);
  EXPECT_EQ(errorOf(R"({"deviceVer": 900, "deviceName": "X"})"),
            "expected the device description to have a positive "
            "'multiProcessorCount'");
}
