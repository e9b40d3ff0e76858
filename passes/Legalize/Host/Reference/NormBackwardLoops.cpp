//===- NormBackwardLoops.cpp - The judge's gradients of norms -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Norm.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/Legalize/Host/Reference/NormEmitter.h"

using namespace mlir;
using namespace opgraph::graph;
using namespace opgraph::legalize;

//===----------------------------------------------------------------------===//
// Terms
//===----------------------------------------------------------------------===//

Value NormGradientEmitter::normalised(ValueRange indices) {
  Value element = load(operands.x, indices);
  if (operands.mean)
    element = e.make<arith::SubFOp>(element, load(operands.mean, indices));
  return e.make<arith::MulFOp>(element, load(operands.inverse, indices));
}

Value NormGradientEmitter::outer(ValueRange indices) {
  return load(operands.dy, indices);
}

Value NormGradientEmitter::outerNormalised(ValueRange indices) {
  return e.make<arith::MulFOp>(outer(indices), normalised(indices));
}

Value NormGradientEmitter::scaled(ValueRange indices) {
  Value gradient = outer(indices);
  if (!operands.scale)
    return gradient;
  return e.make<arith::MulFOp>(gradient, load(operands.scale, indices));
}

Value NormGradientEmitter::input(ValueRange indices, Value mean,
                                 Value meanNormalised) {
  Value gradient = scaled(indices);
  if (mean)
    gradient = e.make<arith::SubFOp>(gradient, mean);
  Value along = e.make<arith::MulFOp>(normalised(indices), meanNormalised);
  gradient = e.make<arith::SubFOp>(gradient, along);
  return e.make<arith::MulFOp>(load(operands.inverse, indices), gradient);
}

void NormGradientEmitter::writeInput(Value dx, ArrayRef<int64_t> axes) {
  NormEmitter norm(e, operands.x, axes, computeType);
  norm.forEachRow([&](ValueRange row) {
    Value mean;
    if (operands.mean)
      mean =
          norm.mean(row, [&](ValueRange indices) { return scaled(indices); });
    Value meanNormalised = norm.mean(row, [&](ValueRange indices) {
      return e.make<arith::MulFOp>(scaled(indices), normalised(indices));
    });
    norm.forEachElement(row, [&](ValueRange indices) {
      e.store(input(indices, mean, meanNormalised), dx, indices);
    });
  });
}

void NormGradientEmitter::writeAffine(Value dscale, Value dbias) {
  if (!dscale)
    return;
  int64_t rank = LoopEmitter::rankOf(dscale);
  int64_t missing = LoopEmitter::rankOf(operands.x) - rank;
  Dims axes;
  for (int64_t axis = 0; axis < missing + rank; ++axis)
    if (axis < missing || LoopEmitter::isOne(dscale, axis - missing))
      axes.push_back(axis);
  NormEmitter sums(e, operands.x, axes, computeType);
  sums.forEachRow([&](ValueRange row) {
    Value scaleSum = sums.sum(
        row, [&](ValueRange indices) { return outerNormalised(indices); });
    e.store(scaleSum, dscale, row.take_back(rank));
    if (!dbias)
      return;
    Value biasSum =
        sums.sum(row, [&](ValueRange indices) { return outer(indices); });
    e.store(biasSum, dbias, row.take_back(rank));
  });
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// The gradients of a norm by mean and variance over `axes`.
template <typename OpTy>
static void emitCentred(LoopEmitter &e, OpTy op, ArrayRef<int64_t> axes) {
  NormGradientEmitter gradient(e,
                               {op.getGrad(), op.getInput(), op.getScale(),
                                op.getMean(), op.getInvVariance()},
                               op.getEffectiveComputeType());
  gradient.writeInput(op.getDX(), axes);
  gradient.writeAffine(op.getDSCALE(), op.getDBIAS());
}

void opgraph::legalize::emitLoops(LoopEmitter &e, LayernormBackwardOp op) {
  emitCentred(e, op, getScaledAxes(op.getInput(), op.getScale()));
}

void opgraph::legalize::emitLoops(LoopEmitter &e, AdalayernormBackwardOp op) {
  emitCentred(e, op, getScaledAxes(op.getInput(), op.getScale(), 1));
}

void opgraph::legalize::emitLoops(LoopEmitter &e, InstancenormBackwardOp op) {
  emitCentred(e, op, getSpatialAxes(op.getInput()));
}

void opgraph::legalize::emitLoops(LoopEmitter &e, RmsnormBackwardOp op) {
  NormGradientEmitter gradient(e,
                               {op.getGrad(), op.getInput(), op.getScale(),
                                /*mean=*/Value(), op.getInvVariance()},
                               op.getEffectiveComputeType());
  gradient.writeInput(op.getDX(), getScaledAxes(op.getInput(), op.getScale()));
  gradient.writeAffine(op.getDscale(), op.getDbias());
}
