//===- NormBackwardOps.td - Norm gradients and more norms ---*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_GRAPH_NORM_BACKWARD_OPS_TD
#define OPGRAPH_GRAPH_NORM_BACKWARD_OPS_TD

include "dialects/Graph/GraphBase.td"

def Graph_LayernormBackwardOp : Graph_Op<"layernorm_backward",
    [AttrSizedResultSegments, ComputeTypeOpInterface], ["isResultPresent"]> {
  let summary = "Gradients of layernorm";
  let docGroup = "Normalisation";
  let description = [{
    The chain rule through `layernorm`. With `xh = (X - MEAN) * INV_VARIANCE`
    and `g = DY * SCALE` (an absent `SCALE` is 1): `DX = INV_VARIANCE * (g -
    mean_A(g) - xh * mean_A(g * xh))`, `DSCALE = sum(DY * xh)` and `DBIAS =
    sum(DY)` over all axes along which `SCALE` has extent 1.

    An axis is normalised where `SCALE` (right-aligned) has an extent other than
    1; without `SCALE`, every axis but 0 is. A is the set of normalised
    elements, n their number.

    Constraints:
    - (C1) `DY` has X's extents.
    - (C2) `SCALE` broadcasts to `X`.
    - (C3) `MEAN` and `INV_VARIANCE` broadcast to X's extents with 1 on the
      normalised axes.
    - (C4) the compute type is floating point.
    - (C5) `DSCALE` and `DBIAS` are returned with `SCALE`, and only then.

    Shapes: `DX` has X's extents and layout; `DSCALE` and `DBIAS` have SCALE's
    extents, packed channels-last.

    Numerics: everything is computed in the compute type (f16 and bf16 in f32),
    nothing inside rounds; sums run in it too. A NaN or infinity in A makes its
    row of `DX` NaN. A sum over no elements is 0.

    Tolerance: DX: `u(DX) * |dx| + 8 * n * u(compute) * INV_VARIANCE * (|g| +
    mean_A|g| + |xh| * mean_A|g * xh|)`; a sum over m terms: `u(result) * |sum|
    + (m + 4) * u(compute) * sum|term|`.

    ```mlir
    graph.graph @layernorm_backward(
        %dy: tensor<16x64xf32> {graph.uid = 1 : i64},
        %x: tensor<16x64xf32> {graph.uid = 2 : i64},
        %s: tensor<1x64xf32> {graph.uid = 3 : i64},
        %m: tensor<16x1xf32> {graph.uid = 4 : i64},
        %r: tensor<16x1xf32> {graph.uid = 5 : i64})
        -> (tensor<16x64xf32> {graph.uid = 6 : i64},
            tensor<1x64xf32> {graph.uid = 7 : i64},
            tensor<1x64xf32> {graph.uid = 8 : i64}) {
      %dx, %ds, %db = graph.layernorm_backward %dy, %x, %m, %r scale %s
          : (tensor<16x64xf32>, tensor<16x64xf32>, tensor<1x64xf32>,
             tensor<16x1xf32>, tensor<16x1xf32>)
          -> tensor<16x64xf32> dscale tensor<1x64xf32> dbias tensor<1x64xf32>
      graph.return %dx, %ds, %db
          : tensor<16x64xf32>, tensor<1x64xf32>, tensor<1x64xf32>
    }
    ```
  }];
  let operandPorts = ["DY", "X", "SCALE", "MEAN", "INV_VARIANCE"];
  let resultPorts = ["DX", "DSCALE", "DBIAS"];
  let arguments = (ins Graph_Tensor:$grad, Graph_Tensor:$input,
                       Optional<Graph_Tensor>:$scale, Graph_Tensor:$mean,
                       Graph_Tensor:$inv_variance,
                       Graph_ComputeTypeAttr:$compute_type);
  let results = (outs Graph_Tensor:$DX, Optional<Graph_Tensor>:$DSCALE,
                      Optional<Graph_Tensor>:$DBIAS);
  let assemblyFormat = [{
    $grad `,` $input `,` $mean `,` $inv_variance (`scale` $scale^)? attr-dict
    `:` `(` type(operands) `)` `->` type($DX) (`dscale` type($DSCALE)^)?
    (`dbias` type($DBIAS)^)?
  }];
}

