//===- SdpaBackward.h - Gradients of attention for cuDNN --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_LEGALIZE_CUDNN_SDPABACKWARD_H
#define OPGRAPH_PASSES_LEGALIZE_CUDNN_SDPABACKWARD_H

#include "passes/Legalize/CuDNN/Scores.h"

namespace opgraph::legalize::cudnn_lowering {

/// What f16 and 8-bit gradients have in common. The names are the op's.
class BackwardLowering {
public:
  BackwardLowering(Lowering &lowering, mlir::Operation *op)
      : lowering(lowering), op(op), scores(lowering, op),
        a(scores.getAttention()), o(graph::getNamedOperand(op, "o")),
        dO(graph::getNamedOperand(op, "dO")),
        stats(graph::getNamedOperand(op, "stats")), dQ(op->getResult(0)),
        dK(op->getResult(1)), dV(op->getResult(2)) {}

protected:
  llvm::LogicalResult check();
  llvm::LogicalResult prepare();

  /// [B, Hq, rows, columns], packed.
  TensorShape headShape(int64_t rows, int64_t columns) const;
  /// `value` becomes `mode` of itself and `with`.
  void apply(mlir::Value &value, const TensorShape &shape,
             cudnn::PointwiseMode mode, mlir::Value with);
  mlir::Value reshape(mlir::Value from, const TensorShape &shape,
                      cudnn::DataType type);
  /// The scores of type `type`, with rows and columns swapped.
  mlir::Value turned(mlir::Value from, cudnn::DataType type);
  /// K, whose transposed form is `keys`, as the product for dQ reads it.
  mlir::Value untransposed(mlir::Value keys, mlir::Value k);
  /// rowsum(dO * O).
  mlir::Value sumRows();
  int64_t extent(mlir::Value value, int64_t axis) const {
    return lowering.shape(value).dims[axis];
  }

  Lowering &lowering;
  mlir::Operation *op;
  Scores scores;
  const graph::Attention &a;
  mlir::Value o, dO, stats, dQ, dK, dV;
};

llvm::LogicalResult lowerSdpaFp8Backward(Lowering &lowering,
                                         graph::SdpaFp8BackwardOp op);

} // namespace opgraph::legalize::cudnn_lowering

#endif // OPGRAPH_PASSES_LEGALIZE_CUDNN_SDPABACKWARD_H
