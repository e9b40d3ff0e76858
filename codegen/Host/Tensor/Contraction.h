//===- Contraction.h - Matrix products in linalg form -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_HOST_TENSOR_CONTRACTION_H
#define OPGRAPH_CODEGEN_HOST_TENSOR_CONTRACTION_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <optional>

namespace opgraph::codegen {

/// A `linalg.generic` with loops (batch..., m, n, k) that computes
/// C[batch..., m, n] += A * B, where the map of C is the identity, A does not
/// depend on n, B does not depend on m, and every index of A and B is a loop or
/// the constant 0 (a broadcast axis).
struct Contraction {
  mutable mlir::linalg::GenericOp op;
  /// Number of batch loops; m, n and k are loops batch, batch + 1, batch + 2.
  unsigned batch;

  mlir::Value getA() const { return op.getDpsInputs()[0]; }
  mlir::Value getB() const { return op.getDpsInputs()[1]; }
  mlir::Value getC() const { return op.getDpsInits()[0]; }
  mlir::AffineMap getMapA() const { return op.getIndexingMapsArray()[0]; }
  mlir::AffineMap getMapB() const { return op.getIndexingMapsArray()[1]; }
  mlir::Type getType() const;
};

/// The contraction that `op` is, if it is one.
std::optional<Contraction> matchContraction(mlir::linalg::GenericOp op);

/// The indices of an operand with `map` at the loop positions `loops`.
llvm::SmallVector<mlir::Value> mapIndices(mlir::OpBuilder &builder,
                                          mlir::Location loc,
                                          mlir::AffineMap map,
                                          llvm::ArrayRef<mlir::Value> loops);

/// `lanes` neighbouring elements of `tensor` along its last axis, from the
/// position `at` on; all of them exist.
mlir::Value readLanes(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value tensor, llvm::ArrayRef<mlir::Value> at,
                      int64_t lanes);

/// Whether neighbours along the last axis of a tensor will be neighbours in
/// memory, whatever buffer bufferization gives it.
bool hasUnitInnerStride(mlir::Value tensor);

/// Copies operand B into panels [batch axes of B..., n / lanes, k, lanes], the
/// columns past n repeating the last one.
mlir::Value packPanels(mlir::OpBuilder &builder, mlir::Location loc,
                       const Contraction &contraction, int64_t lanes);

} // namespace opgraph::codegen

#endif // OPGRAPH_CODEGEN_HOST_TENSOR_CONTRACTION_H