def Graph_RmsnormBackwardOp : Graph_Op<"rmsnorm_backward",
    [AttrSizedResultSegments, ComputeTypeOpInterface], ["isResultPresent"]> {
  let summary = "Gradients of rmsnorm";
  let docGroup = "Normalisation";
  let description = [{
    The chain rule through `rmsnorm`. With `xh = X * INV_VARIANCE` and `g = DY *
    SCALE` (an absent `SCALE` is 1): `DX = INV_VARIANCE * (g - xh * mean_A(g *
    xh))`, `Dscale = sum(DY * xh)` and, with `has_dbias`, `Dbias = sum(DY)` over
    all axes along which `SCALE` has extent 1.

    An axis is normalised where `SCALE` (right-aligned) has an extent other than
    1; without `SCALE`, every axis but 0 is. A is the set of normalised
    elements, n their number.

    Constraints:
    - (C1) `DY` has X's extents.
    - (C2) `SCALE` broadcasts to `X`.
    - (C3) `INV_VARIANCE` broadcasts to X's extents with 1 on the normalised
      axes.
    - (C4) the compute type is floating point.
    - (C5) `Dscale` is returned with `SCALE`, `Dbias` with `SCALE` and
      `has_dbias`, and only then.

    Shapes: `DX` has X's extents and layout; `Dscale` and `Dbias` have SCALE's
    extents, packed channels-last.

    Numerics: everything is computed in the compute type (f16 and bf16 in f32),
    nothing inside rounds; sums run in it too. A NaN or infinity in A makes its
    row of `DX` NaN. A sum over no elements is 0.

    Tolerance: DX: `u(DX) * |dx| + 8 * n * u(compute) * INV_VARIANCE * (|g| +
    |xh| * mean_A|g * xh|)`; a sum over m terms: `u(result) * |sum| + (m + 4) *
    u(compute) * sum|term|`.

    ```mlir
    graph.graph @rmsnorm_backward(
        %dy: tensor<3x10x128xbf16> {graph.uid = 1 : i64},
        %x: tensor<3x10x128xbf16> {graph.uid = 2 : i64},
        %s: tensor<1x1x128xf32> {graph.uid = 3 : i64},
        %r: tensor<3x10x1xf32> {graph.uid = 4 : i64})
        -> (tensor<3x10x128xbf16> {graph.uid = 5 : i64},
            tensor<1x1x128xf32> {graph.uid = 6 : i64}) {
      %dx, %ds = graph.rmsnorm_backward %dy, %x, %r scale %s
          : (tensor<3x10x128xbf16>, tensor<3x10x128xbf16>, tensor<1x1x128xf32>,
             tensor<3x10x1xf32>)
          -> tensor<3x10x128xbf16> dscale tensor<1x1x128xf32>
      graph.return %dx, %ds : tensor<3x10x128xbf16>, tensor<1x1x128xf32>
    }
    ```
  }];
  let operandPorts = ["DY", "X", "SCALE", "INV_VARIANCE"];
  let resultPorts = ["DX", "Dscale", "Dbias"];
  let arguments = (ins Graph_Tensor:$grad, Graph_Tensor:$input,
                       Optional<Graph_Tensor>:$scale,
                       Graph_Tensor:$inv_variance, UnitAttr:$has_dbias,
                       Graph_ComputeTypeAttr:$compute_type);
  let results = (outs Graph_Tensor:$DX, Optional<Graph_Tensor>:$Dscale,
                      Optional<Graph_Tensor>:$Dbias);
  let assemblyFormat = [{
    $grad `,` $input `,` $inv_variance (`scale` $scale^)? attr-dict `:` `(`
    type(operands) `)` `->` type($DX) (`dscale` type($Dscale)^)? (`dbias`
    type($Dbias)^)?
  }];
}

