// RUN: graph-opt %s --graph-legalize-cudnn --mlir-print-local-scope --split-input-file | FileCheck %s

// Lengths bound both products and mask rows and columns; the sink is one more
// score, before the greatest and after the sum.

// CHECK-LABEL: cudnn.graph @opgraph_lengths_cudnn
// CHECK: %[[ROWS:.*]] = cudnn.descriptor tensor {unique_id = 4, data_type = int32, dimensions = [2, 1, 1, 1]
// CHECK: %[[COLUMNS:.*]] = cudnn.descriptor tensor {unique_id = 5, data_type = int32, dimensions = [2, 1, 1, 1]
// CHECK: operation_matmul {{.*}}gemm_m_override_desc = %[[ROWS]], gemm_n_override_desc = %[[COLUMNS]]
// CHECK: pointwise {mode = gen_index, math_prec = int32, axis = 2}
// CHECK: pointwise {mode = gen_index, math_prec = int32, axis = 3}
// CHECK: pointwise {mode = cmp_lt, math_prec = boolean}
// CHECK: bdesc = %[[ROWS]]
// CHECK: pointwise {mode = cmp_lt, math_prec = boolean}
// CHECK: bdesc = %[[COLUMNS]]
// CHECK: pointwise {mode = logical_and, math_prec = boolean}
// CHECK: pointwise {mode = binary_select
// CHECK: reduction {operator = max
// CHECK: pointwise {mode = max
// CHECK: pointwise {mode = sub
// CHECK: pointwise {mode = exp
// CHECK: pointwise {mode = exp
// CHECK: reduction {operator = add
// CHECK: pointwise {mode = add
// CHECK: pointwise {mode = log
// CHECK: pointwise {mode = div
// CHECK: operation_matmul {{.*}}gemm_m_override_desc = %[[ROWS]], gemm_k_override_desc = %[[COLUMNS]]
graph.graph @lengths(%q: tensor<2x4x64x32xbf16> {graph.uid = 1 : i64},
                     %k: tensor<2x4x64x32xbf16> {graph.uid = 2 : i64},
                     %v: tensor<2x4x64x32xbf16> {graph.uid = 3 : i64},
                     %rows: tensor<2x1x1x1xi32> {graph.uid = 4 : i64},
                     %columns: tensor<2x1x1x1xi32> {graph.uid = 5 : i64},
                     %sink: tensor<1x4x1x1xf32> {graph.uid = 6 : i64})
    -> (tensor<2x4x64x32xbf16> {graph.uid = 7 : i64}) {
  %o = graph.sdpa %q, %k, %v seq_len_q %rows seq_len_kv %columns
      sink_token %sink {use_padding_mask}
      : (tensor<2x4x64x32xbf16>, tensor<2x4x64x32xbf16>, tensor<2x4x64x32xbf16>,
         tensor<2x1x1x1xi32>, tensor<2x1x1x1xi32>, tensor<1x4x1x1xf32>)
      -> tensor<2x4x64x32xbf16>
  graph.return %o : tensor<2x4x64x32xbf16>
}

// -----

// A window: the left bound is a float; a bound beyond all scores masks none.

// CHECK-LABEL: cudnn.graph @opgraph_window_cudnn
// CHECK-NOT: mode = cmp_ge
// CHECK: pointwise {mode = add, math_prec = float}
// CHECK: pointwise {mode = cmp_gt, math_prec = boolean}
// CHECK-LABEL: plan.program @window
// CHECK: 1.600000e+01 : f32
graph.graph @window(%q: tensor<1x2x64x64xf16> {graph.uid = 1 : i64},
                    %k: tensor<1x2x64x64xf16> {graph.uid = 2 : i64},
                    %v: tensor<1x2x64x64xf16> {graph.uid = 3 : i64})
    -> (tensor<1x2x64x64xf16> {graph.uid = 4 : i64}) {
  %o = graph.sdpa %q, %k, %v
      {diagonal_band_left_bound = 16 : i64,
       diagonal_band_right_bound = 9223372036854775807 : i64}
      : (tensor<1x2x64x64xf16>, tensor<1x2x64x64xf16>, tensor<1x2x64x64xf16>)
      -> tensor<1x2x64x64xf16>
  graph.return %o : tensor<1x2x64x64xf16>
}

// -----

// Pages are loaded for the product that reads them.

