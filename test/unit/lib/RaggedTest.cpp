//===- RaggedTest.cpp - Ragged offsets become operands --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "TestGraph.h"

using namespace opgraph::test;
using ::testing::HasSubstr;
using ::testing::Not;

namespace {

class Ragged : public GraphTest {
protected:
  void SetUp() override {
    GraphTest::SetUp();
    for (og_tensor *port : {&q, &k, &v})
      *port = tensor({2, 4, 8, 16});
    lengths = tensor({2, 1, 1, 1}, OG_DTYPE_INT32);
    offset = tensor({3, 1, 1, 1}, OG_DTYPE_INT32, "starts");
    og_value yes = i64(1);
    yes.kind = OG_VALUE_BOOL;
    ASSERT_OK(op("sdpa",
                 {{"q", q},
                  {"k", k},
                  {"v", v},
                  {"seq_len_q", lengths},
                  {"seq_len_kv", lengths}},
                 {{"use_padding_mask", yes}}));
    o = results[0];
    output(o);
  }
  /// Gives all of Q, K, V and O `offset`.
  void makeRagged(int64_t multiplier) {
    for (og_tensor port : {q, k, v, o})
      ASSERT_OK(og_tensor_set_ragged_offset(graph, port, offset, multiplier));
  }

  og_tensor q, k, v, o, lengths, offset;
};

TEST_F(Ragged, offsets_are_operands_of_each_port) {
  makeRagged(1);
  std::string text = print();
  for (const char *operand : {"ragged_offset_q", "ragged_offset_k",
                              "ragged_offset_v", "ragged_offset_o"})
    EXPECT_THAT(text, HasSubstr(operand));
  EXPECT_THAT(text, HasSubstr("graph.name = \"starts\""));
  EXPECT_THAT(text, Not(HasSubstr("ragged_multipliers")));
  EXPECT_EQ(info(offset).is_used, 1);
}

TEST_F(Ragged, multipliers_are_an_attribute_in_operand_order) {
  makeRagged(1);
  ASSERT_OK(og_tensor_set_ragged_offset(graph, k, offset, 64));
  EXPECT_THAT(print(), HasSubstr("ragged_multipliers = array<i64: 1, 64, 1, "
                                 "1>"));
}

TEST_F(Ragged, nodes_list_offsets_among_their_operands) {
  makeRagged(1);
  og_node_info node = {};
  node.struct_size = sizeof(node);
  ASSERT_OK(og_graph_node(graph, 0, &node));
  EXPECT_EQ(node.num_operands, 9);
  const char *name, *port;
  og_tensor found;
  ASSERT_OK(og_graph_node_operand(graph, 0, 5, &name, &port, &found));
  EXPECT_STREQ(name, "ragged_offset_q");
  EXPECT_STREQ(port, "Ragged_offset_Q");
  EXPECT_EQ(found, offset);
}

TEST_F(Ragged, offsets_can_be_taken_away) {
  makeRagged(1);
  for (og_tensor port : {q, k, v, o})
    ASSERT_OK(og_tensor_set_ragged_offset(graph, port, OG_NO_TENSOR, 1));
  EXPECT_THAT(print(), Not(HasSubstr("ragged")));
  EXPECT_EQ(info(offset).is_used, 0);
}

TEST_F(Ragged, survive_text) {
  makeRagged(1);
  ASSERT_OK(og_tensor_set_ragged_offset(graph, v, offset, 3));
  std::string text = print();
  og_graph *parsed = nullptr;
  ASSERT_OK(
      og_graph_parse(compiler, text.data(), text.size(), nullptr, &parsed));
  const char *again = nullptr;
  EXPECT_OK(og_graph_print(parsed, &again, nullptr));
  EXPECT_EQ(text, again);
  og_tensor_info value = {};
  value.struct_size = sizeof(value);
  EXPECT_OK(og_tensor_get(parsed, v, &value));
  EXPECT_EQ(value.ragged_multiplier, 3);
  og_tensor starts;
  EXPECT_OK(og_graph_find_name(parsed, "starts", &starts));
  EXPECT_EQ(value.ragged_offset, starts);
  og_graph_release(parsed);
}

TEST_F(Ragged, other_ports_and_operations_are_refused) {
  ASSERT_OK(og_tensor_set_ragged_offset(graph, lengths, offset, 1));
  EXPECT_FAILS(og_graph_validate(graph), OG_UNSUPPORTED,
               "node 'sdpa.0' (sdpa): expected port 'SEQ_LEN_Q' to be dense");
  ASSERT_OK(og_tensor_set_ragged_offset(graph, lengths, OG_NO_TENSOR, 1));
  makeRagged(1);
  ASSERT_OK(op("relu", {{"input", o}}));
  EXPECT_FAILS(og_graph_validate(graph), OG_UNSUPPORTED,
               "node 'relu.0' (relu): expected port 'IN_0' to be dense");
}

TEST_F(Ragged, offsets_are_inputs) {
  ASSERT_OK(op("identity", {{"input", offset}}));
  ASSERT_OK(og_tensor_set_ragged_offset(graph, q, results[0], 1));
  EXPECT_FAILS(og_graph_validate(graph), OG_UNSUPPORTED,
               "expected its ragged offset to be an input of the graph");
}

TEST_F(Ragged, are_never_given_as_operands) {
  EXPECT_FAILS(
      op("sdpa", {{"q", q}, {"k", k}, {"v", v}, {"ragged_offset_q", offset}}),
      OG_INVALID_VALUE,
      "operand 'ragged_offset_q' is never given: it follows from the "
      "ragged offsets of tensors");
  EXPECT_FAILS(op("sdpa", {{"q", q}, {"k", k}, {"v", v}},
                  {{"ragged_multipliers", array({1})}}),
               OG_INVALID_VALUE, "is never given");
}

TEST_F(Ragged, bad_offsets_are_refused_at_once) {
  EXPECT_FAILS(og_tensor_set_ragged_offset(graph, q, 99, 1), OG_OUT_OF_RANGE,
               "got 99");
  EXPECT_FAILS(og_tensor_set_ragged_offset(graph, q, offset, 0),
               OG_INVALID_VALUE, "to be at least 1");
}

} // namespace
