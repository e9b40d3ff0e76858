//===- ExpandRope.cpp - Rotary embedding in simpler ops -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Transforms/ExpandRope.h"
#include "dialects/Graph/Layout.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::graph;

namespace {
class RopeExpansion {
public:
  RopeExpansion(IRRewriter &rewriter, ComputeTypeOpInterface op,
                const APFloat &outputScale)
      : rewriter(rewriter), loc(op.getLoc()), result(op->getResult(0)),
        narrow(op.getEffectiveComputeType()), e(rewriter, op),
        x(op->getOperand(0)), freqs(op->getOperand(1)),
        half(typeOf(freqs).getDimSize(3) / 2),
        leading(typeOf(x).getDimSize(3) - 2 * half),
        scale(e.constant(round(outputScale), 4)) {}

  void run(bool isBackward);

private:
  double round(APFloat value) const {
    bool losesInfo;
    value.convert(cast<FloatType>(narrow).getFloatSemantics(),
                  APFloat::rmNearestTiesToEven, &losesInfo);
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    return value.convertToDouble();
  }
  /// `count` channels from number `first` on.
  Value slice(Value value, int64_t first, int64_t count);
  /// Multiplied by the scale, and rounded.
  void addPart(Value value);

  IRRewriter &rewriter;
  Location loc;
  Value result;
  Type narrow;
  Expansion e;
  Value x, freqs;
  int64_t half, leading;
  Value scale;
  SmallVector<Value> parts;
};
} // namespace

Value RopeExpansion::slice(Value value, int64_t first, int64_t count) {
  RankedTensorType type = typeOf(value);
  Dims start(4, 0), stop(type.getShape()), step(4, 1), shape(type.getShape());
  start[3] = first;
  stop[3] = first + count;
  shape[3] = count;
  return SliceOp::create(rewriter, loc,
                         RankedTensorType::get(shape, type.getElementType()),
                         value, start, stop, step);
}

void RopeExpansion::addPart(Value value) {
  value = e.mul(scale, value);
  auto type = RankedTensorType::get(typeOf(value).getShape(),
                                    typeOf(result).getElementType());
  parts.push_back(
      IdentityOp::create(rewriter, loc, type, value,
                         TypeAttr::get(typeOf(value).getElementType())));
}

void RopeExpansion::run(bool isBackward) {
  // The angles by [1, 1, S, R].
  RankedTensorType type = typeOf(freqs);
  auto angleType = RankedTensorType::get(
      {1, 1, type.getDimSize(0), type.getDimSize(3)}, type.getElementType());
  Dims order = {1, 2, 0, 3};
  Value angles = TransposeOp::create(rewriter, loc, angleType, freqs, order);
  Value first = slice(angles, 0, half), second = slice(angles, half, half);
  Value lo = slice(x, leading, half), hi = slice(x, leading + half, half);
  // Backward is the transpose: what one result takes from the other channel
  // comes with the angle of the column that it was given to.
  Value lowOwn = e.mul(lo, e.cos(first)), highOwn = e.mul(hi, e.cos(second));
  Value lowCross = e.mul(hi, e.sin(isBackward ? second : first));
  Value highCross = e.mul(lo, e.sin(isBackward ? first : second));
  if (leading > 0)
    addPart(slice(x, 0, leading));
  addPart(isBackward ? e.add(lowOwn, lowCross) : e.sub(lowOwn, lowCross));
  addPart(isBackward ? e.sub(highOwn, highCross) : e.add(highOwn, highCross));
  rewriter.replaceAllUsesWith(
      result, ConcatenateOp::create(rewriter, loc, result.getType(), parts,
                                    /*axis=*/3, /*in_place_index=*/nullptr));
  e.finish();
}

void opgraph::expandRope(IRRewriter &rewriter, RopeOp op) {
  RopeExpansion(rewriter, op, op.getOutputScale()).run(/*isBackward=*/false);
}

void opgraph::expandRope(IRRewriter &rewriter, RopeBackwardOp op) {
  RopeExpansion(rewriter, op, op.getOutputScale()).run(/*isBackward=*/true);
}
