//===- AttentionOps.td - Attention ------------------------------ -*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_GRAPH_ATTENTION_OPS_TD
#define OPGRAPH_GRAPH_ATTENTION_OPS_TD

include "mlir/Interfaces/ControlFlowInterfaces.td"
include "dialects/Graph/GraphBase.td"

def Graph_SdpaOp : Graph_Op<"sdpa",
    [AttrSizedOperandSegments, AttrSizedResultSegments, ComputeTypeOpInterface,
     IsolatedFromAbove], ["isResultPresent", "getRegionArgumentTypes"]> {
  let summary = "Scaled dot-product attention";
  let docGroup = "Attention";
  let description = [{
    For batch b, query head h and kv heads `h * Hk / Hq` of `K`, `h * Hv / Hq` of
    `V` (integer division of h by the group size), with row and column in Sq and
    Skv:

    1. `S = Q K^T`, times the scale where there is one (none means 1, not
       1/sqrt(D)). With `attn_scale_prefolded` Q holds the scale already and S is
       not scaled.
    2. `S = score_mod(S)` where the region is given.
    3. `S += Bias`.
    4. `use_alibi_mask`: `S += slope[h] * (col - row)`. With n = 2^floor(log2 Hq)
       the slope of head h < n is 2^(-8 (h + 1) / n), of head n + j
       2^(-4 (2 j + 1) / n).
    5. `KV_mask`: a number is added; where a boolean is false, `S = -inf`.
    6. Lengths: `S = -inf` where `col >= SEQ_LEN_KV[b]`.
    7. With a bound: keep `col <= row + shift + right_bound` and
       `col > row + shift - left_bound`, else `S = -inf`. `shift` is 0 for
       `top_left`, `Skv - Sq` for `bottom_right` (of the lengths under padding).
       Right bound 0 is causal; the left bound counts the diagonal.
    8. `Block_mask`: `S = -inf` where the bit of the tile of 128x128 scores is 0;
       bit i of byte j is tile column 8 j + i.
    9. `M = max(S)`, `E = exp(S - M)`, `L = sum(E)`, `P = E / L`. A sink takes part
       as one more score: M covers it and `L += exp(SINK_TOKEN[h] - M)`.
    10. `Stats = M + ln(L)` (with `stats_use_log2` times log2(e)), `Max = M`,
        `Sum_exp = L`.
    11. Dropout: `P = P * keep / (1 - p)` or `P = P * Dropout_mask *
        Dropout_scale`. `RNG_DUMP` is keep, 0 or 1, of all scores.
    12. `O = P V`.

    Source: op_surface 6.13.3. Lengths are clamped to [0, extent]; as prefix sums
    they are `CU_SEQ_LEN[b + 1] - CU_SEQ_LEN[b]`, and say nothing about where a
    sequence starts. Lengths that come without `use_padding_mask` (beside a
    score_mod) bound the sequences all the same. A row that is fully masked has
    `O = 0`, and without a sink `Stats = Max = -inf` and `Sum_exp = 0`; so has a
    row `>= SEQ_LEN_Q[b]`, sink or not. A masked column contributes nothing, not
    even `0 * NaN`, to `O`.

    keep: Philox4x32-10 with key `Seed` and counter (`Offset`, b * Hq + h, row,
    col / 4), word col % 4, kept where the word is below (1 - p) 2^32
    (docs/Random.md).

    Pages: `K[b, h, s, :]` is `K[table[b, 0, s div block, 0], h, s mod block, :]`
    of the container `[blocks, Hk, block, D]`; `V` likewise, with its own table.
    Entries are clamped to the container; positions beyond the pages of a table
    are masked. Skv is the sequence of a K or V that is not paged, else
    `paged_attention_max_seq_len_kv`, else the last extent of `Bias`,
    `Dropout_mask` or `KV_mask` other than 1, else all pages of K's table.

    Ragged: batch b of a tensor with `ragged_offset_<port>` starts at element
    `offset[b] * multiplier` of its memory (`ragged_multipliers`: one per offset
    given, in operand order; 1 by default); the stride of its batch axis plays no
    part. Its memory is `max_total_seq_len_{q,kv}` rows where given, else B times
    what one batch declares. Reads beyond it take its last element; writes beyond
    it are left out. Rows of a ragged result at or beyond the length do not exist
    and are not written. Inside the graph a value is dense, whatever its offsets.

    score_mod: one block of pointwise ops and constants on (S, captures...), S
    of the compute type, that yields the new S by `graph.yield`. Each value of it
    rounds to its element type.

    `implementation` and `unfuse_fma` are hints that change nothing.

    Constraints:
    - (C1) `Q`, `K` and `V` have rank 4.
    - (C2) they are f16, bf16, f32, f64, e4m3 or e5m2.
    - (C3) `K` and `V` have Q's batch (unless paged), `K` has Q's last extent,
      `V` has K's sequence extent.
    - (C4) the heads of `K` and of `V` divide those of `Q`.
    - (C5) the compute type is floating point.
    - (C6) the scale is a tensor or a value, not both.
    - (C7) a scale tensor has one element.
    - (C8) `Bias` broadcasts to `[B, Hq, Sq, Skv]`.
    - (C9) `Bias` is not boolean.
    - (C10) with `use_padding_mask` each side has lengths or prefix sums, not
      both; without it and without score_mod neither.
    - (C11) lengths are `[B, 1, 1, 1]`, prefix sums `[B + 1, 1, 1, 1]` or
      `[B + 1]`.
    - (C12) both are i32 or i64.
    - (C13) bounds are not negative.
    - (C14) `Stats`, `Max`, `Sum_exp` and `RNG_DUMP` are results where their
      `generate_` attribute is set, and only then.
    - (C15) `use_alibi_mask` needs right bound 0 and a known number of heads.
    - (C16) dropout has probability, `Seed` and `Offset`, or `Dropout_mask` and
      `Dropout_scale`, not both; `RNG_DUMP` needs the probability.
    - (C17) the probability is at least 0 and below 1.
    - (C18) `Seed` and `Offset` are one i32 or i64; the mask broadcasts to the
      scores; its scale has one element.
    - (C19) `SINK_TOKEN` is `[1, Hq, 1, 1]`, floating point.
    - (C20) `KV_mask` is `[1 or B, 1, 1, Skv]`, boolean or floating point.
    - (C21) `Block_mask` is `[1 or B, 1 or Hq, ceil(Sq / 128),
      ceil(ceil(Skv / 128) / 8)]` of ui8; Sq and Skv are known.
    - (C22) page tables are `[B, 1, pages, 1]` of i32 or i64, with pages for Skv,
      come with lengths, and not with a ragged offset of the same tensor.
    - (C23) `paged_attention_max_seq_len_kv` is not negative, comes with page
      tables, and is the sequence of a K or V that is not paged; it is given
      where nothing else says Skv.
    - (C24) ragged offsets are `[B + 1, 1, 1, 1]` or `[B + 1]`, i32 or i64, each
      of a tensor that the op has, of elements of whole bytes, without reordering.
    - (C25) ragged tensors need `use_padding_mask` or a score_mod.
    - (C26) `ragged_multipliers` has one positive number per ragged offset.
    - (C27) `max_total_seq_len_*` is positive and comes with ragged offsets.
    - (C28) `softmax_precision` is f16, bf16, f32 or f64.
    - (C29) score_mod takes the scores and the captures, which broadcast to the
      scores; holds pointwise ops and constants of one element that use nothing
      from outside; yields the extents of the scores. Captures need it.

    Shapes: `O` is `[B, Hq, Sq, Dv]`, packed in Q's memory order unless declared,
    with Q's element type; `Stats`, `Max` and `Sum_exp` are `[B, Hq, Sq, 1]`, f32,
    row-major, where ragged packed as `[B, Sq, Hq]`; `RNG_DUMP` is `[B, Hq, Sq,
    Skv]`, f32, row-major.

    Numerics: `S`, `M`, `E`, `L`, `P` and both products are held in the compute
    type (f16 and bf16 in f32) and nothing rounds before the results do, but for
    the values of score_mod and, with `softmax_precision`, `S - M`, `E` and `P`,
    which round to that type (f32 rounds nothing). Engines may round `P` (or `E`)
    to V's element type for the second product and rescale while they go; the
    tolerance allows it. A NaN in an unmasked score makes its row NaN.

    Tolerance: `u(O) * |o| + (u(V) + (D + Skv + 8 + |S|) * 2 * u(compute) +
    3 * u(softmax)) * sum(P * |v|)`, with u(tf32) added to u(V) for f32 operands;
    Stats: `u(Stats) * |stats| + (D * sum|q k| * |scale| + Skv + 4) * 2 *
    u(compute)`.

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

    A score_mod with a captured tensor:

    ```mlir
    graph.graph @soft_cap(%q: tensor<1x2x8x16xf16> {graph.uid = 1 : i64},
                          %k: tensor<1x2x8x16xf16> {graph.uid = 2 : i64},
                          %v: tensor<1x2x8x16xf16> {graph.uid = 3 : i64},
                          %cap: tensor<1x1x1x1xf32> {graph.uid = 4 : i64})
        -> (tensor<1x2x8x16xf16> {graph.uid = 5 : i64}) {
      %o = graph.sdpa %q, %k, %v captures %cap score_mod {
      ^bb0(%s: tensor<1x2x8x8xf32>, %c: tensor<1x1x1x1xf32>):
        %0 = graph.div %s, %c
            : (tensor<1x2x8x8xf32>, tensor<1x1x1x1xf32>) -> tensor<1x2x8x8xf32>
        %1 = graph.tanh %0 : (tensor<1x2x8x8xf32>) -> tensor<1x2x8x8xf32>
        %2 = graph.mul %1, %c
            : (tensor<1x2x8x8xf32>, tensor<1x1x1x1xf32>) -> tensor<1x2x8x8xf32>
        graph.yield %2 : tensor<1x2x8x8xf32>
      } : (tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>,
           tensor<1x1x1x1xf32>) -> tensor<1x2x8x16xf16>
      graph.return %o : tensor<1x2x8x16xf16>
    }
    ```
  }];
  let operandPorts = ["Q", "K", "V", "Attn_scale", "Bias", "KV_mask", "Block_mask", "SEQ_LEN_Q", "SEQ_LEN_KV", "CU_SEQ_LEN_Q", "CU_SEQ_LEN_KV", "Seed", "Offset", "Dropout_mask", "Dropout_scale", "Page_table_K", "Page_table_V", "SINK_TOKEN", "Ragged_offset_Q", "Ragged_offset_K", "Ragged_offset_V", "Ragged_offset_O", "Ragged_offset_Stats", "Ragged_offset_Max", "Ragged_offset_Sum_exp", "Ragged_offset_Page_table_K", "Ragged_offset_Page_table_V", "Captures"];
  let resultPorts = ["O", "Stats", "Max", "Sum_exp", "RNG_DUMP"];
  let arguments = (ins Graph_Tensor:$q, Graph_Tensor:$k, Graph_Tensor:$v,
                       Optional<Graph_Tensor>:$attn_scale,
                       Optional<Graph_Tensor>:$bias,
                       Optional<Graph_Tensor>:$kv_mask,
                       Optional<Graph_Tensor>:$block_mask,
                       Optional<Graph_Tensor>:$seq_len_q,
                       Optional<Graph_Tensor>:$seq_len_kv,
                       Optional<Graph_Tensor>:$cu_seq_len_q,
                       Optional<Graph_Tensor>:$cu_seq_len_kv,
                       Optional<Graph_Tensor>:$dropout_seed,
                       Optional<Graph_Tensor>:$dropout_offset,
                       Optional<Graph_Tensor>:$dropout_mask,
                       Optional<Graph_Tensor>:$dropout_scale,
                       Optional<Graph_Tensor>:$paged_attention_k_table,
                       Optional<Graph_Tensor>:$paged_attention_v_table,
                       Optional<Graph_Tensor>:$sink_token,
                       Optional<Graph_Tensor>:$ragged_offset_q,
                       Optional<Graph_Tensor>:$ragged_offset_k,
                       Optional<Graph_Tensor>:$ragged_offset_v,
                       Optional<Graph_Tensor>:$ragged_offset_o,
                       Optional<Graph_Tensor>:$ragged_offset_stats,
                       Optional<Graph_Tensor>:$ragged_offset_max,
                       Optional<Graph_Tensor>:$ragged_offset_sum_exp,
                       Optional<Graph_Tensor>:$ragged_offset_page_table_k,
                       Optional<Graph_Tensor>:$ragged_offset_page_table_v,
                       Variadic<Graph_Tensor>:$captures,
                       OptionalAttr<F64Attr>:$attn_scale_value,
                       UnitAttr:$attn_scale_prefolded, UnitAttr:$use_padding_mask,
                       UnitAttr:$use_alibi_mask, UnitAttr:$generate_stats,
                       UnitAttr:$generate_max, UnitAttr:$generate_sum_exp,
                       UnitAttr:$generate_rng_dump, UnitAttr:$stats_use_log2,
                       DefaultValuedAttr<Graph_DiagonalAlignment,
                       "::opgraph::graph::DiagonalAlignment::TOP_LEFT">:$diagonal_alignment,
                       OptionalAttr<I64Attr>:$diagonal_band_left_bound,
                       OptionalAttr<I64Attr>:$diagonal_band_right_bound,
                       OptionalAttr<F64Attr>:$dropout_probability,
                       OptionalAttr<I64Attr>:$paged_attention_max_seq_len_kv,
                       OptionalAttr<I64Attr>:$max_total_seq_len_q,
                       OptionalAttr<I64Attr>:$max_total_seq_len_kv,
                       OptionalAttr<DenseI64ArrayAttr>:$ragged_multipliers,
                       OptionalAttr<TypeAttr>:$softmax_precision,
                       DefaultValuedAttr<Graph_AttentionImplementation,
                       "::opgraph::graph::AttentionImplementation::AUTO">:$implementation,
                       UnitAttr:$unfuse_fma, Graph_ComputeTypeAttr:$compute_type);
  let results = (outs Graph_Tensor:$O, Optional<Graph_Tensor>:$Stats,
                      Optional<Graph_Tensor>:$Max,
                      Optional<Graph_Tensor>:$Sum_exp,
                      Optional<Graph_Tensor>:$RNG_DUMP);
  let regions = (region AnyRegion:$score_mod);
  let assemblyFormat = [{
    $q `,` $k `,` $v (`scale` $attn_scale^)? (`bias` $bias^)? (`kv_mask`
    $kv_mask^)? (`block_mask` $block_mask^)? (`seq_len_q` $seq_len_q^)?
    (`seq_len_kv` $seq_len_kv^)? (`cu_seq_len_q` $cu_seq_len_q^)?
    (`cu_seq_len_kv` $cu_seq_len_kv^)? (`dropout_seed` $dropout_seed^)?
    (`dropout_offset` $dropout_offset^)? (`dropout_mask` $dropout_mask^)?
    (`dropout_scale` $dropout_scale^)? (`paged_attention_k_table`
    $paged_attention_k_table^)? (`paged_attention_v_table`
    $paged_attention_v_table^)? (`sink_token` $sink_token^)? (`ragged_offset_q`
    $ragged_offset_q^)? (`ragged_offset_k` $ragged_offset_k^)?
    (`ragged_offset_v` $ragged_offset_v^)? (`ragged_offset_o`
    $ragged_offset_o^)? (`ragged_offset_stats` $ragged_offset_stats^)?
    (`ragged_offset_max` $ragged_offset_max^)? (`ragged_offset_sum_exp`
    $ragged_offset_sum_exp^)? (`ragged_offset_page_table_k`
    $ragged_offset_page_table_k^)? (`ragged_offset_page_table_v`
    $ragged_offset_page_table_v^)? (`captures` $captures^)? (`score_mod`
    $score_mod^)? attr-dict `:` `(` type(operands) `)` `->` type($O) (`stats`
    type($Stats)^)? (`max` type($Max)^)? (`sum_exp` type($Sum_exp)^)?
    (`rng_dump` type($RNG_DUMP)^)?
  }];
  let hasCanonicalizeMethod = 1;
}

