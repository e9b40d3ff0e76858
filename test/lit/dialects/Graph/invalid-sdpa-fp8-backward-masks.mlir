// RUN: graph-opt %s --split-input-file --verify-diagnostics

graph.graph @sdpa_fp8_backward_c10(
    %q: tensor<2x4x8x16xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf8E4M3FN> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf8E4M3FN> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf8E5M2> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64},
    %s: tensor<1xf32> {graph.uid = 7 : i64},
    %lq: tensor<2xi32> {graph.uid = 8 : i64},
    %lk: tensor<2x1x1x1xi32> {graph.uid = 9 : i64})
    -> (tensor<2x4x8x16xf8E4M3FN> {graph.uid = 10 : i64}) {
  // expected-error @below {{expected 'SEQ_LEN_Q' to be 2x1x1x1, got 2}}
  %0:7 = graph.sdpa_fp8_backward
      %q, %k, %v, %o, %do, %stats, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s,
      %s
      seq_len_q %lq seq_len_kv %lk
      {use_padding_mask}
      : (tensor<2x4x8x16xf8E4M3FN>, tensor<2x2x6x16xf8E4M3FN>,
         tensor<2x2x6x32xf8E4M3FN>, tensor<2x4x8x32xf8E4M3FN>,
         tensor<2x4x8x32xf8E5M2>, tensor<2x4x8x1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<2xi32>,
         tensor<2x1x1x1xi32>)
      -> tensor<2x4x8x16xf8E4M3FN>, tensor<2x2x6x16xf8E4M3FN>,
         tensor<2x2x6x32xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>,
         tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %0#0 : tensor<2x4x8x16xf8E4M3FN>
}

// -----

graph.graph @sdpa_fp8_backward_c11(
    %q: tensor<2x4x8x16xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf8E4M3FN> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf8E4M3FN> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf8E5M2> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64},
    %s: tensor<1xf32> {graph.uid = 7 : i64},
    %lq: tensor<2x1x1x1xf32> {graph.uid = 8 : i64},
    %lk: tensor<2x1x1x1xi32> {graph.uid = 9 : i64})
    -> (tensor<2x4x8x16xf8E4M3FN> {graph.uid = 10 : i64}) {
  // expected-error @below {{expected 'SEQ_LEN_Q' to be i32 or i64, got 'f32'}}
  %0:7 = graph.sdpa_fp8_backward
      %q, %k, %v, %o, %do, %stats, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s,
      %s
      seq_len_q %lq seq_len_kv %lk
      {use_padding_mask}
      : (tensor<2x4x8x16xf8E4M3FN>, tensor<2x2x6x16xf8E4M3FN>,
         tensor<2x2x6x32xf8E4M3FN>, tensor<2x4x8x32xf8E4M3FN>,
         tensor<2x4x8x32xf8E5M2>, tensor<2x4x8x1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<2x1x1x1xf32>,
         tensor<2x1x1x1xi32>)
      -> tensor<2x4x8x16xf8E4M3FN>, tensor<2x2x6x16xf8E4M3FN>,
         tensor<2x2x6x32xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>,
         tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %0#0 : tensor<2x4x8x16xf8E4M3FN>
}

// -----

graph.graph @sdpa_fp8_backward_c12(
    %q: tensor<2x4x8x16xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf8E4M3FN> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf8E4M3FN> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf8E5M2> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64},
    %s: tensor<1xf32> {graph.uid = 7 : i64})
    -> (tensor<2x4x8x16xf8E4M3FN> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected 'diagonal_band_right_bound' to be at least 0, got -3}}
  %0:7 = graph.sdpa_fp8_backward
      %q, %k, %v, %o, %do, %stats, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s,
      %s
      {diagonal_band_right_bound = -3 : i64}
      : (tensor<2x4x8x16xf8E4M3FN>, tensor<2x2x6x16xf8E4M3FN>,
         tensor<2x2x6x32xf8E4M3FN>, tensor<2x4x8x32xf8E4M3FN>,
         tensor<2x4x8x32xf8E5M2>, tensor<2x4x8x1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
      -> tensor<2x4x8x16xf8E4M3FN>, tensor<2x2x6x16xf8E4M3FN>,
         tensor<2x2x6x32xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>,
         tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %0#0 : tensor<2x4x8x16xf8E4M3FN>
}

// -----

