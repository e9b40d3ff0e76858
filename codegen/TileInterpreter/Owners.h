//===- Owners.h - Which thread holds which element --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_TILEINTERPRETER_OWNERS_H
#define OPGRAPH_CODEGEN_TILEINTERPRETER_OWNERS_H

#include "dialects/Tile/TileDialect.h"

namespace opgraph::tile::interp {

/// The part of a thread's name that one axis of a tile decides.
struct OwnerPart {
  int32_t warp = 0, lane = 0, reg = 0;
};

/// The factors of a distribution, multiplied out.
class OwnerTable {
public:
  /// Failure (the type's verifier has spoken) where the shape does not fit.
  static mlir::FailureOr<OwnerTable> get(RegType type);

  /// The first of the threads that hold the element, and its register.
  OwnerPart at(int64_t row, int64_t col) const {
    const OwnerPart &r = rows[row], &c = cols[col];
    return {r.warp + c.warp, r.lane + c.lane, r.reg + c.reg};
  }
  /// Warps that hold what warp 0 of them holds: 0 and, for replicated tiles,
  /// others to add to an owner's warp.
  llvm::ArrayRef<int32_t> warpCopies() const { return copies; }
  /// Whether several lanes of a warp hold each element.
  bool isLaneReplicated() const { return laneReplicated; }
  int64_t getWarps() const { return warps; }
  /// Registers of a thread, counted by the factors.
  int64_t getRegisters() const { return registers; }

private:
  llvm::SmallVector<OwnerPart> rows, cols;
  llvm::SmallVector<int32_t> copies;
  bool laneReplicated = false;
  int64_t warps = 1, registers = 1;
};

/// The factors of `axis` (0: rows) of a register tile.
mlir::FailureOr<llvm::SmallVector<Factor>> factorsOf(RegType type,
                                                     unsigned axis);

} // namespace opgraph::tile::interp

#endif // OPGRAPH_CODEGEN_TILEINTERPRETER_OWNERS_H
