// RUN: graph-opt %s --split-input-file --verify-diagnostics

graph.graph @moe_grouped_matmul_c1(
    %t: tensor<2x20x8xf32> {graph.uid = 1 : i64},
    %w: tensor<3x8x16xf32> {graph.uid = 2 : i64},
    %o: tensor<4xi32> {graph.uid = 3 : i64})
    -> (tensor<1x20x16xf32> {graph.uid = 9 : i64}) {
  // expected-error @below {{expected 'TOKEN' to be 1 x rows x K, got 2x20x8}}
  %0 = graph.moe_grouped_matmul %t, %w, %o
      : (tensor<2x20x8xf32>, tensor<3x8x16xf32>, tensor<4xi32>)
      -> tensor<1x20x16xf32>
  graph.return %0 : tensor<1x20x16xf32>
}

// -----

graph.graph @moe_grouped_matmul_c1_rank(
    %t: tensor<20x8xf32> {graph.uid = 1 : i64},
    %w: tensor<3x8x16xf32> {graph.uid = 2 : i64},
    %o: tensor<4xi32> {graph.uid = 3 : i64})
    -> (tensor<1x20x16xf32> {graph.uid = 9 : i64}) {
  // expected-error @below {{expected 'TOKEN' to be 1 x rows x K, got 20x8}}
  %0 = graph.moe_grouped_matmul %t, %w, %o
      : (tensor<20x8xf32>, tensor<3x8x16xf32>, tensor<4xi32>)
      -> tensor<1x20x16xf32>
  graph.return %0 : tensor<1x20x16xf32>
}

// -----

graph.graph @moe_grouped_matmul_c1_weight(
    %t: tensor<1x20x8xf32> {graph.uid = 1 : i64},
    %w: tensor<3x9x16xf32> {graph.uid = 2 : i64},
    %o: tensor<4xi32> {graph.uid = 3 : i64})
    -> (tensor<1x20x16xf32> {graph.uid = 9 : i64}) {
  // expected-error @below {{expected 'WEIGHT' to be E x 8 x N for 'TOKEN' (1x20x8), got 3x9x16}}
  %0 = graph.moe_grouped_matmul %t, %w, %o
      : (tensor<1x20x8xf32>, tensor<3x9x16xf32>, tensor<4xi32>)
      -> tensor<1x20x16xf32>
  graph.return %0 : tensor<1x20x16xf32>
}

// -----

graph.graph @moe_grouped_matmul_c1_weight_rank(
    %t: tensor<1x20x8xf32> {graph.uid = 1 : i64},
    %w: tensor<8x16xf32> {graph.uid = 2 : i64},
    %o: tensor<4xi32> {graph.uid = 3 : i64})
    -> (tensor<1x20x16xf32> {graph.uid = 9 : i64}) {
  // expected-error @below {{expected 'WEIGHT' to be E x 8 x N for 'TOKEN' (1x20x8), got 8x16}}
  %0 = graph.moe_grouped_matmul %t, %w, %o
      : (tensor<1x20x8xf32>, tensor<8x16xf32>, tensor<4xi32>)
      -> tensor<1x20x16xf32>
  graph.return %0 : tensor<1x20x16xf32>
}

// -----

graph.graph @moe_grouped_matmul_c2(
    %t: tensor<1x20x8xf32> {graph.uid = 1 : i64},
    %w: tensor<0x8x16xf32> {graph.uid = 2 : i64},
    %o: tensor<4xi32> {graph.uid = 3 : i64})
    -> (tensor<1x20x16xf32> {graph.uid = 9 : i64}) {
  // expected-error @below {{expected the number of experts to be static and at least 1, got 0}}
  %0 = graph.moe_grouped_matmul %t, %w, %o
      : (tensor<1x20x8xf32>, tensor<0x8x16xf32>, tensor<4xi32>)
      -> tensor<1x20x16xf32>
  graph.return %0 : tensor<1x20x16xf32>
}

// -----

