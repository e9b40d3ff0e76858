// RUN: graph-opt %s --graph-legalize-cudnn --mlir-print-local-scope --split-input-file | FileCheck %s

// CHECK-LABEL: cudnn.graph @opgraph_conv_cudnn
// CHECK: %[[C:.*]] = cudnn.descriptor convolution {comp_type = float, conv_mode = convolution, dilations = [1, 2], filter_strides = [2, 1], post_paddings = [0, 1], pre_paddings = [1, 1], spatial_dims = 2}
// CHECK: %[[W:.*]] = cudnn.descriptor tensor {unique_id = 2
// CHECK: %[[X:.*]] = cudnn.descriptor tensor {unique_id = 1, data_type = half, dimensions = [4, 16, 9, 9], strides = [1296, 1, 144, 16]
// CHECK: %[[Y:.*]] = cudnn.descriptor tensor {unique_id = 3
// CHECK: operation_convolution_forward {alpha: double = 1.000000e+00, beta: double = 0.000000e+00, conv_desc = %[[C]], w = %[[W]], x = %[[X]], y = %[[Y]]}
graph.graph @conv(
    %x: tensor<4x16x9x9xf16, #graph.layout<strides = [1296, 1, 144, 16]>> {graph.uid = 1 : i64},
    %w: tensor<32x16x3x3xf16, #graph.layout<strides = [144, 1, 48, 16]>> {graph.uid = 2 : i64})
    -> (tensor<4x32x4x7xf16, #graph.layout<strides = [896, 1, 224, 32]>> {graph.uid = 3 : i64}) {
  %y = graph.conv_fprop %x, %w {
      convolution_mode = #graph<convolution_mode convolution>,
      pre_padding = array<i64: 1, 1>, post_padding = array<i64: 0, 1>,
      stride = array<i64: 2, 1>, dilation = array<i64: 1, 2>}
      : (tensor<4x16x9x9xf16, #graph.layout<strides = [1296, 1, 144, 16]>>,
         tensor<32x16x3x3xf16, #graph.layout<strides = [144, 1, 48, 16]>>)
      -> tensor<4x32x4x7xf16, #graph.layout<strides = [896, 1, 224, 32]>>
  graph.return %y : tensor<4x32x4x7xf16, #graph.layout<strides = [896, 1, 224, 32]>>
}

// -----

// CHECK-LABEL: cudnn.graph @opgraph_dgrad_cudnn
// CHECK: operation_convolution_backward_data {alpha{{.*}}, conv_desc = %{{.*}}, w = %{{.*}}, dx = %{{.*}}, dy = %{{.*}}}
graph.graph @dgrad(%dy: tensor<2x8x5x5xf32> {graph.uid = 1 : i64},
                   %w: tensor<8x4x3x3xf32> {graph.uid = 2 : i64})
    -> (tensor<2x4x10x10xf32> {graph.uid = 3 : i64}) {
  %dx = graph.conv_dgrad %dy, %w {
      pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>,
      stride = array<i64: 2, 2>, dilation = array<i64: 1, 1>}
      : (tensor<2x8x5x5xf32>, tensor<8x4x3x3xf32>) -> tensor<2x4x10x10xf32>
  graph.return %dx : tensor<2x4x10x10xf32>
}

// -----

// CHECK-LABEL: cudnn.graph @opgraph_wgrad_cudnn
// CHECK: operation_convolution_backward_filter {alpha{{.*}}, conv_desc = %{{.*}}, dw = %{{.*}}, x = %{{.*}}, dy = %{{.*}}}
graph.graph @wgrad(%x: tensor<2x4x10x10xf32> {graph.uid = 1 : i64},
                   %dy: tensor<2x8x5x5xf32> {graph.uid = 2 : i64})
    -> (tensor<8x4x3x3xf32> {graph.uid = 3 : i64}) {
  %dw = graph.conv_wgrad %x, %dy {
      pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>,
      stride = array<i64: 2, 2>, dilation = array<i64: 1, 1>}
      : (tensor<2x4x10x10xf32>, tensor<2x8x5x5xf32>) -> tensor<8x4x3x3xf32>
  graph.return %dw : tensor<8x4x3x3xf32>
}

// -----

// CHECK-LABEL: cudnn.graph @opgraph_maxpool_cudnn
// CHECK: resample {mode = maxpool, comp_type = float, spatial_dims = 2, post_paddings = [1, 1], pre_paddings = [1, 1], strides = [2, 2], window_dims = [3, 3], padding_mode = neg_inf_pad}
// CHECK: operation_resample_fwd {xdesc = %{{.*}}, ydesc = %{{.*}}, desc = %{{.*}}, idxdesc = %{{.*}}}
graph.graph @maxpool(%x: tensor<2x8x16x16xf32> {graph.uid = 1 : i64})
    -> (tensor<2x8x8x8xf32> {graph.uid = 2 : i64},
        tensor<2x8x8x8xi8> {graph.uid = 3 : i64}) {
  %y, %i = graph.resample maxpool %x {
      padding_mode = #graph<padding_mode neg_inf_pad>, generate_index,
      window = array<i64: 3, 3>, stride = array<i64: 2, 2>,
      pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>}
      : (tensor<2x8x16x16xf32>) -> tensor<2x8x8x8xf32> index tensor<2x8x8x8xi8>
  graph.return %y, %i : tensor<2x8x8x8xf32>, tensor<2x8x8x8xi8>
}
