//===- Passes.h - Passes of GPU code generation -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_NVPTX_PASSES_H
#define OPGRAPH_CODEGEN_NVPTX_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir {
class DialectRegistry;
class ModuleOp;
namespace arith {
class ArithDialect;
} // namespace arith
namespace LLVM {
class LLVMDialect;
} // namespace LLVM
namespace math {
class MathDialect;
} // namespace math
namespace NVVM {
class NVVMDialect;
} // namespace NVVM
namespace scf {
class SCFDialect;
} // namespace scf
} // namespace mlir

namespace opgraph::codegen {

#define GEN_PASS_DECL
#include "codegen/NVPTX/Passes.h.inc"

/// Registers the passes by name.
void registerNVPTXPasses();

/// The dialects that GPU code generation creates.
void registerNVPTXDialects(mlir::DialectRegistry &registry);

} // namespace opgraph::codegen

#endif // OPGRAPH_CODEGEN_NVPTX_PASSES_H
