//===- ParseTest.cpp - Graphs from text -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "TestGraph.h"

#include <cstring>

using namespace opgraph::test;
using ::testing::ElementsAre;

static const std::string relu = R"(
graph.graph @relu(%x: tensor<4x8xf32> {graph.uid = 1 : i64, graph.name = "X"})
    -> (tensor<4x8xf32> {graph.uid = 2 : i64, graph.name = "Y"}) {
  %0 = graph.relu %x {negative_slope = 0.5 : f64}
      : (tensor<4x8xf32>) -> tensor<4x8xf32>
  graph.return %0 : tensor<4x8xf32>
}
)";

namespace {
class Parse : public GraphTest {
protected:
  og_status parse(const std::string &text, const char *symbol = nullptr) {
    og_graph_release(graph);
    // A copy of exactly the bytes: a read beyond them shows under asan.
    std::vector<char> bytes(text.begin(), text.end());
    return og_graph_parse(compiler, bytes.data(), bytes.size(), symbol, &graph);
  }
};
} // namespace

TEST_F(Parse, parsed_graph_reads_like_a_built_one) {
  ASSERT_OK(parse(relu));
  EXPECT_STREQ(og_graph_name(graph), "relu");
  EXPECT_EQ(og_graph_num_nodes(graph), 1);
  og_tensor found;
  ASSERT_OK(og_graph_find_uid(graph, 2, &found));
  EXPECT_STREQ(info(found).name, "Y");
  EXPECT_FALSE(info(found).is_virtual);
  EXPECT_THAT(dims(found), ElementsAre(4, 8));
  const char *name;
  og_value value;
  ASSERT_OK(og_graph_node_attribute(graph, 0, 0, &name, &value));
  EXPECT_STREQ(name, "negative_slope");
  EXPECT_EQ(value.f64, 0.5);
}

TEST_F(Parse, printed_text_parses_back) {
  ASSERT_OK(parse(relu));
  const char *text;
  size_t size;
  ASSERT_OK(og_graph_print(graph, &text, &size));
  std::string once(text, size);
  ASSERT_OK(parse(once));
  ASSERT_OK(og_graph_print(graph, &text, &size));
  EXPECT_EQ(std::string(text, size), once);
}

TEST_F(Parse, parsed_graph_cannot_be_changed) {
  ASSERT_OK(parse(relu));
  EXPECT_FAILS(og_tensor_set_uid(graph, 0, 9), OG_FAILED_PRECONDITION,
               "made from text");
}

TEST_F(Parse, malformed_text) {
  EXPECT_FAILS(parse("graph.graph @x("), OG_PARSE_ERROR, "<text>:1:");
  EXPECT_FAILS(parse(""), OG_INVALID_VALUE, "no graph.graph");
  EXPECT_FAILS(parse(std::string("\0\0\0", 3)), OG_INVALID_VALUE,
               "no graph.graph");
  EXPECT_FAILS(parse("unknown.op"), OG_PARSE_ERROR, "unknown");
}

TEST_F(Parse, nesting_is_counted_first) {
  std::string deep(257, '(');
  EXPECT_FAILS(parse(deep), OG_PARSE_ERROR,
               "line 1: expected brackets at most 256 deep");
  // Closing brackets of another kind make no room.
  std::string mixed;
  for (int i = 0; i < 300; ++i)
    mixed += "[}";
  EXPECT_FAILS(parse(mixed), OG_PARSE_ERROR, "at most 256 deep");
  // Brackets in strings and comments do not nest.
  ASSERT_OK(parse("// " + deep + "\n" + relu));
  EXPECT_FAILS(parse("#m = affine_map<(d0) -> (d0 + d0)>"), OG_PARSE_ERROR,
               "affine expressions");
}

TEST_F(Parse, arrays_of_index_are_refused) {
  for (const char *type : {"<index", " // x\n <\n// y\nindex", "<!t"})
    EXPECT_FAILS(parse("#a = array" + std::string(type) + ": 1>\n" + relu),
                 OG_PARSE_ERROR, "got index or an alias");
  ASSERT_OK(parse("#a = array<i64: 1>\n" + relu));
}

TEST_F(Parse, aliases_do_not_multiply) {
  std::string text = "#a0 = [1, 2]\n!t0 = tuple<f32, f32>\n";
  for (int i = 1; i < 60; ++i) {
    std::string last = std::to_string(i - 1), next = std::to_string(i);
    text += "#a" + next + " = [#a" + last + ", #a" + last + "]\n";
    text += "!t" + next + " = tuple<!t" + last + ", !t" + last + ">\n";
  }
  EXPECT_FAILS(parse(text + relu), OG_PARSE_ERROR,
               "an alias to stand for at most 10000 others");
  // Uses outside of definitions do not add up.
  std::string many = "#l = #graph.layout<strides = [8, 1]>\n" + relu;
  ASSERT_OK(parse(many));
}

TEST_F(Parse, rules_of_operations_hold) {
  std::string wrong = relu;
  wrong.replace(wrong.find("4x8xf32>) -> tensor<4x8"), 7, "4x9xf32");
  EXPECT_NE(parse(wrong), OG_OK);
}

TEST_F(Parse, graph_rules_hold) {
  EXPECT_FAILS(
      parse("graph.graph @x(%a: tensor<4xf32> {graph.uid = 1 : i64}) -> "
            "(tensor<4xf32> {graph.uid = 2 : i64}) {\n"
            "  %0 = graph.relu %a : (tensor<4xf32>) -> tensor<4xf32>\n"
            "  graph.return %a : tensor<4xf32>\n}"),
      OG_INVALID_VALUE, "got an argument of the graph");
  EXPECT_FAILS(
      parse("graph.graph @x(%a: tensor<4xf32>) -> (tensor<4xf32> {graph.uid = "
            "2 : i64}) {\n"
            "  %0 = graph.relu %a : (tensor<4xf32>) -> tensor<4xf32>\n"
            "  graph.return %0 : tensor<4xf32>\n}"),
      OG_INVALID_VALUE, "graph.uid");
}

TEST_F(Parse, several_graphs_need_a_name) {
  std::string two = relu + relu;
  two.replace(two.find("@relu"), 5, "@other");
  EXPECT_FAILS(parse(two), OG_INVALID_VALUE, "'other', 'relu'");
  ASSERT_OK(parse(two, "other"));
  EXPECT_STREQ(og_graph_name(graph), "other");
  EXPECT_FAILS(parse(two, "third"), OG_NOT_FOUND, "no graph is called 'third'");
}

TEST_F(Parse, missing_file) {
  og_graph_release(graph);
  EXPECT_FAILS(
      og_graph_parse_file(compiler, "/nowhere/x.mlir", nullptr, &graph),
      OG_IO_ERROR, "cannot read '/nowhere/x.mlir'");
  EXPECT_EQ(graph, nullptr);
}
