//===- RopeOps.td - Rotary embedding and random numbers ----*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_GRAPH_ROPE_OPS_TD
#define OPGRAPH_GRAPH_ROPE_OPS_TD

include "dialects/Graph/GraphBase.td"

def Graph_RngOp : Graph_Op<"rng",
    [AttrSizedOperandSegments, ComputeTypeOpInterface]> {
  let summary = "Random numbers from a counter";
  let docGroup = "Random";
  let description = [{
    Element number `e` of `Y`, counted row-major over its extents whatever its
    layout, is drawn from word `e % 4` of the Philox4x32-10 block of counter
    `(Offset mod 2^32, floor(Offset / 2^32), q mod 2^32, floor(q / 2^32))` with
    `q = floor(e / 4)`, under the key `(Seed mod 2^32, floor(Seed / 2^32))`.
    `Seed` (an operand or `seed_value`) and `Offset` (absent: 0) are 64-bit
    two's-complement numbers; i32 operands sign-extend. docs/Random.md shows how
    to draw the same numbers elsewhere.

    | distribution | element from the words w |
    |---|---|
    | bernoulli | 1 where `w[e % 4] < probability * 2^32`, else 0 |
    | uniform | `w[e % 4] / 2^32` |
    | normal | `sqrt(-2 ln((u + 1) / 2^32)) * cos(2 pi v / 2^32)` for even e, the same with `sin` for odd e; `u, v` are words 0, 1 of the block where `e % 4 < 2`, else words 2, 3 |

    Constraints:
    - (C1) `Y` is declared.
    - (C2) exactly one of `Seed` and `seed_value` is given.
    - (C3) `Seed` and `Offset` have one element.
    - (C4) `Seed` and `Offset` are i32 or i64.
    - (C5) `probability` is within [0, 1] for bernoulli, and not given otherwise.
    - (C6) `Y` is floating point for uniform and normal.

    Shapes: dims of `Y` are required. It is row-major unless declared.

    Numerics: exact up to one rounding to Y's element type, but for `ln`, `cos`
    and `sin` (in f64 by the judge, in f32 at least elsewhere). A uniform number
    is below 1, but rounds to 1 where the element type is that coarse. The
    compute type plays no part.

    Tolerance: bernoulli and uniform: none; normal: `u(Y) * |y| + 8 * u(f32)`.

    ```mlir
    graph.graph @mask(%seed: tensor<1xi64> {graph.uid = 1 : i64})
        -> (tensor<4x128xi1> {graph.uid = 2 : i64}) {
      %m = graph.rng bernoulli seed %seed {probability = 5.000000e-01 : f64}
          : (tensor<1xi64>) -> tensor<4x128xi1>
      graph.return %m : tensor<4x128xi1>
    }
    ```
  }];
  let operandPorts = ["Seed", "Offset"];
  let resultPorts = ["Y"];
  let arguments = (ins Optional<Graph_Tensor>:$seed,
                       Optional<Graph_Tensor>:$offset,
                       Graph_RngDistribution:$distribution,
                       OptionalAttr<I64Attr>:$seed_value,
                       OptionalAttr<F64Attr>:$probability,
                       Graph_ComputeTypeAttr:$compute_type);
  let results = (outs Graph_Tensor:$Y);
  let assemblyFormat = [{
    $distribution (`seed` $seed^)? (`offset` $offset^)? attr-dict `:`
    functional-type(operands, results)
  }];
}

