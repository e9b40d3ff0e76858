//===- PlanListTest.cpp - Planning, filters, building ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "TestGraph.h"

#include <cstring>
#include <thread>

using namespace opgraph::test;
using ::testing::HasSubstr;

namespace {
class PlanList : public GraphTest {
protected:
  void SetUp() override {
    GraphTest::SetUp();
    // Large enough that the fast engine is ranked first beyond doubt.
    x = tensor({256, 1024});
    ASSERT_OK(op("relu", {{"input", x}}));
    y = results[0];
    output(y);
  }
  og_plan_info plan(int64_t index) {
    og_plan_info result = {};
    result.struct_size = sizeof(result);
    EXPECT_OK(og_graph_plan_info(graph, index, &result));
    return result;
  }
};
} // namespace

TEST_F(PlanList, plans_are_ranked_and_the_graph_is_frozen) {
  EXPECT_FALSE(og_graph_is_frozen(graph));
  ASSERT_OK(og_graph_create_plans(graph, nullptr));
  ASSERT_GE(og_graph_num_plans(graph), 2);
  EXPECT_STREQ(plan(0).engine_name, "host.fused");
  EXPECT_LE(plan(0).predicted_time_ns, plan(1).predicted_time_ns);
  EXPECT_TRUE(og_graph_is_frozen(graph));
}

TEST_F(PlanList, every_change_after_planning_is_refused_by_name) {
  ASSERT_OK(og_graph_create_plans(graph, nullptr));
  const int64_t dims2[] = {1, 1};
  const char *symbols[] = {"a", "b"};
  og_value value = f64(1);
  og_tensor_desc desc = {};
  desc.struct_size = sizeof(desc);
  og_tensor t;
  EXPECT_FAILS(og_tensor_set_name(graph, x, "n"), OG_FROZEN,
               "og_tensor_set_name: graph 'test' is frozen");
  EXPECT_EQ(og_tensor_set_dtype(graph, x, OG_DTYPE_HALF), OG_FROZEN);
  EXPECT_EQ(og_tensor_set_dims(graph, x, 2, dims2), OG_FROZEN);
  EXPECT_EQ(og_tensor_set_strides(graph, x, 2, dims2), OG_FROZEN);
  EXPECT_EQ(og_tensor_set_order(graph, x, 2, dims2), OG_FROZEN);
  EXPECT_EQ(og_tensor_set_symbols(graph, x, 2, symbols), OG_FROZEN);
  EXPECT_EQ(og_tensor_set_uid(graph, x, 9), OG_FROZEN);
  EXPECT_EQ(og_tensor_set_virtual(graph, y, 1), OG_FROZEN);
  EXPECT_EQ(og_tensor_set_by_value(graph, x, 1), OG_FROZEN);
  EXPECT_EQ(og_tensor_set_default(graph, x, &value), OG_FROZEN);
  EXPECT_EQ(og_tensor_set_alignment(graph, x, 64), OG_FROZEN);
  EXPECT_EQ(og_tensor_set_reordering(graph, x, 1), OG_FROZEN);
  EXPECT_EQ(og_tensor_set_ragged_offset(graph, x, y, 1), OG_FROZEN);
  EXPECT_EQ(og_graph_tensor(graph, &desc, &t), OG_FROZEN);
  EXPECT_EQ(og_graph_scalar(graph, &value, 0, 1, nullptr, &t), OG_FROZEN);
  EXPECT_EQ(og_graph_set_default_dtypes(graph, 1, 1, 1), OG_FROZEN);
  EXPECT_FAILS(op("relu", {{"input", x}}), OG_FROZEN, "og_graph_op");
  // Reading stays legal.
  EXPECT_OK(og_graph_validate(graph));
  EXPECT_EQ(info(x).ndim, 2);
}

TEST_F(PlanList, planning_happens_once) {
  ASSERT_OK(og_graph_create_plans(graph, nullptr));
  EXPECT_FAILS(og_graph_create_plans(graph, nullptr), OG_FAILED_PRECONDITION,
               "planning happens once");
}

TEST_F(PlanList, plan_is_replayed_from_its_spelling) {
  ASSERT_OK(og_graph_create_plans(graph, nullptr));
  std::string identity = plan(0).identity;
  int64_t index = -1;
  ASSERT_OK(
      og_graph_create_plan_named(graph, identity.c_str(), nullptr, &index));
  EXPECT_EQ(index, 0);
  ASSERT_OK(og_graph_create_plan(graph, plan(0).engine_id, plan(0).knobs,
                                 plan(0).num_knobs, nullptr, &index));
  EXPECT_EQ(index, 0);
}

TEST_F(PlanList, unknown_engine_knob_and_value) {
  EXPECT_FAILS(og_graph_create_plan(graph, 12345, nullptr, 0, nullptr, nullptr),
               OG_NOT_FOUND, "12345");
  og_knob knob = {26, 7};
  EXPECT_NE(og_graph_create_plan(graph, 10000, &knob, 1, nullptr, nullptr),
            OG_OK);
  EXPECT_THAT(og_last_error(), HasSubstr("TILE_M"));
  og_knob twice[] = {{26, 1}, {26, 2}};
  EXPECT_FAILS(og_graph_create_plan(graph, 10100, twice, 2, nullptr, nullptr),
               OG_INVALID_VALUE, "TILE_M is given twice");
  EXPECT_FAILS(
      og_graph_create_plan_named(graph, "host.fused[", nullptr, nullptr),
      OG_PARSE_ERROR, "host.fused[");
}

