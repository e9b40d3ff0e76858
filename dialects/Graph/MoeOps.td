//===- MoeOps.td - Grouped matmul of mixtures of experts -------- -*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_GRAPH_MOE_OPS_TD
#define OPGRAPH_GRAPH_MOE_OPS_TD

include "dialects/Graph/GraphBase.td"

def Graph_MoeGroupedMatmulOp : Graph_Op<"moe_grouped_matmul",
    [AttrSizedOperandSegments, ComputeTypeOpInterface]> {
  let summary = "Multiply each group of rows by the weight of its expert";
  let docGroup = "Mixture of experts";
  let description = [{
    Rows sorted by expert, each multiplied by its expert's matrix. With the number
    of experts E = extent 0 of WEIGHT, group g of G = E * (batches) uses
    `WEIGHT[g % E]` and owns the rows r with `offset[g] <= r < offset[g + 1]`,
    bounds clamped to [0, rows]. FIRST_TOKEN_OFFSET holds the G + 1 boundaries, or
    only the G starts (deprecated): the last group then ends with the rows. A
    group whose end is not above its start is empty. A row of several groups, as
    decreasing boundaries make them, is of the last of them; a row of none takes
    no part.

    `R[r, n] = sum over k of T[r, k] * WEIGHT[g(r) % E, k, n]`, and by `mode`:

    | mode | T[r] | OUT |
    |---|---|---|
    | none | TOKEN[r] | OUT[r] = R[r] |
    | gather | TOKEN[TOKEN_INDEX[r]] | OUT[r] = R[r] |
    | scatter | TOKEN[r] | OUT[TOKEN_INDEX[r] * top_k + TOKEN_KS[r]] = R[r] |
    | combine | TOKEN[r] | OUT[t] = sum of TOP_K_SCORES[t, TOKEN_KS[r]] * R[r] over the rows with TOKEN_INDEX[r] = t |

    A row takes no part either if its TOKEN_INDEX is outside of [0, tokens), or its
    TOKEN_KS outside of [0, slots): tokens is TOKEN's extent 1 in gather, and
    rows / top_k in scatter; slots is top_k, or TOP_K_SCORES' extent 2 in combine.
    What no row writes is +0. Of several rows that scatter to one place the last
    one stays; combine sums all, in the order of the rows.

    Constraints:
    - (C1) `TOKEN` is [1, rows, K] and `WEIGHT` [E, K, N].
    - (C2) E is static and at least 1.
    - (C3) `FIRST_TOKEN_OFFSET` has at most one axis of more than one element, and
      G + 1 or G of them, G a positive multiple of E; G + 1 where E is 1.
    - (C4) offsets and indices are i32 or i64.
    - (C5) `TOKEN_INDEX` is given in all modes but none, `TOKEN_KS` in scatter and
      combine, `TOP_K_SCORES` in combine.
    - (C6) none of them is given in another mode.
    - (C7) `TOKEN_INDEX` and `TOKEN_KS` are [1, rows, 1]; in gather TOKEN_INDEX
      says how many rows there are.
    - (C8) scatter: `top_k` is at least 1 and divides rows, where static.
    - (C9) combine: `TOP_K_SCORES` is [1, tokens, slots], and `top_k` is 0 or slots.
    - (C10) the compute type is a number; floating point in combine.

    Shapes: `OUT` is [1, rows, N], in combine [1, tokens, N]; row-major unless
    declared.

    Numerics: as matmul: operands convert to the compute type, products are summed
    in f32 (f64 for compute type f64, wrapping i32 or i64 for those) in unspecified
    order, and the sum rounds once to OUT's type. In combine R does not round;
    scores multiply and sum in the accumulator's type. f32 operands may be read as
    tf32 unless `ieee` is set; `fast_fp8_accumulation` allows the narrow
    accumulator of fp8 hardware.

    Tolerance: `u(OUT) * |out| + 2 * K * u(acc) * sum |t * w|` (combine: `2 * (K +
    slots + 1)` and the sum times |score|), and `+ 2 * u(tf32) * sum |t * w|` where
    tf32 is allowed.

    ```mlir
    graph.graph @moe(
        %t: tensor<1x20x8xbf16> {graph.uid = 1 : i64},
        %w: tensor<3x8x16xbf16, #graph.layout<strides = [128, 1, 8]>>
            {graph.uid = 2 : i64},
        %o: tensor<4x1x1xi32> {graph.uid = 3 : i64})
        -> (tensor<1x20x16xbf16> {graph.uid = 4 : i64}) {
      %0 = graph.moe_grouped_matmul %t, %w, %o
          : (tensor<1x20x8xbf16>,
             tensor<3x8x16xbf16, #graph.layout<strides = [128, 1, 8]>>,
             tensor<4x1x1xi32>) -> tensor<1x20x16xbf16>
      graph.return %0 : tensor<1x20x16xbf16>
    }
    ```
  }];
  let operandPorts = ["TOKEN", "WEIGHT", "FIRST_TOKEN_OFFSET", "TOKEN_INDEX", "TOKEN_KS", "TOP_K_SCORES"];
  let resultPorts = ["OUT"];
  let arguments = (ins Graph_Tensor:$token, Graph_Tensor:$weight,
                       Graph_Tensor:$first_token_offset,
                       Optional<Graph_Tensor>:$token_index,
                       Optional<Graph_Tensor>:$token_ks,
                       Optional<Graph_Tensor>:$top_k_scores,
                       DefaultValuedAttr<Graph_MoeGroupedMatmulMode,
                       "::opgraph::graph::MoeGroupedMatmulMode::NONE">:$mode,
                       DefaultValuedAttr<I64Attr, "0">:$top_k, UnitAttr:$ieee,
                       UnitAttr:$fast_fp8_accumulation,
                       Graph_ComputeTypeAttr:$compute_type);
  let results = (outs Graph_Tensor:$OUT);
  let assemblyFormat = [{
    $token `,` $weight `,` $first_token_offset (`token_index` $token_index^)?
    (`token_ks` $token_ks^)? (`top_k_scores` $top_k_scores^)? attr-dict `:` `(`
    type(operands) `)` `->` type($OUT)
  }];
}

