//===- ExecShared.h - Accesses of tiles to shared memory --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_TILEINTERPRETER_EXECSHARED_H
#define OPGRAPH_CODEGEN_TILEINTERPRETER_EXECSHARED_H

#include "codegen/TileInterpreter/Machine.h"
#include "codegen/TileInterpreter/Owners.h"

namespace opgraph::tile::interp {

/// The accesses of a register tile's holders to a shared tile; false, with a
/// fault, where one may not be.
bool touchTile(Agent &agent, const OwnerTable &owners,
               const SharedLayout &layout, const SharedValue &shared,
               int64_t rows, int64_t cols, bool isTransposed, bool isWrite);

/// The access of one accessor to a whole shared tile.
bool touchWhole(Agent &agent, const Accessor &by, Cta &owner,
                const SharedLayout &layout, const SharedValue &shared,
                bool isWrite);

/// Whether a tile of this layout may begin at `base`; a fault where not.
bool checkBase(Agent &agent, const SharedLayout &layout, int64_t base);

/// A tile of `rows` x `cols`, each axis of one value or of blocks of one.
NumbersPtr broadcast(const NumbersPtr &tile, int64_t rows, int64_t cols);

} // namespace opgraph::tile::interp

#endif // OPGRAPH_CODEGEN_TILEINTERPRETER_EXECSHARED_H
