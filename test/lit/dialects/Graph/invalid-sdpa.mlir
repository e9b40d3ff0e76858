// RUN: graph-opt %s --split-input-file --verify-diagnostics

graph.graph @sdpa_c1(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64})
    -> (tensor<2x4x8x32xf16> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected 'K' to have rank 4, got 3}}
  %0 = graph.sdpa %q, %k, %v
      : (tensor<2x4x8x16xf16>, tensor<2x6x16xf16>, tensor<2x2x6x32xf16>)
      -> tensor<2x4x8x32xf16>
  graph.return %0 : tensor<2x4x8x32xf16>
}

// -----

graph.graph @sdpa_c2(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xi8> {graph.uid = 3 : i64})
    -> (tensor<2x4x8x32xf16> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected 'V' to be floating point, got 'i8'}}
  %0 = graph.sdpa %q, %k, %v
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xi8>)
      -> tensor<2x4x8x32xf16>
  graph.return %0 : tensor<2x4x8x32xf16>
}

// -----

graph.graph @sdpa_c3_batch(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<3x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64})
    -> (tensor<2x4x8x32xf16> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected dim 0 of 'K' (3) to match dim 0 of 'Q' (2)}}
  %0 = graph.sdpa %q, %k, %v
      : (tensor<2x4x8x16xf16>, tensor<3x2x6x16xf16>, tensor<2x2x6x32xf16>)
      -> tensor<2x4x8x32xf16>
  graph.return %0 : tensor<2x4x8x32xf16>
}

// -----

graph.graph @sdpa_c3_head_dim(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x24xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64})
    -> (tensor<2x4x8x32xf16> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected dim 3 of 'K' (24) to match dim 3 of 'Q' (16)}}
  %0 = graph.sdpa %q, %k, %v
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x24xf16>, tensor<2x2x6x32xf16>)
      -> tensor<2x4x8x32xf16>
  graph.return %0 : tensor<2x4x8x32xf16>
}

// -----

graph.graph @sdpa_c3_sequence(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x7x32xf16> {graph.uid = 3 : i64})
    -> (tensor<2x4x8x32xf16> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected dim 2 of 'V' (7) to match dim 2 of 'K' (6)}}
  %0 = graph.sdpa %q, %k, %v
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x7x32xf16>)
      -> tensor<2x4x8x32xf16>
  graph.return %0 : tensor<2x4x8x32xf16>
}

// -----

graph.graph @sdpa_c4(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x3x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64})
    -> (tensor<2x4x8x32xf16> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected the heads of 'K' (3) to divide those of 'Q' (4)}}
  %0 = graph.sdpa %q, %k, %v
      : (tensor<2x4x8x16xf16>, tensor<2x3x6x16xf16>, tensor<2x2x6x32xf16>)
      -> tensor<2x4x8x32xf16>
  graph.return %0 : tensor<2x4x8x32xf16>
}

// -----

graph.graph @sdpa_c5(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64})
    -> (tensor<2x4x8x32xf16> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected a floating-point compute type, got 'i32'}}
  %0 = graph.sdpa %q, %k, %v {compute_type = i32}
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>)
      -> tensor<2x4x8x32xf16>
  graph.return %0 : tensor<2x4x8x32xf16>
}

// -----

graph.graph @sdpa_c6(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64},
    %scale: tensor<1x1x1x1xf32> {graph.uid = 4 : i64})
    -> (tensor<2x4x8x32xf16> {graph.uid = 5 : i64}) {
  // expected-error @below {{expected 'Attn_scale' or 'attn_scale_value', got both}}
  %0 = graph.sdpa %q, %k, %v scale %scale {attn_scale_value = 0.5 : f64}
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>, tensor<1x1x1x1xf32>)
      -> tensor<2x4x8x32xf16>
  graph.return %0 : tensor<2x4x8x32xf16>
}

// -----

graph.graph @sdpa_c7(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64},
    %scale: tensor<1x4x1x1xf32> {graph.uid = 4 : i64})
    -> (tensor<2x4x8x32xf16> {graph.uid = 5 : i64}) {
  // expected-error @below {{expected 'Attn_scale' to have one element, got 1x4x1x1}}
  %0 = graph.sdpa %q, %k, %v scale %scale
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>, tensor<1x4x1x1xf32>)
      -> tensor<2x4x8x32xf16>
  graph.return %0 : tensor<2x4x8x32xf16>
}
