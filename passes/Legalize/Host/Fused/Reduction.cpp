//===- Reduction.cpp - Reductions along axes ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "passes/Legalize/Host/Fused/Combine.h"
#include "passes/Legalize/Host/Scalar/Scalar.h"

#include <limits>

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;
using namespace opgraph::legalize::fused;
using graph::ReductionMode;

Value fused::emitNeutral(Emitter &e, Combine how, Type workType) {
  bool isMin = how == Combine::Min;
  switch (how) {
  case Combine::Sum:
    return e.constant(workType, 0);
  case Combine::Product:
    return e.constant(workType, 1);
  case Combine::Min:
  case Combine::Max:
    break;
  }
  if (isa<FloatType>(workType)) {
    double infinity = std::numeric_limits<double>::infinity();
    return e.constant(workType, isMin ? infinity : -infinity);
  }
  unsigned bits = workType.getIntOrFloatBitWidth();
  APInt limit =
      isMin ? APInt::getSignedMaxValue(bits) : APInt::getSignedMinValue(bits);
  return arith::ConstantOp::create(e.b, e.loc,
                                   e.b.getIntegerAttr(workType, limit));
}

Value fused::emitCombine(OpBuilder &b, Location loc, Combine how,
                         Value accumulator, Value value) {
  auto reassociate = arith::FastMathFlags::reassoc;
  bool isFloat = isa<FloatType>(value.getType());
  switch (how) {
  case Combine::Sum:
    if (isFloat)
      return arith::AddFOp::create(b, loc, accumulator, value, reassociate);
    return arith::AddIOp::create(b, loc, accumulator, value);
  case Combine::Product:
    if (isFloat)
      return arith::MulFOp::create(b, loc, accumulator, value, reassociate);
    return arith::MulIOp::create(b, loc, accumulator, value);
  case Combine::Min:
    if (isFloat)
      return arith::MinimumFOp::create(b, loc, accumulator, value);
    return arith::MinSIOp::create(b, loc, accumulator, value);
  case Combine::Max:
    if (isFloat)
      return arith::MaximumFOp::create(b, loc, accumulator, value);
    return arith::MaxSIOp::create(b, loc, accumulator, value);
  }
  llvm_unreachable("all ways handled");
}

static Combine getCombine(ReductionMode mode) {
  switch (mode) {
  case ReductionMode::ADD:
  case ReductionMode::AVG:
  case ReductionMode::NORM1:
  case ReductionMode::NORM2:
    return Combine::Sum;
  case ReductionMode::MUL:
  case ReductionMode::MUL_NO_ZEROS:
    return Combine::Product;
  case ReductionMode::MIN:
    return Combine::Min;
  case ReductionMode::MAX:
  case ReductionMode::AMAX:
    return Combine::Max;
  }
  llvm_unreachable("all modes handled");
}

/// What an element contributes.
static Value emitContribution(OpBuilder &b, Location loc, ReductionMode mode,
                              Value x) {
  bool isFloat = isa<FloatType>(x.getType());
  switch (mode) {
  case ReductionMode::AMAX:
  case ReductionMode::NORM1:
    return isFloat ? math::AbsFOp::create(b, loc, x).getResult()
                   : math::AbsIOp::create(b, loc, x).getResult();
  case ReductionMode::NORM2:
    return arith::MulFOp::create(b, loc, x, x);
  case ReductionMode::MUL_NO_ZEROS: {
    Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(x.getType()));
    Value one = arith::ConstantOp::create(b, loc, b.getOneAttr(x.getType()));
    Value isZero =
        isFloat
            ? arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, x, zero)
                  .getResult()
            : arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, x, zero)
                  .getResult();
    return arith::SelectOp::create(b, loc, isZero, one, x);
  }
  default:
    return x;
  }
}

