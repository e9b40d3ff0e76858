//===- Passes.td - Passes that legalize graphs for GPUs ----*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_LEGALIZE_NVPTX_PASSES_TD
#define OPGRAPH_PASSES_LEGALIZE_NVPTX_PASSES_TD

include "mlir/Pass/PassBase.td"

def LegalizeNvptxPointwisePass
    : Pass<"graph-legalize-nvptx-pointwise", "::mlir::ModuleOp"> {
  let summary = "Turn each graph into launches of tile kernels";
  let description = [{
    Replaces each `graph.graph` of the module by a `plan.program` of launches
    and the `tile.kernel`s that they name: engine `nvptx.pointwise`.

    Extents that are symbols, or may be overridden, are formulas of the program
    (docs/decisions/0019-extents-at-the-call.md).

    Precondition: the graphs verify, and hold pointwise ops, reductions, norms,
    softmax and layout ops only.
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"\"",
           "What the plan runs on, such as sm_80; sm_90 where nothing is said">,
    Option<"isAtomic", "atomic", "bool", /*default=*/"false",
           "Combine portions of reductions by atomics, where a graph lets "
           "them">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect", "::opgraph::plan::PlanDialect",
    "::opgraph::tile::TileDialect"];
}

#endif // OPGRAPH_PASSES_LEGALIZE_NVPTX_PASSES_TD
