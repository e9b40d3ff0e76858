// RUN: graph-opt %s --graph-legalize-cudnn --mlir-print-local-scope --split-input-file | FileCheck %s

// Two matmuls, the mask from two coordinates, a softmax that makes its
// statistics. K is read transposed, under an id of its own.

// CHECK-LABEL: cudnn.graph @opgraph_causal_cudnn
// CHECK: %[[K:.*]] = cudnn.descriptor tensor {unique_id = 6, data_type = bfloat16, dimensions = [2, 2, 32, 64], strides = [4096, 2048, 1, 32]
// CHECK: %[[Q:.*]] = cudnn.descriptor tensor {unique_id = 1
// CHECK: %[[S:.*]] = cudnn.descriptor tensor {unique_id = 7, data_type = float, dimensions = [2, 8, 64, 64], strides = [32768, 4096, 64, 1], byte_alignment = 16, is_virtual = true}
// CHECK: operation_matmul {adesc = %[[Q]], bdesc = %[[K]], cdesc = %[[S]]
// CHECK: pointwise {mode = mul
// CHECK: pointwise {mode = gen_index, math_prec = int32, axis = 2}
// CHECK: pointwise {mode = gen_index, math_prec = int32, axis = 3}
// CHECK: pointwise {mode = cmp_ge, math_prec = boolean}
// CHECK: pointwise {mode = binary_select
// CHECK: reduction {operator = max
// CHECK: pointwise {mode = sub
// CHECK: pointwise {mode = exp
// CHECK: reduction {operator = add
// CHECK: pointwise {mode = log
// CHECK: tensor {unique_id = 5, data_type = float, dimensions = [2, 8, 64, 1], strides = [512, 64, 1, 1], byte_alignment = 16}
// CHECK: tensor {unique_id = {{.*}}, data_type = bfloat16, dimensions = [2, 8, 64, 64]
// CHECK: pointwise {mode = div
// CHECK: operation_matmul
// CHECK-LABEL: plan.program @causal
// CHECK: uids [1, 3, 4, 5, 6, 8, {{[0-9]+}}] args [#plan.pointer<0>, #plan.pointer<2>, #plan.pointer<3>, #plan.pointer<4>, #plan.pointer<1>, {{.*}} : f32, 0xFF800000 : f32]
graph.graph @causal(%q: tensor<2x8x64x32xbf16> {graph.uid = 1 : i64},
                    %k: tensor<2x2x64x32xbf16> {graph.uid = 2 : i64},
                    %v: tensor<2x2x64x32xbf16> {graph.uid = 3 : i64})
    -> (tensor<2x8x64x32xbf16> {graph.uid = 4 : i64},
        tensor<2x8x64x1xf32> {graph.uid = 5 : i64}) {
  %o, %stats = graph.sdpa %q, %k, %v
      {attn_scale_value = 0.17677669529663687 : f64,
       diagonal_band_right_bound = 0 : i64, generate_stats}
      : (tensor<2x8x64x32xbf16>, tensor<2x2x64x32xbf16>, tensor<2x2x64x32xbf16>)
      -> tensor<2x8x64x32xbf16> stats tensor<2x8x64x1xf32>
  graph.return %o, %stats : tensor<2x8x64x32xbf16>, tensor<2x8x64x1xf32>
}

// -----

// The diagonal that ends in the last corner is moved by the difference.

// CHECK-LABEL: cudnn.graph @opgraph_bottom_right_cudnn
// CHECK-NOT: mode = mul
// CHECK: pointwise {mode = add, math_prec = int32}
// CHECK-LABEL: plan.program @bottom_right
// CHECK: 32 : i32
graph.graph @bottom_right(%q: tensor<1x2x32x64xf16> {graph.uid = 1 : i64},
                          %k: tensor<1x2x64x64xf16> {graph.uid = 2 : i64},
                          %v: tensor<1x2x64x64xf16> {graph.uid = 3 : i64})
    -> (tensor<1x2x32x64xf16> {graph.uid = 4 : i64}) {
  %o = graph.sdpa %q, %k, %v
      {diagonal_band_right_bound = 0 : i64,
       diagonal_alignment = #graph<diagonal_alignment bottom_right>}
      : (tensor<1x2x32x64xf16>, tensor<1x2x64x64xf16>, tensor<1x2x64x64xf16>)
      -> tensor<1x2x32x64xf16>
  graph.return %o : tensor<1x2x32x64xf16>
}
