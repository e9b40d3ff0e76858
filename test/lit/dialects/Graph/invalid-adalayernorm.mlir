// RUN: graph-opt %s --split-input-file --verify-diagnostics

graph.graph @adalayernorm_c1(
    %x: tensor<2x8x64xf32> {graph.uid = 1 : i64},
    %s: tensor<1x64xf32> {graph.uid = 2 : i64},
    %e: tensor<1xf32> {graph.uid = 3 : i64})
    -> (tensor<2x8x64xf32> {graph.uid = 4 : i64},
        tensor<2x8x1xf32> {graph.uid = 5 : i64},
        tensor<2x8x1xf32> {graph.uid = 6 : i64}) {
  // expected-error @below {{expected 'SCALE' to have the rank of 'X', at least 1, for its axis of samples, got 1x64 for 2x8x64}}
  %0, %1, %2 = graph.adalayernorm training %x scale %s epsilon %e
      : (tensor<2x8x64xf32>, tensor<1x64xf32>, tensor<1xf32>)
      -> tensor<2x8x64xf32> mean tensor<2x8x1xf32> inv_variance
         tensor<2x8x1xf32>
  graph.return %0, %1, %2 : tensor<2x8x64xf32>, tensor<2x8x1xf32>,
      tensor<2x8x1xf32>
}

// -----

graph.graph @adalayernorm_c1_rank_0(
    %x: tensor<f32> {graph.uid = 1 : i64},
    %s: tensor<f32> {graph.uid = 2 : i64},
    %e: tensor<1xf32> {graph.uid = 3 : i64})
    -> (tensor<f32> {graph.uid = 4 : i64},
        tensor<f32> {graph.uid = 5 : i64},
        tensor<f32> {graph.uid = 6 : i64}) {
  // expected-error @below {{expected 'SCALE' to have the rank of 'X', at least 1, for its axis of samples, got a scalar for a scalar}}
  %0, %1, %2 = graph.adalayernorm training %x scale %s epsilon %e
      : (tensor<f32>, tensor<f32>, tensor<1xf32>)
      -> tensor<f32> mean tensor<f32> inv_variance tensor<f32>
  graph.return %0, %1, %2 : tensor<f32>, tensor<f32>, tensor<f32>
}

// -----

graph.graph @adalayernorm_c1_broadcast(
    %x: tensor<2x8x64xf32> {graph.uid = 1 : i64},
    %s: tensor<3x1x64xf32> {graph.uid = 2 : i64},
    %e: tensor<1xf32> {graph.uid = 3 : i64})
    -> (tensor<2x8x64xf32> {graph.uid = 4 : i64},
        tensor<2x8x1xf32> {graph.uid = 5 : i64},
        tensor<2x8x1xf32> {graph.uid = 6 : i64}) {
  // expected-error @below {{expected 'SCALE' (3x1x64) to broadcast to 'X' (2x8x64)}}
  %0, %1, %2 = graph.adalayernorm training %x scale %s epsilon %e
      : (tensor<2x8x64xf32>, tensor<3x1x64xf32>, tensor<1xf32>)
      -> tensor<2x8x64xf32> mean tensor<2x8x1xf32> inv_variance
         tensor<2x8x1xf32>
  graph.return %0, %1, %2 : tensor<2x8x64xf32>, tensor<2x8x1xf32>,
      tensor<2x8x1xf32>
}

// -----

graph.graph @adalayernorm_c2(
    %x: tensor<2x8x64xf32> {graph.uid = 1 : i64},
    %s: tensor<2x1x64xf32> {graph.uid = 2 : i64},
    %b: tensor<2x1x63xf32> {graph.uid = 3 : i64},
    %e: tensor<1xf32> {graph.uid = 4 : i64})
    -> (tensor<2x8x64xf32> {graph.uid = 5 : i64},
        tensor<2x8x1xf32> {graph.uid = 6 : i64},
        tensor<2x8x1xf32> {graph.uid = 7 : i64}) {
  // expected-error @below {{expected 'BIAS' (2x1x63) to broadcast to 'X' (2x8x64)}}
  %0, %1, %2 = graph.adalayernorm training %x scale %s bias %b epsilon %e
      : (tensor<2x8x64xf32>, tensor<2x1x64xf32>, tensor<2x1x63xf32>,
         tensor<1xf32>)
      -> tensor<2x8x64xf32> mean tensor<2x8x1xf32> inv_variance
         tensor<2x8x1xf32>
  graph.return %0, %1, %2 : tensor<2x8x64xf32>, tensor<2x8x1xf32>,
      tensor<2x8x1xf32>
}

