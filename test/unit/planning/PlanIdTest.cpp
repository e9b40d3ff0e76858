//===- PlanIdTest.cpp - Spelling of plan identities -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "TestPlanning.h"

using namespace opgraph::graph;

static PlanId parse(llvm::StringRef text) {
  std::string error;
  std::optional<PlanId> id = PlanId::parse(text, error);
  EXPECT_TRUE(id) << text.str() << ": " << error;
  return id.value_or(PlanId());
}

static std::string errorOf(llvm::StringRef text) {
  std::string error;
  EXPECT_FALSE(PlanId::parse(text, error)) << text.str();
  return error;
}

TEST(PlanId, RoundTrips) {
  for (llvm::StringRef text :
       {"host.fused:10100:v1[TILE_M=6,TILE_N=16]@host",
        "host.reference:10000:v1@host", "10100:v2", "10100", "host.fused",
        "host.fused:v3", "e[]@sm_90:NVIDIA_H200",
        "host.composite:10900:v1[PARTITION=1,1000000=10100,1000026=6,"
        "2000000=10000]@host"})
    EXPECT_EQ(parse(text).str(), text.str());
}

TEST(PlanId, PrintsInKeyOrder) {
  EXPECT_EQ(parse("x[2000000=1, TILE_N = 16 ,26=6]").str(),
            "x[TILE_M=6,TILE_N=16,2000000=1]");
}

TEST(PlanId, PartsAreSet) {
  PlanId id = parse("host.fused:10100:v2[TILE_M=-6]@host");
  EXPECT_EQ(id.name, "host.fused");
  EXPECT_EQ(id.engine, 10100);
  EXPECT_EQ(id.version, 2);
  ASSERT_EQ(id.knobs.size(), 1u);
  EXPECT_EQ(id.knobs[0], Knob::of(KnobType::TILE_M, -6));
  EXPECT_EQ(id.target, "host");
  EXPECT_FALSE(parse("10100").hasKnobs);
  EXPECT_TRUE(parse("10100[]").hasKnobs);
}

TEST(PlanId, NamesTheMistake) {
  EXPECT_EQ(errorOf(""), "expected an engine's name or number");
  EXPECT_EQ(errorOf("x[TILE_Q=1]"),
            "expected a knob type before '=', got 'TILE_Q'");
  EXPECT_EQ(errorOf("x[NOT_SET=1]"),
            "expected a knob type before '=', got 'NOT_SET'");
  EXPECT_EQ(errorOf("x[TILE_M=a]"),
            "expected an integer value for knob 'TILE_M', got 'a'");
  EXPECT_EQ(errorOf("x[TILE_M=1,26=2]"), "knob 'TILE_M' is given twice");
  EXPECT_EQ(errorOf("x[TILE_M=1"), "expected ']' after the knobs of "
                                   "'x[TILE_M=1'");
  EXPECT_EQ(errorOf("x[]y"), "expected '@' or the end after ']', got 'y'");
  EXPECT_EQ(errorOf("x@"), "expected a target after '@'");
  EXPECT_EQ(errorOf("x y"), "expected 'name:id:vN', got 'x y'");
  EXPECT_EQ(errorOf("x:v0"), "expected 'name:id:vN', got 'x:v0'");
  EXPECT_EQ(errorOf("x:1:2"), "expected 'name:id:vN', got 'x:1:2'");
}

TEST(PlanId, CompositeKeys) {
  EXPECT_EQ(Knob::groupKey(0), 1000000);
  EXPECT_EQ(Knob::groupKey(1, static_cast<int64_t>(KnobType::TILE_M)), 2000026);
  EXPECT_TRUE(isValidKnobKey(1000000));
  EXPECT_TRUE(isValidKnobKey(2000026));
  EXPECT_FALSE(isValidKnobKey(2000033));
  EXPECT_FALSE(isValidKnobKey(0));
  EXPECT_FALSE(isValidKnobKey(-1));
  EXPECT_FALSE(isValidKnobKey(999999));
}

TEST(PlanId, KnobTypesHaveThePeersNumbers) {
  EXPECT_EQ(parseKnobKey("STREAM_K"), 24);
  EXPECT_EQ(parseKnobKey("TILE_CGA"), 32);
  EXPECT_EQ(parseKnobKey("SCHED_POLICY"), 1000);
  EXPECT_EQ(parseKnobKey("WARPS_N"), 1009);
  EXPECT_EQ(parseKnobKey("PARTITION"), 100000);
  EXPECT_EQ(parseKnobKey("tile_m"), std::nullopt);
}

TEST(PlanId, IdentityLeavesTheTargetOut) {
  EXPECT_TRUE(
      parse("x:1:v1[TILE_M=6]@host").isSamePlan(parse("1:v1[26=6]@elsewhere")));
  EXPECT_FALSE(parse("1:v1[TILE_M=6]").isSamePlan(parse("1:v2[TILE_M=6]")));
  EXPECT_FALSE(parse("1:v1[TILE_M=6]").isSamePlan(parse("1:v1[TILE_M=8]")));
}