// CHECK-LABEL: cudnn.graph @opgraph_paged_cudnn
// CHECK: tensor {{.*}}dimensions = [2, 2, 16, 64], strides = [2048, 1024, 1, 16], byte_alignment = 16, is_virtual = true}
// CHECK: operation_paged_cache_load
// CHECK: operation_matmul
// CHECK: tensor {{.*}}dimensions = [2, 2, 64, 16], strides = [2048, 1024, 16, 1], byte_alignment = 16, is_virtual = true}
// CHECK: operation_paged_cache_load
// CHECK: operation_matmul
graph.graph @paged(%q: tensor<2x4x8x16xbf16> {graph.uid = 1 : i64},
                   %k: tensor<12x2x8x16xbf16> {graph.uid = 2 : i64},
                   %v: tensor<12x2x8x16xbf16> {graph.uid = 3 : i64},
                   %tk: tensor<2x1x8x1xi32> {graph.uid = 4 : i64},
                   %tv: tensor<2x1x8x1xi32> {graph.uid = 5 : i64},
                   %rows: tensor<2x1x1x1xi32> {graph.uid = 6 : i64},
                   %columns: tensor<2x1x1x1xi32> {graph.uid = 7 : i64})
    -> (tensor<2x4x8x16xbf16> {graph.uid = 8 : i64}) {
  %o = graph.sdpa %q, %k, %v seq_len_q %rows seq_len_kv %columns
      paged_attention_k_table %tk paged_attention_v_table %tv
      {use_padding_mask, paged_attention_max_seq_len_kv = 64 : i64}
      : (tensor<2x4x8x16xbf16>, tensor<12x2x8x16xbf16>, tensor<12x2x8x16xbf16>,
         tensor<2x1x1x1xi32>, tensor<2x1x1x1xi32>, tensor<2x1x8x1xi32>,
         tensor<2x1x8x1xi32>) -> tensor<2x4x8x16xbf16>
  graph.return %o : tensor<2x4x8x16xbf16>
}

// -----

// One tensor of offsets, of rank 1, for two ragged ones.

// CHECK-LABEL: cudnn.graph @opgraph_ragged_cudnn
// CHECK: %[[OFFSETS:.*]] = cudnn.descriptor tensor {unique_id = {{[0-9]+}}, data_type = int32, dimensions = [3, 1, 1, 1], strides = [1, 1, 1, 1]
// CHECK: tensor {{.*}}ragged_offset_desc = %[[OFFSETS]]
// CHECK: operation_matmul
// CHECK: tensor {{.*}}ragged_offset_desc = %[[OFFSETS]]
// CHECK: operation_matmul
graph.graph @ragged(
    %q: tensor<2x4x64x32xbf16, #graph.layout<strides = [8192, 32, 128, 1]>> {graph.uid = 1 : i64},
    %k: tensor<2x4x64x32xbf16> {graph.uid = 2 : i64},
    %v: tensor<2x4x64x32xbf16> {graph.uid = 3 : i64},
    %rows: tensor<2x1x1x1xi32> {graph.uid = 4 : i64},
    %columns: tensor<2x1x1x1xi32> {graph.uid = 5 : i64},
    %offsets: tensor<3xi32> {graph.uid = 6 : i64})
    -> (tensor<2x4x64x32xbf16, #graph.layout<strides = [8192, 32, 128, 1]>> {graph.uid = 7 : i64}) {
  %o = graph.sdpa %q, %k, %v seq_len_q %rows seq_len_kv %columns
      ragged_offset_q %offsets ragged_offset_o %offsets {use_padding_mask}
      : (tensor<2x4x64x32xbf16, #graph.layout<strides = [8192, 32, 128, 1]>>,
         tensor<2x4x64x32xbf16>, tensor<2x4x64x32xbf16>, tensor<2x1x1x1xi32>,
         tensor<2x1x1x1xi32>, tensor<3xi32>, tensor<3xi32>)
      -> tensor<2x4x64x32xbf16, #graph.layout<strides = [8192, 32, 128, 1]>>
  graph.return %o : tensor<2x4x64x32xbf16, #graph.layout<strides = [8192, 32, 128, 1]>>
}

// -----

// The function of the scores' region, with a captured tensor.

// CHECK-LABEL: cudnn.graph @opgraph_soft_cap_cudnn
// CHECK: operation_matmul
// CHECK: tensor {unique_id = 4, data_type = float, dimensions = [1, 1, 1, 1]
// CHECK: pointwise {mode = div, math_prec = float}
// CHECK: pointwise {mode = tanh_fwd, math_prec = float}
// CHECK: pointwise {mode = mul, math_prec = float}
// CHECK: reduction {operator = max
graph.graph @soft_cap(%q: tensor<1x2x8x16xf16> {graph.uid = 1 : i64},
                      %k: tensor<1x2x8x16xf16> {graph.uid = 2 : i64},
                      %v: tensor<1x2x8x16xf16> {graph.uid = 3 : i64},
                      %cap: tensor<1x1x1x1xf32> {graph.uid = 4 : i64})
    -> (tensor<1x2x8x16xf16> {graph.uid = 5 : i64}) {
  %o = graph.sdpa %q, %k, %v captures %cap score_mod {
  ^bb0(%s: tensor<1x2x8x8xf32>, %c: tensor<1x1x1x1xf32>):
    %0 = graph.div %s, %c
        : (tensor<1x2x8x8xf32>, tensor<1x1x1x1xf32>) -> tensor<1x2x8x8xf32>
    %1 = graph.tanh %0 : (tensor<1x2x8x8xf32>) -> tensor<1x2x8x8xf32>
    %2 = graph.mul %1, %c
        : (tensor<1x2x8x8xf32>, tensor<1x1x1x1xf32>) -> tensor<1x2x8x8xf32>
    graph.yield %2 : tensor<1x2x8x8xf32>
  } : (tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>,
       tensor<1x1x1x1xf32>) -> tensor<1x2x8x16xf16>
  graph.return %o : tensor<1x2x8x16xf16>
}
