//===- LowerMath.cpp - Math functions and copies of host code -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "codegen/Host/Passes.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace opgraph::codegen {
#define GEN_PASS_DEF_HOSTEXPANDCOPIES
#define GEN_PASS_DEF_HOSTLOWERMATH
#include "codegen/Host/Passes.h.inc"
} // namespace opgraph::codegen

using namespace mlir;
using namespace opgraph;

namespace {
/// What LLVM turns into instructions, or into one exact libm call.
class LowerMathPass : public codegen::impl::HostLowerMathBase<LowerMathPass> {
public:
  using HostLowerMathBase::HostLowerMathBase;

  void runOnOperation() override;

private:
  LogicalResult callLibm();
};

class ExpandCopiesPass
    : public codegen::impl::HostExpandCopiesBase<ExpandCopiesPass> {
public:
  void runOnOperation() override;
};

/// Rounds f32 to bf16 on integers, NaN to the quiet NaN. Upstream's expansion
/// selects between bfloat values, and LLVM legalises a vector of such selects
/// through f32, for which it needs __truncsfbf2.
struct ExpandTruncToBF16 : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getIn()).isF32() ||
        !getElementTypeOrSelf(op.getType()).isBF16())
      return rewriter.notifyMatchFailure(op, "not f32 to bf16");
    Location loc = op.getLoc();
    auto withElement = [&](unsigned bits) -> Type {
      Type element = rewriter.getIntegerType(bits);
      auto shaped = dyn_cast<ShapedType>(op.getType());
      return shaped ? shaped.clone(element) : element;
    };
    Type i32 = withElement(32), i16 = withElement(16);
    auto constant = [&](Type type, int64_t value) -> Value {
      TypedAttr attr =
          rewriter.getIntegerAttr(getElementTypeOrSelf(type), value);
      if (auto shaped = dyn_cast<ShapedType>(type))
        attr = DenseElementsAttr::get(shaped, Attribute(attr));
      return arith::ConstantOp::create(rewriter, loc, attr);
    };
    Value isNaN = arith::CmpFOp::create(
        rewriter, loc, arith::CmpFPredicate::UNO, op.getIn(), op.getIn());
    Value bits = arith::BitcastOp::create(rewriter, loc, i32, op.getIn());
    Value half = constant(i32, 16);
    Value odd = arith::AndIOp::create(
        rewriter, loc, arith::ShRUIOp::create(rewriter, loc, bits, half),
        constant(i32, 1));
    Value bias =
        arith::AddIOp::create(rewriter, loc, odd, constant(i32, 0x7fff));
    Value sum = arith::AddIOp::create(rewriter, loc, bits, bias);
    Value rounded = arith::TruncIOp::create(
        rewriter, loc, i16, arith::ShRUIOp::create(rewriter, loc, sum, half));
    Value result = arith::SelectOp::create(rewriter, loc, isNaN,
                                           constant(i16, 0x7fc0), rounded);
    rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, op.getType(), result);
    return success();
  }
};
} // namespace

LogicalResult LowerMathPass::callLibm() {
  RewritePatternSet patterns(&getContext());
  populateMathToLibmConversionPatterns(patterns);
  ConversionTarget target(getContext());
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  target.addIllegalDialect<math::MathDialect>();
  target.addLegalOp<math::AbsFOp, math::AbsIOp, math::CeilOp, math::CopySignOp,
                    math::CountLeadingZerosOp, math::CountTrailingZerosOp,
                    math::CtPopOp, math::FloorOp, math::FmaOp, math::IsFiniteOp,
                    math::IsInfOp, math::IsNaNOp, math::IsNormalOp,
                    math::RoundEvenOp, math::RoundOp, math::RsqrtOp,
                    math::SqrtOp, math::TruncOp>();
  return applyPartialConversion(getOperation(), target, std::move(patterns));
}

void LowerMathPass::runOnOperation() {
  if (expandBF16) {
    RewritePatternSet patterns(&getContext());
    arith::populateExpandBFloat16Patterns(patterns);
    patterns.add<ExpandTruncToBF16>(&getContext(), /*benefit=*/10);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      return signalPassFailure();
  }
  if (failed(callLibm()))
    signalPassFailure();
}

void ExpandCopiesPass::runOnOperation() {
  SmallVector<memref::CopyOp> copies;
  getOperation().walk([&](memref::CopyOp op) {
    auto isPacked = [](Value value) {
      auto type = dyn_cast<MemRefType>(value.getType());
      return type && type.getLayout().isIdentity();
    };
    if (!isPacked(op.getSource()) || !isPacked(op.getTarget()))
      copies.push_back(op);
  });
  for (memref::CopyOp op : copies) {
    OpBuilder builder(op);
    linalg::makeMemRefCopyOp(builder, op.getLoc(), op.getSource(),
                             op.getTarget());
    op.erase();
  }
}
