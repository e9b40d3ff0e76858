//===- FactsTest.cpp - Families and facts ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "TestPlanning.h"

using namespace opgraph;
using namespace opgraph::planning;
using namespace opgraph::planning::test;

TEST(Family, AnchorsDecide) {
  EXPECT_EQ(familyOf({"relu", "reduction", "layernorm"}), Family::Pointwise);
  EXPECT_EQ(familyOf({"relu", "matmul", "matmul"}), Family::Gemm);
  EXPECT_EQ(familyOf({"sdpa", "scale"}), Family::Sdpa);
  EXPECT_EQ(familyOf({"matmul", "sdpa"}), Family::Mixed);
  EXPECT_EQ(familyFor(GraphFixture(kLinearGraph).graph()), Family::Gemm);
}

TEST(Facts, Linear) {
  GraphFacts facts = GraphFixture(kLinearGraph).facts();
  ASSERT_EQ(facts.ops.size(), 3u);
  EXPECT_EQ(facts.ops[0].mnemonic, "matmul");
  EXPECT_FALSE(facts.ops[0].isPointwise);
  EXPECT_TRUE(facts.ops[2].isPointwise);
  EXPECT_EQ(facts.values[0].name, "X");
  EXPECT_EQ(facts.values[1].name, "uid 2");
  const auto &gemm = std::get<GemmFacts>(facts.problem);
  EXPECT_EQ(gemm.m, 64);
  EXPECT_EQ(gemm.n, 16);
  EXPECT_EQ(gemm.k, 32);
  EXPECT_EQ(gemm.batch, 1);
  EXPECT_EQ(facts.totalWork().matrixFlops, 2.0 * 64 * 16 * 32);
  EXPECT_EQ(facts.totalWork().transcendentals, 64.0 * 16);
  EXPECT_EQ(facts.portBytes(), 4 * (64 * 32 + 32 * 16 + 16 + 64 * 16));
  EXPECT_EQ(facts.temporaryBytes(), 2 * 4 * 64 * 16);
  EXPECT_FALSE(facts.isDynamic());
}

TEST(Facts, StridedBytesCountTheSpan) {
  GraphFacts facts = GraphFixture(R"(
graph.graph @s(%x: tensor<4x8xf32, #graph.layout<strides = [16, 1]>> {graph.uid = 1 : i64},
               %z: tensor<0x8xf32> {graph.uid = 3 : i64})
    -> (tensor<4x8xf32> {graph.uid = 2 : i64}, tensor<0x8xf32> {graph.uid = 4 : i64}) {
  %0 = graph.relu %x : (tensor<4x8xf32, #graph.layout<strides = [16, 1]>>) -> tensor<4x8xf32>
  %1 = graph.relu %z : (tensor<0x8xf32>) -> tensor<0x8xf32>
  graph.return %0, %1 : tensor<4x8xf32>, tensor<0x8xf32>
})")
                         .facts();
  EXPECT_EQ(facts.values[0].layout, LayoutClass::Padded);
  EXPECT_EQ(facts.values[0].bytes, 4 * (3 * 16 + 8));
  EXPECT_EQ(facts.values[0].elements, 32);
  EXPECT_EQ(facts.values[1].bytes, 0);
}

TEST(DTypes, NearestIsTheNarrowestThatHoldsAllValues) {
  DTypeSet set{DType::F32, DType::F64, DType::I64};
  EXPECT_EQ(set.nearest(DType::BF16), DType::F32);
  EXPECT_EQ(set.nearest(DType::F32), DType::F32);
  EXPECT_EQ(set.nearest(DType::I8), DType::I64);
  EXPECT_EQ(DTypeSet({DType::I8}).nearest(DType::F32), std::nullopt);
}
