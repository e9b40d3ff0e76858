//===- CompileKernels.h - Tile kernels to device code -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_NVPTX_COMPILEKERNELS_H
#define OPGRAPH_CODEGEN_NVPTX_COMPILEKERNELS_H

#include "codegen/PlanFile/PlanContents.h"
#include "llvm/Support/Error.h"

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace opgraph::tile {
enum class Target : uint32_t;
} // namespace opgraph::tile

namespace opgraph::codegen {

struct CompileOptions {
  /// Keep the PTX beside the cubin. Without an assembler it is kept always: the
  /// driver compiles it when the plan is loaded.
  bool keepPtx = false;
  /// Fail on spills and stack frames.
  bool refuseSpills = false;
};

/// Compiles all tile kernels of `module` for one target, in order. `module` is
/// used up. An error names the stage; diagnostics of MLIR go to the context.
llvm::Expected<planfile::DeviceVariant>
compileKernels(mlir::ModuleOp module, tile::Target target,
               const CompileOptions &options = {});

} // namespace opgraph::codegen

#endif // OPGRAPH_CODEGEN_NVPTX_COMPILEKERNELS_H
