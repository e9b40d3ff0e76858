// RUN: graph-opt %s --graph-legalize-cudnn --mlir-print-local-scope --split-input-file | FileCheck %s

// Axes that are one behind the other in all tensors become one: the library's
// engines take any strides in rank 3 only. The value in between is virtual.

// CHECK-LABEL: cudnn.graph @opgraph_bias_sigmoid_cudnn
// CHECK: %[[X:.*]] = cudnn.descriptor tensor {unique_id = 1, data_type = bfloat16, dimensions = [1, 24, 64], strides = [1536, 64, 1], byte_alignment = 16}
// CHECK: %[[B:.*]] = cudnn.descriptor tensor {unique_id = 2, data_type = float, dimensions = [1, 1, 64], strides = [64, 64, 1], byte_alignment = 16}
// CHECK: %[[T:.*]] = cudnn.descriptor tensor {unique_id = 4, data_type = float, dimensions = [1, 24, 64], strides = [1536, 64, 1], byte_alignment = 16, is_virtual = true}
// CHECK: cudnn.descriptor operation_pointwise {pw_descriptor = %{{.*}}, xdesc = %[[X]], bdesc = %[[B]], ydesc = %[[T]]}
// CHECK: %[[Y:.*]] = cudnn.descriptor tensor {unique_id = 3, data_type = bfloat16, dimensions = [1, 24, 64]
// CHECK: %[[SIGMOID:.*]] = cudnn.descriptor pointwise {mode = sigmoid_fwd, math_prec = float}
// CHECK: cudnn.descriptor operation_pointwise {pw_descriptor = %[[SIGMOID]], xdesc = %[[T]], ydesc = %[[Y]]}
// CHECK: cudnn.descriptor operationgraph
// CHECK-LABEL: plan.program @bias_sigmoid
// CHECK: plan.cudnn_execute @opgraph_bias_sigmoid_cudnn config 0 uids [1, 2, 3] args [#plan.pointer<0>, #plan.pointer<1>, #plan.pointer<2>]
graph.graph @bias_sigmoid(%x: tensor<2x3x4x64xbf16> {graph.uid = 1 : i64},
                       %b: tensor<64xf32> {graph.uid = 2 : i64})
    -> (tensor<2x3x4x64xbf16> {graph.uid = 3 : i64}) {
  %0 = graph.bias %x, %b : (tensor<2x3x4x64xbf16>, tensor<64xf32>) -> tensor<2x3x4x64xf32>
  %1 = graph.sigmoid %0 : (tensor<2x3x4x64xf32>) -> tensor<2x3x4x64xbf16>
  graph.return %1 : tensor<2x3x4x64xbf16>
}

// -----

// Channels-last memory in both tensors is one axis too.