def Graph_SdpaFp8Op : Graph_Op<"sdpa_fp8",
    [AttrSizedOperandSegments, AttrSizedResultSegments, ComputeTypeOpInterface,
     IsolatedFromAbove], ["isResultPresent", "getRegionArgumentTypes"]> {
  let summary = "Scaled dot-product attention on scaled fp8 tensors";
  let docGroup = "Attention";
  let description = [{
    `sdpa` on fp8 tensors that each have one scale. Steps 1 to 11 are those of
    `sdpa`, with `Q * Descale_Q` and `K * Descale_K`; then

    12. `Amax_S = max |P|`, `P8 = round(P * Scale_S)` to V's type;
    13. `O = P8 V * Descale_S * Descale_V`, `Amax_O = max |O|`, and the result is
        `O * Scale_O` (`O` where there is no `Scale_O`).

    Source: op_surface 6.13.3. Pages, ragged tensors, lengths, dropout and
    score_mod are as in `sdpa`. An `Amax` is of unmasked scores; over nothing it
    is 0, and NaN where a NaN is among its elements.

    Constraints:
    - (C1) `Q`, `K` and `V` have rank 4.
    - (C2) they are e4m3 or e5m2.
    - (C3) `K` and `V` have Q's batch (unless paged), `K` has Q's last extent,
      `V` has K's sequence extent.
    - (C4) the heads of `K` and of `V` divide those of `Q`.
    - (C5) the compute type is floating point.
    - (C6) scales and descales are one floating-point number each.
    - (C7) the attention scale is a tensor or a value, not both.
    - (C8) such a tensor has one element.
    - (C9) `Bias` broadcasts to `[B, Hq, Sq, Skv]` and is not boolean.
    - (C10) with `use_padding_mask` each side has lengths or prefix sums, not
      both; without it and without score_mod neither.
    - (C11) lengths are `[B, 1, 1, 1]`, prefix sums `[B + 1, 1, 1, 1]` or
      `[B + 1]`.
    - (C12) both are i32 or i64.
    - (C13) bounds are not negative.
    - (C14) `use_alibi_mask` needs right bound 0 and a known number of heads.
    - (C15) dropout has probability, `Seed` and `Offset`, or `Dropout_mask` and
      `Dropout_scale`, not both; `RNG_DUMP` needs the probability.
    - (C16) the probability is at least 0 and below 1.
    - (C17) `Seed` and `Offset` are one i32 or i64; the mask broadcasts to the
      scores; its scale has one element.
    - (C18) `SINK_TOKEN` is `[1, Hq, 1, 1]`, floating point.
    - (C19) `paged_attention_max_seq_len_kv` as in `sdpa`.
    - (C20) page tables as in `sdpa`.
    - (C21) ragged offsets are `[B + 1, 1, 1, 1]` or `[B + 1]`, i32 or i64, each
      of a tensor that the op has, of elements of whole bytes, without reordering.
    - (C22) ragged tensors need `use_padding_mask` or a score_mod.
    - (C23) `ragged_multipliers` has one positive number per ragged offset.
    - (C24) `max_total_seq_len_*` is positive and comes with ragged offsets.
    - (C25) score_mod as in `sdpa`.
    - (C26) `Stats`, `Max`, `Sum_exp` and `RNG_DUMP` are results where their
      `generate_` attribute is set, and only then.

    Shapes: as in `sdpa`; `Amax_S` and `Amax_O` are `[1, 1, 1, 1]`, f32.

    Numerics: as in `sdpa`, with a rounding of `P * Scale_S` to V's type (nearest
    even, saturating). Engines that keep a running maximum round `E` instead.

    Tolerance: that of `sdpa` times `|Scale_O|`, with u(fp8) of V's type for
    u(V); `Amax_S` 2^-10 relative and u(fp8) relative for `Amax_O`.

    ```mlir
    graph.graph @quantised(%q: tensor<1x2x8x16xf8E4M3FN> {graph.uid = 1 : i64},
                           %k: tensor<1x2x8x16xf8E4M3FN> {graph.uid = 2 : i64},
                           %v: tensor<1x2x8x16xf8E4M3FN> {graph.uid = 3 : i64},
                           %one: tensor<1x1x1x1xf32> {graph.uid = 4 : i64})
        -> (tensor<1x2x8x16xf8E4M3FN> {graph.uid = 5 : i64},
            tensor<1x1x1x1xf32> {graph.uid = 6 : i64},
            tensor<1x1x1x1xf32> {graph.uid = 7 : i64}) {
      %o, %s, %m = graph.sdpa_fp8 %q, %k, %v, %one, %one, %one, %one, %one
          scale_o %one {diagonal_band_right_bound = 0 : i64}
          : (tensor<1x2x8x16xf8E4M3FN>, tensor<1x2x8x16xf8E4M3FN>,
             tensor<1x2x8x16xf8E4M3FN>, tensor<1x1x1x1xf32>,
             tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>,
             tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>)
          -> tensor<1x2x8x16xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
      graph.return %o, %s, %m : tensor<1x2x8x16xf8E4M3FN>, tensor<1x1x1x1xf32>,
                                tensor<1x1x1x1xf32>
    }
    ```
  }];
  let operandPorts = ["Q", "K", "V", "Descale_Q", "Descale_K", "Descale_V", "Descale_S", "Scale_S", "Scale_O", "Attn_scale", "Bias", "SEQ_LEN_Q", "SEQ_LEN_KV", "CU_SEQ_LEN_Q", "CU_SEQ_LEN_KV", "Seed", "Offset", "Dropout_mask", "Dropout_scale", "Page_table_K", "Page_table_V", "SINK_TOKEN", "Ragged_offset_Q", "Ragged_offset_K", "Ragged_offset_V", "Ragged_offset_O", "Ragged_offset_Stats", "Ragged_offset_Max", "Ragged_offset_Sum_exp", "Ragged_offset_Page_table_K", "Ragged_offset_Page_table_V", "Captures"];
  let resultPorts = ["O", "Stats", "Max", "Sum_exp", "RNG_DUMP", "Amax_S", "Amax_O"];
  let arguments = (ins Graph_Tensor:$q, Graph_Tensor:$k, Graph_Tensor:$v,
                       Graph_Tensor:$descale_q, Graph_Tensor:$descale_k,
                       Graph_Tensor:$descale_v, Graph_Tensor:$descale_s,
                       Graph_Tensor:$scale_s, Optional<Graph_Tensor>:$scale_o,
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
                       Optional<Graph_Tensor>:$paged_attention_k_table,
                       Optional<Graph_Tensor>:$paged_attention_v_table,
                       Optional<Graph_Tensor>:$sink_token,
                       Optional<Graph_Tensor>:$ragged_offset_q,
                       Optional<Graph_Tensor>:$ragged_offset_k,
                       Optional<Graph_Tensor>:$ragged_offset_v,
                       Optional<Graph_Tensor>:$ragged_offset_o,
                       Optional<Graph_Tensor>:$ragged_offset_stats,
                       Optional<Graph_Tensor>:$ragged_offset_max,
                       Optional<Graph_Tensor>:$ragged_offset_sum_exp,
                       Optional<Graph_Tensor>:$ragged_offset_page_table_k,
                       Optional<Graph_Tensor>:$ragged_offset_page_table_v,
                       Variadic<Graph_Tensor>:$captures,
                       OptionalAttr<F64Attr>:$attn_scale_value,
                       UnitAttr:$use_padding_mask, UnitAttr:$use_alibi_mask,
                       UnitAttr:$generate_stats, UnitAttr:$generate_max,
                       UnitAttr:$generate_sum_exp, UnitAttr:$generate_rng_dump,
                       UnitAttr:$stats_use_log2,
                       DefaultValuedAttr<Graph_DiagonalAlignment,
                       "::opgraph::graph::DiagonalAlignment::TOP_LEFT">:$diagonal_alignment,
                       OptionalAttr<I64Attr>:$diagonal_band_left_bound,
                       OptionalAttr<I64Attr>:$diagonal_band_right_bound,
                       OptionalAttr<F64Attr>:$dropout_probability,
                       OptionalAttr<I64Attr>:$paged_attention_max_seq_len_kv,
                       OptionalAttr<I64Attr>:$max_total_seq_len_q,
                       OptionalAttr<I64Attr>:$max_total_seq_len_kv,
                       OptionalAttr<DenseI64ArrayAttr>:$ragged_multipliers,
                       DefaultValuedAttr<Graph_AttentionImplementation,
                       "::opgraph::graph::AttentionImplementation::AUTO">:$implementation,
                       UnitAttr:$unfuse_fma, Graph_ComputeTypeAttr:$compute_type);
  let results = (outs Graph_Tensor:$O, Optional<Graph_Tensor>:$Stats,
                      Optional<Graph_Tensor>:$Max,
                      Optional<Graph_Tensor>:$Sum_exp,
                      Optional<Graph_Tensor>:$RNG_DUMP, Graph_Tensor:$Amax_S,
                      Graph_Tensor:$Amax_O);
  let regions = (region AnyRegion:$score_mod);
  let assemblyFormat = [{
    $q `,` $k `,` $v `,` $descale_q `,` $descale_k `,` $descale_v `,` $descale_s
    `,` $scale_s (`scale_o` $scale_o^)? (`scale` $attn_scale^)? (`bias`
    $bias^)? (`seq_len_q` $seq_len_q^)? (`seq_len_kv` $seq_len_kv^)?
    (`cu_seq_len_q` $cu_seq_len_q^)? (`cu_seq_len_kv` $cu_seq_len_kv^)?
    (`dropout_seed` $dropout_seed^)? (`dropout_offset` $dropout_offset^)?
    (`dropout_mask` $dropout_mask^)? (`dropout_scale` $dropout_scale^)?
    (`paged_attention_k_table` $paged_attention_k_table^)?
    (`paged_attention_v_table` $paged_attention_v_table^)? (`sink_token`
    $sink_token^)? (`ragged_offset_q` $ragged_offset_q^)? (`ragged_offset_k`
    $ragged_offset_k^)? (`ragged_offset_v` $ragged_offset_v^)?
    (`ragged_offset_o` $ragged_offset_o^)? (`ragged_offset_stats`
    $ragged_offset_stats^)? (`ragged_offset_max` $ragged_offset_max^)?
    (`ragged_offset_sum_exp` $ragged_offset_sum_exp^)?
    (`ragged_offset_page_table_k` $ragged_offset_page_table_k^)?
    (`ragged_offset_page_table_v` $ragged_offset_page_table_v^)? (`captures`
    $captures^)? (`score_mod` $score_mod^)? attr-dict `:` `(` type(operands) `)`
    `->` type($O) `,` type($Amax_S) `,` type($Amax_O) (`stats` type($Stats)^)?
    (`max` type($Max)^)? (`sum_exp` type($Sum_exp)^)? (`rng_dump`
    type($RNG_DUMP)^)?
  }];
}

