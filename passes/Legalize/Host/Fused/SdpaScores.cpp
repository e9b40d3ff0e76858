//===- SdpaScores.cpp - Masks of attention and what they hide -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "passes/Legalize/Host/Fused/Sdpa.h"
#include "passes/Legalize/Host/Scalar/Scalar.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;
using namespace opgraph::legalize::fused;

/// Whether (row, column) is hidden: by the band, or past the last column.
Value SdpaEmitter::emitMasked(OpBuilder &b, Location loc, Value row,
                              Value column) {
  Value masked =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, column, end);
  Value diagonal = add(row, shift);
  auto combine = [&](arith::CmpIPredicate predicate, Value limit) {
    Value outside = arith::CmpIOp::create(b, loc, predicate, column, limit);
    masked = arith::OrIOp::create(b, loc, masked, outside);
  };
  if (auto right = op.getDiagonalBandRightBound()) {
    combine(arith::CmpIPredicate::sgt, add(diagonal, emitBound(*right)));
  }
  if (auto left = op.getDiagonalBandLeftBound()) {
    combine(arith::CmpIPredicate::sle, sub(diagonal, emitBound(*left)));
  }
  return masked;
}

/// Scale, bias and band, on S^T in place.
Value SdpaEmitter::finishScores(Value scores, Value first) {
  Value lastRow = sub(rows, e.index(int64_t(1)));
  auto body = [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
    Value column = add(first, linalg::IndexOp::create(b, loc, 0));
    Value row = add(firstRow, linalg::IndexOp::create(b, loc, 1));
    row = minimum(row, lastRow);
    Value score = args[0];
    if (scale)
      score = arith::MulFOp::create(b, loc, score, scale);
    if (Value bias = op.getBias()) {
      RankedTensorType type = Emitter::getType(bias);
      Value full[] = {batch, head, row, column};
      SmallVector<Value> at;
      int64_t lead = 4 - type.getRank();
      for (int64_t axis = 0; axis < type.getRank(); ++axis)
        at.push_back(type.getDimSize(axis) == 1 ? e.index(int64_t(0))
                                                : full[lead + axis]);
      Value stored = tensor::ExtractOp::create(b, loc, e.lookup(bias), at);
      score = arith::AddFOp::create(
          b, loc, score,
          convertOperand(b, loc, stored, type.getElementType(), compute, work));
    }
    return arith::SelectOp::create(b, loc, emitMasked(b, loc, row, column),
                                   lowest(), score);
  };
  return e.elementwise({}, scores, body);
}

/// O^T += V^T P^T. Where the band cuts through a tile whose V has a NaN or an
/// infinity, masked columns are skipped one by one, so that 0 * NaN stays out.
Value SdpaEmitter::accumulateOutput(Value values, Value weights, Value first,
                                    Value output) {
  using utils::IteratorType;
  IteratorType iterators[] = {IteratorType::parallel, IteratorType::parallel,
                              IteratorType::reduction};
  auto multiplyAdd = [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
    Value product = arith::MulFOp::create(b, loc, args[0], args[1]);
    return arith::AddFOp::create(b, loc, args[2], product);
  };
  Operand operands[] = {{values, map(3, {2, 0})}, {weights, map(3, {2, 1})}};
  Operand init{output, map(3, {0, 1})};
  if (!hasBand())
    return e.generic(operands, init, iterators, multiplyAdd);

  // x * 0 is NaN for NaN and infinities, 0 for the rest.
  Value zero = e.constant(work, 0);
  Value probe = e.fill(e.empty({}, work), zero);
  IteratorType all[] = {IteratorType::reduction, IteratorType::reduction};
  probe = e.generic({{values, e.identity(2)}}, {probe, map(2, {})}, all,
                    [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
                      Value x = arith::MulFOp::create(b, loc, args[0], zero);
                      return emitCombine(b, loc, Combine::Sum, args[1], x);
                    });
  Value sum = tensor::ExtractOp::create(b, loc, probe, ValueRange());
  Value isClean =
      arith::CmpFOp::create(b, loc, arith::CmpFPredicate::ORD, sum, sum);
  auto either = scf::IfOp::create(
      b, loc, isClean,
      [&](OpBuilder &, Location) {
        scf::YieldOp::create(b, loc,
                             e.generic(operands, init, iterators, multiplyAdd));
      },
      [&](OpBuilder &, Location) {
        Value lastRow = sub(rows, e.index(int64_t(1)));
        auto skipping = [&](OpBuilder &b, Location loc,
                            ValueRange args) -> Value {
          Value column = add(first, linalg::IndexOp::create(b, loc, 2));
          Value row = add(firstRow, linalg::IndexOp::create(b, loc, 1));
          Value masked = emitMasked(b, loc, minimum(row, lastRow), column);
          return arith::SelectOp::create(b, loc, masked, args[2],
                                         multiplyAdd(b, loc, args));
        };
        scf::YieldOp::create(b, loc,
                             e.generic(operands, init, iterators, skipping));
      });
  return either.getResult(0);
}
