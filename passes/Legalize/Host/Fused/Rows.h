//===- Rows.h - Work that is done row by row --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Norms and softmax treat the slices of a tensor along some axes independently.
// They are emitted as an `scf.forall` over those rows, so that a row stays in
// cache between its passes, with generic ops on row slices of full rank.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_LEGALIZE_HOST_FUSED_ROWS_H
#define OPGRAPH_PASSES_LEGALIZE_HOST_FUSED_ROWS_H

#include "passes/Legalize/Host/Fused/Combine.h"

namespace opgraph::legalize::fused {

class Rows {
public:
  /// Rows of `like`: one for each position on the axes where `isRowAxis`.
  Rows(Emitter &e, mlir::Value like, llvm::ArrayRef<bool> isRowAxis);

  /// Adds a result of graph value `graphValue`'s type, of like's rank; its
  /// extents are like's, or 1.
  void addResult(mlir::Value graphValue);

  /// Emits the loop. `body` returns, for each result, its tile.
  void run(llvm::function_ref<llvm::SmallVector<mlir::Value>()> body);

  /// Inside `body`: this row's part of a right-aligned operand that broadcasts
  /// to `like`, and how loops of the row index it.
  Operand operand(mlir::Value graphValue);
  /// Inside `body`: where to compute the tile of result `number`.
  mlir::Value resultTile(unsigned number) { return tiles[number]; }
  /// Inside `body`: combines what `contribution` gives for each element.
  mlir::Value reduce(Combine how, llvm::ArrayRef<Operand> inputs,
                     mlir::Type workType, ScalarBody contribution);
  /// Inside `body`: the tile of result `number`, every element of it `value`
  /// (of a work type) rounded.
  mlir::Value scalarTile(unsigned number, mlir::Value value);
  /// The number of elements of a row, in `workType`.
  mlir::Value emitCount(mlir::Type workType);

private:
  struct Box {
    Extents offsets, sizes;
  };
  Box getBox(mlir::RankedTensorType type,
             llvm::ArrayRef<mlir::OpFoldResult> extents);

  Emitter &e;
  mlir::Value like;
  llvm::SmallVector<bool> isRowAxis;
  llvm::SmallVector<mlir::Value> results;
  llvm::SmallVector<mlir::Value> tiles;
  llvm::SmallVector<mlir::Value> positions;
};

/// A single element of graph value `graphValue` converted to `computeType`, in
/// its work type, read before the loop.
mlir::Value readScalar(Emitter &e, mlir::Value graphValue,
                       mlir::Type computeType);

} // namespace opgraph::legalize::fused

#endif // OPGRAPH_PASSES_LEGALIZE_HOST_FUSED_ROWS_H
