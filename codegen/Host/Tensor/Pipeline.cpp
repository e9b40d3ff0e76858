//===- Pipeline.cpp - The order of the tensor passes ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "codegen/Host/Tensor/TensorPasses.h"
#include "codegen/Host/TensorPipeline.h"
#include "mlir/Dialect/Arith/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/Transforms/FuncBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Transforms/AllInterfaces.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/IR/TensorInferTypeOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/IR/TensorTilingInterfaceImpl.h"
#include "mlir/Dialect/Tensor/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/Transforms/SubsetInsertionOpInterfaceImpl.h"
#include "mlir/Dialect/Vector/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Vector/Transforms/SubsetOpInterfaceImpl.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace opgraph::codegen;

/// The last canonicalization removes copies of a buffer to itself, which CSE
/// has only then made recognisable.
static void clean(OpPassManager &manager) {
  manager.addNestedPass<func::FuncOp>(createCanonicalizerPass());
  manager.addNestedPass<func::FuncOp>(createCSEPass());
  manager.addNestedPass<func::FuncOp>(createCanonicalizerPass());
}

void opgraph::codegen::buildTensorPipeline(OpPassManager &manager) {
  manager.addNestedPass<func::FuncOp>(createFuseElementwisePass());
  clean(manager);
  manager.addNestedPass<func::FuncOp>(createTileContractionsPass());
  manager.addNestedPass<func::FuncOp>(createTileParallelPass());
  clean(manager);

  manager.addPass(bufferization::createEmptyTensorEliminationPass());
  manager.addPass(bufferization::createEmptyTensorToAllocTensorPass());
  manager.addPass(bufferization::createOneShotBufferizePass());
  manager.addNestedPass<func::FuncOp>(createSequentializePass());
  manager.addNestedPass<func::FuncOp>(createHoistBuffersPass());
  manager.addPass(memref::createFoldMemRefAliasOpsPass());
  clean(manager);

  manager.addNestedPass<func::FuncOp>(createLowerToLoopsPass());
  manager.addPass(memref::createFoldMemRefAliasOpsPass());
  manager.addNestedPass<func::FuncOp>(createApproximateMathPass());
  clean(manager);
  manager.addNestedPass<func::FuncOp>(createLoopInvariantCodeMotionPass());
}

void opgraph::codegen::registerTensorPipeline() {
  for (auto create : {createFuseElementwisePass, createTileContractionsPass,
                      createTileParallelPass, createLowerToLoopsPass,
                      createApproximateMathPass, createSequentializePass,
                      createHoistBuffersPass})
    registerPass(create);
  PassPipelineRegistration<>(
      "host-tensor-pipeline",
      "linalg on tensors to loops on memrefs (engine host.fused)",
      buildTensorPipeline);
}

void opgraph::codegen::registerTensorPipelineExtensions(
    DialectRegistry &registry) {
  arith::registerBufferizableOpInterfaceExternalModels(registry);
  bufferization::func_ext::registerBufferizableOpInterfaceExternalModels(
      registry);
  linalg::registerAllDialectInterfaceImplementations(registry);
  scf::registerBufferizableOpInterfaceExternalModels(registry);
  tensor::registerBufferizableOpInterfaceExternalModels(registry);
  tensor::registerInferTypeOpInterfaceExternalModels(registry);
  tensor::registerSubsetOpInterfaceExternalModels(registry);
  tensor::registerTilingInterfaceExternalModels(registry);
  vector::registerBufferizableOpInterfaceExternalModels(registry);
  vector::registerSubsetOpInterfaceExternalModels(registry);
}
