// RUN: graph-opt %s --split-input-file --verify-diagnostics

graph.graph @slice_c1(
    %x: tensor<4x10xf32> {graph.uid = 1 : i64})
    -> (tensor<4x10xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected 'start', 'stop' and 'step' for each of the 2 axes of 'X', got 1, 2 and 2}}
  %0 = graph.slice %x [0] to [4, 10] step [1, 1] : (tensor<4x10xf32>)
      -> tensor<4x10xf32>
  graph.return %0 : tensor<4x10xf32>
}

// -----

graph.graph @slice_c2(
    %x: tensor<4x10xf32> {graph.uid = 1 : i64})
    -> (tensor<4x10xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected 'step' of axis 1 to be at least 1, got 0}}
  %0 = graph.slice %x [0, 0] to [4, 10] step [1, 0] : (tensor<4x10xf32>)
      -> tensor<4x10xf32>
  graph.return %0 : tensor<4x10xf32>
}

// -----

graph.graph @slice_c3(
    %x: tensor<4x10xf32> {graph.uid = 1 : i64})
    -> (tensor<4x10xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected 0 <= start <= stop <= 10 on axis 1, got start 0 and stop 11}}
  %0 = graph.slice %x [0, 0] to [4, 11] step [1, 1] : (tensor<4x10xf32>)
      -> tensor<4x10xf32>
  graph.return %0 : tensor<4x10xf32>
}

// -----

graph.graph @slice_c3_reversed(
    %x: tensor<4x10xf32> {graph.uid = 1 : i64})
    -> (tensor<4x10xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected 0 <= start <= stop <= 4 on axis 0, got start 3 and stop 2}}
  %0 = graph.slice %x [3, 0] to [2, 10] step [1, 1] : (tensor<4x10xf32>)
      -> tensor<4x10xf32>
  graph.return %0 : tensor<4x10xf32>
}

// -----

!x = tensor<?x8xf32, #graph.layout<symbols = ["M", ""]>>
graph.graph @slice_c4(
    %x: !x {graph.uid = 1 : i64})
    -> (!x {graph.uid = 2 : i64}) {
  // expected-error @below {{expected the whole of dynamic axis 0 (?(M)), that is 0 to -1 step 1, got 1 to -1 step 1}}
  %0 = graph.slice %x [1, 0] to [-1, 8] step [1, 1] : (!x)
      -> !x
  graph.return %0 : !x
}

// -----

graph.graph @slice_c5(
    %x: tensor<4x10xf32> {graph.uid = 1 : i64})
    -> (tensor<4x10xf64> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected the result's element type to be that of 'X' ('f32'), got 'f64'}}
  %0 = graph.slice %x [0, 0] to [4, 10] step [1, 1] : (tensor<4x10xf32>)
      -> tensor<4x10xf64>
  graph.return %0 : tensor<4x10xf64>
}

// -----

graph.graph @concatenate_c1(
    %a: tensor<2x3xf32> {graph.uid = 1 : i64})
    -> (tensor<2x3xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected at least one input}}
  %0 = "graph.concatenate"() {axis = 0 : i64} : () -> tensor<2x3xf32>
  graph.return %0 : tensor<2x3xf32>
}

// -----

graph.graph @concatenate_c2(
    %a: tensor<2x3xf32> {graph.uid = 1 : i64},
    %b: tensor<2x5xf32> {graph.uid = 2 : i64})
    -> (tensor<2x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'axis' to be in [0, 2), got 2}}
  %0 = graph.concatenate %a, %b axis 2
      : (tensor<2x3xf32>, tensor<2x5xf32>) -> tensor<2x8xf32>
  graph.return %0 : tensor<2x8xf32>
}

// -----

graph.graph @concatenate_c3(
    %a: tensor<2x3xf32> {graph.uid = 1 : i64},
    %b: tensor<2x5xf32> {graph.uid = 2 : i64})
    -> (tensor<2x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected dim 1 of input 1 (5) to match that of input 0 (3)}}
  %0 = graph.concatenate %a, %b axis 0
      : (tensor<2x3xf32>, tensor<2x5xf32>) -> tensor<2x8xf32>
  graph.return %0 : tensor<2x8xf32>
}

