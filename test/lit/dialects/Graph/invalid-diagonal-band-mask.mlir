// RUN: graph-opt %s --split-input-file --verify-diagnostics

graph.graph @diagonal_band_mask_c1(
    %x: tensor<8xf32> {graph.uid = 1 : i64})
    -> (tensor<8xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected 'X' to have rank 2 or more, got 1}}
  %r0 = graph.diagonal_band_mask %x
      : (tensor<8xf32>)
      -> tensor<8xf32>
  graph.return %r0 : tensor<8xf32>
}

// -----

graph.graph @diagonal_band_mask_c2(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64})
    -> (tensor<2x4x8x8xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected a floating-point compute type, got 'i32'}}
  %r0 = graph.diagonal_band_mask %x
      {compute_type = i32}
      : (tensor<2x4x8x8xf32>)
      -> tensor<2x4x8x8xf32>
  graph.return %r0 : tensor<2x4x8x8xf32>
}

// -----

graph.graph @diagonal_band_mask_c3(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64})
    -> (tensor<2x4x8x8xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected 'diagonal_band_left_bound' to be at least 0, got -1}}
  %r0 = graph.diagonal_band_mask %x
      {diagonal_band_left_bound = -1 : i64}
      : (tensor<2x4x8x8xf32>)
      -> tensor<2x4x8x8xf32>
  graph.return %r0 : tensor<2x4x8x8xf32>
}

// -----

graph.graph @diagonal_band_mask_c4(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64},
    %q: tensor<2x1x1x1xi32> {graph.uid = 2 : i64})
    -> (tensor<2x4x8x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'SEQ_LEN_Q' and 'SEQ_LEN_KV' together, got one}}
  %r0 = graph.diagonal_band_mask %x seq_len_q %q
      : (tensor<2x4x8x8xf32>, tensor<2x1x1x1xi32>)
      -> tensor<2x4x8x8xf32>
  graph.return %r0 : tensor<2x4x8x8xf32>
}

// -----

graph.graph @diagonal_band_mask_c5_rank(
    %x: tensor<8x8xf32> {graph.uid = 1 : i64},
    %q: tensor<2x1x1x1xi32> {graph.uid = 2 : i64},
    %k: tensor<2x1x1x1xi32> {graph.uid = 3 : i64})
    -> (tensor<8x8xf32> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected 'X' to have rank 4 with lengths, got 2}}
  %r0 = graph.diagonal_band_mask %x seq_len_q %q seq_len_kv %k
      : (tensor<8x8xf32>, tensor<2x1x1x1xi32>, tensor<2x1x1x1xi32>)
      -> tensor<8x8xf32>
  graph.return %r0 : tensor<8x8xf32>
}

// -----

graph.graph @diagonal_band_mask_c5_extents(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64},
    %q: tensor<2x1x1x1xi32> {graph.uid = 2 : i64},
    %k: tensor<3x1x1x1xi32> {graph.uid = 3 : i64})
    -> (tensor<2x4x8x8xf32> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected 'SEQ_LEN_KV' to be 2x1x1x1, got 3x1x1x1}}
  %r0 = graph.diagonal_band_mask %x seq_len_q %q seq_len_kv %k
      : (tensor<2x4x8x8xf32>, tensor<2x1x1x1xi32>, tensor<3x1x1x1xi32>)
      -> tensor<2x4x8x8xf32>
  graph.return %r0 : tensor<2x4x8x8xf32>
}

// -----

graph.graph @diagonal_band_mask_c5_type(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64},
    %q: tensor<2x1x1x1xf32> {graph.uid = 2 : i64},
    %k: tensor<2x1x1x1xi32> {graph.uid = 3 : i64})
    -> (tensor<2x4x8x8xf32> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected 'SEQ_LEN_Q' to be i32 or i64, got 'f32'}}
  %r0 = graph.diagonal_band_mask %x seq_len_q %q seq_len_kv %k
      : (tensor<2x4x8x8xf32>, tensor<2x1x1x1xf32>, tensor<2x1x1x1xi32>)
      -> tensor<2x4x8x8xf32>
  graph.return %r0 : tensor<2x4x8x8xf32>
}
