//===- Sdpa.h - Scaled dot-product attention --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_LEGALIZE_HOST_FUSED_SDPA_H
#define OPGRAPH_PASSES_LEGALIZE_HOST_FUSED_SDPA_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/Legalize/Host/Fused/Rows.h"

#include <limits>

namespace opgraph::legalize::fused {

/// Keys per step of the online softmax: a multiple of the register tile's rows.
inline constexpr int64_t kKeyTile = 96;
/// Query rows per parallel step: a multiple of a register tile's columns.
inline constexpr int64_t kQueryTile = 32;

/// Running state over the keys: row maxima, row sums, and O^T.
struct SdpaState {
  mlir::Value max, sum, output;
};

/// Emits one sdpa op.
class SdpaEmitter {
public:
  SdpaEmitter(Emitter &e, graph::SdpaOp op)
      : e(e), b(e.b), loc(e.loc), op(op), compute(op.getEffectiveComputeType()),
        work(getWorkType(compute)) {}

  void run();

private:
  mlir::Value add(mlir::Value l, mlir::Value r) {
    return mlir::arith::AddIOp::create(b, loc, l, r);
  }
  mlir::Value sub(mlir::Value l, mlir::Value r) {
    return mlir::arith::SubIOp::create(b, loc, l, r);
  }
  mlir::Value minimum(mlir::Value l, mlir::Value r) {
    return mlir::arith::MinSIOp::create(b, loc, l, r);
  }
  mlir::Value maximum(mlir::Value l, mlir::Value r) {
    return mlir::arith::MaxSIOp::create(b, loc, l, r);
  }
  mlir::Value lowest() {
    return e.constant(work, -std::numeric_limits<double>::infinity());
  }
  mlir::AffineMap map(unsigned loops, llvm::ArrayRef<unsigned> dims) {
    return mlir::AffineMap::getMultiDimMapWithTargets(loops, dims,
                                                      b.getContext());
  }
  /// A bound of the band. One past every column of every row, whose shift is
  /// at most `rows` or `columns`, is the same as none, and does not overflow.
  mlir::Value emitBound(uint64_t bound) {
    return minimum(e.index(static_cast<int64_t>(bound)), add(columns, rows));
  }
  /// A float that is -inf becomes 0.
  mlir::Value orZero(mlir::Value value) {
    mlir::Value isLowest = mlir::arith::CmpFOp::create(
        b, loc, mlir::arith::CmpFPredicate::OEQ, value, lowest());
    return mlir::arith::SelectOp::create(b, loc, isLowest, e.constant(work, 0),
                                         value);
  }

  void readLengths();
  void findKeyRange();
  llvm::SmallVector<mlir::Value> emitQueryTile(mlir::ValueRange tiles);
  mlir::Value loadQueries();
  mlir::Value loadKeys(mlir::Value graphValue, mlir::Value first);
  SdpaState emitKeyTile(mlir::Value queries, mlir::Value first,
                        SdpaState state);
  mlir::Value emitMasked(mlir::OpBuilder &b, mlir::Location loc,
                         mlir::Value row, mlir::Value column);
  mlir::Value finishScores(mlir::Value scores, mlir::Value first);
  mlir::Value accumulateOutput(mlir::Value values, mlir::Value weights,
                               mlir::Value first, mlir::Value output);
  llvm::SmallVector<mlir::Value> finish(SdpaState state,
                                        mlir::ValueRange tiles);
  bool hasBand() {
    return op.getDiagonalBandLeftBound() || op.getDiagonalBandRightBound();
  }

  Emitter &e;
  mlir::OpBuilder &b;
  mlir::Location loc;
  graph::SdpaOp op;
  mlir::Type compute, work;
  mlir::Value rows, columns, headsQ;
  /// The scale in the work type, or null.
  mlir::Value scale;
  // Set per parallel step.
  mlir::Value batch, head, firstRow, lengthQ, lengthK, shift, begin, end;
};

} // namespace opgraph::legalize::fused

#endif // OPGRAPH_PASSES_LEGALIZE_HOST_FUSED_SDPA_H