TEST_F(PlanList, options_are_checked) {
  og_plan_options options = {};
  options.struct_size = sizeof(options);
  options.target = "abacus";
  EXPECT_FAILS(og_graph_create_plans(graph, &options), OG_INVALID_VALUE,
               "target 'abacus'");
  options.target = nullptr;
  const int32_t modes[] = {9};
  options.modes = modes;
  options.num_modes = 1;
  EXPECT_FAILS(og_graph_create_plans(graph, &options), OG_INVALID_VALUE,
               "in [0, 3], got 9");
  EXPECT_FALSE(og_graph_is_frozen(graph));
}

TEST_F(PlanList, workspace_limit_declines_with_the_nearest_change) {
  // A matmul feeding a softmax needs a temporary in both engines.
  newGraph(OG_DTYPE_FLOAT);
  ASSERT_OK(op("exp", {{"input", tensor({64, 64})}}));
  ASSERT_OK(op("softmax", {{"input", results[0]}}));
  output(results[0]);
  og_plan_options options = {};
  options.struct_size = sizeof(options);
  options.limit_workspace = 1;
  og_status status = og_graph_create_plans(graph, &options);
  EXPECT_TRUE(status == OG_OK || status == OG_GRAPH_NOT_SUPPORTED);
  const char *text;
  ASSERT_OK(og_graph_explain(graph, OG_EXPLAIN_JSON, &text));
  EXPECT_THAT(text, HasSubstr("\"constraint\": \"workspace\""));
  EXPECT_THAT(text, HasSubstr("max_workspace = "));
}

TEST_F(PlanList, reordering_is_declined_by_name) {
  // INT8x32, which no host engine reads.
  ASSERT_OK(og_tensor_set_reordering(graph, x, 1));
  EXPECT_FAILS(og_graph_create_plans(graph, nullptr), OG_GRAPH_NOT_SUPPORTED,
               "reordering");
  const char *text;
  ASSERT_OK(og_graph_explain(graph, OG_EXPLAIN_TEXT, &text));
  EXPECT_THAT(text, HasSubstr("declined"));
}

TEST_F(PlanList, filters_bar_and_say_why) {
  ASSERT_OK(og_graph_create_plans(graph, nullptr));
  ASSERT_OK(og_graph_deselect_engines(graph, "host.fused"));
  EXPECT_TRUE(plan(0).barred);
  EXPECT_THAT(plan(0).reason, HasSubstr("deselect_engines"));
  EXPECT_FAILS(og_graph_build_at(graph, 0, nullptr), OG_FAILED_PRECONDITION,
               "is barred");
  ASSERT_OK(og_graph_build(graph, nullptr));
  EXPECT_STREQ(plan(og_graph_candidate(graph)).engine_name, "host.reference");
}

TEST_F(PlanList, all_barred_lists_the_reasons) {
  ASSERT_OK(og_graph_create_plans(graph, nullptr));
  ASSERT_OK(og_graph_deselect_engines(graph, "host"));
  EXPECT_FAILS(og_graph_build(graph, nullptr), OG_GRAPH_NOT_SUPPORTED,
               "barred: deselect_engines");
}

TEST_F(PlanList, notes_filter) {
  ASSERT_OK(og_graph_create_plans(graph, nullptr));
  EXPECT_FAILS(og_graph_filter_behavior(graph, 77, 1), OG_INVALID_VALUE,
               "got 77");
  ASSERT_OK(og_graph_filter_behavior(graph, OG_NOTE_RUNTIME_COMPILATION, 0));
  EXPECT_TRUE(plan(0).barred);
}

TEST_F(PlanList, queries_before_planning) {
  const char *text;
  og_plan *compiled;
  EXPECT_FAILS(og_graph_explain(graph, OG_EXPLAIN_TEXT, &text),
               OG_FAILED_PRECONDITION, "has not been planned");
  EXPECT_FAILS(og_graph_select(graph, 0), OG_FAILED_PRECONDITION,
               "og_graph_select");
  EXPECT_FAILS(og_graph_plan(graph, -1, &compiled), OG_FAILED_PRECONDITION,
               "has been built");
  EXPECT_EQ(og_graph_candidate(graph), -1);
  og_plan_info entry = {};
  entry.struct_size = sizeof(entry);
  EXPECT_FAILS(og_graph_plan_info(graph, 0, &entry), OG_OUT_OF_RANGE,
               "below 0, got 0");
}

TEST_F(PlanList, building_twice_gives_the_same_plan) {
  ASSERT_OK(og_graph_build(graph, nullptr));
  og_plan *first, *second;
  ASSERT_OK(og_graph_plan(graph, -1, &first));
  ASSERT_OK(og_graph_build(graph, nullptr));
  ASSERT_OK(og_graph_plan(graph, -1, &second));
  EXPECT_EQ(first, second);
  og_plan_release(first);
  og_plan_release(second);
}