// -----

graph.graph @concatenate_c3_rank(
    %a: tensor<2x3xf32> {graph.uid = 1 : i64},
    %b: tensor<2x5x1xf32> {graph.uid = 2 : i64})
    -> (tensor<2x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected input 1 to have the rank of input 0 (2), got 3}}
  %0 = graph.concatenate %a, %b axis 1
      : (tensor<2x3xf32>, tensor<2x5x1xf32>) -> tensor<2x8xf32>
  graph.return %0 : tensor<2x8xf32>
}

// -----

!a = tensor<?x3xf32, #graph.layout<symbols = ["M", ""]>>
!b = tensor<5x3xf32>
graph.graph @concatenate_c4(
    %a: !a {graph.uid = 1 : i64},
    %b: !b {graph.uid = 2 : i64})
    -> (!a {graph.uid = 3 : i64}) {
  // expected-error @below {{expected static extents along axis 0 of several inputs}}
  %0 = graph.concatenate %a, %b axis 0
      : (!a, !b) -> !a
  graph.return %0 : !a
}

// -----

graph.graph @concatenate_c5(
    %a: tensor<2x3xf32> {graph.uid = 1 : i64},
    %b: tensor<2x5xf16> {graph.uid = 2 : i64})
    -> (tensor<2x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected input 1 to have the element type of input 0 ('f32'), got 'f16'}}
  %0 = graph.concatenate %a, %b axis 1
      : (tensor<2x3xf32>, tensor<2x5xf16>) -> tensor<2x8xf32>
  graph.return %0 : tensor<2x8xf32>
}

// -----

graph.graph @concatenate_c6(
    %a: tensor<2x3xf32> {graph.uid = 1 : i64},
    %b: tensor<2x5xf32> {graph.uid = 2 : i64})
    -> (tensor<2x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'in_place_index' to be in [0, 2), got 2}}
  %0 = graph.concatenate %a, %b axis 1 {in_place_index = 2 : i64}
      : (tensor<2x3xf32>, tensor<2x5xf32>) -> tensor<2x8xf32>
  graph.return %0 : tensor<2x8xf32>
}

// -----

graph.graph @constant_c1(
    %a: tensor<2x3xf32> {graph.uid = 1 : i64})
    -> (tensor<2x3xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected 'value' to be an integer or a float, got dense<1.000000e+00> : tensor<2x3xf32>}}
  %0 = "graph.constant"() {value = dense<1.0> : tensor<2x3xf32>} : () -> tensor<2x3xf32>
  graph.return %0 : tensor<2x3xf32>
}

// -----

graph.graph @constant_c1_scale(
    %x: tensor<4xf32> {graph.uid = 1 : i64})
    -> (tensor<4xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected 'value' to be a value of f8E8M0FNU, which are positive, got -1.000000e+00 : f8E8M0FNU}}
  %0 = graph.constant -1.0 : f8E8M0FNU : tensor<1xf8E8M0FNU>
  %1 = graph.mul %x, %0 : (tensor<4xf32>, tensor<1xf8E8M0FNU>) -> tensor<4xf32>
  graph.return %1 : tensor<4xf32>
}

// -----

graph.graph @constant_c2(
    %a: tensor<2x3xf32> {graph.uid = 1 : i64})
    -> (tensor<2x3xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected every extent to be 1, got 2x3}}
  %0 = graph.constant 1.0 : f32 : tensor<2x3xf32>
  graph.return %0 : tensor<2x3xf32>
}

// -----

graph.graph @constant_c3(
    %a: tensor<2x3xf32> {graph.uid = 1 : i64})
    -> (tensor<1xf16> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected the result's element type to be that of 'value' ('f32'), got 'f16'}}
  %0 = graph.constant 1.0 : f32 : tensor<1xf16>
  graph.return %0 : tensor<1xf16>
}