def Graph_RopeOp : Graph_Op<"rope",
    [ComputeTypeOpInterface]> {
  let summary = "Rotate the trailing channels of each position by an angle";
  let docGroup = "Rotary embedding";
  let description = [{
    Rotates pairs of the trailing `R` channels of `X`, `[B, H, S, D]`, by the
    angles `t = FREQS[s, 0, 0, :]` of each position: with `h = R / 2`, `lo` the
    channels `D - R + i` and `hi` the channels `D - R + h + i` for `i < h`,

    `lo' = output_scale * (lo * cos(t[i]) - hi * sin(t[i]))`
    `hi' = output_scale * (hi * cos(t[h + i]) + lo * sin(t[h + i]))`

    Each result takes the angle of its own column; the halves of `FREQS` are
    equal where this is a rotation. The leading `D - R` channels are
    `output_scale * x`. `R` is `rope_dim`, or `D` where that is 0.

    Constraints:
    - (C1) `X` and `FREQS` have rank 4.
    - (C2) `X` and `FREQS` are floating point.
    - (C3) `D` is a number; `rope_dim` is even and within [0, D].
    - (C4) `FREQS` is `[S, 1, 1, R]`.
    - (C5) the compute type is floating point.

    Shapes: `Y` has X's extents and layout.

    Numerics: everything is computed in the compute type (f16 and bf16 in f32);
    `Y` rounds once. An angle that is not finite makes its results NaN.

    Tolerance: `u(Y) * |y| + 8 * u(compute) * |output_scale| * (|lo| + |hi|)`.

    ```mlir
    graph.graph @rope(%x: tensor<2x8x16x64xbf16> {graph.uid = 1 : i64},
                      %t: tensor<16x1x1x32xf32> {graph.uid = 2 : i64})
        -> (tensor<2x8x16x64xbf16> {graph.uid = 3 : i64}) {
      %y = graph.rope %x, %t {rope_dim = 32 : i64}
          : (tensor<2x8x16x64xbf16>, tensor<16x1x1x32xf32>)
          -> tensor<2x8x16x64xbf16>
      graph.return %y : tensor<2x8x16x64xbf16>
    }
    ```
  }];
  let operandPorts = ["X", "FREQS"];
  let resultPorts = ["Y"];
  let arguments = (ins Graph_Tensor:$input, Graph_Tensor:$freqs,
                       DefaultValuedAttr<F64Attr, "1.0">:$output_scale,
                       DefaultValuedAttr<I64Attr, "0">:$rope_dim,
                       Graph_ComputeTypeAttr:$compute_type);
  let results = (outs Graph_Tensor:$Y);
  let assemblyFormat = [{
    $input `,` $freqs attr-dict `:` `(` type(operands) `)` `->` type($Y)
  }];
}

def Graph_RopeBackwardOp : Graph_Op<"rope_backward",
    [ComputeTypeOpInterface]> {
  let summary = "Gradient of rope with respect to its input";
  let docGroup = "Rotary embedding";
  let description = [{
    The transpose of `rope` with the same attributes, whose terms are used here:

    `dlo' = output_scale * (dlo * cos(t[i]) + dhi * sin(t[h + i]))`
    `dhi' = output_scale * (dhi * cos(t[h + i]) - dlo * sin(t[i]))`

    which is the rotation by `-t` where the halves of `FREQS` are equal. The
    leading `D - R` channels are `output_scale * dy`.

    Constraints:
    - (C1) `DY` and `FREQS` have rank 4.
    - (C2) `DY` and `FREQS` are floating point.
    - (C3) `D` is a number; `rope_dim` is even and within [0, D].
    - (C4) `FREQS` is `[S, 1, 1, R]`.
    - (C5) the compute type is floating point.

    Shapes: `DX` has DY's extents and layout.

    Numerics: as `rope`.

    Tolerance: `u(DX) * |dx| + 8 * u(compute) * |output_scale| * (|dlo| + |dhi|)`.

    ```mlir
    graph.graph @rope_backward(%dy: tensor<2x8x16x64xbf16> {graph.uid = 1 : i64},
                               %t: tensor<16x1x1x64xf32> {graph.uid = 2 : i64})
        -> (tensor<2x8x16x64xbf16> {graph.uid = 3 : i64}) {
      %dx = graph.rope_backward %dy, %t
          : (tensor<2x8x16x64xbf16>, tensor<16x1x1x64xf32>)
          -> tensor<2x8x16x64xbf16>
      graph.return %dx : tensor<2x8x16x64xbf16>
    }
    ```
  }];
  let operandPorts = ["DY", "FREQS"];
  let resultPorts = ["DX"];
  let arguments = (ins Graph_Tensor:$dY, Graph_Tensor:$freqs,
                       DefaultValuedAttr<F64Attr, "1.0">:$output_scale,
                       DefaultValuedAttr<I64Attr, "0">:$rope_dim,
                       Graph_ComputeTypeAttr:$compute_type);
  let results = (outs Graph_Tensor:$DX);
  let assemblyFormat = [{
    $dY `,` $freqs attr-dict `:` `(` type(operands) `)` `->` type($DX)
  }];
}

#endif // OPGRAPH_GRAPH_ROPE_OPS_TD
