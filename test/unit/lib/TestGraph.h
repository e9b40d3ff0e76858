//===- TestGraph.h - Shortcuts for tests of the C API -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_TEST_UNIT_LIB_TESTGRAPH_H
#define OPGRAPH_TEST_UNIT_LIB_TESTGRAPH_H

#include "opgraph-c/compiler.h"

#include <cstdlib>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace opgraph::test {

/// Expects that `call` fails with `status` and a text that contains `part`.
#define EXPECT_FAILS(call, status, part)                                       \
  do {                                                                         \
    EXPECT_EQ(call, status) << og_last_error();                                \
    EXPECT_THAT(og_last_error(), ::testing::HasSubstr(part));                  \
  } while (false)

#define EXPECT_OK(call) EXPECT_EQ(call, OG_OK) << og_last_error()
#define ASSERT_OK(call) ASSERT_EQ(call, OG_OK) << og_last_error()

inline og_value f64(double value) {
  og_value result = {};
  result.kind = OG_VALUE_F64;
  result.f64 = value;
  return result;
}
inline og_value i64(int64_t value) {
  og_value result = {};
  result.kind = OG_VALUE_I64;
  result.i64 = value;
  return result;
}
inline og_value text(const char *value) {
  og_value result = {};
  result.kind = OG_VALUE_STRING;
  result.string = value;
  return result;
}
inline og_value array(const std::vector<int64_t> &value) {
  og_value result = {};
  result.kind = OG_VALUE_I64_ARRAY;
  result.array = value.data();
  result.size = value.size();
  return result;
}

/// A fixture with a compiler and an f32 graph.
class GraphTest : public ::testing::Test {
protected:
  void SetUp() override {
    // Every test wants to see internal failures.
    setenv("OPGRAPH_STRICT", "1", 1);
    ASSERT_OK(og_compiler_create(&compiler));
    newGraph(OG_DTYPE_FLOAT);
  }
  void TearDown() override {
    og_graph_release(graph);
    og_compiler_release(compiler);
  }

  void newGraph(int32_t io, int32_t dynamic = 0) {
    og_graph_release(graph);
    graph = nullptr;
    og_graph_options options = {};
    options.struct_size = sizeof(options);
    options.name = "test";
    options.io_dtype = io;
    options.dynamic = dynamic;
    ASSERT_OK(og_graph_create(compiler, &options, &graph));
  }

  og_tensor tensor(const std::vector<int64_t> &dims, int32_t dtype = 0,
                   const char *name = nullptr) {
    og_tensor_desc desc = {};
    desc.struct_size = sizeof(desc);
    desc.name = name;
    desc.dtype = dtype;
    desc.ndim = int32_t(dims.size());
    desc.dims = dims.data();
    og_tensor result = OG_NO_TENSOR;
    EXPECT_OK(og_graph_tensor(graph, &desc, &result));
    return result;
  }

  /// Adds an operation; `results` gets what og_graph_op gives.
  og_status op(const char *name, const std::vector<og_named_tensor> &operands,
               const std::vector<og_named_value> &attributes = {},
               const std::vector<og_named_tensor> &outputs = {},
               int32_t region = 0) {
    og_op_desc desc = {};
    desc.struct_size = sizeof(desc);
    desc.op = name;
    desc.operands = operands.data();
    desc.num_operands = operands.size();
    desc.attributes = attributes.data();
    desc.num_attributes = attributes.size();
    desc.outputs = outputs.data();
    desc.num_outputs = outputs.size();
    desc.region = region;
    int32_t count = std::max(og_op_num_results(name), 0);
    results.assign(count, OG_NO_TENSOR);
    return og_graph_op(graph, &desc, results.data(), results.size());
  }

  void output(og_tensor tensor) {
    EXPECT_OK(og_tensor_set_virtual(graph, tensor, 0));
  }

  og_tensor_info info(og_tensor tensor) {
    og_tensor_info result = {};
    result.struct_size = sizeof(result);
    EXPECT_OK(og_tensor_get(graph, tensor, &result));
    return result;
  }
  std::vector<int64_t> dims(og_tensor tensor) {
    og_tensor_info i = info(tensor);
    return std::vector<int64_t>(i.dims, i.dims + std::max(i.ndim, 0));
  }
  std::vector<int64_t> strides(og_tensor tensor) {
    og_tensor_info i = info(tensor);
    return std::vector<int64_t>(i.strides, i.strides + std::max(i.ndim, 0));
  }

  /// The graph as text; "" when it is not valid.
  std::string print() {
    const char *text = "";
    EXPECT_OK(og_graph_print(graph, &text, nullptr));
    return text ? text : "";
  }

  /// relu of a 4x8 input, marked as output.
  void reluGraph() {
    x = tensor({4, 8});
    ASSERT_OK(op("relu", {{"input", x}}));
    y = results[0];
    output(y);
  }

  og_compiler *compiler = nullptr;
  og_graph *graph = nullptr;
  std::vector<og_tensor> results;
  og_tensor x = OG_NO_TENSOR, y = OG_NO_TENSOR;
};

} // namespace opgraph::test

#endif // OPGRAPH_TEST_UNIT_LIB_TESTGRAPH_H
