//===- TensorPipeline.h - linalg on tensors to loops on memrefs -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What runs on a module of engine host.fused before the common part of the
// host code generator: fuses elementwise ops, blocks contractions for
// registers and cache, cuts big ops into fixed tiles run in parallel, and
// bufferizes. What is left is memrefs, loops and 1-D vectors; temporaries are
// `memref.alloc` without a `dealloc`; parallel work is `scf.forall` at the top
// level of a function.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_HOST_TENSORPIPELINE_H
#define OPGRAPH_CODEGEN_HOST_TENSORPIPELINE_H

namespace mlir {
class DialectRegistry;
class OpPassManager;
} // namespace mlir

namespace opgraph::codegen {

/// Adds the passes described above to `manager`, a pass manager of modules.
void buildTensorPipeline(mlir::OpPassManager &manager);

/// Registers the pipeline as `host-tensor-pipeline`, and each of its own passes
/// by name.
void registerTensorPipeline();

/// Adds what the pipeline needs from upstream dialects (the external models of
/// tiling, subset and bufferization interfaces).
void registerTensorPipelineExtensions(mlir::DialectRegistry &registry);

} // namespace opgraph::codegen

#endif // OPGRAPH_CODEGEN_HOST_TENSORPIPELINE_H
