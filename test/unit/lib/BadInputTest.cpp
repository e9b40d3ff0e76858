//===- BadInputTest.cpp - What the builder refuses, and how ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "TestGraph.h"

using namespace opgraph::test;

namespace {
class BadInput : public GraphTest {};
} // namespace

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

TEST_F(BadInput, unknown_operation) {
  EXPECT_FAILS(op("matmull", {}), OG_NOT_FOUND, "did you mean 'matmul'?");
}

TEST_F(BadInput, no_room_for_results) {
  og_named_tensor operand = {"input", tensor({4})};
  og_op_desc desc = {};
  desc.struct_size = sizeof(desc);
  desc.op = "relu";
  desc.operands = &operand;
  desc.num_operands = 1;
  EXPECT_FAILS(og_graph_op(graph, &desc, nullptr, 0), OG_INVALID_ARGUMENT,
               "room for 1 results, got 0");
}

TEST_F(BadInput, missing_operand) {
  EXPECT_FAILS(op("add", {{"a", tensor({4})}}), OG_ATTRIBUTE_NOT_SET,
               "operand 'b' (port IN_1) is missing");
}

TEST_F(BadInput, unknown_operand_and_attribute) {
  x = tensor({4});
  EXPECT_FAILS(op("relu", {{"inputt", x}}), OG_NOT_FOUND,
               "did you mean 'input'?");
  EXPECT_FAILS(op("relu", {{"input", x}}, {{"slope", f64(1)}}), OG_NOT_FOUND,
               "no attribute 'slope'");
  EXPECT_FAILS(op("relu", {{"input", x}, {"IN_0", x}}), OG_ALREADY_EXISTS,
               "given twice");
  EXPECT_EQ(og_graph_num_nodes(graph), 0);
}

TEST_F(BadInput, wrong_kinds_of_attributes) {
  x = tensor({4});
  EXPECT_FAILS(op("relu", {{"input", x}}, {{"negative_slope", text("a")}}),
               OG_INVALID_VALUE, "expected a float");
  EXPECT_FAILS(op("reduction", {{"input", x}}, {{"mode", text("median")}}),
               OG_INVALID_VALUE, "expected one of add, mul, min");
  EXPECT_FAILS(op("reduction", {{"input", x}}, {{"mode", i64(0)}}),
               OG_ATTRIBUTE_NOT_SET, "'mode' is not set");
  EXPECT_FAILS(op("reduction", {{"input", x}}), OG_ATTRIBUTE_NOT_SET,
               "attribute 'mode' is missing");
}

TEST_F(BadInput, tensor_of_another_graph_or_none) {
  EXPECT_FAILS(op("relu", {{"input", 17}}), OG_OUT_OF_RANGE, "got 17");
  EXPECT_FAILS(og_tensor_set_dtype(graph, 3, OG_DTYPE_FLOAT), OG_OUT_OF_RANGE,
               "got 3");
}

TEST_F(BadInput, dtypes) {
  x = tensor({4});
  EXPECT_FAILS(og_tensor_set_dtype(graph, x, 99), OG_INVALID_VALUE,
               "expected an og_dtype, got 99");
  EXPECT_FAILS(og_tensor_set_dtype(graph, x, OG_DTYPE_FP8_E5M3), OG_UNSUPPORTED,
               "FP8_E5M3 is not supported");
}

TEST_F(BadInput, extents_strides_and_alignment) {
  x = tensor({4});
  const int64_t negative[] = {-4};
  const int64_t wrongOrder[] = {0, 0};
  EXPECT_FAILS(og_tensor_set_dims(graph, x, 1, negative), OG_INVALID_VALUE,
               "at least 0, got -4");
  EXPECT_FAILS(og_tensor_set_strides(graph, x, 1, negative), OG_INVALID_VALUE,
               "stride of axis 0 to be at least 0, got -4");
  EXPECT_FAILS(og_tensor_set_dims(graph, x, 17, negative), OG_INVALID_VALUE,
               "in [0, 16], got 17");
  EXPECT_FAILS(og_tensor_set_order(graph, x, 2, wrongOrder), OG_INVALID_VALUE,
               "permutation");
  EXPECT_FAILS(og_tensor_set_alignment(graph, x, 24), OG_INVALID_VALUE,
               "power of two up to 4096, got 24");
  EXPECT_FAILS(og_tensor_set_alignment(graph, x, 8192), OG_INVALID_VALUE,
               "power of two up to 4096, got 8192");
}

