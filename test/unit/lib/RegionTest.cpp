//===- RegionTest.cpp - Regions of operations -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "TestGraph.h"
#include "opgraph/Graph.h"

using namespace opgraph::test;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {

class Region : public GraphTest {
protected:
  void SetUp() override {
    GraphTest::SetUp();
    q = tensor({2, 4, 8, 16});
    k = tensor({2, 4, 12, 16});
    v = tensor({2, 4, 12, 16});
    cap = tensor({1, 1, 1, 1}, 0, "cap");
  }

  og_tensor begin() {
    og_tensor argument = OG_NO_TENSOR;
    EXPECT_OK(og_graph_begin_region(graph, 1, &argument));
    return argument;
  }
  og_tensor add(const char *name, og_tensor a, og_tensor b) {
    EXPECT_OK(op(name, {{"a", a}, {"b", b}}));
    return results[0];
  }
  int32_t end(og_tensor result) {
    int32_t region = 0;
    EXPECT_OK(og_graph_end_region(graph, &result, 1, &region));
    return region;
  }
  /// cap * tanh(S / cap).
  int32_t softCap() {
    og_tensor scores = begin();
    og_tensor scaled = add("div", scores, cap);
    EXPECT_OK(op("tanh", {{"input", scaled}}));
    return end(add("mul", cap, results[0]));
  }
  og_status attention(int32_t region) {
    return op("sdpa", {{"q", q}, {"k", k}, {"v", v}}, {}, {}, region);
  }
  og_region_info region(int32_t number) {
    og_region_info result = {};
    result.struct_size = sizeof(result);
    EXPECT_OK(og_graph_region(graph, number, &result));
    return result;
  }

  og_tensor q, k, v, cap;
};

//===----------------------------------------------------------------------===//
// What works
//===----------------------------------------------------------------------===//

TEST_F(Region, captures_become_operands) {
  int32_t number = softCap();
  EXPECT_EQ(number, 1);
  ASSERT_OK(attention(number));
  output(results[0]);
  std::string text = print();
  EXPECT_THAT(text, HasSubstr("captures"));
  EXPECT_THAT(text, HasSubstr("graph.tanh"));
  EXPECT_THAT(text, HasSubstr("graph.yield"));
  EXPECT_THAT(dims(region(1).arguments[0]), ElementsAre(2, 4, 8, 12));
  EXPECT_EQ(info(region(1).results[0]).dtype, OG_DTYPE_FLOAT);
  EXPECT_EQ(region(1).num_captures, 1u);
  EXPECT_EQ(region(1).captures[0], cap);
  EXPECT_EQ(region(1).node, 3);
}

TEST_F(Region, text_reads_back) {
  ASSERT_OK(attention(softCap()));
  output(results[0]);
  std::string text = print();
  og_graph *parsed = nullptr;
  ASSERT_OK(
      og_graph_parse(compiler, text.data(), text.size(), nullptr, &parsed));
  const char *again = nullptr;
  EXPECT_OK(og_graph_print(parsed, &again, nullptr));
  EXPECT_EQ(text, again);
  EXPECT_EQ(og_graph_num_nodes(parsed), 4);
  og_region_info found = {};
  found.struct_size = sizeof(found);
  ASSERT_EQ(og_graph_num_regions(parsed), 1);
  EXPECT_OK(og_graph_region(parsed, 1, &found));
  EXPECT_EQ(found.num_arguments, 1u);
  EXPECT_EQ(found.num_captures, 1u);
  EXPECT_EQ(found.num_results, 1u);
  EXPECT_EQ(found.node, 3);
  og_graph_release(parsed);
}

TEST_F(Region, nodes_tell_where_they_are) {
  ASSERT_OK(attention(softCap()));
  og_node_info node = {};
  node.struct_size = sizeof(node);
  for (int32_t inner = 0; inner < 3; ++inner) {
    ASSERT_OK(og_graph_node(graph, inner, &node));
    EXPECT_EQ(node.region, 1);
    EXPECT_EQ(node.owned_region, 0);
  }
  ASSERT_OK(og_graph_node(graph, 3, &node));
  EXPECT_EQ(node.region, 0);
  EXPECT_EQ(node.owned_region, 1);
  EXPECT_EQ(node.num_operands, 4);
  EXPECT_EQ(info(region(1).arguments[0]).region, 1);
}

TEST_F(Region, identity_gives_its_argument_back) {
  ASSERT_OK(attention(end(begin())));
  output(results[0]);
  EXPECT_THAT(print(), HasSubstr("graph.yield"));
}

TEST_F(Region, results_of_the_graph_are_captured_too) {
  ASSERT_OK(op("abs", {{"input", cap}}));
  og_tensor scores = begin();
  ASSERT_OK(attention(end(add("mul", scores, results[0]))));
  output(results[0]);
  EXPECT_OK(og_graph_validate(graph));
}

TEST_F(Region, works_from_cpp) {
  auto made = opgraph::Compiler::create();
  ASSERT_TRUE(made.ok());
  opgraph::Graph typed(*made, {"typed", opgraph::DataType::Float});
  opgraph::Tensor query = typed.tensor({2, 4, 8, 16});
  opgraph::Tensor key = typed.tensor({2, 4, 12, 16});
  opgraph::Tensor slope = typed.tensor({1, 4, 1, 1});
  opgraph::Tensor max = typed.tensor({2, 4, 8, 1}).setName("row_max");
  opgraph::Tensor scores = typed.beginRegion()[0];
  opgraph::SdpaOptions options;
  options.region = typed.endRegion({typed.mul(scores, slope)});
  options.generateMax = true;
  options.outputs = {{"Max", max}};
  opgraph::SdpaResults found = typed.sdpa(query, key, key, options);
  found.o.setOutput();
  auto text = typed.print();
  ASSERT_TRUE(text.ok()) << text.error().text;
  EXPECT_THAT(*text, HasSubstr("row_max"));
  EXPECT_EQ(found.max.get(), max.get());

  ASSERT_TRUE(typed.beginRegion()[0].valid());
  typed.matmul(query, key);
  EXPECT_EQ(typed.error().status, OG_UNSUPPORTED);
  EXPECT_TRUE(typed.abandonRegion().ok());
  EXPECT_TRUE(typed.validate().ok());
}

//===----------------------------------------------------------------------===//
// Abandoning
//===----------------------------------------------------------------------===//

TEST_F(Region, abandoning_restores_the_graph) {
  reluGraph();
  ASSERT_OK(og_graph_validate(graph));
  std::string before = print();
  int32_t count = og_graph_num_tensors(graph);
  og_tensor scores = begin();
  EXPECT_EQ(og_graph_is_validated(graph), 0);
  add("mul", scores, cap);
  og_tensor extra = tensor({4});
  ASSERT_OK(og_tensor_set_uid(graph, extra, info(x).uid));
  ASSERT_OK(og_tensor_set_name(graph, cap, "renamed"));
  ASSERT_OK(og_graph_abandon_region(graph));
  EXPECT_EQ(og_graph_num_tensors(graph), count);
  EXPECT_EQ(og_graph_num_nodes(graph), 1);
  EXPECT_EQ(og_graph_num_regions(graph), 0);
  EXPECT_STREQ(info(cap).name, "cap");
  EXPECT_EQ(info(cap).is_used, 0);
  EXPECT_EQ(og_graph_is_validated(graph), 1);
  EXPECT_EQ(print(), before);
  ASSERT_OK(op("mul", {{"a", q}, {"b", cap}}));
  EXPECT_STREQ(info(results[0]).name, "mul.0::OUT_0");
}

TEST_F(Region, an_ended_one_that_nothing_took_can_be_abandoned) {
  reluGraph();
  softCap();
  EXPECT_FAILS(og_graph_validate(graph), OG_ATTRIBUTE_NOT_SET,
               "region 1 of graph 'test' belongs to no operation");
  ASSERT_OK(og_graph_abandon_region(graph));
  EXPECT_OK(og_graph_validate(graph));
  EXPECT_FAILS(og_graph_abandon_region(graph), OG_FAILED_PRECONDITION,
               "no region that no operation has taken");
}

TEST_F(Region, a_taken_one_stays) {
  ASSERT_OK(attention(softCap()));
  EXPECT_FAILS(og_graph_abandon_region(graph), OG_FAILED_PRECONDITION,
               "no region that no operation has taken");
}

//===----------------------------------------------------------------------===//
// Bad input
//===----------------------------------------------------------------------===//

TEST_F(Region, an_open_one_blocks_validation_and_others) {
  reluGraph();
  og_tensor scores = begin(), other = OG_NO_TENSOR;
  EXPECT_FAILS(og_graph_validate(graph), OG_FAILED_PRECONDITION,
               "region 1 is open");
  EXPECT_FAILS(og_graph_create_plans(graph, nullptr), OG_FAILED_PRECONDITION,
               "region 1 is open");
  EXPECT_FAILS(og_graph_begin_region(graph, 1, &other), OG_FAILED_PRECONDITION,
               "regions do not nest");
  EXPECT_FAILS(op("matmul", {{"A", q}, {"B", k}}), OG_UNSUPPORTED,
               "node 'matmul.0' (matmul): expected a pointwise operation in "
               "region 1, got 'matmul'");
  EXPECT_FAILS(
      op("mul", {{"a", scores}, {"b", cap}}, {}, {{"OUT_0", tensor({4})}}),
      OG_INVALID_VALUE, "outside of regions, got region 1");
}

TEST_F(Region, tensors_inside_stay_inside) {
  og_tensor scores = begin();
  og_tensor doubled = add("add", scores, scores);
  EXPECT_FAILS(og_tensor_set_virtual(graph, doubled, 0), OG_INVALID_VALUE,
               "is inside region 1 and cannot be an output");
  int32_t number = end(doubled);
  EXPECT_FAILS(op("relu", {{"input", doubled}}), OG_INVALID_VALUE,
               "'add.0::OUT_0' is inside region 1, and only operations there "
               "read it");
  begin();
  EXPECT_FAILS(op("relu", {{"input", scores}}), OG_INVALID_VALUE,
               "is inside region 1");
  int32_t none = 0;
  EXPECT_FAILS(og_graph_end_region(graph, &scores, 1, &none), OG_INVALID_VALUE,
               "result 0 of region 2");
  ASSERT_OK(og_graph_abandon_region(graph));
  EXPECT_OK(attention(number));
}

TEST_F(Region, one_operation_takes_it) {
  int32_t number = softCap();
  EXPECT_FAILS(op("relu", {{"input", q}}, {}, {}, number), OG_INVALID_VALUE,
               "node 'relu.0' (relu) has no region, got region 1");
  EXPECT_FAILS(attention(2), OG_NOT_FOUND, "expected a region in [1, 1]");
  EXPECT_FAILS(attention(-1), OG_NOT_FOUND, "got -1");
  ASSERT_OK(attention(number));
  EXPECT_FAILS(attention(number), OG_ALREADY_EXISTS,
               "region 1 belongs to node 'sdpa.0' (sdpa)");
  EXPECT_FAILS(op("sdpa", {{"q", q}, {"k", k}, {"v", v}, {"captures", cap}}),
               OG_INVALID_VALUE, "it follows from the region");
}

TEST_F(Region, declared_arguments_are_compared) {
  og_tensor scores = begin();
  const int64_t wrong[] = {2, 4, 8, 13};
  ASSERT_OK(og_tensor_set_dims(graph, scores, 4, wrong));
  ASSERT_OK(attention(end(scores)));
  output(results[0]);
  EXPECT_FAILS(og_graph_validate(graph), OG_SHAPE_DEDUCTION,
               "expected extents 2x4x8x12 as the region's operation gives "
               "them, got 2x4x8x13");
  const int64_t right[] = {2, 4, 8, 12}, strides[] = {1, 2, 8, 64};
  ASSERT_OK(og_tensor_set_dims(graph, scores, 4, right));
  ASSERT_OK(og_tensor_set_dtype(graph, scores, OG_DTYPE_HALF));
  EXPECT_FAILS(og_graph_validate(graph), OG_INVALID_VALUE,
               "expected dtype FLOAT");
  ASSERT_OK(og_tensor_set_dtype(graph, scores, OG_DTYPE_FLOAT));
  ASSERT_OK(og_tensor_set_strides(graph, scores, 4, strides));
  EXPECT_FAILS(og_graph_validate(graph), OG_INVALID_VALUE, "expected strides");
}

TEST_F(Region, wrong_results_fail_validation) {
  begin();
  ASSERT_OK(op("relu", {{"input", cap}}));
  ASSERT_OK(attention(end(results[0])));
  output(results[0]);
  EXPECT_NE(og_graph_validate(graph), OG_OK);
}

TEST_F(Region, the_wrong_number_of_arguments_fails_validation) {
  og_tensor arguments[3];
  ASSERT_OK(og_graph_begin_region(graph, 3, arguments));
  ASSERT_OK(attention(end(arguments[0])));
  output(results[0]);
  EXPECT_NE(og_graph_validate(graph), OG_OK);
}

TEST_F(Region, null_and_missing_are_refused) {
  int32_t number = 0;
  EXPECT_FAILS(og_graph_begin_region(nullptr, 0, nullptr), OG_INVALID_ARGUMENT,
               "graph is null");
  EXPECT_FAILS(og_graph_begin_region(graph, 1, nullptr), OG_INVALID_ARGUMENT,
               "arguments is null");
  EXPECT_FAILS(og_graph_end_region(graph, nullptr, 0, &number),
               OG_FAILED_PRECONDITION, "has no open region");
  EXPECT_FAILS(og_graph_abandon_region(graph), OG_FAILED_PRECONDITION,
               "no region");
  EXPECT_FAILS(og_graph_region(graph, 1, nullptr), OG_OUT_OF_RANGE,
               "in [1, 0], got 1");
  EXPECT_EQ(og_graph_num_regions(nullptr), 0);
  begin();
  EXPECT_FAILS(og_graph_end_region(graph, nullptr, 1, &number),
               OG_INVALID_ARGUMENT, "results is null");
}

} // namespace