// -----

graph.graph @adalayernorm_c3(
    %x: tensor<2x8x64xf32> {graph.uid = 1 : i64},
    %s: tensor<2x1x64xf32> {graph.uid = 2 : i64},
    %e: tensor<2xf32> {graph.uid = 3 : i64})
    -> (tensor<2x8x64xf32> {graph.uid = 4 : i64},
        tensor<2x8x1xf32> {graph.uid = 5 : i64},
        tensor<2x8x1xf32> {graph.uid = 6 : i64}) {
  // expected-error @below {{expected 'EPSILON' to have one element, got 2}}
  %0, %1, %2 = graph.adalayernorm training %x scale %s epsilon %e
      : (tensor<2x8x64xf32>, tensor<2x1x64xf32>, tensor<2xf32>)
      -> tensor<2x8x64xf32> mean tensor<2x8x1xf32> inv_variance
         tensor<2x8x1xf32>
  graph.return %0, %1, %2 : tensor<2x8x64xf32>, tensor<2x8x1xf32>,
      tensor<2x8x1xf32>
}

// -----

graph.graph @adalayernorm_c4(
    %x: tensor<2x8x64xf32> {graph.uid = 1 : i64},
    %s: tensor<2x1x64xf32> {graph.uid = 2 : i64},
    %e: tensor<1xf32> {graph.uid = 3 : i64})
    -> (tensor<2x8x64xf32> {graph.uid = 4 : i64},
        tensor<2x8x1xf32> {graph.uid = 5 : i64},
        tensor<2x8x1xf32> {graph.uid = 6 : i64}) {
  // expected-error @below {{expected a floating-point compute type, got 'i32'}}
  %0, %1, %2 = graph.adalayernorm training %x scale %s epsilon %e {compute_type = i32}
      : (tensor<2x8x64xf32>, tensor<2x1x64xf32>, tensor<1xf32>)
      -> tensor<2x8x64xf32> mean tensor<2x8x1xf32> inv_variance
         tensor<2x8x1xf32>
  graph.return %0, %1, %2 : tensor<2x8x64xf32>, tensor<2x8x1xf32>,
      tensor<2x8x1xf32>
}

// -----

graph.graph @adalayernorm_c5(
    %x: tensor<2x8x64xf32> {graph.uid = 1 : i64},
    %s: tensor<2x1x64xf32> {graph.uid = 2 : i64},
    %e: tensor<1xf32> {graph.uid = 3 : i64})
    -> (tensor<2x8x64xf32> {graph.uid = 4 : i64},
        tensor<2x8x1xf32> {graph.uid = 5 : i64}) {
  // expected-error @below {{expected result 'INV_VARIANCE' to be present, got it absent}}
  %0, %1 = graph.adalayernorm training %x scale %s epsilon %e
      : (tensor<2x8x64xf32>, tensor<2x1x64xf32>, tensor<1xf32>)
      -> tensor<2x8x64xf32> mean tensor<2x8x1xf32>
  graph.return %0, %1 : tensor<2x8x64xf32>, tensor<2x8x1xf32>
}

// -----

graph.graph @adalayernorm_c5_inference(
    %x: tensor<2x8x64xf32> {graph.uid = 1 : i64},
    %s: tensor<2x1x64xf32> {graph.uid = 2 : i64},
    %e: tensor<1xf32> {graph.uid = 3 : i64})
    -> (tensor<2x8x64xf32> {graph.uid = 4 : i64},
        tensor<2x8x1xf32> {graph.uid = 5 : i64}) {
  // expected-error @below {{expected result 'MEAN' to be absent, got it present}}
  %0, %1 = graph.adalayernorm inference %x scale %s epsilon %e
      : (tensor<2x8x64xf32>, tensor<2x1x64xf32>, tensor<1xf32>)
      -> tensor<2x8x64xf32> mean tensor<2x8x1xf32>
  graph.return %0, %1 : tensor<2x8x64xf32>, tensor<2x8x1xf32>
}

// -----

