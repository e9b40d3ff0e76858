// RUN: graph-opt %s --graph-legalize-cudnn --mlir-print-local-scope --split-input-file | FileCheck %s

// Rows of a layer norm are images of one pixel. Epsilon is by value.

// CHECK-LABEL: cudnn.graph @opgraph_layernorm_cudnn
// CHECK: %[[X:.*]] = cudnn.descriptor tensor {unique_id = 1, data_type = half, dimensions = [32, 64, 1, 1], strides = [64, 1, 64, 64]
// CHECK: %[[R:.*]] = cudnn.descriptor tensor {unique_id = 6, data_type = float, dimensions = [32, 1, 1, 1]
// CHECK: %[[S:.*]] = cudnn.descriptor tensor {unique_id = 2, data_type = float, dimensions = [1, 64, 1, 1]
// CHECK: %[[B:.*]] = cudnn.descriptor tensor {unique_id = 3
// CHECK: %[[Y:.*]] = cudnn.descriptor tensor {unique_id = 4
// CHECK: %[[M:.*]] = cudnn.descriptor tensor {unique_id = 5
// CHECK: %[[E:.*]] = cudnn.descriptor tensor {unique_id = 7, data_type = float, dimensions = [1, 1, 1, 1], strides = [1, 1, 1, 1], byte_alignment = 16, is_by_value = true}
// CHECK: operation_norm_forward {mode = layer_norm, phase = training, xdesc = %[[X]], inv_variance_desc = %[[R]], scale_desc = %[[S]], bias_desc = %[[B]], ydesc = %[[Y]], mean_desc = %[[M]], epsilon_desc = %[[E]]}
// CHECK-LABEL: plan.program @layernorm
// CHECK: #plan.pointer<5>, {{.*}} : f32]
graph.graph @layernorm(%x: tensor<4x8x64xf16> {graph.uid = 1 : i64},
                       %s: tensor<1x1x64xf32> {graph.uid = 2 : i64},
                       %b: tensor<1x1x64xf32> {graph.uid = 3 : i64})
    -> (tensor<4x8x64xf16> {graph.uid = 4 : i64},
        tensor<4x8x1xf32> {graph.uid = 5 : i64},
        tensor<4x8x1xf32> {graph.uid = 6 : i64}) {
  %e = graph.constant 1.000000e-05 : f32 : tensor<1x1x1xf32>
  %y, %m, %r = graph.layernorm training %x scale %s bias %b epsilon %e
      : (tensor<4x8x64xf16>, tensor<1x1x64xf32>, tensor<1x1x64xf32>,
         tensor<1x1x1xf32>) -> tensor<4x8x64xf16> mean tensor<4x8x1xf32> inv_variance tensor<4x8x1xf32>
  graph.return %y, %m, %r : tensor<4x8x64xf16>, tensor<4x8x1xf32>, tensor<4x8x1xf32>
}

// -----

// CHECK-LABEL: cudnn.graph @opgraph_rmsnorm_cudnn
// CHECK: operation_norm_forward {mode = rms_norm, phase = inference, xdesc = %{{.*}}, scale_desc = %{{.*}}, ydesc = %{{.*}}, epsilon_desc = %{{.*}}}
graph.graph @rmsnorm(%x: tensor<16x64xbf16> {graph.uid = 1 : i64},
                     %s: tensor<1x64xbf16> {graph.uid = 2 : i64},
                     %e: tensor<1xf32> {graph.uid = 3 : i64, graph.by_value})
    -> (tensor<16x64xbf16> {graph.uid = 4 : i64}) {
  %y = graph.rmsnorm inference %x scale %s epsilon %e
      : (tensor<16x64xbf16>, tensor<1x64xbf16>, tensor<1xf32>) -> tensor<16x64xbf16>
  graph.return %y : tensor<16x64xbf16>
}

// -----

// CHECK-LABEL: cudnn.graph @opgraph_rmsnorm_backward_cudnn
// CHECK: operation_norm_backward {mode = rms_norm, xdesc = %{{.*}}, dydesc = %{{.*}}, inv_variance_desc = %{{.*}}, scale_desc = %{{.*}}, dxdesc = %{{.*}}, dscale_desc = %{{.*}}}
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

// -----

