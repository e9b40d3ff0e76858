// RUN: graph-opt %s --split-input-file --verify-diagnostics

graph.graph @instancenorm_c1(
    %x: tensor<3xf32> {graph.uid = 1 : i64},
    %s: tensor<3xf32> {graph.uid = 2 : i64},
    %b: tensor<3xf32> {graph.uid = 3 : i64},
    %e: tensor<1xf32> {graph.uid = 4 : i64})
    -> (tensor<3xf32> {graph.uid = 5 : i64},
        tensor<3xf32> {graph.uid = 6 : i64},
        tensor<3xf32> {graph.uid = 7 : i64}) {
  // expected-error @below {{expected 'X' to have rank 2 or more, [N, C, spatial...], got 3}}
  %0, %1, %2 = graph.instancenorm training %x scale %s bias %b epsilon %e
      : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<1xf32>)
      -> tensor<3xf32> mean tensor<3xf32> inv_variance tensor<3xf32>
  graph.return %0, %1, %2 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}

// -----

graph.graph @instancenorm_c2(
    %x: tensor<2x3x5xf32> {graph.uid = 1 : i64},
    %s: tensor<2x3x1xf32> {graph.uid = 2 : i64},
    %b: tensor<1x3x1xf32> {graph.uid = 3 : i64},
    %e: tensor<1xf32> {graph.uid = 4 : i64})
    -> (tensor<2x3x5xf32> {graph.uid = 5 : i64},
        tensor<2x3x1xf32> {graph.uid = 6 : i64},
        tensor<2x3x1xf32> {graph.uid = 7 : i64}) {
  // expected-error @below {{expected 'SCALE' (2x3x1) to broadcast to the channels of 'X' (1x3x1)}}
  %0, %1, %2 = graph.instancenorm training %x scale %s bias %b epsilon %e
      : (tensor<2x3x5xf32>, tensor<2x3x1xf32>, tensor<1x3x1xf32>, tensor<1xf32>)
      -> tensor<2x3x5xf32> mean tensor<2x3x1xf32> inv_variance tensor<2x3x1xf32>
  graph.return %0, %1, %2 : tensor<2x3x5xf32>, tensor<2x3x1xf32>,
      tensor<2x3x1xf32>
}

// -----

graph.graph @instancenorm_c2_bias(
    %x: tensor<2x3x5xf32> {graph.uid = 1 : i64},
    %s: tensor<1x3x1xf32> {graph.uid = 2 : i64},
    %b: tensor<3xf32> {graph.uid = 3 : i64},
    %e: tensor<1xf32> {graph.uid = 4 : i64})
    -> (tensor<2x3x5xf32> {graph.uid = 5 : i64},
        tensor<2x3x1xf32> {graph.uid = 6 : i64},
        tensor<2x3x1xf32> {graph.uid = 7 : i64}) {
  // expected-error @below {{expected 'BIAS' (3) to broadcast to the channels of 'X' (1x3x1)}}
  %0, %1, %2 = graph.instancenorm training %x scale %s bias %b epsilon %e
      : (tensor<2x3x5xf32>, tensor<1x3x1xf32>, tensor<3xf32>, tensor<1xf32>)
      -> tensor<2x3x5xf32> mean tensor<2x3x1xf32> inv_variance tensor<2x3x1xf32>
  graph.return %0, %1, %2 : tensor<2x3x5xf32>, tensor<2x3x1xf32>,
      tensor<2x3x1xf32>
}

// -----

graph.graph @instancenorm_c3(
    %x: tensor<2x3x5xf32> {graph.uid = 1 : i64},
    %s: tensor<1x3x1xf32> {graph.uid = 2 : i64},
    %b: tensor<1x3x1xf32> {graph.uid = 3 : i64},
    %e: tensor<1x3x1xf32> {graph.uid = 4 : i64})
    -> (tensor<2x3x5xf32> {graph.uid = 5 : i64},
        tensor<2x3x1xf32> {graph.uid = 6 : i64},
        tensor<2x3x1xf32> {graph.uid = 7 : i64}) {
  // expected-error @below {{expected 'EPSILON' to have one element, got 1x3x1}}
  %0, %1, %2 = graph.instancenorm training %x scale %s bias %b epsilon %e
      : (tensor<2x3x5xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>,
         tensor<1x3x1xf32>)
      -> tensor<2x3x5xf32> mean tensor<2x3x1xf32> inv_variance tensor<2x3x1xf32>
  graph.return %0, %1, %2 : tensor<2x3x5xf32>, tensor<2x3x1xf32>,
      tensor<2x3x1xf32>
}

// -----