graph.graph @sdpa_fp8_backward_c13(
    %q: tensor<2x4x8x16xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf8E4M3FN> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf8E4M3FN> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf8E5M2> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64},
    %s: tensor<1xf32> {graph.uid = 7 : i64})
    -> (tensor<2x4x8x16xf8E4M3FN> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected 'dropout_probability', 'Seed' and 'Offset' together}}
  %0:7 = graph.sdpa_fp8_backward
      %q, %k, %v, %o, %do, %stats, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s,
      %s
      {dropout_probability = 0.5 : f64}
      : (tensor<2x4x8x16xf8E4M3FN>, tensor<2x2x6x16xf8E4M3FN>,
         tensor<2x2x6x32xf8E4M3FN>, tensor<2x4x8x32xf8E4M3FN>,
         tensor<2x4x8x32xf8E5M2>, tensor<2x4x8x1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
      -> tensor<2x4x8x16xf8E4M3FN>, tensor<2x2x6x16xf8E4M3FN>,
         tensor<2x2x6x32xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>,
         tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %0#0 : tensor<2x4x8x16xf8E4M3FN>
}

// -----

graph.graph @sdpa_fp8_backward_c14(
    %q: tensor<2x4x8x16xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf8E4M3FN> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf8E4M3FN> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf8E5M2> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64},
    %s: tensor<1xf32> {graph.uid = 7 : i64},
    %sd: tensor<1xi64> {graph.uid = 8 : i64},
    %so: tensor<1xi64> {graph.uid = 9 : i64})
    -> (tensor<2x4x8x16xf8E4M3FN> {graph.uid = 10 : i64}) {
  // expected-error @below {{expected 'dropout_probability' to be at least 0 and less than 1, got -5.000000e-01}}
  %0:7 = graph.sdpa_fp8_backward
      %q, %k, %v, %o, %do, %stats, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s,
      %s
      dropout_seed %sd dropout_offset %so
      {dropout_probability = -0.5 : f64}
      : (tensor<2x4x8x16xf8E4M3FN>, tensor<2x2x6x16xf8E4M3FN>,
         tensor<2x2x6x32xf8E4M3FN>, tensor<2x4x8x32xf8E4M3FN>,
         tensor<2x4x8x32xf8E5M2>, tensor<2x4x8x1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xi64>,
         tensor<1xi64>)
      -> tensor<2x4x8x16xf8E4M3FN>, tensor<2x2x6x16xf8E4M3FN>,
         tensor<2x2x6x32xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>,
         tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %0#0 : tensor<2x4x8x16xf8E4M3FN>
}

// -----

graph.graph @sdpa_fp8_backward_c15(
    %q: tensor<2x4x8x16xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf8E4M3FN> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf8E4M3FN> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf8E5M2> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64},
    %s: tensor<1xf32> {graph.uid = 7 : i64},
    %sd: tensor<1xi8> {graph.uid = 8 : i64},
    %so: tensor<1xi64> {graph.uid = 9 : i64})
    -> (tensor<2x4x8x16xf8E4M3FN> {graph.uid = 10 : i64}) {
  // expected-error @below {{expected 'Seed' to be i32 or i64, got 'i8'}}
  %0:7 = graph.sdpa_fp8_backward
      %q, %k, %v, %o, %do, %stats, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s,
      %s
      dropout_seed %sd dropout_offset %so
      {dropout_probability = 0.5 : f64}
      : (tensor<2x4x8x16xf8E4M3FN>, tensor<2x2x6x16xf8E4M3FN>,
         tensor<2x2x6x32xf8E4M3FN>, tensor<2x4x8x32xf8E4M3FN>,
         tensor<2x4x8x32xf8E5M2>, tensor<2x4x8x1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xi8>,
         tensor<1xi64>)
      -> tensor<2x4x8x16xf8E4M3FN>, tensor<2x2x6x16xf8E4M3FN>,
         tensor<2x2x6x32xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>,
         tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %0#0 : tensor<2x4x8x16xf8E4M3FN>
}

// -----