def Graph_MoeGroupedMatmulBwdOp : Graph_Op<"moe_grouped_matmul_bwd",
    [ComputeTypeOpInterface]> {
  let summary = "Gradient of a grouped matmul with respect to its weights";
  let docGroup = "Mixture of experts";
  let description = [{
    `DWEIGHT[e, k, n] = sum over the rows r of expert e of TOKEN[r, k] *
    DOUTPUT[r, n]`; which rows are an expert's follows from FIRST_TOKEN_OFFSET as
    in `moe_grouped_matmul`. An expert without rows has gradient +0.

    Constraints:
    - (C1) `DOUTPUT` is [1, rows, N] and `TOKEN` [1, rows, K].
    - (C2) extent 0 of `DWEIGHT`, E, is static and at least 1.
    - (C3) `FIRST_TOKEN_OFFSET` has at most one axis of more than one element, and
      G + 1 or G of them, G a positive multiple of E; G + 1 where E is 1.
    - (C4) `FIRST_TOKEN_OFFSET` is i32 or i64.
    - (C5) the compute type is a number.

    Shapes: `DWEIGHT` is [E, K, N] with strides [K * N, 1, K] unless declared. E is
    the number of elements of `FIRST_TOKEN_OFFSET` (starts) unless declared.

    Numerics: as matmul: operands convert to the compute type, products are summed
    in f32 (f64 for compute type f64, wrapping i32 or i64 for those) in unspecified
    order, and the sum rounds once. f32 operands may be read as tf32 unless `ieee`
    is set; `fast_fp8_accumulation` allows the narrow accumulator of fp8 hardware.

    Tolerance: `u(DWEIGHT) * |dw| + 2 * rows * u(acc) * sum |t * d|`, and
    `+ 2 * u(tf32) * sum |t * d|` where tf32 is allowed.

    ```mlir
    graph.graph @moe_bwd(
        %d: tensor<1x20x16xbf16> {graph.uid = 1 : i64},
        %t: tensor<1x20x8xbf16> {graph.uid = 2 : i64},
        %o: tensor<3x1x1xi32> {graph.uid = 3 : i64})
        -> (tensor<3x8x16xf32, #graph.layout<strides = [128, 1, 8]>>
            {graph.uid = 4 : i64}) {
      %0 = graph.moe_grouped_matmul_bwd %d, %t, %o
          : (tensor<1x20x16xbf16>, tensor<1x20x8xbf16>, tensor<3x1x1xi32>)
          -> tensor<3x8x16xf32, #graph.layout<strides = [128, 1, 8]>>
      graph.return %0
          : tensor<3x8x16xf32, #graph.layout<strides = [128, 1, 8]>>
    }
    ```
  }];
  let operandPorts = ["DOUTPUT", "TOKEN", "FIRST_TOKEN_OFFSET"];
  let resultPorts = ["DWEIGHT"];
  let arguments = (ins Graph_Tensor:$doutput, Graph_Tensor:$token,
                       Graph_Tensor:$first_token_offset, UnitAttr:$ieee,
                       UnitAttr:$fast_fp8_accumulation,
                       Graph_ComputeTypeAttr:$compute_type);
  let results = (outs Graph_Tensor:$DWEIGHT);
  let assemblyFormat = [{
    $doutput `,` $token `,` $first_token_offset attr-dict `:` `(` type(operands)
    `)` `->` type($DWEIGHT)
  }];
}

#endif // OPGRAPH_GRAPH_MOE_OPS_TD