graph.graph @instancenorm_c4(
    %x: tensor<2x3x5xf32> {graph.uid = 1 : i64},
    %s: tensor<1x3x1xf32> {graph.uid = 2 : i64},
    %b: tensor<1x3x1xf32> {graph.uid = 3 : i64},
    %e: tensor<1xf32> {graph.uid = 4 : i64})
    -> (tensor<2x3x5xf32> {graph.uid = 5 : i64},
        tensor<2x3x1xf32> {graph.uid = 6 : i64},
        tensor<2x3x1xf32> {graph.uid = 7 : i64}) {
  // expected-error @below {{expected a floating-point compute type, got 'i32'}}
  %0, %1, %2 = graph.instancenorm training %x scale %s bias %b epsilon %e {compute_type = i32}
      : (tensor<2x3x5xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1xf32>)
      -> tensor<2x3x5xf32> mean tensor<2x3x1xf32> inv_variance tensor<2x3x1xf32>
  graph.return %0, %1, %2 : tensor<2x3x5xf32>, tensor<2x3x1xf32>,
      tensor<2x3x1xf32>
}

// -----

graph.graph @instancenorm_c5(
    %x: tensor<2x3x5xf32> {graph.uid = 1 : i64},
    %s: tensor<1x3x1xf32> {graph.uid = 2 : i64},
    %b: tensor<1x3x1xf32> {graph.uid = 3 : i64},
    %e: tensor<1xf32> {graph.uid = 4 : i64})
    -> (tensor<2x3x5xf32> {graph.uid = 5 : i64}) {
  // expected-error @below {{expected result 'MEAN' to be present, got it absent}}
  %0 = graph.instancenorm training %x scale %s bias %b epsilon %e
      : (tensor<2x3x5xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1xf32>)
      -> tensor<2x3x5xf32>
  graph.return %0 : tensor<2x3x5xf32>
}

// -----

graph.graph @instancenorm_c5_inference(
    %x: tensor<2x3x5xf32> {graph.uid = 1 : i64},
    %s: tensor<1x3x1xf32> {graph.uid = 2 : i64},
    %b: tensor<1x3x1xf32> {graph.uid = 3 : i64},
    %e: tensor<1xf32> {graph.uid = 4 : i64})
    -> (tensor<2x3x5xf32> {graph.uid = 5 : i64},
        tensor<2x3x1xf32> {graph.uid = 6 : i64}) {
  // expected-error @below {{expected result 'INV_VARIANCE' to be absent, got it present}}
  %0, %1 = graph.instancenorm inference %x scale %s bias %b epsilon %e
      : (tensor<2x3x5xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1xf32>)
      -> tensor<2x3x5xf32> inv_variance tensor<2x3x1xf32>
  graph.return %0, %1 : tensor<2x3x5xf32>, tensor<2x3x1xf32>
}

// -----

graph.graph @instancenorm_backward_c1(
    %dy: tensor<3xf32> {graph.uid = 1 : i64},
    %x: tensor<3xf32> {graph.uid = 2 : i64},
    %s: tensor<3xf32> {graph.uid = 3 : i64},
    %m: tensor<3xf32> {graph.uid = 4 : i64},
    %r: tensor<3xf32> {graph.uid = 5 : i64})
    -> (tensor<3xf32> {graph.uid = 6 : i64},
        tensor<1x3x1xf32> {graph.uid = 7 : i64},
        tensor<1x3x1xf32> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected 'X' to have rank 2 or more, [N, C, spatial...], got 3}}
  %0, %1, %2 = graph.instancenorm_backward %dy, %x, %s, %m, %r
      : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>,
         tensor<3xf32>)
      -> tensor<3xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>
  graph.return %0, %1, %2 : tensor<3xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>
}

// -----

graph.graph @instancenorm_backward_c2(
    %dy: tensor<2x3x4xf32> {graph.uid = 1 : i64},
    %x: tensor<2x3x5xf32> {graph.uid = 2 : i64},
    %s: tensor<1x3x1xf32> {graph.uid = 3 : i64},
    %m: tensor<2x3x1xf32> {graph.uid = 4 : i64},
    %r: tensor<2x3x1xf32> {graph.uid = 5 : i64})
    -> (tensor<2x3x5xf32> {graph.uid = 6 : i64},
        tensor<1x3x1xf32> {graph.uid = 7 : i64},
        tensor<1x3x1xf32> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected 'DY' to have X's extents (2x3x5), got 2x3x4}}
  %0, %1, %2 = graph.instancenorm_backward %dy, %x, %s, %m, %r
      : (tensor<2x3x4xf32>, tensor<2x3x5xf32>, tensor<1x3x1xf32>,
         tensor<2x3x1xf32>, tensor<2x3x1xf32>)
      -> tensor<2x3x5xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>
  graph.return %0, %1, %2 : tensor<2x3x5xf32>, tensor<1x3x1xf32>,
      tensor<1x3x1xf32>
}

// -----