graph.graph @sdpa_fp8_backward_c16(
    %q: tensor<2x4x8x16xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf8E4M3FN> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf8E4M3FN> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf8E5M2> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64},
    %s: tensor<1xf32> {graph.uid = 7 : i64},
    %t: tensor<1x4x1x1xi32> {graph.uid = 8 : i64})
    -> (tensor<2x4x8x16xf8E4M3FN> {graph.uid = 9 : i64}) {
  // expected-error @below {{expected 'SINK_TOKEN' to be floating point, got 'i32'}}
  %0:7 = graph.sdpa_fp8_backward
      %q, %k, %v, %o, %do, %stats, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s,
      %s
      sink_token %t
      : (tensor<2x4x8x16xf8E4M3FN>, tensor<2x2x6x16xf8E4M3FN>,
         tensor<2x2x6x32xf8E4M3FN>, tensor<2x4x8x32xf8E4M3FN>,
         tensor<2x4x8x32xf8E5M2>, tensor<2x4x8x1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1x4x1x1xi32>)
      -> tensor<2x4x8x16xf8E4M3FN>, tensor<2x2x6x16xf8E4M3FN>,
         tensor<2x2x6x32xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>,
         tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %0#0 : tensor<2x4x8x16xf8E4M3FN>
}

// -----

graph.graph @sdpa_fp8_backward_c17(
    %q: tensor<2x4x8x16xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf8E4M3FN> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf8E4M3FN> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf8E5M2> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64},
    %s: tensor<1xf32> {graph.uid = 7 : i64})
    -> (tensor<2x4x8x16xf8E4M3FN> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected 'SINK_TOKEN' where 'DSINK_TOKEN' is asked for, got none}}
  %0:8 = graph.sdpa_fp8_backward
      %q, %k, %v, %o, %do, %stats, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s,
      %s
      {generate_dsink_token}
      : (tensor<2x4x8x16xf8E4M3FN>, tensor<2x2x6x16xf8E4M3FN>,
         tensor<2x2x6x32xf8E4M3FN>, tensor<2x4x8x32xf8E4M3FN>,
         tensor<2x4x8x32xf8E5M2>, tensor<2x4x8x1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
      -> tensor<2x4x8x16xf8E4M3FN>, tensor<2x2x6x16xf8E4M3FN>,
         tensor<2x2x6x32xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>,
         tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
         dsink_token tensor<1x4x1x1xf32>
  graph.return %0#0 : tensor<2x4x8x16xf8E4M3FN>
}

// -----

graph.graph @sdpa_fp8_backward_c18(
    %q: tensor<2x4x8x16xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf8E4M3FN> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf8E4M3FN> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf8E5M2> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64},
    %s: tensor<1xf32> {graph.uid = 7 : i64},
    %lq: tensor<2x1x1x1xi32> {graph.uid = 8 : i64},
    %lk: tensor<2x1x1x1xi32> {graph.uid = 9 : i64},
    %rq: tensor<4xi64> {graph.uid = 10 : i64})
    -> (tensor<2x4x8x16xf8E4M3FN> {graph.uid = 11 : i64}) {
  // expected-error @below {{expected 'ragged_offset_do' to be 2 + 1 numbers}}
  %0:7 = graph.sdpa_fp8_backward
      %q, %k, %v, %o, %do, %stats, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s,
      %s
      seq_len_q %lq seq_len_kv %lk ragged_offset_do %rq
      {use_padding_mask}
      : (tensor<2x4x8x16xf8E4M3FN>, tensor<2x2x6x16xf8E4M3FN>,
         tensor<2x2x6x32xf8E4M3FN>, tensor<2x4x8x32xf8E4M3FN>,
         tensor<2x4x8x32xf8E5M2>, tensor<2x4x8x1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<2x1x1x1xi32>,
         tensor<2x1x1x1xi32>, tensor<4xi64>)
      -> tensor<2x4x8x16xf8E4M3FN>, tensor<2x2x6x16xf8E4M3FN>,
         tensor<2x2x6x32xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>,
         tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %0#0 : tensor<2x4x8x16xf8E4M3FN>
}

// -----

graph.graph @sdpa_fp8_backward_c19(
    %q: tensor<2x4x8x16xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf8E4M3FN> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf8E4M3FN> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf8E5M2> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64},
    %s: tensor<1xf32> {graph.uid = 7 : i64},
    %rq: tensor<3xi64> {graph.uid = 8 : i64})
    -> (tensor<2x4x8x16xf8E4M3FN> {graph.uid = 9 : i64}) {
  // expected-error @below {{expected 'use_padding_mask' with ragged offsets, got none}}
  %0:7 = graph.sdpa_fp8_backward
      %q, %k, %v, %o, %do, %stats, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s,
      %s
      ragged_offset_q %rq
      : (tensor<2x4x8x16xf8E4M3FN>, tensor<2x2x6x16xf8E4M3FN>,
         tensor<2x2x6x32xf8E4M3FN>, tensor<2x4x8x32xf8E4M3FN>,
         tensor<2x4x8x32xf8E5M2>, tensor<2x4x8x1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<3xi64>)
      -> tensor<2x4x8x16xf8E4M3FN>, tensor<2x2x6x16xf8E4M3FN>,
         tensor<2x2x6x32xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>,
         tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %0#0 : tensor<2x4x8x16xf8E4M3FN>
}

