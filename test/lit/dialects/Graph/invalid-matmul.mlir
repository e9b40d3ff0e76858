// RUN: graph-opt %s --split-input-file --verify-diagnostics

graph.graph @matmul_c1(
    %a: tensor<2x4x8xf32> {graph.uid = 1 : i64},
    %b: tensor<8x5xf32> {graph.uid = 2 : i64})
    -> (tensor<2x4x5xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'A' and 'B' to have one rank of at least 2, got 3 and 2}}
  %0 = graph.matmul %a, %b
      : (tensor<2x4x8xf32>, tensor<8x5xf32>) -> tensor<2x4x5xf32>
  graph.return %0 : tensor<2x4x5xf32>
}

// -----

graph.graph @matmul_c1_vectors(
    %a: tensor<8xf32> {graph.uid = 1 : i64},
    %b: tensor<8xf32> {graph.uid = 2 : i64})
    -> (tensor<1xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'A' and 'B' to have one rank of at least 2, got 1 and 1}}
  %0 = graph.matmul %a, %b : (tensor<8xf32>, tensor<8xf32>) -> tensor<1xf32>
  graph.return %0 : tensor<1xf32>
}

// -----

graph.graph @matmul_c2(
    %a: tensor<4x8xf32> {graph.uid = 1 : i64},
    %b: tensor<9x5xf32> {graph.uid = 2 : i64})
    -> (tensor<4x5xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected dim 1 of 'A' (8) to match dim 0 of 'B' (9)}}
  %0 = graph.matmul %a, %b
      : (tensor<4x8xf32>, tensor<9x5xf32>) -> tensor<4x5xf32>
  graph.return %0 : tensor<4x5xf32>
}

// -----

!a = tensor<4x?xf32, #graph.layout<symbols = ["", "K"]>>
!b = tensor<?x5xf32, #graph.layout<symbols = ["L", ""]>>
graph.graph @matmul_c2_symbols(
    %a: !a {graph.uid = 1 : i64}, %b: !b {graph.uid = 2 : i64})
    -> (tensor<4x5xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected dim 1 of 'A' (?(K)) to match dim 0 of 'B' (?(L))}}
  %0 = graph.matmul %a, %b : (!a, !b) -> tensor<4x5xf32>
  graph.return %0 : tensor<4x5xf32>
}

// -----

graph.graph @matmul_c3(
    %a: tensor<2x4x8xf32> {graph.uid = 1 : i64},
    %b: tensor<3x8x5xf32> {graph.uid = 2 : i64})
    -> (tensor<2x4x5xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected batch dim 0 of 'A' (2) and of 'B' (3) to match or be 1}}
  %0 = graph.matmul %a, %b
      : (tensor<2x4x8xf32>, tensor<3x8x5xf32>) -> tensor<2x4x5xf32>
  graph.return %0 : tensor<2x4x5xf32>
}

// -----

graph.graph @matmul_c4(
    %a: tensor<2x4x8xf32> {graph.uid = 1 : i64},
    %b: tensor<2x8x5xf32> {graph.uid = 2 : i64},
    %m: tensor<3x1x1xi32> {graph.uid = 3 : i64})
    -> (tensor<2x4x5xf32> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected 'M_override' to broadcast to 2x1x1, got 3x1x1}}
  %0 = graph.matmul %a, %b m_override %m
      : (tensor<2x4x8xf32>, tensor<2x8x5xf32>, tensor<3x1x1xi32>)
      -> tensor<2x4x5xf32>
  graph.return %0 : tensor<2x4x5xf32>
}

// -----

graph.graph @matmul_c5(
    %a: tensor<2x4x8xf32> {graph.uid = 1 : i64},
    %b: tensor<2x8x5xf32> {graph.uid = 2 : i64},
    %k: tensor<2x1x1xf32> {graph.uid = 3 : i64})
    -> (tensor<2x4x5xf32> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected 'K_override' to be i32 or i64, got 'f32'}}
  %0 = graph.matmul %a, %b k_override %k
      : (tensor<2x4x8xf32>, tensor<2x8x5xf32>, tensor<2x1x1xf32>)
      -> tensor<2x4x5xf32>
  graph.return %0 : tensor<2x4x5xf32>
}

// -----

graph.graph @matmul_c6(
    %a: tensor<4x8xf32> {graph.uid = 1 : i64},
    %b: tensor<8x5xf32> {graph.uid = 2 : i64})
    -> (tensor<4x5xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected compute type to be a number that is computed in, got 'i1'}}
  %0 = graph.matmul %a, %b {compute_type = i1}
      : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5xf32>
  graph.return %0 : tensor<4x5xf32>
}

// -----

graph.graph @matmul_result(
    %a: tensor<4x8xf32> {graph.uid = 1 : i64},
    %b: tensor<8x5xf32> {graph.uid = 2 : i64})
    -> (tensor<5x4xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected extents of result 'C' to be 4x5, got 5x4}}
  %0 = graph.matmul %a, %b
      : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<5x4xf32>
  graph.return %0 : tensor<5x4xf32>
}
