// RUN: graph-opt %s --split-input-file --verify-diagnostics

graph.graph @sdpa_c8(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64},
    %bias: tensor<2x2x8x6xf16> {graph.uid = 4 : i64})
    -> (tensor<2x4x8x32xf16> {graph.uid = 5 : i64}) {
  // expected-error @below {{expected 'Bias' (2x2x8x6) to broadcast to the scores (2x4x8x6)}}
  %0 = graph.sdpa %q, %k, %v bias %bias
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>, tensor<2x2x8x6xf16>)
      -> tensor<2x4x8x32xf16>
  graph.return %0 : tensor<2x4x8x32xf16>
}

// -----

graph.graph @sdpa_c9(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64},
    %bias: tensor<1x4x8x6xi1> {graph.uid = 4 : i64})
    -> (tensor<2x4x8x32xf16> {graph.uid = 5 : i64}) {
  // expected-error @below {{expected 'Bias' to be a number that is added, got a boolean}}
  %0 = graph.sdpa %q, %k, %v bias %bias
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>, tensor<1x4x8x6xi1>)
      -> tensor<2x4x8x32xf16>
  graph.return %0 : tensor<2x4x8x32xf16>
}

// -----

graph.graph @sdpa_c10(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64},
    %lq: tensor<2x1x1x1xi32> {graph.uid = 4 : i64})
    -> (tensor<2x4x8x32xf16> {graph.uid = 5 : i64}) {
  // expected-error @below {{expected 'SEQ_LEN_KV' if and only if 'use_padding_mask' is set, got no lengths}}
  %0 = graph.sdpa %q, %k, %v seq_len_q %lq {use_padding_mask}
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>, tensor<2x1x1x1xi32>)
      -> tensor<2x4x8x32xf16>
  graph.return %0 : tensor<2x4x8x32xf16>
}

// -----

graph.graph @sdpa_c10_unmasked(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64},
    %lq: tensor<2x1x1x1xi32> {graph.uid = 4 : i64},
    %lk: tensor<2x1x1x1xi32> {graph.uid = 5 : i64})
    -> (tensor<2x4x8x32xf16> {graph.uid = 6 : i64}) {
  // expected-error @below {{expected 'SEQ_LEN_Q' if and only if 'use_padding_mask' is set, got lengths without it}}
  %0 = graph.sdpa %q, %k, %v seq_len_q %lq seq_len_kv %lk
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>, tensor<2x1x1x1xi32>, tensor<2x1x1x1xi32>)
      -> tensor<2x4x8x32xf16>
  graph.return %0 : tensor<2x4x8x32xf16>
}

// -----

graph.graph @sdpa_c11(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64},
    %lq: tensor<2xi32> {graph.uid = 4 : i64},
    %lk: tensor<2x1x1x1xi32> {graph.uid = 5 : i64})
    -> (tensor<2x4x8x32xf16> {graph.uid = 6 : i64}) {
  // expected-error @below {{expected 'SEQ_LEN_Q' to be 2x1x1x1, got 2}}
  %0 = graph.sdpa %q, %k, %v seq_len_q %lq seq_len_kv %lk {use_padding_mask}
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>, tensor<2xi32>, tensor<2x1x1x1xi32>)
      -> tensor<2x4x8x32xf16>
  graph.return %0 : tensor<2x4x8x32xf16>
}

// -----

graph.graph @sdpa_c12(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64},
    %lq: tensor<2x1x1x1xi32> {graph.uid = 4 : i64},
    %lk: tensor<2x1x1x1xf32> {graph.uid = 5 : i64})
    -> (tensor<2x4x8x32xf16> {graph.uid = 6 : i64}) {
  // expected-error @below {{expected 'SEQ_LEN_KV' to be i32 or i64, got 'f32'}}
  %0 = graph.sdpa %q, %k, %v seq_len_q %lq seq_len_kv %lk {use_padding_mask}
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>, tensor<2x1x1x1xi32>, tensor<2x1x1x1xf32>)
      -> tensor<2x4x8x32xf16>
  graph.return %0 : tensor<2x4x8x32xf16>
}

// -----

graph.graph @sdpa_c13(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64})
    -> (tensor<2x4x8x32xf16> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected 'diagonal_band_right_bound' to be at least 0, got -1}}
  %0 = graph.sdpa %q, %k, %v {diagonal_band_right_bound = -1 : i64}
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>)
      -> tensor<2x4x8x32xf16>
  graph.return %0 : tensor<2x4x8x32xf16>
}

// -----

graph.graph @sdpa_c13_left(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64})
    -> (tensor<2x4x8x32xf16> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected 'diagonal_band_left_bound' to be at least 0, got -2}}
  %0 = graph.sdpa %q, %k, %v {diagonal_band_left_bound = -2 : i64}
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>)
      -> tensor<2x4x8x32xf16>
  graph.return %0 : tensor<2x4x8x32xf16>
}

// -----

graph.graph @sdpa_c14(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64})
    -> (tensor<2x4x8x32xf16> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected result 'Stats' to be present, got it absent}}
  %0 = graph.sdpa %q, %k, %v {generate_stats}
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>)
      -> tensor<2x4x8x32xf16>
  graph.return %0 : tensor<2x4x8x32xf16>
}

// -----

graph.graph @sdpa_statistics(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64})
    -> (tensor<2x4x8x32xf16> {graph.uid = 4 : i64},
        tensor<2x4x8x2xf32> {graph.uid = 5 : i64}) {
  // expected-error @below {{expected extents of result 'Stats' to be 2x4x8x1, got 2x4x8x2}}
  %0, %1 = graph.sdpa %q, %k, %v {generate_stats}
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>)
      -> tensor<2x4x8x32xf16> stats tensor<2x4x8x2xf32>
  graph.return %0, %1 : tensor<2x4x8x32xf16>, tensor<2x4x8x2xf32>
}
