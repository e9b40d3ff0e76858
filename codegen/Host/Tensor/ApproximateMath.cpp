//===- ApproximateMath.cpp - Polynomials for the hot functions ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// f32 only. exp is ours: max 0.9 ulp, subnormals, infinities and NaN included.
// The others are upstream's (measured, max ulp: tanh 4.4, erf 4.0, erfc 2.4);
// what is not listed (upstream's sin and cos lose all digits near their zeros),
// and f64, goes to libm.
//===----------------------------------------------------------------------===//
#include "codegen/Host/Tensor/TensorPasses.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace opgraph::codegen;

/// The polynomials of odd functions lose the sign of zero: put it back.
template <typename OpTy>
static void keepSign(Operation *root, IRRewriter &rewriter) {
  root->walk([&](OpTy op) {
    if (!getElementTypeOrSelf(op.getType()).isF32())
      return;
    rewriter.setInsertionPointAfter(op);
    auto copy = math::CopySignOp::create(rewriter, op.getLoc(), op.getResult(),
                                         op.getOperand());
    rewriter.replaceAllUsesExcept(op.getResult(), copy.getResult(), copy);
  });
}

namespace {
/// exp(x) = 2^n * p(r), where n is the integer nearest to x / ln 2 and r what
/// is left, |r| <= ln 2 / 2. No conversion to integer, which NaN would make
/// undefined; no branch, so that loops vectorise.
class ExpandExp : public OpRewritePattern<math::ExpOp> {
public:
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::ExpOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getType().isF32())
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto constant = [&](float value) -> Value {
      return arith::ConstantOp::create(b, b.getF32FloatAttr(value));
    };
    auto fma = [&](Value x, Value y, Value z) -> Value {
      return math::FmaOp::create(b, x, y, z);
    };
    // Past these bounds the result is 0 or infinity anyway; NaN stays.
    auto clamp = [&](Value x, arith::CmpFPredicate predicate, float bound) {
      Value limit = constant(bound);
      Value outside = arith::CmpFOp::create(b, predicate, x, limit);
      return arith::SelectOp::create(b, outside, limit, x).getResult();
    };
    Value x = clamp(op.getOperand(), arith::CmpFPredicate::OLT, -110.0f);
    x = clamp(x, arith::CmpFPredicate::OGT, 100.0f);

    // Adding 1.5 * 2^23 leaves the nearest integer in the low mantissa bits.
    Value magic = constant(12582912.0f);
    Value shifted = fma(x, constant(1.44269504f), magic);
    Value n = arith::SubFOp::create(b, shifted, magic);
    Value r = fma(n, constant(-0.693145752f), x);
    r = fma(n, constant(-1.42860677e-06f), r);
    Value p = constant(1.98412701e-04f);
    for (float coefficient : {0.00138888893f, 0.00833333377f, 0.0416666679f,
                              0.166666672f, 0.5f, 1.0f, 1.0f})
      p = fma(p, r, constant(coefficient));

    // 2^n in two factors: each is normal where their product is not.
    Type i32 = b.getI32Type();
    auto integer = [&](int32_t value) -> Value {
      return arith::ConstantOp::create(b, b.getI32IntegerAttr(value));
    };
    Value bits = arith::BitcastOp::create(b, i32, shifted);
    Value exponent = arith::SubIOp::create(b, bits, integer(0x4B400000));
    Value half = arith::ShRSIOp::create(b, exponent, integer(1));
    Value rest = arith::SubIOp::create(b, exponent, half);
    for (Value part : {half, rest}) {
      Value biased = arith::AddIOp::create(b, part, integer(127));
      Value scale = arith::ShLIOp::create(b, biased, integer(23));
      p = arith::MulFOp::create(
          b, p, arith::BitcastOp::create(b, b.getF32Type(), scale));
    }
    rewriter.replaceOp(op, p);
    return success();
  }
};

class ApproximateMathPass
    : public PassWrapper<ApproximateMathPass, OperationPass<func::FuncOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ApproximateMathPass)
  StringRef getArgument() const override { return "host-approximate-math"; }
  StringRef getDescription() const override {
    return "Replace f32 exp, tanh, erf and erfc by polynomials";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, math::MathDialect,
                    vector::VectorDialect>();
  }

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    keepSign<math::TanhOp>(getOperation(), rewriter);
    keepSign<math::ErfOp>(getOperation(), rewriter);
    RewritePatternSet patterns(&getContext());
    patterns.add<ExpandExp>(&getContext());
    populateMathPolynomialApproximationPatterns(patterns, [](StringRef name) {
      return name == math::TanhOp::getOperationName() ||
             name == math::ErfOp::getOperationName() ||
             name == math::ErfcOp::getOperationName();
    });
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace

std::unique_ptr<Pass> opgraph::codegen::createApproximateMathPass() {
  return std::make_unique<ApproximateMathPass>();
}
