//===- GraphBuilderTest.cpp - Building and validating graphs --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "TestGraph.h"

#include <cstring>

using namespace opgraph::test;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

extern "C" og_status opgraph_test_validate_in_c(og_compiler *compiler);

namespace {
class GraphBuilder : public GraphTest {};
} // namespace

//===----------------------------------------------------------------------===//
// Handles, structs, versions
//===----------------------------------------------------------------------===//

TEST_F(GraphBuilder, version_is_given) {
  EXPECT_STREQ(opgraph_version(), og_runtime_version());
  EXPECT_THAT(og_compiler_identity(), StartsWith("opgraph "));
}

TEST_F(GraphBuilder, headers_are_c) {
  EXPECT_OK(opgraph_test_validate_in_c(compiler));
}

TEST_F(GraphBuilder, null_arguments_are_refused) {
  og_graph *other = nullptr;
  EXPECT_FAILS(og_graph_create(nullptr, nullptr, &other), OG_INVALID_ARGUMENT,
               "compiler is null");
  EXPECT_FAILS(og_graph_create(compiler, nullptr, nullptr), OG_INVALID_ARGUMENT,
               "out is null");
  EXPECT_FAILS(og_graph_validate(nullptr), OG_INVALID_ARGUMENT,
               "graph is null");
  EXPECT_FAILS(og_graph_op(graph, nullptr, nullptr, 0), OG_INVALID_ARGUMENT,
               "og_op_desc is null");
  EXPECT_EQ(og_graph_num_plans(nullptr), 0);
  EXPECT_STREQ(og_graph_name(nullptr), "");
  og_graph_release(nullptr);
  og_compiler_release(nullptr);
  og_bytes_release(nullptr);
}

TEST_F(GraphBuilder, struct_of_no_size_is_refused) {
  og_tensor_desc desc = {};
  og_tensor result;
  EXPECT_FAILS(og_graph_tensor(graph, &desc, &result), OG_INVALID_ARGUMENT,
               "expected struct_size to be at least");
}

TEST_F(GraphBuilder, longer_struct_of_a_later_version_is_taken) {
  struct Later {
    og_tensor_desc desc;
    char more[32];
  } later = {};
  const int64_t dims[] = {2, 3};
  later.desc.struct_size = sizeof(later);
  later.desc.ndim = 2;
  later.desc.dims = dims;
  og_tensor result;
  EXPECT_OK(og_graph_tensor(graph, &later.desc, &result));
}

TEST_F(GraphBuilder, graph_outlives_its_compiler_handle) {
  og_compiler_release(compiler);
  compiler = nullptr;
  reluGraph();
  EXPECT_OK(og_graph_validate(graph));
}

//===----------------------------------------------------------------------===//
// Inference through the builder
//===----------------------------------------------------------------------===//

TEST_F(GraphBuilder, validate_fills_what_is_unset) {
  og_tensor a = tensor({16, 32, 128}), b = tensor({16, 128, 64});
  ASSERT_OK(op("matmul", {{"A", a}, {"B", b}}));
  og_tensor c = results[0];
  ASSERT_OK(op("gelu", {{"IN_0", c}}));
  output(results[0]);
  ASSERT_OK(og_graph_validate(graph));
  EXPECT_THAT(dims(c), ElementsAre(16, 32, 64));
  EXPECT_THAT(strides(c), ElementsAre(2048, 64, 1));
  EXPECT_EQ(info(c).dtype, OG_DTYPE_FLOAT);
  EXPECT_STREQ(info(c).name, "matmul.0::C");
}

TEST_F(GraphBuilder, virtual_results_take_the_intermediate_dtype) {
  newGraph(OG_DTYPE_HALF);
  ASSERT_OK(og_graph_set_default_dtypes(graph, 0, OG_DTYPE_FLOAT, 0));
  x = tensor({4});
  ASSERT_OK(op("exp", {{"input", x}}));
  og_tensor inner = results[0];
  ASSERT_OK(op("neg", {{"input", inner}}));
  output(results[0]);
  ASSERT_OK(og_graph_validate(graph));
  EXPECT_EQ(info(inner).dtype, OG_DTYPE_FLOAT);
  EXPECT_EQ(info(results[0]).dtype, OG_DTYPE_HALF);
}

TEST_F(GraphBuilder, conditional_results_are_absent) {
  og_tensor epsilon;
  og_value value = f64(1e-5);
  ASSERT_OK(og_graph_scalar(graph, &value, 0, 0, "eps", &epsilon));
  x = tensor({8, 16});
  ASSERT_OK(op("rmsnorm", {{"input", x}, {"epsilon", epsilon}},
               {{"norm_forward_phase", text("INFERENCE")}}));
  EXPECT_NE(results[0], OG_NO_TENSOR);
  EXPECT_EQ(results[1], OG_NO_TENSOR);
  ASSERT_OK(op("layernorm", {{"input", x}, {"epsilon", epsilon}},
               {{"norm_forward_phase", i64(2)}}));
  EXPECT_NE(results[1], OG_NO_TENSOR);
  EXPECT_NE(results[2], OG_NO_TENSOR);
}

