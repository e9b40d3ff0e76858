//===- Attention.h - What the attention ops have in common ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One view of all attention ops, forward and backward, by the role of their
// operands, and the constraints that they share. An op's own .cpp numbers the
// constraints where it calls them.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_DIALECTS_GRAPH_ATTENTION_H
#define OPGRAPH_DIALECTS_GRAPH_ATTENTION_H

#include "dialects/Graph/Extents.h"
#include "dialects/Graph/GraphDialect.h"

namespace opgraph::graph {

/// The value of `op` for its ODS operand `name`; null where it is absent or the
/// op has no such operand.
mlir::Value getNamedOperand(mlir::Operation *op, llvm::StringRef name);

/// The value of ODS result `odsIndex` of `op`; null where it is absent.
mlir::Value getNamedResult(mlir::Operation *op, unsigned odsIndex);

/// Where the batches of a packed tensor start: batch `b` at element
/// `offsets[b] * multiplier` of its memory.
struct RaggedOffset {
  mlir::Value offsets;
  int64_t multiplier = 1;
  explicit operator bool() const { return bool(offsets); }
};

/// The ragged offset of port `port` ("q", "o", "do", "page_table_k", ...): its
/// ODS operand is `ragged_offset_<port>`.
RaggedOffset getRaggedOffset(mlir::Operation *op, llvm::StringRef port);

/// Whether ODS operand or result `ods` ("q", "dO", "paged_attention_k_table")
/// is what `ragged_offset_<port>` is about.
bool isRaggedPortNamed(llvm::StringRef ods, llvm::StringRef port);

/// An attention op by the role of its operands. What is absent, or what the op
/// does not have, is null, nullopt or false.
struct Attention {
  explicit Attention(mlir::Operation *op);

  /// Extents of the scores: [B, Hq, Sq, Skv]. Q, K and V have rank 4 and
  /// checkKeyExtent has passed.
  Extents getScoreExtents() const;
  /// Skv: that of K or V where one is not paged; else max_seq_len_kv, the last
  /// axis of a bias, dropout mask or kv_mask, or what the pages of K's table
  /// hold, in this order. Dynamic without a symbol where nothing says.
  Extent getKeyExtent() const;
  /// The scores as a value of a region: row-major, of the compute type.
  mlir::RankedTensorType getScoreType() const;
  /// As the verifier and `getRegionArgumentTypes` want it: `count` times the
  /// type of the scores; empty where the operands do not say.
  llvm::SmallVector<mlir::RankedTensorType>
  getRegionArgumentTypes(unsigned count) const;

  bool isPaged() const { return pageTableK || pageTableV; }
  bool hasRagged() const;
  bool hasScoreMod() const { return scoreMod && !scoreMod->empty(); }
  bool hasBand() const { return leftBound || rightBound; }

  mlir::Operation *op;
  mlir::Value q, k, v;
  mlir::Value attnScale, bias, kvMask, blockMask;
  mlir::Value seqLenQ, seqLenKv, cuSeqLenQ, cuSeqLenKv;
  mlir::Value seed, offset, dropoutMask, dropoutScale, dropoutScaleInv;
  mlir::Value pageTableK, pageTableV, sinkToken;
  llvm::SmallVector<mlir::Value, 4> captures;
  /// Null where the op has no region.
  mlir::Region *scoreMod = nullptr;
  mlir::Type computeType;