def Graph_SdpaMxfp8Op : Graph_Op<"sdpa_mxfp8",
    [AttrSizedOperandSegments, ComputeTypeOpInterface], ["isResultPresent"]> {
  let summary = "Scaled dot-product attention on block-scaled fp8 tensors";
  let docGroup = "Attention";
  let description = [{
    `sdpa` on fp8 tensors in blocks of 32 elements, each block with an e8m0 scale:
    of `Q` and `K` along the last axis, of `V` along the sequence. A name stands
    for the dequantised tensor. Without bias, ALiBi, dropout and score_mod:

    1. `P` and `Stats` from `Q`, `K`, the attention scale, lengths, band and sink
       as in `sdpa`.
    2. `O = P V`, `Amax_O = max |O|`; the result is `O * Scale_O` (`O` where there
       is no `Scale_O`).

    Source: op_surface 6.13.3 and 6.13.5b. The sources leave open whether P is
    quantised: it is not, and stays in the compute type. Scales of paged
    tensors lie in pages too: a descale has the extents of its container.

    Constraints:
    - (C1) `Q`, `K` and `V` have rank 4.
    - (C2) they are e4m3 or e5m2.
    - (C3) `K` and `V` have Q's batch (unless paged), `K` has Q's last extent,
      `V` has K's sequence extent.
    - (C4) the heads of `K` and of `V` divide those of `Q`.
    - (C5) the compute type is floating point.
    - (C6) the extents of `Q`, `K` and `V` are known.
    - (C7) `Descale_Q`, `Descale_K` and `Descale_V` are e8m0 with reordering
      f8_128x4.
    - (C8) they have their tensor's extents, that of the blocks (the last of `Q`
      and `K`, the sequence of `V`) divided by 32, rounded up, and padded to a
      multiple of 4, the other one padded to a multiple of 128.
    - (C9) the attention scale is a tensor or a value, not both.
    - (C10) such a tensor and `Scale_O` have one element.
    - (C11) with `use_padding_mask` each side has lengths or prefix sums, not
      both; without it neither.
    - (C12) lengths are `[B, 1, 1, 1]`, prefix sums `[B + 1, 1, 1, 1]` or
      `[B + 1]`.
    - (C13) both are i32 or i64.
    - (C14) bounds are not negative.
    - (C15) `SINK_TOKEN` is `[1, Hq, 1, 1]`, floating point.
    - (C16) `paged_attention_max_seq_len_kv` as in `sdpa`.
    - (C17) page tables as in `sdpa`.
    - (C18) `max_total_seq_len_*` is for ragged tensors, which the op does not
      take.
    - (C19) `Stats` is a result where `generate_stats` is set, and only then.
    - (C20) the tiles of a descale have their columns along the axis of the
      blocks.

    Shapes: as in `sdpa`; `Amax_O` is `[1, 1, 1, 1]`, f32.

    Numerics: as in `sdpa`. A scale of NaN makes what it scales NaN.

    Tolerance: that of `sdpa` times `|Scale_O|`, with u(e4m3) for u(V), for
    engines that quantise P.

    ```mlir
    #scales = #graph.layout<reordering = f8_128x4>
    graph.graph @blocks(%q: tensor<1x1x128x128xf8E4M3FN> {graph.uid = 1 : i64},
        %k: tensor<1x1x128x128xf8E4M3FN> {graph.uid = 2 : i64},
        %v: tensor<1x1x128x128xf8E4M3FN> {graph.uid = 3 : i64},
        %dq: tensor<1x1x128x4xf8E8M0FNU, #scales> {graph.uid = 4 : i64},
        %dk: tensor<1x1x128x4xf8E8M0FNU, #scales> {graph.uid = 5 : i64},
        %dv: tensor<1x1x4x128xf8E8M0FNU, #scales> {graph.uid = 6 : i64})
        -> (tensor<1x1x128x128xf16> {graph.uid = 7 : i64},
            tensor<1x1x1x1xf32> {graph.uid = 8 : i64}) {
      %o, %amax = graph.sdpa_mxfp8 %q, %k, %v, %dq, %dk, %dv
          : (tensor<1x1x128x128xf8E4M3FN>, tensor<1x1x128x128xf8E4M3FN>,
             tensor<1x1x128x128xf8E4M3FN>,
             tensor<1x1x128x4xf8E8M0FNU, #scales>,
             tensor<1x1x128x4xf8E8M0FNU, #scales>,
             tensor<1x1x4x128xf8E8M0FNU, #scales>)
          -> tensor<1x1x128x128xf16>, tensor<1x1x1x1xf32>
      graph.return %o, %amax : tensor<1x1x128x128xf16>, tensor<1x1x1x1xf32>
    }
    ```
  }];
  let operandPorts = ["Q", "K", "V", "Descale_Q", "Descale_K", "Descale_V", "Scale_O", "Attn_scale", "SEQ_LEN_Q", "SEQ_LEN_KV", "CU_SEQ_LEN_Q", "CU_SEQ_LEN_KV", "Page_table_K", "Page_table_V", "SINK_TOKEN"];
  let resultPorts = ["O", "Amax_O", "Stats"];
  let arguments = (ins Graph_Tensor:$q, Graph_Tensor:$k, Graph_Tensor:$v,
                       Graph_Tensor:$descale_q, Graph_Tensor:$descale_k,
                       Graph_Tensor:$descale_v, Optional<Graph_Tensor>:$scale_o,
                       Optional<Graph_Tensor>:$attn_scale,
                       Optional<Graph_Tensor>:$seq_len_q,
                       Optional<Graph_Tensor>:$seq_len_kv,
                       Optional<Graph_Tensor>:$cu_seq_len_q,
                       Optional<Graph_Tensor>:$cu_seq_len_kv,
                       Optional<Graph_Tensor>:$paged_attention_k_table,
                       Optional<Graph_Tensor>:$paged_attention_v_table,
                       Optional<Graph_Tensor>:$sink_token,
                       OptionalAttr<F64Attr>:$attn_scale_value,
                       UnitAttr:$use_padding_mask, UnitAttr:$generate_stats,
                       DefaultValuedAttr<Graph_DiagonalAlignment,
                       "::opgraph::graph::DiagonalAlignment::TOP_LEFT">:$diagonal_alignment,
                       OptionalAttr<I64Attr>:$diagonal_band_left_bound,
                       OptionalAttr<I64Attr>:$diagonal_band_right_bound,
                       OptionalAttr<I64Attr>:$paged_attention_max_seq_len_kv,
                       OptionalAttr<I64Attr>:$max_total_seq_len_q,
                       OptionalAttr<I64Attr>:$max_total_seq_len_kv,
                       DefaultValuedAttr<Graph_AttentionImplementation,
                       "::opgraph::graph::AttentionImplementation::AUTO">:$implementation,
                       UnitAttr:$unfuse_fma, Graph_ComputeTypeAttr:$compute_type);
  let results = (outs Graph_Tensor:$O, Graph_Tensor:$Amax_O,
                      Optional<Graph_Tensor>:$Stats);
  let assemblyFormat = [{
    $q `,` $k `,` $v `,` $descale_q `,` $descale_k `,` $descale_v (`scale_o`
    $scale_o^)? (`scale` $attn_scale^)? (`seq_len_q` $seq_len_q^)?
    (`seq_len_kv` $seq_len_kv^)? (`cu_seq_len_q` $cu_seq_len_q^)?
    (`cu_seq_len_kv` $cu_seq_len_kv^)? (`paged_attention_k_table`
    $paged_attention_k_table^)? (`paged_attention_v_table`
    $paged_attention_v_table^)? (`sink_token` $sink_token^)? attr-dict `:` `(`
    type(operands) `)` `->` type($O) `,` type($Amax_O) (`stats` type($Stats)^)?
  }];
}