// The axis of samples is not normalised.
graph.graph @adalayernorm_statistics(
    %x: tensor<2x8x64xf32> {graph.uid = 1 : i64},
    %s: tensor<2x1x64xf32> {graph.uid = 2 : i64},
    %e: tensor<1xf32> {graph.uid = 3 : i64})
    -> (tensor<2x8x64xf32> {graph.uid = 4 : i64},
        tensor<1x8x1xf32> {graph.uid = 5 : i64},
        tensor<2x8x1xf32> {graph.uid = 6 : i64}) {
  // expected-error @below {{expected extents of result 'MEAN' to be 2x8x1, got 1x8x1}}
  %0, %1, %2 = graph.adalayernorm training %x scale %s epsilon %e
      : (tensor<2x8x64xf32>, tensor<2x1x64xf32>, tensor<1xf32>)
      -> tensor<2x8x64xf32> mean tensor<1x8x1xf32> inv_variance
         tensor<2x8x1xf32>
  graph.return %0, %1, %2 : tensor<2x8x64xf32>, tensor<1x8x1xf32>,
      tensor<2x8x1xf32>
}

// -----

graph.graph @adalayernorm_backward_c1(
    %dy: tensor<8x64xf32> {graph.uid = 1 : i64},
    %x: tensor<2x8x64xf32> {graph.uid = 2 : i64},
    %s: tensor<2x1x64xf32> {graph.uid = 3 : i64},
    %m: tensor<2x8x1xf32> {graph.uid = 4 : i64},
    %r: tensor<2x8x1xf32> {graph.uid = 5 : i64})
    -> (tensor<2x8x64xf32> {graph.uid = 6 : i64},
        tensor<2x1x64xf32> {graph.uid = 7 : i64},
        tensor<2x1x64xf32> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected 'DY' to have X's extents (2x8x64), got 8x64}}
  %0, %1, %2 = graph.adalayernorm_backward %dy, %x, %s, %m, %r
      : (tensor<8x64xf32>, tensor<2x8x64xf32>, tensor<2x1x64xf32>,
         tensor<2x8x1xf32>, tensor<2x8x1xf32>)
      -> tensor<2x8x64xf32>, tensor<2x1x64xf32>, tensor<2x1x64xf32>
  graph.return %0, %1, %2 : tensor<2x8x64xf32>, tensor<2x1x64xf32>,
      tensor<2x1x64xf32>
}

// -----

graph.graph @adalayernorm_backward_c2(
    %dy: tensor<2x8x64xf32> {graph.uid = 1 : i64},
    %x: tensor<2x8x64xf32> {graph.uid = 2 : i64},
    %s: tensor<64xf32> {graph.uid = 3 : i64},
    %m: tensor<2x8x1xf32> {graph.uid = 4 : i64},
    %r: tensor<2x8x1xf32> {graph.uid = 5 : i64})
    -> (tensor<2x8x64xf32> {graph.uid = 6 : i64},
        tensor<2x1x64xf32> {graph.uid = 7 : i64},
        tensor<2x1x64xf32> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected 'SCALE' to have the rank of 'X', at least 1, for its axis of samples, got 64 for 2x8x64}}
  %0, %1, %2 = graph.adalayernorm_backward %dy, %x, %s, %m, %r
      : (tensor<2x8x64xf32>, tensor<2x8x64xf32>, tensor<64xf32>,
         tensor<2x8x1xf32>, tensor<2x8x1xf32>)
      -> tensor<2x8x64xf32>, tensor<2x1x64xf32>, tensor<2x1x64xf32>
  graph.return %0, %1, %2 : tensor<2x8x64xf32>, tensor<2x1x64xf32>,
      tensor<2x1x64xf32>
}

// -----

graph.graph @adalayernorm_backward_c2_broadcast(
    %dy: tensor<2x8x64xf32> {graph.uid = 1 : i64},
    %x: tensor<2x8x64xf32> {graph.uid = 2 : i64},
    %s: tensor<2x1x63xf32> {graph.uid = 3 : i64},
    %m: tensor<2x8x1xf32> {graph.uid = 4 : i64},
    %r: tensor<2x8x1xf32> {graph.uid = 5 : i64})
    -> (tensor<2x8x64xf32> {graph.uid = 6 : i64},
        tensor<2x1x64xf32> {graph.uid = 7 : i64},
        tensor<2x1x64xf32> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected 'SCALE' (2x1x63) to broadcast to 'X' (2x8x64)}}
  %0, %1, %2 = graph.adalayernorm_backward %dy, %x, %s, %m, %r
      : (tensor<2x8x64xf32>, tensor<2x8x64xf32>, tensor<2x1x63xf32>,
         tensor<2x8x1xf32>, tensor<2x8x1xf32>)
      -> tensor<2x8x64xf32>, tensor<2x1x64xf32>, tensor<2x1x64xf32>
  graph.return %0, %1, %2 : tensor<2x8x64xf32>, tensor<2x1x64xf32>,
      tensor<2x1x64xf32>
}

