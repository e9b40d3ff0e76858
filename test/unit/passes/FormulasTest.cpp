//===- FormulasTest.cpp - Numbers that stand for formulas -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Legalize/NVPTX/Pointwise/Formulas.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace opgraph::legalize::nvptx;

namespace {
class FormulasTest : public testing::Test {
protected:
  /// The formula's value for these symbols.
  int64_t evaluate(AffineExpr formula, ArrayRef<int64_t> values) {
    SmallVector<AffineExpr> symbols;
    for (int64_t value : values)
      symbols.push_back(getAffineConstantExpr(value, &context));
    auto found = dyn_cast<AffineConstantExpr>(formula.replaceSymbols(symbols));
    EXPECT_TRUE(found);
    return found ? found.getValue() : -1;
  }
  int64_t evaluate(int64_t number, ArrayRef<int64_t> values) {
    return evaluate(formulas.get(number), values);
  }
  int64_t add(unsigned symbol, int64_t about, int64_t divisor = 1) {
    return formulas.add(getAffineSymbolExpr(symbol, &context), about, divisor);
  }

  MLIRContext context;
  Formulas formulas{&context};
};
} // namespace

TEST_F(FormulasTest, NumbersOfAStaticGraphAreThemselves) {
  EXPECT_TRUE(formulas.isStatic());
  EXPECT_EQ(evaluate(521, {}), 521);
  EXPECT_EQ(formulas.divideUp(1000, 512), 2);
  EXPECT_EQ(formulas.alignUp(1000, 256), 1024);
  EXPECT_EQ(formulas.sum(1000, 24), 1024);
  EXPECT_EQ(formulas.atLeastOne(0), 1);
  EXPECT_FALSE(formulas.isDynamic(521));
}

TEST_F(FormulasTest, ProductsTellWhatTheyAre) {
  int64_t m = add(0, 64), n = add(1, 4096, /*divisor=*/8);
  EXPECT_NE(m % 2, 0);
  EXPECT_EQ(n % 8, 0);
  EXPECT_NE(n % 16, 0);
  EXPECT_NEAR(double(n), 4096, 128);
  EXPECT_TRUE(formulas.isDynamic(m * n));
  EXPECT_FALSE(formulas.isDynamic(4096));
  EXPECT_EQ(evaluate(m, {7, 80}), 7);
  EXPECT_EQ(evaluate(3 * m * n, {7, 80}), 3 * 7 * 80);
  EXPECT_EQ(evaluate(m * m, {7, 80}), 49);
  EXPECT_EQ(evaluate(n / 8, {7, 80}), 10);
  EXPECT_EQ(evaluate(n / 2 * m, {7, 80}), 40 * 7);
  EXPECT_EQ(evaluate(int64_t(0), {7, 80}), 0);
}

TEST_F(FormulasTest, PrimesOfTheGraphAreAvoided) {
  for (int64_t number : {61, 67 * 5, 59 * 4, 1})
    formulas.avoid(number);
  int64_t m = add(0, 61);
  EXPECT_TRUE(m != 61 && m != 67 && m != 59);
  EXPECT_NE(add(1, m), m);
}

TEST_F(FormulasTest, ArithmeticHasNumbersOfItsOwn) {
  int64_t m = add(0, 1000), n = add(1, 96);
  int64_t tiles = formulas.divideUp(m * n, 512);
  EXPECT_EQ(formulas.divideUp(m * n, 512), tiles);
  EXPECT_EQ(evaluate(3 * tiles, {100, 10}), 3 * 2);
  EXPECT_EQ(evaluate(formulas.divideUp(m, tiles), {100, 10}), 50);
  int64_t bytes = formulas.alignUp(4 * m, 256);
  EXPECT_EQ(bytes % 256, 0);
  EXPECT_EQ(evaluate(bytes, {100, 10}), 512);
  int64_t place = formulas.sum(bytes, 1024);
  EXPECT_EQ(place % 256, 0);
  EXPECT_EQ(evaluate(formulas.sum(place, bytes), {100, 10}), 2048);
  for (int64_t value : {0, 1, 5})
    EXPECT_EQ(evaluate(formulas.atLeastOne(m), {value, 10}),
              std::max<int64_t>(value, 1));
}

/// A quotient of numbers that a prime happens to divide stays a number.
TEST_F(FormulasTest, NumbersAreNotTakenForProducts) {
  int64_t m = add(0, 1000);
  int64_t tiles = formulas.divideUp(m * 512 - 1, 512);
  EXPECT_EQ(evaluate(tiles, {3}), m);
  EXPECT_EQ(evaluate(formulas.keep(2 * m + 0), {3}), 2 * m);
  EXPECT_EQ(formulas.keep(1024), 1024);
}

TEST_F(FormulasTest, ASecondSetSharesNoPrime) {
  int64_t first = add(0, 64), quotient = formulas.divideUp(first, 32);
  Formulas second(&context);
  second.avoidPrimesOf(formulas);
  int64_t other = second.add(getAffineSymbolExpr(0, &context), 64);
  EXPECT_FALSE(formulas.isDynamic(other));
  EXPECT_FALSE(formulas.isDynamic(second.divideUp(other, 32)));
  EXPECT_FALSE(second.isDynamic(first));
  EXPECT_FALSE(second.isDynamic(quotient));
}

TEST_F(FormulasTest, LimitsThatHoldAnywayAreNone) {
  int64_t n = add(0, 5000);
  int64_t portions = formulas.divideUpTo(n, 64, /*most=*/100);
  EXPECT_GE(portions, 100);
  EXPECT_EQ(evaluate(portions, {640}), 10);
  formulas.require(portions, 128);
  formulas.require(4096, 128);
  EXPECT_TRUE(formulas.getLimits().empty());
  formulas.require(portions, 64);
  formulas.require(n, 8192);
  ASSERT_EQ(formulas.getLimits().size(), 2u);
  EXPECT_EQ(formulas.getLimits()[1].most, 8192);
  EXPECT_EQ(evaluate(formulas.getLimits()[1].formula, {17}), 17);
}

TEST_F(FormulasTest, OffsetsAreCoordinates) {
  int64_t n = add(0, 100, /*divisor=*/4);
  SmallVector<int64_t> shape = {4, 16, n}, strides = {16 * n, n, 1};
  auto at = [&](int64_t a, int64_t b, int64_t c) {
    return formulas.getOffset(a * 16 * n + b * n + c, shape, strides);
  };
  ASSERT_TRUE(at(1, 3, 8));
  EXPECT_EQ(evaluate(at(1, 3, 8)->formula, {40}), 16 * 40 + 3 * 40 + 8);
  EXPECT_EQ(at(1, 3, 8)->divisor, 4);
  EXPECT_EQ(at(1, 3, 7)->divisor, 1);
  EXPECT_EQ(at(2, 0, 0)->divisor, 128);
  EXPECT_FALSE(at(4, 0, 0));
}
