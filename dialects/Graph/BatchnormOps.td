//===- BatchnormOps.td - Batch normalisation ---------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_GRAPH_BATCHNORM_OPS_TD
#define OPGRAPH_GRAPH_BATCHNORM_OPS_TD

include "dialects/Graph/GraphBase.td"

def Graph_BatchnormOp : Graph_Op<"batchnorm",
    [AttrSizedOperandSegments, AttrSizedResultSegments, ComputeTypeOpInterface],
    ["isResultPresent"]> {
  let summary = "Normalise each channel over batch and space, in training";
  let docGroup = "Batch normalisation";
  let description = [{
    For `X` of extents `[N, C, spatial...]`, A being the n elements of a
    channel: `MEAN = mean_A(x)`, `V = mean_A((x - MEAN)^2)`, `INV_VARIANCE = 1 /
    sqrt(V + EPSILON)`, `Y = (x - MEAN) * INV_VARIANCE * SCALE + BIAS`,
    `NEXT_RUNNING_MEAN = (1 - MOMENTUM) * PREV_RUNNING_MEAN + MOMENTUM * MEAN`,
    `NEXT_RUNNING_VAR = (1 - MOMENTUM) * PREV_RUNNING_VAR + MOMENTUM * V * n /
    max(n - 1, 1)`.

    Each `PEER_STAT` describes the elements that another participant has of the
    same batch: along axis 0 their count, their mean and the sum of their
    squared deviations from it, by channel. They count as elements of A: n,
    `MEAN` and V are those of all participants (merged one by one as `d = mean_b
    - mean_a`, `mean = mean_a + d * n_b / n`, `M2 = M2_a + M2_b + d^2 * n_a *
    n_b / n`; Chan, Golub and LeVeque 1979). A peer whose count is not above 0
    is left out.

    Constraints:
    - (C1) `X` has rank 2 or more.
    - (C2) `SCALE`, `BIAS` and the running statistics broadcast to `[1, C,
      1...]`.
    - (C3) `EPSILON` and `MOMENTUM` have one element.
    - (C4) `PREV_RUNNING_MEAN`, `PREV_RUNNING_VAR` and `MOMENTUM` are given
      together.
    - (C5) each `PEER_STAT` is `[3, C, 1...]`.
    - (C6) each `PEER_STAT` is f32 or f64.
    - (C7) the compute type is floating point.
    - (C8) the next running statistics are returned with the previous ones and
      `MOMENTUM`, and only then.

    Shapes: `Y` has X's extents and layout; the others are `[1, C, 1...]`,
    packed in X's memory order, f32 unless declared.

    Numerics: everything is computed in the compute type (f16 and bf16 in f32),
    nothing inside rounds. V is taken about the mean, so that it is never
    negative; where a square overflows the compute type, an engine may hold it
    to be infinite. A NaN or infinity in a channel makes all of it NaN. With n =
    0 the statistics are NaN and the running statistics stay as they are; with n
    = 1, V is 0. A running statistic may be updated in place.

    Tolerance: `u(Y) * |y| + 4 * n * u(compute) * (|x - MEAN| * INV_VARIANCE + 1
    + |MEAN| * INV_VARIANCE) * |SCALE| + u(compute) * |BIAS|`.

    ```mlir
    graph.graph @batchnorm(%x: tensor<4x16x8x8xf16> {graph.uid = 1 : i64},
                           %s: tensor<1x16x1x1xf32> {graph.uid = 2 : i64},
                           %b: tensor<1x16x1x1xf32> {graph.uid = 3 : i64},
                           %rm: tensor<1x16x1x1xf32> {graph.uid = 4 : i64},
                           %rv: tensor<1x16x1x1xf32> {graph.uid = 5 : i64})
        -> (tensor<4x16x8x8xf16> {graph.uid = 6 : i64},
            tensor<1x16x1x1xf32> {graph.uid = 7 : i64},
            tensor<1x16x1x1xf32> {graph.uid = 8 : i64}) {
      %e = graph.constant 1.000000e-05 : f32 : tensor<1xf32>
      %f = graph.constant 1.000000e-01 : f32 : tensor<1xf32>
      %y, %m, %r, %nm, %nv = graph.batchnorm %x scale %s bias %b
          running_mean %rm running_var %rv epsilon %e momentum %f
          : (tensor<4x16x8x8xf16>, tensor<1x16x1x1xf32>, tensor<1x16x1x1xf32>,
             tensor<1x16x1x1xf32>, tensor<1x16x1x1xf32>, tensor<1xf32>,
             tensor<1xf32>)
          -> tensor<4x16x8x8xf16>, tensor<1x16x1x1xf32>, tensor<1x16x1x1xf32>
             next_running_mean tensor<1x16x1x1xf32>
             next_running_var tensor<1x16x1x1xf32>
      graph.return %y, %nm, %nv
          : tensor<4x16x8x8xf16>, tensor<1x16x1x1xf32>, tensor<1x16x1x1xf32>
    }
    ```
  }];
  let operandPorts = ["X", "SCALE", "BIAS", "PREV_RUNNING_MEAN",
                      "PREV_RUNNING_VAR", "EPSILON", "MOMENTUM", "PEER_STAT"];
  let resultPorts = ["Y", "MEAN", "INV_VARIANCE", "NEXT_RUNNING_MEAN",
                     "NEXT_RUNNING_VAR"];
  let arguments = (ins Graph_Tensor:$input, Graph_Tensor:$scale,
                       Graph_Tensor:$bias,
                       Optional<Graph_Tensor>:$in_running_mean,
                       Optional<Graph_Tensor>:$in_running_var,
                       Graph_Tensor:$epsilon, Optional<Graph_Tensor>:$momentum,
                       Variadic<Graph_Tensor>:$peer_stats,
                       Graph_ComputeTypeAttr:$compute_type);
  let results = (outs Graph_Tensor:$Y, Graph_Tensor:$MEAN,
                      Graph_Tensor:$INV_VARIANCE,
                      Optional<Graph_Tensor>:$NEXT_RUNNING_MEAN,
                      Optional<Graph_Tensor>:$NEXT_RUNNING_VAR);
  let assemblyFormat = [{
    $input `scale` $scale `bias` $bias (`running_mean` $in_running_mean^)?
    (`running_var` $in_running_var^)? `epsilon` $epsilon (`momentum`
    $momentum^)? (`peer_stats` $peer_stats^)? attr-dict `:` `(` type(operands)
    `)` `->` type($Y) `,` type($MEAN) `,` type($INV_VARIANCE)
    (`next_running_mean` type($NEXT_RUNNING_MEAN)^)? (`next_running_var`
    type($NEXT_RUNNING_VAR)^)?
  }];
}

