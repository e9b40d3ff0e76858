//===- ReductionLoops.cpp - The judge's reductions ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "passes/Legalize/Host/Reference/Groups.h"
#include "llvm/Support/ErrorHandling.h"

#include <limits>

using namespace mlir;
using namespace opgraph::graph;
using namespace opgraph::legalize;

using Indices = LoopEmitter::Indices;

namespace {
/// The functions of one reduction on wide values.
class Reducer {
public:
  Reducer(LoopEmitter &e, ReductionOp op)
      : e(e), mode(op.getMode()), computeType(op.getEffectiveComputeType()),
        isFloat(isa<FloatType>(computeType)) {}

  /// The result over no elements.
  Value identity() {
    switch (mode) {
    case ReductionMode::ADD:
    case ReductionMode::AVG:
    case ReductionMode::AMAX:
    case ReductionMode::NORM1:
    case ReductionMode::NORM2:
      return e.zero(computeType);
    case ReductionMode::MUL:
    case ReductionMode::MUL_NO_ZEROS:
      return isFloat ? e.constant(1) : e.integer(1);
    case ReductionMode::MIN:
      return isFloat ? e.constant(std::numeric_limits<double>::infinity())
                     : e.integer(getExtreme().getSExtValue());
    case ReductionMode::MAX:
      return isFloat ? e.constant(-std::numeric_limits<double>::infinity())
                     : e.integer((~getExtreme()).getSExtValue());
    }
    llvm_unreachable("covered switch over ReductionMode");
  }

  Value combine(Value accumulator, Value x) {
    switch (mode) {
    case ReductionMode::ADD:
    case ReductionMode::AVG:
      return e.add(accumulator, x);
    case ReductionMode::NORM1:
      return e.add(accumulator, absolute(x));
    case ReductionMode::NORM2:
      return e.add(accumulator, e.multiply(x, x));
    case ReductionMode::MUL:
      return e.multiply(accumulator, x);
    case ReductionMode::MUL_NO_ZEROS:
      return e.make<arith::SelectOp>(isZero(x), accumulator,
                                     e.multiply(accumulator, x));
    case ReductionMode::MIN:
      return isFloat ? e.make<arith::MinimumFOp>(accumulator, x)
                     : e.make<arith::MinSIOp>(accumulator, x);
    case ReductionMode::MAX:
      return maximum(accumulator, x);
    case ReductionMode::AMAX:
      return maximum(accumulator, absolute(x));
    }
    llvm_unreachable("covered switch over ReductionMode");
  }

  /// The result from the accumulator over `bounds`.
  Value finish(Value accumulator, ValueRange bounds) {
    if (mode == ReductionMode::NORM2)
      return e.make<math::SqrtOp>(accumulator);
    if (mode != ReductionMode::AVG)
      return accumulator;
    Value count = e.index(1);
    for (Value bound : bounds)
      count = e.make<arith::MulIOp>(count, bound);
    Value whole = e.make<arith::IndexCastOp>(e.b.getI64Type(), count);
    return e.make<arith::DivFOp>(
        accumulator, e.make<arith::SIToFPOp>(e.b.getF64Type(), whole));
  }

private:
  APInt getExtreme() {
    return APInt::getSignedMaxValue(computeType.getIntOrFloatBitWidth());
  }
  Value maximum(Value l, Value r) {
    return isFloat ? e.make<arith::MaximumFOp>(l, r)
                   : e.make<arith::MaxSIOp>(l, r);
  }
  Value isZero(Value x) {
    if (isFloat)
      return e.make<arith::CmpFOp>(arith::CmpFPredicate::OEQ, x, e.constant(0));
    return e.make<arith::CmpIOp>(arith::CmpIPredicate::eq, x, e.integer(0));
  }
  /// The magnitude of the most negative integer wraps to itself.
  Value absolute(Value x) {
    if (isFloat)
      return e.make<math::AbsFOp>(x);
    Value negative = e.make<arith::SubIOp>(e.integer(0), x);
    return e.wrap(e.make<arith::MaxSIOp>(x, negative), computeType);
  }

  LoopEmitter &e;
  ReductionMode mode;
  Type computeType;
  bool isFloat;
};
} // namespace

/// One result for each group of rows: `Y` is [groups, 1, N or 1].
static void emitGroupLoops(LoopEmitter &e, ReductionOp op) {
  Value x = op.getInput(), y = op.getY();
  Type computeType = op.getEffectiveComputeType();
  Reducer reducer(e, op);
  Groups groups(e, op.getGroupOffset(), LoopEmitter::typeOf(y).getDimSize(0),
                /*hasEnd=*/true, e.extent(x, 1));
  bool reducesColumns = LoopEmitter::isOne(y, 2);
  e.forEach(e.extents(y), [&](ValueRange outer) {
    RowRange range = groups.get(outer[0]);
    Indices bounds = {range.length,
                      reducesColumns ? e.extent(x, 2) : e.index(1)};
    Value accumulator = e.reduce(
        bounds, reducer.identity(), [&](ValueRange inner, Value current) {
          Value row = e.make<arith::AddIOp>(range.begin, inner[0]);
          Value column = reducesColumns ? inner[1] : outer[2];
          return reducer.combine(
              current, e.load(x, {e.index(0), row, column}, computeType));
        });
    Value result = reducer.finish(accumulator, bounds);
    e.store(e.wrap(result, computeType), y, outer);
  });
}

void opgraph::legalize::emitLoops(LoopEmitter &e, ReductionOp op) {
  if (op.getGroupOffset())
    return emitGroupLoops(e, op);
  Value x = op.getInput(), y = op.getY();
  Type computeType = op.getEffectiveComputeType();
  Reducer reducer(e, op);
  SmallVector<int64_t> reducedAxes;
  Indices bounds;
  for (int64_t axis = 0; axis < LoopEmitter::rankOf(x); ++axis) {
    if (!LoopEmitter::isOne(y, axis) || LoopEmitter::isOne(x, axis))
      continue;
    reducedAxes.push_back(axis);
    bounds.push_back(e.extent(x, axis));
  }
  e.forEach(e.extents(y), [&](ValueRange outer) {
    Value accumulator = e.reduce(
        bounds, reducer.identity(), [&](ValueRange inner, Value current) {
          Indices indices(outer);
          for (auto [axis, position] : llvm::zip_equal(reducedAxes, inner))
            indices[axis] = position;
          return reducer.combine(current, e.load(x, indices, computeType));
        });
    Value result = reducer.finish(accumulator, bounds);
    e.store(e.wrap(result, computeType), y, outer);
  });
}
