//===- SinkLayouts.h - Layout ops before arithmetic -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to passes/Transforms.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_TRANSFORMS_SINKLAYOUTS_H
#define OPGRAPH_PASSES_TRANSFORMS_SINKLAYOUTS_H

#include "dialects/Graph/Layout.h"
#include "passes/Transforms/Layouts.h"

namespace opgraph {

inline bool isLayoutOp(mlir::Operation *op) {
  return llvm::isa_and_nonnull<graph::TransposeOp, graph::SliceOp,
                               graph::ReshapeOp>(op);
}

/// The strides of `to` extents over the elements that lie at `strides` of
/// `from` extents, in row-major order; nullopt where they have none.
std::optional<graph::Dims> reshapeStrides(llvm::ArrayRef<int64_t> from,
                                          llvm::ArrayRef<int64_t> strides,
                                          llvm::ArrayRef<int64_t> to);

/// What a layout op makes of memory that holds its operand, or what broadcasts
/// to it, of `shape`.
std::optional<MemoryView> applyOp(mlir::Operation *op, MemoryView view,
                                  llvm::ArrayRef<int64_t> shape);

/// Applies a layout op to what its operand is computed from, so that nothing
/// passes through memory.
class Sinker {
public:
  Sinker(const Layouts &layouts, mlir::Operation *op)
      : layouts(layouts), op(op), builder(op),
        whole(graph::typeOf(op->getOperand(0)).getShape()) {}

  /// Whether all that `value` is computed from lies in memory in an order that
  /// the op can make its own.
  bool canSink(mlir::Value value);
  /// Whether reading that costs no more than storing the operand once for all
  /// layout ops that take it.
  bool isCheap();
  mlir::Value sink(mlir::Value value);

private:
  /// The memory of `value` with leading axes up to those of the operand.
  std::optional<MemoryView> findMemory(mlir::Value value,
                                       graph::Dims &shape) const;
  mlir::Value sinkMemory(mlir::Value value);

  const Layouts &layouts;
  mlir::Operation *op;
  mlir::OpBuilder builder;
  graph::Dims whole;
  llvm::DenseMap<mlir::Value, bool> answers;
  llvm::DenseMap<mlir::Value, mlir::Value> made;
  /// Bytes that are read with the op, and without it.
  int64_t bytesWith = 0, bytesWithout = 0;
};

} // namespace opgraph

#endif // OPGRAPH_PASSES_TRANSFORMS_SINKLAYOUTS_H
