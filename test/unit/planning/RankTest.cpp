//===- RankTest.cpp - Order, dedup, modes and filters of the plan list ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "TestPlanning.h"
#include <chrono>

using namespace opgraph;
using namespace opgraph::graph;
using namespace opgraph::planning;
using namespace opgraph::planning::test;

using Names = std::vector<std::string>;

static Knobs tileM(int64_t value) {
  return {Knob::of(KnobType::TILE_M, value)};
}

namespace {
class Rank : public testing::Test {
protected:
  Rank() {
    resetFakes();
    request.manifest = &fakeManifest();
  }
  PlanOutcome plan() { return planGraph(fixture.graph(), request); }

  GraphFixture fixture{kReluGraph};
  PlanRequest request;
};
} // namespace

TEST_F(Rank, ByPredictedTimeAcrossEngines) {
  fake(0).settings = {{tileM(6), 300, 0}, {tileM(8), 100, 0}};
  fake(1).settings = {{{}, 200, 0}};
  request.modes = {HeurMode::A};
  EXPECT_EQ(names(plan()),
            (Names{"fake.a:11000:v1[TILE_M=8]@host", "fake.b:11100:v3@host",
                   "fake.a:11000:v1[TILE_M=6]@host"}));
}

TEST_F(Rank, TiesGoToTheEarlierRow) {
  fake(0).settings = {{tileM(8), 100, 0}, {tileM(6), 100, 0}};
  fake(1).settings = {{{}, 100, 0}};
  request.modes = {HeurMode::A};
  EXPECT_EQ(names(plan()),
            (Names{"fake.a:11000:v1[TILE_M=8]@host",
                   "fake.a:11000:v1[TILE_M=6]@host", "fake.b:11100:v3@host"}));
}

TEST_F(Rank, FirstPositionAndModeWin) {
  fake(0).settings = {{tileM(6), 100, 0}, {tileM(8), 300, 0}};
  fake(0).fallback = 1;
  request.modes = {HeurMode::FALLBACK, HeurMode::A, HeurMode::B};
  PlanOutcome outcome = plan();
  EXPECT_EQ(names(outcome),
            (Names{"fake.b:11100:v3@host", "fake.a:11000:v1[TILE_M=8]@host",
                   "fake.a:11000:v1[TILE_M=6]@host"}));
  EXPECT_EQ(outcome.plans[1].getMode(), HeurMode::FALLBACK);
  EXPECT_EQ(outcome.plans[2].getMode(), HeurMode::A);
}

TEST_F(Rank, EngineThatKeepsItsOrder) {
  fake(0).ordered = true;
  fake(0).settings = {{tileM(6), 300, 0}, {tileM(8), 100, 0}};
  fake(1).settings = {{{}, 200, 0}};
  request.modes = {HeurMode::A};
  PlanOutcome outcome = plan();
  EXPECT_EQ(names(outcome),
            (Names{"fake.b:11100:v3@host", "fake.a:11000:v1[TILE_M=6]@host",
                   "fake.a:11000:v1[TILE_M=8]@host"}));
  // Its own prediction is shown all the same.
  EXPECT_EQ(outcome.plans[2].getTimeNs(), 100);
}

TEST_F(Rank, MeasuredTimeReplacesThePrediction) {
  fake(0).settings = {{{}, 100, 0}};
  fake(1).settings = {{{}, 200, 0}};
  request.measuredTime = [](const PlanId &id) -> std::optional<int64_t> {
    if (id.str() == "fake.b:11100:v3@host")
      return 50;
    return std::nullopt;
  };
  PlanOutcome outcome = plan();
  EXPECT_EQ(outcome.plans[0].getName(), "fake.b");
  EXPECT_EQ(outcome.plans[0].getTimeNs(), 50);
}

TEST_F(Rank, TargetDecidesTheSide) {
  std::string error;
  auto device = Target::parse(OPGRAPH_DEVICES_DIR "/h200.json", error);
  ASSERT_TRUE(device) << error;
  request.target = *device;
  EXPECT_EQ(names(plan()), (Names{"fake.lib:42:v7@sm_90:NVIDIA_H200"}));
  // Library plans are no open-source plans.
  request.modes = {HeurMode::OPENSOURCE};
  EXPECT_TRUE(plan().plans.empty());
}

TEST_F(Rank, OptInEnginesWaitToBeAsked) {
  fake(2).settings = {{{}, 1, 0}};
  EXPECT_EQ(names(plan()).front(), "fake.a:11000:v1@host");
  request.allowOptIn = true;
  EXPECT_EQ(names(plan()).front(), "fake.c:11200:v1@host");
}

TEST_F(Rank, Filters) {
  fake(0).settings = {{tileM(6), 100, 0}, {tileM(8), 200, 4096}};
  fake(0).behaviorNotes = {BehaviorNote::RUNTIME_COMPILATION};
  fake(1).numericalNotes = {NumericalNote::NONDETERMINISTIC};
  request.filters.maxWorkspace = 100;
  EXPECT_EQ(names(plan()),
            (Names{"fake.a:11000:v1[TILE_M=6]@host", "fake.b:11100:v3@host"}));
  request.filters.deselectNumerical = {NumericalNote::NONDETERMINISTIC};
  EXPECT_EQ(names(plan()), (Names{"fake.a:11000:v1[TILE_M=6]@host"}));
  request.filters = Filters();
  request.filters.selectBehavior = {BehaviorNote::RUNTIME_COMPILATION};
  EXPECT_EQ(names(plan()), (Names{"fake.a:11000:v1[TILE_M=6]@host",
                                  "fake.a:11000:v1[TILE_M=8]@host"}));
  request.filters = Filters();
  request.filters.deselectEngines = {"TILE_M=6", "fake.b"};
  EXPECT_EQ(names(plan()), (Names{"fake.a:11000:v1[TILE_M=8]@host"}));
}

TEST_F(Rank, UnknownWorkspaceIsBarredByABound) {
  fake(0).settings = {{{}, 100, -1}};
  request.filters.maxWorkspace = 1 << 30;
  PlanOutcome outcome = plan();
  EXPECT_EQ(names(outcome), (Names{"fake.b:11100:v3@host"}));
  EXPECT_EQ(outcome.declines.back().nearestText, "max_workspace = none");
}

TEST_F(Rank, AttributesRoundTrip) {
  PlanOutcome outcome = plan();
  writeOutcome(fixture.graph(), outcome);
  llvm::SmallVector<PlanAttr> plans = readPlans(fixture.graph());
  ASSERT_EQ(plans.size(), outcome.plans.size());
  for (size_t i = 0; i < plans.size(); ++i)
    EXPECT_EQ(plans[i], outcome.plans[i]);
  EXPECT_TRUE(fixture.graph()->hasAttr("graph.declines"));
  EXPECT_TRUE(mlir::succeeded(fixture.graph().verify()));
}

TEST_F(Rank, RealEnginesWithinFiveMilliseconds) {
  GraphFixture linear(kLinearGraph);
  planGraph(linear.graph(), PlanRequest());
  auto start = std::chrono::steady_clock::now();
  PlanOutcome outcome = planGraph(linear.graph(), PlanRequest());
  std::chrono::duration<double, std::milli> time =
      std::chrono::steady_clock::now() - start;
  EXPECT_FALSE(outcome.plans.empty());
  RecordProperty("rank_ms", std::to_string(time.count()));
}