// CHECK-LABEL: cudnn.graph @opgraph_channels_last_cudnn
// CHECK: tensor {unique_id = 1, {{.*}}dimensions = [1, 1, 512], strides = [512, 512, 1]
// CHECK: pointwise {mode = relu_fwd, math_prec = float, relu_upper_clip = 6.000000e+00}
graph.graph @channels_last(
    %x: tensor<2x4x8x8xf16, #graph.layout<strides = [256, 1, 32, 4]>> {graph.uid = 1 : i64})
    -> (tensor<2x4x8x8xf16, #graph.layout<strides = [256, 1, 32, 4]>> {graph.uid = 2 : i64}) {
  %0 = graph.relu %x {upper_clip = 6.0 : f64}
      : (tensor<2x4x8x8xf16, #graph.layout<strides = [256, 1, 32, 4]>>)
      -> tensor<2x4x8x8xf16, #graph.layout<strides = [256, 1, 32, 4]>>
  graph.return %0 : tensor<2x4x8x8xf16, #graph.layout<strides = [256, 1, 32, 4]>>
}

// -----

// Numbers are tensors by value: an argument's is converted to f32 at the call,
// a constant is in the plan. A loss has a port of its own.

// CHECK-LABEL: cudnn.graph @opgraph_scalars_cudnn
// CHECK: tensor {unique_id = 3, data_type = float, dimensions = [1, 1, 1], strides = [1, 1, 1], byte_alignment = 16, is_by_value = true}
// CHECK: tensor {unique_id = 6, data_type = float, dimensions = [1, 1, 1], {{.*}}is_by_value = true}
// CHECK: operation_pointwise {pw_descriptor = %{{.*}}, dydesc = %{{.*}}, xdesc = %{{.*}}, dxdesc = %{{.*}}}
// CHECK-LABEL: plan.program @scalars
// CHECK: uids [1, 2, 3, 4, 6] args [#plan.pointer<0>, #plan.pointer<1>, #plan.scalar<2, f32>, #plan.pointer<3>, 5.000000e-01 : f32]
graph.graph @scalars(%dy: tensor<4x8xf32> {graph.uid = 1 : i64},
                     %x: tensor<4x8xf32> {graph.uid = 2 : i64},
                     %s: tensor<1xf16> {graph.uid = 3 : i64, graph.by_value})
    -> (tensor<4x8xf32> {graph.uid = 4 : i64}) {
  %half = graph.constant 5.000000e-01 : f32 : tensor<1x1xf32>
  %0 = graph.mul %dy, %s : (tensor<4x8xf32>, tensor<1xf16>) -> tensor<4x8xf32>
  %1 = graph.add %x, %half : (tensor<4x8xf32>, tensor<1x1xf32>) -> tensor<4x8xf32>
  %2 = graph.softplus_backward %0, %1 {beta = 1.5 : f64}
      : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  graph.return %2 : tensor<4x8xf32>
}

// -----

// A slice and a transpose of an argument are its memory from an offset on,
// under ids of their own.

// CHECK-LABEL: cudnn.graph @opgraph_views_cudnn
// CHECK: tensor {unique_id = 3, data_type = float, dimensions = [1, 4, 8], strides = [64, 16, 1], byte_alignment = 16}
// CHECK: tensor {unique_id = 4, data_type = float, dimensions = [1, 4, 8], strides = [32, 8, 1]
// CHECK: plan.cudnn_execute {{.*}} uids [2, 3, 4] args [#plan.pointer<2>, #plan.pointer<0, offset = affine_map<() -> (32)>>, #plan.pointer<1>]
graph.graph @views(%x: tensor<4x16xf32> {graph.uid = 1 : i64},
                   %t: tensor<8x4xf32, #graph.layout<strides = [1, 8]>> {graph.uid = 5 : i64})
    -> (tensor<4x8xf32> {graph.uid = 2 : i64}) {
  %0 = graph.slice %x [0, 8] to [4, 16] step [1, 1]
      : (tensor<4x16xf32>) -> tensor<4x8xf32, #graph.layout<strides = [16, 1]>>
  %1 = graph.transpose %t [1, 0]
      : (tensor<8x4xf32, #graph.layout<strides = [1, 8]>>)
      -> tensor<4x8xf32, #graph.layout<strides = [8, 1]>>
  %2 = graph.add %0, %1
      : (tensor<4x8xf32, #graph.layout<strides = [16, 1]>>,
         tensor<4x8xf32, #graph.layout<strides = [8, 1]>>) -> tensor<4x8xf32>
  graph.return %2 : tensor<4x8xf32>
}

// -----

// A result that is a part of an argument is a copy.

// CHECK-LABEL: cudnn.graph @opgraph_copy_cudnn
// CHECK: pointwise {mode = identity, math_prec = float}
// CHECK: operation_pointwise
graph.graph @copy(%x: tensor<4x6xf32> {graph.uid = 1 : i64})
    -> (tensor<6x4xf32> {graph.uid = 2 : i64}) {
  %0 = graph.transpose %x [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
  graph.return %0 : tensor<6x4xf32>
}
