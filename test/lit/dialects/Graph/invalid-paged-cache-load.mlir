// RUN: graph-opt %s --split-input-file --verify-diagnostics

graph.graph @paged_cache_load_c1(
    %c: tensor<5x4x8xf16> {graph.uid = 1 : i64},
    %l: tensor<3x1x1x1xi32> {graph.uid = 2 : i64},
    %t: tensor<3x1x2x1xi32> {graph.uid = 3 : i64})
    -> (tensor<3x2x8x8xf16> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected 'Container' to have rank 4, got 3}}
  %r0 = graph.paged_cache_load %c, %l, %t
      : (tensor<5x4x8xf16>, tensor<3x1x1x1xi32>, tensor<3x1x2x1xi32>)
      -> tensor<3x2x8x8xf16>
  graph.return %r0 : tensor<3x2x8x8xf16>
}

// -----

graph.graph @paged_cache_load_c2(
    %c: tensor<5x2x4x8xf16> {graph.uid = 1 : i64},
    %l: tensor<3x1x1x1xi32> {graph.uid = 2 : i64},
    %t: tensor<3x2x1x1xi32> {graph.uid = 3 : i64})
    -> (tensor<3x2x8x8xf16> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected 'Page_table' to be [B, 1, pages, 1], got 3x2x1x1}}
  %r0 = graph.paged_cache_load %c, %l, %t
      : (tensor<5x2x4x8xf16>, tensor<3x1x1x1xi32>, tensor<3x2x1x1xi32>)
      -> tensor<3x2x8x8xf16>
  graph.return %r0 : tensor<3x2x8x8xf16>
}

// -----

graph.graph @paged_cache_load_c2_type(
    %c: tensor<5x2x4x8xf16> {graph.uid = 1 : i64},
    %l: tensor<3x1x1x1xi32> {graph.uid = 2 : i64},
    %t: tensor<3x1x2x1xf32> {graph.uid = 3 : i64})
    -> (tensor<3x2x8x8xf16> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected 'Page_table' to be i32 or i64, got 'f32'}}
  %r0 = graph.paged_cache_load %c, %l, %t
      : (tensor<5x2x4x8xf16>, tensor<3x1x1x1xi32>, tensor<3x1x2x1xf32>)
      -> tensor<3x2x8x8xf16>
  graph.return %r0 : tensor<3x2x8x8xf16>
}

// -----

graph.graph @paged_cache_load_c3(
    %c: tensor<5x2x4x8xf16> {graph.uid = 1 : i64},
    %l: tensor<2x1x1x1xi32> {graph.uid = 2 : i64},
    %t: tensor<3x1x2x1xi32> {graph.uid = 3 : i64})
    -> (tensor<3x2x8x8xf16> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected 'SEQ_LEN' to be 3x1x1x1, got 2x1x1x1}}
  %r0 = graph.paged_cache_load %c, %l, %t
      : (tensor<5x2x4x8xf16>, tensor<2x1x1x1xi32>, tensor<3x1x2x1xi32>)
      -> tensor<3x2x8x8xf16>
  graph.return %r0 : tensor<3x2x8x8xf16>
}

// -----

graph.graph @paged_cache_load_c3_type(
    %c: tensor<5x2x4x8xf16> {graph.uid = 1 : i64},
    %l: tensor<3x1x1x1xf32> {graph.uid = 2 : i64},
    %t: tensor<3x1x2x1xi32> {graph.uid = 3 : i64})
    -> (tensor<3x2x8x8xf16> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected 'SEQ_LEN' to be i32 or i64, got 'f32'}}
  %r0 = graph.paged_cache_load %c, %l, %t
      : (tensor<5x2x4x8xf16>, tensor<3x1x1x1xf32>, tensor<3x1x2x1xi32>)
      -> tensor<3x2x8x8xf16>
  graph.return %r0 : tensor<3x2x8x8xf16>
}

// -----

graph.graph @paged_cache_load_c4(
    %c: tensor<5x2x4x8xf16> {graph.uid = 1 : i64},
    %l: tensor<3x1x1x1xi32> {graph.uid = 2 : i64},
    %t: tensor<3x1x2x1xi32> {graph.uid = 3 : i64})
    -> (tensor<3x2x9x8xf16> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected pages for 9 positions, got 2 in 'Page_table' of 'Container' 5x2x4x8}}
  %r0 = graph.paged_cache_load %c, %l, %t
      {max_seq_len_kv = 9 : i64}
      : (tensor<5x2x4x8xf16>, tensor<3x1x1x1xi32>, tensor<3x1x2x1xi32>)
      -> tensor<3x2x9x8xf16>
  graph.return %r0 : tensor<3x2x9x8xf16>
}

// -----

graph.graph @paged_cache_load_c4_negative(
    %c: tensor<5x2x4x8xf16> {graph.uid = 1 : i64},
    %l: tensor<3x1x1x1xi32> {graph.uid = 2 : i64},
    %t: tensor<3x1x2x1xi32> {graph.uid = 3 : i64})
    -> (tensor<3x2x8x8xf16> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected 'max_seq_len_kv' to be at least 0, got -1}}
  %r0 = graph.paged_cache_load %c, %l, %t
      {max_seq_len_kv = -1 : i64}
      : (tensor<5x2x4x8xf16>, tensor<3x1x1x1xi32>, tensor<3x1x2x1xi32>)
      -> tensor<3x2x8x8xf16>
  graph.return %r0 : tensor<3x2x8x8xf16>
}

// -----

graph.graph @paged_cache_load_c5(
    %c: tensor<5x2x4x8xf16> {graph.uid = 1 : i64},
    %l: tensor<3x1x1x1xi32> {graph.uid = 2 : i64},
    %t: tensor<3x1x2x1xi32> {graph.uid = 3 : i64})
    -> (tensor<3x2x8x8xf32> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected the result's element type to be that of 'Container' ('f16'), got 'f32'}}
  %r0 = graph.paged_cache_load %c, %l, %t
      : (tensor<5x2x4x8xf16>, tensor<3x1x1x1xi32>, tensor<3x1x2x1xi32>)
      -> tensor<3x2x8x8xf32>
  graph.return %r0 : tensor<3x2x8x8xf32>
}