  std::optional<double> attnScaleValue, dropoutProbability;
  bool isScalePrefolded, usePaddingMask, useAlibiMask, statsUseLog2;
  bool hasRngDump;
  DiagonalAlignment alignment = DiagonalAlignment::TOP_LEFT;
  std::optional<int64_t> leftBound, rightBound;
  std::optional<int64_t> maxSeqLenKv, maxTotalSeqLenQ, maxTotalSeqLenKv;
  std::optional<llvm::ArrayRef<int64_t>> raggedMultipliers;
};

/// Whether `op` is attention, forward or backward.
bool isAttention(mlir::Operation *op);

/// What `op` asks for beyond scale, bias, lengths, a band and statistics:
/// "alibi", "attn_scale_prefolded", "block_mask", "cu_seq_len", "dropout",
/// "kv_mask", "max", "paged", "ragged", "score_mod", "sink",
/// "softmax_precision", "stats_use_log2", "sum_exp".
llvm::SmallVector<llvm::StringRef> getAttentionFeatures(mlir::Operation *op);

/// Whether `value`, an operand or result of `op`, lies in memory as a ragged
/// offset of `op` says; and whether it is a container of pages.
bool isRaggedIn(mlir::Operation *op, mlir::Value value);
bool isPagedIn(mlir::Operation *op, mlir::Value value);
/// Whether every op that computes or reads `value`, but for the graph's return,
/// knows it as ragged (as paged): any other op takes all of what is declared.
bool isRaggedEverywhere(mlir::Value value);
bool isPagedEverywhere(mlir::Value value);

/// The rows that all batches of a packed tensor have together, by the name of
/// its ragged offset ("q", "do"), if the op declares them; and those of a
/// `value` that is ragged in `op`.
std::optional<int64_t> getTotalRows(const Attention &a, llvm::StringRef port);
std::optional<int64_t> getTotalRows(mlir::Operation *op, mlir::Value value);

//===----------------------------------------------------------------------===//
// Constraints
//===----------------------------------------------------------------------===//

/// The values have rank 4.
llvm::LogicalResult checkRank4(Inference &inference,
                               llvm::ArrayRef<NamedValue> values);
/// The values are floating point.
llvm::LogicalResult checkFloats(Inference &inference,
                                llvm::ArrayRef<NamedValue> values);
/// Q, K and V, by their ports.
llvm::SmallVector<NamedValue, 3> getQueryKeyValue(const Attention &a);
/// Q, K and V have rank 4.
llvm::LogicalResult checkRanks(const Attention &a, Inference &inference);
/// Q, K and V are floating point.
llvm::LogicalResult checkOperandTypes(const Attention &a, Inference &inference);
/// Skv is known and agrees with the bias; max_seq_len_kv belongs to tables.
llvm::LogicalResult checkKeyExtent(const Attention &a, Inference &inference);
/// Batches, Q's and K's last extents, and sequences agree.
llvm::LogicalResult checkExtents(const Attention &a, Inference &inference);
/// The heads of K and V divide those of Q.
llvm::LogicalResult checkHeads(const Attention &a, Inference &inference);
/// The scale is a tensor or a value.
llvm::LogicalResult checkOneScale(const Attention &a, Inference &inference);
/// `value`, if given, broadcasts to the scores.
llvm::LogicalResult checkBroadcasts(const Attention &a, Inference &inference,
                                    llvm::StringRef name, mlir::Value value);
/// The bias is not boolean.
llvm::LogicalResult checkBiasType(const Attention &a, Inference &inference);
/// With a padding mask each side has lengths of one kind; without it there are
/// none, but for a score_mod's use.
llvm::LogicalResult checkLengthsGiven(const Attention &a, Inference &inference);
/// Lengths are [B, 1, 1, 1], prefix sums [B + 1, 1, 1, 1] or [B + 1].
llvm::LogicalResult checkLengthExtents(const Attention &a,
                                       Inference &inference);
/// Lengths and prefix sums are i32 or i64.
llvm::LogicalResult checkLengthTypes(const Attention &a, Inference &inference);
/// Bounds are not negative.
llvm::LogicalResult checkBounds(const Attention &a, Inference &inference);
/// ALiBi goes with right bound 0.
llvm::LogicalResult checkAlibi(const Attention &a, Inference &inference);
/// Dropout has all operands of one form, and a dump its probability.
llvm::LogicalResult checkDropoutForm(const Attention &a, Inference &inference);
/// The probability is in [0, 1).
llvm::LogicalResult checkProbability(const Attention &a, Inference &inference);
/// Seed and offset are one i32 or i64 each; the mask broadcasts to the scores,
/// its scale is one number.
llvm::LogicalResult checkDropoutOperands(const Attention &a,
                                         Inference &inference);
/// The sink is [1, Hq, 1, 1], floating point.
llvm::LogicalResult checkSink(const Attention &a, Inference &inference);
/// A table is [B, 1, pages, 1] of i32 or i64, with pages enough for Skv; tables
/// come with the lengths of the keys.
llvm::LogicalResult checkPageTables(const Attention &a, Inference &inference);
/// `value`, if given, is [B + 1, 1, 1, 1] or [B + 1].
llvm::LogicalResult checkOnePerBatchPlusOne(const Attention &a,
                                            Inference &inference,
                                            llvm::StringRef name,
                                            mlir::Value value);
/// Ragged offsets are [B + 1, 1, 1, 1] or [B + 1] of i32 or i64, each of an
/// operand or result that exists.
llvm::LogicalResult checkRaggedOffsets(const Attention &a,
                                       Inference &inference);
/// Ragged tensors need a padding mask or a score_mod.
llvm::LogicalResult checkRaggedIsPadded(const Attention &a,
                                        Inference &inference);
/// One positive multiplier per ragged offset.
llvm::LogicalResult checkMultipliers(const Attention &a, Inference &inference);
/// Capacities are positive and belong to a ragged graph.
llvm::LogicalResult checkCapacities(const Attention &a, Inference &inference);
/// The region takes `numScores` values of the scores' extents, then the
/// captures; holds pointwise ops and constants; yields `numYields` values of
/// those extents. Captures need a region.
llvm::LogicalResult checkScoreMod(const Attention &a, Inference &inference,
                                  unsigned numScores, unsigned numYields);

/// Sets result `index` to `extents`, row-major, f32. Nothing where the result
/// is absent.
llvm::LogicalResult setFloatResult(Inference &inference, unsigned index,
                                   llvm::ArrayRef<Extent> extents);
/// Sets result `index`, O: [B, Hq, Sq, Dv], packed in Q's memory order, with
/// Q's element type.
llvm::LogicalResult setOutput(const Attention &a, Inference &inference,
                              unsigned index);
/// Sets result `index`, one f32 per row of Q: [B, Hq, Sq, 1], row-major; with
/// ragged offsets the heads of a row are neighbours.
llvm::LogicalResult setRowResult(const Attention &a, Inference &inference,
                                 unsigned index);

} // namespace opgraph::graph

#endif // OPGRAPH_DIALECTS_GRAPH_ATTENTION_H
