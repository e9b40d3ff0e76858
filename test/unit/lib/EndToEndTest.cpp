//===- EndToEndTest.cpp - Graphs from C++ to numbers ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "opgraph/opgraph.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace opgraph;
using ::testing::HasSubstr;

namespace {
/// Runs with the fast engine and with the judge.
class EndToEnd : public ::testing::TestWithParam<const char *> {
protected:
  void SetUp() override {
    setenv("OPGRAPH_STRICT", "1", 1);
    auto created = Compiler::create();
    ASSERT_TRUE(created);
    compiler = created.take();
  }

  /// Builds `graph` with the test's engine and runs it.
  void runGraph(Graph &graph, const std::vector<Buffer> &buffers) {
    auto pinned = graph.pin(GetParam());
    ASSERT_TRUE(pinned) << pinned.error().text;
    auto plan = graph.buildAt(*pinned);
    ASSERT_TRUE(plan) << plan.error().text;
    EXPECT_EQ(plan->engineName(), GetParam());
    auto done = plan->execute(buffers);
    ASSERT_TRUE(done) << done.error().text;
  }

  /// Numbers in [-1, 1) that depend on the index alone.
  static std::vector<float> numbers(size_t count, unsigned seed) {
    std::vector<float> result(count);
    for (size_t i = 0; i < count; ++i)
      result[i] = float((i * 37 + seed * 11) % 101) / 50.5f - 1.0f;
    return result;
  }

  std::optional<Compiler> compiler;
};
} // namespace

INSTANTIATE_TEST_SUITE_P(Engines, EndToEnd,
                         ::testing::Values("host.reference", "host.fused"));

TEST_P(EndToEnd, relu) {
  Graph graph(*compiler, {"relu", DataType::Float});
  Tensor x = graph.tensor({4, 8});
  ReluOptions options;
  options.negativeSlope = 0.25;
  Tensor y = graph.relu(x, options).setOutput();
  std::vector<float> in = numbers(32, 1), out(32);
  runGraph(graph, {{x.uid(), in.data()}, {y.uid(), out.data()}});
  for (size_t i = 0; i < in.size(); ++i)
    EXPECT_EQ(out[i], in[i] > 0 ? in[i] : 0.25f * in[i]);
}

TEST_P(EndToEnd, matmul_bias_gelu) {
  constexpr int m = 33, k = 47, n = 29;
  Graph graph(*compiler, {"linear", DataType::Float});
  Tensor x = graph.tensor({m, k}), w = graph.tensor({k, n}),
         b = graph.tensor({1, n});
  Tensor y = graph.gelu(graph.bias(graph.matmul(x, w), b)).setOutput();
  std::vector<float> xs = numbers(m * k, 1), ws = numbers(k * n, 2),
                     bs = numbers(n, 3), ys(m * n);
  runGraph(graph, {{x.uid(), xs.data()},
                   {w.uid(), ws.data()},
                   {b.uid(), bs.data()},
                   {y.uid(), ys.data()}});
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = bs[j];
      for (int l = 0; l < k; ++l)
        sum += double(xs[i * k + l]) * ws[l * n + j];
      double expected = 0.5 * sum * (1 + std::erf(sum / std::sqrt(2.0)));
      EXPECT_NEAR(ys[i * n + j], expected, 1e-4);
    }
}

TEST_P(EndToEnd, causal_attention) {
  constexpr int heads = 2, s = 17, d = 8;
  Graph graph(*compiler, {"attention", DataType::Float});
  Tensor q = graph.tensor({1, heads, s, d}), k = graph.tensor({1, 1, s, d}),
         v = graph.tensor({1, 1, s, d});
  SdpaOptions options;
  options.attnScaleValue = 0.5;
  options.diagonalBandRightBound = 0;
  options.generateStats = true;
  SdpaResults results = graph.sdpa(q, k, v, options);
  results.o.setOutput();
  results.stats.setOutput();
  std::vector<float> qs = numbers(heads * s * d, 1), ks = numbers(s * d, 2),
                     vs = numbers(s * d, 3), os(heads * s * d), ls(heads * s);
  runGraph(graph, {{q.uid(), qs.data()},
                   {k.uid(), ks.data()},
                   {v.uid(), vs.data()},
                   {results.o.uid(), os.data()},
                   {results.stats.uid(), ls.data()}});
  for (int h = 0; h < heads; ++h)
    for (int row = 0; row < s; ++row) {
      std::vector<double> p(row + 1);
      double sum = 0;
      for (int col = 0; col <= row; ++col) {
        double score = 0;
        for (int i = 0; i < d; ++i)
          score += double(qs[(h * s + row) * d + i]) * ks[col * d + i];
        sum += p[col] = std::exp(0.5 * score);
      }
      EXPECT_NEAR(ls[h * s + row], std::log(sum), 1e-5);
      for (int i = 0; i < d; ++i) {
        double expected = 0;
        for (int col = 0; col <= row; ++col)
          expected += p[col] / sum * vs[col * d + i];
        EXPECT_NEAR(os[(h * s + row) * d + i], expected, 1e-5);
      }
    }
}

