//===- LoadTest.cpp - What the loader accepts and refuses -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/CpuTarget.h"
#include "test/unit/runtime/TestPlans.h"

#include "opgraph-c/host_abi.h"

#include <fstream>
#include <sstream>
#include <unistd.h>

using namespace opgraph::planfile;
using namespace opgraph::test;

namespace {

og_status loadBytes(const std::vector<uint8_t> &bytes) {
  og_plan *plan = nullptr;
  og_status status = og_plan_load(bytes.data(), bytes.size(), &plan);
  EXPECT_EQ(plan == nullptr, status != OG_OK);
  og_plan_release(plan);
  return status;
}

/// A plan that uses every table of the format.
PlanContents makeFullPlan() {
  PlanContents contents = makeDynamicPlan(4);
  contents.knobs = {{1, 2}, {100000, -3}};
  contents.notes = {"runtime compilation"};
  contents.aliases = {{0, 1}};
  contents.maxWorkers = 2;
  contents.workspacePrivate = Expr(64) * Expr::symbol(0);
  contents.steps.push_back(Fill{0, Expr::symbol(0), 3});
  contents.variants.push_back(makeVariant("x86-64-v4-bf16"));
  contents.sourceMlir = "graph.graph @g() {\n}\n";
  Operand alpha = makeOperand(9, "alpha", OG_DTYPE_FLOAT, {1});
  alpha.byValue = true;
  alpha.defaultValue = {0, 0, 0, 0};
  contents.operands.insert(contents.operands.begin() + 1, alpha);
  contents.aliases = {{0, 2}};
  return contents;
}

TEST(Load, RefusesNull) {
  og_plan *plan = nullptr;
  expectStatus(og_plan_load(nullptr, 5, &plan), OG_INVALID_ARGUMENT, {"data"});
  expectStatus(og_plan_load("", 0, nullptr), OG_INVALID_ARGUMENT, {"out"});
  expectStatus(og_plan_load("", 0, &plan), OG_DATA_LOSS, {"truncated"});
  og_plan_release(nullptr);
  og_plan_retain(nullptr);
}

TEST(Load, EveryTruncationIsFound) {
  std::vector<uint8_t> bytes = write(makeFullPlan());
  ASSERT_EQ(loadBytes(bytes), OG_OK) << og_last_error();
  for (size_t size = 0; size < bytes.size(); ++size) {
    std::vector<uint8_t> cut(bytes.begin(), bytes.begin() + size);
    ASSERT_EQ(loadBytes(cut), OG_DATA_LOSS) << size;
    // Also when length and digest say that all is well.
    if (sealPlanFile(cut))
      loadBytes(cut);
  }
  bytes.push_back(0);
  expectStatus(loadBytes(bytes), OG_DATA_LOSS, {"appended"});
}

TEST(Load, EveryBitFlipIsFound) {
  std::vector<uint8_t> bytes = write(makeFullPlan());
  for (size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    bytes[bit / 8] ^= 1 << bit % 8;
    og_status status = loadBytes(bytes);
    ASSERT_TRUE(status == OG_DATA_LOSS || status == OG_VERSION_MISMATCH)
        << "bit " << bit << ": " << og_status_name(status);
    bytes[bit / 8] ^= 1 << bit % 8;
  }
}

TEST(Load, SealedBitFlipsNeverCrash) {
  std::vector<uint8_t> bytes = write(makeFullPlan());
  for (size_t bit = 64 * 8; bit < bytes.size() * 8; ++bit) {
    std::vector<uint8_t> changed = bytes;
    changed[bit / 8] ^= 1 << bit % 8;
    sealPlanFile(changed);
    loadBytes(changed);
  }
}

TEST(Load, NamesBothVersions) {
  std::vector<uint8_t> bytes = write(makeFullPlan());
  bytes[8] = 7;
  expectStatus(loadBytes(bytes), OG_VERSION_MISMATCH, {"7.0", "1.x"});
}

TEST(Load, ReadsBackWhatWasWritten) {
  std::vector<uint8_t> bytes = write(makeFullPlan());
  EXPECT_EQ(bytes, write(makeFullPlan()));
  PlanContents contents;
  std::string error;
  ASSERT_TRUE(readPlanFile(bytes.data(), bytes.size(), contents, error))
      << error;
  EXPECT_EQ(write(contents), bytes);
  bytes[100] ^= 1;
  EXPECT_FALSE(readPlanFile(bytes.data(), bytes.size(), contents, error));
  EXPECT_FALSE(readPlanFile(bytes.data(), 10, contents, error));
}

TEST(Load, Accessors) {
  PlanContents contents = makeFullPlan();
  PlanPtr plan = load(contents);
  EXPECT_STREQ(og_plan_name(plan.get()), "test");
  EXPECT_STREQ(og_plan_compiler(plan.get()), "opgraph test");
  EXPECT_STREQ(og_plan_target(plan.get()), "host");
  EXPECT_STREQ(og_plan_engine_name(plan.get()), "host.reference");
  EXPECT_EQ(og_plan_engine_id(plan.get()), 10000);
  EXPECT_EQ(og_plan_engine_version(plan.get()), 1u);
  EXPECT_EQ(og_plan_max_workers(plan.get()), 2);
  EXPECT_EQ(og_plan_format_version(plan.get()), 1000);
  EXPECT_EQ(og_plan_source(plan.get()), contents.sourceMlir);
  og_knob knob;
  ASSERT_EQ(og_plan_num_knobs(plan.get()), 2u);
  ASSERT_EQ(og_plan_knob(plan.get(), 1, &knob), OG_OK);
  EXPECT_EQ(knob.type, 100000);
  EXPECT_EQ(knob.value, -3);
  expectStatus(og_plan_knob(plan.get(), 2, &knob), OG_OUT_OF_RANGE, {"2 of 2"});
  EXPECT_STREQ(og_plan_note(plan.get(), 0), "runtime compilation");
  EXPECT_EQ(og_plan_note(plan.get(), 1), nullptr);
  EXPECT_EQ(og_plan_num_variants(plan.get()), 2u);
  EXPECT_STREQ(og_plan_variant_name(plan.get(), 1), "x86-64-v4-bf16");
  int64_t input = 0, output = 0;
  ASSERT_EQ(og_plan_alias(plan.get(), 0, &input, &output), OG_OK);
  EXPECT_EQ(input, 1);
  EXPECT_EQ(output, 2);
  const void *data = nullptr;
  size_t size = 0;
  ASSERT_EQ(og_plan_serialize(plan.get(), &data, &size), OG_OK);
  std::vector<uint8_t> bytes = write(contents);
  ASSERT_EQ(size, bytes.size());
  EXPECT_EQ(std::memcmp(data, bytes.data(), size), 0);
}

TEST(Load, OperandAndSymbolInfo) {
  PlanPtr plan = load(makeFullPlan());
  og_operand_info info = {};
  info.struct_size = sizeof(info);
  ASSERT_EQ(og_plan_operand(plan.get(), 2, &info), OG_OK);
  EXPECT_EQ(info.uid, 2);
  EXPECT_STREQ(info.name, "y");
  EXPECT_EQ(info.dtype, OG_DTYPE_FLOAT);
  EXPECT_EQ(info.ndim, 1);
  EXPECT_EQ(info.shape[0], OG_DYNAMIC);
  EXPECT_EQ(info.strides[0], 1);
  EXPECT_EQ(info.is_output, 1);
  // An older caller's smaller struct is not written beyond its end.
  info.struct_size = offsetof(og_operand_info, dtype);
  info.dtype = 99;
  ASSERT_EQ(og_plan_operand(plan.get(), 1, &info), OG_OK);
  EXPECT_STREQ(info.name, "alpha");
  EXPECT_EQ(info.dtype, 99);
  info.struct_size = 0;
  expectStatus(og_plan_operand(plan.get(), 1, &info), OG_INVALID_ARGUMENT,
               {"struct_size"});
  size_t index = 0;
  ASSERT_EQ(og_plan_find_operand(plan.get(), 9, &index), OG_OK);
  EXPECT_EQ(index, 1u);
  expectStatus(og_plan_find_operand(plan.get(), 5, &index), OG_NOT_FOUND,
               {"uid 5"});
  og_symbol_info symbol = {};
  symbol.struct_size = sizeof(symbol);
  ASSERT_EQ(og_plan_symbol(plan.get(), 0, &symbol), OG_OK);
  EXPECT_STREQ(symbol.name, "N");
  EXPECT_EQ(symbol.uid, 1);
  EXPECT_EQ(symbol.divisor, 2);
  EXPECT_EQ(symbol.default_value, 4);
}

TEST(Load, PrepareKnowsTheHostOnly) {
  PlanPtr plan = load(makeFullPlan());
  EXPECT_EQ(og_plan_prepare(plan.get(), {OG_DEVICE_HOST, 0}), OG_OK);
  expectStatus(og_plan_prepare(plan.get(), {OG_DEVICE_CUDA, 3}), OG_UNSUPPORTED,
               {"type 2 id 3"});
}

TEST(Load, ReferencesKeepThePlan) {
  PlanPtr plan = load(makeScalePlan(4));
  og_plan_retain(plan.get());
  og_plan_release(plan.get());
  EXPECT_STREQ(og_plan_name(plan.get()), "test");
}

TEST(Load, StaticBytesStayTheCallers) {
  std::vector<uint8_t> bytes = write(makeScalePlan(4));
  std::vector<uint8_t> room(bytes.size() + 128);
  auto *aligned = reinterpret_cast<uint8_t *>(
      (reinterpret_cast<uintptr_t>(room.data()) + 63) / 64 * 64);
  for (int shift : {0, 8}) {
    std::memcpy(aligned + shift, bytes.data(), bytes.size());
    og_plan *plan = nullptr;
    ASSERT_EQ(og_plan_load_static(aligned + shift, bytes.size(), &plan), OG_OK);
    const void *data = nullptr;
    size_t size = 0;
    og_plan_serialize(plan, &data, &size);
    EXPECT_EQ(data == aligned + shift, shift == 0);
    og_plan_release(plan);
  }
}

TEST(Load, RefusesImportsOffTheList) {
  PlanContents contents = makeScalePlan(4);
  contents.variants[0].imports[0] = "malloc";
  expectRefused(contents, OG_UNSUPPORTED, "import 'malloc' is not on the list");
}

TEST(Load, ChoosesAndCapsTheVariant) {
  using opgraph::runtime::machineCpuTarget;
  PlanContents contents = makeScalePlan(4);
  contents.variants = {makeVariant("x86-64-v4-bf16"), makeVariant("x86-64-v2"),
                       makeVariant("x86-64-v3"), makeVariant("sm_90a")};
  const char *machine = opgraph::runtime::cpuTargetName(machineCpuTarget());
  PlanPtr best = load(contents);
  if (std::string(machine) != "x86-64-v4") {
    EXPECT_STREQ(og_plan_variant(best.get()), machine);
  }
  setenv("OPGRAPH_CPU_TARGET", "x86-64-v2", 1);
  PlanPtr capped = load(contents);
  EXPECT_STREQ(og_plan_variant(capped.get()), "x86-64-v2");
  EXPECT_STREQ(og_cpu_target(), "x86-64-v2");
  contents.variants = {makeVariant("x86-64-v3"), makeVariant("x86-64-v4")};
  expectRefused(contents, OG_UNSUPPORTED,
                "code for x86-64-v3, x86-64-v4; this machine runs x86-64-v2");
  setenv("OPGRAPH_CPU_TARGET", "nonsense", 1);
  EXPECT_STREQ(og_cpu_target(), machine);
  unsetenv("OPGRAPH_CPU_TARGET");
}

TEST(Load, PerfMapNamesFunctions) {
  setenv("OPGRAPH_PERF_MAP", "1", 1);
  PlanPtr plan = load(makeScalePlan(4));
  unsetenv("OPGRAPH_PERF_MAP");
  std::string path = "/tmp/perf-" + std::to_string(getpid()) + ".map";
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_NE(text.str().find(" 40 opgraph_scale_two\n"), std::string::npos)
      << text.str();
  unlink(path.c_str());
}

TEST(Imports, ListIsSortedAndClosed) {
  ASSERT_GT(og_host_import_count(), 100u);
  for (size_t i = 0; i < og_host_import_count(); ++i) {
    const char *name = og_host_import_name(i);
    EXPECT_EQ(og_host_import_allowed(name), 1) << name;
    if (i) {
      EXPECT_LT(std::strcmp(og_host_import_name(i - 1), name), 0) << name;
    }
  }
  EXPECT_EQ(og_host_import_name(og_host_import_count()), nullptr);
  for (const char *name : {"malloc", "free", "memrefCopy", "__divti3", "", "z"})
    EXPECT_EQ(og_host_import_allowed(name), 0) << name;
  EXPECT_EQ(og_host_import_allowed(nullptr), 0);
}

} // namespace
