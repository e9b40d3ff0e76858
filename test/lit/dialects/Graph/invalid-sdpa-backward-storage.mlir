// RUN: graph-opt %s --split-input-file --verify-diagnostics

graph.graph @sdpa_backward_c22(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf16> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf16> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64},
    %lq: tensor<2x1x1x1xi32> {graph.uid = 7 : i64},
    %lk: tensor<2x1x1x1xi32> {graph.uid = 8 : i64},
    %rq: tensor<2xi64> {graph.uid = 9 : i64})
    -> (tensor<2x4x8x16xf16> {graph.uid = 10 : i64}) {
  // expected-error @below {{expected 'ragged_offset_q' to be 2 + 1 numbers}}
  %0:3 = graph.sdpa_backward %q, %k, %v, %o, %do, %stats
      seq_len_q %lq seq_len_kv %lk ragged_offset_q %rq
      {use_padding_mask}
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>,
         tensor<2x4x8x32xf16>, tensor<2x4x8x32xf16>, tensor<2x4x8x1xf32>,
         tensor<2x1x1x1xi32>, tensor<2x1x1x1xi32>, tensor<2xi64>)
      -> tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>
  graph.return %0#0 : tensor<2x4x8x16xf16>
}

// -----

graph.graph @sdpa_backward_c22_type(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf16> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf16> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64},
    %lq: tensor<2x1x1x1xi32> {graph.uid = 7 : i64},
    %lk: tensor<2x1x1x1xi32> {graph.uid = 8 : i64},
    %rq: tensor<3xf32> {graph.uid = 9 : i64})
    -> (tensor<2x4x8x16xf16> {graph.uid = 10 : i64}) {
  // expected-error @below {{expected 'ragged_offset_q' to be i32 or i64, got 'f32'}}
  %0:3 = graph.sdpa_backward %q, %k, %v, %o, %do, %stats
      seq_len_q %lq seq_len_kv %lk ragged_offset_q %rq
      {use_padding_mask}
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>,
         tensor<2x4x8x32xf16>, tensor<2x4x8x32xf16>, tensor<2x4x8x1xf32>,
         tensor<2x1x1x1xi32>, tensor<2x1x1x1xi32>, tensor<3xf32>)
      -> tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>
  graph.return %0#0 : tensor<2x4x8x16xf16>
}

// -----

graph.graph @sdpa_backward_c23(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf16> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf16> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64},
    %rq: tensor<3xi64> {graph.uid = 7 : i64})
    -> (tensor<2x4x8x16xf16> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected 'use_padding_mask' with ragged offsets, got none}}
  %0:3 = graph.sdpa_backward %q, %k, %v, %o, %do, %stats
      ragged_offset_q %rq
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>,
         tensor<2x4x8x32xf16>, tensor<2x4x8x32xf16>, tensor<2x4x8x1xf32>,
         tensor<3xi64>)
      -> tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>
  graph.return %0#0 : tensor<2x4x8x16xf16>
}

// -----

graph.graph @sdpa_backward_c24(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf16> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf16> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64},
    %lq: tensor<2x1x1x1xi32> {graph.uid = 7 : i64},
    %lk: tensor<2x1x1x1xi32> {graph.uid = 8 : i64},
    %rq: tensor<3xi64> {graph.uid = 9 : i64})
    -> (tensor<2x4x8x16xf16> {graph.uid = 10 : i64}) {
  // expected-error @below {{expected one of 'ragged_multipliers' per ragged offset (1), got 2}}
  %0:3 = graph.sdpa_backward %q, %k, %v, %o, %do, %stats
      seq_len_q %lq seq_len_kv %lk ragged_offset_q %rq
      {use_padding_mask, ragged_multipliers = array<i64: 1, 1>}
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>,
         tensor<2x4x8x32xf16>, tensor<2x4x8x32xf16>, tensor<2x4x8x1xf32>,
         tensor<2x1x1x1xi32>, tensor<2x1x1x1xi32>, tensor<3xi64>)
      -> tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>
  graph.return %0#0 : tensor<2x4x8x16xf16>
}

// -----

