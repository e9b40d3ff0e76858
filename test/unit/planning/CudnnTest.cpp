//===- CudnnTest.cpp - Planning over a library that is data ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "TestPlanning.h"
#include "dialects/Graph/LibraryKnobs.h"
#include "passes/Planning/CudnnLibrary.h"

using namespace llvm;
using namespace opgraph;
using namespace opgraph::graph;
using namespace opgraph::planning;
using namespace opgraph::planning::test;

namespace {
using Names = std::vector<std::string>;

/// What the library says of every graph.
struct Answers {
  int64_t version = 91900;
  std::string refusal;
  SmallVector<CudnnConfig> a, b, fallback;
  std::string listError;
  int asked = 0;
};

class FakeQuery : public CudnnQuery {
public:
  explicit FakeQuery(const Answers &answers) : answers(answers) {}

  int64_t engineCount() override { return 8; }
  bool configs(HeurMode mode, SmallVectorImpl<CudnnConfig> &configs,
               std::string &error) override {
    error = answers.listError;
    const auto &list = mode == HeurMode::A   ? answers.a
                       : mode == HeurMode::B ? answers.b
                                             : answers.fallback;
    configs.append(list.begin(), list.end());
    return error.empty();
  }
  CudnnEngine engine(int64_t index) override {
    CudnnEngine engine;
    engine.index = index;
    engine.usable = index != 5;
    engine.knobs = {{int64_t(KnobType::TILE_SIZE), 0, 30, 10}};
    return engine;
  }
  og_status config(int64_t engine, ArrayRef<Knob> knobs, CudnnConfig &config,
                   std::string &error) override {
    if (engine == 5) {
      error = "no kernel of engine 5";
      return OG_UNSUPPORTED;
    }
    for (const Knob &knob : knobs)
      if (knob.key != int64_t(KnobType::TILE_SIZE))
        return OG_NOT_FOUND;
      else if (knob.value % 10 != 0)
        return OG_INVALID_VALUE;
    config.engine = engine;
    config.knobs.assign(knobs.begin(), knobs.end());
    return OG_OK;
  }

private:
  const Answers &answers;
};

class FakeLibrary : public CudnnLibrary {
public:
  explicit FakeLibrary(Answers &answers) : answers(answers) {}

  int64_t version() const override { return answers.version; }
  std::string unavailable() const override {
    return "8.9.7 at /lib is too old";
  }
  std::unique_ptr<CudnnQuery> open(const cudnn::Program &program,
                                   const Target &,
                                   std::string &error) const override {
    ++answers.asked;
    EXPECT_FALSE(program.kinds.empty());
    error = answers.refusal;
    return error.empty() ? std::make_unique<FakeQuery>(answers) : nullptr;
  }

private:
  Answers &answers;
};

CudnnConfig config(int64_t engine, int64_t tile, int64_t workspace = 0) {
  CudnnConfig config;
  config.engine = engine;
  config.knobs = {Knob::of(KnobType::TILE_SIZE, tile)};
  config.workspace = workspace;
  return config;
}

/// Plans the matmul graph, which no generated engine takes, with the project's
/// engines for an H200.
class Cudnn : public testing::Test {
protected:
  Cudnn() : library(answers) {
    std::string error;
    request.target = *Target::parse(OPGRAPH_DEVICES_DIR "/h200.json", error);
    request.cudnn = &library;
  }

  PlanOutcome plan() { return planGraph(fixture.graph(), request); }
  PlanOutcome pin(StringRef text) {
    std::string error;
    request.pin = PlanId::parse(text, error);
    EXPECT_TRUE(request.pin) << error;
    PlanOutcome outcome = plan();
    request.pin.reset();
    return outcome;
  }

  GraphFixture fixture{kLinearGraph};
  Answers answers;
  FakeLibrary library;
  PlanRequest request;
};

const char *const kFirst = "cudnn:3:v91900[TILE_SIZE=20]@sm_90:NVIDIA_H200";
const char *const kSecond = "cudnn:1:v91900[TILE_SIZE=0]@sm_90:NVIDIA_H200";
const char *const kThird = "cudnn:3:v91900[TILE_SIZE=0]@sm_90:NVIDIA_H200";
} // namespace

TEST_F(Cudnn, ListsKeepTheLibrarysOrderAndTheirMode) {
  answers.a = {config(3, 20), config(1, 0)};
  answers.fallback = {config(1, 0), config(3, 0)};
  PlanOutcome outcome = plan();
  EXPECT_EQ(names(outcome), (Names{kFirst, kSecond, kThird}));
  EXPECT_EQ(outcome.plans[1].getMode(), HeurMode::A);
  EXPECT_EQ(outcome.plans[2].getMode(), HeurMode::FALLBACK);
  EXPECT_LE(outcome.plans[0].getTimeNs(), outcome.plans[1].getTimeNs());
  // Any printed plan is that plan.
  for (const std::string &name : names(outcome))
    EXPECT_EQ(names(pin(name)), (Names{name}));
}

