//===- BlockScaleOps.td - Block scaling and scaled matmul ------- -*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_GRAPH_BLOCK_SCALE_OPS_TD
#define OPGRAPH_GRAPH_BLOCK_SCALE_OPS_TD

include "dialects/Graph/GraphBase.td"

def Graph_BlockScaleDequantizeOp : Graph_Op<"block_scale_dequantize",
    [ComputeTypeOpInterface]> {
  let summary = "Multiply each block of elements by its scale";
  let docGroup = "Block scaling";
  let description = [{
    `Y[i] = X[i] * SCALE[j]`, with `j_a = floor(i_a / b_a)` on each axis a: one
    scale for each block. `block_size` has an entry b_a for each trailing axis
    ([1, 32], [16, 1], [32]); blocks of the axes before it are of 1.

    `is_negative_scale` tells that scales may be negative. They may be in any
    case, where their type has a sign: no value depends on it.

    Constraints:
    - (C1) `block_size` has at least one entry and at most X's rank.
    - (C2) each entry of `block_size` is at least 1.
    - (C3) `SCALE` has X's rank.
    - (C4) axes of a block size other than 1 have static extents, in `X` and in
      `SCALE`.
    - (C5) the extent of `SCALE` is `ceil(n / b)` on an axis of extent n; on the
      last two, static ones, it may be that rounded up to a multiple of 4 or 128.
      What is beyond is padding and never read.
    - (C6) `SCALE` is floating point.
    - (C7) the compute type is floating point.
    - (C8) `Y` stays inside the graph: no graph.return names it.

    Shapes: `Y` has X's extents and layout.

    Numerics: `X` and `SCALE` convert to the compute type; the product is computed
    in it and rounds once, to Y's type. A NaN scale makes its block NaN. For a matmul with
    blocks of 32 along k, scales of A [b, m, k] are [b, up(m, 128), up(k / 32, 4)]
    in reordering f8_128x4, those of B [b, k, n] are [b, up(k / 32, 4), up(n, 128)]
    with stride 1 on the former, up(n, c) being n rounded up to a multiple of c.

    Tolerance: `(u(Y) + u(compute)) * |y|`; none for an f32 `Y` of fp8 or fp4 `X`
    with fp8 scales, whose products are exact within the range of f32.

    ```mlir
    graph.graph @dequantize(
        %a: tensor<1x128x64xf8E4M3FN> {graph.uid = 1 : i64},
        %sa: tensor<1x128x4xf8E8M0FNU, #graph.layout<reordering = f8_128x4>>
            {graph.uid = 2 : i64},
        %b: tensor<1x64x128xf16> {graph.uid = 3 : i64})
        -> (tensor<1x128x128xf32> {graph.uid = 4 : i64}) {
      %0 = graph.block_scale_dequantize %a, %sa {block_size = array<i64: 1, 32>}
          : (tensor<1x128x64xf8E4M3FN>, tensor<1x128x4xf8E8M0FNU,
             #graph.layout<reordering = f8_128x4>>) -> tensor<1x128x64xf32>
      %1 = graph.matmul %0, %b : (tensor<1x128x64xf32>, tensor<1x64x128xf16>)
          -> tensor<1x128x128xf32>
      graph.return %1 : tensor<1x128x128xf32>
    }
    ```
  }];
  let operandPorts = ["X", "SCALE"];
  let resultPorts = ["Y"];
  let arguments = (ins Graph_Tensor:$input, Graph_Tensor:$descale,
                       DenseI64ArrayAttr:$block_size, UnitAttr:$is_negative_scale,
                       Graph_ComputeTypeAttr:$compute_type);
  let results = (outs Graph_Tensor:$Y);
  let assemblyFormat = [{
    $input `,` $descale attr-dict `:` `(` type(operands) `)` `->` type($Y)
  }];
}

