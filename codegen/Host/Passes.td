//===- Passes.td - Passes of host code generation ----------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_HOST_PASSES_TD
#define OPGRAPH_CODEGEN_HOST_PASSES_TD

include "mlir/Pass/PassBase.td"

def HostAssignWorkspace : Pass<"host-assign-workspace", "::mlir::ModuleOp"> {
  let summary = "Turn temporaries into views of the caller's workspace";
  let description = [{
    Appends an argument `memref<?xi8>`, the workspace, to each function marked
    `opgraph.host_entry`, and makes every `memref.alloc` a view of it at an
    offset that is a multiple of 64. Temporaries with constant sizes and
    disjoint life times share bytes. An allocation inside a parallel loop
    becomes a view of `plan.private_memory`. The sizes become the `workspace`
    of the `plan.program` that calls the function, as maps over its symbols.

    A `memref.alloca` above 4 KiB, or of dynamic size, is treated likewise;
    `memref.dealloc` is erased.
  }];
  let options = [
    Option<"maxWorkers", "max-workers", "unsigned", "32",
           "Upper limit of workers of a plan with parallel loops">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::opgraph::plan::PlanDialect"];
}

def HostOutlineParallel : Pass<"host-outline-parallel", "::mlir::ModuleOp"> {
  let summary = "Make parallel loops functions that the worker pool runs";
  let description = [{
    Each outermost `scf.forall` or `scf.parallel` of a host entry becomes a
    function `<entry>_body<k>` with the entry's arguments, followed by `begin`,
    `end` and `worker`, over the loop's iterations in row-major order, and a
    `plan.parallel_for`. What the loop captures is cloned into the body when it
    is a pure function of the entry's arguments and constants, passed by value
    when it is a scalar, and otherwise keeps the loop sequential. Parallel
    loops inside become sequential.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect",
                           "::opgraph::plan::PlanDialect"];
}

def HostExpandCopies : Pass<"host-expand-copies", "::mlir::func::FuncOp"> {
  let summary = "Turn copies of strided buffers into loops";
  let description = [{
    `memref.copy` of anything but packed buffers would call a function of
    MLIR's runner library. Such copies become `linalg.generic`.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def HostLowerMath : Pass<"host-lower-math", "::mlir::ModuleOp"> {
  let summary = "Turn math functions into calls of libm";
  let description = [{
    Calls libm for what has no instruction; rounding, square root, absolute
    value, sign copies and fused multiply-add stay, for LLVM's intrinsics. With
    `expand-bf16`, conversions between f32 and bf16 become integer arithmetic,
    for instruction sets without them.
  }];
  let options = [
    Option<"expandBF16", "expand-bf16", "bool", "true",
           "Expand conversions between f32 and bf16">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect"];
}

def HostPackEntries : Pass<"host-pack-entries", "::mlir::ModuleOp"> {
  let summary = "Give entries and bodies the packed host ABI";
  let description = [{
    Runs on the LLVM dialect. Each function marked `opgraph.host_entry` or
    `opgraph.host_body` gets a wrapper of its name with the signature of
    opgraph-c/host_abi.h, which loads the descriptors and calls the function,
    now internal and always inlined. `plan.parallel_for` becomes a call of the
    import `opgraph_parallel_for`.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // OPGRAPH_CODEGEN_HOST_PASSES_TD