// Running statistics may be updated in place.

// CHECK-LABEL: cudnn.graph @opgraph_batchnorm_cudnn
// CHECK: tensor {unique_id = 1, data_type = half, dimensions = [4, 16, 8, 8], strides = [1024, 1, 128, 16]
// CHECK: operation_norm_forward {mode = batch_norm, phase = training,
// CHECK-SAME: input_running_mean_desc = %{{.*}}, input_running_var_desc = %{{.*}}, output_running_mean_desc = %{{.*}}, output_running_var_desc = %{{.*}}, ydesc = %{{.*}}, epsilon_desc = %{{.*}}, exp_avg_factor_desc = %{{.*}}}
// CHECK-LABEL: plan.program @batchnorm
// CHECK: plan.alias 3, 8
// CHECK: plan.alias 4, 9
graph.graph @batchnorm(
    %x: tensor<4x16x8x8xf16, #graph.layout<strides = [1024, 1, 128, 16]>> {graph.uid = 1 : i64},
    %s: tensor<1x16x1x1xf32> {graph.uid = 2 : i64},
    %b: tensor<1x16x1x1xf32> {graph.uid = 3 : i64},
    %rm: tensor<1x16x1x1xf32> {graph.uid = 4 : i64},
    %rv: tensor<1x16x1x1xf32> {graph.uid = 5 : i64})
    -> (tensor<4x16x8x8xf16, #graph.layout<strides = [1024, 1, 128, 16]>> {graph.uid = 6 : i64},
        tensor<1x16x1x1xf32> {graph.uid = 7 : i64},
        tensor<1x16x1x1xf32> {graph.uid = 8 : i64},
        tensor<1x16x1x1xf32> {graph.uid = 9 : i64},
        tensor<1x16x1x1xf32> {graph.uid = 10 : i64}) {
  %e = graph.constant 1.000000e-05 : f32 : tensor<1x1x1x1xf32>
  %m = graph.constant 1.000000e-01 : f32 : tensor<1x1x1x1xf32>
  %y, %mean, %r, %nm, %nv = graph.batchnorm %x scale %s bias %b
      running_mean %rm running_var %rv epsilon %e momentum %m
      : (tensor<4x16x8x8xf16, #graph.layout<strides = [1024, 1, 128, 16]>>,
         tensor<1x16x1x1xf32>, tensor<1x16x1x1xf32>, tensor<1x16x1x1xf32>,
         tensor<1x16x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>)
      -> tensor<4x16x8x8xf16, #graph.layout<strides = [1024, 1, 128, 16]>>,
         tensor<1x16x1x1xf32>, tensor<1x16x1x1xf32>
         next_running_mean tensor<1x16x1x1xf32> next_running_var tensor<1x16x1x1xf32>
  graph.return %y, %mean, %r, %nm, %nv
      : tensor<4x16x8x8xf16, #graph.layout<strides = [1024, 1, 128, 16]>>,
        tensor<1x16x1x1xf32>, tensor<1x16x1x1xf32>, tensor<1x16x1x1xf32>,
        tensor<1x16x1x1xf32>
}

// -----

// CHECK-LABEL: cudnn.graph @opgraph_inference_cudnn
// CHECK: pointwise {mode = sub
// CHECK: pointwise {mode = mul
// CHECK: pointwise {mode = mul
// CHECK: pointwise {mode = add
graph.graph @inference(
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

// -----

// CHECK-LABEL: cudnn.graph @opgraph_genstats_cudnn
// CHECK: operation_gen_stats {mode = sum_sqsum, math_prec = float, xdesc = %{{.*}}, sumdesc = %{{.*}}, sqsumdesc = %{{.*}}}
graph.graph @genstats(%x: tensor<4x32x8x8xf16> {graph.uid = 1 : i64})
    -> (tensor<1x32x1x1xf32> {graph.uid = 2 : i64},
        tensor<1x32x1x1xf32> {graph.uid = 3 : i64}) {
  %s, %q = graph.genstats %x : (tensor<4x32x8x8xf16>)
      -> tensor<1x32x1x1xf32>, tensor<1x32x1x1xf32>
  graph.return %s, %q : tensor<1x32x1x1xf32>, tensor<1x32x1x1xf32>
}