def Graph_BlockScaleQuantizeOp : Graph_Op<"block_scale_quantize",
    [ComputeTypeOpInterface]> {
  let summary = "Divide each block of elements by a scale made from its largest";
  let docGroup = "Block scaling";
  let description = [{
    Cuts X along `axis` (the last by default) into blocks of `block_size`
    elements; the last block may be shorter. With `a = max |x|` over a block and
    `m` the greatest number of Y's type (448, 57344 or 6):

    `SCALE = round(a / m)`, `Y = round(x / SCALE)`, SCALE as it was rounded.

    | SCALE's type | rounding of a / m | block of zeros |
    |---|---|---|
    | f8E8M0FNU | up to a power of two, within [2^-127, 2^127] | SCALE 2^-127, Y = x |
    | others | to nearest even | SCALE 0 |

    A scale of the whole tensor, as recipes for fp4 have it, is a product before.
    Where SCALE rounds to 0, `Y = +0`. A NaN or an infinity in a block makes
    its SCALE NaN and each of its Y NaN (+6 in f4E2M1FN, which has no NaN), so
    that the dequantised block is NaN. Y saturates.

    `GROUP_OFFSET` cuts the T rows of X [1, T, K] into G groups: it holds G + 1
    boundaries, a row belongs to group g if `offset[g] <= row < offset[g + 1]`,
    both clamped to [0, T]; a group whose end is not above its start is empty. It
    matters only in reordering f8_128x4, where the scales of each group's rows
    then begin at a multiple of 128 rows, one group after the other: group g at
    the sum of the groups' lengths before it, each rounded up to 128. Scale rows
    beyond SCALE's extent, and those of rows in no group, are not stored. No
    other value changes.

    Constraints:
    - (C1) `X` has at least one axis, and `axis` is one of them.
    - (C2) `block_size` is at least 1.
    - (C3) the extent along `axis` is static.
    - (C4) Y's type is declared: f8E4M3FN, f8E5M2 or f4E2M1FN.
    - (C5) SCALE's type is declared: floating point of 8 bits or more.
    - (C6) the compute type is floating point.
    - (C7) a declared `SCALE` has X's rank and the extents below; without a
      reordering its last two, static ones, may be rounded up to a multiple of 4
      or 128.
    - (C8) reordering f8_128x4 of `SCALE`: `axis` is one of X's last two, and both
      are static.
    - (C9) with `GROUP_OFFSET`, `X` is [1, T, K] with a static T, and `axis` is 2.
    - (C10) `GROUP_OFFSET` is i32 or i64, with at least one element and at most
      one axis of more.

    Shapes: `Y` has X's extents, packed in X's memory order; `SCALE` too, but for
    `ceil(n / block_size)` along `axis`. `transpose` makes `axis` the fastest of
    both instead. With reordering f8_128x4 of `SCALE`, its rows (the other one of
    the last two axes) are rounded up to a multiple of 128, its columns (`axis`)
    to a multiple of 4, and columns are fastest; with `GROUP_OFFSET`, rows are any
    declared multiple of 128, and unless declared T + 127 * G rounded down to one,
    which suffices for every choice of offsets. Padding is written as zero bits.

    Numerics: X converts to the compute type, where a, a / m and x / SCALE are
    computed; each of SCALE and Y rounds once. An element of SCALE is read back
    as stored. Scales of a type with infinities overflow to them.

    Tolerance: none with e8m0 scales; otherwise SCALE may differ by one unit in
    its last place where a / m is within `2 * u(compute)` of a tie, and Y with it.

    ```mlir
    graph.graph @quantize(%x: tensor<1x128x128xf32> {graph.uid = 1 : i64})
        -> (tensor<1x128x128xf8E4M3FN> {graph.uid = 2 : i64},
            tensor<1x128x4xf8E8M0FNU, #graph.layout<reordering = f8_128x4>>
            {graph.uid = 3 : i64}) {
      %y, %s = graph.block_scale_quantize %x {block_size = 32 : i64}
          : (tensor<1x128x128xf32>) -> tensor<1x128x128xf8E4M3FN>,
            tensor<1x128x4xf8E8M0FNU, #graph.layout<reordering = f8_128x4>>
      graph.return %y, %s : tensor<1x128x128xf8E4M3FN>,
          tensor<1x128x4xf8E8M0FNU, #graph.layout<reordering = f8_128x4>>
    }
    ```
  }];
  let operandPorts = ["X", "GROUP_OFFSET"];
  let resultPorts = ["Y", "SCALE"];
  let arguments = (ins Graph_Tensor:$input, Optional<Graph_Tensor>:$group_offset,
                       I64Attr:$block_size, OptionalAttr<I64Attr>:$axis,
                       UnitAttr:$transpose, Graph_ComputeTypeAttr:$compute_type);
  let results = (outs Graph_Tensor:$Y, Graph_Tensor:$scale);
  let assemblyFormat = [{
    $input (`group_offset` $group_offset^)? attr-dict `:` `(` type(operands) `)`
    `->` type($Y) `,` type($scale)
  }];
}

