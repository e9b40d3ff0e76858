//===- RoleState.h - What a group holds and has in flight -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
///
/// \file
/// The state of the walk over a group's text: held slots and open groups of
/// asynchronous MMAs, by number, and which values name them. A loop must end
/// with the state that it began with, its arguments renamed.
///
//===----------------------------------------------------------------------===//

#ifndef OPGRAPH_DIALECTS_TILE_VERIFY_ROLESTATE_H
#define OPGRAPH_DIALECTS_TILE_VERIFY_ROLESTATE_H

#include "dialects/Tile/Verify/Values.h"

#include <map>

namespace opgraph::tile {

/// A slot between `acquire` and `fill`, or `wait` and `release`.
struct HeldSlot {
  mlir::Operation *taken = nullptr;
  bool isWaited = false;
  /// Ordinary accesses to its fields, and whether by all threads since the
  /// group last met.
  bool isAccessed = false, isUnsynced = false;

  bool operator==(const HeldSlot &other) const {
    return isWaited == other.isWaited;
  }
};

/// A group of MMAs that nobody has waited for.
struct OpenGroup {
  int number = 0;
  /// Slots whose fields it reads.
  llvm::SetVector<int> slots;
  /// Ops that define the register tiles that it reads as A.
  llvm::SetVector<mlir::Operation *> operands;
};

struct RoleState {
  std::map<int, HeldSlot> held;
  /// In order of their commits.
  std::vector<OpenGroup> open;
  /// MMAs since the last commit.
  std::optional<OpenGroup> uncommitted;
  /// Numbers of the slots and groups that values name, and of the slots that
  /// fields belong to.
  llvm::DenseMap<mlir::Value, int> names;
  /// When register tiles were defined, and the last MMA fence stood.
  llvm::DenseMap<mlir::Value, int> defined;
  int fenced = -1;
  /// Bulk stores: since the last commit, and not waited for.
  mlir::Operation *uncommittedStore = nullptr, *openStore = nullptr;
};

} // namespace opgraph::tile

#endif // OPGRAPH_DIALECTS_TILE_VERIFY_ROLESTATE_H
