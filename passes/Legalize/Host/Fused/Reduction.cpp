//===- Reduction.cpp - Reductions along axes ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/Legalize/Host/Fused/Combine.h"
#include "passes/Legalize/Host/Scalar/Scalar.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;
using namespace opgraph::legalize::fused;
using graph::ReductionMode;

Value fused::emitNeutral(Emitter &e, Combine how, Type workType) {
  return arith::ConstantOp::create(e.b, e.loc, getNeutral(how, workType));
}

Value fused::emitCombine(OpBuilder &b, Location loc, Combine how,
                         Value accumulator, Value value) {
  return emitCombination(b, loc, how, accumulator, value,
                         /*mayReassociate=*/true);
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
  Combine how = getCombination(mode);
  work = getAccumulatorType(how, work);
  RankedTensorType type = Emitter::getType(op.getInput());
  ReducedAxes axes(e, op);

  Value neutral = arith::ConstantOp::create(e.b, e.loc, getNeutral(mode, work));
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
    return convertToStorage(b, loc, emitReduced(b, loc, mode, value, count),
                            elementType);
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
