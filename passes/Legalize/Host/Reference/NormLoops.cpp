//===- NormLoops.cpp - The judge's layernorm and rmsnorm ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "passes/Legalize/Host/Reference/Loops.h"

using namespace mlir;
using namespace opgraph::graph;
using namespace opgraph::legalize;

using Indices = LoopEmitter::Indices;

namespace {
/// A norm's loops: rows outside, the normalised elements of a row inside.
class NormEmitter {
public:
  NormEmitter(LoopEmitter &e, Value x, Value scale, Value bias, Value epsilon,
              Type computeType)
      : e(e), x(x), scale(scale), bias(bias), epsilon(epsilon),
        computeType(computeType) {
    for (int64_t axis = 0; axis < LoopEmitter::rankOf(x); ++axis) {
      Value extent = e.extent(x, axis);
      rowBounds.push_back(isNormalised(axis) ? e.index(1) : extent);
      if (!isNormalised(axis))
        continue;
      axes.push_back(axis);
      bounds.push_back(extent);
    }
  }

  /// The mean over a row of `function` of each element.
  Value mean(ValueRange row, llvm::function_ref<Value(Value)> function) {
    Value sum = e.reduce(
        bounds, e.constant(0), [&](ValueRange inner, Value accumulator) {
          Value element = load(x, at(row, inner));
          return e.make<arith::AddFOp>(accumulator, function(element));
        });
    Value count = e.index(1);
    for (Value bound : bounds)
      count = e.make<arith::MulIOp>(count, bound);
    Value whole = e.make<arith::IndexCastOp>(e.b.getI64Type(), count);
    return e.make<arith::DivFOp>(
        sum, e.make<arith::SIToFPOp>(e.b.getF64Type(), whole));
  }

  /// 1 / sqrt(variance + epsilon).
  Value inverseDeviation(Value variance) {
    Indices zeros(LoopEmitter::rankOf(epsilon), e.index(0));
    Value sum = e.make<arith::AddFOp>(variance, load(epsilon, zeros));
    return e.make<arith::DivFOp>(e.constant(1), e.make<math::SqrtOp>(sum));
  }

  /// Writes y = normalised(x) * scale + bias for each element of a row.
  void writeRow(ValueRange row, Value y,
                llvm::function_ref<Value(Value)> normalised) {
    e.forEach(bounds, [&](ValueRange inner) {
      Indices indices = at(row, inner);
      Value result = normalised(load(x, indices));
      if (scale)
        result = e.make<arith::MulFOp>(result, load(scale, indices));
      if (bias)
        result = e.make<arith::AddFOp>(result, load(bias, indices));
      e.store(result, y, indices);
    });
  }

  /// Runs `body` for each row; its indices are those of the statistics.
  void forEachRow(LoopEmitter::Body body) { e.forEach(rowBounds, body); }

private:
  /// Where scale has more than one element; without scale, all but axis 0.
  bool isNormalised(int64_t axis) {
    if (!scale)
      return axis != 0;
    int64_t missing = LoopEmitter::rankOf(x) - LoopEmitter::rankOf(scale);
    return axis >= missing && !LoopEmitter::isOne(scale, axis - missing);
  }
  Value load(Value value, ValueRange indices) {
    return e.load(value, indices, computeType);
  }
  Indices at(ValueRange row, ValueRange inner) {
    Indices indices(row);
    for (auto [axis, position] : llvm::zip_equal(axes, inner))
      indices[axis] = position;
    return indices;
  }

  LoopEmitter &e;
  Value x, scale, bias, epsilon;
  Type computeType;
  SmallVector<int64_t> axes;
  Indices rowBounds, bounds;
};
} // namespace

void opgraph::legalize::emitLoops(LoopEmitter &e, LayernormOp op) {
  NormEmitter norm(e, op.getInput(), op.getScale(), op.getBias(),
                   op.getEpsilon(), op.getEffectiveComputeType());
  norm.forEachRow([&](ValueRange row) {
    Value mean = norm.mean(row, [](Value element) { return element; });
    auto centre = [&](Value element) {
      return e.make<arith::SubFOp>(element, mean);
    };
    Value variance = norm.mean(row, [&](Value element) {
      Value centred = centre(element);
      return e.make<arith::MulFOp>(centred, centred);
    });
    Value inverse = norm.inverseDeviation(variance);
    norm.writeRow(row, op.getY(), [&](Value element) {
      return e.make<arith::MulFOp>(centre(element), inverse);
    });
    if (op.getMEAN())
      e.store(mean, op.getMEAN(), row);
    if (op.getINV_VARIANCE())
      e.store(inverse, op.getINV_VARIANCE(), row);
  });
}

void opgraph::legalize::emitLoops(LoopEmitter &e, RmsnormOp op) {
  NormEmitter norm(e, op.getInput(), op.getScale(), op.getBias(),
                   op.getEpsilon(), op.getEffectiveComputeType());
  norm.forEachRow([&](ValueRange row) {
    Value meanSquare = norm.mean(row, [&](Value element) {
      return e.make<arith::MulFOp>(element, element);
    });
    Value inverse = norm.inverseDeviation(meanSquare);
    norm.writeRow(row, op.getY(), [&](Value element) {
      return e.make<arith::MulFOp>(element, inverse);
    });
    if (op.getINV_VARIANCE())
      e.store(inverse, op.getINV_VARIANCE(), row);
  });
}
