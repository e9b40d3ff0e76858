//===- NormOps.td - Norms and softmax ---------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_GRAPH_NORM_OPS_TD
#define OPGRAPH_GRAPH_NORM_OPS_TD

include "dialects/Graph/GraphBase.td"

def Graph_LayernormOp : Graph_Op<"layernorm", [AttrSizedOperandSegments,
    AttrSizedResultSegments, ComputeTypeOpInterface], ["isResultPresent"]> {
  let summary = "Normalise by mean and variance, then scale and shift";
  let docGroup = "Normalisation";
  let description = [{
    `MEAN = mean_A(x)`, `INV_VARIANCE = 1 / sqrt(mean_A((x - MEAN)^2) + EPSILON)`,
    `Y = (x - MEAN) * INV_VARIANCE * SCALE + BIAS`; an absent `SCALE` is 1, an
    absent `BIAS` 0.

    An axis is normalised where `SCALE` (right-aligned) has an extent other than
    1; without `SCALE`, every axis but 0 is. A is the set of reduced elements.

    Constraints:
    - (C1) `SCALE` and `BIAS` broadcast to `X`.
    - (C2) `EPSILON` has one element.
    - (C3) the compute type is floating point.
    - (C4) statistics are returned in phase `training`, and only then.

    Shapes: `Y` has X's extents and layout; a statistic has extent 1 on the
    normalised axes and X's elsewhere, packed in X's memory order, f32 unless
    declared.

    Numerics: everything is computed in the compute type (f16 and bf16 in f32);
    `Y` uses the statistics before they round to their own element types. The
    variance is the biased one, about the mean, so that it is never negative. A
    NaN or infinity in A makes its row NaN; a mean over no elements is NaN. Where
    a square overflows the compute type, an engine may hold the variance to be
    infinite.

    Tolerance: `u(Y) * |y| + 4 * n * u(compute) * (|x - MEAN| * INV_VARIANCE + 1 +
    |MEAN| * INV_VARIANCE) * |SCALE| + u(compute) * |BIAS|` for n elements in A.

    ```mlir
    graph.graph @layernorm(%x: tensor<16x64xf32> {graph.uid = 1 : i64},
                           %s: tensor<1x64xf32> {graph.uid = 2 : i64},
                           %b: tensor<1x64xf32> {graph.uid = 3 : i64})
        -> (tensor<16x64xf32> {graph.uid = 4 : i64}) {
      %e = graph.constant 1.000000e-05 : f32 : tensor<1x1xf32>
      %y = graph.layernorm inference %x scale %s bias %b epsilon %e
          : (tensor<16x64xf32>, tensor<1x64xf32>, tensor<1x64xf32>,
             tensor<1x1xf32>) -> tensor<16x64xf32>
      graph.return %y : tensor<16x64xf32>
    }
    ```
  }];
  let operandPorts = ["X", "SCALE", "BIAS", "EPSILON"];
  let resultPorts = ["Y", "MEAN", "INV_VARIANCE"];
  let arguments = (ins Graph_Tensor:$input, Optional<Graph_Tensor>:$scale,
                   Optional<Graph_Tensor>:$bias, Graph_Tensor:$epsilon,
                   Graph_NormForwardPhase:$norm_forward_phase,
                   Graph_ComputeTypeAttr:$compute_type);
  let results = (outs Graph_Tensor:$Y, Optional<Graph_Tensor>:$MEAN,
                 Optional<Graph_Tensor>:$INV_VARIANCE);
  let assemblyFormat = [{
    $norm_forward_phase $input (`scale` $scale^)? (`bias` $bias^)? `epsilon` $epsilon
    attr-dict `:` `(` type(operands) `)` `->` type($Y) (`mean` type($MEAN)^)?
    (`inv_variance` type($INV_VARIANCE)^)?
  }];
  let hasCanonicalizeMethod = 1;
}

