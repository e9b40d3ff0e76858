//===- Softmax.cpp - Softmax along the last axis --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Three passes over a row: maximum, sum of exponentials, results. Exponentials
// are computed twice rather than kept, so that rows of any length need no
// scratch.
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

/// Rows of no element.
static void emitEmptyRows(Emitter &e, graph::SoftmaxOp op) {
  double infinity = std::numeric_limits<double>::infinity();
  e.defineFilled(op.getS(), 0);
  for (auto [result, value] : {std::make_pair(op.getStats(), -infinity),
                               {op.getMax(), -infinity},
                               {op.getSumExp(), 0.0}})
    if (result)
      e.defineFilled(result, value);
}

namespace {
/// Emits one softmax with elements.
class SoftmaxEmitter {
public:
  SoftmaxEmitter(Emitter &e, graph::SoftmaxOp op)
      : e(e), op(op), compute(op.getEffectiveComputeType()),
        work(getWorkType(compute)), type(Emitter::getType(op.getInput())),
        rows(e, op.getInput(), findRowAxes()) {}

  void run() {
    rows.addResult(op.getS());
    for (Value result : {op.getStats(), op.getMax(), op.getSumExp()})
      if (result)
        rows.addResult(result);
    rows.run([&] { return emitRow(); });
  }

private:
  SmallVector<bool> findRowAxes() {
    SmallVector<bool> isRow(type.getRank(), true);
    isRow.back() = false;
    return isRow;
  }

  Value element(OpBuilder &b, Location loc, Value stored) {
    return convertOperand(b, loc, stored, type.getElementType(), compute, work);
  }
  Value exponential(OpBuilder &b, Location loc, Value stored) {
    Value x = arith::SubFOp::create(b, loc, element(b, loc, stored), shift);
    return math::ExpOp::create(b, loc, x);
  }

  /// With -inf as its maximum a row is all -inf: measured from 0, its
  /// exponentials are 0 and not NaN.
  void handleMaskedRow() {
    Value lowest = e.constant(work, -std::numeric_limits<double>::infinity());
    isMasked = arith::CmpFOp::create(e.b, e.loc, arith::CmpFPredicate::OEQ, max,
                                     lowest);
    shift =
        arith::SelectOp::create(e.b, e.loc, isMasked, e.constant(work, 0), max);
  }

  SmallVector<Value> emitRow() {
    Operand x = rows.operand(op.getInput());
    max = rows.reduce(Combine::Max, {x}, work,
                      [&](OpBuilder &b, Location loc, ValueRange args) {
                        return element(b, loc, args[0]);
                      });
    shift = max;
    if (!op.getNanForMaskedRows())
      handleMaskedRow();
    Value sum = rows.reduce(Combine::Sum, {x}, work,
                            [&](OpBuilder &b, Location loc, ValueRange args) {
                              return exponential(b, loc, args[0]);
                            });
    SmallVector<Value> tiles{emitResult(x, sum)};
    if (op.getStats()) {
      Value log = math::LogOp::create(e.b, e.loc, sum);
      Value stats = arith::AddFOp::create(e.b, e.loc, max, log);
      tiles.push_back(rows.scalarTile(tiles.size(), stats));
    }
    if (op.getMax())
      tiles.push_back(rows.scalarTile(tiles.size(), max));
    if (op.getSumExp())
      tiles.push_back(rows.scalarTile(tiles.size(), sum));
    return tiles;
  }

  Value emitResult(Operand x, Value sum) {
    Value divisor = sum;
    if (isMasked)
      divisor = arith::SelectOp::create(e.b, e.loc, isMasked,
                                        e.constant(work, 1), sum);
    Type elementType = Emitter::getType(op.getS()).getElementType();
    return e.elementwise({x}, rows.resultTile(0),
                         [&](OpBuilder &b, Location loc, ValueRange args) {
                           Value s = arith::DivFOp::create(
                               b, loc, exponential(b, loc, args[0]), divisor);
                           return convertToStorage(b, loc, s, elementType);
                         });
  }

  Emitter &e;
  graph::SoftmaxOp op;
  Type compute, work;
  RankedTensorType type;
  Rows rows;
  // Set per row; isMasked is null where masked rows are NaN.
  Value max, shift, isMasked;
};
} // namespace

void fused::emit(Emitter &e, graph::SoftmaxOp op) {
  if (Emitter::isEmpty(op.getInput()))
    return emitEmptyRows(e, op);
  SoftmaxEmitter(e, op).run();
}
