//===- PtxasReportTest.cpp - What is read of ptxas -v ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "codegen/NVPTX/Ptxas.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace opgraph::codegen;

namespace {

// Copied from ptxas 13.0.
constexpr char kTwoKernels[] = R"(ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'opgraph_a' for 'sm_90a'
ptxas info    : Function properties for opgraph_a
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 168 registers, used 16 barriers, 1024 bytes smem
ptxas info    : Compile time = 240.000 ms
ptxas info    : Compiling entry function 'opgraph_b' for 'sm_90a'
ptxas info    : Function properties for opgraph_b
    72 bytes stack frame, 24 bytes spill stores, 40 bytes spill loads
ptxas info    : Used 255 registers, used 1 barriers, 72 bytes cumulative stack size
)";

TEST(PtxasReportTest, ReadsEachKernel) {
  PtxasReport report = parsePtxasReport(kTwoKernels);
  ASSERT_EQ(report.kernels.size(), 2u);
  EXPECT_TRUE(report.warnings.empty());
  const KernelResources &a = report.kernels["opgraph_a"];
  EXPECT_EQ(a.registers, 168u);
  EXPECT_EQ(a.staticShared, 1024u);
  EXPECT_EQ(a.stackBytes + a.spillStores + a.spillLoads, 0u);
  const KernelResources &b = report.kernels["opgraph_b"];
  EXPECT_EQ(b.registers, 255u);
  EXPECT_EQ(b.stackBytes, 72u);
  EXPECT_EQ(b.spillStores, 24u);
  EXPECT_EQ(b.spillLoads, 40u);
  EXPECT_EQ(b.staticShared, 0u);
}

TEST(PtxasReportTest, KeepsWarningsOfAsynchronousMmas) {
  PtxasReport report = parsePtxasReport(
      "ptxas info    : (C7511) Potential Performance Loss: wgmma.mma_async "
      "instructions are serialized due to insufficient register resources\n"
      "ptxas info    : (C7508) Potential Performance Loss: 'setmaxnreg' "
      "ignored to maintain minimum register requirements.\n"
      "ptxas warning : (C4001) something else\n");
  ASSERT_EQ(report.warnings.size(), 2u);
  EXPECT_THAT(report.warnings[0], testing::HasSubstr("C7511"));
  EXPECT_THAT(report.warnings[1], testing::HasSubstr("setmaxnreg"));
}

TEST(PtxasReportTest, EmptyAndForeignTextNamesNoKernel) {
  EXPECT_TRUE(parsePtxasReport("").kernels.empty());
  EXPECT_TRUE(
      parsePtxasReport("12 registers\n'x'\n bytes smem").kernels.empty());
}

} // namespace
