// RUN: graph-opt %s --split-input-file --verify-diagnostics

graph.graph @reshape_c1(
    %x: tensor<2x3x4xf32> {graph.uid = 1 : i64})
    -> (tensor<5x5xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected 'Y' (5x5) to have as many elements as 'X' (2x3x4)}}
  %0 = graph.reshape logical %x : (tensor<2x3x4xf32>)
      -> tensor<5x5xf32>
  graph.return %0 : tensor<5x5xf32>
}

// -----

!x = tensor<?x8xf32, #graph.layout<symbols = ["M", ""]>>
!y = tensor<?x4x2xf32, #graph.layout<symbols = ["N", "", ""]>>
graph.graph @reshape_c1_symbols(
    %x: !x {graph.uid = 1 : i64})
    -> (!y {graph.uid = 2 : i64}) {
  // expected-error @below {{expected 'Y' (?(N)x4x2) to have as many elements as 'X' (?(M)x8)}}
  %0 = graph.reshape logical %x : (!x)
      -> !y
  graph.return %0 : !y
}

// -----

graph.graph @reshape_c2(
    %x: tensor<2x3x4xf32> {graph.uid = 1 : i64})
    -> (tensor<24xf16> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected the result's element type to be that of 'X' ('f32'), got 'f16'}}
  %0 = graph.reshape logical %x : (tensor<2x3x4xf32>)
      -> tensor<24xf16>
  graph.return %0 : tensor<24xf16>
}

// -----

!x = tensor<4x8xf32, #graph.layout<strides = [?, 1]>>
graph.graph @reshape_c3(
    %x: !x {graph.uid = 1 : i64})
    -> (tensor<32xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected the strides of 'X' to be known for reshape mode view_only}}
  %0 = graph.reshape view_only %x : (!x)
      -> tensor<32xf32>
  graph.return %0 : tensor<32xf32>
}

// -----

!x = tensor<4x8xf32, #graph.layout<strides = [0, 1]>>
graph.graph @reshape_c4(
    %x: !x {graph.uid = 1 : i64})
    -> (tensor<32xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected no two elements of 'X' to share an address in reshape mode view_only}}
  %0 = graph.reshape view_only %x : (!x)
      -> tensor<32xf32>
  graph.return %0 : tensor<32xf32>
}

// -----

!x = tensor<128x4xi8, #graph.layout<reordering = f8_128x4>>
graph.graph @reshape_c5(
    %x: !x {graph.uid = 1 : i64})
    -> (tensor<512xi8> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected 'X' to have no reordering in reshape mode view_only, got f8_128x4; mode logical allows it}}
  %0 = graph.reshape view_only %x : (!x)
      -> tensor<512xi8>
  graph.return %0 : tensor<512xi8>
}

// -----

!y = tensor<128x4xi8, #graph.layout<reordering = f8_128x4>>
graph.graph @reshape_c5_result(
    %x: tensor<512xi8> {graph.uid = 1 : i64})
    -> (!y {graph.uid = 2 : i64}) {
  // expected-error @below {{expected 'Y' to have no reordering in reshape mode view_only, got f8_128x4; mode logical allows it}}
  %0 = graph.reshape view_only %x : (tensor<512xi8>) -> !y
  graph.return %0 : !y
}

// -----

graph.graph @transpose_c1(
    %x: tensor<2x3x4xf32> {graph.uid = 1 : i64})
    -> (tensor<2x3x4xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected 'permutation' to be a permutation of the 3 axes of 'X', got [0, 2, 2]}}
  %0 = graph.transpose %x [0, 2, 2] : (tensor<2x3x4xf32>)
      -> tensor<2x3x4xf32>
  graph.return %0 : tensor<2x3x4xf32>
}

// -----

graph.graph @transpose_c1_rank(
    %x: tensor<2x3x4xf32> {graph.uid = 1 : i64})
    -> (tensor<2x3x4xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected 'permutation' to be a permutation of the 3 axes of 'X', got [1, 0]}}
  %0 = graph.transpose %x [1, 0] : (tensor<2x3x4xf32>)
      -> tensor<2x3x4xf32>
  graph.return %0 : tensor<2x3x4xf32>
}

// -----

graph.graph @transpose_c2(
    %x: tensor<2x3x4xf32> {graph.uid = 1 : i64})
    -> (tensor<2x4x3xf16> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected the result's element type to be that of 'X' ('f32'), got 'f16'}}
  %0 = graph.transpose %x [0, 2, 1] : (tensor<2x3x4xf32>)
      -> tensor<2x4x3xf16>
  graph.return %0 : tensor<2x4x3xf16>
}

// -----

graph.graph @transpose_result(
    %x: tensor<2x3x4xf32> {graph.uid = 1 : i64})
    -> (tensor<2x3x4xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected extents of result 'Y' to be 2x4x3, got 2x3x4}}
  %0 = graph.transpose %x [0, 2, 1] : (tensor<2x3x4xf32>)
      -> tensor<2x3x4xf32>
  graph.return %0 : tensor<2x3x4xf32>
}
