//===- ConstantFolding.cpp - Pointwise functions of constants -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Extents.h"
#include "dialects/Graph/GraphDialect.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/APFloat.h"

using namespace mlir;
using namespace opgraph::graph;

/// `value` in `type`, if it is finite and exact there. Types that lack zero, a
/// sign or infinity are left alone.
static std::optional<APFloat> convertExactly(APFloat value, FloatType type) {
  if (isa<Float8E8M0FNUType, Float4E2M1FNType>(type))
    return std::nullopt;
  bool losesInfo = false;
  value.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  if (losesInfo || !value.isFinite())
    return std::nullopt;
  return value;
}

/// `mode` of doubles, if its result is exact.
static std::optional<APFloat> evaluate(PointwiseMode mode,
                                       ArrayRef<APFloat> operands) {
  APFloat result = operands[0];
  APFloat::opStatus status = APFloat::opOK;
  switch (mode) {
  case PointwiseMode::IDENTITY:
    break;
  case PointwiseMode::NEG:
    result.changeSign();
    break;
  case PointwiseMode::ABS:
    result.clearSign();
    break;
  case PointwiseMode::ADD:
    status = result.add(operands[1], APFloat::rmNearestTiesToEven);
    break;
  case PointwiseMode::SUB:
    status = result.subtract(operands[1], APFloat::rmNearestTiesToEven);
    break;
  case PointwiseMode::MUL:
    status = result.multiply(operands[1], APFloat::rmNearestTiesToEven);
    break;
  default:
    // Others round, and how is an engine's business.
    return std::nullopt;
  }
  if (status != APFloat::opOK)
    return std::nullopt;
  return result;
}

namespace {
/// Replaces a function of `graph.constant`s by its value where no rounding is
/// involved: operands, result and compute type all hold their values exactly.
struct FoldExactConstants : OpInterfaceRewritePattern<PointwiseOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(PointwiseOpInterface op,
                                PatternRewriter &rewriter) const override {
    Value result = op->getResult(0);
    auto computeType = dyn_cast<FloatType>(
        cast<ComputeTypeOpInterface>(*op).getEffectiveComputeType());
    auto resultType = dyn_cast<FloatType>(typeOf(result).getElementType());
    if (!computeType || !resultType)
      return rewriter.notifyMatchFailure(op, "not computed in floats");
    // A graph's result is left to an op that computes it.
    if (isReturned(result) || !isSingleElement(typeOf(result)))
      return rewriter.notifyMatchFailure(op, "result is not a scalar inside");

    SmallVector<APFloat> operands;
    for (Value operand : op->getOperands()) {
      auto constant = operand.getDefiningOp<ConstantOp>();
      auto value =
          constant ? dyn_cast<FloatAttr>(constant.getValue()) : FloatAttr();
      if (!value || !convertExactly(value.getValue(), computeType))
        return rewriter.notifyMatchFailure(op, "operand is not exact");
      operands.push_back(
          *convertExactly(value.getValue(), rewriter.getF64Type()));
    }
    std::optional<APFloat> value = evaluate(op.getMode(), operands);
    if (!value || !convertExactly(*value, computeType))
      return rewriter.notifyMatchFailure(op, "result is not exact");
    std::optional<APFloat> rounded = convertExactly(*value, resultType);
    if (!rounded)
      return rewriter.notifyMatchFailure(op, "result rounds");
    rewriter.replaceOpWithNewOp<ConstantOp>(
        op, typeOf(result), FloatAttr::get(resultType, *rounded));
    return success();
  }
};
} // namespace

void GraphDialect::getCanonicalizationPatterns(
    RewritePatternSet &patterns) const {
  patterns.add<FoldExactConstants>(getContext());
}
