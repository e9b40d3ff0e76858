//===- ConvOps.td - Convolution and its gradients ----------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_GRAPH_CONV_OPS_TD
#define OPGRAPH_GRAPH_CONV_OPS_TD

include "dialects/Graph/GraphBase.td"

/// What the three convolutions share: one entry of each array per spatial axis.
class Graph_ConvOp<string mnemonic, dag operands>
    : Graph_Op<mnemonic, [ComputeTypeOpInterface]> {
  let docGroup = "Convolution";
  let arguments = !con(operands, (ins
      DenseI64ArrayAttr:$pre_padding, DenseI64ArrayAttr:$post_padding,
      DenseI64ArrayAttr:$stride, DenseI64ArrayAttr:$dilation,
      DefaultValuedAttr<Graph_ConvolutionMode,
        "::opgraph::graph::ConvolutionMode::CROSS_CORRELATION">:$convolution_mode,
      Graph_ComputeTypeAttr:$compute_type, UnitAttr:$ieee,
      UnitAttr:$fast_fp8_accumulation));
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

def Graph_ConvFpropOp : Graph_ConvOp<"conv_fprop",
    (ins Graph_Tensor:$image, Graph_Tensor:$weight)> {
  let summary = "Convolution";
  let description = [{
    `Y[n, k, p] = sum over c, r of X[n, g * C' + c, p * stride + r * dilation -
    pre_padding] * W[k, c, r]` for 1 to 3 spatial axes at once: `X` is
    `[N, C, spatial...]`, `W` is `[K, C', kernel...]`, `Y` is
    `[N, K, spatial...]`. There are `G = C / C'` groups and `k` is in group
    `g = floor(k / (K / G))`. Mode `convolution` takes `W[k, c, kernel - 1 - r]`
    instead (the filter is flipped on every spatial axis). Taps outside of `X`
    contribute nothing, whatever `W` holds there.

    Constraints:
    - (C1) `X` and `W` have one rank, from 3 to 5.
    - (C2) `pre_padding`, `post_padding`, `stride` and `dilation` are set and
      have one entry for each spatial axis.
    - (C3) paddings are at least 0, strides and dilations at least 1, and all
      below 2^31.
    - (C4) `C` is a positive multiple of `C'`, or both are 0; `K` is a multiple
      of the groups. Symbolic channels are equal (one group).
    - (C5) each spatial extent of `W` is a number, at least 1.
    - (C6) the window, `dilation * (kernel - 1) + 1`, fits into the padded
      spatial extents of `X`, which are below 2^60.
    - (C7) a spatial extent of `X` is a symbol only where `Y` has the same one:
      stride 1, and paddings that add up to `dilation * (kernel - 1)`.
    - (C8) the compute type is a number.

    Shapes: a spatial extent of `Y` is `1 + floor((in + pre_padding +
    post_padding - dilation * (kernel - 1) - 1) / stride)`. `Y` is packed
    channels-last (channel fastest) unless declared.

    Numerics: operands convert to the compute type, products are summed in f32
    (f64 for compute type f64, wrapping i32 or i64 for those) in unspecified
    order, and the sum rounds once to Y's element type. A sum over no taps is
    +0. NaN and infinities inside of `X` propagate as IEEE products and sums do.
    f32 operands may be read as tf32 unless `ieee` is set;
    `fast_fp8_accumulation` allows the narrow accumulator of fp8 hardware.

    Tolerance: `u(Y) * |y| + 2 * n * u(acc) * sum |x * w|` for n products, and
    `+ 2 * u(tf32) * sum |x * w|` where tf32 is allowed. Integer compute types
    are exact.

    ```mlir
    graph.graph @conv(%x: tensor<4x16x64x64xf16> {graph.uid = 1 : i64},
                      %w: tensor<32x16x3x3xf16> {graph.uid = 2 : i64})
        -> (tensor<4x32x64x64xf16, #graph.layout<strides = [131072, 1, 2048, 32]>>
            {graph.uid = 3 : i64}) {
      %y = graph.conv_fprop %x, %w {
          pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>,
          stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
          : (tensor<4x16x64x64xf16>, tensor<32x16x3x3xf16>)
          -> tensor<4x32x64x64xf16, #graph.layout<strides = [131072, 1, 2048, 32]>>
      graph.return %y
          : tensor<4x32x64x64xf16, #graph.layout<strides = [131072, 1, 2048, 32]>>
    }
    ```
  }];
  let operandPorts = ["X", "W"];
  let resultPorts = ["Y"];
  let results = (outs Graph_Tensor:$Y);
}

def Graph_ConvDgradOp : Graph_ConvOp<"conv_dgrad",
    (ins Graph_Tensor:$loss, Graph_Tensor:$filter)> {
  let summary = "Gradient of a convolution with respect to its image";
  let description = [{
    `DX[n, g * C' + c, i] = sum of DY[n, k, p] * W[k, c, r]` over all `k` of
    group `g` and all `p`, `r` with `p * stride + r * dilation - pre_padding =
    i`: the transpose of `conv_fprop` with the same attributes, whose terms
    (groups, the flipped filter of mode `convolution`) are used here.

    Constraints:
    - (C1) `DY` and `W` have one rank, from 3 to 5; `DX`, if declared, has it
      too.
    - (C2) `pre_padding`, `post_padding`, `stride` and `dilation` are set and
      have one entry for each spatial axis.
    - (C3) paddings are at least 0, strides and dilations at least 1, and all
      below 2^31.
    - (C4) the channels of `DX` are a positive multiple of `C'`, or both are 0;
      `K` is a multiple of the groups. Symbolic channels are equal (one group).
    - (C5) each spatial extent of `W` is a number, at least 1.
    - (C6) the window fits into the padded spatial extents of `DX`, which are
      below 2^60.
    - (C7) a spatial extent of `DX` is a symbol only where `DY` has the same one.
    - (C8) the compute type is a number.
    - (C9) `conv_fprop` of `DX` and `W` has the extents of `DY`.

    Shapes: without declared dims `DX` has `C'` channels (one group) and the
    least spatial extents that give those of `DY`: `(out - 1) * stride + dilation
    * (kernel - 1) + 1 - pre_padding - post_padding`, at least 0. `DX` is packed
    channels-last unless declared.

    Numerics: as `conv_fprop`. An element of `DX` that no window reaches is +0.

    Tolerance: `u(DX) * |dx| + 2 * n * u(acc) * sum |dy * w|` for n products, and
    `+ 2 * u(tf32) * sum |dy * w|` where tf32 is allowed. Integer compute types
    are exact.

    ```mlir
    graph.graph @dgrad(%dy: tensor<2x8x5x5xf32> {graph.uid = 1 : i64},
                       %w: tensor<8x4x3x3xf32> {graph.uid = 2 : i64})
        -> (tensor<2x4x10x10xf32> {graph.uid = 3 : i64}) {
      %dx = graph.conv_dgrad %dy, %w {
          pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>,
          stride = array<i64: 2, 2>, dilation = array<i64: 1, 1>}
          : (tensor<2x8x5x5xf32>, tensor<8x4x3x3xf32>) -> tensor<2x4x10x10xf32>
      graph.return %dx : tensor<2x4x10x10xf32>
    }
    ```
  }];
  let operandPorts = ["DY", "W"];
  let resultPorts = ["DX"];
  let results = (outs Graph_Tensor:$DX);
}

def Graph_ConvWgradOp : Graph_ConvOp<"conv_wgrad",
    (ins Graph_Tensor:$image, Graph_Tensor:$loss)> {
  let summary = "Gradient of a convolution with respect to its filter";
  let description = [{
    `DW[k, c, r] = sum over n, p of DY[n, k, p] * X[n, g * C' + c, p * stride + r
    * dilation - pre_padding]`: the gradient of `conv_fprop` with the same
    attributes, whose terms are used here. Mode `convolution` gives that sum to
    `DW[k, c, kernel - 1 - r]`. Taps outside of `X` contribute nothing.

    Constraints:
    - (C1) `X`, `DY` and `DW` have one rank, from 3 to 5.
    - (C2) `pre_padding`, `post_padding`, `stride` and `dilation` are set and
      have one entry for each spatial axis.
    - (C3) paddings are at least 0, strides and dilations at least 1, and all
      below 2^31.
    - (C4) `C` is a positive multiple of `C'`, or both are 0; `K` is a multiple
      of the groups. Symbolic channels are equal (one group).
    - (C5) each spatial extent of `DW` is a number, at least 1.
    - (C6) the window fits into the padded spatial extents of `X`, which are
      below 2^60.
    - (C7) a spatial extent of `X` is a symbol only where `DY` has the same one.
    - (C8) the compute type is a number.
    - (C9) `conv_fprop` of `X` and `DW` has the extents of `DY`.
    - (C10) `DW` is declared.

    Shapes: dims of `DW` are required, since neither its groups nor its kernel
    follow from `X` and `DY`. It is packed channels-last unless declared.

    Numerics: as `conv_fprop`. A sum over no batch or no taps is +0.

    Tolerance: `u(DW) * |dw| + 2 * n * u(acc) * sum |dy * x|` for n products, and
    `+ 2 * u(tf32) * sum |dy * x|` where tf32 is allowed. Integer compute types
    are exact.

    ```mlir
    graph.graph @wgrad(%x: tensor<2x4x10x10xf32> {graph.uid = 1 : i64},
                       %dy: tensor<2x8x5x5xf32> {graph.uid = 2 : i64})
        -> (tensor<8x4x3x3xf32> {graph.uid = 3 : i64}) {
      %dw = graph.conv_wgrad %x, %dy {
          pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>,
          stride = array<i64: 2, 2>, dilation = array<i64: 1, 1>}
          : (tensor<2x4x10x10xf32>, tensor<2x8x5x5xf32>) -> tensor<8x4x3x3xf32>
      graph.return %dw : tensor<8x4x3x3xf32>
    }
    ```
  }];
  let operandPorts = ["X", "DY"];
  let resultPorts = ["DW"];
  let results = (outs Graph_Tensor:$DW);
}

#endif // OPGRAPH_GRAPH_CONV_OPS_TD