TEST_P(EndToEnd, by_value_scalar_takes_its_default) {
  Graph graph(*compiler, {"scale", DataType::Float});
  Tensor x = graph.tensor({3});
  Tensor factor = graph.parameter(3.0);
  Tensor y = graph.mul(x, factor).setOutput();
  // Operands promise 16 bytes of alignment.
  alignas(16) float in[] = {1, 2, 4};
  alignas(16) float out[3];
  alignas(16) float other = 10;
  auto pinned = graph.pin(GetParam());
  ASSERT_TRUE(pinned) << pinned.error().text;
  auto plan = graph.buildAt(*pinned);
  ASSERT_TRUE(plan) << plan.error().text;
  ASSERT_TRUE(plan->execute({{x.uid(), in}, {y.uid(), out}}));
  EXPECT_EQ(out[2], 12);
  ASSERT_TRUE(
      plan->execute({{x.uid(), in}, {factor.uid(), &other}, {y.uid(), out}}));
  EXPECT_EQ(out[2], 40);
}

TEST_P(EndToEnd, plan_saved_and_loaded_gives_the_same_bytes) {
  Graph graph(*compiler, {"tanh", DataType::Float});
  Tensor x = graph.tensor({100});
  Tensor y = graph.tanh(x).setOutput();
  auto pinned = graph.pin(GetParam());
  ASSERT_TRUE(pinned);
  auto plan = graph.buildAt(*pinned);
  ASSERT_TRUE(plan) << plan.error().text;
  std::string path = ::testing::TempDir() + "/" + GetParam() + ".ogplan";
  ASSERT_TRUE(plan->save(path));
  auto loaded = Plan::load(path);
  ASSERT_TRUE(loaded) << loaded.error().text;
  std::vector<float> in = numbers(100, 5), a(100), b(100);
  ASSERT_TRUE(plan->execute({{x.uid(), in.data()}, {y.uid(), a.data()}}));
  ASSERT_TRUE(loaded->execute({{x.uid(), in.data()}, {y.uid(), b.data()}}));
  EXPECT_EQ(a, b);
}

TEST_P(EndToEnd, missing_operand_is_named) {
  Graph graph(*compiler, {"exp", DataType::Float});
  Tensor x = graph.tensor({4}).setName("input");
  graph.exp(x).setOutput();
  auto pinned = graph.pin(GetParam());
  ASSERT_TRUE(pinned);
  auto plan = graph.buildAt(*pinned);
  ASSERT_TRUE(plan);
  auto done = plan->execute({});
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().status, OG_INVALID_VARIANT_PACK);
  EXPECT_THAT(done.error().text, HasSubstr("input"));
}

//===----------------------------------------------------------------------===//
// The C++ layer's own rules
//===----------------------------------------------------------------------===//

TEST(CppApi, first_error_is_kept_and_returned) {
  Compiler compiler = Compiler::create().take();
  Graph graph(compiler, {"bad", DataType::Float});
  Tensor x = graph.tensor({4, -1});
  Tensor y = graph.relu(x).setOutput();
  EXPECT_FALSE(y.valid());
  auto valid = graph.validate();
  ASSERT_FALSE(valid);
  EXPECT_EQ(valid.error().status, OG_INVALID_VALUE);
  EXPECT_THAT(valid.error().text, HasSubstr("at least 0, got -1"));
  EXPECT_THAT(graph.build().error().text, HasSubstr("got -1"));
}

TEST(CppApi, invalid_tensor_is_a_missing_operand) {
  Compiler compiler = Compiler::create().take();
  Graph graph(compiler, {"bad", DataType::Float});
  graph.relu(Tensor());
  EXPECT_EQ(graph.error().status, OG_ATTRIBUTE_NOT_SET);
}

TEST(CppApi, plans_are_listed_and_explained) {
  Compiler compiler = Compiler::create().take();
  Graph graph(compiler, {"list", DataType::Float});
  Tensor y = graph.softmax(graph.tensor({4, 8})).s.setOutput();
  EXPECT_TRUE(y.valid());
  auto plans = graph.createPlans();
  ASSERT_TRUE(plans) << plans.error().text;
  EXPECT_GE(plans->size(), 2u);
  auto text = graph.explain();
  ASSERT_TRUE(text);
  EXPECT_THAT(*text, HasSubstr(plans->front().identity));
}

TEST(CppApi, text_round_trip) {
  Compiler compiler = Compiler::create().take();
  Graph graph(compiler, {"print", DataType::Half});
  graph.neg(graph.tensor({2, 3})).setOutput();
  auto text = graph.print();
  ASSERT_TRUE(text) << text.error().text;
  auto again = Graph::parse(compiler, *text);
  ASSERT_TRUE(again) << again.error().text;
  EXPECT_EQ(*again->print(), *text);
  EXPECT_EQ(again->find(1).dim(), (std::vector<int64_t>{2, 3}));
}
