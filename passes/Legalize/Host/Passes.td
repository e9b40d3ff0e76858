//===- Passes.td - Passes that legalize graphs for the host -*- tablegen -*-==//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_LEGALIZE_HOST_PASSES_TD
#define OPGRAPH_PASSES_LEGALIZE_HOST_PASSES_TD

include "mlir/Pass/PassBase.td"

def LegalizeHostReferencePass
    : Pass<"graph-legalize-host-reference", "::mlir::ModuleOp"> {
  let summary = "Turn each graph into the judge's plan program and loops";
  let description = [{
    Replaces each `graph.graph` of the module by a `plan.program` and an entry
    function of plain loops over memrefs, which computes in f64 and i64 and
    rounds at every value's element type: engine `host.reference`.

    Precondition: the graphs verify.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::opgraph::plan::PlanDialect"];
}

def LegalizeHostFusedPass
    : Pass<"graph-legalize-host-fused", "::mlir::ModuleOp"> {
  let summary = "Turn each graph into a plan program and linalg on tensors";
  let description = [{
    Replaces each `graph.graph` of the module by a `plan.program` and an entry
    function of linalg on tensors, which computes in each op's compute type and
    rounds at every value's element type: engine `host.fused`. Pipeline
    `host-tensor-pipeline` takes it from there.

    Precondition: the graphs verify, and attention's head sizes are static.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect", "::mlir::func::FuncDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect", "::opgraph::plan::PlanDialect"];
}

#endif // OPGRAPH_PASSES_LEGALIZE_HOST_PASSES_TD
