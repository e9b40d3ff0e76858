//===- ExpandMask.cpp - Masks by coordinates in simpler ops ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Transforms/ExpandMask.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::graph;

namespace {
class BandMask {
public:
  BandMask(IRRewriter &rewriter, DiagonalBandMaskOp op)
      : rewriter(rewriter), op(op), loc(op.getLoc()),
        type(typeOf(op.getInput())), rows(type.getDimSize(type.getRank() - 2)),
        columns(type.getDimSize(type.getRank() - 1)) {
    rewriter.setInsertionPoint(op);
    // Sums of both extents and a bound, which is no more than they are.
    constexpr int64_t kMost = int64_t(1) << 28;
    bool isSmall = rows < kMost && columns < kMost;
    integer = isSmall ? rewriter.getI32Type() : rewriter.getI64Type();
  }

  void expand();

private:
  Value constant(TypedAttr value) {
    Dims dims(type.getRank(), 1);
    return ConstantOp::create(
        rewriter, loc, RankedTensorType::get(dims, value.getType()), value);
  }
  Value number(int64_t value) {
    return constant(rewriter.getIntegerAttr(integer, value));
  }
  /// Of integers; `a` has the result's extents.
  template <typename OpTy>
  Value combine(Value a, Value b) {
    auto result = RankedTensorType::get(typeOf(a).getShape(), integer);
    return OpTy::create(rewriter, loc, result, a, b, TypeAttr::get(integer));
  }
  template <typename OpTy>
  Value compare(Value a, Value b) {
    auto result = RankedTensorType::get(type.getShape(), rewriter.getI1Type());
    return OpTy::create(rewriter, loc, result, a, b, TypeAttr::get(integer));
  }
  Value coordinate(int64_t axis) {
    return GenIndexOp::create(rewriter, loc,
                              RankedTensorType::get(type.getShape(), integer),
                              op.getInput(), axis, TypeAttr::get(integer));
  }
  Value clamp(Value length, int64_t extent);
  Value getShift();
  Value getMask();

  IRRewriter &rewriter;
  DiagonalBandMaskOp op;
  Location loc;
  RankedTensorType type;
  int64_t rows, columns;
  Type integer;
};
} // namespace

/// A length that the device holds, within the extent; of 64 bits, it may be
/// beyond what arithmetic has.
Value BandMask::clamp(Value length, int64_t extent) {
  Type i64 = rewriter.getI64Type();
  Dims dims(typeOf(length).getShape());
  auto bound = [&](int64_t value) {
    return constant(rewriter.getI64IntegerAttr(value));
  };
  auto wide = RankedTensorType::get(dims, i64);
  Value low =
      MaxOp::create(rewriter, loc, wide, length, bound(0), TypeAttr::get(i64));
  return MinOp::create(rewriter, loc, RankedTensorType::get(dims, integer), low,
                       bound(extent), TypeAttr::get(i64));
}

/// By how much the diagonal lies to the right.
Value BandMask::getShift() {
  if (op.getDiagonalAlignment() == DiagonalAlignment::TOP_LEFT)
    return number(0);
  if (!op.getSeqLenQ())
    return number(columns - rows);
  return combine<SubOp>(clamp(op.getSeqLenKv(), columns),
                        clamp(op.getSeqLenQ(), rows));
}

/// Null where everything is kept.
Value BandMask::getMask() {
  auto left = op.getDiagonalBandLeftBound();
  auto right = op.getDiagonalBandRightBound();
  if (!left && !right)
    return {};
  int64_t rank = type.getRank();
  Value row = coordinate(rank - 2), column = coordinate(rank - 1);
  Value shift = getShift();
  auto limit = [&](int64_t bound) {
    return combine<AddOp>(row, combine<AddOp>(shift, number(bound)));
  };
  int64_t most = rows + columns + 1;
  Value isLeft, isRight;
  if (right)
    isLeft = compare<CmpLeOp>(column, limit(std::min<int64_t>(*right, most)));
  if (left)
    isRight = compare<CmpGtOp>(column, limit(-std::min<int64_t>(*left, most)));
  if (!isLeft || !isRight)
    return isLeft ? isLeft : isRight;
  return LogicalAndOp::create(rewriter, loc, isLeft.getType(), isLeft, isRight,
                              TypeAttr::get(rewriter.getI1Type()));
}

void BandMask::expand() {
  Type compute = op.getEffectiveComputeType();
  TypeAttr computeType = TypeAttr::get(compute);
  Type result = op.getY().getType();
  Value y;
  if (Value mask = getMask()) {
    APFloat value = op.getMaskValue();
    bool losesInfo;
    value.convert(cast<FloatType>(compute).getFloatSemantics(),
                  APFloat::rmNearestTiesToEven, &losesInfo);
    y = BinarySelectOp::create(rewriter, loc, result, op.getInput(),
                               constant(rewriter.getFloatAttr(compute, value)),
                               mask, computeType);
  } else {
    y = IdentityOp::create(rewriter, loc, result, op.getInput(), computeType);
  }
  rewriter.replaceOp(op, y);
}

bool opgraph::canExpandMask(Operation *op) {
  return isa<DiagonalBandMaskOp>(op) &&
         !op->getParentOfType<GraphOp>().getDynamic() &&
         llvm::all_of(op->getOperands(), [](Value operand) {
           return typeOf(operand).hasStaticShape();
         });
}

void opgraph::expandMask(IRRewriter &rewriter, Operation *op) {
  if (canExpandMask(op))
    BandMask(rewriter, cast<DiagonalBandMaskOp>(op)).expand();
}
