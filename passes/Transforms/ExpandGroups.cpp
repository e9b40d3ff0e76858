//===- ExpandGroups.cpp - Reductions by group in simpler ops --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Transforms/ExpandGroups.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::graph;

namespace {
class GroupReduction {
public:
  GroupReduction(IRRewriter &rewriter, ReductionOp op)
      : rewriter(rewriter), op(op), loc(op.getLoc()), x(op.getInput()),
        compute(op.getEffectiveComputeType()),
        numGroups(typeOf(op.getY()).getDimSize(0)) {
    rewriter.setInsertionPoint(op);
  }

  void expand();

private:
  Type getI64() { return rewriter.getI64Type(); }
  RankedTensorType type(ArrayRef<int64_t> dims, Type element) {
    return RankedTensorType::get(dims, element);
  }
  Value constant(TypedAttr value) {
    return ConstantOp::create(rewriter, loc, type({1, 1, 1}, value.getType()),
                              value);
  }
  Value integer(int64_t value) {
    return constant(rewriter.getI64IntegerAttr(value));
  }
  Value number(Type element, double value) {
    return constant(rewriter.getFloatAttr(element, value));
  }
  /// Of i64 values of one number a group.
  template <typename OpTy>
  Value ofGroups(Value a, Value b) {
    return OpTy::create(rewriter, loc, type({numGroups, 1, 1}, getI64()), a, b,
                        TypeAttr::get(getI64()));
  }

  Value getBounds(int64_t first);
  Value getNeutral();
  Value selectRows(Value begin, Value end);
  Value countElements(Value begin, Value end);

  IRRewriter &rewriter;
  ReductionOp op;
  Location loc;
  Value x;
  Type compute;
  int64_t numGroups;
};
} // namespace

/// Offsets `first` to `first` + the number of groups, as [groups, 1, 1].
Value GroupReduction::getBounds(int64_t first) {
  Value offsets = op.getGroupOffset();
  Dims dims(typeOf(offsets).getShape()), start(dims.size(), 0), stop(dims),
      step(dims.size(), 1);
  size_t along = dims.size() - 1;
  for (auto [axis, extent] : llvm::enumerate(dims))
    if (extent != 1)
      along = axis;
  start[along] = first;
  stop[along] = first + numGroups;
  dims[along] = numGroups;
  Type element = typeOf(offsets).getElementType();
  Value part = SliceOp::create(rewriter, loc, type(dims, element), offsets,
                               start, stop, step);
  return ReshapeOp::create(rewriter, loc, type({numGroups, 1, 1}, element),
                           part, ReshapeMode::LOGICAL);
}

/// What leaves a result as it is.
Value GroupReduction::getNeutral() {
  ReductionMode mode = op.getMode();
  bool isProduct =
      mode == ReductionMode::MUL || mode == ReductionMode::MUL_NO_ZEROS;
  bool isExtreme = mode == ReductionMode::MIN || mode == ReductionMode::MAX;
  if (auto floatType = dyn_cast<FloatType>(compute)) {
    if (!isExtreme)
      return number(compute, isProduct);
    APFloat infinity = APFloat::getInf(floatType.getFloatSemantics(),
                                       mode == ReductionMode::MAX);
    return constant(rewriter.getFloatAttr(compute, infinity));
  }
  unsigned width = compute.getIntOrFloatBitWidth();
  APInt value(width, isProduct);
  if (isExtreme)
    value = mode == ReductionMode::MIN ? APInt::getSignedMaxValue(width)
                                       : APInt::getSignedMinValue(width);
  return constant(rewriter.getIntegerAttr(compute, value));
}

/// The rows of each group; others' are neutral.
Value GroupReduction::selectRows(Value begin, Value end) {
  TypeAttr i64 = TypeAttr::get(getI64());
  Dims dims(typeOf(x).getShape());
  Value row = GenIndexOp::create(rewriter, loc, type(dims, getI64()), x,
                                 /*axis=*/1, i64);
  dims[0] = numGroups;
  RankedTensorType mask = type(dims, rewriter.getI1Type());
  Value isBehind = CmpGeOp::create(rewriter, loc, mask, row, begin, i64);
  Value isBefore = CmpLtOp::create(rewriter, loc, mask, row, end, i64);
  Value isInside = LogicalAndOp::create(rewriter, loc, mask, isBehind, isBefore,
                                        TypeAttr::get(rewriter.getI1Type()));
  return BinarySelectOp::create(rewriter, loc, type(dims, compute), x,
                                getNeutral(), isInside, TypeAttr::get(compute));
}

/// Of each group, as floats.
Value GroupReduction::countElements(Value begin, Value end) {
  ArrayRef<int64_t> dims = typeOf(x).getShape();
  bool reducesColumns = typeOf(op.getY()).getDimSize(2) == 1;
  Value rows = ofGroups<SubOp>(ofGroups<MinOp>(end, integer(dims[1])),
                               ofGroups<MaxOp>(begin, integer(0)));
  Value count = ofGroups<MulOp>(ofGroups<MaxOp>(rows, integer(0)),
                                integer(reducesColumns ? dims[2] : 1));
  Type wide = compute.isF64() ? compute : Type(rewriter.getF32Type());
  return IdentityOp::create(rewriter, loc, type({numGroups, 1, 1}, wide), count,
                            TypeAttr::get(wide));
}

void GroupReduction::expand() {
  Value begin = getBounds(0), end = getBounds(1);
  Value rows = selectRows(begin, end);
  RankedTensorType result = typeOf(op.getY());
  TypeAttr computeType = TypeAttr::get(compute);
  bool isAverage = op.getMode() == ReductionMode::AVG;
  Type wide = compute.isF64() ? compute : Type(rewriter.getF32Type());
  Value y = ReductionOp::create(
      rewriter, loc, isAverage ? type(result.getShape(), wide) : result, rows,
      /*group_offset=*/Value(), isAverage ? ReductionMode::ADD : op.getMode(),
      computeType);
  if (isAverage)
    y = DivOp::create(rewriter, loc, result, y, countElements(begin, end),
                      TypeAttr::get(wide));
  rewriter.replaceOp(op, y);
}

bool opgraph::canExpandGroups(Operation *op) {
  auto reduction = dyn_cast<ReductionOp>(op);
  return reduction && reduction.getGroupOffset() &&
         !op->getParentOfType<GraphOp>().getDynamic() &&
         typeOf(reduction.getInput()).hasStaticShape() &&
         typeOf(reduction.getGroupOffset()).hasStaticShape();
}

void opgraph::expandGroups(IRRewriter &rewriter, Operation *op) {
  if (canExpandGroups(op))
    GroupReduction(rewriter, cast<ReductionOp>(op)).expand();
}
