//===- ExecCopies.h - What copies in both directions share ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_TILEINTERPRETER_EXECCOPIES_H
#define OPGRAPH_CODEGEN_TILEINTERPRETER_EXECCOPIES_H

#include "codegen/TileInterpreter/Compiler.h"
#include "codegen/TileInterpreter/Machine.h"

namespace opgraph::tile::interp {

/// Whether copies may use `map`; a fault where it has been edited since.
bool checkPublished(Agent &agent, const TensorMapModel &map);

/// Refuses `op` where the tile is not the map's boxes side by side.
void checkBox(mlir::Operation *op, TensorMapType map,
              const SharedLayout &layout, Compiler &compiler);

} // namespace opgraph::tile::interp

#endif // OPGRAPH_CODEGEN_TILEINTERPRETER_EXECCOPIES_H