graph.graph @instancenorm_backward_c3(
    %dy: tensor<2x3x5xf32> {graph.uid = 1 : i64},
    %x: tensor<2x3x5xf32> {graph.uid = 2 : i64},
    %s: tensor<1x3x5xf32> {graph.uid = 3 : i64},
    %m: tensor<2x3x1xf32> {graph.uid = 4 : i64},
    %r: tensor<2x3x1xf32> {graph.uid = 5 : i64})
    -> (tensor<2x3x5xf32> {graph.uid = 6 : i64},
        tensor<1x3x1xf32> {graph.uid = 7 : i64},
        tensor<1x3x1xf32> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected 'SCALE' (1x3x5) to broadcast to the channels of 'X' (1x3x1)}}
  %0, %1, %2 = graph.instancenorm_backward %dy, %x, %s, %m, %r
      : (tensor<2x3x5xf32>, tensor<2x3x5xf32>, tensor<1x3x5xf32>,
         tensor<2x3x1xf32>, tensor<2x3x1xf32>)
      -> tensor<2x3x5xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>
  graph.return %0, %1, %2 : tensor<2x3x5xf32>, tensor<1x3x1xf32>,
      tensor<1x3x1xf32>
}

// -----

graph.graph @instancenorm_backward_c4(
    %dy: tensor<2x3x5xf32> {graph.uid = 1 : i64},
    %x: tensor<2x3x5xf32> {graph.uid = 2 : i64},
    %s: tensor<1x3x1xf32> {graph.uid = 3 : i64},
    %m: tensor<2x3x5xf32> {graph.uid = 4 : i64},
    %r: tensor<2x3x1xf32> {graph.uid = 5 : i64})
    -> (tensor<2x3x5xf32> {graph.uid = 6 : i64},
        tensor<1x3x1xf32> {graph.uid = 7 : i64},
        tensor<1x3x1xf32> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected 'MEAN' (2x3x5) to broadcast to the statistics of 'X' (2x3x1)}}
  %0, %1, %2 = graph.instancenorm_backward %dy, %x, %s, %m, %r
      : (tensor<2x3x5xf32>, tensor<2x3x5xf32>, tensor<1x3x1xf32>,
         tensor<2x3x5xf32>, tensor<2x3x1xf32>)
      -> tensor<2x3x5xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>
  graph.return %0, %1, %2 : tensor<2x3x5xf32>, tensor<1x3x1xf32>,
      tensor<1x3x1xf32>
}

// -----

graph.graph @instancenorm_backward_c4_inv_variance(
    %dy: tensor<2x3x5xf32> {graph.uid = 1 : i64},
    %x: tensor<2x3x5xf32> {graph.uid = 2 : i64},
    %s: tensor<1x3x1xf32> {graph.uid = 3 : i64},
    %m: tensor<2x3x1xf32> {graph.uid = 4 : i64},
    %r: tensor<3x3x1xf32> {graph.uid = 5 : i64})
    -> (tensor<2x3x5xf32> {graph.uid = 6 : i64},
        tensor<1x3x1xf32> {graph.uid = 7 : i64},
        tensor<1x3x1xf32> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected 'INV_VARIANCE' (3x3x1) to broadcast to the statistics of 'X' (2x3x1)}}
  %0, %1, %2 = graph.instancenorm_backward %dy, %x, %s, %m, %r
      : (tensor<2x3x5xf32>, tensor<2x3x5xf32>, tensor<1x3x1xf32>,
         tensor<2x3x1xf32>, tensor<3x3x1xf32>)
      -> tensor<2x3x5xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>
  graph.return %0, %1, %2 : tensor<2x3x5xf32>, tensor<1x3x1xf32>,
      tensor<1x3x1xf32>
}

// -----

graph.graph @instancenorm_backward_c5(
    %dy: tensor<2x3x5xf32> {graph.uid = 1 : i64},
    %x: tensor<2x3x5xf32> {graph.uid = 2 : i64},
    %s: tensor<1x3x1xf32> {graph.uid = 3 : i64},
    %m: tensor<2x3x1xf32> {graph.uid = 4 : i64},
    %r: tensor<2x3x1xf32> {graph.uid = 5 : i64})
    -> (tensor<2x3x5xf32> {graph.uid = 6 : i64},
        tensor<1x3x1xf32> {graph.uid = 7 : i64},
        tensor<1x3x1xf32> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected a floating-point compute type, got 'i32'}}
  %0, %1, %2 = graph.instancenorm_backward %dy, %x, %s, %m, %r {compute_type = i32}
      : (tensor<2x3x5xf32>, tensor<2x3x5xf32>, tensor<1x3x1xf32>,
         tensor<2x3x1xf32>, tensor<2x3x1xf32>)
      -> tensor<2x3x5xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>
  graph.return %0, %1, %2 : tensor<2x3x5xf32>, tensor<1x3x1xf32>,
      tensor<1x3x1xf32>
}
