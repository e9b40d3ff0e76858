//===- Passes.td - Graph-to-graph rewrites -----------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_TRANSFORMS_PASSES_TD
#define OPGRAPH_PASSES_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def GraphRecognizeSoftmaxPass
    : Pass<"graph-recognize-softmax", "::opgraph::graph::GraphOp"> {
  let summary = "Replace a softmax spelled in five operations by graph.softmax";
  let description = [{
    Rewrites max, sub, exp, sum, div along the last axis:

    ```mlir
    %m = graph.reduction max %x : (tensor<4x8xf32>) -> tensor<4x1xf32>
    %d = graph.sub %x, %m : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
    %e = graph.exp %d : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %l = graph.reduction add %e : (tensor<4x8xf32>) -> tensor<4x1xf32>
    %s = graph.div %e, %l : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
    ```

    into

    ```mlir
    %s = graph.softmax %x {nan_for_masked_rows}
        : (tensor<4x8xf32>) -> tensor<4x8xf32>
    ```

    The function computed stays the same: all five compute in one type, f32 or
    f64; no value between them rounds (its type is that compute type or f64;
    the maximum may also have the type of `%x`, which is exact); and a row of
    -inf still gives NaN. No value between them is used elsewhere, a graph's
    return included. The operands of the five are matched in the order shown.
  }];
  let dependentDialects = ["::opgraph::graph::GraphDialect"];
}

def GraphSimplifyPass
    : Pass<"graph-simplify", "::opgraph::graph::GraphOp"> {
  let summary = "Canonicalize a graph and recognise composed operations";
  let description = [{
    `canonicalize` with the patterns of the graph dialect only, then
    `graph-recognize-softmax`, after which, where it finds one, the graph is
    canonicalized again.
  }];
  let dependentDialects = ["::opgraph::graph::GraphDialect"];
}

def GraphExpandPass : Pass<"graph-expand", "::opgraph::graph::GraphOp"> {
  let summary = "Write norms in pointwise operations and reductions";
  let description = [{
    Rewrites the norms that few engines have code for: `layernorm_backward`,
    `rmsnorm_backward`, `adalayernorm`, `instancenorm` and their gradients,
    `batchnorm`, `batchnorm_inference` and `batchnorm_backward` without peer
    statistics, `genstats`. Values between the parts have the type that the norm
    computes in, so that nothing rounds that the norm does not round.

    An engine expands a copy of its graph; this pass is for looking at it.
  }];
  let dependentDialects = ["::opgraph::graph::GraphDialect"];
}

#endif // OPGRAPH_PASSES_TRANSFORMS_PASSES_TD
