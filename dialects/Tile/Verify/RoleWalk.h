//===- RoleWalk.h - A forward walk over a group's text ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_DIALECTS_TILE_VERIFY_ROLEWALK_H
#define OPGRAPH_DIALECTS_TILE_VERIFY_ROLEWALK_H

#include "dialects/Tile/Verify/RoleState.h"

namespace opgraph::tile {

/// Rules P2, P4, A8, W3, W4, W6, W7 over one group's text.
class RoleWalk {
public:
  /// `text`: body of a role, or of a kernel without roles.
  mlir::LogicalResult run(mlir::Block &text);

private:
  mlir::LogicalResult walk(mlir::Block &block);
  mlir::LogicalResult visit(mlir::Operation &op);
  mlir::LogicalResult visitFor(mlir::scf::ForOp loop);
  mlir::LogicalResult visitWhile(mlir::scf::WhileOp loop);
  mlir::LogicalResult visitIf(mlir::scf::IfOp branch);
  mlir::LogicalResult visitTake(mlir::Operation *op, bool isWaited);
  mlir::LogicalResult visitFill(FillOp fill);
  mlir::LogicalResult visitRelease(ReleaseOp release);
  mlir::LogicalResult visitMma(MmaAsyncOp mma);
  mlir::LogicalResult visitCommit(MmaCommitOp commit);
  mlir::LogicalResult visitMmaWait(MmaWaitOp wait);
  mlir::LogicalResult checkStrength(mlir::Operation *op, ArriveBy by,
                                    Order order, const HeldSlot &slot);
  mlir::LogicalResult checkOperandDefinition(mlir::Operation *op);
  mlir::LogicalResult checkEnd(mlir::Operation *end);
  void noteAccess(mlir::Operation *op);
  void noteSync(mlir::Operation *op);
  void noteStore(mlir::Operation *op);

  /// Lets `to` name what `from` names.
  void rename(mlir::ValueRange from, mlir::ValueRange to);
  /// Whether the present state is `wanted`, once what `values` name is called
  /// as `names` were there.
  mlir::LogicalResult close(mlir::Operation *op, const RoleState &wanted,
                            mlir::ValueRange values, mlir::ValueRange names);
  std::optional<int> find(mlir::Value value) const;
  /// The slot that a shared tile is a field, or a part of one, of.
  std::optional<int> slotOf(mlir::Value tile) const;

  RoleState state;
  int nextNumber = 0, time = 0;
};

} // namespace opgraph::tile

#endif // OPGRAPH_DIALECTS_TILE_VERIFY_ROLEWALK_H
