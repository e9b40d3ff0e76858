//===- OutputsTest.cpp - Results that the caller makes beforehand ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "TestGraph.h"

using namespace opgraph::test;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {

og_value yes() {
  og_value result = i64(1);
  result.kind = OG_VALUE_BOOL;
  return result;
}

class Outputs : public GraphTest {
protected:
  void SetUp() override {
    GraphTest::SetUp();
    q = tensor({2, 4, 8, 16}, 0, "q");
    k = tensor({2, 4, 8, 16});
    v = tensor({2, 4, 8, 16});
    max = tensor({2, 4, 8, 1}, 0, "row_max");
  }
  /// Attention with the result Max and these outputs.
  og_status attention(const std::vector<og_named_tensor> &outputs) {
    return op("sdpa", {{"q", q}, {"k", k}, {"v", v}}, {{"generate_max", yes()}},
              outputs);
  }
  int64_t numTensors() { return og_graph_num_tensors(graph); }

  og_tensor q, k, v, max;
};

TEST_F(Outputs, become_results_as_declared) {
  ASSERT_OK(og_tensor_set_uid(graph, max, 77));
  ASSERT_OK(attention({{"Max", max}}));
  EXPECT_EQ(results[2], max);
  EXPECT_EQ(results[1], OG_NO_TENSOR);
  output(results[0]);
  ASSERT_OK(og_graph_validate(graph));
  EXPECT_EQ(info(max).node, 0);
  EXPECT_EQ(info(max).is_virtual, 0);
  EXPECT_EQ(info(max).uid, 77);
  EXPECT_STREQ(info(max).name, "row_max");
  EXPECT_EQ(info(max).dtype, OG_DTYPE_FLOAT);
  EXPECT_THAT(strides(max), ElementsAre(32, 8, 1, 1));
  EXPECT_THAT(print(), HasSubstr("graph.name = \"row_max\""));
}

TEST_F(Outputs, a_required_result_by_its_port) {
  x = tensor({4, 8});
  const int64_t order[] = {1, 4};
  y = tensor({4, 8}, OG_DTYPE_HALF, "mine");
  ASSERT_OK(og_tensor_set_strides(graph, y, 2, order));
  ASSERT_OK(op("relu", {{"input", x}}, {}, {{"OUT_0", y}}));
  EXPECT_EQ(results[0], y);
  ASSERT_OK(og_graph_validate(graph));
  EXPECT_EQ(info(y).dtype, OG_DTYPE_HALF);
  EXPECT_THAT(strides(y), ElementsAre(1, 4));
}

TEST_F(Outputs, stay_virtual_where_they_were_made_so) {
  ASSERT_OK(og_tensor_set_virtual(graph, max, 1));
  ASSERT_OK(attention({{"Max", max}}));
  output(results[0]);
  ASSERT_OK(og_graph_validate(graph));
  EXPECT_EQ(info(max).is_virtual, 1);
}

TEST_F(Outputs, left_out_ones_are_made) {
  ASSERT_OK(attention({{"Max", OG_NO_TENSOR}}));
  EXPECT_NE(results[2], OG_NO_TENSOR);
  EXPECT_NE(results[2], max);
}

TEST_F(Outputs, wrong_extents_fail_validation) {
  const int64_t wrong[] = {2, 4, 9, 1};
  ASSERT_OK(og_tensor_set_dims(graph, max, 4, wrong));
  ASSERT_OK(attention({{"Max", max}}));
  output(results[0]);
  EXPECT_FAILS(og_graph_validate(graph), OG_SHAPE_DEDUCTION, "'Max'");
}

TEST_F(Outputs, bad_ones_leave_the_graph_unchanged) {
  og_value one = f64(1);
  og_tensor scalar, constant;
  ASSERT_OK(og_graph_scalar(graph, &one, 0, 0, nullptr, &scalar));
  ASSERT_OK(og_graph_scalar(graph, &one, 0, 1, nullptr, &constant));
  ASSERT_OK(op("relu", {{"input", q}}));
  og_tensor made = results[0];
  og_tensor offset = tensor({3, 1, 1, 1}, OG_DTYPE_INT32);
  ASSERT_OK(og_tensor_set_ragged_offset(graph, q, offset, 1));
  int64_t count = numTensors();

  EXPECT_FAILS(attention({{"Maxx", max}}), OG_NOT_FOUND,
               "has no result 'Maxx'; did you mean 'Max'?");
  EXPECT_FAILS(attention({{"Stats", max}}), OG_INVALID_VALUE,
               "result 'Stats' does not exist with these attributes");
  EXPECT_FAILS(attention({{"Max", made}}), OG_ALREADY_EXISTS,
               "got a result of node 'relu.0' (relu)");
  EXPECT_FAILS(attention({{"Max", q}}), OG_INVALID_VALUE, "read by nothing");
  EXPECT_FAILS(attention({{"Max", k}}), OG_INVALID_VALUE, "read by nothing");
  EXPECT_FAILS(attention({{"Max", offset}}), OG_INVALID_VALUE,
               "read by nothing");
  EXPECT_FAILS(attention({{"Max", scalar}}), OG_INVALID_VALUE,
               "got a by-value scalar");
  EXPECT_FAILS(attention({{"Max", constant}}), OG_INVALID_VALUE,
               "got a constant");
  EXPECT_FAILS(attention({{"Max", 99}}), OG_OUT_OF_RANGE, "below");
  EXPECT_FAILS(attention({{"Max", max}, {"Max", max}}), OG_ALREADY_EXISTS,
               "given twice");
  EXPECT_FAILS(attention({{"O", max}, {"Max", max}}), OG_ALREADY_EXISTS,
               "given twice");
  EXPECT_EQ(numTensors(), count);
  EXPECT_EQ(og_graph_num_nodes(graph), 1);
  EXPECT_EQ(info(max).node, -1);
  EXPECT_OK(attention({{"Max", max}}));
}

TEST_F(Outputs, descriptions_of_the_first_version_are_read) {
  og_named_tensor operand = {"input", tensor({4})};
  og_op_desc desc = {};
  desc.struct_size = offsetof(og_op_desc, outputs);
  desc.op = "relu";
  desc.operands = &operand;
  desc.num_operands = 1;
  // What lies behind the first version's end is not read.
  desc.num_outputs = 7;
  desc.region = 9;
  og_tensor result;
  EXPECT_OK(og_graph_op(graph, &desc, &result, 1));
}

} // namespace