TEST_F(PlanList, plan_outlives_the_graph) {
  ASSERT_OK(og_graph_build(graph, nullptr));
  og_plan *compiled;
  ASSERT_OK(og_graph_plan(graph, -1, &compiled));
  og_graph_release(graph);
  graph = nullptr;
  EXPECT_STREQ(og_plan_engine_name(compiled), "host.fused");
  EXPECT_THAT(og_plan_source(compiled), HasSubstr("graph.relu"));
  og_plan_release(compiled);
}

TEST_F(PlanList, unknown_variant) {
  og_build_options options = {};
  options.struct_size = sizeof(options);
  options.variants = "x86-64-v9";
  EXPECT_FAILS(og_graph_build(graph, &options), OG_INVALID_VALUE,
               "got 'x86-64-v9'");
}

TEST_F(PlanList, all_forms_are_emitted) {
  og_build_options options = {};
  options.struct_size = sizeof(options);
  options.variants = "x86-64-v2";
  const struct {
    og_emit_kind kind;
    const char *part;
  } forms[] = {{OG_EMIT_MLIR, "plan.program"},
               {OG_EMIT_LLVM, "define"},
               {OG_EMIT_ASM, ".text"},
               {OG_EMIT_OBJECT, "\x7f"
                                "ELF"},
               {OG_EMIT_PLAN, "\x89OGP"}};
  for (const auto &form : forms) {
    og_bytes *bytes = nullptr;
    ASSERT_OK(og_graph_emit(graph, -1, form.kind, &options, &bytes));
    EXPECT_THAT(std::string(og_bytes_data(bytes), og_bytes_size(bytes)),
                HasSubstr(form.part));
    og_bytes_release(bytes);
  }
}

TEST_F(PlanList, the_host_has_no_ptx) {
  for (og_emit_kind kind : {OG_EMIT_PTX, OG_EMIT_CUBIN}) {
    og_bytes *bytes = nullptr;
    EXPECT_FAILS(og_graph_emit(graph, -1, kind, nullptr, &bytes),
                 OG_UNSUPPORTED, "not as ptx or cubin");
    EXPECT_EQ(bytes, nullptr);
  }
  og_bytes *bytes = nullptr;
  EXPECT_FAILS(og_graph_emit(graph, -1, og_emit_kind(7), nullptr, &bytes),
               OG_INVALID_ARGUMENT, "expected an og_emit_kind, got 7");
}

TEST_F(PlanList, object_needs_an_identifier_and_a_plan) {
  og_bytes *plan = nullptr, *object = nullptr, *header = nullptr;
  ASSERT_OK(og_graph_emit(graph, -1, OG_EMIT_PLAN, nullptr, &plan));
  const char *data = og_bytes_data(plan);
  EXPECT_FAILS(
      og_aot_object(data, og_bytes_size(plan), "not a name", &object, &header),
      OG_INVALID_VALUE, "'not a name'");
  EXPECT_FAILS(og_aot_object(data, 40, "f", &object, &header), OG_DATA_LOSS,
               "cannot be wrapped");
  ASSERT_OK(og_aot_object(data, og_bytes_size(plan), "f", &object, &header));
  EXPECT_THAT(og_bytes_data(header), HasSubstr("f_execute"));
  og_bytes_release(plan);
  og_bytes_release(object);
  og_bytes_release(header);
}

TEST_F(PlanList, threads_share_a_compiler) {
  std::vector<std::thread> threads;
  std::vector<og_status> statuses(4, OG_INTERNAL);
  for (og_status &status : statuses)
    threads.emplace_back([this, &status] {
      const char *text =
          "graph.graph @g(%x: tensor<8xf32> {graph.uid = 1 : i64}) -> "
          "(tensor<8xf32> {graph.uid = 2 : i64}) {\n"
          "  %0 = graph.tanh %x : (tensor<8xf32>) -> tensor<8xf32>\n"
          "  graph.return %0 : tensor<8xf32>\n}";
      og_graph *own = nullptr;
      status = og_graph_parse(compiler, text, std::strlen(text), nullptr, &own);
      if (status == OG_OK)
        status = og_graph_build(own, nullptr);
      og_graph_release(own);
    });
  for (std::thread &thread : threads)
    thread.join();
  for (og_status status : statuses)
    EXPECT_EQ(status, OG_OK);
}

TEST_F(PlanList, stages_are_timed) {
  ASSERT_OK(og_graph_build(graph, nullptr));
  std::vector<std::string> names;
  for (size_t i = 0; i < og_graph_num_stages(graph); ++i) {
    og_stage_time time = {};
    time.struct_size = sizeof(time);
    ASSERT_OK(og_graph_stage(graph, i, &time));
    EXPECT_GE(time.time_ns, 0);
    names.push_back(time.stage);
  }
  EXPECT_THAT(names, ::testing::IsSupersetOf({"validate", "prepare", "rank",
                                              "legalize", "generate", "load"}));
}
