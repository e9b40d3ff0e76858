//===- AttentionMaskLoops.cpp - The judge's parts of attention ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "passes/Legalize/Host/Reference/AttentionScores.h"
#include "passes/Legalize/Host/Scalar/Scalar.h"

using namespace mlir;
using namespace opgraph::graph;
using namespace opgraph::legalize;

using Predicate = arith::CmpIPredicate;

void opgraph::legalize::emitLoops(LoopEmitter &e, PagedCacheLoadOp op) {
  Value container = op.getContainer(), table = op.getPageTable();
  Value y = op.getY();
  Value zero = e.index(0), one = e.index(1);
  // A boolean is 0 or 1 once it is copied; other elements keep their bits.
  bool isBool = LoopEmitter::elementTypeOf(y).isInteger(1);
  Type i64 = e.b.getI64Type();
  Value block = e.make<arith::MaxSIOp>(e.extent(container, 2), one);
  Value lastPage = e.make<arith::SubIOp>(e.extent(container, 0), one);
  // Positions that the table has pages for; none in pages without slots.
  Value positions =
      e.make<arith::MulIOp>(e.extent(table, 2), e.extent(container, 2));
  Value capacity = e.make<arith::SelectOp>(
      e.make<arith::CmpIOp>(Predicate::slt, lastPage, zero), zero, positions);
  e.forEach(e.extents(y), [&](ValueRange at) {
    Value length = e.make<arith::MinSIOp>(
        e.loadClamped(op.getSeqLen(), {at[0], zero, zero, zero},
                      e.extent(y, 2)),
        capacity);
    Value isThere = e.make<arith::CmpIOp>(Predicate::slt, at[2], length);
    Value isPadding = e.make<arith::CmpIOp>(Predicate::sge, at[2], length);
    e.ifThen(isThere, [&] {
      Value page = e.make<arith::DivUIOp>(at[2], block);
      Value number = e.loadClamped(table, {at[0], zero, page, zero}, lastPage);
      Value slot = e.make<arith::RemUIOp>(at[2], block);
      Value from[] = {number, at[1], slot, at[3]};
      if (isBool)
        e.store(e.load(container, from, i64), y, at);
      else
        e.storeStored(e.loadStored(container, from), y, at);
    });
    e.ifThen(isPadding, [&] { e.store(e.constant(0), y, at); });
  });
}

void opgraph::legalize::emitLoops(LoopEmitter &e, DiagonalBandMaskOp op) {
  Value x = op.getInput();
  Type computeType = op.getEffectiveComputeType();
  Value zero = e.index(0);
  e.forEach(e.extents(x), [&](ValueRange at) {
    Value rows = e.extent(x, at.size() - 2),
          columns = e.extent(x, at.size() - 1);
    if (op.getSeqLenQ()) {
      Value place[] = {at[0], zero, zero, zero};
      rows = e.loadClamped(op.getSeqLenQ(), place, rows);
      columns = e.loadClamped(op.getSeqLenKv(), place, columns);
    }
    Value shift = op.getDiagonalAlignment() == DiagonalAlignment::BOTTOM_RIGHT
                      ? e.make<arith::SubIOp>(columns, rows)
                      : zero;
    Value wide = e.load(x, at, computeType);
    Value isKept = emitBandKeeps(e, op.getDiagonalBandLeftBound(),
                                 op.getDiagonalBandRightBound(),
                                 at[at.size() - 2], at.back(), shift);
    if (isKept)
      wide = e.make<arith::SelectOp>(
          isKept, wide,
          e.constant(roundAttribute(op.getMaskValue(), computeType)));
    e.store(wide, op.getY(), at);
  });
}