def Graph_RmsnormOp : Graph_Op<"rmsnorm", [AttrSizedOperandSegments,
    ComputeTypeOpInterface], ["isResultPresent"]> {
  let summary = "Normalise by the root of the mean square, then scale and shift";
  let docGroup = "Normalisation";
  let description = [{
    `INV_VARIANCE = 1 / sqrt(mean_A(x^2) + EPSILON)`,
    `Y = x * INV_VARIANCE * SCALE + BIAS`; an absent `SCALE` is 1, an absent
    `BIAS` 0.

    An axis is normalised where `SCALE` (right-aligned) has an extent other than
    1; without `SCALE`, every axis but 0 is. A is the set of reduced elements.

    Constraints:
    - (C1) `SCALE` and `BIAS` broadcast to `X`.
    - (C2) `EPSILON` has one element.
    - (C3) the compute type is floating point.
    - (C4) statistics are returned in phase `training`, and only then.

    Shapes: `Y` has X's extents and layout; a statistic has extent 1 on the
    normalised axes and X's elsewhere, packed in X's memory order, f32 unless
    declared.

    Numerics: everything is computed in the compute type (f16 and bf16 in f32);
    `Y` uses the statistic before it rounds to its own element type. A NaN in A
    makes its row NaN, an infinity makes `INV_VARIANCE` 0; a mean over no
    elements is NaN. Where a square overflows the compute type, an engine may
    hold the mean to be infinite.

    Tolerance: `u(Y) * |y| + 4 * n * u(compute) * (|y| + |BIAS|)` for n elements
    in A.

    ```mlir
    graph.graph @rmsnorm(%x: tensor<3x10x128xbf16> {graph.uid = 1 : i64},
                         %s: tensor<1x1x128xbf16> {graph.uid = 2 : i64})
        -> (tensor<3x10x128xbf16> {graph.uid = 3 : i64},
            tensor<3x10x1xf32> {graph.uid = 4 : i64}) {
      %e = graph.constant 1.000000e-05 : f32 : tensor<1xf32>
      %y, %r = graph.rmsnorm training %x scale %s epsilon %e
          : (tensor<3x10x128xbf16>, tensor<1x1x128xbf16>, tensor<1xf32>)
          -> tensor<3x10x128xbf16> inv_variance tensor<3x10x1xf32>
      graph.return %y, %r : tensor<3x10x128xbf16>, tensor<3x10x1xf32>
    }
    ```
  }];
  let operandPorts = ["X", "SCALE", "BIAS", "EPSILON"];
  let resultPorts = ["Y", "INV_VARIANCE"];
  let arguments = (ins Graph_Tensor:$input, Optional<Graph_Tensor>:$scale,
                   Optional<Graph_Tensor>:$bias, Graph_Tensor:$epsilon,
                   Graph_NormForwardPhase:$norm_forward_phase,
                   Graph_ComputeTypeAttr:$compute_type);
  let results = (outs Graph_Tensor:$Y, Optional<Graph_Tensor>:$INV_VARIANCE);
  let assemblyFormat = [{
    $norm_forward_phase $input (`scale` $scale^)? (`bias` $bias^)? `epsilon` $epsilon
    attr-dict `:` `(` type(operands) `)` `->` type($Y)
    (`inv_variance` type($INV_VARIANCE)^)?
  }];
  let hasCanonicalizeMethod = 1;
}

def Graph_SoftmaxOp : Graph_Op<"softmax", [AttrSizedResultSegments,
    ComputeTypeOpInterface], ["isResultPresent"]> {
  let summary = "Softmax along the last axis";
  let docGroup = "Normalisation";
  let description = [{
    Along the last axis, with the operand called `P` and the result `S`:
    `Max = max(P)`, `E = exp(P - Max)`, `Sum_exp = sum(E)`, `S = E / Sum_exp`,
    `Stats = Max + ln(Sum_exp)`. `generate_stats`, `generate_max` and
    `generate_sum_exp` return those rows too.

    With `SINK` each row has one more element, which takes part in `Max` and
    `Sum_exp` and has no place in `S`.

    A row whose maximum is -inf gives `S = 0`, `Sum_exp = 0` and
    `Max = Stats = -inf`; with `nan_for_masked_rows` it gives NaN (and
    `Max = -inf`), as the five separate operations do. An empty row has
    `Max = -inf`.

    Constraints:
    - (C1) `P` has at least one axis.
    - (C2) the compute type is floating point.
    - (C3) `Stats`, `Max` and `Sum_exp` are results where asked for, and only then.
    - (C4) `SINK` broadcasts to P's extents with a last extent of 1.

    Shapes: `S` has P's extents and layout; the others have last extent 1, are
    packed in P's memory order, and f32 unless declared.

    Numerics: everything is computed in the compute type (f16 and bf16 in f32);
    nothing inside rounds. A NaN or a +inf in a row makes all of its `S` NaN.

    Tolerance: `u(S) * |s| + (n + 4 + |P - Max|) * u(compute) * |s|` for rows of n.

    ```mlir
    graph.graph @softmax(%x: tensor<4x128xf32> {graph.uid = 1 : i64})
        -> (tensor<4x128xf32> {graph.uid = 2 : i64},
            tensor<4x1xf32> {graph.uid = 3 : i64}) {
      %s, %stats = graph.softmax %x {generate_stats}
          : (tensor<4x128xf32>) -> tensor<4x128xf32> stats tensor<4x1xf32>
      graph.return %s, %stats : tensor<4x128xf32>, tensor<4x1xf32>
    }
    ```
  }];
  let operandPorts = ["P", "SINK"];
  let resultPorts = ["S", "Stats", "Max", "Sum_exp"];
  let arguments = (ins Graph_Tensor:$input, Optional<Graph_Tensor>:$sink,
                   UnitAttr:$generate_stats,
                   UnitAttr:$generate_max, UnitAttr:$generate_sum_exp,
                   UnitAttr:$nan_for_masked_rows,
                   Graph_ComputeTypeAttr:$compute_type);
  let results = (outs Graph_Tensor:$S, Optional<Graph_Tensor>:$Stats,
                 Optional<Graph_Tensor>:$Max, Optional<Graph_Tensor>:$Sum_exp);
  let assemblyFormat = [{
    $input (`sink` $sink^)? attr-dict `:` `(` type(operands) `)` `->` type($S) (`stats` type($Stats)^)?
    (`max` type($Max)^)? (`sum_exp` type($Sum_exp)^)?
  }];
  let hasCanonicalizeMethod = 1;
}

#endif // OPGRAPH_GRAPH_NORM_OPS_TD
