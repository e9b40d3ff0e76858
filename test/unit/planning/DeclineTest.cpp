//===- DeclineTest.cpp - Capability rows and their nearest changes --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "TestPlanning.h"

using namespace opgraph;
using namespace opgraph::graph;
using namespace opgraph::planning;
using namespace opgraph::planning::test;

static constexpr llvm::StringLiteral kMatmulOnly[] = {"matmul"};
static constexpr llvm::StringLiteral kMatmulAndPointwise[] = {"matmul",
                                                              "pointwise"};
static constexpr llvm::StringLiteral kGelu[] = {"gelu"};

static const llvm::StringLiteral kDynamicGraph = R"(
graph.graph @dyn(%x: tensor<2x?x3x8xbf16, #graph.layout<strides = [?, 24, 8, 1], symbols = ["", "M", "", ""]>> {graph.uid = 1 : i64})
    -> (tensor<2x?x3x8xbf16, #graph.layout<strides = [?, 24, 8, 1], symbols = ["", "M", "", ""]>> {graph.uid = 2 : i64})
    attributes {dynamic, compute_type = f32} {
  %0 = graph.relu %x : (tensor<2x?x3x8xbf16, #graph.layout<strides = [?, 24, 8, 1], symbols = ["", "M", "", ""]>>)
      -> tensor<2x?x3x8xbf16, #graph.layout<strides = [?, 24, 8, 1], symbols = ["", "M", "", ""]>>
  graph.return %0 : tensor<2x?x3x8xbf16, #graph.layout<strides = [?, 24, 8, 1], symbols = ["", "M", "", ""]>>
})";

namespace {
class Decline_ : public testing::Test {
protected:
  Decline_() {
    resetFakes();
    request.manifest = &fakeManifest();
  }

  Declines judgeA(const GraphFacts &facts) {
    return judgeEngine(*fakeManifest().find(11000), facts, request);
  }

  PlanRequest request;
};
} // namespace

TEST_F(Decline_, Ops) {
  GraphFacts facts = GraphFixture(kLinearGraph).facts();
  fake(0).rows = {CapabilityRow::ops(kMatmulOnly)};
  Declines declines = judgeA(facts);
  ASSERT_EQ(declines.size(), 2u); // bias and gelu
  EXPECT_EQ(declines[0].str(), "op: expected {matmul}, got bias");
  EXPECT_EQ(declines[1].actual, "gelu");
  EXPECT_FALSE(declines[0].nearest);

  fake(0).rows = {CapabilityRow::ops(kMatmulAndPointwise)};
  EXPECT_TRUE(judgeA(facts).empty());
  fake(0).rows = {CapabilityRow::notOps(kGelu)};
  declines = judgeA(facts);
  ASSERT_EQ(declines.size(), 1u);
  EXPECT_EQ(declines[0].str(), "op: expected none of {gelu}, got gelu");
}

TEST_F(Decline_, EveryMismatchIsReported) {
  GraphFacts facts = GraphFixture(kDynamicGraph).facts();
  fake(0).rows = {CapabilityRow::elementTypes({DType::F32, DType::F64}),
                  CapabilityRow::computeTypes({DType::F64}),
                  CapabilityRow::maxRank(3), CapabilityRow::staticExtents(),
                  CapabilityRow::noOverrides()};
  Declines declines = judgeA(facts);
  std::vector<std::string> lines;
  for (const Decline &decline : declines)
    lines.push_back(decline.str());
  EXPECT_EQ(lines,
            (std::vector<std::string>{
                "element_type(uid 1): expected {f32, f64}, got bf16; nearest "
                "accepted: element_type(uid 1) = f32",
                "element_type(uid 2): expected {f32, f64}, got bf16; nearest "
                "accepted: element_type(uid 2) = f32",
                "compute_type(relu): expected {f64}, got f32; nearest "
                "accepted: compute_type(relu) = f64",
                "rank(uid 1): expected <= 3, got 4; nearest accepted: "
                "rank(uid 1) = 3",
                "rank(uid 2): expected <= 3, got 4; nearest accepted: "
                "rank(uid 2) = 3",
                "extents: expected static, got dynamic; nearest accepted: "
                "static extents",
                "overrides: expected none, got allowed; nearest accepted: "
                "dynamic = false"}));
}

TEST_F(Decline_, AllNearestChangesTogetherAreAccepted) {
  GraphFixture fixture(kDynamicGraph);
  GraphFacts facts = fixture.facts();
  std::string error;
  request.target = *Target::parse(OPGRAPH_DEVICES_DIR "/h200.json", error);
  request.filters.maxWorkspace = 0;
  // The opt-in engine with every kind of row, and workspace it may not have.
  fake(2).settings = {{{}, 100, 4096}};
  fake(2).rows = {CapabilityRow::elementTypes({DType::F32, DType::F64}),
                  CapabilityRow::computeTypes({DType::F64}),
                  CapabilityRow::maxRank(3), CapabilityRow::staticExtents(),
                  CapabilityRow::noOverrides()};
  auto changesOfC = [&] {
    PlanOutcome outcome = planFacts(&fixture.context, facts, request);
    std::vector<Change> changes;
    for (const Decline &decline : outcome.declines)
      if (decline.engine == 11200) {
        EXPECT_TRUE(decline.nearest) << decline.str();
        changes.push_back(*decline.nearest);
      }
    return changes;
  };
  // Filters judge plans, which only exist once the engine accepts.
  std::vector<Change> changes = changesOfC();
  EXPECT_EQ(changes.size(), 9u);
  for (const Change &change : changes)
    change.apply(facts, request);
  changes = changesOfC();
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].str(facts), "max_workspace = 4096");
  changes[0].apply(facts, request);
  EXPECT_TRUE(changesOfC().empty());
}