graph.graph @sdpa_backward_c24_sign(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf16> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf16> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64},
    %lq: tensor<2x1x1x1xi32> {graph.uid = 7 : i64},
    %lk: tensor<2x1x1x1xi32> {graph.uid = 8 : i64},
    %rq: tensor<3xi64> {graph.uid = 9 : i64})
    -> (tensor<2x4x8x16xf16> {graph.uid = 10 : i64}) {
  // expected-error @below {{expected 'ragged_multipliers' to be at least 1, got 0}}
  %0:3 = graph.sdpa_backward %q, %k, %v, %o, %do, %stats
      seq_len_q %lq seq_len_kv %lk ragged_offset_q %rq
      {use_padding_mask, ragged_multipliers = array<i64: 0>}
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>,
         tensor<2x4x8x32xf16>, tensor<2x4x8x32xf16>, tensor<2x4x8x1xf32>,
         tensor<2x1x1x1xi32>, tensor<2x1x1x1xi32>, tensor<3xi64>)
      -> tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>
  graph.return %0#0 : tensor<2x4x8x16xf16>
}

// -----

graph.graph @sdpa_backward_c25(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf16> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf16> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64})
    -> (tensor<2x4x8x16xf16> {graph.uid = 7 : i64}) {
  // expected-error @below {{expected ragged offsets with 'max_total_seq_len_q', got none}}
  %0:3 = graph.sdpa_backward %q, %k, %v, %o, %do, %stats
      {max_total_seq_len_q = 64 : i64}
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>,
         tensor<2x4x8x32xf16>, tensor<2x4x8x32xf16>, tensor<2x4x8x1xf32>)
      -> tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>
  graph.return %0#0 : tensor<2x4x8x16xf16>
}

// -----

graph.graph @sdpa_backward_c25_sign(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf16> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf16> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64},
    %lq: tensor<2x1x1x1xi32> {graph.uid = 7 : i64},
    %lk: tensor<2x1x1x1xi32> {graph.uid = 8 : i64},
    %rq: tensor<3xi64> {graph.uid = 9 : i64})
    -> (tensor<2x4x8x16xf16> {graph.uid = 10 : i64}) {
  // expected-error @below {{expected 'max_total_seq_len_kv' to be at least 1, got 0}}
  %0:3 = graph.sdpa_backward %q, %k, %v, %o, %do, %stats
      seq_len_q %lq seq_len_kv %lk ragged_offset_q %rq
      {use_padding_mask, max_total_seq_len_kv = 0 : i64}
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>,
         tensor<2x4x8x32xf16>, tensor<2x4x8x32xf16>, tensor<2x4x8x1xf32>,
         tensor<2x1x1x1xi32>, tensor<2x1x1x1xi32>, tensor<3xi64>)
      -> tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>
  graph.return %0#0 : tensor<2x4x8x16xf16>
}

// -----

graph.graph @sdpa_backward_c26(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf16> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf16> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64})
    -> (tensor<2x4x8x16xf16> {graph.uid = 7 : i64}) {
  // expected-error @below {{expected 'score_mod' to take 2 arguments, the scores and the captures, got 1}}
  %0:3 = graph.sdpa_backward %q, %k, %v, %o, %do, %stats
      score_mod {
      ^bb0(%s: tensor<2x4x8x6xf32>):
        graph.yield %s : tensor<2x4x8x6xf32>
      }
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>,
         tensor<2x4x8x32xf16>, tensor<2x4x8x32xf16>, tensor<2x4x8x1xf32>)
      -> tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>
  graph.return %0#0 : tensor<2x4x8x16xf16>
}

// -----

graph.graph @sdpa_backward_c26_yield(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf16> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf16> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64})
    -> (tensor<2x4x8x16xf16> {graph.uid = 7 : i64}) {
  // expected-error @below {{expected 'score_mod' to end in 'graph.yield' of 2 values, got 1}}
  %0:3 = graph.sdpa_backward %q, %k, %v, %o, %do, %stats
      score_mod {
      ^bb0(%s: tensor<2x4x8x6xf32>, %ds: tensor<2x4x8x6xf32>):
        graph.yield %s : tensor<2x4x8x6xf32>
      }
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>,
         tensor<2x4x8x32xf16>, tensor<2x4x8x32xf16>, tensor<2x4x8x1xf32>)
      -> tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>
  graph.return %0#0 : tensor<2x4x8x16xf16>
}
