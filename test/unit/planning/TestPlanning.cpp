//===- TestPlanning.cpp - Graphs and fake engines for the tests -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "TestPlanning.h"
#include "mlir/Parser/Parser.h"

using namespace llvm;
using namespace opgraph;
using namespace opgraph::planning;
using namespace opgraph::planning::test;

const StringLiteral test::kReluGraph = R"(
graph.graph @relu(%x: tensor<4x8xf32> {graph.uid = 1 : i64})
    -> (tensor<4x8xf32> {graph.uid = 2 : i64}) {
  %0 = graph.relu %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  graph.return %0 : tensor<4x8xf32>
})";

const StringLiteral test::kLinearGraph = R"(
graph.graph @linear(%x: tensor<1x64x32xf32> {graph.uid = 1 : i64, graph.name = "X"},
                    %w: tensor<1x32x16xf32> {graph.uid = 2 : i64},
                    %b: tensor<1x1x16xf32> {graph.uid = 3 : i64})
    -> (tensor<1x64x16xf32> {graph.uid = 4 : i64}) {
  %0 = graph.matmul %x, %w : (tensor<1x64x32xf32>, tensor<1x32x16xf32>) -> tensor<1x64x16xf32>
  %1 = graph.bias %0, %b : (tensor<1x64x16xf32>, tensor<1x1x16xf32>) -> tensor<1x64x16xf32>
  %2 = graph.gelu %1 : (tensor<1x64x16xf32>) -> tensor<1x64x16xf32>
  graph.return %2 : tensor<1x64x16xf32>
})";

const StringLiteral test::kTwoMatmulsGraph = R"(
graph.graph @two(%x: tensor<1x8x8xf32> {graph.uid = 1 : i64},
                 %w: tensor<1x8x8xf32> {graph.uid = 2 : i64})
    -> (tensor<1x8x8xf32> {graph.uid = 3 : i64}) {
  %0 = graph.matmul %x, %w : (tensor<1x8x8xf32>, tensor<1x8x8xf32>) -> tensor<1x8x8xf32>
  %1 = graph.relu %0 : (tensor<1x8x8xf32>) -> tensor<1x8x8xf32>
  %2 = graph.matmul %1, %w : (tensor<1x8x8xf32>, tensor<1x8x8xf32>) -> tensor<1x8x8xf32>
  graph.return %2 : tensor<1x8x8xf32>
})";

GraphFixture::GraphFixture(StringRef text)
    : context(mlir::MLIRContext::Threading::DISABLED) {
  context.loadDialect<graph::GraphDialect>();
  module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  EXPECT_TRUE(module) << text.str();
}

graph::GraphOp GraphFixture::graph() {
  return *module->getOps<graph::GraphOp>().begin();
}

SmallVector<graph::Knobs> FakeEngine::propose(const EngineQuery &,
                                              graph::HeurMode mode) const {
  if (mode == graph::HeurMode::FALLBACK)
    return {settings[fallback].knobs};
  SmallVector<graph::Knobs> list;
  for (const Setting &setting : settings)
    list.push_back(setting.knobs);
  return list;
}

Config FakeEngine::evaluate(const EngineQuery &,
                            ArrayRef<graph::Knob> knobs) const {
  Config config;
  config.knobs = graph::Knobs(knobs);
  config.behaviorNotes = behaviorNotes;
  config.numericalNotes = numericalNotes;
  for (const Setting &setting : settings)
    if (setting.knobs == config.knobs) {
      config.timeNs = setting.timeNs;
      config.workspace = setting.workspace;
    }
  return config;
}

FakeEngine &test::fake(unsigned index) {
  static FakeEngine engines[4];
  return engines[index];
}
const Engine &test::fakeEngine0() { return fake(0); }
const Engine &test::fakeEngine1() { return fake(1); }
const Engine &test::fakeEngine2() { return fake(2); }
const Engine &test::fakeEngine3() { return fake(3); }

void test::resetFakes() {
  for (unsigned index = 0; index < 4; ++index) {
    FakeEngine &engine = fake(index);
    engine.rows.clear();
    engine.specs.clear();
    engine.settings = {{{}, 100, 0}};
    engine.fallback = 0;
    engine.ordered = false;
    engine.behaviorNotes.clear();
    engine.numericalNotes.clear();
  }
}

static const EngineSlot kSlots[] = {
    {42,
     "fake.lib",
     7,
     Side::Cudnn,
     FamilySet::all(),
     {80, 90},
     Maturity::Stable,
     test::fakeEngine3},
    {11000,
     "fake.a",
     1,
     Side::Host,
     FamilySet::all(),
     {},
     Maturity::Stable,
     test::fakeEngine0},
    {11100,
     "fake.b",
     3,
     Side::Host,
     FamilySet::all(),
     {},
     Maturity::Stable,
     test::fakeEngine1},
    {11200,
     "fake.c",
     1,
     Side::Host,
     {Family::Pointwise},
     {},
     Maturity::OptIn,
     test::fakeEngine2},
};

const Manifest &test::fakeManifest() {
  static const Manifest manifest(kSlots);
  return manifest;
}

std::vector<std::string> test::names(const PlanOutcome &outcome) {
  std::vector<std::string> list;
  for (graph::PlanAttr plan : outcome.plans)
    list.push_back(plan.getId().str());
  return list;
}

KnobSpec test::knobSpec(graph::KnobType type, ArrayRef<int64_t> choices) {
  return {static_cast<int64_t>(type),
          SmallVector<int64_t, 4>(choices.begin(), choices.end())};
}