TEST_F(Decline_, RefusedOnlyWhenAllDecline) {
  GraphFixture fixture(kLinearGraph);
  fake(0).rows = {CapabilityRow::ops(kMatmulOnly)};
  PlanOutcome outcome = planGraph(fixture.graph(), request);
  EXPECT_EQ(outcome.status, OG_OK);
  fake(1).rows = {CapabilityRow::ops(kGelu)};
  outcome = planGraph(fixture.graph(), request);
  EXPECT_EQ(outcome.status, OG_GRAPH_NOT_SUPPORTED);
  EXPECT_NE(outcome.message.find("op: expected {gelu}, got matmul"),
            std::string::npos)
      << outcome.message;
  EXPECT_NE(outcome.message.find("family: expected {pointwise}, got gemm"),
            std::string::npos)
      << outcome.message;
}

TEST_F(Decline_, BecomesAnAttribute) {
  GraphFixture fixture(kReluGraph);
  fake(0).settings = {{{}, 100, 64}};
  request.filters.maxWorkspace = 0;
  PlanOutcome outcome = planGraph(fixture.graph(), request);
  DeclineAttr attr = outcome.declines.back().toAttr(&fixture.context);
  EXPECT_EQ(attr.getEngine(), 11000);
  EXPECT_EQ(attr.getConstraint(), "workspace");
  EXPECT_EQ(attr.getLimit(), "0");
  EXPECT_EQ(attr.getActual(), "64");
  EXPECT_EQ(attr.getNearest().getValue(), "max_workspace = 64");
  EXPECT_EQ(attr.getPlan().getValue(), "fake.a:11000:v1@host");
}

TEST_F(Decline_, DriverOlderThanThePtxThatWouldBeShipped) {
  GraphFacts facts = GraphFixture(kReluGraph).facts();
  const EngineSlot &slot = *getManifest().find(30000);
  std::string error;
  PlanRequest device;
  device.target = *Target::parse("sm_90a", error);
  EXPECT_TRUE(judgeEngine(slot, facts, device).empty());
  device.target.driver = 12040;
  device.target.shippedPtx = 86;
  device.target.newestPtx = 84;
  Declines declines = judgeEngine(slot, facts, device);
  ASSERT_EQ(declines.size(), 1u);
  EXPECT_EQ(declines[0].str(),
            "driver: expected one that compiles PTX 8.6, got 12.4, which "
            "compiles PTX up to 8.4 (with ptxas or nvJitLink here, a cubin "
            "would be shipped)");
  device.target.newestPtx = 86;
  EXPECT_TRUE(judgeEngine(slot, facts, device).empty());
}
