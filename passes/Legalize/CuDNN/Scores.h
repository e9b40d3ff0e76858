//===- Scores.h - The scores of attention for cuDNN -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The library's attention engines look for a pattern of operations. The part
// between the first product and the softmax is the same forward and backward,
// with and without 8-bit floats.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_LEGALIZE_CUDNN_SCORES_H
#define OPGRAPH_PASSES_LEGALIZE_CUDNN_SCORES_H

#include "dialects/Graph/Attention.h"
#include "passes/Legalize/CuDNN/Lowering.h"

namespace opgraph::legalize::cudnn_lowering {

/// A tensor of an attention op and the name of its ragged offset.
struct AttentionPort {
  mlir::Value value;
  llvm::StringRef name;
};

/// The scores of one attention op, one operation after another.
class Scores {
public:
  Scores(Lowering &lowering, mlir::Operation *op)
      : lowering(lowering), attention(op) {}

  /// Refuses what the pattern lacks. `ports` are the tensors with channels.
  /// `isUnified`: for the library's own operation instead.
  llvm::LogicalResult check(llvm::ArrayRef<AttentionPort> ports,
                            bool isUnified = false);
  /// Refuses a scale of 8-bit floats that engines cannot read: they take all
  /// for memory.
  llvm::LogicalResult checkScale(mlir::Value scale);
  /// Makes the lengths' tensors and notes where the batches of `ports`, those
  /// of check() and those with rows, begin.
  llvm::LogicalResult prepare(llvm::ArrayRef<AttentionPort> ports);

  /// A tensor that stays inside: of the scores' extents, of one number a row.
  mlir::Value score(cudnn::DataType type = cudnn::DataType::FLOAT);
  mlir::Value row();
  /// The scores so far.
  mlir::Value get() const { return current; }
  void set(mlir::Value value) { current = value; }
  /// The scores become `mode` of themselves, and of `with`.
  void apply(cudnn::PointwiseMode mode, mlir::Value with = {});

  /// `value`, memory of a [.., rows, columns] tensor, under [.., columns,
  /// rows].
  mlir::Value transposed(mlir::Value value);

  /// The scores are the product of `q` and `keys`, which is transposed.
  void multiply(mlir::Value q, mlir::Value keys);
  /// Multiplies with the attention's scale, if any.
  void applyScale();
  /// Applies score_mod, if any.
  llvm::LogicalResult modify();
  llvm::LogicalResult addBiases();
  void maskPadding();
  void maskBand();

  /// The bounds of a product that sums over channels, keys or rows.
  MatmulBounds boundScores() const { return {rows, columns, {}}; }
  MatmulBounds boundRows() const { return {rows, {}, columns}; }
  MatmulBounds boundColumns() const { return {columns, {}, rows}; }

  const graph::Attention &getAttention() const { return attention; }
  const TensorShape &getShape() const { return shape; }
  /// The lengths; null without padding.
  mlir::Value getColumns() const { return columns; }

private:
  llvm::LogicalResult checkParts();
  llvm::LogicalResult checkTypes();
  llvm::LogicalResult checkPort(mlir::Value value);
  llvm::LogicalResult checkBand();
  llvm::LogicalResult addAlibi();
  mlir::Value index(int64_t axis);
  mlir::Value integer(cudnn::PointwiseMode mode, mlir::Value value,
                      mlir::Value with);
  void keepWhere(mlir::Value isKept);
  int64_t getShift() const;

  Lowering &lowering;
  graph::Attention attention;
  TensorShape shape;
  std::optional<int64_t> left, right;
  mlir::Value current, rows, columns;
};

} // namespace opgraph::legalize::cudnn_lowering

#endif // OPGRAPH_PASSES_LEGALIZE_CUDNN_SCORES_H
