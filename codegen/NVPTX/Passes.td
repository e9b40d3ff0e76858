//===- Passes.td - Passes of GPU code generation -----------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_NVPTX_PASSES_TD
#define OPGRAPH_CODEGEN_NVPTX_PASSES_TD

include "mlir/Pass/PassBase.td"

def TileAssignShared : Pass<"tile-assign-shared", "::mlir::ModuleOp"> {
  let summary = "Give each shared tile and ring of a kernel its bytes";
  let description = [{
    Writes `offset` on every `tile.shared`, `tile.ring` and `tile.semaphore`,
    in order of their alignment, largest first, and `shared_bytes` on the
    kernel: what a launch asks for, with the slack for rounding up the base
    where a swizzle needs a boundary. A tile that overlays others starts where
    the first of them does. Offsets that are set stay.
  }];
}

def TileAssignBarriers : Pass<"tile-assign-barriers", "::mlir::ModuleOp"> {
  let summary = "Give each group and named barrier of a kernel its id";
  let description = [{
    Barrier 0 is the whole CTA's. A role of more than one warp that waits for
    its group takes one id per agent, a `tile.barrier` its count. Ids that are
    set stay; a kernel that needs more than 16 is an error.
  }];
}

def TileLower : Pass<"tile-lower", "::mlir::ModuleOp"> {
  let summary = "Lower tile kernels to functions of llvm and nvvm";
  let description = [{
    Every `tile.kernel` of the module becomes an `llvm.func` of the same name
    with `nvvm.kernel`, whose body is scf, arith, math, llvm and nvvm. Runs the
    assign passes first. A kernel that does not claim `target` is an error.
    `tile.shared_bytes` on the function is the launch's dynamic shared memory.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"sm_90a\"",
           "The GPU, as in a kernel's list of targets">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::NVVM::NVVMDialect"];
}

def NVPTXEmit : Pass<"nvptx-emit", "::mlir::ModuleOp"> {
  let summary = "Compile tile kernels to files of PTX or a cubin";
  let description = [{
    Runs `tile-lower` and all that follows on a copy of the module's kernels; the
    module stays as it is. Writes what the options name; `resources` is JSON, one object per
    kernel.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"sm_90a\"",
           "The GPU, as in a kernel's list of targets">,
    Option<"ptx", "ptx", "std::string", "\"\"", "File for the PTX">,
    Option<"cubin", "cubin", "std::string", "\"\"",
           "File for the cubin; needs ptxas or nvJitLink">,
    Option<"resources", "resources", "std::string", "\"\"",
           "File for registers, spills, shared memory and occupancy">,
    Option<"refuseSpills", "refuse-spills", "bool", "false",
           "Fail where the assembler reports spills or a stack">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::NVVM::NVVMDialect"];
}

#endif // OPGRAPH_CODEGEN_NVPTX_PASSES_TD
