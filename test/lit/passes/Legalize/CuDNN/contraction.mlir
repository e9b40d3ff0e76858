// RUN: graph-opt %s --graph-legalize-cudnn --mlir-print-local-scope --split-input-file | FileCheck %s

// Batches become one axis; the epilogue's tensors follow.

// CHECK-LABEL: cudnn.graph @opgraph_matmul_bias_relu_cudnn
// CHECK: %[[A:.*]] = cudnn.descriptor tensor {unique_id = 1, data_type = bfloat16, dimensions = [6, 64, 32], strides = [2048, 32, 1]
// CHECK: %[[B:.*]] = cudnn.descriptor tensor {unique_id = 2, data_type = bfloat16, dimensions = [6, 32, 16], strides = [512, 16, 1]
// CHECK: %[[C:.*]] = cudnn.descriptor tensor {unique_id = 5, data_type = float, dimensions = [6, 64, 16], strides = [1024, 16, 1], byte_alignment = 16, is_virtual = true}
// CHECK: %[[M:.*]] = cudnn.descriptor matmul {comp_type = float}
// CHECK: cudnn.descriptor operation_matmul {adesc = %[[A]], bdesc = %[[B]], cdesc = %[[C]], desc = %[[M]]}
// CHECK: tensor {unique_id = 3, data_type = bfloat16, dimensions = [1, 1, 16]
// CHECK: pointwise {mode = relu_fwd
graph.graph @matmul_bias_relu(%a: tensor<2x3x64x32xbf16> {graph.uid = 1 : i64},
                              %b: tensor<2x3x32x16xbf16> {graph.uid = 2 : i64},
                              %c: tensor<16xbf16> {graph.uid = 3 : i64})
    -> (tensor<2x3x64x16xbf16> {graph.uid = 4 : i64}) {
  %0 = graph.matmul %a, %b
      : (tensor<2x3x64x32xbf16>, tensor<2x3x32x16xbf16>) -> tensor<2x3x64x16xf32>
  %1 = graph.bias %0, %c : (tensor<2x3x64x16xf32>, tensor<16xbf16>) -> tensor<2x3x64x16xf32>
  %2 = graph.relu %1 : (tensor<2x3x64x16xf32>) -> tensor<2x3x64x16xbf16>
  graph.return %2 : tensor<2x3x64x16xbf16>
}

// -----

// fp8 may use the narrow accumulator where the graph says so.

// CHECK-LABEL: cudnn.graph @opgraph_fp8_cudnn
// CHECK: cudnn.descriptor matmul {comp_type = fast_float_for_fp8}
graph.graph @fp8(%a: tensor<1x64x32xf8E4M3FN> {graph.uid = 1 : i64},
                 %b: tensor<1x32x16xf8E4M3FN> {graph.uid = 2 : i64})
    -> (tensor<1x64x16xbf16> {graph.uid = 3 : i64}) {
  %0 = graph.matmul %a, %b {fast_fp8_accumulation}
      : (tensor<1x64x32xf8E4M3FN>, tensor<1x32x16xf8E4M3FN>) -> tensor<1x64x16xbf16>
  graph.return %0 : tensor<1x64x16xbf16>
}

// -----

// The library reduces packed channels-last images: rows are images of a pixel.

// CHECK-LABEL: cudnn.graph @opgraph_sum_cudnn
// CHECK: tensor {unique_id = 1, data_type = half, dimensions = [32, 64, 1, 1], strides = [64, 1, 64, 64]
// CHECK: tensor {unique_id = 2, data_type = float, dimensions = [32, 1, 1, 1], strides = [1, 1, 1, 1]
// CHECK: reduction {operator = add, comp_type = float}
// CHECK: operation_reduction
graph.graph @sum(%x: tensor<4x8x64xf16> {graph.uid = 1 : i64})
    -> (tensor<4x8x1xf32> {graph.uid = 2 : i64}) {
  %0 = graph.reduction add %x : (tensor<4x8x64xf16>) -> tensor<4x8x1xf32>
  graph.return %0 : tensor<4x8x1xf32>
}

// -----

// What the library's reductions lack is made of those that it has.

// CHECK-LABEL: cudnn.graph @opgraph_norm2_cudnn
// CHECK: pointwise {mode = mul
// CHECK: operation_pointwise {pw_descriptor = %{{.*}}, xdesc = %[[X:.*]], bdesc = %[[X]]
// CHECK: reduction {operator = add
// CHECK: pointwise {mode = sqrt
graph.graph @norm2(%x: tensor<4x64xf32> {graph.uid = 1 : i64})
    -> (tensor<4x1xf32> {graph.uid = 2 : i64}) {
  %0 = graph.reduction norm2 %x : (tensor<4x64xf32>) -> tensor<4x1xf32>
  graph.return %0 : tensor<4x1xf32>
}

// -----

// CHECK-LABEL: cudnn.graph @opgraph_mean_cudnn
// CHECK: reduction {operator = add
// CHECK: pointwise {mode = div
// CHECK-LABEL: plan.program @mean
// CHECK: args [#plan.pointer<0>, #plan.pointer<1>, 6.400000e+01 : f32]
graph.graph @mean(%x: tensor<4x64xf32> {graph.uid = 1 : i64})
    -> (tensor<4x1xf32> {graph.uid = 2 : i64}) {
  %0 = graph.reduction avg %x : (tensor<4x64xf32>) -> tensor<4x1xf32>
  graph.return %0 : tensor<4x1xf32>
}
