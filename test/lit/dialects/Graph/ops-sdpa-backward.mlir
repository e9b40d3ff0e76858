// RUN: graph-opt %s | FileCheck %s
// RUN: graph-opt %s | graph-opt | FileCheck %s

// CHECK-LABEL: graph.graph @plain(
// CHECK: graph.sdpa_backward %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {attn_scale_value = 2.500000e-01 : f64, diagonal_band_right_bound = 0 : i64}
// CHECK-SAME: -> tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>
graph.graph @plain(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf16> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf16> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64})
    -> (tensor<2x4x8x16xf16> {graph.uid = 7 : i64},
        tensor<2x2x6x16xf16> {graph.uid = 8 : i64},
        tensor<2x2x6x32xf16> {graph.uid = 9 : i64}) {
  %dq, %dk, %dv = graph.sdpa_backward %q, %k, %v, %o, %do, %stats
      {attn_scale_value = 0.25 : f64, diagonal_band_right_bound = 0 : i64}
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>,
         tensor<2x4x8x32xf16>, tensor<2x4x8x32xf16>, tensor<2x4x8x1xf32>)
      -> tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>
  graph.return %dq, %dk, %dv : tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>,
      tensor<2x2x6x32xf16>
}

// All of the optional results, ragged tensors, dropout by probability.
// CHECK-LABEL: graph.graph @everything(
// CHECK: bias %{{.*}} seq_len_q %{{.*}} cu_seq_len_kv %{{.*}} dropout_seed %{{.*}} dropout_offset %{{.*}} sink_token %{{.*}} ragged_offset_q %{{.*}} ragged_offset_dk %{{.*}} {
// CHECK-SAME: ragged_multipliers = array<i64: 1, 16>
// CHECK-SAME: dbias tensor<1x4x1x6xf16> dsink_token tensor<1x4x1x1xf32> rng_dump tensor<2x4x8x6xf32>
graph.graph @everything(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf16> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf16> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64},
    %bias: tensor<1x4x1x6xf16> {graph.uid = 7 : i64},
    %lengths: tensor<2x1x1x1xi32> {graph.uid = 8 : i64},
    %sums: tensor<3xi32> {graph.uid = 9 : i64},
    %seed: tensor<1xi64> {graph.uid = 10 : i64},
    %sink: tensor<1x4x1x1xf32> {graph.uid = 11 : i64},
    %ragged: tensor<3x1x1x1xi64> {graph.uid = 12 : i64})
    -> (tensor<2x4x8x16xf16> {graph.uid = 13 : i64},
        tensor<1x4x1x6xf16> {graph.uid = 14 : i64},
        tensor<1x4x1x1xf32> {graph.uid = 15 : i64},
        tensor<2x4x8x6xf32> {graph.uid = 16 : i64}) {
  %dq, %dk, %dv, %dbias, %dsink, %dump = graph.sdpa_backward
      %q, %k, %v, %o, %do, %stats bias %bias seq_len_q %lengths
      cu_seq_len_kv %sums dropout_seed %seed dropout_offset %seed
      sink_token %sink ragged_offset_q %ragged ragged_offset_dk %ragged
      {dropout_probability = 0.5 : f64, generate_dbias, generate_dsink_token,
       generate_rng_dump, ragged_multipliers = array<i64: 1, 16>,
       max_total_seq_len_q = 64 : i64, stats_use_log2, use_alibi_mask,
       diagonal_band_right_bound = 0 : i64, use_padding_mask,
       use_deterministic_algorithm}
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>,
         tensor<2x4x8x32xf16>, tensor<2x4x8x32xf16>, tensor<2x4x8x1xf32>,
         tensor<1x4x1x6xf16>, tensor<2x1x1x1xi32>, tensor<3xi32>, tensor<1xi64>,
         tensor<1xi64>, tensor<1x4x1x1xf32>, tensor<3x1x1x1xi64>,
         tensor<3x1x1x1xi64>)
      -> tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>
         dbias tensor<1x4x1x6xf16> dsink_token tensor<1x4x1x1xf32>
         rng_dump tensor<2x4x8x6xf32>
  graph.return %dq, %dbias, %dsink, %dump : tensor<2x4x8x16xf16>,
      tensor<1x4x1x6xf16>, tensor<1x4x1x1xf32>, tensor<2x4x8x6xf32>
}

// A soft cap and its derivative.
// CHECK-LABEL: graph.graph @score_mod(
// CHECK: captures %{{.*}} score_mod {
// CHECK: graph.yield %{{.*}}, %{{.*}} : tensor<2x4x8x6xf32>, tensor<2x4x8x6xf32>
graph.graph @score_mod(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf16> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf16> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64},
    %cap: tensor<1x1x1x1xf32> {graph.uid = 7 : i64})
    -> (tensor<2x4x8x16xf16> {graph.uid = 8 : i64}) {
  %dq, %dk, %dv = graph.sdpa_backward %q, %k, %v, %o, %do, %stats captures %cap
      score_mod {
      ^bb0(%s: tensor<2x4x8x6xf32>, %ds: tensor<2x4x8x6xf32>,
           %c: tensor<1x1x1x1xf32>):
        %0 = graph.div %s, %c : (tensor<2x4x8x6xf32>, tensor<1x1x1x1xf32>)
            -> tensor<2x4x8x6xf32>
        %1 = graph.tanh %0 : (tensor<2x4x8x6xf32>) -> tensor<2x4x8x6xf32>
        %2 = graph.mul %1, %c : (tensor<2x4x8x6xf32>, tensor<1x1x1x1xf32>)
            -> tensor<2x4x8x6xf32>
        %3 = graph.tanh_backward %ds, %0
            : (tensor<2x4x8x6xf32>, tensor<2x4x8x6xf32>) -> tensor<2x4x8x6xf32>
        graph.yield %2, %3 : tensor<2x4x8x6xf32>, tensor<2x4x8x6xf32>
      }
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>,
         tensor<2x4x8x32xf16>, tensor<2x4x8x32xf16>, tensor<2x4x8x1xf32>,
         tensor<1x1x1x1xf32>)
      -> tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>
  graph.return %dq : tensor<2x4x8x16xf16>
}
