//===- TestPlanning.h - Graphs and fake engines for the tests ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_TEST_UNIT_PLANNING_TESTPLANNING_H
#define OPGRAPH_TEST_UNIT_PLANNING_TESTPLANNING_H

#include "dialects/Graph/GraphDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "passes/Planning/Engine.h"
#include "passes/Planning/Planner.h"
#include "gtest/gtest.h"

namespace opgraph::planning::test {

/// A relu on 4x8xf32.
extern const llvm::StringLiteral kReluGraph;
/// matmul, bias, gelu.
extern const llvm::StringLiteral kLinearGraph;
/// Two matmuls and a relu: two groups by anchor, three by op.
extern const llvm::StringLiteral kTwoMatmulsGraph;

/// A context and the graph of a text.
class GraphFixture {
public:
  explicit GraphFixture(llvm::StringRef text);

  graph::GraphOp graph();
  GraphFacts facts() { return FactsAnalysis(graph()).facts; }

  mlir::MLIRContext context;

private:
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

/// An engine whose answers are data.
struct FakeEngine : Engine {
  struct Setting {
    graph::Knobs knobs;
    int64_t timeNs = 0;
    int64_t workspace = 0;
  };

  llvm::SmallVector<CapabilityRow> rows;
  llvm::SmallVector<KnobSpec> specs;
  llvm::SmallVector<Setting> settings;
  /// Index of the setting that FALLBACK gets.
  size_t fallback = 0;
  bool ordered = false;
  llvm::SmallVector<graph::BehaviorNote, 2> behaviorNotes;
  llvm::SmallVector<graph::NumericalNote, 2> numericalNotes;

  llvm::ArrayRef<CapabilityRow> getCapabilities() const override {
    return rows;
  }
  llvm::SmallVector<KnobSpec>
  getKnobSpecs(const EngineQuery &,
               llvm::ArrayRef<graph::Knob>) const override {
    return specs;
  }
  llvm::SmallVector<graph::Knobs> propose(const EngineQuery &query,
                                          graph::HeurMode mode) const override;
  Config evaluate(const EngineQuery &query,
                  llvm::ArrayRef<graph::Knob> knobs) const override;
  bool keepsOrder() const override { return ordered; }
};

/// The fake engine behind manifest row `index` (0 - 3); each is reset by
/// resetFakes().
FakeEngine &fake(unsigned index);
const Engine &fakeEngine0();
const Engine &fakeEngine1();
const Engine &fakeEngine2();
const Engine &fakeEngine3();
void resetFakes();

/// Rows fake.a (11000) to fake.c (11200) of side host, fake.lib (42) of side
/// cudnn on sm_80 - sm_90.
const Manifest &fakeManifest();

/// The spellings of the plans on the list.
std::vector<std::string> names(const PlanOutcome &outcome);

/// A knob of one choice list.
KnobSpec knobSpec(graph::KnobType type, llvm::ArrayRef<int64_t> choices);

} // namespace opgraph::planning::test

#endif // OPGRAPH_TEST_UNIT_PLANNING_TESTPLANNING_H
