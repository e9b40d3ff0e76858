//===- PinTest.cpp - Pinned engines and plans -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "TestPlanning.h"

using namespace opgraph;
using namespace opgraph::graph;
using namespace opgraph::planning;
using namespace opgraph::planning::test;

using Names = std::vector<std::string>;

namespace {
class Pin : public testing::Test {
protected:
  Pin() {
    resetFakes();
    request.manifest = &fakeManifest();
    fake(0).specs = {knobSpec(KnobType::TILE_M, {6, 8}),
                     knobSpec(KnobType::TILE_N, {16})};
    fake(0).settings = {
        {{Knob::of(KnobType::TILE_M, 6), Knob::of(KnobType::TILE_N, 16)}, 9, 0},
        {{Knob::of(KnobType::TILE_M, 8), Knob::of(KnobType::TILE_N, 16)},
         7,
         0}};
  }
  PlanOutcome plan(llvm::StringRef pin) {
    std::string error;
    request.pin = PlanId::parse(pin, error);
    EXPECT_TRUE(request.pin) << error;
    return planGraph(fixture.graph(), request);
  }

  GraphFixture fixture{kReluGraph};
  PlanRequest request;
};
} // namespace

TEST_F(Pin, EngineAlone) {
  for (llvm::StringRef pin : {"fake.a", "11000", "fake.a:11000:v1@host"})
    EXPECT_EQ(names(plan(pin)),
              (Names{"fake.a:11000:v1[TILE_M=8,TILE_N=16]@host",
                     "fake.a:11000:v1[TILE_M=6,TILE_N=16]@host"}));
}

TEST_F(Pin, OnePlanAndItsGapsFilled) {
  PlanOutcome outcome = plan("fake.a[TILE_M=8]");
  EXPECT_EQ(names(outcome),
            (Names{"fake.a:11000:v1[TILE_M=8,TILE_N=16]@host"}));
  // Every printed plan can be pinned and gives itself.
  EXPECT_EQ(names(plan(names(outcome)[0])), names(outcome));
}

TEST_F(Pin, UnknownEngine) {
  PlanOutcome outcome = plan("12345");
  EXPECT_EQ(outcome.status, OG_NOT_FOUND);
  EXPECT_EQ(outcome.message,
            "no engine has id 12345; engines: fake.lib (42), fake.a (11000), "
            "fake.b (11100), fake.c (11200)");
  EXPECT_EQ(plan("nobody").status, OG_NOT_FOUND);
  EXPECT_EQ(plan("fake.b:11000").message,
            "engine 11000 is named 'fake.a', not 'fake.b'");
}

TEST_F(Pin, UnknownKnobAndValue) {
  PlanOutcome outcome = plan("fake.a[STAGES=2]");
  EXPECT_EQ(outcome.status, OG_NOT_FOUND);
  EXPECT_EQ(outcome.message, "engine 'fake.a' has no knob 'STAGES' for this "
                             "graph; its knobs: TILE_M, TILE_N");
  outcome = plan("fake.a[TILE_M=7]");
  EXPECT_EQ(outcome.status, OG_INVALID_VALUE);
  EXPECT_EQ(outcome.message, "expected knob 'TILE_M' of engine 'fake.a' to be "
                             "one of {6, 8}, got 7");
}

TEST_F(Pin, VersionAndTarget) {
  EXPECT_EQ(plan("fake.b:11100:v2").status, OG_VERSION_MISMATCH);
  EXPECT_EQ(plan("fake.b:11100:v2").message,
            "the plan is of version 2 of engine 'fake.b', this is version 3");
  request.acceptOtherVersion = true;
  EXPECT_EQ(names(plan("fake.b:11100:v2")), (Names{"fake.b:11100:v3@host"}));
  EXPECT_EQ(plan("fake.b@sm_90").status, OG_INVALID_VALUE);
}

TEST_F(Pin, PeersAndLibrariesEnginesDeclineByName) {
  PlanOutcome outcome = plan("20517");
  EXPECT_EQ(outcome.status, OG_GRAPH_NOT_SUPPORTED);
  ASSERT_EQ(outcome.declines.size(), 1u);
  EXPECT_EQ(outcome.declines[0].name, "sdpa_fwd_prefill_sm90");
  EXPECT_EQ(outcome.declines[0].str(),
            "engine: expected an engine of opgraph, got sdpa_fwd_prefill_sm90 "
            "of cudnn-frontend");
  outcome = plan("29999");
  EXPECT_EQ(outcome.declines[0].actual, "id 29999 of cudnn-frontend's range");

  outcome = plan("4");
  EXPECT_EQ(outcome.declines[0].str(),
            "target: expected a CUDA device, got host");
  std::string error;
  request.target = *Target::parse(OPGRAPH_DEVICES_DIR "/h200.json", error);
  outcome = plan("4");
  EXPECT_EQ(outcome.status, OG_GRAPH_NOT_SUPPORTED);
  EXPECT_EQ(outcome.declines[0].status, "LIBRARY_MISSING");
}

TEST_F(Pin, DecliningEngineSaysWhy) {
  fake(0).rows = {CapabilityRow::maxRank(1)};
  PlanOutcome outcome = plan("fake.a");
  EXPECT_EQ(outcome.status, OG_GRAPH_NOT_SUPPORTED);
  EXPECT_NE(outcome.message.find("rank(uid 1): expected <= 1, got 2"),
            std::string::npos)
      << outcome.message;
}
