//===- FallThroughBuildTest.cpp - Engines that fail to build --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fake engines in front of the real ones: each fails in its own way.
//===----------------------------------------------------------------------===//
#include "TestGraph.h"
#include "lib/Compiler/CompilerImpl.h"
#include "passes/Legalize/Host/HostLegalize.h"
#include "passes/Planning/Engine.h"
#include "passes/Planning/Engines/Engines.h"
#include "llvm/Support/ErrorHandling.h"

using namespace opgraph;
using namespace opgraph::planning;
using namespace opgraph::test;
using ::testing::HasSubstr;

//===----------------------------------------------------------------------===//
// Fakes
//===----------------------------------------------------------------------===//

namespace {
/// Accepts everything with one plan without knobs, faster than any real one.
struct EagerEngine : Engine {
  llvm::ArrayRef<CapabilityRow> getCapabilities() const override { return {}; }
  llvm::SmallVector<KnobSpec>
  getKnobSpecs(const EngineQuery &,
               llvm::ArrayRef<graph::Knob>) const override {
    return {};
  }
  llvm::SmallVector<graph::Knobs> propose(const EngineQuery &,
                                          graph::HeurMode) const override {
    return {graph::Knobs()};
  }
  Config evaluate(const EngineQuery &,
                  llvm::ArrayRef<graph::Knob>) const override {
    Config config;
    config.timeNs = 1;
    return config;
  }
};
} // namespace

static const Engine &getEagerEngine() {
  static EagerEngine engine;
  return engine;
}

static constexpr EngineSlot makeSlot(int64_t id, llvm::StringLiteral name) {
  return {id,
          name,
          1,
          Side::Host,
          FamilySet::all(),
          {},
          Maturity::Stable,
          getEagerEngine};
}

/// One row per way to fail; the real reference behind it.
static constexpr EngineSlot reference = {10000,
                                         "host.reference",
                                         1,
                                         Side::Host,
                                         FamilySet::all(),
                                         {},
                                         Maturity::Stable,
                                         getHostReferenceEngine};
static constexpr EngineSlot withoutCode[] = {reference,
                                             makeSlot(11000, "fake.no_code")};
static constexpr EngineSlot withDefect[] = {reference,
                                            makeSlot(11001, "fake.defect")};
static constexpr EngineSlot withFatal[] = {reference,
                                           makeSlot(11002, "fake.fatal")};

static llvm::LogicalResult failToLegalize(graph::GraphOp graph, graph::PlanAttr,
                                          mlir::ModuleOp) {
  return graph.emitOpError("meets the planted defect");
}

static llvm::LogicalResult dieInLLVM(graph::GraphOp, graph::PlanAttr,
                                     mlir::ModuleOp) {
  llvm::report_fatal_error("the planted fatal error", false);
}

static lib::LegalizeFn findFakeLegalization(llvm::StringRef engine) {
  if (engine == "fake.defect")
    return failToLegalize;
  if (engine == "fake.fatal")
    return dieInLLVM;
  return engine == "host.reference" ? legalize::legalizeReference : nullptr;
}

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

namespace {
class FallThroughBuild : public GraphTest {
protected:
  void TearDown() override {
    og_set_log_callback(nullptr, nullptr);
    setenv("OPGRAPH_STRICT", "1", 1);
    GraphTest::TearDown();
  }

  /// A relu graph for a compiler with these engines.
  void use(llvm::ArrayRef<EngineSlot> slots) {
    static std::deque<Manifest> manifests;
    manifests.emplace_back(slots);
    compiler->impl->engines = {&manifests.back(), findFakeLegalization};
    newGraph(OG_DTYPE_FLOAT);
    reluGraph();
  }

  /// The engine of the plan that was built, and its notes in one text.
  std::string builtEngine() {
    og_plan *plan = nullptr;
    EXPECT_OK(og_graph_plan(graph, -1, &plan));
    std::string name = og_plan_engine_name(plan);
    notes.clear();
    for (size_t i = 0; i < og_plan_num_notes(plan); ++i)
      notes += std::string(og_plan_note(plan, i)) + "\n";
    og_plan_release(plan);
    return name;
  }

