// RUN: graph-opt %s | graph-opt | FileCheck %s
// Every operand and result of sdpa, in the order that they are spelled in.

!q = tensor<2x4x8x16xf16>
!row = tensor<2x4x8x1xf32>
!one = tensor<1x1x1x1xi64>
!len = tensor<2x1x1x1xi32>
!off = tensor<3x1x1x1xi64>

// CHECK-LABEL: graph.graph @masks
graph.graph @masks(%q: !q {graph.uid = 1 : i64}, %k: !q {graph.uid = 2 : i64},
    %v: !q {graph.uid = 3 : i64}, %scale: tensor<1xf32> {graph.uid = 4 : i64},
    %bias: tensor<1x4x8x8xf16> {graph.uid = 5 : i64},
    %kv: tensor<1x1x1x8xi1> {graph.uid = 6 : i64},
    %block: tensor<2x4x1x1xui8> {graph.uid = 7 : i64},
    %ql: !len {graph.uid = 8 : i64}, %kl: tensor<3xi64> {graph.uid = 9 : i64},
    %seed: !one {graph.uid = 10 : i64}, %offset: !one {graph.uid = 11 : i64},
    %sink: tensor<1x4x1x1xf32> {graph.uid = 12 : i64})
    -> (!q {graph.uid = 20 : i64}, !row {graph.uid = 21 : i64},
        !row {graph.uid = 22 : i64}, !row {graph.uid = 23 : i64},
        tensor<2x4x8x8xf32> {graph.uid = 24 : i64}) {
  // CHECK: %[[O:.+]], %[[STATS:.+]], %[[MAX:.+]], %[[SUM:.+]], %[[DUMP:.+]] = graph.sdpa
  // CHECK-SAME: scale %{{[^ ]+}} bias %{{[^ ]+}} kv_mask %{{[^ ]+}} block_mask %{{[^ ]+}} seq_len_q %{{[^ ]+}} cu_seq_len_kv %{{[^ ]+}} dropout_seed %{{[^ ]+}} dropout_offset %{{[^ ]+}} sink_token
  // CHECK-SAME: -> tensor<2x4x8x16xf16> stats tensor<2x4x8x1xf32> max tensor<2x4x8x1xf32> sum_exp tensor<2x4x8x1xf32> rng_dump tensor<2x4x8x8xf32>
  %o, %stats, %max, %sum, %dump = graph.sdpa %q, %k, %v scale %scale bias %bias
      kv_mask %kv block_mask %block seq_len_q %ql cu_seq_len_kv %kl
      dropout_seed %seed dropout_offset %offset sink_token %sink
      {dropout_probability = 0.25 : f64, use_padding_mask, use_alibi_mask,
       diagonal_band_right_bound = 0 : i64, generate_stats, generate_max,
       generate_sum_exp, generate_rng_dump, stats_use_log2,
       softmax_precision = f16, implementation = #graph<attention_implementation composite>,
       unfuse_fma}
      : (!q, !q, !q, tensor<1xf32>, tensor<1x4x8x8xf16>, tensor<1x1x1x8xi1>,
         tensor<2x4x1x1xui8>, !len, tensor<3xi64>, !one, !one,
         tensor<1x4x1x1xf32>)
      -> !q stats !row max !row sum_exp !row rng_dump tensor<2x4x8x8xf32>
  graph.return %o, %stats, %max, %sum, %dump
      : !q, !row, !row, !row, tensor<2x4x8x8xf32>
}

// CHECK-LABEL: graph.graph @storage
graph.graph @storage(%q: !q {graph.uid = 1 : i64},
    %k: tensor<9x4x2x16xf16> {graph.uid = 2 : i64},
    %v: tensor<9x2x3x8xf16> {graph.uid = 3 : i64},
    %ql: !len {graph.uid = 4 : i64}, %kl: !len {graph.uid = 5 : i64},
    %kt: tensor<2x1x5x1xi32> {graph.uid = 6 : i64},
    %vt: tensor<2x1x4x1xi32> {graph.uid = 7 : i64},
    %off: !off {graph.uid = 8 : i64}, %rows: !off {graph.uid = 9 : i64})
    -> (tensor<2x4x8x8xf16> {graph.uid = 20 : i64},
        tensor<2x4x8x1xf32, #graph.layout<strides = [32, 1, 4, 1]>> {graph.uid = 21 : i64}) {
  // CHECK: graph.sdpa
  // CHECK-SAME: paged_attention_k_table %{{[^ ]+}} paged_attention_v_table %{{[^ ]+}} ragged_offset_q %{{[^ ]+}} ragged_offset_o %{{[^ ]+}} ragged_offset_stats %{{[^ ]+}}
  // CHECK-SAME: ragged_multipliers = array<i64: 1, 1, 4>
  %o, %stats = graph.sdpa %q, %k, %v seq_len_q %ql seq_len_kv %kl
      paged_attention_k_table %kt paged_attention_v_table %vt
      ragged_offset_q %off ragged_offset_o %off ragged_offset_stats %rows
      {use_padding_mask, generate_stats, max_total_seq_len_q = 16 : i64,
       paged_attention_max_seq_len_kv = 10 : i64,
       ragged_multipliers = array<i64: 1, 1, 4>}
      : (!q, tensor<9x4x2x16xf16>, tensor<9x2x3x8xf16>, !len, !len,
         tensor<2x1x5x1xi32>, tensor<2x1x4x1xi32>, !off, !off, !off)
      -> tensor<2x4x8x8xf16>
         stats tensor<2x4x8x1xf32, #graph.layout<strides = [32, 1, 4, 1]>>
  graph.return %o, %stats : tensor<2x4x8x8xf16>,
      tensor<2x4x8x1xf32, #graph.layout<strides = [32, 1, 4, 1]>>
}

// CHECK-LABEL: graph.graph @regions
graph.graph @regions(%q: !q {graph.uid = 1 : i64},
    %k: !q {graph.uid = 2 : i64}, %v: !q {graph.uid = 3 : i64},
    %c: tensor<1x4x1x1xbf16> {graph.uid = 4 : i64})
    -> (!q {graph.uid = 20 : i64}) {
  // CHECK: graph.sdpa %{{[^ ,]+}}, %{{[^ ,]+}}, %{{[^ ,]+}} captures %{{[^ ,]+}} score_mod {
  // CHECK-NEXT: ^bb0(%[[S:.+]]: tensor<2x4x8x8xf32>, %[[C:.+]]: tensor<1x4x1x1xbf16>):
  // CHECK-NEXT: graph.constant
  // CHECK-NEXT: graph.add %[[S]]
  // CHECK: graph.yield %{{.+}} : tensor<2x4x8x8xf32>
  // CHECK-NEXT: } :
  %o = graph.sdpa %q, %k, %v captures %c score_mod {
  ^bb0(%s: tensor<2x4x8x8xf32>, %h: tensor<1x4x1x1xbf16>):
    %one = graph.constant 1.0 : f32 : tensor<1xf32>
    %0 = graph.add %s, %one : (tensor<2x4x8x8xf32>, tensor<1xf32>) -> tensor<2x4x8x8xf32>
    %1 = graph.mul %0, %h : (tensor<2x4x8x8xf32>, tensor<1x4x1x1xbf16>) -> tensor<2x4x8x8xf32>
    graph.yield %1 : tensor<2x4x8x8xf32>
  } : (!q, !q, !q, tensor<1x4x1x1xbf16>) -> !q
  graph.return %o : !q
}
