//===- ExplainTest.cpp - An outcome for people and for machines -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Planning/Explain.h"
#include "TestPlanning.h"
#include "llvm/Support/FormatVariadic.h"

using namespace opgraph;
using namespace opgraph::graph;
using namespace opgraph::planning;
using namespace opgraph::planning::test;

namespace {
class Explain : public testing::Test {
protected:
  Explain() {
    resetFakes();
    request.manifest = &fakeManifest();
    request.filters.maxWorkspace = 0;
    fake(0).settings = {{{Knob::of(KnobType::TILE_M, 6)}, 1500, 0},
                        {{Knob::of(KnobType::TILE_M, 8)}, 100, 64}};
    fake(1).rows = {CapabilityRow::maxRank(1)};
    outcome = planGraph(fixture.graph(), request);
  }
  GraphFixture fixture{kReluGraph};
  PlanRequest request;
  PlanOutcome outcome;
};
} // namespace

TEST_F(Explain, Table) {
  EXPECT_EQ(
      renderTable(outcome),
      "engine    verdict   reason\n"
      "fake.lib  declined  target: expected a CUDA device, got host\n"
      "fake.a    1 plan\n"
      "          barred    fake.a:11000:v1[TILE_M=8]@host: workspace: expected "
      "0, got 64; nearest accepted: max_workspace = 64\n"
      "fake.b    declined  rank(uid 1): expected <= 1, got 2; nearest "
      "accepted: rank(uid 1) = 1\n"
      "          declined  rank(uid 2): expected <= 1, got 2; nearest "
      "accepted: rank(uid 2) = 1\n"
      "fake.c    declined  maturity: expected opt-in engines allowed, got not "
      "allowed; nearest accepted: opt_in = true\n");
}

TEST_F(Explain, Plans) {
  EXPECT_EQ(renderPlans(outcome),
            "#  plan                            mode  predicted  workspace\n"
            "0  fake.a:11000:v1[TILE_M=6]@host  A     1.500 us   0 B\n");
}

TEST_F(Explain, Json) {
  llvm::json::Value value = toJson(outcome);
  const llvm::json::Object &object = *value.getAsObject();
  EXPECT_EQ(object.getString("graph"), "relu");
  EXPECT_EQ(object.getString("family"), "pointwise");
  EXPECT_EQ(object.getString("target"), "host");
  const llvm::json::Object &plan =
      *object.getArray("plans")->front().getAsObject();
  EXPECT_EQ(plan.getString("plan"), "fake.a:11000:v1[TILE_M=6]@host");
  EXPECT_EQ(plan.getObject("knobs")->getInteger("TILE_M"), 6);
  const llvm::json::Array &engines = *object.getArray("engines");
  ASSERT_EQ(engines.size(), 4u);
  const llvm::json::Object &a = *engines[1].getAsObject();
  EXPECT_EQ(a.getString("verdict"), "accepted");
  const llvm::json::Object &decline =
      *a.getArray("declines")->front().getAsObject();
  EXPECT_EQ(decline.getString("constraint"), "workspace");
  EXPECT_EQ(decline.getString("limit"), "0");
  EXPECT_EQ(decline.getString("actual"), "64");
  EXPECT_EQ(decline.getString("nearest"), "max_workspace = 64");
}