def Graph_PagedCacheLoadOp : Graph_Op<"paged_cache_load",
    []> {
  let summary = "Gather the pages of a cache into one sequence per batch";
  let docGroup = "Attention";
  let description = [{
    `Y[b, h, s, d] = Container[Page_table[b, 0, s div block, 0], h, s mod block,
    d]` for s < `SEQ_LEN[b]`, and 0 beyond. Elements keep their bits.

    Source: op_surface 6.13.6. The length is clamped to [0, S] and to the
    positions that the table has pages for, entries to the container.

    Constraints:
    - (C1) `Container` is `[blocks, H, block, D]`.
    - (C2) `Page_table` is `[B, 1, pages, 1]`, i32 or i64.
    - (C3) `SEQ_LEN` is `[B, 1, 1, 1]`, i32 or i64.
    - (C4) S is `max_seq_len_kv`, else declared with `Y`, else all positions of
      the pages; it is known, not negative, and has pages.
    - (C5) `Y` has the element type of `Container`.

    Shapes: `Y` is `[B, H, S, D]`, packed in the memory order of `Container`
    unless declared.

    Tolerance: exact.

    ```mlir
    graph.graph @gather(%cache: tensor<5x2x4x8xf16> {graph.uid = 1 : i64},
                        %lengths: tensor<3x1x1x1xi32> {graph.uid = 2 : i64},
                        %table: tensor<3x1x2x1xi32> {graph.uid = 3 : i64})
        -> (tensor<3x2x7x8xf16> {graph.uid = 4 : i64}) {
      %y = graph.paged_cache_load %cache, %lengths, %table
          {max_seq_len_kv = 7 : i64}
          : (tensor<5x2x4x8xf16>, tensor<3x1x1x1xi32>, tensor<3x1x2x1xi32>)
          -> tensor<3x2x7x8xf16>
      graph.return %y : tensor<3x2x7x8xf16>
    }
    ```
  }];
  let operandPorts = ["Container", "SEQ_LEN", "Page_table"];
  let resultPorts = ["Y"];
  let arguments = (ins Graph_Tensor:$container, Graph_Tensor:$seq_len,
                       Graph_Tensor:$page_table,
                       OptionalAttr<I64Attr>:$max_seq_len_kv);
  let results = (outs Graph_Tensor:$Y);
  let assemblyFormat = [{
    $container `,` $seq_len `,` $page_table attr-dict `:` `(` type(operands) `)`
    `->` type($Y)
  }];
}