//===----------------------------------------------------------------------===//
// Validation
//===----------------------------------------------------------------------===//

TEST_F(BadInput, graph_without_operations) {
  tensor({4});
  EXPECT_FAILS(og_graph_validate(graph), OG_ATTRIBUTE_NOT_SET,
               "graph 'test' has no operations");
}

TEST_F(BadInput, graph_without_outputs) {
  ASSERT_OK(op("relu", {{"input", tensor({4})}}));
  EXPECT_FAILS(og_graph_validate(graph), OG_ATTRIBUTE_NOT_SET,
               "has no outputs");
}

TEST_F(BadInput, input_without_extents) {
  og_tensor_desc desc = {};
  desc.struct_size = sizeof(desc);
  ASSERT_OK(og_graph_tensor(graph, &desc, &x));
  ASSERT_OK(op("relu", {{"input", x}}));
  output(results[0]);
  EXPECT_FAILS(og_graph_validate(graph), OG_ATTRIBUTE_NOT_SET,
               "tensor 'tensor_0' has no extents");
}

TEST_F(BadInput, rank_of_strides) {
  reluGraph();
  const int64_t strides[] = {1};
  ASSERT_OK(og_tensor_set_strides(graph, x, 1, strides));
  EXPECT_FAILS(og_graph_validate(graph), OG_ATTRIBUTE_NOT_SET,
               "expected as many strides as extents (2), got 1");
}

TEST_F(BadInput, rank_of_result_strides) {
  reluGraph();
  const int64_t strides[] = {1};
  ASSERT_OK(og_tensor_set_strides(graph, y, 1, strides));
  EXPECT_FAILS(og_graph_validate(graph), OG_ATTRIBUTE_NOT_SET,
               "expected as many strides as extents (2), got 1");
}

TEST_F(BadInput, broadcast_mismatch) {
  ASSERT_OK(op("add", {{"a", tensor({4, 3})}, {"b", tensor({2, 3})}}));
  output(results[0]);
  EXPECT_FAILS(og_graph_validate(graph), OG_SHAPE_DEDUCTION,
               "node 'add.0': 'graph.add' op");
}

TEST_F(BadInput, contraction_mismatch) {
  ASSERT_OK(op("matmul", {{"A", tensor({4, 8})}, {"B", tensor({7, 3})}}));
  output(results[0]);
  EXPECT_FAILS(og_graph_validate(graph), OG_SHAPE_DEDUCTION, "graph.matmul");
}

TEST_F(BadInput, axis_out_of_range) {
  ASSERT_OK(op("gen_index", {{"input", tensor({4, 8})}}, {{"axis", i64(2)}}));
  output(results[0]);
  EXPECT_NE(og_graph_validate(graph), OG_OK);
  EXPECT_THAT(og_last_error(), ::testing::HasSubstr("axis"));
}

TEST_F(BadInput, permutation_is_no_permutation) {
  const std::vector<int64_t> permutation = {0, 0};
  ASSERT_OK(op("transpose", {{"input", tensor({4, 8})}},
               {{"permutation", array(permutation)}}));
  output(results[0]);
  EXPECT_NE(og_graph_validate(graph), OG_OK);
  EXPECT_THAT(og_last_error(), ::testing::HasSubstr("permutation"));
}

TEST_F(BadInput, reshape_without_extents) {
  ASSERT_OK(op("reshape", {{"input", tensor({4, 8})}}));
  output(results[0]);
  EXPECT_FAILS(og_graph_validate(graph), OG_ATTRIBUTE_NOT_SET,
               "expected extents of result 'Y' to be declared");
}

