//===- PlanTimesTest.cpp - The model of measured times --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Planning/PlanTimes.h"
#include "TestPlanning.h"

using namespace llvm;
using namespace opgraph;
using namespace opgraph::graph;
using namespace opgraph::planning;
using namespace opgraph::planning::test;

namespace {
Target makeTarget(int64_t arch) {
  Target target;
  target.kind = TargetKind::Cuda;
  target.arch = arch;
  return target;
}

/// A matmul of n x n by n x n in bf16.
std::string makeMatmul(int64_t n) {
  std::string type =
      "tensor<1x" + std::to_string(n) + "x" + std::to_string(n) + "xbf16>";
  return "graph.graph @mm(%a: " + type + " {graph.uid = 1 : i64}, %b: " + type +
         " {graph.uid = 2 : i64}) -> (" + type +
         " {graph.uid = 3 : i64}) {\n  %0 = graph.matmul %a, %b : (" + type +
         ", " + type + ") -> " + type + "\n  graph.return %0 : " + type + "\n}";
}
} // namespace

TEST(PlanTimes, KnowsWhatWasMeasured) {
  GraphFixture matmul(makeMatmul(4096));
  EXPECT_TRUE(PlanTimes::at(matmul.facts(), makeTarget(90)));
  EXPECT_FALSE(PlanTimes::at(matmul.facts(), makeTarget(80)));
  GraphFixture relu(kReluGraph);
  EXPECT_FALSE(PlanTimes::at(relu.facts(), makeTarget(90)));
}

TEST(PlanTimes, PredictsLargeMatmulsAsMeasured) {
  // 2 * 4096^3 operations took 170 to 260 us with the library's settings.
  GraphFixture matmul(makeMatmul(4096));
  auto times = PlanTimes::at(matmul.facts(), makeTarget(90));
  ASSERT_TRUE(times);
  int64_t known = times->predict(4, {Knob::of(KnobType::KERNEL_CFG, 2)});
  EXPECT_GT(known, 130000);
  EXPECT_LT(known, 400000);
  // Engines and settings that nobody saw have times as well.
  EXPECT_GT(times->predict(99, {}), 50000);
  EXPECT_GT(times->predict(4, {Knob::of(KnobType::KERNEL_CFG, 999)}), 50000);
}

TEST(PlanTimes, NothingIsBelowTheLeast) {
  for (int64_t n : {64, 512, 4096}) {
    GraphFixture matmul(makeMatmul(n));
    auto times = PlanTimes::at(matmul.facts(), makeTarget(90));
    ASSERT_TRUE(times);
    for (int64_t engine : {0, 1, 4, 7, 50})
      for (int64_t value = 0; value < 60; ++value)
        EXPECT_GE(
            times->predict(engine, {Knob::of(KnobType::KERNEL_CFG, value)}),
            times->leastOfLibrary());
  }
}
