//===- NumbersTest.cpp - arith and math over arrays -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "codegen/TileInterpreter/Evaluate.h"
#include "codegen/TileInterpreter/MatrixProduct.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace opgraph::tile::interp;

namespace {
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

class NumbersTest : public ::testing::Test {
protected:
  NumbersTest() {
    context.loadDialect<arith::ArithDialect, math::MathDialect>();
  }

  /// The results of an op, given as text on %a, %b, %c of `type`.
  std::vector<double> evaluate(llvm::StringRef text, llvm::StringRef type,
                               ArrayRef<double> values) {
    bool isFloat = !type.starts_with("i");
    std::string source;
    const char *names[] = {"%a", "%b", "%c"};
    for (size_t i = 0; i < values.size(); ++i)
      source += std::string(names[i]) + " = arith.constant " +
                (isFloat        ? "0.0 : "
                 : type == "i1" ? "false //"
                                : "0 : ") +
                type.str() + "\n";
    source += text.str();
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(source, &context);
    EXPECT_TRUE(module) << source;
    if (!module)
      return {};
    Operation &op = module->getBody()->back();
    ArrayFunction function = getArrayFunction(&op);
    EXPECT_TRUE(function) << source;
    std::vector<Numbers> operands, results;
    for (Type each : op.getOperandTypes())
      operands.emplace_back(*formatOf(each), 1, 1);
    for (Type each : op.getResultTypes())
      results.emplace_back(*formatOf(each), 1, 1);
    std::vector<const Numbers *> in;
    std::vector<Numbers *> out;
    for (size_t i = 0; i < operands.size(); ++i) {
      Numbers &operand = operands[i];
      if (operand.format == Format::F64)
        operand.doubles[0] = values[i];
      else if (operand.isFloat())
        operand.floats[0] = float(values[i]);
      else
        operand.integers[0] = wrapInteger(operand.format, int64_t(values[i]));
      in.push_back(&operand);
    }
    for (Numbers &result : results)
      out.push_back(&result);
    function(in, out);
    std::vector<double> given;
    for (Numbers &result : results)
      given.push_back(result.at(0));
    return given;
  }

  double one(llvm::StringRef text, llvm::StringRef type,
             ArrayRef<double> values) {
    std::vector<double> given = evaluate(text, type, values);
    return given.size() == 1 ? given[0] : nan;
  }