TEST_F(BadInput, virtual_input_and_by_value_result) {
  reluGraph();
  ASSERT_OK(og_tensor_set_virtual(graph, x, 1));
  EXPECT_FAILS(og_graph_validate(graph), OG_ATTRIBUTE_NOT_SET,
               "is virtual, but no operation makes it");
  ASSERT_OK(og_tensor_set_by_value(graph, x, 1));
  EXPECT_FAILS(og_graph_validate(graph), OG_ATTRIBUTE_NOT_SET,
               "virtual and by-value");
  ASSERT_OK(og_tensor_set_virtual(graph, x, 0));
  ASSERT_OK(og_tensor_set_by_value(graph, x, 0));
  ASSERT_OK(og_tensor_set_by_value(graph, y, 1));
  EXPECT_FAILS(og_graph_validate(graph), OG_INVALID_VALUE,
               "only inputs can be by-value");
}

TEST_F(BadInput, by_value_input_with_many_elements) {
  reluGraph();
  ASSERT_OK(og_tensor_set_by_value(graph, x, 1));
  EXPECT_FAILS(og_graph_validate(graph), OG_INVALID_VALUE,
               "to have one element");
}

TEST_F(BadInput, default_that_does_not_fit) {
  og_value big = i64(300);
  og_tensor scalar;
  ASSERT_OK(og_graph_scalar(graph, &big, OG_DTYPE_INT8, 0, "s", &scalar));
  ASSERT_OK(op("identity", {{"input", scalar}}));
  ASSERT_OK(og_tensor_set_dtype(graph, results[0], OG_DTYPE_INT8));
  output(results[0]);
  EXPECT_FAILS(og_graph_validate(graph), OG_INVALID_VALUE, "to fit INT8");
}

TEST_F(BadInput, output_whose_elements_share_addresses) {
  reluGraph();
  const int64_t overlapping[] = {4, 1};
  ASSERT_OK(og_tensor_set_strides(graph, y, 2, overlapping));
  EXPECT_FAILS(og_graph_validate(graph), OG_INVALID_VALUE,
               "addresses of their own");
}

TEST_F(BadInput, overflowing_extents_and_strides) {
  const int64_t huge = int64_t(1) << 40;
  x = tensor({huge, huge});
  ASSERT_OK(op("relu", {{"input", x}}));
  output(results[0]);
  EXPECT_FAILS(og_graph_validate(graph), OG_INVALID_VALUE, "overflow");
  const int64_t dims2[] = {huge, 2}, strides2[] = {huge, 1};
  ASSERT_OK(og_tensor_set_dims(graph, x, 2, dims2));
  ASSERT_OK(og_tensor_set_strides(graph, x, 2, strides2));
  EXPECT_FAILS(og_graph_validate(graph), OG_INVALID_VALUE, "overflow");
}

TEST_F(BadInput, dtype_missing_everywhere) {
  newGraph(OG_DTYPE_NOT_SET);
  x = tensor({4});
  ASSERT_OK(op("relu", {{"input", x}}));
  output(results[0]);
  EXPECT_FAILS(og_graph_validate(graph), OG_ATTRIBUTE_NOT_SET,
               "has no dtype, and the graph has no io dtype");
}

TEST_F(BadInput, source_line_is_in_the_text) {
  og_named_tensor operands[] = {{"a", tensor({4})}, {"b", tensor({3})}};
  og_op_desc desc = {};
  desc.struct_size = sizeof(desc);
  desc.op = "add";
  desc.operands = operands;
  desc.num_operands = 2;
  desc.file = "model.py";
  desc.line = 42;
  og_tensor sum;
  ASSERT_OK(og_graph_op(graph, &desc, &sum, 1));
  output(sum);
  EXPECT_FAILS(og_graph_validate(graph), OG_SHAPE_DEDUCTION,
               "model.py:42:0: node 'add.0'");
}
