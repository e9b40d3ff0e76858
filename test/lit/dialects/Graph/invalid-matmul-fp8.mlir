// RUN: graph-opt %s --split-input-file --verify-diagnostics

graph.graph @matmul_fp8_c1(
    %a: tensor<4x8xf8E4M3FN> {graph.uid = 1 : i64}, %b: tensor<1x8x5xf8E4M3FN> {graph.uid = 2 : i64},
    %da: tensor<1x1xf32> {graph.uid = 3 : i64}, %db: tensor<1x1xf32> {graph.uid = 4 : i64},
    %sc: tensor<1x1xf32> {graph.uid = 5 : i64})
    -> (tensor<4x5xf32> {graph.uid = 7 : i64}, tensor<1x1xf32> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected 'A' and 'B' to have one rank of at least 2, got 2 and 3}}
  %c, %m0 = graph.matmul_fp8 %a, %b, %da, %db, %sc
      : (tensor<4x8xf8E4M3FN>, tensor<1x8x5xf8E4M3FN>, tensor<1x1xf32>,
         tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<4x5xf32>, tensor<1x1xf32>
  graph.return %c, %m0 : tensor<4x5xf32>, tensor<1x1xf32>
}

// -----

graph.graph @matmul_fp8_c2(
    %a: tensor<4x8xf8E4M3FN> {graph.uid = 1 : i64}, %b: tensor<9x5xf8E4M3FN> {graph.uid = 2 : i64},
    %da: tensor<1x1xf32> {graph.uid = 3 : i64}, %db: tensor<1x1xf32> {graph.uid = 4 : i64},
    %sc: tensor<1x1xf32> {graph.uid = 5 : i64})
    -> (tensor<4x5xf32> {graph.uid = 7 : i64}, tensor<1x1xf32> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected dim 1 of 'A' (8) to match dim 0 of 'B' (9)}}
  %c, %m0 = graph.matmul_fp8 %a, %b, %da, %db, %sc
      : (tensor<4x8xf8E4M3FN>, tensor<9x5xf8E4M3FN>, tensor<1x1xf32>,
         tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<4x5xf32>, tensor<1x1xf32>
  graph.return %c, %m0 : tensor<4x5xf32>, tensor<1x1xf32>
}

// -----

graph.graph @matmul_fp8_c3(
    %a: tensor<2x4x8xf8E4M3FN> {graph.uid = 1 : i64}, %b: tensor<3x8x5xf8E4M3FN> {graph.uid = 2 : i64},
    %da: tensor<1x1xf32> {graph.uid = 3 : i64}, %db: tensor<1x1xf32> {graph.uid = 4 : i64},
    %sc: tensor<1x1xf32> {graph.uid = 5 : i64})
    -> (tensor<2x4x5xf32> {graph.uid = 7 : i64}, tensor<1x1x1xf32> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected batch dim 0 of 'A' (2) and of 'B' (3) to match or be 1}}
  %c, %m0 = graph.matmul_fp8 %a, %b, %da, %db, %sc
      : (tensor<2x4x8xf8E4M3FN>, tensor<3x8x5xf8E4M3FN>, tensor<1x1xf32>,
         tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<2x4x5xf32>, tensor<1x1x1xf32>
  graph.return %c, %m0 : tensor<2x4x5xf32>, tensor<1x1x1xf32>
}

// -----

graph.graph @matmul_fp8_c4(
    %a: tensor<4x8xf8E4M3FN> {graph.uid = 1 : i64}, %b: tensor<8x5xf8E4M3FN> {graph.uid = 2 : i64},
    %da: tensor<1x1xf32> {graph.uid = 3 : i64}, %db: tensor<1x1xf32> {graph.uid = 4 : i64},
    %sc: tensor<1x1xf32> {graph.uid = 5 : i64},
    %m: tensor<2x1xi32> {graph.uid = 6 : i64})
    -> (tensor<4x5xf32> {graph.uid = 7 : i64}, tensor<1x1xf32> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected 'M_override' to broadcast to 1x1, got 2x1}}
  %c, %m0 = graph.matmul_fp8 %a, %b, %da, %db, %sc m_override %m
      : (tensor<4x8xf8E4M3FN>, tensor<8x5xf8E4M3FN>, tensor<1x1xf32>,
         tensor<1x1xf32>, tensor<1x1xf32>, tensor<2x1xi32>) -> tensor<4x5xf32>, tensor<1x1xf32>
  graph.return %c, %m0 : tensor<4x5xf32>, tensor<1x1xf32>
}

// -----