TEST_F(GraphBuilder, variadic_operand_is_given_by_repeating_it) {
  og_tensor a = tensor({2, 3}), b = tensor({2, 5});
  ASSERT_OK(
      op("concatenate", {{"inputs", a}, {"inputs", b}}, {{"axis", i64(-1)}}));
  output(results[0]);
  ASSERT_OK(og_graph_validate(graph));
  EXPECT_THAT(dims(results[0]), ElementsAre(2, 8));
}

TEST_F(GraphBuilder, constant_has_no_uid_in_the_graph) {
  og_tensor two;
  og_value value = f64(2);
  ASSERT_OK(og_graph_scalar(graph, &value, 0, 1, nullptr, &two));
  x = tensor({4});
  ASSERT_OK(op("mul", {{"a", x}, {"b", two}}));
  output(results[0]);
  const char *printed = nullptr;
  size_t size = 0;
  ASSERT_OK(og_graph_print(graph, &printed, &size));
  EXPECT_EQ(size, std::strlen(printed));
  EXPECT_THAT(printed, HasSubstr("graph.constant 2.000000e+00 : f32"));
  EXPECT_TRUE(info(two).is_constant);
}

TEST_F(GraphBuilder, zero_size_extents_are_defined) {
  x = tensor({0, 8});
  ASSERT_OK(op("relu", {{"input", x}}));
  output(results[0]);
  EXPECT_OK(og_graph_validate(graph));
}

TEST_F(GraphBuilder, change_after_validate_is_seen) {
  reluGraph();
  ASSERT_OK(og_graph_validate(graph));
  EXPECT_TRUE(og_graph_is_validated(graph));
  const int64_t dims2[] = {2, 2};
  ASSERT_OK(og_tensor_set_dims(graph, x, 2, dims2));
  EXPECT_FALSE(og_graph_is_validated(graph));
  ASSERT_OK(og_graph_validate(graph));
  EXPECT_THAT(dims(y), ElementsAre(2, 2));
}

//===----------------------------------------------------------------------===//
// Uids and names
//===----------------------------------------------------------------------===//

TEST_F(GraphBuilder, uids_count_from_one) {
  EXPECT_EQ(info(tensor({1})).uid, 1);
  EXPECT_EQ(info(tensor({1})).uid, 2);
}

TEST_F(GraphBuilder, chosen_uid_moves_the_automatic_holder) {
  og_tensor a = tensor({1}), b = tensor({1});
  ASSERT_OK(og_tensor_set_uid(graph, b, 1));
  EXPECT_EQ(info(b).uid, 1);
  EXPECT_NE(info(a).uid, 1);
  EXPECT_FAILS(og_tensor_set_uid(graph, a, 1), OG_ALREADY_EXISTS,
               "expected uids to be unique, got 1");
  EXPECT_FAILS(og_tensor_set_uid(graph, a, -5), OG_INVALID_VALUE,
               "at least 0, got -5");
}

TEST_F(GraphBuilder, tensors_are_found_by_uid_and_name) {
  og_tensor a = tensor({1}, 0, "a"), found;
  tensor({1}, 0, "twice");
  tensor({1}, 0, "twice");
  EXPECT_OK(og_graph_find_name(graph, "a", &found));
  EXPECT_EQ(found, a);
  EXPECT_OK(og_graph_find_uid(graph, 1, &found));
  EXPECT_EQ(found, a);
  EXPECT_FAILS(og_graph_find_name(graph, "twice", &found), OG_INVALID_VALUE,
               "several tensors");
  EXPECT_FAILS(og_graph_find_uid(graph, 99, &found), OG_NOT_FOUND,
               "has uid 99");
}

TEST_F(GraphBuilder, nodes_can_be_read) {
  reluGraph();
  og_node_info node = {};
  node.struct_size = sizeof(node);
  ASSERT_EQ(og_graph_num_nodes(graph), 1);
  ASSERT_OK(og_graph_node(graph, 0, &node));
  EXPECT_STREQ(node.name, "relu.0");
  EXPECT_STREQ(node.op, "relu");
  const char *port;
  og_tensor operand;
  ASSERT_OK(og_graph_node_operand(graph, 0, 0, nullptr, &port, &operand));
  EXPECT_STREQ(port, "IN_0");
  EXPECT_EQ(operand, x);
  EXPECT_FAILS(og_graph_node_operand(graph, 0, 1, nullptr, &port, &operand),
               OG_OUT_OF_RANGE, "below 1, got 1");
  EXPECT_FAILS(og_graph_node(graph, 7, &node), OG_OUT_OF_RANGE, "got 7");
}

TEST_F(GraphBuilder, ops_are_listed_in_order) {
  ASSERT_GE(og_num_ops(), 60);
  for (int32_t i = 1; i < og_num_ops(); ++i)
    EXPECT_LT(std::strcmp(og_op_name(i - 1), og_op_name(i)), 0);
  EXPECT_EQ(og_op_name(-1), nullptr);
  EXPECT_EQ(og_op_num_results("sdpa"), 5);
  EXPECT_EQ(og_op_num_results("nonsense"), -1);
}