def Graph_AdalayernormOp : Graph_Op<"adalayernorm",
    [AttrSizedResultSegments, ComputeTypeOpInterface], ["isResultPresent"]> {
  let summary = "Layernorm with a scale and a shift for each sample";
  let docGroup = "Normalisation";
  let description = [{
    `MEAN = mean_A(x)`, `INV_VARIANCE = 1 / sqrt(mean_A((x - MEAN)^2) +
    EPSILON)`, `Y = (x - MEAN) * INV_VARIANCE * SCALE + BIAS`; an absent `BIAS`
    is 0.

    Axis 0 is the batch, for `SCALE` and `BIAS` too. Of the other axes, one is
    normalised where `SCALE` has an extent other than 1. A is the set of
    normalised elements, n their number.

    Constraints:
    - (C1) `SCALE` has X's rank, at least 1, and broadcasts to `X`.
    - (C2) `BIAS` broadcasts to `X`.
    - (C3) `EPSILON` has one element.
    - (C4) the compute type is floating point.
    - (C5) statistics are returned in phase `training`, and only then.

    Shapes, numerics and tolerance are those of `layernorm`.

    ```mlir
    graph.graph @adalayernorm(%x: tensor<2x16x64xf32> {graph.uid = 1 : i64},
                              %s: tensor<2x1x64xf32> {graph.uid = 2 : i64},
                              %b: tensor<2x1x64xf32> {graph.uid = 3 : i64})
        -> (tensor<2x16x64xf32> {graph.uid = 4 : i64},
            tensor<2x16x1xf32> {graph.uid = 5 : i64},
            tensor<2x16x1xf32> {graph.uid = 6 : i64}) {
      %e = graph.constant 1.000000e-05 : f32 : tensor<1xf32>
      %y, %m, %r = graph.adalayernorm training %x scale %s bias %b epsilon %e
          : (tensor<2x16x64xf32>, tensor<2x1x64xf32>, tensor<2x1x64xf32>,
             tensor<1xf32>) -> tensor<2x16x64xf32> mean tensor<2x16x1xf32>
          inv_variance tensor<2x16x1xf32>
      graph.return %y, %m, %r
          : tensor<2x16x64xf32>, tensor<2x16x1xf32>, tensor<2x16x1xf32>
    }
    ```
  }];
  let operandPorts = ["X", "SCALE", "BIAS", "EPSILON"];
  let resultPorts = ["Y", "MEAN", "INV_VARIANCE"];
  let arguments = (ins Graph_Tensor:$input, Graph_Tensor:$scale,
                       Optional<Graph_Tensor>:$bias, Graph_Tensor:$epsilon,
                       Graph_NormForwardPhase:$norm_forward_phase,
                       Graph_ComputeTypeAttr:$compute_type);
  let results = (outs Graph_Tensor:$Y, Optional<Graph_Tensor>:$MEAN,
                      Optional<Graph_Tensor>:$INV_VARIANCE);
  let assemblyFormat = [{
    $norm_forward_phase $input `scale` $scale (`bias` $bias^)? `epsilon`
    $epsilon attr-dict `:` `(` type(operands) `)` `->` type($Y) (`mean`
    type($MEAN)^)? (`inv_variance` type($INV_VARIANCE)^)?
  }];
}

