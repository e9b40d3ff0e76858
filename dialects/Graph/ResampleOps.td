//===- ResampleOps.td - Pooling and interpolation ----------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_GRAPH_RESAMPLE_OPS_TD
#define OPGRAPH_GRAPH_RESAMPLE_OPS_TD

include "dialects/Graph/GraphBase.td"

/// Window, stride and paddings have one entry per spatial axis. Stride and
/// paddings are in units of 1 / denominator of an element.
defvar Graph_ResampleAttrs = (ins
    Graph_ResampleMode:$resample_mode,
    DefaultValuedAttr<Graph_PaddingMode,
      "::opgraph::graph::PaddingMode::ZERO_PAD">:$padding_mode,
    DenseI64ArrayAttr:$window, DenseI64ArrayAttr:$stride,
    DenseI64ArrayAttr:$pre_padding, DenseI64ArrayAttr:$post_padding,
    DefaultValuedAttr<I64Attr, "1">:$denominator);

def Graph_ResampleOp : Graph_Op<"resample",
    [ComputeTypeOpInterface], ["isResultPresent"]> {
  let docGroup = "Resampling";
  let summary = "Pool or interpolate over windows of the spatial axes";
  let description = [{
    A window slides over the spatial axes of `X`, `[N, C, spatial...]` with 1 to
    3 of them. Along each axis it starts, for output `o`, at
    `s = (o * stride - pre_padding) / denominator` and has `window` taps. With
    the taps `t` of a window in row-major order:

    | mode | `Y` | taps |
    |---|---|---|
    | maxpool | greatest tap | `s + t` |
    | avgpool_include_padding | sum of the taps / their number | `s + t` |
    | avgpool_exclude_padding | sum of the taps inside of `X` / their number | `s + t` |
    | bilinear | sum of the taps, each times its weight on every axis | `floor(s)` with weight `1 - f`, `floor(s) + 1` with weight `f = s - floor(s)` |
    | nearest | the tap | `floor(s + 1/2)`, moved to the nearest position of `X` |

    `padding_mode` says what a tap outside of `X` reads: `zero_pad` 0,
    `edge_val_pad` the nearest element of `X`, `neg_inf_pad` nothing (such taps
    take no part in a maximum). avgpool_exclude_padding and nearest never read
    outside of `X`.

    `Index` is the position within its window, counted row-major from 0, of the
    tap that `maxpool` chose: the first of the greatest ones (-0 and +0 are
    equal), or the first NaN.
    Padding that is read may be chosen.

    Constraints:
    - (C1) `X` has a rank from 3 to 5.
    - (C2) `window`, `stride`, `pre_padding` and `post_padding` are set and have
      one entry for each spatial axis.
    - (C3) windows, strides and the denominator are at least 1; paddings of the
      pooling modes are at least 0; all are below 2^31 in magnitude, and a
      window has fewer than 2^31 taps.
    - (C4) the denominator is 1 in the pooling modes; the window is 2 on each
      axis in mode bilinear, 1 in mode nearest.
    - (C5) `neg_inf_pad` only with maxpool.
    - (C6) the window fits into the padded spatial extents of `X`, which are
      below 2^60 / denominator.
    - (C7) a spatial extent of `X` is a symbol only where `Y` has the same one:
      `stride = denominator`, and paddings that add up to `(window - 1) *
      denominator`.
    - (C8) with `edge_val_pad` or mode nearest no spatial extent of `X` is 0.
    - (C9) the compute type is a number, and floating point unless the mode is
      maxpool or nearest.
    - (C10) `generate_index` only with maxpool; `Index` is a result then, and
      only then.
    - (C11) `Index` is an integer of at least 8 bits that holds every position.

    Shapes: a spatial extent of `Y` is `1 + floor((in * denominator +
    pre_padding + post_padding - window * denominator) / stride)`; `Index` has
    the extents of `Y`. Both are packed channels-last unless declared. `Index`
    is i8 where a window has at most 128 taps, else i32, unless declared.

    Numerics: `X` converts to the compute type; sums are in it (f16 and bf16 in
    f32) in unspecified order; the result rounds once. A NaN read makes its
    result NaN in every mode. A tap of weight 0 is not read. The average of no
    tap is NaN, the greatest of no tap -inf (an integer's least) with `Index` 0.

    Tolerance: maxpool, nearest: the rounding to Y only; the others
    `u(Y) * |y| + 2 * n * u(compute) * sum |weight * x|` for n taps.

    ```mlir
    graph.graph @maxpool(%x: tensor<2x8x16x16xf32> {graph.uid = 1 : i64})
        -> (tensor<2x8x8x8xf32> {graph.uid = 2 : i64},
            tensor<2x8x8x8xi8> {graph.uid = 3 : i64}) {
      %y, %i = graph.resample maxpool %x {
          padding_mode = #graph<padding_mode neg_inf_pad>, generate_index,
          window = array<i64: 3, 3>, stride = array<i64: 2, 2>,
          pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>}
          : (tensor<2x8x16x16xf32>) -> tensor<2x8x8x8xf32>
            index tensor<2x8x8x8xi8>
      graph.return %y, %i : tensor<2x8x8x8xf32>, tensor<2x8x8x8xi8>
    }
    ```
  }];
  let operandPorts = ["X"];
  let resultPorts = ["Y", "Index"];
  let arguments = !con(
      (ins Graph_Tensor:$input),
      Graph_ResampleAttrs,
      (ins UnitAttr:$generate_index, Graph_ComputeTypeAttr:$compute_type));
  let results = (outs Graph_Tensor:$Y, Optional<Graph_Tensor>:$Index);
  let assemblyFormat = [{
    $resample_mode $input attr-dict `:` `(` type(operands) `)` `->` type($Y)
    (`index` type($Index)^)?
  }];
}

def Graph_ResampleBackwardOp : Graph_Op<"resample_backward",
    [AttrSizedOperandSegments, ComputeTypeOpInterface]> {
  let docGroup = "Resampling";
  let summary = "Gradient of resample with respect to its input";
  let description = [{
    The transpose of `resample` with the same attributes, whose terms are used
    here: `DX` is the sum, over all windows and their taps that read an element,
    of `DY` times the tap's weight. That is 1 for the tap that maxpool chose and
    for nearest, 1 / number of taps for the averages, the product of the axes'
    weights for bilinear. What `zero_pad` and `neg_inf_pad` read gets nothing;
    `edge_val_pad` gives it to the element that was read.

    maxpool takes the choice from `Index`, clamped to the window's positions, or
    finds it again in `X`.

    Constraints:
    - (C1) `DY` has a rank from 3 to 5; `X` and `DX`, where given or declared,
      have it too.
    - (C2) `window`, `stride`, `pre_padding` and `post_padding` are set and have
      one entry for each spatial axis.
    - (C3) windows, strides and the denominator are at least 1; paddings of the
      pooling modes are at least 0; all are below 2^31 in magnitude, and a
      window has fewer than 2^31 taps.
    - (C4) the denominator is 1 in the pooling modes; the window is 2 on each
      axis in mode bilinear, 1 in mode nearest.
    - (C5) `neg_inf_pad` only with maxpool.
    - (C6) the window fits into the padded spatial extents of `DX`, which are
      below 2^60 / denominator.
    - (C7) a spatial extent of `DX` is a symbol only where `DY` has the same one.
    - (C8) with `edge_val_pad` or mode nearest no spatial extent of `DX` is 0.
    - (C9) the compute type is a number, and floating point unless the mode is
      maxpool or nearest.
    - (C10) maxpool takes exactly one of `X` and `Index`; other modes no `Index`.
    - (C11) `Index` is an integer of at least 8 bits and has the extents of `DY`.
    - (C12) `resample` of `DX` has the extents of `DY`.
    - (C13) `DX` is declared where there is no `X`.

    Shapes: `DX` has the extents of `X`, which other modes than maxpool may be
    given for that alone. It is packed channels-last unless declared.

    Numerics: `DY` converts to the compute type, the sum is in it (f16 and bf16
    in f32) in unspecified order and rounds once. An element that no window
    reads is +0. A tap of weight 0 takes nothing.

    Tolerance: `u(DX) * |dx| + 2 * n * u(compute) * sum |weight * dy|` for n
    taps that read the element.

    ```mlir
    graph.graph @maxpool_backward(%dy: tensor<2x8x8x8xf32> {graph.uid = 1 : i64},
                                  %i: tensor<2x8x8x8xi8> {graph.uid = 2 : i64})
        -> (tensor<2x8x16x16xf32> {graph.uid = 3 : i64}) {
      %dx = graph.resample_backward maxpool %dy index %i {
          padding_mode = #graph<padding_mode neg_inf_pad>,
          window = array<i64: 3, 3>, stride = array<i64: 2, 2>,
          pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>}
          : (tensor<2x8x8x8xf32>, tensor<2x8x8x8xi8>) -> tensor<2x8x16x16xf32>
      graph.return %dx : tensor<2x8x16x16xf32>
    }
    ```
  }];
  let operandPorts = ["DY", "X", "Index"];
  let resultPorts = ["DX"];
  let arguments = !con(
      (ins Graph_Tensor:$loss, Optional<Graph_Tensor>:$input,
           Optional<Graph_Tensor>:$index),
      Graph_ResampleAttrs,
      (ins Graph_ComputeTypeAttr:$compute_type));
  let results = (outs Graph_Tensor:$DX);
  let assemblyFormat = [{
    $resample_mode $loss (`input` $input^)? (`index` $index^)? attr-dict `:`
    `(` type(operands) `)` `->` type($DX)
  }];
}

#endif // OPGRAPH_GRAPH_RESAMPLE_OPS_TD