def Graph_BatchnormInferenceOp : Graph_Op<"batchnorm_inference",
    [ComputeTypeOpInterface]> {
  let summary = "Normalise each channel by given statistics";
  let docGroup = "Batch normalisation";
  let description = [{
    For `X` of extents `[N, C, spatial...]`, by channel: `Y = (x - MEAN) *
    INV_VARIANCE * SCALE + BIAS`. `INV_VARIANCE` is the inverse deviation, `1 /
    sqrt(variance + epsilon)`.

    Constraints:
    - (C1) `X` has rank 2 or more.
    - (C2) `MEAN`, `INV_VARIANCE`, `SCALE` and `BIAS` broadcast to `[1, C,
      1...]`.
    - (C3) the compute type is floating point.

    Shapes: `Y` has X's extents and layout.

    Numerics: everything is computed in the compute type (f16 and bf16 in f32),
    nothing inside rounds.

    Tolerance: `u(Y) * |y| + 4 * u(compute) * ((|x| + |MEAN|) * INV_VARIANCE *
    |SCALE| + |BIAS|)`.

    ```mlir
    graph.graph @batchnorm_inference(
        %x: tensor<4x16x8x8xf16> {graph.uid = 1 : i64},
        %m: tensor<1x16x1x1xf32> {graph.uid = 2 : i64},
        %r: tensor<1x16x1x1xf32> {graph.uid = 3 : i64},
        %s: tensor<1x16x1x1xf32> {graph.uid = 4 : i64},
        %b: tensor<1x16x1x1xf32> {graph.uid = 5 : i64})
        -> (tensor<4x16x8x8xf16> {graph.uid = 6 : i64}) {
      %y = graph.batchnorm_inference %x, %m, %r, %s, %b
          : (tensor<4x16x8x8xf16>, tensor<1x16x1x1xf32>, tensor<1x16x1x1xf32>,
             tensor<1x16x1x1xf32>, tensor<1x16x1x1xf32>) -> tensor<4x16x8x8xf16>
      graph.return %y : tensor<4x16x8x8xf16>
    }
    ```
  }];
  let operandPorts = ["X", "MEAN", "INV_VARIANCE", "SCALE", "BIAS"];
  let resultPorts = ["Y"];
  let arguments = (ins Graph_Tensor:$input, Graph_Tensor:$mean,
                       Graph_Tensor:$inv_variance, Graph_Tensor:$scale,
                       Graph_Tensor:$bias, Graph_ComputeTypeAttr:$compute_type);
  let results = (outs Graph_Tensor:$Y);
  let assemblyFormat = [{
    $input `,` $mean `,` $inv_variance `,` $scale `,` $bias attr-dict `:` `(`
    type(operands) `)` `->` type($Y)
  }];
}

