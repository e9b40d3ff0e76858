//===- ByteView.h - Operands that strides alone do not place -----*- C++ -*-==//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A graph's arguments and results may hold two elements per byte, or block
// scales in tiles (#graph.layout, C8 and C9). The judge reads and writes them
// through the bytes they consist of.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_LEGALIZE_HOST_REFERENCE_BYTEVIEW_H
#define OPGRAPH_PASSES_LEGALIZE_HOST_REFERENCE_BYTEVIEW_H

#include "dialects/Graph/Layout.h"
#include "mlir/IR/Builders.h"

namespace opgraph::legalize {

/// The bytes of one operand and where in them its elements are.
class ByteView {
public:
  /// Whether an operand of `type` has to be addressed by bytes.
  static bool isNeeded(mlir::RankedTensorType type);

  ByteView() = default;
  /// Emits what all accesses share. `memref` is the operand as an entry takes
  /// it: its strides count elements, whatever their size.
  ByteView(mlir::OpBuilder &b, mlir::Location loc, mlir::RankedTensorType type,
           mlir::Value memref);

  /// The element at `indices`, one per axis, as a value of its storage type.
  mlir::Value load(mlir::OpBuilder &b, mlir::Location loc,
                   mlir::ValueRange indices) const;
  /// Writes that element and leaves the other half of its byte alone, which
  /// only one thread may do at a time.
  void store(mlir::OpBuilder &b, mlir::Location loc, mlir::Value stored,
             mlir::ValueRange indices) const;

private:
  mlir::Value linearize(mlir::OpBuilder &b, mlir::Location loc,
                        mlir::ValueRange indices, size_t numAxes) const;
  mlir::Value locateScale(mlir::OpBuilder &b, mlir::Location loc,
                          mlir::ValueRange indices) const;

  mlir::RankedTensorType type;
  /// All bytes, as memref<?xi8>.
  mlir::Value bytes;
  llvm::SmallVector<mlir::Value, 6> strides;
};

} // namespace opgraph::legalize

#endif // OPGRAPH_PASSES_LEGALIZE_HOST_REFERENCE_BYTEVIEW_H
