//===- Pipeline.cpp - The MLIR part of host code generation ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "codegen/Host/Passes.h"
#include "dialects/Plan/PlanDialect.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

namespace opgraph::codegen {
#define GEN_PASS_REGISTRATION
#include "codegen/Host/Passes.h.inc"
} // namespace opgraph::codegen

using namespace mlir;
using namespace opgraph::codegen;

void opgraph::codegen::buildHostPreparePipeline(
    OpPassManager &manager, const HostPipelineOptions &options) {
  HostAssignWorkspaceOptions workspace;
  workspace.maxWorkers = options.maxWorkers;
  manager.addPass(createHostAssignWorkspace(workspace));
  manager.addPass(createHostOutlineParallel());
  manager.addNestedPass<func::FuncOp>(createHostExpandCopies());
  manager.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  manager.addPass(createLoopInvariantCodeMotionPass());
}

void opgraph::codegen::buildHostLowerPipeline(
    OpPassManager &manager, const HostPipelineOptions &options) {
  VectorTransferToSCFOptions transfers;
  transfers.enableFullUnroll();
  manager.addNestedPass<func::FuncOp>(createConvertVectorToSCFPass(transfers));
  manager.addPass(memref::createExpandStridedMetadataPass());
  manager.addPass(createLowerAffinePass());
  HostLowerMathOptions math;
  math.expandBF16 = options.expandBF16;
  manager.addPass(createHostLowerMath(math));
  manager.addPass(createSCFToControlFlowPass());

  // Sums of vector lanes may be reassociated: their order is fixed by the
  // vector's width, which belongs to the code, not to the run.
  ConvertVectorToLLVMPassOptions vectors;
  vectors.reassociateFPReductions = true;
  vectors.x86Vector = true;
  vectors.vectorContractLowering = vector::VectorContractLowering::OuterProduct;
  vectors.vectorTransposeLowering = vector::VectorTransposeLowering::Shuffle1D;
  manager.addPass(createConvertVectorToLLVMPass(vectors));
  manager.addPass(createConvertMathToLLVMPass());
  manager.addPass(createFinalizeMemRefToLLVMConversionPass());
  manager.addPass(createConvertFuncToLLVMPass());
  manager.addPass(createArithToLLVMConversionPass());
  manager.addPass(createConvertIndexToLLVMPass());
  manager.addPass(createConvertControlFlowToLLVMPass());
  manager.addPass(createUBToLLVMConversionPass());
  manager.addPass(createReconcileUnrealizedCastsPass());
  manager.addPass(createHostPackEntries());
}

void opgraph::codegen::registerHostPasses() {
  registerHostCodegenPasses();
  PassPipelineRegistration<HostPipelineOptions>(
      "host-prepare-pipeline",
      "Host code generation: workspace, parallel bodies, loops",
      buildHostPreparePipeline);
  PassPipelineRegistration<HostPipelineOptions>(
      "host-lower-pipeline",
      "Host code generation: to the LLVM dialect, with packed entries",
      buildHostLowerPipeline);
  PassPipelineRegistration<HostPipelineOptions>(
      "host-codegen-pipeline",
      "Host code generation: memrefs and loops to the LLVM dialect",
      [](OpPassManager &manager, const HostPipelineOptions &options) {
        buildHostPreparePipeline(manager, options);
        buildHostLowerPipeline(manager, options);
      });
}
