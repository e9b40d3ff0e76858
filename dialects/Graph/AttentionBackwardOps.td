//===- AttentionBackwardOps.td - Gradients of attention --- -*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_GRAPH_ATTENTION_BACKWARD_OPS_TD
#define OPGRAPH_GRAPH_ATTENTION_BACKWARD_OPS_TD

include "dialects/Graph/GraphBase.td"

def Graph_SdpaBackwardOp : Graph_Op<"sdpa_backward",
    [AttrSizedOperandSegments, AttrSizedResultSegments, ComputeTypeOpInterface,
     IsolatedFromAbove], ["isResultPresent", "getRegionArgumentTypes"]> {
  let summary = "Gradients of scaled dot-product attention";
  let docGroup = "Attention";
  let description = [{
    The gradients of `sdpa`'s operands from `dO`, that of its result. With the
    scores `S` and masks of `sdpa` (scale, score_mod, `Bias`, ALiBi, padding,
    band, in this order) for batch b, query head h and the kv heads it reads:

    1. `P = exp(S - Stats)`; with `stats_use_log2`, `exp(S - Stats * ln 2)`. The
       sink is inside `Stats` already.
    2. `D = rowsum(dO * O)`, times `Dropout_scale * Dropout_scale_inv` where a
       dropout mask is given.
    3. `dP = dO V^T * F`, `dV = (P * F)^T dO`. F is what dropout multiplied P by:
       `keep / (1 - p)` with a probability p, `Dropout_mask * Dropout_scale` with
       a mask, else 1.
    4. `dS = P * (dP - D)`.
    5. `dBias = dS`, summed over the axes where `dBias` has extent 1.
    6. `dT = scale * dS'`, dS' being the second result of the region if there is
       one, else `dS`.
    7. `dQ = dT K`, `dK = dT^T Q`; `dK` and `dV` sum over the query heads of a
       group.
    8. `DSINK_TOKEN[h] = -sum over b, rows of exp(SINK_TOKEN[h] - Stats) * D`.

    Source: differentiating sdpa's formula. Steps 2 to 4 are the reference's
    (op_surface 6.13.5) with 1 - p moved from D into dP, so that D is the same in
    step 8. `Dropout_scale_inv` is meant to be `1 / Dropout_scale`.

    An element whose score is -inf and a row whose `Stats` is -inf (fully
    masked) contribute nothing to any result, not even `0 * NaN`; nor does a row
    `>= SEQ_LEN_Q[b]` or a column `>= SEQ_LEN_KV[b]`, whatever lies there. Their
    gradients are 0. Elements of a ragged result beyond the length are not
    written.

    The region is `score_mod` and its derivative in one: block arguments `S` (the
    scaled product) and `dS`, then the captures; it yields `S'` and `dS'`.
    Elements where `S'` is masked ignore `dS'`. `RNG_DUMP` is the keep mask, 1 or
    0, of every score.

    Constraints:
    - (C1) `Q`, `K`, `V`, `O`, `dO` and `Stats` have rank 4.
    - (C2) they are floating point.
    - (C3) `K` and `V` have Q's batch, `K` has Q's last extent, `V` has K's
      sequence extent.
    - (C4) the heads of `K` and of `V` divide those of `Q`.
    - (C5) `O` and `dO` are `[B, Hq, Sq, Dv]`, `Stats` is `[B, Hq, Sq, 1]`.
    - (C6) the compute type is floating point.
    - (C7) the scale is a tensor or a value, not both.
    - (C8) a scale tensor has one element.
    - (C9) `Bias` broadcasts to `[B, Hq, Sq, Skv]`.
    - (C10) `Bias` is not boolean.
    - (C11) with `use_padding_mask` each side has lengths or prefix sums, not
      both; without it neither has, except beside a score_mod.
    - (C12) lengths are `[B, 1, 1, 1]`, prefix sums `[B + 1, 1, 1, 1]` or
      `[B + 1]`.
    - (C13) both are i32 or i64.
    - (C14) bounds are not negative.
    - (C15) ALiBi goes with right bound 0.
    - (C16) dropout has probability, `Seed` and `Offset`, or `Dropout_mask`,
      `Dropout_scale` and `Dropout_scale_inv`; a dump needs the former.
    - (C17) the probability is at least 0 and below 1.
    - (C18) `Seed` and `Offset` are one i32 or i64; the mask broadcasts to the
      scores; its scales have one element.
    - (C19) `SINK_TOKEN` is `[1, Hq, 1, 1]`, floating point.
    - (C20) `DSINK_TOKEN` needs `SINK_TOKEN`.
    - (C21) `dBias` has the extents of `Bias`; without a bias its declared
      extents broadcast to the scores.
    - (C22) ragged offsets are `[B + 1, 1, 1, 1]` or `[B + 1]`, i32 or i64.
    - (C23) ragged tensors need `use_padding_mask` or a score_mod.
    - (C24) there is one positive multiplier for each ragged offset.
    - (C25) `max_total_seq_len_*` are positive and need a ragged tensor.
    - (C26) the region takes two values of the scores' extents and the compute
      type, then the captures; it holds pointwise ops and yields two values of
      those extents.
    - (C27) `dBias`, `DSINK_TOKEN` and `RNG_DUMP` are results where asked for,
      and only then.

    Shapes: `dQ`, `dK` and `dV` are like `Q`, `K` and `V`, packed in their memory
    order unless declared, of their element types; `dBias` likewise like `Bias`
    (without one: row-major, Q's element type); `DSINK_TOKEN` is `[1, Hq, 1, 1]`
    and `RNG_DUMP` `[B, Hq, Sq, Skv]`, row-major, f32.

    Numerics: everything is held in the compute type (f16 and bf16 in f32), sums
    over rows and heads included; only results and what the region declares
    round. Engines may round `P`, `F * P`, `dS` and `dT` to the operands' element
    type before a product; the tolerance allows it. `use_deterministic_algorithm`
    asks for equal bits in every run (dSINK_TOKEN excepted); the judge always
    gives them. Without rows or keys, sums are 0.

    Tolerance: with u = u(Q's type) + 2 * (D + Dv + Skv + Sq + 8 + |S|) *
    u(compute): `u(result) * |result| + u * (sum of the absolute values of the
    terms of steps 3, 4 and 7)`, u(tf32) added for f32 operands.

    ```mlir
    graph.graph @gradients(%q: tensor<1x4x16x8xbf16> {graph.uid = 1 : i64},
                           %k: tensor<1x2x16x8xbf16> {graph.uid = 2 : i64},
                           %v: tensor<1x2x16x8xbf16> {graph.uid = 3 : i64},
                           %o: tensor<1x4x16x8xbf16> {graph.uid = 4 : i64},
                           %do: tensor<1x4x16x8xbf16> {graph.uid = 5 : i64},
                           %stats: tensor<1x4x16x1xf32> {graph.uid = 6 : i64})
        -> (tensor<1x4x16x8xbf16> {graph.uid = 7 : i64},
            tensor<1x2x16x8xbf16> {graph.uid = 8 : i64},
            tensor<1x2x16x8xbf16> {graph.uid = 9 : i64}) {
      %dq, %dk, %dv = graph.sdpa_backward %q, %k, %v, %o, %do, %stats
          {attn_scale_value = 0.35 : f64, diagonal_band_right_bound = 0 : i64}
          : (tensor<1x4x16x8xbf16>, tensor<1x2x16x8xbf16>,
             tensor<1x2x16x8xbf16>, tensor<1x4x16x8xbf16>,
             tensor<1x4x16x8xbf16>, tensor<1x4x16x1xf32>)
          -> tensor<1x4x16x8xbf16>, tensor<1x2x16x8xbf16>, tensor<1x2x16x8xbf16>
      graph.return %dq, %dk, %dv : tensor<1x4x16x8xbf16>,
          tensor<1x2x16x8xbf16>, tensor<1x2x16x8xbf16>
    }
    ```
  }];
  let operandPorts = ["Q", "K", "V", "O", "dO", "Stats", "Attn_scale", "Bias", "SEQ_LEN_Q", "SEQ_LEN_KV", "CU_SEQ_LEN_Q", "CU_SEQ_LEN_KV", "Seed", "Offset", "Dropout_mask", "Dropout_scale", "Dropout_scale_inv", "SINK_TOKEN", "Ragged_offset_Q", "Ragged_offset_K", "Ragged_offset_V", "Ragged_offset_O", "Ragged_offset_dO", "Ragged_offset_Stats", "Ragged_offset_dQ", "Ragged_offset_dK", "Ragged_offset_dV", "Captures"];
  let resultPorts = ["dQ", "dK", "dV", "dBias", "DSINK_TOKEN", "RNG_DUMP"];
  let arguments = (ins Graph_Tensor:$q, Graph_Tensor:$k, Graph_Tensor:$v,
                       Graph_Tensor:$o, Graph_Tensor:$dO, Graph_Tensor:$stats,
                       Optional<Graph_Tensor>:$attn_scale,
                       Optional<Graph_Tensor>:$bias,
                       Optional<Graph_Tensor>:$seq_len_q,
                       Optional<Graph_Tensor>:$seq_len_kv,
                       Optional<Graph_Tensor>:$cu_seq_len_q,
                       Optional<Graph_Tensor>:$cu_seq_len_kv,
                       Optional<Graph_Tensor>:$dropout_seed,
                       Optional<Graph_Tensor>:$dropout_offset,
                       Optional<Graph_Tensor>:$dropout_mask,
                       Optional<Graph_Tensor>:$dropout_scale,
                       Optional<Graph_Tensor>:$dropout_scale_inv,
                       Optional<Graph_Tensor>:$sink_token,
                       Optional<Graph_Tensor>:$ragged_offset_q,
                       Optional<Graph_Tensor>:$ragged_offset_k,
                       Optional<Graph_Tensor>:$ragged_offset_v,
                       Optional<Graph_Tensor>:$ragged_offset_o,
                       Optional<Graph_Tensor>:$ragged_offset_do,
                       Optional<Graph_Tensor>:$ragged_offset_stats,
                       Optional<Graph_Tensor>:$ragged_offset_dq,
                       Optional<Graph_Tensor>:$ragged_offset_dk,
                       Optional<Graph_Tensor>:$ragged_offset_dv,
                       Variadic<Graph_Tensor>:$captures,
                       OptionalAttr<F64Attr>:$attn_scale_value,
                       UnitAttr:$use_padding_mask, UnitAttr:$use_alibi_mask,
                       UnitAttr:$generate_dbias, UnitAttr:$generate_dsink_token,
                       UnitAttr:$generate_rng_dump, UnitAttr:$stats_use_log2,
                       DefaultValuedAttr<Graph_DiagonalAlignment,
                       "::opgraph::graph::DiagonalAlignment::TOP_LEFT">:$diagonal_alignment,
                       OptionalAttr<I64Attr>:$diagonal_band_left_bound,
                       OptionalAttr<I64Attr>:$diagonal_band_right_bound,
                       OptionalAttr<F64Attr>:$dropout_probability,
                       OptionalAttr<I64Attr>:$max_total_seq_len_q,
                       OptionalAttr<I64Attr>:$max_total_seq_len_kv,
                       OptionalAttr<DenseI64ArrayAttr>:$ragged_multipliers,
                       UnitAttr:$use_deterministic_algorithm,
                       Graph_ComputeTypeAttr:$compute_type);
  let results = (outs Graph_Tensor:$dQ, Graph_Tensor:$dK, Graph_Tensor:$dV,
                      Optional<Graph_Tensor>:$dBias,
                      Optional<Graph_Tensor>:$DSINK_TOKEN,
                      Optional<Graph_Tensor>:$RNG_DUMP);
  let regions = (region AnyRegion:$score_mod);
  let assemblyFormat = [{
    $q `,` $k `,` $v `,` $o `,` $dO `,` $stats (`scale` $attn_scale^)?
    (`bias` $bias^)? (`seq_len_q` $seq_len_q^)? (`seq_len_kv` $seq_len_kv^)?
    (`cu_seq_len_q` $cu_seq_len_q^)? (`cu_seq_len_kv` $cu_seq_len_kv^)?
    (`dropout_seed` $dropout_seed^)? (`dropout_offset` $dropout_offset^)?
    (`dropout_mask` $dropout_mask^)? (`dropout_scale` $dropout_scale^)?
    (`dropout_scale_inv` $dropout_scale_inv^)? (`sink_token` $sink_token^)?
    (`ragged_offset_q` $ragged_offset_q^)? (`ragged_offset_k`
    $ragged_offset_k^)? (`ragged_offset_v` $ragged_offset_v^)?
    (`ragged_offset_o` $ragged_offset_o^)? (`ragged_offset_do`
    $ragged_offset_do^)? (`ragged_offset_stats` $ragged_offset_stats^)?
    (`ragged_offset_dq` $ragged_offset_dq^)? (`ragged_offset_dk`
    $ragged_offset_dk^)? (`ragged_offset_dv` $ragged_offset_dv^)? (`captures`
    $captures^)? (`score_mod` $score_mod^)? attr-dict `:` `(` type(operands) `)`
    `->` type($dQ) `,` type($dK) `,` type($dV) (`dbias` type($dBias)^)?
    (`dsink_token` type($DSINK_TOKEN)^)? (`rng_dump` type($RNG_DUMP)^)?
  }];
}

def Graph_SdpaFp8BackwardOp : Graph_Op<"sdpa_fp8_backward",
    [AttrSizedOperandSegments, ComputeTypeOpInterface], ["isResultPresent"]> {
  let summary = "Gradients of attention on scaled fp8 tensors";
  let docGroup = "Attention";
  let description = [{
    `sdpa_backward` on fp8 tensors with one scale each: a tensor named x stands
    for `x * Descale_x`. Without bias, ALiBi and score_mod:

    1. `P = exp(S - Stats)` with `S = Q K^T * Descale_q * Descale_k * scale`.
    2. `D = rowsum(dO * O) * Descale_dO * Descale_o`, times `Dropout_scale *
       Dropout_scale_inv` where a dropout mask is given.
    3. `dP = dO V^T * Descale_dO * Descale_v * F`, F as in `sdpa_backward`.
    4. `dS = P * (dP - D) * scale`, `Amax_dP = max |dS|`.
    5. `P8 = round(P * F * Scale_s)` to V's type, `dS8 = round(dS * Scale_dP)` to
       dO's type.
    6. `dV = P8^T dO * Descale_s * Descale_dO`, `dQ = dS8 K * Descale_dP *
       Descale_k`, `dK = dS8^T Q * Descale_dP * Descale_q`; heads of a group are
       summed. `Amax_x = max |x|` of each.
    7. The results are `dQ * Scale_dQ`, `dK * Scale_dK` and `dV * Scale_dV`.
    8. `DSINK_TOKEN[h] = -sum over b, rows of exp(SINK_TOKEN[h] - Stats) * D`.

    Source: op_surface 6.13.5. It leaves the types of P8 and dS8 open: each is
    that of the operand it stands beside in the forward op (V), or of the
    gradient it comes from (dO, usually e5m2). Masked elements, padding and
    ragged results are as in `sdpa_backward`; an `Amax` over nothing is 0, and NaN
    where a NaN is among its elements.

    Constraints:
    - (C1) `Q`, `K`, `V`, `O`, `dO` and `Stats` have rank 4.
    - (C2) `Q`, `K`, `V` and `dO` are e4m3 or e5m2, `O` and `Stats` floating point.
    - (C3) `K` and `V` have Q's batch, `K` has Q's last extent, `V` has K's
      sequence extent.
    - (C4) the heads of `K` and of `V` divide those of `Q`.
    - (C5) `O` and `dO` are `[B, Hq, Sq, Dv]`, `Stats` is `[B, Hq, Sq, 1]`.
    - (C6) the compute type is floating point.
    - (C7) the scale is a tensor or a value, not both.
    - (C8) scales and descales have one element each.
    - (C9) with `use_padding_mask` both sides have lengths; without it neither.
    - (C10) lengths are `[B, 1, 1, 1]`.
    - (C11) lengths are i32 or i64.
    - (C12) bounds are not negative.
    - (C13) dropout has probability, `Seed` and `Offset`, or `Dropout_mask`,
      `Dropout_scale` and `Dropout_scale_inv`.
    - (C14) the probability is at least 0 and below 1.
    - (C15) `Seed` and `Offset` are one i32 or i64; the mask broadcasts to the
      scores; its scales have one element.
    - (C16) `SINK_TOKEN` is `[1, Hq, 1, 1]`, floating point.
    - (C17) `DSINK_TOKEN` needs `SINK_TOKEN`.
    - (C18) ragged offsets are `[B + 1, 1, 1, 1]` or `[B + 1]`, i32 or i64.
    - (C19) ragged tensors need `use_padding_mask`.
    - (C20) there is one positive multiplier for each ragged offset.
    - (C21) `max_total_seq_len_*` are positive and need a ragged tensor.
    - (C22) `DSINK_TOKEN` is a result where asked for, and only then.

    Shapes: `dQ`, `dK` and `dV` are like `Q`, `K` and `V`, packed in their memory
    order unless declared, of their element types; each `Amax` is `[1, 1, 1, 1]`
    and `DSINK_TOKEN` `[1, Hq, 1, 1]`, f32.

    Numerics: all else is held in the compute type; `P8`, `dS8` and the results
    round to nearest even and saturate.

    Tolerance: that of `sdpa_backward` with u(V) + u(dO) in the place of u(Q's
    type), times the scales.

    ```mlir
    graph.graph @fp8_gradients(
        %q: tensor<1x1x4x16xf8E4M3FN> {graph.uid = 1 : i64},
        %k: tensor<1x1x4x16xf8E4M3FN> {graph.uid = 2 : i64},
        %v: tensor<1x1x4x16xf8E4M3FN> {graph.uid = 3 : i64},
        %o: tensor<1x1x4x16xf8E4M3FN> {graph.uid = 4 : i64},
        %do: tensor<1x1x4x16xf8E5M2> {graph.uid = 5 : i64},
        %stats: tensor<1x1x4x1xf32> {graph.uid = 6 : i64},
        %s: tensor<1x1x1x1xf32> {graph.uid = 7 : i64})
        -> (tensor<1x1x4x16xf8E5M2> {graph.uid = 8 : i64},
            tensor<1x1x4x16xf8E5M2> {graph.uid = 9 : i64},
            tensor<1x1x4x16xf8E5M2> {graph.uid = 10 : i64},
            tensor<1x1x1x1xf32> {graph.uid = 11 : i64}) {
      %dq, %dk, %dv, %aq, %ak, %av, %ap = graph.sdpa_fp8_backward %q, %k, %v, %o,
          %do, %stats, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s
          {attn_scale_value = 0.25 : f64}
          : (tensor<1x1x4x16xf8E4M3FN>, tensor<1x1x4x16xf8E4M3FN>,
             tensor<1x1x4x16xf8E4M3FN>, tensor<1x1x4x16xf8E4M3FN>,
             tensor<1x1x4x16xf8E5M2>, tensor<1x1x4x1xf32>, tensor<1x1x1x1xf32>,
             tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>,
             tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>,
             tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>,
             tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>)
          -> tensor<1x1x4x16xf8E5M2>, tensor<1x1x4x16xf8E5M2>,
             tensor<1x1x4x16xf8E5M2>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>,
             tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
      graph.return %dq, %dk, %dv, %ap : tensor<1x1x4x16xf8E5M2>,
          tensor<1x1x4x16xf8E5M2>, tensor<1x1x4x16xf8E5M2>, tensor<1x1x1x1xf32>
    }
    ```
  }];
  let operandPorts = ["Q", "K", "V", "O", "dO", "Stats", "Descale_q", "Descale_k", "Descale_v", "Descale_o", "Descale_dO", "Descale_s", "Descale_dP", "Scale_s", "Scale_dQ", "Scale_dK", "Scale_dV", "Scale_dP", "Attn_scale", "SEQ_LEN_Q", "SEQ_LEN_KV", "Seed", "Offset", "Dropout_mask", "Dropout_scale", "Dropout_scale_inv", "SINK_TOKEN", "Ragged_offset_Q", "Ragged_offset_K", "Ragged_offset_V", "Ragged_offset_O", "Ragged_offset_dO", "Ragged_offset_Stats", "Ragged_offset_dQ", "Ragged_offset_dK", "Ragged_offset_dV"];
  let resultPorts = ["dQ", "dK", "dV", "Amax_dQ", "Amax_dK", "Amax_dV", "Amax_dP", "DSINK_TOKEN"];
  let arguments = (ins Graph_Tensor:$q, Graph_Tensor:$k, Graph_Tensor:$v,
                       Graph_Tensor:$o, Graph_Tensor:$dO, Graph_Tensor:$stats,
                       Graph_Tensor:$descale_q, Graph_Tensor:$descale_k,
                       Graph_Tensor:$descale_v, Graph_Tensor:$descale_o,
                       Graph_Tensor:$descale_dO, Graph_Tensor:$descale_s,
                       Graph_Tensor:$descale_dP, Graph_Tensor:$scale_s,
                       Graph_Tensor:$scale_dQ, Graph_Tensor:$scale_dK,
                       Graph_Tensor:$scale_dV, Graph_Tensor:$scale_dP,
                       Optional<Graph_Tensor>:$attn_scale,
                       Optional<Graph_Tensor>:$seq_len_q,
                       Optional<Graph_Tensor>:$seq_len_kv,
                       Optional<Graph_Tensor>:$dropout_seed,
                       Optional<Graph_Tensor>:$dropout_offset,
                       Optional<Graph_Tensor>:$dropout_mask,
                       Optional<Graph_Tensor>:$dropout_scale,
                       Optional<Graph_Tensor>:$dropout_scale_inv,
                       Optional<Graph_Tensor>:$sink_token,
                       Optional<Graph_Tensor>:$ragged_offset_q,
                       Optional<Graph_Tensor>:$ragged_offset_k,
                       Optional<Graph_Tensor>:$ragged_offset_v,
                       Optional<Graph_Tensor>:$ragged_offset_o,
                       Optional<Graph_Tensor>:$ragged_offset_do,
                       Optional<Graph_Tensor>:$ragged_offset_stats,
                       Optional<Graph_Tensor>:$ragged_offset_dq,
                       Optional<Graph_Tensor>:$ragged_offset_dk,
                       Optional<Graph_Tensor>:$ragged_offset_dv,
                       OptionalAttr<F64Attr>:$attn_scale_value,
                       UnitAttr:$use_padding_mask, UnitAttr:$generate_dsink_token,
                       DefaultValuedAttr<Graph_DiagonalAlignment,
                       "::opgraph::graph::DiagonalAlignment::TOP_LEFT">:$diagonal_alignment,
                       OptionalAttr<I64Attr>:$diagonal_band_left_bound,
                       OptionalAttr<I64Attr>:$diagonal_band_right_bound,
                       OptionalAttr<F64Attr>:$dropout_probability,
                       OptionalAttr<I64Attr>:$max_total_seq_len_q,
                       OptionalAttr<I64Attr>:$max_total_seq_len_kv,
                       OptionalAttr<DenseI64ArrayAttr>:$ragged_multipliers,
                       UnitAttr:$use_deterministic_algorithm,
                       Graph_ComputeTypeAttr:$compute_type);
  let results = (outs Graph_Tensor:$dQ, Graph_Tensor:$dK, Graph_Tensor:$dV,
                      Graph_Tensor:$Amax_dQ, Graph_Tensor:$Amax_dK,
                      Graph_Tensor:$Amax_dV, Graph_Tensor:$Amax_dP,
                      Optional<Graph_Tensor>:$DSINK_TOKEN);
  let assemblyFormat = [{
    $q `,` $k `,` $v `,` $o `,` $dO `,` $stats `,` $descale_q `,` $descale_k `,`
    $descale_v `,` $descale_o `,` $descale_dO `,` $descale_s `,` $descale_dP `,`
    $scale_s `,` $scale_dQ `,` $scale_dK `,` $scale_dV `,` $scale_dP
    (`scale` $attn_scale^)? (`seq_len_q` $seq_len_q^)? (`seq_len_kv`
    $seq_len_kv^)? (`dropout_seed` $dropout_seed^)? (`dropout_offset`
    $dropout_offset^)? (`dropout_mask` $dropout_mask^)? (`dropout_scale`
    $dropout_scale^)? (`dropout_scale_inv` $dropout_scale_inv^)? (`sink_token`
    $sink_token^)? (`ragged_offset_q` $ragged_offset_q^)? (`ragged_offset_k`
    $ragged_offset_k^)? (`ragged_offset_v` $ragged_offset_v^)?
    (`ragged_offset_o` $ragged_offset_o^)? (`ragged_offset_do`
    $ragged_offset_do^)? (`ragged_offset_stats` $ragged_offset_stats^)?
    (`ragged_offset_dq` $ragged_offset_dq^)? (`ragged_offset_dk`
    $ragged_offset_dk^)? (`ragged_offset_dv` $ragged_offset_dv^)? attr-dict `:`
    `(` type(operands) `)` `->` type($dQ) `,` type($dK) `,` type($dV) `,`
    type($Amax_dQ) `,` type($Amax_dK) `,` type($Amax_dV) `,` type($Amax_dP)
    (`dsink_token` type($DSINK_TOKEN)^)?
  }];
}

def Graph_SdpaMxfp8BackwardOp : Graph_Op<"sdpa_mxfp8_backward",
    [AttrSizedOperandSegments, ComputeTypeOpInterface], ["isResultPresent"]> {
  let summary = "Gradients of attention on block-scaled fp8 tensors";
  let docGroup = "Attention";
  let description = [{
    `sdpa_backward` on fp8 tensors in blocks of 32 elements, each block with an
    e8m0 scale. `Q`, `K`, `V` and `dO` are quantised along the last axis; `Q_T`,
    `K_T` and `dO_T` are second copies of the same extents, quantised along the
    sequence. A name stands for the dequantised tensor. Without bias, ALiBi and
    score_mod:

    1. `P = exp(Q K^T * scale - Stats)`.
    2. `D = rowsum(dO_f16 * O_f16)`, times `Dropout_scale * Dropout_scale_inv`
       where a dropout mask is given.
    3. `dP = dO V^T * F`, `dV = (P * F)^T dO_T`, F as in `sdpa_backward`.
    4. `dS = P * (dP - D) * scale`.
    5. `dQ = dS K_T`, `dK = dS^T Q_T`; heads of a group are summed.
       `Amax_x = max |x|` of dQ, dK and dV.
    6. `DSINK_TOKEN[h] = -sum over b, rows of exp(SINK_TOKEN[h] - Stats) * D`.

    Source: op_surface 6.13.5 and 6.13.5b. Masked elements and padding are as in
    `sdpa_backward`; an `Amax` over nothing is 0, and NaN where a NaN is among
    its elements.

    Constraints:
    - (C1) all data and `Stats` have rank 4.
    - (C2) `Q`, `Q_T`, `K`, `K_T`, `V`, `dO` and `dO_T` are e4m3 or e5m2, `O_f16`,
      `dO_f16` and `Stats` floating point.
    - (C3) `K` and `V` have Q's batch, `K` has Q's last extent, `V` has K's
      sequence extent, `Q_T` has Q's extents and `K_T` has K's.
    - (C4) the heads of `K` and of `V` divide those of `Q`.
    - (C5) `O_f16`, `dO_f16`, `dO` and `dO_T` are `[B, Hq, Sq, Dv]`, `Stats` is
      `[B, Hq, Sq, 1]`.
    - (C6) the compute type is floating point.
    - (C7) a block's scale is e8m0 with reordering `f8_128x4`.
    - (C8) along the axis of the blocks it has `ceil(extent / 32)` elements,
      padded to a multiple of 4, along the other of the last two axes the data's
      extent, padded to a multiple of 128; the extents are static.
    - (C9) its tiles have their columns along the axis of the blocks. Strides
      `[.., 1, n]` say so for blocks along the sequence; row-major ones only
      where nothing but that fits.
    - (C10) the scale is a tensor or a value, not both.
    - (C11) a scale tensor has one element.
    - (C12) with `use_padding_mask` both sides have lengths; without it neither.
    - (C13) lengths are `[B, 1, 1, 1]`.
    - (C14) lengths are i32 or i64.
    - (C15) bounds are not negative.
    - (C16) dropout has probability, `Seed` and `Offset`, or `Dropout_mask`,
      `Dropout_scale` and `Dropout_scale_inv`.
    - (C17) the probability is at least 0 and below 1.
    - (C18) `Seed` and `Offset` are one i32 or i64; the mask broadcasts to the
      scores; its scales have one element.
    - (C19) `SINK_TOKEN` is `[1, Hq, 1, 1]`, floating point.
    - (C20) `DSINK_TOKEN` needs `SINK_TOKEN`.
    - (C21) `max_total_seq_len_*` need a ragged tensor, which this op has none of.
    - (C22) `DSINK_TOKEN` is a result where asked for, and only then.

    Shapes: `dQ`, `dK` and `dV` are like `Q`, `K` and `V`, packed in their memory
    order unless declared, with O_f16's element type; each `Amax` is
    `[1, 1, 1, 1]` and `DSINK_TOKEN` `[1, Hq, 1, 1]`, f32.

    Numerics: everything is held in the compute type, P and dS too; only results
    round.

    Tolerance: that of `sdpa_backward`; engines may quantise P and dS, which adds
    2^-3 to u.

    ```mlir
    graph.graph @mx_gradients(
        %x: tensor<1x1x4x32xf8E4M3FN> {graph.uid = 1 : i64},
        %h: tensor<1x1x4x32xf16> {graph.uid = 2 : i64},
        %stats: tensor<1x1x4x1xf32> {graph.uid = 3 : i64},
        %s: tensor<1x1x128x4xf8E8M0FNU,
                   #graph.layout<strides = [512, 512, 4, 1],
                                 reordering = f8_128x4>> {graph.uid = 4 : i64},
        %t: tensor<1x1x4x128xf8E8M0FNU,
                   #graph.layout<strides = [512, 512, 1, 4],
                                 reordering = f8_128x4>> {graph.uid = 5 : i64})
        -> (tensor<1x1x4x32xf16> {graph.uid = 6 : i64},
            tensor<1x1x4x32xf16> {graph.uid = 7 : i64},
            tensor<1x1x4x32xf16> {graph.uid = 8 : i64}) {
      %dq, %dk, %dv, %aq, %ak, %av = graph.sdpa_mxfp8_backward %x, %x, %x, %x,
          %x, %h, %h, %x, %x, %stats, %s, %t, %s, %t, %s, %s, %t
          {attn_scale_value = 0.125 : f64}
          : (tensor<1x1x4x32xf8E4M3FN>, tensor<1x1x4x32xf8E4M3FN>,
             tensor<1x1x4x32xf8E4M3FN>, tensor<1x1x4x32xf8E4M3FN>,
             tensor<1x1x4x32xf8E4M3FN>, tensor<1x1x4x32xf16>,
             tensor<1x1x4x32xf16>, tensor<1x1x4x32xf8E4M3FN>,
             tensor<1x1x4x32xf8E4M3FN>, tensor<1x1x4x1xf32>,
             tensor<1x1x128x4xf8E8M0FNU, #graph.layout<
                 strides = [512, 512, 4, 1], reordering = f8_128x4>>,
             tensor<1x1x4x128xf8E8M0FNU, #graph.layout<
                 strides = [512, 512, 1, 4], reordering = f8_128x4>>,
             tensor<1x1x128x4xf8E8M0FNU, #graph.layout<
                 strides = [512, 512, 4, 1], reordering = f8_128x4>>,
             tensor<1x1x4x128xf8E8M0FNU, #graph.layout<
                 strides = [512, 512, 1, 4], reordering = f8_128x4>>,
             tensor<1x1x128x4xf8E8M0FNU, #graph.layout<
                 strides = [512, 512, 4, 1], reordering = f8_128x4>>,
             tensor<1x1x128x4xf8E8M0FNU, #graph.layout<
                 strides = [512, 512, 4, 1], reordering = f8_128x4>>,
             tensor<1x1x4x128xf8E8M0FNU, #graph.layout<
                 strides = [512, 512, 1, 4], reordering = f8_128x4>>)
          -> tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>,
             tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
      graph.return %dq, %dk, %dv : tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>,
          tensor<1x1x4x32xf16>
    }
    ```
  }];
  let operandPorts = ["Q", "Q_T", "K", "K_T", "V", "O_f16", "dO_f16", "dO", "dO_T", "Stats", "Descale_Q", "Descale_Q_T", "Descale_K", "Descale_K_T", "Descale_V", "Descale_dO", "Descale_dO_T", "Attn_scale", "SEQ_LEN_Q", "SEQ_LEN_KV", "Seed", "Offset", "Dropout_mask", "Dropout_scale", "Dropout_scale_inv", "SINK_TOKEN"];
  let resultPorts = ["dQ", "dK", "dV", "Amax_dQ", "Amax_dK", "Amax_dV", "DSINK_TOKEN"];
  let arguments = (ins Graph_Tensor:$q, Graph_Tensor:$q_T, Graph_Tensor:$k,
                       Graph_Tensor:$k_T, Graph_Tensor:$v, Graph_Tensor:$o_f16,
                       Graph_Tensor:$dO_f16, Graph_Tensor:$dO, Graph_Tensor:$dO_T,
                       Graph_Tensor:$stats, Graph_Tensor:$descale_q,
                       Graph_Tensor:$descale_q_T, Graph_Tensor:$descale_k,
                       Graph_Tensor:$descale_k_T, Graph_Tensor:$descale_v,
                       Graph_Tensor:$descale_dO, Graph_Tensor:$descale_dO_T,
                       Optional<Graph_Tensor>:$attn_scale,
                       Optional<Graph_Tensor>:$seq_len_q,
                       Optional<Graph_Tensor>:$seq_len_kv,
                       Optional<Graph_Tensor>:$dropout_seed,
                       Optional<Graph_Tensor>:$dropout_offset,
                       Optional<Graph_Tensor>:$dropout_mask,
                       Optional<Graph_Tensor>:$dropout_scale,
                       Optional<Graph_Tensor>:$dropout_scale_inv,
                       Optional<Graph_Tensor>:$sink_token,
                       OptionalAttr<F64Attr>:$attn_scale_value,
                       UnitAttr:$use_padding_mask, UnitAttr:$generate_dsink_token,
                       DefaultValuedAttr<Graph_DiagonalAlignment,
                       "::opgraph::graph::DiagonalAlignment::TOP_LEFT">:$diagonal_alignment,
                       OptionalAttr<I64Attr>:$diagonal_band_left_bound,
                       OptionalAttr<I64Attr>:$diagonal_band_right_bound,
                       OptionalAttr<F64Attr>:$dropout_probability,
                       OptionalAttr<I64Attr>:$max_total_seq_len_q,
                       OptionalAttr<I64Attr>:$max_total_seq_len_kv,
                       UnitAttr:$use_deterministic_algorithm,
                       Graph_ComputeTypeAttr:$compute_type);
  let results = (outs Graph_Tensor:$dQ, Graph_Tensor:$dK, Graph_Tensor:$dV,
                      Graph_Tensor:$Amax_dQ, Graph_Tensor:$Amax_dK,
                      Graph_Tensor:$Amax_dV, Optional<Graph_Tensor>:$DSINK_TOKEN);
  let assemblyFormat = [{
    $q `,` $q_T `,` $k `,` $k_T `,` $v `,` $o_f16 `,` $dO_f16 `,` $dO `,` $dO_T
    `,` $stats `,` $descale_q `,` $descale_q_T `,` $descale_k `,` $descale_k_T
    `,` $descale_v `,` $descale_dO `,` $descale_dO_T (`scale` $attn_scale^)? (`seq_len_q` $seq_len_q^)? (`seq_len_kv` $seq_len_kv^)?
    (`dropout_seed` $dropout_seed^)? (`dropout_offset` $dropout_offset^)?
    (`dropout_mask` $dropout_mask^)? (`dropout_scale` $dropout_scale^)?
    (`dropout_scale_inv` $dropout_scale_inv^)? (`sink_token` $sink_token^)?
    attr-dict `:` `(` type(operands) `)` `->` type($dQ) `,` type($dK) `,`
    type($dV) `,` type($Amax_dQ) `,` type($Amax_dK) `,` type($Amax_dV)
    (`dsink_token` type($DSINK_TOKEN)^)?
  }];
}

#endif // OPGRAPH_GRAPH_ATTENTION_BACKWARD_OPS_TD
