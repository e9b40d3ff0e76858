//===- Passes.td - Passes that legalize graphs for cuDNN ---*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_LEGALIZE_CUDNN_PASSES_TD
#define OPGRAPH_PASSES_LEGALIZE_CUDNN_PASSES_TD

include "mlir/Pass/PassBase.td"

def LegalizeCudnnPass : Pass<"graph-legalize-cudnn", "::mlir::ModuleOp"> {
  let summary = "Turn each graph into a cuDNN operation graph and its execution";
  let description = [{
    Replaces each `graph.graph` of the module by a `plan.program` that executes
    a `cudnn.graph`: engine `cudnn`, whose configuration is 0 here.

    Precondition: the graphs verify and have static extents. A graph that has
    no lowering for the library's version is an error.
  }];
  let options = [
    Option<"library", "library", "int64_t", /*default=*/"99999",
           "Version of the library to lower for: 91900 for 9.19.0">,
  ];
  let dependentDialects = ["::opgraph::cudnn::CudnnDialect",
                           "::opgraph::plan::PlanDialect"];
}

#endif // OPGRAPH_PASSES_LEGALIZE_CUDNN_PASSES_TD
