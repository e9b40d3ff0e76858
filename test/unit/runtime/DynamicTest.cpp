//===- DynamicTest.cpp - Symbols, overrides and expressions ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/Expression.h"
#include "runtime/plan_generated.h"
#include "test/unit/runtime/TestPlans.h"

using namespace opgraph::planfile;
using namespace opgraph::test;

namespace {

using Shape = std::vector<int64_t>;

og_override makeOverride(int64_t uid, const Shape &shape,
                         const Shape *strides = nullptr) {
  og_override item = {};
  item.struct_size = sizeof(item);
  item.uid = uid;
  item.ndim = static_cast<int32_t>(shape.size());
  item.shape = shape.data();
  item.strides = strides ? strides->data() : nullptr;
  return item;
}

class DynamicTest : public ::testing::Test {
protected:
  og_status run(const PlanPtr &plan, const std::vector<og_buffer> &buffers,
                const std::vector<og_override> &overrides = {}) {
    Pack pack(buffers);
    pack.overrides = overrides.data();
    pack.num_overrides = overrides.size();
    return og_plan_execute(plan.get(), &pack, nullptr);
  }

  float x[16] = {1, 2, 3, 4, 5, 6, 7, 8};
  float y[16] = {};
  Shape two = {2}, four = {4}, five = {5}, six = {6}, eight = {8};
};

TEST_F(DynamicTest, BuffersGiveSymbolsTheirValues) {
  PlanPtr plan = load(makeDynamicPlan());
  EXPECT_EQ(og_plan_is_dynamic(plan.get()), 1);
  ASSERT_EQ(run(plan, {makeBuffer(1, x, six), makeBuffer(2, y, six)}), OG_OK)
      << og_last_error();
  EXPECT_EQ(y[5], 12);
  EXPECT_EQ(y[6], 0);
}

TEST_F(DynamicTest, EqualSymbolsAreChecked) {
  PlanPtr plan = load(makeDynamicPlan());
  expectStatus(run(plan, {makeBuffer(1, x, six), makeBuffer(2, y, four)}),
               OG_INVALID_VARIANT_PACK,
               {"output 'y' (uid 2) axis 0", "extent 4", "expected 6",
                "symbol 'N'", "operand 'x' (uid 1) axis 0"});
  // A larger one contradicts too.
  expectStatus(run(plan, {makeBuffer(1, x, four), makeBuffer(2, y, six)}),
               OG_INVALID_VARIANT_PACK, {"extent 6", "expected 4"});
}

TEST_F(DynamicTest, RangeAndDivisibilityAreChecked) {
  PlanContents contents = makeDynamicPlan();
  contents.symbols[0].min = 4;
  PlanPtr plan = load(contents);
  expectStatus(run(plan, {makeBuffer(1, x, five), makeBuffer(2, y, five)}),
               OG_INVALID_VARIANT_PACK, {"'N' is 5", "multiple of 2"});
  expectStatus(run(plan, {makeBuffer(1, x, two), makeBuffer(2, y, two)}),
               OG_INVALID_VARIANT_PACK, {"'N' is 2", "expected 4 to 1024"});
}

TEST_F(DynamicTest, SymbolsNeedAShape) {
  PlanPtr plan = load(makeDynamicPlan());
  expectStatus(run(plan, {makePointer(1, x), makePointer(2, y)}),
               OG_INVALID_VARIANT_PACK, {"'N'", "bare pointer"});
  Shape matrix = {2, 2};
  expectStatus(run(plan, {makeBuffer(1, x, matrix), makeBuffer(2, y, four)}),
               OG_INVALID_VARIANT_PACK, {"'N'", "rank 2", "expected 1"});
  expectStatus(run(plan, {makeBuffer(2, y, four)}), OG_INVALID_VARIANT_PACK,
               {"'x'"});
  EXPECT_EQ(run(plan, {makePointer(1, x), makePointer(2, y)},
                {makeOverride(1, four)}),
            OG_OK)
      << og_last_error();
  EXPECT_EQ(y[3], 8);
}

TEST_F(DynamicTest, OverridesDriveDefaults) {
  PlanPtr plan = load(makeDynamicPlan(4));
  std::vector<og_buffer> buffers = {makeBuffer(1, x, eight),
                                    makeBuffer(2, y, eight)};
  ASSERT_EQ(run(plan, buffers), OG_OK) << og_last_error();
  EXPECT_EQ(y[3], 8);
  EXPECT_EQ(y[4], 0);
  ASSERT_EQ(run(plan, buffers, {makeOverride(1, six)}), OG_OK)
      << og_last_error();
  EXPECT_EQ(y[5], 12);
  EXPECT_EQ(y[6], 0);
  ASSERT_EQ(
      run(plan, buffers, {makeOverride(2, eight), makeOverride(1, eight)}),
      OG_OK)
      << og_last_error();
  EXPECT_EQ(y[7], 16);
}

TEST_F(DynamicTest, OverridesAreHonouredOrRefused) {
  PlanPtr plan = load(makeDynamicPlan(4));
  std::vector<og_buffer> buffers = {makeBuffer(1, x, six),
                                    makeBuffer(2, y, six)};
  expectStatus(run(plan, buffers, {makeOverride(1, eight)}),
               OG_INVALID_VARIANT_PACK, {"24 bytes", "32 bytes"});
  expectStatus(run(plan, buffers, {makeOverride(2, six)}),
               OG_INVALID_VARIANT_PACK, {"'y'", "[6]", "derives [4]"});
  expectStatus(run(plan, buffers, {makeOverride(9, six)}),
               OG_INVALID_VARIANT_PACK, {"uid 9", "no operand"});
  expectStatus(run(plan, buffers, {makeOverride(1, six), makeOverride(1, six)}),
               OG_INVALID_VARIANT_PACK, {"two overrides", "'x'"});
  Shape matrix = {2, 2};
  expectStatus(run(plan, buffers, {makeOverride(1, matrix)}),
               OG_INVALID_VARIANT_PACK, {"2 extents", "expected 1"});
  expectStatus(run(plan, buffers, {makeOverride(1, four, &two)}),
               OG_INVALID_VARIANT_PACK, {"'x'", "strides [2]", "serves [1]"});
  PlanPtr fixed = load(makeScalePlan(4));
  expectStatus(run(fixed, buffers, {makeOverride(1, four)}),
               OG_INVALID_VARIANT_PACK, {"static"});
}

TEST_F(DynamicTest, OverriddenStridesReachTheCode) {
  PlanContents contents = makeDynamicPlan(4);
  for (Operand &operand : contents.operands)
    operand.strideRule = OG_STRIDES_ANY;
  PlanPtr plan = load(contents);
  ASSERT_EQ(run(plan, {makeBuffer(1, x, eight), makeBuffer(2, y, eight)},
                {makeOverride(1, four, &two)}),
            OG_OK)
      << og_last_error();
  EXPECT_EQ(y[1], 6);
}

TEST_F(DynamicTest, StrideSymbols) {
  PlanContents contents = makeScalePlan(4);
  contents.operands[0].strides = {Expr::symbol(0)};
  Symbol symbol;
  symbol.name = "S";
  symbol.isStride = true;
  symbol.min = 1;
  contents.symbols = {symbol};
  contents.workspaceShared = Expr(64) * Expr::symbol(0);
  PlanPtr plan = load(contents);
  size_t size = 0;
  std::vector<og_buffer> buffers = {makeBuffer(1, x, four, &two)};
  Pack pack(buffers);
  ASSERT_EQ(og_plan_workspace_size(plan.get(), &pack, &size), OG_OK);
  EXPECT_EQ(size, 128u);
  expectStatus(og_plan_workspace_size(plan.get(), nullptr, &size),
               OG_ATTRIBUTE_NOT_SET, {"symbol 'S'"});
  alignas(64) uint8_t workspace[128];
  ASSERT_EQ(execute(plan,
                    {makeBuffer(1, x, four, &two), makeBuffer(2, y, four)},
                    workspace, 128),
            OG_OK)
      << og_last_error();
  EXPECT_EQ(y[3], 14);
}

TEST_F(DynamicTest, DynamicWorkspaceAndFillsAreChecked) {
  PlanContents contents = makeDynamicPlan();
  Expr n = Expr::symbol(0);
  contents.workspaceShared = n * 16;
  contents.steps = {Fill{0, n * 32, 1}};
  PlanPtr plan = load(contents);
  alignas(64) uint8_t workspace[128];
  expectStatus(execute(plan, {makeBuffer(1, x, two), makeBuffer(2, y, two)},
                       workspace, 128),
               OG_INVALID_VARIANT_PACK, {"multiple of 64"});
  expectStatus(execute(plan, {makeBuffer(1, x, four), makeBuffer(2, y, four)},
                       workspace, 128),
               OG_INVALID_VARIANT_PACK, {"fill", "leaves the workspace"});
}

/// Evaluates lhs op rhs through the runtime's evaluator.
std::pair<const char *, int64_t> evaluate(fb::Op op, int64_t lhs, int64_t rhs) {
  fb::Token tokens[] = {fb::Token(lhs, fb::Op_Const),
                        fb::Token(0, fb::Op_Symbol), fb::Token(0, op)};
  fb::ExprRange range(0, 3);
  opgraph::runtime::ExprPool pool(tokens, 3, &range, 1);
  EXPECT_EQ(pool.check(0, 1), nullptr);
  int64_t result = 0;
  const char *error = pool.evaluate(0, &rhs, result);
  return {error, result};
}

TEST(Expression, Operators) {
  struct {
    fb::Op op;
    int64_t lhs, rhs, result;
  } cases[] = {{fb::Op_Add, 2, 3, 5},        {fb::Op_Sub, 2, 3, -1},
               {fb::Op_Mul, -2, 3, -6},      {fb::Op_CeilDiv, 7, 2, 4},
               {fb::Op_CeilDiv, -7, 2, -3},  {fb::Op_CeilDiv, 7, -2, -3},
               {fb::Op_CeilDiv, 6, 2, 3},    {fb::Op_FloorDiv, 7, 2, 3},
               {fb::Op_FloorDiv, -7, 2, -4}, {fb::Op_FloorDiv, 7, -2, -4},
               {fb::Op_FloorDiv, -7, -2, 3}, {fb::Op_CeilDiv, -7, -2, 4},
               {fb::Op_Mod, 7, 3, 1},        {fb::Op_Mod, -7, 3, 2},
               {fb::Op_Mod, 7, -3, -2},      {fb::Op_Mod, INT64_MIN, -1, 0},
               {fb::Op_Max, 2, 3, 3},        {fb::Op_Min, 2, 3, 2},
               {fb::Op_FloorDiv, 5, -1, -5}};
  for (const auto &c : cases) {
    auto [error, result] = evaluate(c.op, c.lhs, c.rhs);
    EXPECT_EQ(error, nullptr);
    EXPECT_EQ(result, c.result)
        << fb::EnumNameOp(c.op) << " " << c.lhs << " " << c.rhs;
  }
}

TEST(Expression, OverflowAndDivisionByZeroAreErrors) {
  EXPECT_NE(evaluate(fb::Op_Add, INT64_MAX, 1).first, nullptr);
  EXPECT_NE(evaluate(fb::Op_Sub, INT64_MIN, 1).first, nullptr);
  EXPECT_NE(evaluate(fb::Op_Mul, INT64_MAX, 2).first, nullptr);
  EXPECT_NE(evaluate(fb::Op_FloorDiv, INT64_MIN, -1).first, nullptr);
  EXPECT_NE(evaluate(fb::Op_CeilDiv, INT64_MIN, -1).first, nullptr);
  for (fb::Op op : {fb::Op_CeilDiv, fb::Op_FloorDiv, fb::Op_Mod})
    EXPECT_STREQ(evaluate(op, 1, 0).first, "division by zero");
}

} // namespace
