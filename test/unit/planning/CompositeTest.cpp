//===- CompositeTest.cpp - Planning and spelling of composites ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "TestPlanning.h"
#include "passes/Planning/Engines/Engines.h"
#include "passes/Planning/Partition.h"

using namespace opgraph;
using namespace opgraph::graph;
using namespace opgraph::planning;
using namespace opgraph::planning::test;

static constexpr CapabilityRow kRows[] = {CapabilityRow::minGroups(2)};
static const Engine &composite() {
  static const CompositeEngine engine(kRows);
  return engine;
}
static const EngineSlot kSlots[] = {
    {11000,
     "fake.a",
     1,
     Side::Host,
     {Family::Gemm},
     {},
     Maturity::Stable,
     fakeEngine0},
    {11100,
     "fake.b",
     3,
     Side::Host,
     FamilySet::all(),
     {},
     Maturity::Stable,
     fakeEngine1},
    {11900,
     "fake.composite",
     1,
     Side::Host,
     FamilySet::all(),
     {},
     Maturity::Stable,
     composite},
};
static const Manifest kManifest(kSlots);

namespace {
class Composite : public testing::Test {
protected:
  Composite() {
    resetFakes();
    request.manifest = &kManifest;
    request.modes = {HeurMode::A};
    fake(0).specs = {knobSpec(KnobType::TILE_M, {6, 8})};
    fake(0).settings = {{{Knob::of(KnobType::TILE_M, 6)}, 40, 128},
                        {{Knob::of(KnobType::TILE_M, 8)}, 30, 256}};
    fake(1).settings = {{{}, 35, 0}};
  }
  PlanOutcome plan(llvm::StringRef pin) {
    std::string error;
    request.pin = PlanId::parse(pin, error);
    EXPECT_TRUE(request.pin) << error;
    return planGraph(fixture.graph(), request);
  }

  GraphFixture fixture{kTwoMatmulsGraph};
  PlanRequest request;
};
} // namespace

TEST_F(Composite, PartitionsAreDeterministic) {
  GraphFacts facts = fixture.facts();
  auto partitions = listPartitions(facts);
  ASSERT_EQ(partitions.size(), 2u);
  EXPECT_EQ(partitions[0], (Partition{{0, 1}, {2}}));
  EXPECT_EQ(partitions[1], (Partition{{0}, {1}, {2}}));
  EXPECT_EQ(listPartitions(GraphFixture(kReluGraph).facts()).size(), 1u);
}

TEST_F(Composite, GroupsHaveFactsOfTheirOwn) {
  GraphFacts group = factsOfGroup(fixture.facts(), {0, 1});
  EXPECT_EQ(group.family, Family::Gemm);
  EXPECT_EQ(group.ops.size(), 2u);
  ASSERT_EQ(group.values.size(), 4u);
  EXPECT_TRUE(group.values[0].isArgument);
  EXPECT_TRUE(group.values[2].isTemporary());
  EXPECT_TRUE(group.values[3].isOutput);
  EXPECT_EQ(factsOfGroup(fixture.facts(), {1}).family, Family::Pointwise);
}

TEST_F(Composite, OfferedPerPartition) {
  PlanOutcome outcome = plan("fake.composite");
  // The relu alone is pointwise, which fake.a does not serve.
  EXPECT_EQ(names(outcome),
            (std::vector<std::string>{
                "fake.composite:11900:v1[PARTITION=0,1000000=11000,1000026=8,"
                "2000000=11000,2000026=8]@host",
                "fake.composite:11900:v1[PARTITION=1,1000000=11000,1000026=8,"
                "2000000=11100,3000000=11000,3000026=8]@host"}));
  EXPECT_EQ(outcome.plans[0].getTimeNs(), 60);
  EXPECT_EQ(outcome.plans[1].getTimeNs(), 95);
  // Scratch is shared, joined values are not: relu's 8x8xf32, and the matmul's.
  EXPECT_EQ(outcome.plans[0].getWorkspace(), 256 + 256);
  EXPECT_EQ(outcome.plans[1].getWorkspace(), 256 + 2 * 256);
}

TEST_F(Composite, ReplaysAndRoundTrips) {
  for (const std::string &name : names(plan("fake.composite")))
    EXPECT_EQ(names(plan(name)), (std::vector<std::string>{name}));
  EXPECT_EQ(names(plan("11900[PARTITION=0,2000000=11100]")),
            (std::vector<std::string>{
                "fake.composite:11900:v1[PARTITION=0,1000000=11000,1000026=8,"
                "2000000=11100]@host"}));
}

TEST_F(Composite, RefusesSettingsOfNoGroup) {
  EXPECT_EQ(plan("11900[PARTITION=7]").status, OG_INVALID_VALUE);
  EXPECT_EQ(plan("11900[PARTITION=0,3000000=11000]").status, OG_NOT_FOUND);
  EXPECT_EQ(plan("11900[PARTITION=1,2000000=11000]").status, OG_INVALID_VALUE);
  EXPECT_EQ(plan("11900[1000026=8]").status, OG_NOT_FOUND);
}

TEST_F(Composite, DeclinesOneGroupAndGroupsWithoutEngine) {
  GraphFixture relu(kReluGraph);
  request.pin.reset();
  PlanOutcome outcome = planGraph(relu.graph(), request);
  EXPECT_EQ(names(outcome), (std::vector<std::string>{"fake.b:11100:v3@host"}));
  EXPECT_EQ(outcome.declines.back().str(),
            "groups: expected a partition of at least 2, got 1");

  fake(1).rows = {CapabilityRow::maxRank(1)};
  fake(0).rows = {CapabilityRow::maxRank(1)};
  outcome = plan("fake.composite");
  EXPECT_EQ(outcome.declines.back().constraint, "group_engines");
}
