// RUN: graph-opt %s --graph-legalize-cudnn --mlir-print-local-scope --split-input-file | FileCheck %s

// Five products. The sums of dO * O and dQ in f32 are in the plan's workspace,
// before the library's part; heads of a group are summed.

// CHECK-LABEL: cudnn.graph @opgraph_gradients_cudnn
// CHECK: pointwise {mode = mul
// CHECK: reduction {operator = add
// CHECK: %[[SUMS:.*]] = cudnn.descriptor tensor {unique_id = {{[0-9]+}}, data_type = float, dimensions = [2, 4, 128, 1], strides = [512, 128, 1, 1], byte_alignment = 16}
// CHECK: operation_matmul
// CHECK: pointwise {mode = mul
// CHECK: pointwise {mode = sub
// CHECK: pointwise {mode = cmp_ge
// CHECK: pointwise {mode = binary_select
// CHECK: pointwise {mode = exp
// CHECK: tensor {{.*}}data_type = bfloat16, dimensions = [2, 4, 128, 128], strides = [65536, 16384, 1, 128], byte_alignment = 16, is_virtual = true}
// CHECK: operation_reshape
// CHECK: operation_matmul
// CHECK: reduction {operator = add
// CHECK: operation_matmul
// CHECK: bdesc = %[[SUMS]]
// CHECK: operation_reshape
// CHECK: operation_matmul
// CHECK: reduction {operator = add
// CHECK: operation_reshape
// CHECK: tensor {unique_id = {{[0-9]+}}, data_type = float, dimensions = [2, 4, 128, 32], strides = [16384, 4096, 32, 1], byte_alignment = 16}
// CHECK: operation_matmul
// CHECK: pointwise {mode = identity
// CHECK-LABEL: plan.program @gradients
// CHECK: #plan.scratch<affine_map<() -> (0)>>
// CHECK-SAME: #plan.scratch<affine_map<() -> (4096)>>
// CHECK-SAME: workspace 135168
graph.graph @gradients(%q: tensor<2x4x128x32xbf16> {graph.uid = 1 : i64},
                       %k: tensor<2x2x128x32xbf16> {graph.uid = 2 : i64},
                       %v: tensor<2x2x128x32xbf16> {graph.uid = 3 : i64},
                       %o: tensor<2x4x128x32xbf16> {graph.uid = 4 : i64},
                       %do: tensor<2x4x128x32xbf16> {graph.uid = 5 : i64},
                       %s: tensor<2x4x128x1xf32> {graph.uid = 6 : i64})
    -> (tensor<2x4x128x32xbf16> {graph.uid = 7 : i64},
        tensor<2x2x128x32xbf16> {graph.uid = 8 : i64},
        tensor<2x2x128x32xbf16> {graph.uid = 9 : i64}) {
  %dq, %dk, %dv = graph.sdpa_backward %q, %k, %v, %o, %do, %s
      {attn_scale_value = 0.25 : f64, diagonal_band_right_bound = 0 : i64}
      : (tensor<2x4x128x32xbf16>, tensor<2x2x128x32xbf16>,
         tensor<2x2x128x32xbf16>, tensor<2x4x128x32xbf16>,
         tensor<2x4x128x32xbf16>, tensor<2x4x128x1xf32>)
      -> tensor<2x4x128x32xbf16>, tensor<2x2x128x32xbf16>,
         tensor<2x2x128x32xbf16>
  graph.return %dq, %dk, %dv : tensor<2x4x128x32xbf16>,
      tensor<2x2x128x32xbf16>, tensor<2x2x128x32xbf16>
}

// -----

// Equal bits in every run: dQ is one product, without sums by atomics.

// CHECK-LABEL: cudnn.graph @opgraph_deterministic_cudnn
// CHECK-NOT: mode = identity
// CHECK-LABEL: plan.program @deterministic
// CHECK: #plan.scratch<affine_map<() -> (0)>>
// CHECK-SAME: workspace 1024{{$}}
graph.graph @deterministic(%q: tensor<1x2x128x64xf16> {graph.uid = 1 : i64},
                           %k: tensor<1x2x128x64xf16> {graph.uid = 2 : i64},
                           %v: tensor<1x2x128x64xf16> {graph.uid = 3 : i64},
                           %o: tensor<1x2x128x64xf16> {graph.uid = 4 : i64},
                           %do: tensor<1x2x128x64xf16> {graph.uid = 5 : i64},
                           %s: tensor<1x2x128x1xf32> {graph.uid = 6 : i64})
    -> (tensor<1x2x128x64xf16> {graph.uid = 7 : i64},
        tensor<1x2x128x64xf16> {graph.uid = 8 : i64},
        tensor<1x2x128x64xf16> {graph.uid = 9 : i64}) {
  %dq, %dk, %dv = graph.sdpa_backward %q, %k, %v, %o, %do, %s
      {use_deterministic_algorithm}
      : (tensor<1x2x128x64xf16>, tensor<1x2x128x64xf16>,
         tensor<1x2x128x64xf16>, tensor<1x2x128x64xf16>,
         tensor<1x2x128x64xf16>, tensor<1x2x128x1xf32>)
      -> tensor<1x2x128x64xf16>, tensor<1x2x128x64xf16>,
         tensor<1x2x128x64xf16>
  graph.return %dq, %dk, %dv : tensor<1x2x128x64xf16>,
      tensor<1x2x128x64xf16>, tensor<1x2x128x64xf16>
}