TEST_F(Cudnn, TimesOrderModeAWhereTheyAreKnown) {
  answers.a = answers.b = {config(3, 20), config(1, 0)};
  request.measuredTime = [](const PlanId &id) -> std::optional<int64_t> {
    return id.engine == 1 ? std::optional<int64_t>(1) : std::nullopt;
  };
  request.modes = {HeurMode::A};
  EXPECT_EQ(names(plan()), (Names{kSecond, kFirst}));
  // B is the library's list.
  request.modes = {HeurMode::B};
  EXPECT_EQ(names(plan()), (Names{kFirst, kSecond}));
  // As is A on a device that was not measured.
  request.modes = {HeurMode::A};
  request.target.arch = 80;
  PlanOutcome outcome = plan();
  EXPECT_EQ(names(outcome), (Names{kFirst, kSecond}));
  EXPECT_EQ(outcome.plans[1].getTimeNs(), 1);
}

TEST_F(Cudnn, PinsOfEngines) {
  answers.a = {config(3, 20), config(1, 0)};
  answers.fallback = {config(3, 0)};
  EXPECT_EQ(names(pin("3")), (Names{kFirst, kThird}));
  EXPECT_EQ(names(pin("cudnn")), (Names{kFirst, kSecond, kThird}));
  // Not on a list: as the library sets it by default.
  EXPECT_EQ(names(pin("4")), (Names{"cudnn:4:v91900@sm_90:NVIDIA_H200"}));
  EXPECT_EQ(names(pin("3[TILE_SIZE=10]")),
            (Names{"cudnn:3:v91900[TILE_SIZE=10]@sm_90:NVIDIA_H200"}));
  EXPECT_EQ(pin("3[TILE_SIZE=11]").status, OG_INVALID_VALUE);
  EXPECT_EQ(pin("3[STAGES=2]").status, OG_NOT_FOUND);
  EXPECT_EQ(pin("3:v91400").status, OG_VERSION_MISMATCH);
  PlanOutcome outcome = pin("5");
  EXPECT_EQ(outcome.status, OG_GRAPH_NOT_SUPPORTED);
  ASSERT_EQ(outcome.declines.size(), 1u);
  EXPECT_EQ(outcome.declines[0].text, "no kernel of engine 5");
  EXPECT_EQ(pin("800").declines[0].text, "the graph has engines 0 to 7");
}

TEST_F(Cudnn, DeclinesHoldTheLibrarysText) {
  answers.version = 0;
  EXPECT_EQ(plan().declines[0].text, "8.9.7 at /lib is too old");
  EXPECT_EQ(plan().declines[0].status, "LIBRARY_MISSING");
  answers.version = 91900;
  answers.refusal = "no such pattern";
  EXPECT_EQ(plan().declines[0].text, "no such pattern");
  answers.refusal = "";
  answers.listError = "no driver";
  PlanOutcome outcome = plan();
  EXPECT_EQ(outcome.declines.back().constraint, "engines");
  EXPECT_EQ(outcome.declines.back().text, "no driver");
}

TEST_F(Cudnn, FiltersBarSingleConfigurations) {
  answers.a = {config(3, 20, 4096), config(1, 0)};
  request.filters.maxWorkspace = 0;
  PlanOutcome outcome = plan();
  EXPECT_EQ(names(outcome), (Names{kSecond}));
  EXPECT_EQ(outcome.declines.back().plan, kFirst);
  request.filters.deselectEngines = {"cudnn:1"};
  EXPECT_EQ(plan().status, OG_GRAPH_NOT_SUPPORTED);
}

TEST_F(Cudnn, RulesAllowAndDeny) {
  answers.a = {config(3, 20), config(1, 0), config(3, 0)};
  request.modes = {HeurMode::A};
  std::string error;
  ASSERT_TRUE(parseRules("# ours\n\ndeny cudnn:3:*SIZE=20*\n", "'rules'",
                         request.filters.rules, error))
      << error;
  PlanOutcome outcome = plan();
  EXPECT_EQ(names(outcome), (Names{kSecond, kThird}));
  EXPECT_EQ(outcome.declines.back().constraint, "deny list");
  EXPECT_EQ(outcome.declines.back().limit,
            "none that line 3 of 'rules' denies: cudnn:3:*SIZE=20*");
  ASSERT_TRUE(parseRules("allow cudnn:3:*", "OPGRAPH_PLANS",
                         request.filters.rules, error));
  EXPECT_EQ(names(plan()), (Names{kThird}));
  // A pin is no way around them.
  EXPECT_EQ(pin(kSecond).status, OG_GRAPH_NOT_SUPPORTED);
  for (const char *text : {"\nforbid x", "\nallow", "\ndeny a b"}) {
    EXPECT_FALSE(parseRules(text, "'rules'", request.filters.rules, error));
    EXPECT_EQ(error.find("line 2 of 'rules': expected 'allow PATTERN' or "
                         "'deny PATTERN', got '"),
              0u)
        << error;
  }
}