def Graph_DiagonalBandMaskOp : Graph_Op<"diagonal_band_mask",
    [AttrSizedOperandSegments, ComputeTypeOpInterface]> {
  let summary = "Replace scores outside a diagonal band";
  let docGroup = "Attention";
  let description = [{
    `Y[..., row, col] = X[..., row, col]` where `col <= row + shift +
    right_bound` and `col > row + shift - left_bound`, as far as the bounds are
    given, else `mask_value`. `shift` is 0 for `top_left`; for `bottom_right` it
    is the number of columns less the number of rows, of the lengths of the batch
    where given, clamped to the extents.

    Source: op_surface 6.13.4. Lengths move the diagonal only: what lies beyond
    them is not masked.

    Constraints:
    - (C1) `X` has rank 2 or more.
    - (C2) the compute type is floating point.
    - (C3) bounds are not negative.
    - (C4) both lengths are given, or neither.
    - (C5) with lengths `X` has rank 4 and they are `[B, 1, 1, 1]`, i32 or i64.

    Shapes: `Y` has X's extents and layout.

    Numerics: elements convert to the compute type, `mask_value` does not; the
    result rounds once.

    Tolerance: exact.

    ```mlir
    graph.graph @causal_mask(%x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64})
        -> (tensor<2x4x8x8xf32> {graph.uid = 2 : i64}) {
      %y = graph.diagonal_band_mask %x {diagonal_band_right_bound = 0 : i64}
          : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
      graph.return %y : tensor<2x4x8x8xf32>
    }
    ```
  }];
  let operandPorts = ["X", "SEQ_LEN_Q", "SEQ_LEN_KV"];
  let resultPorts = ["Y"];
  let arguments = (ins Graph_Tensor:$input, Optional<Graph_Tensor>:$seq_len_q,
                       Optional<Graph_Tensor>:$seq_len_kv,
                       DefaultValuedAttr<Graph_DiagonalAlignment,
                       "::opgraph::graph::DiagonalAlignment::TOP_LEFT">:$diagonal_alignment,
                       OptionalAttr<I64Attr>:$diagonal_band_left_bound,
                       OptionalAttr<I64Attr>:$diagonal_band_right_bound,
                       DefaultValuedAttr<F64Attr,
                       "-std::numeric_limits<double>::infinity()">:$mask_value,
                       Graph_ComputeTypeAttr:$compute_type);
  let results = (outs Graph_Tensor:$Y);
  let assemblyFormat = [{
    $input (`seq_len_q` $seq_len_q^)? (`seq_len_kv` $seq_len_kv^)? attr-dict `:`
    `(` type(operands) `)` `->` type($Y)
  }];
}

def Graph_YieldOp : Op<Graph_Dialect, "yield",
    [Pure, Terminator, ReturnLike,
     ParentOneOf<["SdpaOp", "SdpaBackwardOp", "SdpaFp8Op"]>]> {
  let summary = "Name the results of a region";
  let description = [{
    Ends the `score_mod` region of an attention op, whose constraints say what is
    yielded.

    ```mlir
    graph.graph @scaled(%q: tensor<1x2x8x16xf16> {graph.uid = 1 : i64})
        -> (tensor<1x2x8x16xf16> {graph.uid = 2 : i64}) {
      %o = graph.sdpa %q, %q, %q score_mod {
      ^bb0(%s: tensor<1x2x8x8xf32>):
        %0 = graph.tanh %s : (tensor<1x2x8x8xf32>) -> tensor<1x2x8x8xf32>
        graph.yield %0 : tensor<1x2x8x8xf32>
      } : (tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
          -> tensor<1x2x8x16xf16>
      graph.return %o : tensor<1x2x8x16xf16>
    }
    ```
  }];
  let arguments = (ins Variadic<Graph_Tensor>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
}

include "dialects/Graph/AttentionBackwardOps.td"

#endif // OPGRAPH_GRAPH_ATTENTION_OPS_TD