!w = tensor<?x8x16xf32, #graph.layout<symbols = ["E", "", ""]>>
graph.graph @moe_grouped_matmul_c2_symbol(
    %t: tensor<1x20x8xf32> {graph.uid = 1 : i64},
    %w: !w {graph.uid = 2 : i64},
    %o: tensor<4xi32> {graph.uid = 3 : i64})
    -> (tensor<1x20x16xf32> {graph.uid = 9 : i64}) {
  // expected-error @below {{expected the number of experts to be static and at least 1, got ?(E)}}
  %0 = graph.moe_grouped_matmul %t, %w, %o
      : (tensor<1x20x8xf32>, !w, tensor<4xi32>)
      -> tensor<1x20x16xf32>
  graph.return %0 : tensor<1x20x16xf32>
}

// -----

graph.graph @moe_grouped_matmul_c3(
    %t: tensor<1x20x8xf32> {graph.uid = 1 : i64},
    %w: tensor<3x8x16xf32> {graph.uid = 2 : i64},
    %o: tensor<5xi32> {graph.uid = 3 : i64})
    -> (tensor<1x20x16xf32> {graph.uid = 9 : i64}) {
  // expected-error @below {{expected 'FIRST_TOKEN_OFFSET' to hold, along one axis, G + 1 boundaries or G starts with G a positive multiple of the 3 experts, got 5}}
  %0 = graph.moe_grouped_matmul %t, %w, %o
      : (tensor<1x20x8xf32>, tensor<3x8x16xf32>, tensor<5xi32>)
      -> tensor<1x20x16xf32>
  graph.return %0 : tensor<1x20x16xf32>
}

// -----

graph.graph @moe_grouped_matmul_c3_axes(
    %t: tensor<1x20x8xf32> {graph.uid = 1 : i64},
    %w: tensor<3x8x16xf32> {graph.uid = 2 : i64},
    %o: tensor<3x2xi32> {graph.uid = 3 : i64})
    -> (tensor<1x20x16xf32> {graph.uid = 9 : i64}) {
  // expected-error @below {{expected 'FIRST_TOKEN_OFFSET' to hold, along one axis, G + 1 boundaries or G starts with G a positive multiple of the 3 experts, got 3x2}}
  %0 = graph.moe_grouped_matmul %t, %w, %o
      : (tensor<1x20x8xf32>, tensor<3x8x16xf32>, tensor<3x2xi32>)
      -> tensor<1x20x16xf32>
  graph.return %0 : tensor<1x20x16xf32>
}

// -----

graph.graph @moe_grouped_matmul_c3_no_groups(
    %t: tensor<1x20x8xf32> {graph.uid = 1 : i64},
    %w: tensor<3x8x16xf32> {graph.uid = 2 : i64},
    %o: tensor<1xi32> {graph.uid = 3 : i64})
    -> (tensor<1x20x16xf32> {graph.uid = 9 : i64}) {
  // expected-error @below {{expected 'FIRST_TOKEN_OFFSET' to hold, along one axis, G + 1 boundaries or G starts with G a positive multiple of the 3 experts, got 1}}
  %0 = graph.moe_grouped_matmul %t, %w, %o
      : (tensor<1x20x8xf32>, tensor<3x8x16xf32>, tensor<1xi32>)
      -> tensor<1x20x16xf32>
  graph.return %0 : tensor<1x20x16xf32>
}

// -----

graph.graph @moe_grouped_matmul_c3_one_expert(
    %t: tensor<1x20x8xf32> {graph.uid = 1 : i64},
    %w: tensor<1x8x16xf32> {graph.uid = 2 : i64},
    %o: tensor<1xi32> {graph.uid = 3 : i64})
    -> (tensor<1x20x16xf32> {graph.uid = 9 : i64}) {
  // expected-error @below {{expected 'FIRST_TOKEN_OFFSET' to hold, along one axis, G + 1 boundaries with G a positive multiple of the 1 experts, got 1}}
  %0 = graph.moe_grouped_matmul %t, %w, %o
      : (tensor<1x20x8xf32>, tensor<1x8x16xf32>, tensor<1xi32>)
      -> tensor<1x20x16xf32>
  graph.return %0 : tensor<1x20x16xf32>
}

// -----