TEST_F(Cudnn, BoundsOnSharedMemoryAndDeterminism) {
  answers.a = {config(3, 20), config(1, 0), config(3, 0)};
  answers.a[0].sharedMemory = 200000;
  answers.a[1].sharedMemory = 49152;
  answers.a[2].numericalNotes = {NumericalNote::NONDETERMINISTIC};
  request.modes = {HeurMode::A};
  request.filters.maxSharedMemory = 49152;
  PlanOutcome outcome = plan();
  EXPECT_EQ(names(outcome), (Names{kSecond, kThird}));
  EXPECT_EQ(outcome.sharedMemory, (SmallVector<int64_t>{49152, -1}));
  EXPECT_EQ(outcome.declines.back().constraint, "shared memory");
  request.filters.deselectNumerical = {NumericalNote::NONDETERMINISTIC};
  EXPECT_EQ(names(plan()), (Names{kSecond}));
}

TEST_F(Cudnn, KnobsThatItDeprecatesAreNamed) {
  std::optional<int64_t> key = fromLibraryKnob(0);
  ASSERT_TRUE(key);
  EXPECT_EQ(knobKeyName(*key), "SPLIT_K");
  EXPECT_EQ(parseKnobKey("SPLIT_K"), key);
  EXPECT_EQ(toLibraryKnob(*key), 0);
  EXPECT_EQ(fromLibraryKnob(24), int64_t(KnobType::KERNEL_CFG));
  EXPECT_EQ(toLibraryKnob(int64_t(KnobType::KERNEL_CFG)), 24);
  // One that is newer than the table.
  EXPECT_EQ(knobKeyName(*fromLibraryKnob(60)), "100160");
  EXPECT_EQ(toLibraryKnob(100160), 60);
  EXPECT_FALSE(toLibraryKnob(int64_t(KnobType::PARTITION)));
  answers.a = {config(3, 20)};
  answers.a[0].knobs = {{*key, 2}};
  const char *name = "cudnn:3:v91900[SPLIT_K=2]@sm_90:NVIDIA_H200";
  EXPECT_EQ(names(plan()), (Names{name}));
  // What the library lists is its to judge.
  EXPECT_EQ(names(pin(name)), (Names{name}));
}

TEST_F(Cudnn, IsNotAskedForGeneratedPlansOnly) {
  answers.a = {config(3, 20)};
  request.modes = {HeurMode::OPENSOURCE};
  PlanOutcome outcome = plan();
  EXPECT_TRUE(outcome.plans.empty());
  EXPECT_EQ(outcome.declines[0].constraint, "mode");
  EXPECT_EQ(answers.asked, 0);
}

TEST_F(Cudnn, IsAskedForTheWholeList) {
  answers.a = answers.b = {config(3, 20)};
  answers.fallback = {config(1, 0)};
  GraphFixture relu(kReluGraph);
  auto list = [&] { return planGraph(relu.graph(), request); };
  PlanOutcome whole = list();
  EXPECT_EQ(whole.plans.size(), 3u);
  EXPECT_FALSE(whole.isPostponed);
  EXPECT_EQ(answers.asked, 1);
  request.wantsWholeList = false;
  for (HeurMode mode : {HeurMode::A, HeurMode::B, HeurMode::FALLBACK}) {
    request.modes = {mode, HeurMode::FALLBACK};
    PlanOutcome outcome = list();
    EXPECT_TRUE(outcome.isPostponed);
    EXPECT_EQ(outcome.plans.front().getId().str(),
              whole.plans.front().getId().str());
  }
  EXPECT_EQ(answers.asked, 1);
}

TEST_F(Cudnn, IsAskedWhereItMayBeFirst) {
  answers.a = {config(3, 20)};
  GraphFixture relu(kReluGraph);
  request.wantsWholeList = false;
  request.measuredTime = [](const PlanId &id) -> std::optional<int64_t> {
    return id.engine == 3 ? std::nullopt : std::optional<int64_t>(1 << 30);
  };
  PlanOutcome outcome = planGraph(relu.graph(), request);
  EXPECT_FALSE(outcome.isPostponed);
  EXPECT_EQ(outcome.plans.front().getId().str(), kFirst);
  // No generated engine takes it.
  EXPECT_EQ(names(plan()), (Names{kFirst}));
}