namespace {
/// The axes that a reduction removes.
struct ReducedAxes {
  explicit ReducedAxes(Emitter &e, graph::ReductionOp op) {
    RankedTensorType from = Emitter::getType(op.getInput());
    RankedTensorType to = Emitter::getType(op.getY());
    Extents extents = e.getExtents(op.getInput());
    for (int64_t axis = 0; axis < from.getRank(); ++axis) {
      bool isReduced = to.getDimSize(axis) == 1;
      iterators.push_back(isReduced ? utils::IteratorType::reduction
                                    : utils::IteratorType::parallel);
      if (isReduced)
        continue;
      kept.push_back(e.b.getAffineDimExpr(axis));
      keptExtents.push_back(extents[axis]);
    }
    map = AffineMap::get(from.getRank(), 0, kept, e.b.getContext());
  }

  SmallVector<utils::IteratorType> iterators;
  SmallVector<AffineExpr> kept;
  Extents keptExtents;
  /// From the input's axes to the kept ones.
  AffineMap map;
};
} // namespace

/// How many elements each result combines, in `workType`.
static Value emitCount(Emitter &e, graph::ReductionOp op,
                       const ReducedAxes &axes, Type workType) {
  Value count = e.index(1);
  for (auto [extent, iterator] :
       llvm::zip(e.getExtents(op.getInput()), axes.iterators))
    if (linalg::isReductionIterator(iterator))
      count = arith::MulIOp::create(e.b, e.loc, count, e.index(extent));
  Value wide = arith::IndexCastOp::create(e.b, e.loc, e.b.getI64Type(), count);
  return convertFromStorage(e.b, e.loc, wide, e.b.getI64Type(), workType);
}

void fused::emit(Emitter &e, graph::ReductionOp op) {
  Type compute = op.getEffectiveComputeType(), work = getWorkType(compute);
  ReductionMode mode = op.getMode();
  Combine how = getCombine(mode);
  // A product leaves the range of f32 long before its factors are used up.
  if (how == Combine::Product && isa<FloatType>(work))
    work = e.b.getF64Type();
  RankedTensorType type = Emitter::getType(op.getInput());
  ReducedAxes axes(e, op);

  // amax is never below 0, and is 0 over nothing.
  Value neutral = mode == ReductionMode::AMAX ? e.constant(work, 0)
                                              : emitNeutral(e, how, work);
  auto combine = [&](OpBuilder &b, Location loc, Value accumulator,
                     Value stored) {
    Value x =
        convertOperand(b, loc, stored, type.getElementType(), compute, work);
    return emitCombine(b, loc, how, accumulator,
                       emitContribution(b, loc, mode, x));
  };
  Value count;
  if (mode == ReductionMode::AVG)
    count = emitCount(e, op, axes, work);
  Type elementType = Emitter::getType(op.getY()).getElementType();
  auto finish = [&](OpBuilder &b, Location loc, Value value) {
    if (count)
      value = arith::DivFOp::create(b, loc, value, count);
    if (mode == ReductionMode::NORM2)
      value = math::SqrtOp::create(b, loc, value);
    return convertToStorage(b, loc, value, elementType);
  };

  // Over no axis it is elementwise, and must not read a filled result: two of
  // them would share the fill, which bufferization then writes to one's result.
  Value input = e.lookup(op.getInput());
  if (axes.kept.size() == axes.iterators.size()) {
    e.define(op.getY(),
             e.elementwise({{input, axes.map}}, e.emptyFor(op.getY()),
                           [&](OpBuilder &b, Location loc, ValueRange args) {
                             return finish(b, loc,
                                           combine(b, loc, neutral, args[0]));
                           }));
    return;
  }
  Value init = e.fill(e.empty(axes.keptExtents, work), neutral);
  Value reduced = e.generic({{input, e.identity(type.getRank())}},
                            {init, axes.map}, axes.iterators,
                            [&](OpBuilder &b, Location loc, ValueRange args) {
                              return combine(b, loc, args[1], args[0]);
                            });
  e.define(op.getY(),
           e.elementwise({{reduced, axes.map}}, e.emptyFor(op.getY()),
                         [&](OpBuilder &b, Location loc, ValueRange args) {
                           return finish(b, loc, args[0]);
                         }));
}
