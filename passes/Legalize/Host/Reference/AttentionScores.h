//===- AttentionScores.h - One score of an attention op ----------*- C++ -*-==//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps 1 to 8 and 11 of the forward mathematics, element by element, for all
// attention ops of the judge, forward and backward. Wide values are f64.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_LEGALIZE_HOST_REFERENCE_ATTENTIONSCORES_H
#define OPGRAPH_PASSES_LEGALIZE_HOST_REFERENCE_ATTENTIONSCORES_H

#include "passes/Legalize/Host/Reference/AttentionTensor.h"
#include <functional>

namespace opgraph::legalize {

/// Whether a diagonal band keeps `column` in `row`, an i1; null without bounds.
mlir::Value emitBandKeeps(LoopEmitter &e, std::optional<int64_t> leftBound,
                          std::optional<int64_t> rightBound, mlir::Value row,
                          mlir::Value column, mlir::Value shift);

class AttentionScores {
public:
  /// What holds for all scores of a batch.
  struct Batch {
    mlir::Value index;
    /// Lengths, within [0, extent]; the extents where no lengths are given.
    mlir::Value queries, keys;
    /// Of the diagonal.
    mlir::Value shift;
  };
  /// A wide element of Q or K at [batch, own head, row, d].
  using Load = std::function<mlir::Value(mlir::ValueRange position)>;

  /// Emits what the loops share; call it where they start.
  AttentionScores(LoopEmitter &e, const graph::Attention &attention);
  /// The loads refer to this object.
  AttentionScores(const AttentionScores &) = delete;

  /// B, Hq, Sq, Skv as index values.
  mlir::Value extent(unsigned axis) {
    return e.extent(attention.getScoreType(), axis);
  }

  Batch emitBatch(mlir::Value batch);
  /// Whether rows of Q may be padding.
  bool hasQueryLengths() const {
    return attention.seqLenQ || attention.cuSeqLenQ;
  }

  /// The score after scale, score_mod, bias and ALiBi, or -inf where it is
  /// masked (padding, band, kv_mask, block_mask; rows and columns beyond the
  /// lengths included).
  mlir::Value emitScore(const Batch &batch, mlir::Value head, mlir::Value row,
                        mlir::Value column);
  /// The same from a score that is through score_mod.
  mlir::Value emitMaskedScore(mlir::Value score, const Batch &batch,
                              mlir::Value head, mlir::Value row,
                              mlir::Value column);
  /// Step 1 and 2: Q K^T times the scale.
  mlir::Value emitProduct(const Batch &batch, mlir::Value head, mlir::Value row,
                          mlir::Value column);
  /// What score_mod's region yields for the wide `scores` (the block arguments
  /// before the captures) at this place.
  llvm::SmallVector<mlir::Value> emitScoreMod(mlir::ValueRange scores,
                                              const Batch &batch,
                                              mlir::Value head, mlir::Value row,
                                              mlir::Value column);
  /// Whether no mask hides the score: an i1.
  mlir::Value emitIsKept(const Batch &batch, mlir::Value head, mlir::Value row,
                         mlir::Value column);

  /// 1 where dropout keeps the weight, else 0, or the mask given; null without
  /// dropout.
  mlir::Value emitKeep(const Batch &batch, mlir::Value head, mlir::Value row,
                       mlir::Value column);
  /// What kept weights are scaled by: 1 / (1 - p), or the scale given; null
  /// without dropout.
  mlir::Value emitDropoutScale();
  /// The slope of `head` times (column - row).
  mlir::Value emitAlibi(mlir::Value head, mlir::Value row, mlir::Value column);
  /// The attention scale; null for none.
  mlir::Value emitScale();
  /// The first element of `value` (of one element) as a wide value.
  mlir::Value emitScalar(mlir::Value value);

  LoopEmitter &e;
  graph::Attention attention;
  AttentionTensor q;
  AttentionCache k, v;
  /// Replaced by ops whose elements have scales of their own.
  Load loadQ, loadK;

private:
  mlir::Value emitLength(mlir::Value lengths, mlir::Value sums,
                         mlir::Value batch, mlir::Value extent);
  mlir::Value emitTileIsKept(mlir::ValueRange position);
};

} // namespace opgraph::legalize

#endif // OPGRAPH_PASSES_LEGALIZE_HOST_REFERENCE_ATTENTIONSCORES_H
