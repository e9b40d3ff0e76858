//===- Passes.h - The interpreter as a pass ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_TILEINTERPRETER_PASSES_H
#define OPGRAPH_CODEGEN_TILEINTERPRETER_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace opgraph::tile::interp {

#define GEN_PASS_DECL
#include "codegen/TileInterpreter/Passes.h.inc"

/// Registers `tile-interpret`.
#define GEN_PASS_REGISTRATION
#include "codegen/TileInterpreter/Passes.h.inc"

} // namespace opgraph::tile::interp

#endif // OPGRAPH_CODEGEN_TILEINTERPRETER_PASSES_H