def Graph_AdalayernormBackwardOp : Graph_Op<"adalayernorm_backward",
    [ComputeTypeOpInterface]> {
  let summary = "Gradients of adalayernorm";
  let docGroup = "Normalisation";
  let description = [{
    The chain rule through `adalayernorm`; `DX`, `DSCALE` and `DBIAS` are those
    of `layernorm_backward`, so that a `SCALE` for each sample has a `DSCALE`
    and a `DBIAS` for each sample.

    Axis 0 is the batch, for `SCALE` and `BIAS` too. Of the other axes, one is
    normalised where `SCALE` has an extent other than 1. A is the set of
    normalised elements, n their number.

    Constraints:
    - (C1) `DY` has X's extents.
    - (C2) `SCALE` has X's rank, at least 1, and broadcasts to `X`.
    - (C3) `MEAN` and `INV_VARIANCE` broadcast to X's extents with 1 on the
      normalised axes.
    - (C4) the compute type is floating point.

    Shapes: `DX` has X's extents and layout; `DSCALE` and `DBIAS` have SCALE's
    extents, row-major. Numerics and tolerance are those of
    `layernorm_backward`.

    ```mlir
    graph.graph @adalayernorm_backward(
        %dy: tensor<2x16x64xf32> {graph.uid = 1 : i64},
        %x: tensor<2x16x64xf32> {graph.uid = 2 : i64},
        %s: tensor<2x1x64xf32> {graph.uid = 3 : i64},
        %m: tensor<2x16x1xf32> {graph.uid = 4 : i64},
        %r: tensor<2x16x1xf32> {graph.uid = 5 : i64})
        -> (tensor<2x16x64xf32> {graph.uid = 6 : i64},
            tensor<2x1x64xf32> {graph.uid = 7 : i64},
            tensor<2x1x64xf32> {graph.uid = 8 : i64}) {
      %dx, %ds, %db = graph.adalayernorm_backward %dy, %x, %s, %m, %r
          : (tensor<2x16x64xf32>, tensor<2x16x64xf32>, tensor<2x1x64xf32>,
             tensor<2x16x1xf32>, tensor<2x16x1xf32>)
          -> tensor<2x16x64xf32>, tensor<2x1x64xf32>, tensor<2x1x64xf32>
      graph.return %dx, %ds, %db
          : tensor<2x16x64xf32>, tensor<2x1x64xf32>, tensor<2x1x64xf32>
    }
    ```
  }];
  let operandPorts = ["DY", "X", "SCALE", "MEAN", "INV_VARIANCE"];
  let resultPorts = ["DX", "DSCALE", "DBIAS"];
  let arguments = (ins Graph_Tensor:$grad, Graph_Tensor:$input,
                       Graph_Tensor:$scale, Graph_Tensor:$mean,
                       Graph_Tensor:$inv_variance,
                       Graph_ComputeTypeAttr:$compute_type);
  let results = (outs Graph_Tensor:$DX, Graph_Tensor:$DSCALE,
                      Graph_Tensor:$DBIAS);
  let assemblyFormat = [{
    $grad `,` $input `,` $scale `,` $mean `,` $inv_variance attr-dict `:` `(`
    type(operands) `)` `->` type($DX) `,` type($DSCALE) `,` type($DBIAS)
  }];
}

def Graph_InstancenormOp : Graph_Op<"instancenorm",
    [AttrSizedResultSegments, ComputeTypeOpInterface], ["isResultPresent"]> {
  let summary = "Normalise each channel of each sample over the spatial axes";
  let docGroup = "Normalisation";
  let description = [{
    For `X` of extents `[N, C, spatial...]`, A being the elements of one channel
    of one sample: `MEAN = mean_A(x)`, `INV_VARIANCE = 1 / sqrt(mean_A((x -
    MEAN)^2) + EPSILON)`, `Y = (x - MEAN) * INV_VARIANCE * SCALE + BIAS`.

    Constraints:
    - (C1) `X` has rank 2 or more.
    - (C2) `SCALE` and `BIAS` broadcast to `[1, C, 1...]`.
    - (C3) `EPSILON` has one element.
    - (C4) the compute type is floating point.
    - (C5) statistics are returned in phase `training`, and only then.

    Shapes: `Y` has X's extents and layout; a statistic is `[N, C, 1...]`,
    packed in X's memory order, f32 unless declared.

    Numerics and tolerance are those of `layernorm`. At rank 2 a mean is over
    one element, so that `Y` is `BIAS` for finite `X`.

    ```mlir
    graph.graph @instancenorm(%x: tensor<2x8x4x4xf16> {graph.uid = 1 : i64},
                              %s: tensor<1x8x1x1xf32> {graph.uid = 2 : i64},
                              %b: tensor<1x8x1x1xf32> {graph.uid = 3 : i64})
        -> (tensor<2x8x4x4xf16> {graph.uid = 4 : i64}) {
      %e = graph.constant 1.000000e-05 : f32 : tensor<1xf32>
      %y = graph.instancenorm inference %x scale %s bias %b epsilon %e
          : (tensor<2x8x4x4xf16>, tensor<1x8x1x1xf32>, tensor<1x8x1x1xf32>,
             tensor<1xf32>) -> tensor<2x8x4x4xf16>
      graph.return %y : tensor<2x8x4x4xf16>
    }
    ```
  }];
  let operandPorts = ["X", "SCALE", "BIAS", "EPSILON"];
  let resultPorts = ["Y", "MEAN", "INV_VARIANCE"];
  let arguments = (ins Graph_Tensor:$input, Graph_Tensor:$scale,
                       Graph_Tensor:$bias, Graph_Tensor:$epsilon,
                       Graph_NormForwardPhase:$norm_forward_phase,
                       Graph_ComputeTypeAttr:$compute_type);
  let results = (outs Graph_Tensor:$Y, Optional<Graph_Tensor>:$MEAN,
                      Optional<Graph_Tensor>:$INV_VARIANCE);
  let assemblyFormat = [{
    $norm_forward_phase $input `scale` $scale `bias` $bias `epsilon` $epsilon
    attr-dict `:` `(` type(operands) `)` `->` type($Y) (`mean` type($MEAN)^)?
    (`inv_variance` type($INV_VARIANCE)^)?
  }];
}

