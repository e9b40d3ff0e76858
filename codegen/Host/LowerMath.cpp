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