// -----

graph.graph @adalayernorm_backward_c3(
    %dy: tensor<2x8x64xf32> {graph.uid = 1 : i64},
    %x: tensor<2x8x64xf32> {graph.uid = 2 : i64},
    %s: tensor<2x1x64xf32> {graph.uid = 3 : i64},
    %m: tensor<2x1x64xf32> {graph.uid = 4 : i64},
    %r: tensor<2x8x1xf32> {graph.uid = 5 : i64})
    -> (tensor<2x8x64xf32> {graph.uid = 6 : i64},
        tensor<2x1x64xf32> {graph.uid = 7 : i64},
        tensor<2x1x64xf32> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected 'MEAN' (2x1x64) to broadcast to the statistics of 'X' (2x8x1)}}
  %0, %1, %2 = graph.adalayernorm_backward %dy, %x, %s, %m, %r
      : (tensor<2x8x64xf32>, tensor<2x8x64xf32>, tensor<2x1x64xf32>,
         tensor<2x1x64xf32>, tensor<2x8x1xf32>)
      -> tensor<2x8x64xf32>, tensor<2x1x64xf32>, tensor<2x1x64xf32>
  graph.return %0, %1, %2 : tensor<2x8x64xf32>, tensor<2x1x64xf32>,
      tensor<2x1x64xf32>
}

// -----

graph.graph @adalayernorm_backward_c3_inv_variance(
    %dy: tensor<2x8x64xf32> {graph.uid = 1 : i64},
    %x: tensor<2x8x64xf32> {graph.uid = 2 : i64},
    %s: tensor<2x1x64xf32> {graph.uid = 3 : i64},
    %m: tensor<2x8x1xf32> {graph.uid = 4 : i64},
    %r: tensor<2x7x1xf32> {graph.uid = 5 : i64})
    -> (tensor<2x8x64xf32> {graph.uid = 6 : i64},
        tensor<2x1x64xf32> {graph.uid = 7 : i64},
        tensor<2x1x64xf32> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected 'INV_VARIANCE' (2x7x1) to broadcast to the statistics of 'X' (2x8x1)}}
  %0, %1, %2 = graph.adalayernorm_backward %dy, %x, %s, %m, %r
      : (tensor<2x8x64xf32>, tensor<2x8x64xf32>, tensor<2x1x64xf32>,
         tensor<2x8x1xf32>, tensor<2x7x1xf32>)
      -> tensor<2x8x64xf32>, tensor<2x1x64xf32>, tensor<2x1x64xf32>
  graph.return %0, %1, %2 : tensor<2x8x64xf32>, tensor<2x1x64xf32>,
      tensor<2x1x64xf32>
}

// -----

graph.graph @adalayernorm_backward_c4(
    %dy: tensor<2x8x64xf32> {graph.uid = 1 : i64},
    %x: tensor<2x8x64xf32> {graph.uid = 2 : i64},
    %s: tensor<2x1x64xf32> {graph.uid = 3 : i64},
    %m: tensor<2x8x1xf32> {graph.uid = 4 : i64},
    %r: tensor<2x8x1xf32> {graph.uid = 5 : i64})
    -> (tensor<2x8x64xf32> {graph.uid = 6 : i64},
        tensor<2x1x64xf32> {graph.uid = 7 : i64},
        tensor<2x1x64xf32> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected a floating-point compute type, got 'i32'}}
  %0, %1, %2 = graph.adalayernorm_backward %dy, %x, %s, %m, %r {compute_type = i32}
      : (tensor<2x8x64xf32>, tensor<2x8x64xf32>, tensor<2x1x64xf32>,
         tensor<2x8x1xf32>, tensor<2x8x1xf32>)
      -> tensor<2x8x64xf32>, tensor<2x1x64xf32>, tensor<2x1x64xf32>
  graph.return %0, %1, %2 : tensor<2x8x64xf32>, tensor<2x1x64xf32>,
      tensor<2x1x64xf32>
}
