//===- Passes.h - Passes of host code generation ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_HOST_PASSES_H
#define OPGRAPH_CODEGEN_HOST_PASSES_H

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassOptions.h"

namespace mlir {
class ModuleOp;
class OpPassManager;
namespace arith {
class ArithDialect;
} // namespace arith
namespace func {
class FuncDialect;
class FuncOp;
} // namespace func
namespace linalg {
class LinalgDialect;
} // namespace linalg
namespace LLVM {
class LLVMDialect;
} // namespace LLVM
namespace math {
class MathDialect;
} // namespace math
namespace memref {
class MemRefDialect;
} // namespace memref
namespace scf {
class SCFDialect;
} // namespace scf
namespace vector {
class VectorDialect;
} // namespace vector
} // namespace mlir

namespace opgraph::plan {
class PlanDialect;
} // namespace opgraph::plan

namespace opgraph::codegen {

#define GEN_PASS_DECL
#include "codegen/Host/Passes.h.inc"

/// Options of the MLIR part of host code generation.
struct HostPipelineOptions : mlir::PassPipelineOptions<HostPipelineOptions> {
  Option<bool> expandBF16{*this, "expand-bf16",
                          llvm::cl::desc("Expand bf16 conversions"),
                          llvm::cl::init(true)};
  Option<unsigned> maxWorkers{*this, "max-workers",
                              llvm::cl::desc("Upper limit of workers"),
                              llvm::cl::init(32)};
};

/// Memrefs and loops to functions over the workspace: what all instruction
/// sets share.
void buildHostPreparePipeline(mlir::OpPassManager &manager,
                              const HostPipelineOptions &options);

/// From there to the LLVM dialect with packed entries.
void buildHostLowerPipeline(mlir::OpPassManager &manager,
                            const HostPipelineOptions &options);

/// Registers the passes by name, and the pipelines `host-prepare-pipeline`,
/// `host-lower-pipeline` and `host-codegen-pipeline` (both).
void registerHostPasses();

} // namespace opgraph::codegen

#endif // OPGRAPH_CODEGEN_HOST_PASSES_H