def Graph_MatmulFp8Op : Graph_Op<"matmul_fp8",
    [AttrSizedOperandSegments, ComputeTypeOpInterface]> {
  let summary = "Matmul of scaled fp8 matrices, with the largest magnitude of the result";
  let docGroup = "Matmul";
  let description = [{
    `acc[b, m, n] = Descale_A * Descale_B * sum over k of A[b, m, k] * B[b, k, n]`,
    `Amax_C = max |acc|`, `C = acc * Scale_C`. Batches broadcast, and overrides and
    `padding` read, as in `matmul`; every element of C takes part in the maximum.

    Constraints:
    - (C1) `A` and `B` have one rank, at least 2.
    - (C2) the last extent of `A` is the last but one of `B`.
    - (C3) batch extents match or are 1.
    - (C4) an override broadcasts to C's batch extents followed by 1, 1.
    - (C5) an override is i32 or i64.
    - (C6) the compute type is floating point.
    - (C7) `Descale_A`, `Descale_B` and `Scale_C` have one element each.
    - (C8) they are f32.

    Shapes: `C` is `[batch..., M, N]`, row-major unless declared; `Amax_C` has one
    element, C's rank, and type f32 unless declared.

    Numerics: products are summed as in `matmul`; `acc` and `acc * Scale_C` are
    computed in the compute type (f16 and bf16 in f32), and `C` and `Amax_C` round
    once. `Amax_C` is taken before Scale_C and before C rounds; it is NaN if an
    `acc` is, and 0 over no elements. `fast_fp8_accumulation` allows the narrow
    accumulator of fp8 hardware.

    Tolerance: C: `u(C) * |c| + (2 * K + 3) * u(compute) * s` with s the sum of
    |a * b| times the scales; Amax_C the same with its own type.

    ```mlir
    graph.graph @matmul_fp8(
        %a: tensor<1x16x32xf8E4M3FN> {graph.uid = 1 : i64},
        %b: tensor<1x32x8xf8E4M3FN> {graph.uid = 2 : i64},
        %da: tensor<1x1x1xf32> {graph.uid = 3 : i64},
        %db: tensor<1x1x1xf32> {graph.uid = 4 : i64},
        %sc: tensor<1x1x1xf32> {graph.uid = 5 : i64})
        -> (tensor<1x16x8xf8E4M3FN> {graph.uid = 6 : i64},
            tensor<1x1x1xf32> {graph.uid = 7 : i64}) {
      %c, %amax = graph.matmul_fp8 %a, %b, %da, %db, %sc
          : (tensor<1x16x32xf8E4M3FN>, tensor<1x32x8xf8E4M3FN>,
             tensor<1x1x1xf32>, tensor<1x1x1xf32>, tensor<1x1x1xf32>)
          -> tensor<1x16x8xf8E4M3FN>, tensor<1x1x1xf32>
      graph.return %c, %amax : tensor<1x16x8xf8E4M3FN>, tensor<1x1x1xf32>
    }
    ```
  }];
  let operandPorts = ["A", "B", "Descale_A", "Descale_B", "Scale_C", "M_override", "N_override", "K_override"];
  let resultPorts = ["C", "Amax_C"];
  let arguments = (ins Graph_Tensor:$A, Graph_Tensor:$B, Graph_Tensor:$descale_a,
                       Graph_Tensor:$descale_b, Graph_Tensor:$scale_c,
                       Optional<Graph_Tensor>:$M_override,
                       Optional<Graph_Tensor>:$N_override,
                       Optional<Graph_Tensor>:$K_override,
                       DefaultValuedAttr<F64Attr, "0.0">:$padding,
                       UnitAttr:$fast_fp8_accumulation,
                       Graph_ComputeTypeAttr:$compute_type);
  let results = (outs Graph_Tensor:$C, Graph_Tensor:$Amax_C);
  let assemblyFormat = [{
    $A `,` $B `,` $descale_a `,` $descale_b `,` $scale_c (`m_override`
    $M_override^)? (`n_override` $N_override^)? (`k_override` $K_override^)?
    attr-dict `:` `(` type(operands) `)` `->` type($C) `,` type($Amax_C)
  }];
}

#endif // OPGRAPH_GRAPH_BLOCK_SCALE_OPS_TD
