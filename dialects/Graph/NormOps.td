//===- NormOps.td - Norms, softmax and attention -----------*- tablegen -*-===//
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
    NaN or infinity in A makes its row NaN; a mean over no elements is NaN.

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
    elements is NaN.

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

    A row whose maximum is -inf gives `S = 0`, `Sum_exp = 0` and
    `Max = Stats = -inf`; with `nan_for_masked_rows` it gives NaN (and
    `Max = -inf`), as the five separate operations do. An empty row has
    `Max = -inf`.

    Constraints:
    - (C1) `P` has at least one axis.
    - (C2) the compute type is floating point.
    - (C3) `Stats`, `Max` and `Sum_exp` are results where asked for, and only then.

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
  let operandPorts = ["P"];
  let resultPorts = ["S", "Stats", "Max", "Sum_exp"];
  let arguments = (ins Graph_Tensor:$input, UnitAttr:$generate_stats,
                   UnitAttr:$generate_max, UnitAttr:$generate_sum_exp,
                   UnitAttr:$nan_for_masked_rows,
                   Graph_ComputeTypeAttr:$compute_type);
  let results = (outs Graph_Tensor:$S, Optional<Graph_Tensor>:$Stats,
                 Optional<Graph_Tensor>:$Max, Optional<Graph_Tensor>:$Sum_exp);
  let assemblyFormat = [{
    $input attr-dict `:` `(` type(operands) `)` `->` type($S) (`stats` type($Stats)^)?
    (`max` type($Max)^)? (`sum_exp` type($Sum_exp)^)?
  }];
  let hasCanonicalizeMethod = 1;
}

def Graph_SdpaOp : Graph_Op<"sdpa", [AttrSizedOperandSegments,
    ComputeTypeOpInterface], ["isResultPresent"]> {
  let summary = "Scaled dot-product attention, forward";
  let docGroup = "Attention";
  let description = [{
    For batch b, query head h and kv heads `h * Hk / Hq` of `K`, `h * Hv / Hq` of
    `V` (integer division of h by the group size):

    1. `S = Q K^T`, times the scale where there is one (none means 1, not
       1/sqrt(D)), plus `Bias`.
    2. With `use_padding_mask`: `S = -inf` where `col >= SEQ_LEN_KV[b]`.
    3. With a bound: keep `col <= row + shift + right_bound` and
       `col > row + shift - left_bound`, else `S = -inf`. `shift` is 0 for
       `top_left`, `Skv - Sq` for `bottom_right` (of the lengths under padding).
       Right bound 0 is causal; the left bound counts the diagonal.
    4. `M = max(S)`, `E = exp(S - M)`, `L = sum(E)`, `P = E / L`, `O = P V`,
       `Stats = M + ln(L)`.

    Lengths are clamped to [0, extent]. A row that is fully masked, and with
    padding a row `>= SEQ_LEN_Q[b]`, gives `O = 0` and `Stats = -inf`. A masked
    column contributes nothing, not even `0 * NaN`, to `O`.

    Constraints:
    - (C1) `Q`, `K` and `V` have rank 4.
    - (C2) they are floating point.
    - (C3) `K` and `V` have Q's batch, `K` has Q's last extent, `V` has K's
      sequence extent.
    - (C4) the heads of `K` and of `V` divide those of `Q`.
    - (C5) the compute type is floating point.
    - (C6) the scale is a tensor or a value, not both.
    - (C7) a scale tensor has one element.
    - (C8) `Bias` broadcasts to `[B, Hq, Sq, Skv]`.
    - (C9) `Bias` is not boolean.
    - (C10) both lengths are given with `use_padding_mask`, neither without.
    - (C11) lengths are `[B, 1, 1, 1]`.
    - (C12) lengths are i32 or i64.
    - (C13) bounds are not negative.
    - (C14) `Stats` is a result where `generate_stats` is set, and only then.

    Shapes: `O` is `[B, Hq, Sq, Dv]`, packed in Q's memory order unless declared,
    with Q's element type; `Stats` is `[B, Hq, Sq, 1]`, row-major, f32.

    Numerics: `S`, `M`, `E`, `L`, `P` and both products are held in the compute
    type (f16 and bf16 in f32) and nothing rounds before `O` and `Stats` do.
    Engines may round `P` (or `E`) to V's element type for the second product
    and rescale while they go; the tolerance allows it. A NaN in an unmasked
    score makes its row NaN.

    Tolerance: `u(O) * |o| + (u(V) + (D + Skv + 8 + |S|) * 2 * u(compute)) *
    sum(P * |v|)`, with u(tf32) added to u(V) for f32 operands; Stats:
    `u(Stats) * |stats| + (D * sum|q k| * |scale| + Skv + 4) * 2 * u(compute)`.

    ```mlir
    graph.graph @causal(%q: tensor<2x8x64x32xbf16> {graph.uid = 1 : i64},
                        %k: tensor<2x2x64x32xbf16> {graph.uid = 2 : i64},
                        %v: tensor<2x2x64x32xbf16> {graph.uid = 3 : i64})
        -> (tensor<2x8x64x32xbf16> {graph.uid = 4 : i64},
            tensor<2x8x64x1xf32> {graph.uid = 5 : i64}) {
      %o, %stats = graph.sdpa %q, %k, %v
          {attn_scale_value = 0.17677669529663687 : f64,
           diagonal_band_right_bound = 0 : i64, generate_stats}
          : (tensor<2x8x64x32xbf16>, tensor<2x2x64x32xbf16>,
             tensor<2x2x64x32xbf16>)
          -> tensor<2x8x64x32xbf16> stats tensor<2x8x64x1xf32>
      graph.return %o, %stats : tensor<2x8x64x32xbf16>, tensor<2x8x64x1xf32>
    }
    ```
  }];
  let operandPorts = ["Q", "K", "V", "Attn_scale", "Bias", "SEQ_LEN_Q", "SEQ_LEN_KV"];
  let resultPorts = ["O", "Stats"];
  let arguments = (ins Graph_Tensor:$q, Graph_Tensor:$k, Graph_Tensor:$v,
                   Optional<Graph_Tensor>:$attn_scale, Optional<Graph_Tensor>:$bias,
                   Optional<Graph_Tensor>:$seq_len_q, Optional<Graph_Tensor>:$seq_len_kv,
                   OptionalAttr<F64Attr>:$attn_scale_value,
                   UnitAttr:$use_padding_mask, UnitAttr:$generate_stats,
                   DefaultValuedAttr<Graph_DiagonalAlignment,
                     "::opgraph::graph::DiagonalAlignment::TOP_LEFT">:$diagonal_alignment,
                   OptionalAttr<I64Attr>:$diagonal_band_left_bound,
                   OptionalAttr<I64Attr>:$diagonal_band_right_bound,
                   Graph_ComputeTypeAttr:$compute_type);
  let results = (outs Graph_Tensor:$O, Optional<Graph_Tensor>:$Stats);
  let assemblyFormat = [{
    $q `,` $k `,` $v (`scale` $attn_scale^)? (`bias` $bias^)?
    (`seq_len_q` $seq_len_q^)? (`seq_len_kv` $seq_len_kv^)?
    attr-dict `:` `(` type(operands) `)` `->` type($O) (`stats` type($Stats)^)?
  }];
  let hasCanonicalizeMethod = 1;
}

#endif // OPGRAPH_GRAPH_NORM_OPS_TD