def Graph_BatchnormBackwardOp : Graph_Op<"batchnorm_backward",
    [ComputeTypeOpInterface]> {
  let summary = "Gradients of batchnorm";
  let docGroup = "Batch normalisation";
  let description = [{
    The chain rule through `batchnorm`. With `xh = (X - MEAN) * INV_VARIANCE`,
    `g = DY * SCALE` and A the n elements of a channel: `DSCALE = sum_A(DY *
    xh)`, `DBIAS = sum_A(DY)`, `DX = INV_VARIANCE * (g - mean_A(g) - xh *
    mean_A(g * xh))`.

    Each `PEER_STAT` describes the elements that another participant has of the
    same batch: along axis 0 their count, `sum(DY)` and `sum(DY * xh)`, by
    channel, that is what the other participant has as `DBIAS` and `DSCALE`.
    They enter n and the two means of `DX`; `DSCALE` and `DBIAS` stay sums over
    the local elements, to be reduced with the other parameters' gradients. A
    peer whose count is not above 0 is left out.

    Constraints:
    - (C1) `X` has rank 2 or more.
    - (C2) `DY` has X's extents.
    - (C3) `SCALE`, `MEAN` and `INV_VARIANCE` broadcast to `[1, C, 1...]`.
    - (C4) each `PEER_STAT` is `[3, C, 1...]`.
    - (C5) each `PEER_STAT` is f32 or f64.
    - (C6) the compute type is floating point.

    Shapes: `DX` has X's extents and layout; `DSCALE` and `DBIAS` are `[1, C,
    1...]`, packed in X's memory order.

    Numerics and tolerance are those of `layernorm_backward`.

    ```mlir
    graph.graph @batchnorm_backward(
        %dy: tensor<4x16x8x8xf16> {graph.uid = 1 : i64},
        %x: tensor<4x16x8x8xf16> {graph.uid = 2 : i64},
        %s: tensor<1x16x1x1xf32> {graph.uid = 3 : i64},
        %m: tensor<1x16x1x1xf32> {graph.uid = 4 : i64},
        %r: tensor<1x16x1x1xf32> {graph.uid = 5 : i64},
        %peer: tensor<3x16x1x1xf32> {graph.uid = 6 : i64})
        -> (tensor<4x16x8x8xf16> {graph.uid = 7 : i64},
            tensor<1x16x1x1xf32> {graph.uid = 8 : i64},
            tensor<1x16x1x1xf32> {graph.uid = 9 : i64}) {
      %dx, %ds, %db = graph.batchnorm_backward %dy, %x, %s, %m, %r
          peer_stats %peer
          : (tensor<4x16x8x8xf16>, tensor<4x16x8x8xf16>, tensor<1x16x1x1xf32>,
             tensor<1x16x1x1xf32>, tensor<1x16x1x1xf32>, tensor<3x16x1x1xf32>)
          -> tensor<4x16x8x8xf16>, tensor<1x16x1x1xf32>, tensor<1x16x1x1xf32>
      graph.return %dx, %ds, %db
          : tensor<4x16x8x8xf16>, tensor<1x16x1x1xf32>, tensor<1x16x1x1xf32>
    }
    ```
  }];
  let operandPorts = ["DY", "X", "SCALE", "MEAN", "INV_VARIANCE", "PEER_STAT"];
  let resultPorts = ["DX", "DSCALE", "DBIAS"];
  let arguments = (ins Graph_Tensor:$grad, Graph_Tensor:$input,
                       Graph_Tensor:$scale, Graph_Tensor:$mean,
                       Graph_Tensor:$inv_variance,
                       Variadic<Graph_Tensor>:$peer_stats,
                       Graph_ComputeTypeAttr:$compute_type);
  let results = (outs Graph_Tensor:$DX, Graph_Tensor:$DSCALE,
                      Graph_Tensor:$DBIAS);
  let assemblyFormat = [{
    $grad `,` $input `,` $scale `,` $mean `,` $inv_variance (`peer_stats`
    $peer_stats^)? attr-dict `:` `(` type(operands) `)` `->` type($DX) `,`
    type($DSCALE) `,` type($DBIAS)
  }];
}

def Graph_GenstatsOp : Graph_Op<"genstats", [ComputeTypeOpInterface]> {
  let summary = "Sum and sum of squares of each channel";
  let docGroup = "Batch normalisation";
  let description = [{
    For `X` of extents `[N, C, spatial...]`, A being the n elements of a
    channel: `SUM = sum_A(x)`, `SQ_SUM = sum_A(x^2)`.

    Constraints:
    - (C1) `X` has rank 2 or more.
    - (C2) the compute type is floating point.

    Shapes: both are `[1, C, 1...]`, packed channels-last, f32 unless declared.

    Numerics: everything is computed in the compute type (f16 and bf16 in f32),
    sums too. A sum over no elements is 0.

    Tolerance: `u(result) * |sum| + (n + 2) * u(compute) * sum|term|`.

    ```mlir
    graph.graph @genstats(%x: tensor<4x32x8x8xf16> {graph.uid = 1 : i64})
        -> (tensor<1x32x1x1xf32> {graph.uid = 2 : i64},
            tensor<1x32x1x1xf32> {graph.uid = 3 : i64}) {
      %s, %q = graph.genstats %x : (tensor<4x32x8x8xf16>)
          -> tensor<1x32x1x1xf32>, tensor<1x32x1x1xf32>
      graph.return %s, %q : tensor<1x32x1x1xf32>, tensor<1x32x1x1xf32>
    }
    ```
  }];
  let operandPorts = ["X"];
  let resultPorts = ["SUM", "SQ_SUM"];
  let arguments = (ins Graph_Tensor:$input,
                       Graph_ComputeTypeAttr:$compute_type);
  let results = (outs Graph_Tensor:$SUM, Graph_Tensor:$SQ_SUM);
  let assemblyFormat = [{
    $input attr-dict `:` `(` type(operands) `)` `->` type($SUM) `,`
    type($SQ_SUM)
  }];
}

def Graph_BnFinalizeOp : Graph_Op<"bn_finalize",
    [AttrSizedOperandSegments, AttrSizedResultSegments, ComputeTypeOpInterface],
    ["isResultPresent"]> {
  let summary = "Statistics and affine form of batchnorm from sums";
  let docGroup = "Batch normalisation";
  let description = [{
    Elementwise, from the sums of `genstats` over n = `ACCUM_COUNT` elements:
    `MEAN = SUM / n`, `V = max(SQ_SUM / n - MEAN^2, 0)`, `INV_VARIANCE = 1 /
    sqrt(V + EPSILON)`, `EQ_SCALE = SCALE * INV_VARIANCE`, `EQ_BIAS = BIAS -
    MEAN * EQ_SCALE`, so that batchnorm is `y = x * EQ_SCALE + EQ_BIAS`. The
    next running statistics are those of `batchnorm`.

    Constraints:
    - (C1) `SQ_SUM` has SUM's extents.
    - (C2) `SCALE`, `BIAS` and the running statistics broadcast to `SUM`.
    - (C3) `EPSILON`, `ACCUM_COUNT` and `MOMENTUM` have one element.
    - (C4) `PREV_RUNNING_MEAN`, `PREV_RUNNING_VAR` and `MOMENTUM` are given
      together.
    - (C5) the compute type is floating point.
    - (C6) the next running statistics are returned with the previous ones and
      `MOMENTUM`, and only then.

    Shapes: all results have SUM's extents, packed in SUM's memory order, f32
    unless declared.

    Numerics: everything is computed in the compute type (f16 and bf16 in f32),
    nothing inside rounds. V cancels where the mean is far from 0; the sums fix
    that. Where n is not above 0, the results are NaN and the running statistics
    stay as they are. A running statistic may be updated in place.

    Tolerance: with `e = 4 * u(compute) * (SQ_SUM / n + MEAN^2)` for the
    variance, `u(result) * |value| + (e * INV_VARIANCE^2 + 8 * u(compute)) *
    terms`, `terms` being the absolute values that a result is a sum of.

    ```mlir
    graph.graph @bn_finalize(%sum: tensor<1x32x1x1xf32> {graph.uid = 1 : i64},
                             %sq: tensor<1x32x1x1xf32> {graph.uid = 2 : i64},
                             %s: tensor<1x32x1x1xf32> {graph.uid = 3 : i64},
                             %b: tensor<1x32x1x1xf32> {graph.uid = 4 : i64})
        -> (tensor<1x32x1x1xf32> {graph.uid = 5 : i64},
            tensor<1x32x1x1xf32> {graph.uid = 6 : i64}) {
      %e = graph.constant 1.000000e-05 : f32 : tensor<1xf32>
      %n = graph.constant 2.560000e+02 : f32 : tensor<1xf32>
      %es, %eb, %m, %r = graph.bn_finalize %sum, %sq, %s, %b, %e, %n
          : (tensor<1x32x1x1xf32>, tensor<1x32x1x1xf32>, tensor<1x32x1x1xf32>,
             tensor<1x32x1x1xf32>, tensor<1xf32>, tensor<1xf32>)
          -> tensor<1x32x1x1xf32>, tensor<1x32x1x1xf32>, tensor<1x32x1x1xf32>,
             tensor<1x32x1x1xf32>
      graph.return %es, %eb : tensor<1x32x1x1xf32>, tensor<1x32x1x1xf32>
    }
    ```
  }];
  let operandPorts = ["SUM", "SQ_SUM", "SCALE", "BIAS", "EPSILON",
                      "ACCUM_COUNT", "PREV_RUNNING_MEAN", "PREV_RUNNING_VAR",
                      "MOMENTUM"];
  let resultPorts = ["EQ_SCALE", "EQ_BIAS", "MEAN", "INV_VARIANCE",
                     "NEXT_RUNNING_MEAN", "NEXT_RUNNING_VAR"];
  let arguments = (ins Graph_Tensor:$sum, Graph_Tensor:$sq_sum,
                       Graph_Tensor:$scale, Graph_Tensor:$bias,
                       Graph_Tensor:$epsilon, Graph_Tensor:$accum_count,
                       Optional<Graph_Tensor>:$prev_running_mean,
                       Optional<Graph_Tensor>:$prev_running_var,
                       Optional<Graph_Tensor>:$momentum,
                       Graph_ComputeTypeAttr:$compute_type);
  let results = (outs Graph_Tensor:$EQ_SCALE, Graph_Tensor:$EQ_BIAS,
                      Graph_Tensor:$MEAN, Graph_Tensor:$INV_VARIANCE,
                      Optional<Graph_Tensor>:$NEXT_RUNNING_MEAN,
                      Optional<Graph_Tensor>:$NEXT_RUNNING_VAR);
  let assemblyFormat = [{
    $sum `,` $sq_sum `,` $scale `,` $bias `,` $epsilon `,` $accum_count
    (`prev_running_mean` $prev_running_mean^)? (`prev_running_var`
    $prev_running_var^)? (`momentum` $momentum^)? attr-dict `:` `(`
    type(operands) `)` `->` type($EQ_SCALE) `,` type($EQ_BIAS) `,` type($MEAN)
    `,` type($INV_VARIANCE) (`next_running_mean` type($NEXT_RUNNING_MEAN)^)?
    (`next_running_var` type($NEXT_RUNNING_VAR)^)?
  }];
}

def Graph_DbnWeightOp : Graph_Op<"dbn_weight", [ComputeTypeOpInterface]> {
  let summary = "Batchnorm backward as an affine form of DY and X";
  let docGroup = "Batch normalisation";
  let description = [{
    `DSCALE` and `DBIAS` are those of `batchnorm_backward`; its `DX` is the
    affine form `EQ_SCALE_DY * dy + EQ_SCALE_X * x + EQ_BIAS` with, for n
    elements in a channel: `EQ_SCALE_DY = SCALE * INV_VARIANCE`, `EQ_SCALE_X =
    -EQ_SCALE_DY * INV_VARIANCE * DSCALE / n`, `EQ_BIAS = -EQ_SCALE_DY * DBIAS /
    n - EQ_SCALE_X * MEAN`.

    Constraints:
    - (C1) `X` has rank 2 or more.
    - (C2) `DY` has X's extents.
    - (C3) `SCALE`, `MEAN` and `INV_VARIANCE` broadcast to `[1, C, 1...]`.
    - (C4) the compute type is floating point.

    Shapes: all results are `[1, C, 1...]`, packed in X's memory order;
    `EQ_SCALE_DY`, `EQ_SCALE_X` and `EQ_BIAS` are f32 unless declared.

    Numerics: everything is computed in the compute type (f16 and bf16 in f32),
    nothing inside rounds. With n = 0, `DSCALE` and `DBIAS` are 0, `EQ_SCALE_X`
    and `EQ_BIAS` NaN.

    Tolerance: the sums as in `layernorm_backward`; a coefficient: `u(result) *
    |value| + (n + 8) * u(compute) * terms` with `terms` the absolute values
    that it is a sum of.

    ```mlir
    graph.graph @dbn_weight(%dy: tensor<4x16x8x8xf16> {graph.uid = 1 : i64},
                            %x: tensor<4x16x8x8xf16> {graph.uid = 2 : i64},
                            %s: tensor<1x16x1x1xf32> {graph.uid = 3 : i64},
                            %m: tensor<1x16x1x1xf32> {graph.uid = 4 : i64},
                            %r: tensor<1x16x1x1xf32> {graph.uid = 5 : i64})
        -> (tensor<1x16x1x1xf32> {graph.uid = 6 : i64},
            tensor<1x16x1x1xf32> {graph.uid = 7 : i64},
            tensor<1x16x1x1xf32> {graph.uid = 8 : i64}) {
      %ds, %db, %edy, %ex, %eb = graph.dbn_weight %dy, %x, %s, %m, %r
          : (tensor<4x16x8x8xf16>, tensor<4x16x8x8xf16>, tensor<1x16x1x1xf32>,
             tensor<1x16x1x1xf32>, tensor<1x16x1x1xf32>)
          -> tensor<1x16x1x1xf32>, tensor<1x16x1x1xf32>, tensor<1x16x1x1xf32>,
             tensor<1x16x1x1xf32>, tensor<1x16x1x1xf32>
      graph.return %edy, %ex, %eb : tensor<1x16x1x1xf32>, tensor<1x16x1x1xf32>,
                                    tensor<1x16x1x1xf32>
    }
    ```
  }];
  let operandPorts = ["DY", "X", "SCALE", "MEAN", "INV_VARIANCE"];
  let resultPorts = ["DSCALE", "DBIAS", "EQ_SCALE_DY", "EQ_SCALE_X", "EQ_BIAS"];
  let arguments = (ins Graph_Tensor:$grad, Graph_Tensor:$input,
                       Graph_Tensor:$scale, Graph_Tensor:$mean,
                       Graph_Tensor:$inv_variance,
                       Graph_ComputeTypeAttr:$compute_type);
  let results = (outs Graph_Tensor:$DSCALE, Graph_Tensor:$DBIAS,
                      Graph_Tensor:$EQ_SCALE_DY, Graph_Tensor:$EQ_SCALE_X,
                      Graph_Tensor:$EQ_BIAS);
  let assemblyFormat = [{
    $grad `,` $input `,` $scale `,` $mean `,` $inv_variance attr-dict `:` `(`
    type(operands) `)` `->` type($DSCALE) `,` type($DBIAS) `,`
    type($EQ_SCALE_DY) `,` type($EQ_SCALE_X) `,` type($EQ_BIAS)
  }];
}

#endif // OPGRAPH_GRAPH_BATCHNORM_OPS_TD
