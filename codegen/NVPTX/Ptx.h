//===- Ptx.h - Lowered kernels to PTX ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_NVPTX_PTX_H
#define OPGRAPH_CODEGEN_NVPTX_PTX_H

#include "llvm/Support/Error.h"

#include <string>

namespace mlir {
class ModuleOp;
class OpPassManager;
} // namespace mlir

namespace opgraph::tile {
struct TargetInfo;
} // namespace opgraph::tile

namespace opgraph::codegen {

/// scf, arith, math and nvvm inside of llvm.func to what translates to LLVM IR.
void buildNvvmPipeline(mlir::OpPassManager &manager);

/// The PTX text of a module that `buildNvvmPipeline` has run on. Errors of
/// LLVM, fatal ones too, are returned.
llvm::Expected<std::string> emitPtx(mlir::ModuleOp module,
                                    const tile::TargetInfo &target);

} // namespace opgraph::codegen

#endif // OPGRAPH_CODEGEN_NVPTX_PTX_H