graph.graph @moe_grouped_matmul_c4(
    %t: tensor<1x20x8xf32> {graph.uid = 1 : i64},
    %w: tensor<3x8x16xf32> {graph.uid = 2 : i64},
    %o: tensor<4xf32> {graph.uid = 3 : i64})
    -> (tensor<1x20x16xf32> {graph.uid = 9 : i64}) {
  // expected-error @below {{expected 'FIRST_TOKEN_OFFSET' to be i32 or i64, got 'f32'}}
  %0 = graph.moe_grouped_matmul %t, %w, %o
      : (tensor<1x20x8xf32>, tensor<3x8x16xf32>, tensor<4xf32>)
      -> tensor<1x20x16xf32>
  graph.return %0 : tensor<1x20x16xf32>
}

// -----

graph.graph @moe_grouped_matmul_c4_index(
    %t: tensor<1x20x8xf32> {graph.uid = 1 : i64},
    %w: tensor<3x8x16xf32> {graph.uid = 2 : i64},
    %o: tensor<4xi32> {graph.uid = 3 : i64},
    %i: tensor<1x20x1xi8> {graph.uid = 4 : i64})
    -> (tensor<1x20x16xf32> {graph.uid = 9 : i64}) {
  // expected-error @below {{expected 'TOKEN_INDEX' to be i32 or i64, got 'i8'}}
  %0 = graph.moe_grouped_matmul %t, %w, %o token_index %i {mode = #graph<moe_mode gather>}
      : (tensor<1x20x8xf32>, tensor<3x8x16xf32>, tensor<4xi32>, tensor<1x20x1xi8>)
      -> tensor<1x20x16xf32>
  graph.return %0 : tensor<1x20x16xf32>
}

// -----

graph.graph @moe_grouped_matmul_c5(
    %t: tensor<1x20x8xf32> {graph.uid = 1 : i64},
    %w: tensor<3x8x16xf32> {graph.uid = 2 : i64},
    %o: tensor<4xi32> {graph.uid = 3 : i64})
    -> (tensor<1x20x16xf32> {graph.uid = 9 : i64}) {
  // expected-error @below {{expected 'TOKEN_INDEX' in mode gather, got none}}
  %0 = graph.moe_grouped_matmul %t, %w, %o {mode = #graph<moe_mode gather>}
      : (tensor<1x20x8xf32>, tensor<3x8x16xf32>, tensor<4xi32>)
      -> tensor<1x20x16xf32>
  graph.return %0 : tensor<1x20x16xf32>
}

// -----

graph.graph @moe_grouped_matmul_c5_ks(
    %t: tensor<1x20x8xf32> {graph.uid = 1 : i64},
    %w: tensor<3x8x16xf32> {graph.uid = 2 : i64},
    %o: tensor<4xi32> {graph.uid = 3 : i64},
    %i: tensor<1x20x1xi32> {graph.uid = 4 : i64})
    -> (tensor<1x20x16xf32> {graph.uid = 9 : i64}) {
  // expected-error @below {{expected 'TOKEN_KS' in mode scatter, got none}}
  %0 = graph.moe_grouped_matmul %t, %w, %o token_index %i {mode = #graph<moe_mode scatter>, top_k = 2 : i64}
      : (tensor<1x20x8xf32>, tensor<3x8x16xf32>, tensor<4xi32>, tensor<1x20x1xi32>)
      -> tensor<1x20x16xf32>
  graph.return %0 : tensor<1x20x16xf32>
}

// -----

graph.graph @moe_grouped_matmul_c5_scores(
    %t: tensor<1x20x8xf32> {graph.uid = 1 : i64},
    %w: tensor<3x8x16xf32> {graph.uid = 2 : i64},
    %o: tensor<4xi32> {graph.uid = 3 : i64},
    %i: tensor<1x20x1xi32> {graph.uid = 4 : i64},
    %k: tensor<1x20x1xi32> {graph.uid = 5 : i64})
    -> (tensor<1x10x16xf32> {graph.uid = 9 : i64}) {
  // expected-error @below {{expected 'TOP_K_SCORES' in mode combine, got none}}
  %0 = graph.moe_grouped_matmul %t, %w, %o token_index %i token_ks %k {mode = #graph<moe_mode combine>}
      : (tensor<1x20x8xf32>, tensor<3x8x16xf32>, tensor<4xi32>, tensor<1x20x1xi32>, tensor<1x20x1xi32>)
      -> tensor<1x10x16xf32>
  graph.return %0 : tensor<1x10x16xf32>
}

// -----

graph.graph @moe_grouped_matmul_c6(
    %t: tensor<1x20x8xf32> {graph.uid = 1 : i64},
    %w: tensor<3x8x16xf32> {graph.uid = 2 : i64},
    %o: tensor<4xi32> {graph.uid = 3 : i64},
    %i: tensor<1x20x1xi32> {graph.uid = 4 : i64})
    -> (tensor<1x20x16xf32> {graph.uid = 9 : i64}) {
  // expected-error @below {{expected no 'TOKEN_INDEX' in mode none, got one}}
  %0 = graph.moe_grouped_matmul %t, %w, %o token_index %i
      : (tensor<1x20x8xf32>, tensor<3x8x16xf32>, tensor<4xi32>, tensor<1x20x1xi32>)
      -> tensor<1x20x16xf32>
  graph.return %0 : tensor<1x20x16xf32>
}

// -----

graph.graph @moe_grouped_matmul_c6_ks(
    %t: tensor<1x20x8xf32> {graph.uid = 1 : i64},
    %w: tensor<3x8x16xf32> {graph.uid = 2 : i64},
    %o: tensor<4xi32> {graph.uid = 3 : i64},
    %i: tensor<1x20x1xi32> {graph.uid = 4 : i64},
    %k: tensor<1x20x1xi32> {graph.uid = 5 : i64})
    -> (tensor<1x20x16xf32> {graph.uid = 9 : i64}) {
  // expected-error @below {{expected no 'TOKEN_KS' in mode gather, got one}}
  %0 = graph.moe_grouped_matmul %t, %w, %o token_index %i token_ks %k {mode = #graph<moe_mode gather>}
      : (tensor<1x20x8xf32>, tensor<3x8x16xf32>, tensor<4xi32>, tensor<1x20x1xi32>, tensor<1x20x1xi32>)
      -> tensor<1x20x16xf32>
  graph.return %0 : tensor<1x20x16xf32>
}

// -----

graph.graph @moe_grouped_matmul_c6_scores(
    %t: tensor<1x20x8xf32> {graph.uid = 1 : i64},
    %w: tensor<3x8x16xf32> {graph.uid = 2 : i64},
    %o: tensor<4xi32> {graph.uid = 3 : i64},
    %i: tensor<1x20x1xi32> {graph.uid = 4 : i64},
    %k: tensor<1x20x1xi32> {graph.uid = 5 : i64},
    %s: tensor<1x10x2xf32> {graph.uid = 6 : i64})
    -> (tensor<1x20x16xf32> {graph.uid = 9 : i64}) {
  // expected-error @below {{expected no 'TOP_K_SCORES' in mode scatter, got one}}
  %0 = graph.moe_grouped_matmul %t, %w, %o token_index %i token_ks %k top_k_scores %s {mode = #graph<moe_mode scatter>, top_k = 2 : i64}
      : (tensor<1x20x8xf32>, tensor<3x8x16xf32>, tensor<4xi32>, tensor<1x20x1xi32>, tensor<1x20x1xi32>, tensor<1x10x2xf32>)
      -> tensor<1x20x16xf32>
  graph.return %0 : tensor<1x20x16xf32>
}

// -----

graph.graph @moe_grouped_matmul_c7(
    %t: tensor<1x20x8xf32> {graph.uid = 1 : i64},
    %w: tensor<3x8x16xf32> {graph.uid = 2 : i64},
    %o: tensor<4xi32> {graph.uid = 3 : i64},
    %i: tensor<1x10x1xi32> {graph.uid = 4 : i64},
    %k: tensor<1x20x1xi32> {graph.uid = 5 : i64})
    -> (tensor<1x20x16xf32> {graph.uid = 9 : i64}) {
  // expected-error @below {{expected 'TOKEN_INDEX' to be 1 x 20 x 1, got 1x10x1}}
  %0 = graph.moe_grouped_matmul %t, %w, %o token_index %i token_ks %k {mode = #graph<moe_mode scatter>, top_k = 2 : i64}
      : (tensor<1x20x8xf32>, tensor<3x8x16xf32>, tensor<4xi32>, tensor<1x10x1xi32>, tensor<1x20x1xi32>)
      -> tensor<1x20x16xf32>
  graph.return %0 : tensor<1x20x16xf32>
}

// -----

graph.graph @moe_grouped_matmul_c7_column(
    %t: tensor<1x20x8xf32> {graph.uid = 1 : i64},
    %w: tensor<3x8x16xf32> {graph.uid = 2 : i64},
    %o: tensor<4xi32> {graph.uid = 3 : i64},
    %i: tensor<1x1x20xi32> {graph.uid = 4 : i64})
    -> (tensor<1x20x16xf32> {graph.uid = 9 : i64}) {
  // expected-error @below {{expected 'TOKEN_INDEX' to be 1 x rows x 1, got 1x1x20}}
  %0 = graph.moe_grouped_matmul %t, %w, %o token_index %i {mode = #graph<moe_mode gather>}
      : (tensor<1x20x8xf32>, tensor<3x8x16xf32>, tensor<4xi32>, tensor<1x1x20xi32>)
      -> tensor<1x20x16xf32>
  graph.return %0 : tensor<1x20x16xf32>
}

// -----

graph.graph @moe_grouped_matmul_c7_ks(
    %t: tensor<1x20x8xf32> {graph.uid = 1 : i64},
    %w: tensor<3x8x16xf32> {graph.uid = 2 : i64},
    %o: tensor<4xi32> {graph.uid = 3 : i64},
    %i: tensor<1x20x1xi32> {graph.uid = 4 : i64},
    %k: tensor<1x21x1xi32> {graph.uid = 5 : i64})
    -> (tensor<1x20x16xf32> {graph.uid = 9 : i64}) {
  // expected-error @below {{expected 'TOKEN_KS' to be 1 x 20 x 1, got 1x21x1}}
  %0 = graph.moe_grouped_matmul %t, %w, %o token_index %i token_ks %k {mode = #graph<moe_mode scatter>, top_k = 2 : i64}
      : (tensor<1x20x8xf32>, tensor<3x8x16xf32>, tensor<4xi32>, tensor<1x20x1xi32>, tensor<1x21x1xi32>)
      -> tensor<1x20x16xf32>
  graph.return %0 : tensor<1x20x16xf32>
}

// -----

graph.graph @moe_grouped_matmul_c8(
    %t: tensor<1x20x8xf32> {graph.uid = 1 : i64},
    %w: tensor<3x8x16xf32> {graph.uid = 2 : i64},
    %o: tensor<4xi32> {graph.uid = 3 : i64},
    %i: tensor<1x20x1xi32> {graph.uid = 4 : i64},
    %k: tensor<1x20x1xi32> {graph.uid = 5 : i64})
    -> (tensor<1x20x16xf32> {graph.uid = 9 : i64}) {
  // expected-error @below {{expected 'top_k' to divide the number of rows (20) in mode scatter, got 3}}
  %0 = graph.moe_grouped_matmul %t, %w, %o token_index %i token_ks %k {mode = #graph<moe_mode scatter>, top_k = 3 : i64}
      : (tensor<1x20x8xf32>, tensor<3x8x16xf32>, tensor<4xi32>, tensor<1x20x1xi32>, tensor<1x20x1xi32>)
      -> tensor<1x20x16xf32>
  graph.return %0 : tensor<1x20x16xf32>
}

// -----

graph.graph @moe_grouped_matmul_c8_unset(
    %t: tensor<1x20x8xf32> {graph.uid = 1 : i64},
    %w: tensor<3x8x16xf32> {graph.uid = 2 : i64},
    %o: tensor<4xi32> {graph.uid = 3 : i64},
    %i: tensor<1x20x1xi32> {graph.uid = 4 : i64},
    %k: tensor<1x20x1xi32> {graph.uid = 5 : i64})
    -> (tensor<1x20x16xf32> {graph.uid = 9 : i64}) {
  // expected-error @below {{expected 'top_k' in mode scatter, got none}}
  %0 = graph.moe_grouped_matmul %t, %w, %o token_index %i token_ks %k {mode = #graph<moe_mode scatter>}
      : (tensor<1x20x8xf32>, tensor<3x8x16xf32>, tensor<4xi32>, tensor<1x20x1xi32>, tensor<1x20x1xi32>)
      -> tensor<1x20x16xf32>
  graph.return %0 : tensor<1x20x16xf32>
}

// -----

graph.graph @moe_grouped_matmul_c8_negative(
    %t: tensor<1x20x8xf32> {graph.uid = 1 : i64},
    %w: tensor<3x8x16xf32> {graph.uid = 2 : i64},
    %o: tensor<4xi32> {graph.uid = 3 : i64},
    %i: tensor<1x20x1xi32> {graph.uid = 4 : i64},
    %k: tensor<1x20x1xi32> {graph.uid = 5 : i64})
    -> (tensor<1x20x16xf32> {graph.uid = 9 : i64}) {
  // expected-error @below {{expected 'top_k' to be at least 1 in mode scatter, got -9223372036854775808}}
  %0 = graph.moe_grouped_matmul %t, %w, %o token_index %i token_ks %k {mode = #graph<moe_mode scatter>, top_k = -9223372036854775808 : i64}
      : (tensor<1x20x8xf32>, tensor<3x8x16xf32>, tensor<4xi32>, tensor<1x20x1xi32>, tensor<1x20x1xi32>)
      -> tensor<1x20x16xf32>
  graph.return %0 : tensor<1x20x16xf32>
}

// -----

graph.graph @moe_grouped_matmul_c9(
    %t: tensor<1x20x8xf32> {graph.uid = 1 : i64},
    %w: tensor<3x8x16xf32> {graph.uid = 2 : i64},
    %o: tensor<4xi32> {graph.uid = 3 : i64},
    %i: tensor<1x20x1xi32> {graph.uid = 4 : i64},
    %k: tensor<1x20x1xi32> {graph.uid = 5 : i64},
    %s: tensor<10x2xf32> {graph.uid = 6 : i64})
    -> (tensor<1x10x16xf32> {graph.uid = 9 : i64}) {
  // expected-error @below {{expected 'TOP_K_SCORES' to be 1 x tokens x slots, got 10x2}}
  %0 = graph.moe_grouped_matmul %t, %w, %o token_index %i token_ks %k top_k_scores %s {mode = #graph<moe_mode combine>}
      : (tensor<1x20x8xf32>, tensor<3x8x16xf32>, tensor<4xi32>, tensor<1x20x1xi32>, tensor<1x20x1xi32>, tensor<10x2xf32>)
      -> tensor<1x10x16xf32>
  graph.return %0 : tensor<1x10x16xf32>
}

// -----

graph.graph @moe_grouped_matmul_c9_top_k(
    %t: tensor<1x20x8xf32> {graph.uid = 1 : i64},
    %w: tensor<3x8x16xf32> {graph.uid = 2 : i64},
    %o: tensor<4xi32> {graph.uid = 3 : i64},
    %i: tensor<1x20x1xi32> {graph.uid = 4 : i64},
    %k: tensor<1x20x1xi32> {graph.uid = 5 : i64},
    %s: tensor<1x10x2xf32> {graph.uid = 6 : i64})
    -> (tensor<1x10x16xf32> {graph.uid = 9 : i64}) {
  // expected-error @below {{expected 'top_k' in mode combine to be 0 or dim 2 of 'TOP_K_SCORES' (2), got 4}}
  %0 = graph.moe_grouped_matmul %t, %w, %o token_index %i token_ks %k top_k_scores %s {mode = #graph<moe_mode combine>, top_k = 4 : i64}
      : (tensor<1x20x8xf32>, tensor<3x8x16xf32>, tensor<4xi32>, tensor<1x20x1xi32>, tensor<1x20x1xi32>, tensor<1x10x2xf32>)
      -> tensor<1x10x16xf32>
  graph.return %0 : tensor<1x10x16xf32>
}

// -----

graph.graph @moe_grouped_matmul_c10(
    %t: tensor<1x20x8xf32> {graph.uid = 1 : i64},
    %w: tensor<3x8x16xf32> {graph.uid = 2 : i64},
    %o: tensor<4xi32> {graph.uid = 3 : i64})
    -> (tensor<1x20x16xf32> {graph.uid = 9 : i64}) {
  // expected-error @below {{expected compute type to be a number that is computed in, got 'i1'}}
  %0 = graph.moe_grouped_matmul %t, %w, %o {compute_type = i1}
      : (tensor<1x20x8xf32>, tensor<3x8x16xf32>, tensor<4xi32>)
      -> tensor<1x20x16xf32>
  graph.return %0 : tensor<1x20x16xf32>
}

// -----

graph.graph @moe_grouped_matmul_c10_combine(
    %t: tensor<1x20x8xf32> {graph.uid = 1 : i64},
    %w: tensor<3x8x16xf32> {graph.uid = 2 : i64},
    %o: tensor<4xi32> {graph.uid = 3 : i64},
    %i: tensor<1x20x1xi32> {graph.uid = 4 : i64},
    %k: tensor<1x20x1xi32> {graph.uid = 5 : i64},
    %s: tensor<1x10x2xf32> {graph.uid = 6 : i64})
    -> (tensor<1x10x16xf32> {graph.uid = 9 : i64}) {
  // expected-error @below {{expected a floating-point compute type, got 'i32'}}
  %0 = graph.moe_grouped_matmul %t, %w, %o token_index %i token_ks %k top_k_scores %s {mode = #graph<moe_mode combine>, compute_type = i32}
      : (tensor<1x20x8xf32>, tensor<3x8x16xf32>, tensor<4xi32>, tensor<1x20x1xi32>, tensor<1x20x1xi32>, tensor<1x10x2xf32>)
      -> tensor<1x10x16xf32>
  graph.return %0 : tensor<1x10x16xf32>
}

// -----

graph.graph @moe_grouped_matmul_extents(
    %t: tensor<1x20x8xf32> {graph.uid = 1 : i64},
    %w: tensor<3x8x16xf32> {graph.uid = 2 : i64},
    %o: tensor<4xi32> {graph.uid = 3 : i64})
    -> (tensor<1x20x8xf32> {graph.uid = 9 : i64}) {
  // expected-error @below {{expected extents of result 'OUT' to be 1x20x16, got 1x20x8}}
  %0 = graph.moe_grouped_matmul %t, %w, %o
      : (tensor<1x20x8xf32>, tensor<3x8x16xf32>, tensor<4xi32>)
      -> tensor<1x20x8xf32>
  graph.return %0 : tensor<1x20x8xf32>
}

// -----

graph.graph @moe_grouped_matmul_bwd_c1(
    %d: tensor<20x16xf32> {graph.uid = 1 : i64}, %t: tensor<1x20x8xf32> {graph.uid = 2 : i64},
    %o: tensor<4xi32> {graph.uid = 3 : i64})
    -> (tensor<3x8x16xf32> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected 'DOUTPUT' to be 1 x rows x N, got 20x16}}
  %0 = graph.moe_grouped_matmul_bwd %d, %t, %o
      : (tensor<20x16xf32>, tensor<1x20x8xf32>, tensor<4xi32>) -> tensor<3x8x16xf32>
  graph.return %0 : tensor<3x8x16xf32>
}

// -----

graph.graph @moe_grouped_matmul_bwd_c1_token(
    %d: tensor<1x20x16xf32> {graph.uid = 1 : i64}, %t: tensor<2x20x8xf32> {graph.uid = 2 : i64},
    %o: tensor<4xi32> {graph.uid = 3 : i64})
    -> (tensor<3x8x16xf32> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected 'TOKEN' to be 1 x rows x K, got 2x20x8}}
  %0 = graph.moe_grouped_matmul_bwd %d, %t, %o
      : (tensor<1x20x16xf32>, tensor<2x20x8xf32>, tensor<4xi32>) -> tensor<3x8x16xf32>
  graph.return %0 : tensor<3x8x16xf32>
}

// -----

graph.graph @moe_grouped_matmul_bwd_c1_rows(
    %d: tensor<1x20x16xf32> {graph.uid = 1 : i64}, %t: tensor<1x21x8xf32> {graph.uid = 2 : i64},
    %o: tensor<4xi32> {graph.uid = 3 : i64})
    -> (tensor<3x8x16xf32> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected dim 1 of 'TOKEN' (21) to match that of 'DOUTPUT' (20)}}
  %0 = graph.moe_grouped_matmul_bwd %d, %t, %o
      : (tensor<1x20x16xf32>, tensor<1x21x8xf32>, tensor<4xi32>) -> tensor<3x8x16xf32>
  graph.return %0 : tensor<3x8x16xf32>
}

// -----

graph.graph @moe_grouped_matmul_bwd_c2(
    %d: tensor<1x20x16xf32> {graph.uid = 1 : i64}, %t: tensor<1x20x8xf32> {graph.uid = 2 : i64},
    %o: tensor<4xi32> {graph.uid = 3 : i64})
    -> (tensor<0x8x16xf32> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected the number of experts to be static and at least 1, got 0}}
  %0 = graph.moe_grouped_matmul_bwd %d, %t, %o
      : (tensor<1x20x16xf32>, tensor<1x20x8xf32>, tensor<4xi32>) -> tensor<0x8x16xf32>
  graph.return %0 : tensor<0x8x16xf32>
}

// -----

graph.graph @moe_grouped_matmul_bwd_c3(
    %d: tensor<1x20x16xf32> {graph.uid = 1 : i64}, %t: tensor<1x20x8xf32> {graph.uid = 2 : i64},
    %o: tensor<8x1x1xi32> {graph.uid = 3 : i64})
    -> (tensor<3x8x16xf32> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected 'FIRST_TOKEN_OFFSET' to hold, along one axis, G + 1 boundaries or G starts with G a positive multiple of the 3 experts, got 8}}
  %0 = graph.moe_grouped_matmul_bwd %d, %t, %o
      : (tensor<1x20x16xf32>, tensor<1x20x8xf32>, tensor<8x1x1xi32>) -> tensor<3x8x16xf32>
  graph.return %0 : tensor<3x8x16xf32>
}

// -----

graph.graph @moe_grouped_matmul_bwd_c4(
    %d: tensor<1x20x16xf32> {graph.uid = 1 : i64}, %t: tensor<1x20x8xf32> {graph.uid = 2 : i64},
    %o: tensor<4xi1> {graph.uid = 3 : i64})
    -> (tensor<3x8x16xf32> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected 'FIRST_TOKEN_OFFSET' to be i32 or i64, got 'i1'}}
  %0 = graph.moe_grouped_matmul_bwd %d, %t, %o
      : (tensor<1x20x16xf32>, tensor<1x20x8xf32>, tensor<4xi1>) -> tensor<3x8x16xf32>
  graph.return %0 : tensor<3x8x16xf32>
}

// -----

graph.graph @moe_grouped_matmul_bwd_c5(
    %d: tensor<1x20x16xf32> {graph.uid = 1 : i64}, %t: tensor<1x20x8xf32> {graph.uid = 2 : i64},
    %o: tensor<4xi32> {graph.uid = 3 : i64})
    -> (tensor<3x8x16xf32> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected compute type to be a number that is computed in, got 'i1'}}
  %0 = graph.moe_grouped_matmul_bwd %d, %t, %o {compute_type = i1}
      : (tensor<1x20x16xf32>, tensor<1x20x8xf32>, tensor<4xi32>) -> tensor<3x8x16xf32>
  graph.return %0 : tensor<3x8x16xf32>
}

// -----

graph.graph @moe_grouped_matmul_bwd_extents(
    %d: tensor<1x20x16xf32> {graph.uid = 1 : i64}, %t: tensor<1x20x8xf32> {graph.uid = 2 : i64},
    %o: tensor<4xi32> {graph.uid = 3 : i64})
    -> (tensor<3x16x8xf32> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected extents of result 'DWEIGHT' to be 3x8x16, got 3x16x8}}
  %0 = graph.moe_grouped_matmul_bwd %d, %t, %o
      : (tensor<1x20x16xf32>, tensor<1x20x8xf32>, tensor<4xi32>) -> tensor<3x16x8xf32>
  graph.return %0 : tensor<3x16x8xf32>
}