graph.graph @matmul_fp8_c5(
    %a: tensor<4x8xf8E4M3FN> {graph.uid = 1 : i64}, %b: tensor<8x5xf8E4M3FN> {graph.uid = 2 : i64},
    %da: tensor<1x1xf32> {graph.uid = 3 : i64}, %db: tensor<1x1xf32> {graph.uid = 4 : i64},
    %sc: tensor<1x1xf32> {graph.uid = 5 : i64},
    %m: tensor<1x1xf32> {graph.uid = 6 : i64})
    -> (tensor<4x5xf32> {graph.uid = 7 : i64}, tensor<1x1xf32> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected 'M_override' to be i32 or i64, got 'f32'}}
  %c, %m0 = graph.matmul_fp8 %a, %b, %da, %db, %sc m_override %m
      : (tensor<4x8xf8E4M3FN>, tensor<8x5xf8E4M3FN>, tensor<1x1xf32>,
         tensor<1x1xf32>, tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<4x5xf32>, tensor<1x1xf32>
  graph.return %c, %m0 : tensor<4x5xf32>, tensor<1x1xf32>
}

// -----

graph.graph @matmul_fp8_c6(
    %a: tensor<4x8xf8E4M3FN> {graph.uid = 1 : i64}, %b: tensor<8x5xf8E4M3FN> {graph.uid = 2 : i64},
    %da: tensor<1x1xf32> {graph.uid = 3 : i64}, %db: tensor<1x1xf32> {graph.uid = 4 : i64},
    %sc: tensor<1x1xf32> {graph.uid = 5 : i64})
    -> (tensor<4x5xf32> {graph.uid = 7 : i64}, tensor<1x1xf32> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected a floating-point compute type, got 'i32'}}
  %c, %m0 = graph.matmul_fp8 %a, %b, %da, %db, %sc {compute_type = i32}
      : (tensor<4x8xf8E4M3FN>, tensor<8x5xf8E4M3FN>, tensor<1x1xf32>,
         tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<4x5xf32>, tensor<1x1xf32>
  graph.return %c, %m0 : tensor<4x5xf32>, tensor<1x1xf32>
}

// -----

graph.graph @matmul_fp8_c7(
    %a: tensor<4x8xf8E4M3FN> {graph.uid = 1 : i64}, %b: tensor<8x5xf8E4M3FN> {graph.uid = 2 : i64},
    %da: tensor<1x1xf32> {graph.uid = 3 : i64}, %db: tensor<1x2xf32> {graph.uid = 4 : i64},
    %sc: tensor<1x1xf32> {graph.uid = 5 : i64})
    -> (tensor<4x5xf32> {graph.uid = 7 : i64}, tensor<1x1xf32> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected 'Descale_B' to have one element, got 1x2}}
  %c, %m0 = graph.matmul_fp8 %a, %b, %da, %db, %sc
      : (tensor<4x8xf8E4M3FN>, tensor<8x5xf8E4M3FN>, tensor<1x1xf32>,
         tensor<1x2xf32>, tensor<1x1xf32>) -> tensor<4x5xf32>, tensor<1x1xf32>
  graph.return %c, %m0 : tensor<4x5xf32>, tensor<1x1xf32>
}

// -----

graph.graph @matmul_fp8_c8(
    %a: tensor<4x8xf8E4M3FN> {graph.uid = 1 : i64}, %b: tensor<8x5xf8E4M3FN> {graph.uid = 2 : i64},
    %da: tensor<1x1xf32> {graph.uid = 3 : i64}, %db: tensor<1x1xf32> {graph.uid = 4 : i64},
    %sc: tensor<1x1xf16> {graph.uid = 5 : i64})
    -> (tensor<4x5xf32> {graph.uid = 7 : i64}, tensor<1x1xf32> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected 'Scale_C' to be f32, got 'f16'}}
  %c, %m0 = graph.matmul_fp8 %a, %b, %da, %db, %sc
      : (tensor<4x8xf8E4M3FN>, tensor<8x5xf8E4M3FN>, tensor<1x1xf32>,
         tensor<1x1xf32>, tensor<1x1xf16>) -> tensor<4x5xf32>, tensor<1x1xf32>
  graph.return %c, %m0 : tensor<4x5xf32>, tensor<1x1xf32>
}

// -----

graph.graph @matmul_fp8_extents(
    %a: tensor<4x8xf8E4M3FN> {graph.uid = 1 : i64}, %b: tensor<8x5xf8E4M3FN> {graph.uid = 2 : i64},
    %da: tensor<1x1xf32> {graph.uid = 3 : i64}, %db: tensor<1x1xf32> {graph.uid = 4 : i64},
    %sc: tensor<1x1xf32> {graph.uid = 5 : i64})
    -> (tensor<4x5xf32> {graph.uid = 7 : i64}, tensor<1xf32> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected extents of result 'Amax_C' to be 1x1, got 1}}
  %c, %m0 = graph.matmul_fp8 %a, %b, %da, %db, %sc
      : (tensor<4x8xf8E4M3FN>, tensor<8x5xf8E4M3FN>, tensor<1x1xf32>,
         tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<4x5xf32>, tensor<1xf32>
  graph.return %c, %m0 : tensor<4x5xf32>, tensor<1xf32>
}