def Graph_InstancenormBackwardOp : Graph_Op<"instancenorm_backward",
    [ComputeTypeOpInterface]> {
  let summary = "Gradients of instancenorm";
  let docGroup = "Normalisation";
  let description = [{
    The chain rule through `instancenorm`. With `xh = (X - MEAN) *
    INV_VARIANCE`, `g = DY * SCALE` and A the elements of one channel of one
    sample: `DX = INV_VARIANCE * (g - mean_A(g) - xh * mean_A(g * xh))`; `DSCALE
    = sum(DY * xh)` and `DBIAS = sum(DY)` over all axes but the channel.

    Constraints:
    - (C1) `X` has rank 2 or more.
    - (C2) `DY` has X's extents.
    - (C3) `SCALE` broadcasts to `[1, C, 1...]`.
    - (C4) `MEAN` and `INV_VARIANCE` broadcast to `[N, C, 1...]`.
    - (C5) the compute type is floating point.

    Shapes: `DX` has X's extents and layout; `DSCALE` and `DBIAS` are `[1, C,
    1...]`, packed channels-last. Numerics and tolerance are those of
    `layernorm_backward`.

    ```mlir
    graph.graph @instancenorm_backward(
        %dy: tensor<2x8x4x4xf16> {graph.uid = 1 : i64},
        %x: tensor<2x8x4x4xf16> {graph.uid = 2 : i64},
        %s: tensor<1x8x1x1xf32> {graph.uid = 3 : i64},
        %m: tensor<2x8x1x1xf32> {graph.uid = 4 : i64},
        %r: tensor<2x8x1x1xf32> {graph.uid = 5 : i64})
        -> (tensor<2x8x4x4xf16> {graph.uid = 6 : i64}) {
      %dx, %ds, %db = graph.instancenorm_backward %dy, %x, %s, %m, %r
          : (tensor<2x8x4x4xf16>, tensor<2x8x4x4xf16>, tensor<1x8x1x1xf32>,
             tensor<2x8x1x1xf32>, tensor<2x8x1x1xf32>)
          -> tensor<2x8x4x4xf16>, tensor<1x8x1x1xf32>, tensor<1x8x1x1xf32>
      graph.return %dx : tensor<2x8x4x4xf16>
    }
    ```
  }];
  let operandPorts = ["DY", "X", "SCALE", "MEAN", "INV_VARIANCE"];
  let resultPorts = ["DX", "DSCALE", "DBIAS"];
  let arguments = (ins Graph_Tensor:$grad, Graph_Tensor:$input,
                       Graph_Tensor:$scale, Graph_Tensor:$mean,
                       Graph_Tensor:$inv_variance,
                       Graph_ComputeTypeAttr:$compute_type);
  let results = (outs Graph_Tensor:$DX, Graph_Tensor:$DSCALE,
                      Graph_Tensor:$DBIAS);
  let assemblyFormat = [{
    $grad `,` $input `,` $scale `,` $mean `,` $inv_variance attr-dict `:` `(`
    type(operands) `)` `->` type($DX) `,` type($DSCALE) `,` type($DBIAS)
  }];
}

#endif // OPGRAPH_GRAPH_NORM_BACKWARD_OPS_TD
