//===- Reduction.cpp - Formulas of reductions -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Legalize/Host/Scalar/Reduction.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <limits>

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;
using graph::ReductionMode;

Combination legalize::getCombination(ReductionMode mode) {
  switch (mode) {
  case ReductionMode::ADD:
  case ReductionMode::AVG:
  case ReductionMode::NORM1:
  case ReductionMode::NORM2:
    return Combination::Sum;
  case ReductionMode::MUL:
  case ReductionMode::MUL_NO_ZEROS:
    return Combination::Product;
  case ReductionMode::MIN:
    return Combination::Min;
  case ReductionMode::MAX:
  case ReductionMode::AMAX:
    return Combination::Max;
  }
  llvm_unreachable("all modes handled");
}

Type legalize::getAccumulatorType(Combination how, Type workType) {
  return how == Combination::Product && isa<FloatType>(workType)
             ? Type(Float64Type::get(workType.getContext()))
             : workType;
}

TypedAttr legalize::getNeutral(Combination how, Type type) {
  Builder b(type.getContext());
  bool isMin = how == Combination::Min;
  switch (how) {
  case Combination::Sum:
    return b.getZeroAttr(type);
  case Combination::Product:
    return b.getOneAttr(type);
  case Combination::Min:
  case Combination::Max:
    break;
  }
  if (isa<FloatType>(type)) {
    double infinity = std::numeric_limits<double>::infinity();
    return b.getFloatAttr(type, isMin ? infinity : -infinity);
  }
  unsigned bits = type.getIntOrFloatBitWidth();
  return b.getIntegerAttr(type, isMin ? APInt::getSignedMaxValue(bits)
                                      : APInt::getSignedMinValue(bits));
}

TypedAttr legalize::getNeutral(ReductionMode mode, Type type) {
  // amax is never below 0, and is 0 over nothing. An integer's magnitude may
  // wrap, so that it is below 0.
  return getNeutral(mode == ReductionMode::AMAX ? Combination::Sum
                                                : getCombination(mode),
                    type);
}

Value legalize::emitContribution(OpBuilder &b, Location loc, ReductionMode mode,
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

Value legalize::emitCombination(OpBuilder &b, Location loc, Combination how,
                                Value lhs, Value rhs, bool mayReassociate) {
  auto flags = mayReassociate ? arith::FastMathFlags::reassoc
                              : arith::FastMathFlags::none;
  bool isFloat = isa<FloatType>(rhs.getType());
  switch (how) {
  case Combination::Sum:
    if (isFloat)
      return arith::AddFOp::create(b, loc, lhs, rhs, flags);
    return arith::AddIOp::create(b, loc, lhs, rhs);
  case Combination::Product:
    if (isFloat)
      return arith::MulFOp::create(b, loc, lhs, rhs, flags);
    return arith::MulIOp::create(b, loc, lhs, rhs);
  case Combination::Min:
    if (isFloat)
      return arith::MinimumFOp::create(b, loc, lhs, rhs);
    return arith::MinSIOp::create(b, loc, lhs, rhs);
  case Combination::Max:
    if (isFloat)
      return arith::MaximumFOp::create(b, loc, lhs, rhs);
    return arith::MaxSIOp::create(b, loc, lhs, rhs);
  }
  llvm_unreachable("all ways handled");
}

Value legalize::emitReduced(OpBuilder &b, Location loc, ReductionMode mode,
                            Value accumulator, Value count) {
  if (mode == ReductionMode::AVG && count)
    return arith::DivFOp::create(b, loc, accumulator, count);
  if (mode == ReductionMode::NORM2)
    return math::SqrtOp::create(b, loc, accumulator);
  return accumulator;
}
