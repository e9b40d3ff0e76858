// RUN: graph-opt %s --split-input-file --verify-diagnostics

graph.graph @softmax_c1(
    %x: tensor<f32> {graph.uid = 1 : i64})
    -> (tensor<f32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected 'P' to have at least one axis}}
  %0 = graph.softmax %x : (tensor<f32>)
      -> tensor<f32>
  graph.return %0 : tensor<f32>
}

// -----

graph.graph @softmax_c2(
    %x: tensor<4x8xf32> {graph.uid = 1 : i64})
    -> (tensor<4x8xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected a floating-point compute type, got 'i32'}}
  %0 = graph.softmax %x {compute_type = i32} : (tensor<4x8xf32>)
      -> tensor<4x8xf32>
  graph.return %0 : tensor<4x8xf32>
}

// -----

graph.graph @softmax_c3(
    %x: tensor<4x8xf32> {graph.uid = 1 : i64})
    -> (tensor<4x8xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected result 'Stats' to be present, got it absent}}
  %0 = graph.softmax %x {generate_stats} : (tensor<4x8xf32>)
      -> tensor<4x8xf32>
  graph.return %0 : tensor<4x8xf32>
}

// -----

graph.graph @softmax_c3_max(
    %x: tensor<4x8xf32> {graph.uid = 1 : i64})
    -> (tensor<4x8xf32> {graph.uid = 2 : i64},
        tensor<4x1xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected result 'Max' to be absent, got it present}}
  %0, %1 = graph.softmax %x : (tensor<4x8xf32>)
      -> tensor<4x8xf32> max tensor<4x1xf32>
  graph.return %0, %1 : tensor<4x8xf32>, tensor<4x1xf32>
}

// -----

graph.graph @softmax_statistics(
    %x: tensor<4x8xf32> {graph.uid = 1 : i64})
    -> (tensor<4x8xf32> {graph.uid = 2 : i64},
        tensor<1x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected extents of result 'Sum_exp' to be 4x1, got 1x8}}
  %0, %1 = graph.softmax %x {generate_sum_exp} : (tensor<4x8xf32>)
      -> tensor<4x8xf32> sum_exp tensor<1x8xf32>
  graph.return %0, %1 : tensor<4x8xf32>, tensor<1x8xf32>
}

// -----

graph.graph @softmax_c4(
    %x: tensor<4x8xf32> {graph.uid = 1 : i64},
    %s: tensor<4x8xf32> {graph.uid = 2 : i64})
    -> (tensor<4x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'SINK' (4x8) to broadcast to one element for each row (4x1)}}
  %0 = graph.softmax %x sink %s : (tensor<4x8xf32>, tensor<4x8xf32>)
      -> tensor<4x8xf32>
  graph.return %0 : tensor<4x8xf32>
}