  MLIRContext context;
};

TEST_F(NumbersTest, FloatsRoundToTheirFormat) {
  EXPECT_EQ(one("arith.addf %a, %b : f32", "f32", {1, 2}), 3);
  EXPECT_EQ(one("arith.addf %a, %b : bf16", "bf16", {256, 1}), 256);
  EXPECT_EQ(one("arith.mulf %a, %b : f16", "f16", {300, 300}), infinity);
  EXPECT_EQ(one("arith.divf %a, %b : f32", "f32", {1, 3}), 1.0f / 3.0f);
  EXPECT_EQ(one("arith.subf %a, %b : f64", "f64", {1, 1e-16}), 1 - 1e-16);
  EXPECT_EQ(one("arith.negf %a : f32", "f32", {2}), -2);
  EXPECT_EQ(one("arith.remf %a, %b : f32", "f32", {-7, 4}), -3);
}

TEST_F(NumbersTest, ExtremaTreatNaNAndZero) {
  EXPECT_TRUE(std::isnan(one("arith.maximumf %a, %b : f32", "f32", {1, nan})));
  EXPECT_EQ(one("arith.maxnumf %a, %b : f32", "f32", {nan, 1}), 1);
  EXPECT_EQ(one("arith.minnumf %a, %b : f32", "f32", {1, nan}), 1);
  EXPECT_FALSE(
      std::signbit(one("arith.maximumf %a, %b : f32", "f32", {-0.0, 0.0})));
  EXPECT_TRUE(
      std::signbit(one("arith.minimumf %a, %b : f32", "f32", {0.0, -0.0})));
}

TEST_F(NumbersTest, Comparisons) {
  EXPECT_EQ(one("arith.cmpf olt, %a, %b : f32", "f32", {1, nan}), 0);
  EXPECT_EQ(one("arith.cmpf ult, %a, %b : f32", "f32", {1, nan}), 1);
  EXPECT_EQ(one("arith.cmpf une, %a, %b : f32", "f32", {nan, nan}), 1);
  EXPECT_EQ(one("arith.cmpi slt, %a, %b : i32", "i32", {-1, 1}), 1);
  EXPECT_EQ(one("arith.cmpi ult, %a, %b : i32", "i32", {-1, 1}), 0);
}

TEST_F(NumbersTest, IntegersWrap) {
  EXPECT_EQ(one("arith.addi %a, %b : i8", "i8", {127, 1}), -128);
  EXPECT_EQ(one("arith.muli %a, %b : i32", "i32", {65536, 65536}), 0);
  EXPECT_EQ(one("arith.divsi %a, %b : i32", "i32", {-7, 2}), -3);
  EXPECT_EQ(one("arith.floordivsi %a, %b : i32", "i32", {-7, 2}), -4);
  EXPECT_EQ(one("arith.ceildivsi %a, %b : i32", "i32", {7, 2}), 4);
  EXPECT_EQ(one("arith.ceildivui %a, %b : i32", "i32", {7, 2}), 4);
  EXPECT_EQ(one("arith.divui %a, %b : i32", "i32", {-1, 2}), 2147483647);
  EXPECT_EQ(one("arith.remsi %a, %b : i32", "i32", {-7, 4}), -3);
  EXPECT_EQ(one("arith.shli %a, %b : i32", "i32", {1, 32}), 0);
  EXPECT_EQ(one("arith.shrsi %a, %b : i32", "i32", {-8, 40}), -1);
  EXPECT_EQ(one("arith.shrui %a, %b : i32", "i32", {-1, 31}), 1);
  EXPECT_EQ(one("arith.maxui %a, %b : i32", "i32", {-1, 1}), -1);
  EXPECT_EQ(evaluate("arith.mului_extended %a, %b : i32", "i32", {-1, -1}),
            (std::vector<double>{1, -2}));
  EXPECT_EQ(evaluate("arith.mulsi_extended %a, %b : i32", "i32", {-1, 2}),
            (std::vector<double>{-2, -1}));
  EXPECT_EQ(evaluate("arith.addui_extended %a, %b : i32, i1", "i32", {-1, 2}),
            (std::vector<double>{1, 1}));
}

TEST_F(NumbersTest, Conversions) {
  EXPECT_EQ(one("arith.truncf %a : f32 to bf16", "f32", {1.00390625}), 1);
  EXPECT_EQ(one("arith.truncf %a : f64 to f8E4M3FN", "f64", {1000}), 448);
  EXPECT_EQ(one("arith.extf %a : bf16 to f32", "bf16", {1.5}), 1.5);
  EXPECT_EQ(one("arith.fptosi %a : f32 to i8", "f32", {-300.7}), -128);
  EXPECT_EQ(one("arith.fptosi %a : f32 to i32", "f32", {-2.7}), -2);
  EXPECT_EQ(one("arith.fptoui %a : f32 to i8", "f32", {200.5}), -56);
  EXPECT_EQ(one("arith.fptosi %a : f32 to i32", "f32", {nan}), 0);
  EXPECT_EQ(one("arith.sitofp %a : i32 to f32", "i32", {16777217}), 16777216);
  EXPECT_EQ(one("arith.uitofp %a : i32 to f32", "i32", {-1}), 4294967296.0);
  EXPECT_EQ(one("arith.extsi %a : i8 to i32", "i8", {-1}), -1);
  EXPECT_EQ(one("arith.extui %a : i8 to i32", "i8", {-1}), 255);
  EXPECT_EQ(one("arith.trunci %a : i32 to i8", "i32", {300}), 44);
  EXPECT_EQ(one("arith.bitcast %a : f32 to i32", "f32", {1}), 0x3f800000);
}

TEST_F(NumbersTest, Functions) {
  EXPECT_EQ(one("math.exp2 %a : f32", "f32", {-2}), 0.25);
  EXPECT_EQ(one("math.sqrt %a : f32", "f32", {2}), std::sqrt(2.0f));
  EXPECT_EQ(one("math.rsqrt %a : f32", "f32", {4}), 0.5);
  EXPECT_EQ(one("math.erf %a : f32", "f32", {0.5}), float(std::erf(0.5)));
  EXPECT_EQ(one("math.roundeven %a : f32", "f32", {2.5}), 2);
  EXPECT_EQ(one("math.round %a : f32", "f32", {2.5}), 3);
  // 1 + 2^-12 squared needs more than 24 bits: one rounding keeps them.
  double x = 1 + std::ldexp(1.0, -12);
  EXPECT_EQ(one("math.fma %a, %b, %c : f32", "f32", {x, x, -1}),
            std::fma(float(x), float(x), -1.0f));
  EXPECT_EQ(one("math.absi %a : i32", "i32", {-5}), 5);
  EXPECT_EQ(one("math.ctlz %a : i32", "i32", {1}), 31);
  EXPECT_EQ(one("math.cttz %a : i32", "i32", {8}), 3);
  EXPECT_EQ(one("math.ctpop %a : i8", "i8", {-1}), 8);
  EXPECT_EQ(one("math.isnan %a : f32", "f32", {nan}), 1);
}

TEST_F(NumbersTest, MatrixProductCutsItsTerms) {
  Numbers a(Format::BF16, 1, 16), b(Format::BF16, 16, 1), d(Format::F32, 1, 1);
  std::fill(b.floats.begin(), b.floats.end(), 1.0f);
  // Behind 2^24 a term keeps units of 1/2: eighths are lost, 3/2 are not, and
  // the sum, 2^24 + 15 * 3/2, is cut to units of 2.
  d.floats[0] = std::ldexp(1.0f, 24);
  std::fill(a.floats.begin(), a.floats.end(), 0.125f);
  multiplyInto(d, a, b, MmaKind::Async);
  EXPECT_EQ(d.floats[0], std::ldexp(1.0f, 24));
  std::fill(a.floats.begin(), a.floats.end(), 1.5f);
  a.floats[0] = 0;
  multiplyInto(d, a, b, MmaKind::Sync);
  EXPECT_EQ(d.floats[0], std::ldexp(1.0f, 24) + 22);
  // An f16 is rounded: 2^11 + 3 is a tie.
  Numbers h(Format::F16, 1, 16), g(Format::F16, 16, 1), s(Format::F16, 1, 1);
  std::fill(g.floats.begin(), g.floats.end(), 1.0f);
  h.floats[0] = 2048;
  h.floats[1] = 3;
  multiplyInto(s, h, g, MmaKind::Async);
  EXPECT_EQ(s.floats[0], 2052);
  h.floats[2] = std::numeric_limits<float>::infinity();
  multiplyInto(s, h, g, MmaKind::Async);
  EXPECT_EQ(s.floats[0], std::numeric_limits<float>::infinity());
}

TEST_F(NumbersTest, MatrixProductOfFloat8) {
  Numbers a(Format::E4M3, 1, 32), b(Format::E4M3, 32, 1), d(Format::F32, 1, 1);
  std::fill(b.floats.begin(), b.floats.end(), 1.0f);
  // 2^14 leaves units of 2 to what is added; a warp adds the products first.
  d.floats[0] = 16384;
  a.floats[0] = 3;
  a.floats[1] = 1;
  Numbers e = d;
  multiplyInto(d, a, b, MmaKind::Async);
  EXPECT_EQ(d.floats[0], 16386);
  multiplyInto(e, a, b, MmaKind::Sync);
  EXPECT_EQ(e.floats[0], 16388);
}

TEST_F(NumbersTest, IntegerProductsWrap) {
  Numbers a(Format::I8, 1, 2), b(Format::I8, 2, 1), d(Format::I32, 1, 1);
  a.integers = {-128, 127};
  b.integers = {-128, 1};
  d.integers[0] = 5;
  multiplyInto(d, a, b, MmaKind::Sync);
  EXPECT_EQ(d.integers[0], 16384 + 127 + 5);
}
} // namespace
