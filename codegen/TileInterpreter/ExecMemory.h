//===- ExecMemory.h - Accesses of tiles to global memory --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_TILEINTERPRETER_EXECMEMORY_H
#define OPGRAPH_CODEGEN_TILEINTERPRETER_EXECMEMORY_H

#include "codegen/TileInterpreter/Machine.h"
#include "codegen/TileInterpreter/Owners.h"

namespace opgraph::tile::interp {

/// The access of the element's holders to the bytes at `offset`; false, with a
/// fault, where it may not be.
bool touchElement(Agent &agent, const OwnerTable &owners, int64_t row,
                  int64_t col, const ViewValue &view, int64_t offset,
                  bool isWrite);

/// Whether a warp that runs holds the element.
bool holdsElement(const Agent &agent, const OwnerTable &owners, int64_t row,
                  int64_t col);

/// Byte offset of an element of a view; none, with a fault, outside of it.
std::optional<int64_t> locate(Agent &agent, const ViewValue &view,
                              llvm::ArrayRef<int64_t> coordinates);

/// Combines element `j` of `other` into element `i` of `to`.
void combineInto(Combine combine, Numbers &to, int64_t i, const Numbers &other,
                 int64_t j);

} // namespace opgraph::tile::interp

#endif // OPGRAPH_CODEGEN_TILEINTERPRETER_EXECMEMORY_H
