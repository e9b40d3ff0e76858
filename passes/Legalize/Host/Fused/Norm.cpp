//===- Norm.cpp - Layer and RMS norm --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "passes/Legalize/Host/Fused/Rows.h"
#include "passes/Legalize/Host/Scalar/Scalar.h"

#include <limits>

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;
using namespace opgraph::legalize::fused;

namespace {
/// What layer and RMS norm have in common.
struct NormParts {
  Value input, scale, bias, epsilon;
  Type compute, work;
  Value y, mean, inverse;
};

/// Emits one norm.
class NormEmitter {
public:
  NormEmitter(Emitter &e, const NormParts &parts, bool subtractsMean)
      : e(e), parts(parts), subtractsMean(subtractsMean),
        type(Emitter::getType(parts.input)),
        rows(e, parts.input, findRowAxes()) {}

  void run() {
    if (Emitter::isEmpty(parts.input)) {
      // The mean of nothing is NaN.
      for (Value result : {parts.y, parts.mean, parts.inverse})
        if (result)
          e.defineFilled(result, std::numeric_limits<double>::quiet_NaN());
      return;
    }
    epsilon = readScalar(e, parts.epsilon, parts.compute);
    count = rows.emitCount(parts.work);
    rows.addResult(parts.y);
    for (Value result : {parts.mean, parts.inverse})
      if (result)
        rows.addResult(result);
    rows.run([&] { return emitRow(); });
  }

private:
  /// An axis is normalised where the scale has an extent other than 1; without
  /// a scale, every axis but the first is.
  SmallVector<bool> findRowAxes() {
    SmallVector<bool> isRow(type.getRank(), !!parts.scale);
    if (!parts.scale) {
      if (!isRow.empty())
        isRow[0] = true;
      return isRow;
    }
    RankedTensorType scale = Emitter::getType(parts.scale);
    int64_t lead = type.getRank() - scale.getRank();
    for (int64_t axis = 0; axis < scale.getRank(); ++axis)
      isRow[lead + axis] = scale.getDimSize(axis) == 1;
    return isRow;
  }

  /// The element, less the mean where there is one.
  Value centred(OpBuilder &b, Location loc, Value stored) {
    Value x = convertOperand(b, loc, stored, type.getElementType(),
                             parts.compute, parts.work);
    if (mean)
      x = arith::SubFOp::create(b, loc, x, mean);
    return x;
  }

  Value average(Operand x, bool squared) {
    Value sum = rows.reduce(
        Combine::Sum, {x}, parts.work,
        [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
          Value value = centred(b, loc, args[0]);
          return squared ? arith::MulFOp::create(b, loc, value, value) : value;
        });
    return arith::DivFOp::create(e.b, e.loc, sum, count);
  }

  SmallVector<Value> emitRow() {
    Operand x = rows.operand(parts.input);
    mean = Value();
    if (subtractsMean)
      mean = average(x, /*squared=*/false);
    Value variance = average(x, /*squared=*/true);
    variance = arith::AddFOp::create(e.b, e.loc, variance, epsilon);
    Value inverse =
        arith::DivFOp::create(e.b, e.loc, e.constant(parts.work, 1),
                              math::SqrtOp::create(e.b, e.loc, variance));
    SmallVector<Value> tiles{emitResult(x, inverse)};
    if (parts.mean)
      tiles.push_back(rows.scalarTile(tiles.size(), mean));
    if (parts.inverse)
      tiles.push_back(rows.scalarTile(tiles.size(), inverse));
    return tiles;
  }

  Value emitResult(Operand x, Value inverse) {
    SmallVector<Operand> operands{x};
    for (Value affine : {parts.scale, parts.bias})
      if (affine)
        operands.push_back(rows.operand(affine));
    Type elementType = Emitter::getType(parts.y).getElementType();
    return e.elementwise(
        operands, rows.resultTile(0),
        [&](OpBuilder &b, Location loc, ValueRange args) {
          Value y =
              arith::MulFOp::create(b, loc, centred(b, loc, args[0]), inverse);
          unsigned next = 1;
          auto read = [&](Value affine) {
            return convertOperand(b, loc, args[next++],
                                  Emitter::getType(affine).getElementType(),
                                  parts.compute, parts.work);
          };
          if (parts.scale)
            y = arith::MulFOp::create(b, loc, y, read(parts.scale));
          if (parts.bias)
            y = arith::AddFOp::create(b, loc, y, read(parts.bias));
          return convertToStorage(b, loc, y, elementType);
        });
  }

  Emitter &e;
  const NormParts &parts;
  bool subtractsMean;
  RankedTensorType type;
  Rows rows;
  Value epsilon, count, mean;
};
} // namespace

void fused::emit(Emitter &e, graph::LayernormOp op) {
  NormParts parts{op.getInput(),
                  op.getScale(),
                  op.getBias(),
                  op.getEpsilon(),
                  op.getEffectiveComputeType(),
                  getWorkType(op.getEffectiveComputeType()),
                  op.getY(),
                  op.getMEAN(),
                  op.getINV_VARIANCE()};
  NormEmitter(e, parts, /*subtractsMean=*/true).run();
}

void fused::emit(Emitter &e, graph::RmsnormOp op) {
  NormParts parts{op.getInput(),
                  op.getScale(),
                  op.getBias(),
                  op.getEpsilon(),
                  op.getEffectiveComputeType(),
                  getWorkType(op.getEffectiveComputeType()),
                  op.getY(),
                  Value(),
                  op.getINV_VARIANCE()};
  NormEmitter(e, parts, /*subtractsMean=*/false).run();
}