// -----

graph.graph @sdpa_fp8_backward_c20(
    %q: tensor<2x4x8x16xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf8E4M3FN> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf8E4M3FN> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf8E5M2> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64},
    %s: tensor<1xf32> {graph.uid = 7 : i64},
    %lq: tensor<2x1x1x1xi32> {graph.uid = 8 : i64},
    %lk: tensor<2x1x1x1xi32> {graph.uid = 9 : i64},
    %rq: tensor<3xi64> {graph.uid = 10 : i64})
    -> (tensor<2x4x8x16xf8E4M3FN> {graph.uid = 11 : i64}) {
  // expected-error @below {{expected 'ragged_multipliers' to be at least 1, got -1}}
  %0:7 = graph.sdpa_fp8_backward
      %q, %k, %v, %o, %do, %stats, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s,
      %s
      seq_len_q %lq seq_len_kv %lk ragged_offset_q %rq
      {use_padding_mask, ragged_multipliers = array<i64: -1>}
      : (tensor<2x4x8x16xf8E4M3FN>, tensor<2x2x6x16xf8E4M3FN>,
         tensor<2x2x6x32xf8E4M3FN>, tensor<2x4x8x32xf8E4M3FN>,
         tensor<2x4x8x32xf8E5M2>, tensor<2x4x8x1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<2x1x1x1xi32>,
         tensor<2x1x1x1xi32>, tensor<3xi64>)
      -> tensor<2x4x8x16xf8E4M3FN>, tensor<2x2x6x16xf8E4M3FN>,
         tensor<2x2x6x32xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>,
         tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %0#0 : tensor<2x4x8x16xf8E4M3FN>
}

// -----

graph.graph @sdpa_fp8_backward_c21(
    %q: tensor<2x4x8x16xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf8E4M3FN> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf8E4M3FN> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf8E5M2> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64},
    %s: tensor<1xf32> {graph.uid = 7 : i64})
    -> (tensor<2x4x8x16xf8E4M3FN> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected ragged offsets with 'max_total_seq_len_q', got none}}
  %0:7 = graph.sdpa_fp8_backward
      %q, %k, %v, %o, %do, %stats, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s,
      %s
      {max_total_seq_len_q = 64 : i64}
      : (tensor<2x4x8x16xf8E4M3FN>, tensor<2x2x6x16xf8E4M3FN>,
         tensor<2x2x6x32xf8E4M3FN>, tensor<2x4x8x32xf8E4M3FN>,
         tensor<2x4x8x32xf8E5M2>, tensor<2x4x8x1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
      -> tensor<2x4x8x16xf8E4M3FN>, tensor<2x2x6x16xf8E4M3FN>,
         tensor<2x2x6x32xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>,
         tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %0#0 : tensor<2x4x8x16xf8E4M3FN>
}

// -----

graph.graph @sdpa_fp8_backward_c22(
    %q: tensor<2x4x8x16xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf8E4M3FN> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf8E4M3FN> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf8E5M2> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64},
    %s: tensor<1xf32> {graph.uid = 7 : i64})
    -> (tensor<2x4x8x16xf8E4M3FN> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected result 'DSINK_TOKEN' to be absent, got it present}}
  %0:8 = graph.sdpa_fp8_backward
      %q, %k, %v, %o, %do, %stats, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s,
      %s
      : (tensor<2x4x8x16xf8E4M3FN>, tensor<2x2x6x16xf8E4M3FN>,
         tensor<2x2x6x32xf8E4M3FN>, tensor<2x4x8x32xf8E4M3FN>,
         tensor<2x4x8x32xf8E5M2>, tensor<2x4x8x1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
      -> tensor<2x4x8x16xf8E4M3FN>, tensor<2x2x6x16xf8E4M3FN>,
         tensor<2x2x6x32xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>,
         tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
         dsink_token tensor<1x4x1x1xf32>
  graph.return %0#0 : tensor<2x4x8x16xf8E4M3FN>
}
