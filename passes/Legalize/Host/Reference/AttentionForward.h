//===- AttentionForward.h - Softmax and second product -----------*- C++ -*-==//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps 9 to 13 of the forward mathematics: exact softmax over all scores of a
// row, in f64; nothing inside rounds but where an op says so.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_LEGALIZE_HOST_REFERENCE_ATTENTIONFORWARD_H
#define OPGRAPH_PASSES_LEGALIZE_HOST_REFERENCE_ATTENTIONFORWARD_H

#include "passes/Legalize/Host/Reference/AttentionScores.h"

namespace opgraph::legalize {

/// The results of a forward attention op; null where absent.
struct AttentionResults {
  mlir::Value o, stats, max, sumExp, rngDump;
};

/// The loops of one forward attention op.
class AttentionForward {
public:
  AttentionForward(LoopEmitter &e, mlir::Operation *op,
                   const AttentionResults &results);

  void emit();

  /// Scores, Q, K and V.
  AttentionScores scores;
  /// An element of V at [batch, own head, row, column].
  AttentionScores::Load loadV;
  /// What a weight becomes before the second product, and a sum before it is
  /// stored.
  std::function<mlir::Value(mlir::Value)> finishWeight, finishSum;
  /// Where the differences, exponentials and weights of a row round; null for
  /// nowhere.
  mlir::Type softmaxPrecision;

private:
  /// One row of Q.
  struct Row {
    AttentionScores::Batch batch;
    mlir::Value head, index;
    /// Columns that may be kept; none in a padded row.
    mlir::Value limit;
  };

  mlir::Value allocate(mlir::Value extent);
  mlir::Value load(mlir::Value memref, mlir::Value position);
  void store(mlir::Value value, mlir::Value memref, mlir::Value position);
  mlir::Value round(mlir::Value wide);
  mlir::Value isMasked(mlir::Value score);

  void emitRow(const AttentionScores::Batch &batch, mlir::Value head,
               mlir::Value index);
  mlir::Value emitMax(const Row &row, mlir::Value sink);
  mlir::Value emitExponential(mlir::Value score, mlir::Value max);
  mlir::Value emitSum(const Row &row, mlir::Value max, mlir::Value sink);
  void emitWeightedSums(const Row &row, mlir::Value max, mlir::Value sum);
  void writeRow(const Row &row, mlir::Value max, mlir::Value sum);
  void writeKeeps(const Row &row);

  LoopEmitter &e;
  AttentionTensor o, stats, max, sumExp;
  mlir::Value rngDump;
  /// Scratch rows, reused by every row of Q.
  mlir::Value scoreRow, sumRow;
};

} // namespace opgraph::legalize

#endif // OPGRAPH_PASSES_LEGALIZE_HOST_REFERENCE_ATTENTIONFORWARD_H
