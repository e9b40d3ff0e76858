// RUN: graph-opt %s --graph-legalize-cudnn --mlir-print-local-scope --split-input-file | FileCheck %s

// What only newer versions of the library have.

// CHECK-LABEL: cudnn.graph @opgraph_rope_cudnn
// CHECK: operation_rope_fwd {xdesc = {{.*}}, ydesc = {{.*}}, freqsdesc = {{.*}}, output_scale = 5.000000e-01, rope_dim = 4}
graph.graph @rope(%x: tensor<1x2x4x8xf16> {graph.uid = 1 : i64},
                  %f: tensor<4x1x1x4xf32> {graph.uid = 2 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 3 : i64}) {
  %0 = graph.rope %x, %f {output_scale = 0.5 : f64, rope_dim = 4 : i64}
      : (tensor<1x2x4x8xf16>, tensor<4x1x1x4xf32>) -> tensor<1x2x4x8xf16>
  graph.return %0 : tensor<1x2x4x8xf16>
}

// -----

// CHECK-LABEL: cudnn.graph @opgraph_rope_backward_cudnn
// CHECK: operation_rope_bwd {dydesc = {{.*}}, dxdesc = {{.*}}, freqsdesc = {{.*}}, output_scale = 1.000000e+00}
graph.graph @rope_backward(%x: tensor<1x2x4x8xf16> {graph.uid = 1 : i64},
                           %f: tensor<4x1x1x8xf32> {graph.uid = 2 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 3 : i64}) {
  %0 = graph.rope_backward %x, %f
      : (tensor<1x2x4x8xf16>, tensor<4x1x1x8xf32>) -> tensor<1x2x4x8xf16>
  graph.return %0 : tensor<1x2x4x8xf16>
}

// -----

// CHECK-LABEL: cudnn.graph @opgraph_moe_cudnn
// CHECK: operation_moe_grouped_matmul_bwd {math_prec = float
graph.graph @moe(
    %d: tensor<1x20x16xbf16> {graph.uid = 1 : i64},
    %t: tensor<1x20x8xbf16> {graph.uid = 2 : i64},
    %o: tensor<3x1x1xi32> {graph.uid = 3 : i64})
    -> (tensor<3x8x16xf32, #graph.layout<strides = [128, 1, 8]>> {graph.uid = 4 : i64}) {
  %0 = graph.moe_grouped_matmul_bwd %d, %t, %o
      : (tensor<1x20x16xbf16>, tensor<1x20x8xbf16>, tensor<3x1x1xi32>)
      -> tensor<3x8x16xf32, #graph.layout<strides = [128, 1, 8]>>
  graph.return %0 : tensor<3x8x16xf32, #graph.layout<strides = [128, 1, 8]>>
}

// -----

// Booleans of one byte in memory, of the library's own inside.

// CHECK-LABEL: cudnn.graph @opgraph_booleans_cudnn
// CHECK: tensor {unique_id = 1, data_type = byte_boolean
// CHECK: tensor {unique_id = 3, data_type = byte_boolean
graph.graph @booleans(%x: tensor<4x8xi1> {graph.uid = 1 : i64},
                      %y: tensor<4x8xi1> {graph.uid = 2 : i64})
    -> (tensor<4x8xi1> {graph.uid = 3 : i64}) {
  %0 = graph.logical_and %x, %y : (tensor<4x8xi1>, tensor<4x8xi1>) -> tensor<4x8xi1>
  graph.return %0 : tensor<4x8xi1>
}

// -----

// Layout ops of computed values.

// CHECK-LABEL: cudnn.graph @opgraph_moved_cudnn
// CHECK: operation_transpose {{.*}}permutation = [0, 2, 1]
// CHECK: operation_slice {{.*}}start_indices = [0, 0, 1], limit_indices = [2, 8, 3], strides = [1, 1, 1]
// CHECK: operation_reshape
graph.graph @moved(%x: tensor<2x3x8xf32> {graph.uid = 1 : i64})
    -> (tensor<2x16x1xf32> {graph.uid = 2 : i64}) {
  %0 = graph.exp %x : (tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %1 = graph.transpose %0 [0, 2, 1] : (tensor<2x3x8xf32>) -> tensor<2x8x3xf32>
  %2 = graph.slice %1 [0, 0, 1] to [2, 8, 3] step [1, 1, 1] : (tensor<2x8x3xf32>) -> tensor<2x8x2xf32>
  %3 = graph.reshape logical %2 : (tensor<2x8x2xf32>) -> tensor<2x16x1xf32>
  graph.return %3 : tensor<2x16x1xf32>
}
