//===- NormLoops.cpp - The judge's forward norms --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Norm.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "passes/Legalize/Host/Reference/NormEmitter.h"

using namespace mlir;
using namespace opgraph::graph;
using namespace opgraph::legalize;

using Indices = LoopEmitter::Indices;

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

NormEmitter::NormEmitter(LoopEmitter &e, Value x, ArrayRef<int64_t> axes,
                         Type computeType)
    : e(e), x(x), computeType(computeType), axes(axes) {
  rowBounds = e.extents(x);
  for (int64_t axis : axes) {
    bounds.push_back(rowBounds[axis]);
    rowBounds[axis] = e.index(1);
  }
}

Indices NormEmitter::at(ValueRange row, ValueRange inner) {
  Indices indices(row);
  for (auto [axis, position] : llvm::zip_equal(axes, inner))
    indices[axis] = position;
  return indices;
}

void NormEmitter::forEachElement(ValueRange row, LoopEmitter::Body body) {
  e.forEach(bounds, [&](ValueRange inner) { body(at(row, inner)); });
}

Value NormEmitter::sum(ValueRange row, Function function) {
  return e.reduce(
      bounds, e.constant(0), [&](ValueRange inner, Value accumulator) {
        return e.make<arith::AddFOp>(accumulator, function(at(row, inner)));
      });
}

Value NormEmitter::count() {
  Value count = e.index(1);
  for (Value bound : bounds)
    count = e.make<arith::MulIOp>(count, bound);
  Value whole = e.make<arith::IndexCastOp>(e.b.getI64Type(), count);
  return e.make<arith::SIToFPOp>(e.b.getF64Type(), whole);
}

Value NormEmitter::mean(ValueRange row, Function function) {
  return e.make<arith::DivFOp>(sum(row, function), count());
}

Value NormEmitter::loadSingle(Value value) {
  return e.loadSingle(value, computeType);
}

Value NormEmitter::inverseDeviation(Value variance, Value epsilon) {
  Value sum = e.make<arith::AddFOp>(variance, loadSingle(epsilon));
  return e.make<arith::DivFOp>(e.constant(1), e.make<math::SqrtOp>(sum));
}

void NormEmitter::writeRow(ValueRange row, Value y, Value scale, Value bias,
                           Function normalised) {
  forEachElement(row, [&](ValueRange indices) {
    Value result = normalised(indices);
    if (scale)
      result = e.make<arith::MulFOp>(result, load(scale, indices));
    if (bias)
      result = e.make<arith::AddFOp>(result, load(bias, indices));
    e.store(result, y, indices);
  });
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// A norm by mean and variance over `axes`.
template <typename OpTy>
static void emitCentredNorm(LoopEmitter &e, OpTy op, ArrayRef<int64_t> axes) {
  NormEmitter norm(e, op.getInput(), axes, op.getEffectiveComputeType());
  norm.forEachRow([&](ValueRange row) {
    Value mean = norm.mean(
        row, [&](ValueRange indices) { return norm.element(indices); });
    auto centre = [&](ValueRange indices) {
      return e.make<arith::SubFOp>(norm.element(indices), mean);
    };
    Value variance = norm.mean(row, [&](ValueRange indices) {
      Value centred = centre(indices);
      return e.make<arith::MulFOp>(centred, centred);
    });
    Value inverse = norm.inverseDeviation(variance, op.getEpsilon());
    norm.writeRow(row, op.getY(), op.getScale(), op.getBias(),
                  [&](ValueRange indices) {
                    return e.make<arith::MulFOp>(centre(indices), inverse);
                  });
    if (op.getMEAN())
      e.store(mean, op.getMEAN(), row);
    if (op.getINV_VARIANCE())
      e.store(inverse, op.getINV_VARIANCE(), row);
  });
}

void opgraph::legalize::emitLoops(LoopEmitter &e, LayernormOp op) {
  emitCentredNorm(e, op, getScaledAxes(op.getInput(), op.getScale()));
}

void opgraph::legalize::emitLoops(LoopEmitter &e, AdalayernormOp op) {
  emitCentredNorm(e, op, getScaledAxes(op.getInput(), op.getScale(), 1));
}

void opgraph::legalize::emitLoops(LoopEmitter &e, InstancenormOp op) {
  emitCentredNorm(e, op, getSpatialAxes(op.getInput()));
}

void opgraph::legalize::emitLoops(LoopEmitter &e, RmsnormOp op) {
  Value x = op.getInput();
  NormEmitter norm(e, x, getScaledAxes(x, op.getScale()),
                   op.getEffectiveComputeType());
  norm.forEachRow([&](ValueRange row) {
    Value meanSquare = norm.mean(row, [&](ValueRange indices) {
      Value element = norm.element(indices);
      return e.make<arith::MulFOp>(element, element);
    });
    Value inverse = norm.inverseDeviation(meanSquare, op.getEpsilon());
    norm.writeRow(
        row, op.getY(), op.getScale(), op.getBias(), [&](ValueRange indices) {
          return e.make<arith::MulFOp>(norm.element(indices), inverse);
        });
    if (op.getINV_VARIANCE())
      e.store(inverse, op.getINV_VARIANCE(), row);
  });
}