  std::string notes;
};
} // namespace

TEST_F(FallThroughBuild, unsupported_plan_is_passed_over_even_if_strict) {
  use(withoutCode);
  ASSERT_OK(og_graph_build(graph, nullptr));
  EXPECT_EQ(builtEngine(), "host.reference");
  EXPECT_THAT(notes, HasSubstr("passed over fake.no_code"));
  og_plan_info info = {};
  info.struct_size = sizeof(info);
  ASSERT_OK(og_graph_plan_info(graph, 0, &info));
  EXPECT_EQ(info.state, OG_PLAN_FAILED);
  EXPECT_THAT(info.reason, HasSubstr("generates no code"));
}

TEST_F(FallThroughBuild, no_fallback_fails_at_once) {
  use(withoutCode);
  og_build_options options = {};
  options.struct_size = sizeof(options);
  options.no_fallback = 1;
  EXPECT_FAILS(og_graph_build(graph, &options), OG_UNSUPPORTED,
               "fake.no_code generates no code");
}

TEST_F(FallThroughBuild, nothing_left_lists_every_reason) {
  use(withoutCode);
  ASSERT_OK(og_graph_create_plans(graph, nullptr));
  ASSERT_OK(og_graph_deselect_engines(graph, "host.reference"));
  EXPECT_FAILS(og_graph_build(graph, nullptr), OG_GRAPH_NOT_SUPPORTED,
               "fake.no_code:11000:v1@host: engine fake.no_code generates");
}

TEST_F(FallThroughBuild, internal_failure_fails_a_strict_call) {
  use(withDefect);
  EXPECT_FAILS(og_graph_build(graph, nullptr), OG_INTERNAL,
               "meets the planted defect");
}

TEST_F(FallThroughBuild, internal_failure_is_logged_once_and_recorded) {
  setenv("OPGRAPH_STRICT", "0", 1);
  std::vector<std::string> messages;
  og_set_log_callback(
      [](og_log_level, const char *, const char *text, void *user) {
        static_cast<std::vector<std::string> *>(user)->push_back(text);
      },
      &messages);
  use(withDefect);
  ASSERT_OK(og_graph_build(graph, nullptr));
  EXPECT_EQ(builtEngine(), "host.reference");
  EXPECT_THAT(notes, HasSubstr("meets the planted defect"));
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_THAT(messages[0], HasSubstr("passed over fake.defect"));
}

TEST_F(FallThroughBuild, fatal_error_of_llvm_is_survived) {
  use(withFatal);
  EXPECT_FAILS(og_graph_build(graph, nullptr), OG_INTERNAL,
               "the planted fatal error");
  // The same process, and the same graph, compile again.
  ASSERT_OK(og_graph_build_at(graph, 1, nullptr));
  EXPECT_EQ(builtEngine(), "host.reference");
}

TEST_F(FallThroughBuild, engines_can_be_asked) {
  use(withoutCode);
  EXPECT_EQ(og_graph_num_engines(graph), 0);
  ASSERT_OK(og_graph_create_plans(graph, nullptr));
  ASSERT_EQ(og_graph_num_engines(graph), 2);
  og_engine_info info = {};
  info.struct_size = sizeof(info);
  ASSERT_OK(og_graph_engine(graph, 1, &info));
  EXPECT_EQ(info.id, 11000);
  EXPECT_STREQ(info.name, "fake.no_code");
  EXPECT_TRUE(info.accepts);
  og_knob_info knob = {};
  knob.struct_size = sizeof(knob);
  EXPECT_FAILS(og_graph_engine_knob(graph, 11000, 0, &knob), OG_OUT_OF_RANGE,
               "fake.no_code, below 0, got 0");
  EXPECT_FAILS(og_graph_engine_knob(graph, 5, 0, &knob), OG_NOT_FOUND,
               "no engine has id 5");
}
