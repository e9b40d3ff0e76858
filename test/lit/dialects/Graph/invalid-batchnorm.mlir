// RUN: graph-opt %s --split-input-file --verify-diagnostics

graph.graph @batchnorm_c1(
    %x: tensor<3xf32> {graph.uid = 1 : i64},
    %s: tensor<3xf32> {graph.uid = 2 : i64},
    %b: tensor<3xf32> {graph.uid = 3 : i64},
    %e: tensor<1xf32> {graph.uid = 4 : i64})
    -> (tensor<3xf32> {graph.uid = 5 : i64},
        tensor<3xf32> {graph.uid = 6 : i64},
        tensor<3xf32> {graph.uid = 7 : i64}) {
  // expected-error @below {{expected 'X' to have rank 2 or more, [N, C, spatial...], got 3}}
  %0, %1, %2 = graph.batchnorm %x scale %s bias %b epsilon %e
      : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<1xf32>)
      -> tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
  graph.return %0, %1, %2 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}

// -----

graph.graph @batchnorm_c2(
    %x: tensor<2x3x5xf32> {graph.uid = 1 : i64},
    %s: tensor<3xf32> {graph.uid = 2 : i64},
    %b: tensor<1x3x1xf32> {graph.uid = 3 : i64},
    %e: tensor<1xf32> {graph.uid = 4 : i64})
    -> (tensor<2x3x5xf32> {graph.uid = 5 : i64},
        tensor<1x3x1xf32> {graph.uid = 6 : i64},
        tensor<1x3x1xf32> {graph.uid = 7 : i64}) {
  // expected-error @below {{expected 'SCALE' (3) to broadcast to the channels of 'X' (1x3x1)}}
  %0, %1, %2 = graph.batchnorm %x scale %s bias %b epsilon %e
      : (tensor<2x3x5xf32>, tensor<3xf32>, tensor<1x3x1xf32>, tensor<1xf32>)
      -> tensor<2x3x5xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>
  graph.return %0, %1, %2 : tensor<2x3x5xf32>, tensor<1x3x1xf32>,
      tensor<1x3x1xf32>
}

// -----

graph.graph @batchnorm_c2_bias(
    %x: tensor<2x3x5xf32> {graph.uid = 1 : i64},
    %s: tensor<1x3x1xf32> {graph.uid = 2 : i64},
    %b: tensor<2x3x1xf32> {graph.uid = 3 : i64},
    %e: tensor<1xf32> {graph.uid = 4 : i64})
    -> (tensor<2x3x5xf32> {graph.uid = 5 : i64},
        tensor<1x3x1xf32> {graph.uid = 6 : i64},
        tensor<1x3x1xf32> {graph.uid = 7 : i64}) {
  // expected-error @below {{expected 'BIAS' (2x3x1) to broadcast to the channels of 'X' (1x3x1)}}
  %0, %1, %2 = graph.batchnorm %x scale %s bias %b epsilon %e
      : (tensor<2x3x5xf32>, tensor<1x3x1xf32>, tensor<2x3x1xf32>, tensor<1xf32>)
      -> tensor<2x3x5xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>
  graph.return %0, %1, %2 : tensor<2x3x5xf32>, tensor<1x3x1xf32>,
      tensor<1x3x1xf32>
}

// -----

graph.graph @batchnorm_c2_running(
    %x: tensor<2x3x5xf32> {graph.uid = 1 : i64},
    %s: tensor<1x3x1xf32> {graph.uid = 2 : i64},
    %b: tensor<1x3x1xf32> {graph.uid = 3 : i64},
    %rm: tensor<1x3x1xf32> {graph.uid = 4 : i64},
    %rv: tensor<1x4x1xf32> {graph.uid = 5 : i64},
    %e: tensor<1xf32> {graph.uid = 6 : i64},
    %f: tensor<1xf32> {graph.uid = 7 : i64})
    -> (tensor<2x3x5xf32> {graph.uid = 8 : i64},
        tensor<1x3x1xf32> {graph.uid = 9 : i64},
        tensor<1x3x1xf32> {graph.uid = 10 : i64},
        tensor<1x3x1xf32> {graph.uid = 11 : i64},
        tensor<1x3x1xf32> {graph.uid = 12 : i64}) {
  // expected-error @below {{expected 'PREV_RUNNING_VAR' (1x4x1) to broadcast to the channels of 'X' (1x3x1)}}
  %0, %1, %2, %3, %4 = graph.batchnorm %x scale %s bias %b running_mean %rm running_var %rv epsilon %e momentum %f
      : (tensor<2x3x5xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>,
         tensor<1x3x1xf32>, tensor<1x4x1xf32>, tensor<1xf32>, tensor<1xf32>)
      -> tensor<2x3x5xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>
         next_running_mean tensor<1x3x1xf32> next_running_var tensor<1x3x1xf32>
  graph.return %0, %1, %2, %3, %4 : tensor<2x3x5xf32>, tensor<1x3x1xf32>,
      tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>
}

// -----

graph.graph @batchnorm_c3(
    %x: tensor<2x3x5xf32> {graph.uid = 1 : i64},
    %s: tensor<1x3x1xf32> {graph.uid = 2 : i64},
    %b: tensor<1x3x1xf32> {graph.uid = 3 : i64},
    %e: tensor<1x3x1xf32> {graph.uid = 4 : i64})
    -> (tensor<2x3x5xf32> {graph.uid = 5 : i64},
        tensor<1x3x1xf32> {graph.uid = 6 : i64},
        tensor<1x3x1xf32> {graph.uid = 7 : i64}) {
  // expected-error @below {{expected 'EPSILON' to have one element, got 1x3x1}}
  %0, %1, %2 = graph.batchnorm %x scale %s bias %b epsilon %e
      : (tensor<2x3x5xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>,
         tensor<1x3x1xf32>)
      -> tensor<2x3x5xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>
  graph.return %0, %1, %2 : tensor<2x3x5xf32>, tensor<1x3x1xf32>,
      tensor<1x3x1xf32>
}

// -----

graph.graph @batchnorm_c3_momentum(
    %x: tensor<2x3x5xf32> {graph.uid = 1 : i64},
    %s: tensor<1x3x1xf32> {graph.uid = 2 : i64},
    %b: tensor<1x3x1xf32> {graph.uid = 3 : i64},
    %rm: tensor<1x3x1xf32> {graph.uid = 4 : i64},
    %rv: tensor<1x3x1xf32> {graph.uid = 5 : i64},
    %e: tensor<1xf32> {graph.uid = 6 : i64},
    %f: tensor<0xf32> {graph.uid = 7 : i64})
    -> (tensor<2x3x5xf32> {graph.uid = 8 : i64},
        tensor<1x3x1xf32> {graph.uid = 9 : i64},
        tensor<1x3x1xf32> {graph.uid = 10 : i64},
        tensor<1x3x1xf32> {graph.uid = 11 : i64},
        tensor<1x3x1xf32> {graph.uid = 12 : i64}) {
  // expected-error @below {{expected 'MOMENTUM' to have one element, got 0}}
  %0, %1, %2, %3, %4 = graph.batchnorm %x scale %s bias %b running_mean %rm running_var %rv epsilon %e momentum %f
      : (tensor<2x3x5xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>,
         tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1xf32>, tensor<0xf32>)
      -> tensor<2x3x5xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>
         next_running_mean tensor<1x3x1xf32> next_running_var tensor<1x3x1xf32>
  graph.return %0, %1, %2, %3, %4 : tensor<2x3x5xf32>, tensor<1x3x1xf32>,
      tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>
}

// -----

graph.graph @batchnorm_c4(
    %x: tensor<2x3x5xf32> {graph.uid = 1 : i64},
    %s: tensor<1x3x1xf32> {graph.uid = 2 : i64},
    %b: tensor<1x3x1xf32> {graph.uid = 3 : i64},
    %rm: tensor<1x3x1xf32> {graph.uid = 4 : i64},
    %rv: tensor<1x3x1xf32> {graph.uid = 5 : i64},
    %e: tensor<1xf32> {graph.uid = 6 : i64})
    -> (tensor<2x3x5xf32> {graph.uid = 7 : i64},
        tensor<1x3x1xf32> {graph.uid = 8 : i64},
        tensor<1x3x1xf32> {graph.uid = 9 : i64}) {
  // expected-error @below {{expected all or none of the running statistics and their momentum, 'PREV_RUNNING_MEAN' is given, 'PREV_RUNNING_VAR' is given, 'MOMENTUM' is absent}}
  %0, %1, %2 = graph.batchnorm %x scale %s bias %b running_mean %rm running_var %rv epsilon %e
      : (tensor<2x3x5xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>,
         tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1xf32>)
      -> tensor<2x3x5xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>
  graph.return %0, %1, %2 : tensor<2x3x5xf32>, tensor<1x3x1xf32>,
      tensor<1x3x1xf32>
}

// -----

graph.graph @batchnorm_c4_momentum(
    %x: tensor<2x3x5xf32> {graph.uid = 1 : i64},
    %s: tensor<1x3x1xf32> {graph.uid = 2 : i64},
    %b: tensor<1x3x1xf32> {graph.uid = 3 : i64},
    %e: tensor<1xf32> {graph.uid = 4 : i64},
    %f: tensor<1xf32> {graph.uid = 5 : i64})
    -> (tensor<2x3x5xf32> {graph.uid = 6 : i64},
        tensor<1x3x1xf32> {graph.uid = 7 : i64},
        tensor<1x3x1xf32> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected all or none of the running statistics and their momentum, 'PREV_RUNNING_MEAN' is absent, 'PREV_RUNNING_VAR' is absent, 'MOMENTUM' is given}}
  %0, %1, %2 = graph.batchnorm %x scale %s bias %b epsilon %e momentum %f
      : (tensor<2x3x5xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1xf32>,
         tensor<1xf32>)
      -> tensor<2x3x5xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>
  graph.return %0, %1, %2 : tensor<2x3x5xf32>, tensor<1x3x1xf32>,
      tensor<1x3x1xf32>
}

// -----

graph.graph @batchnorm_c5(
    %x: tensor<2x3x5xf32> {graph.uid = 1 : i64},
    %s: tensor<1x3x1xf32> {graph.uid = 2 : i64},
    %b: tensor<1x3x1xf32> {graph.uid = 3 : i64},
    %e: tensor<1xf32> {graph.uid = 4 : i64},
    %p: tensor<2x3x1xf32> {graph.uid = 5 : i64})
    -> (tensor<2x3x5xf32> {graph.uid = 6 : i64},
        tensor<1x3x1xf32> {graph.uid = 7 : i64},
        tensor<1x3x1xf32> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected 'PEER_STAT' to have three values of each channel (3x3x1), got 2x3x1}}
  %0, %1, %2 = graph.batchnorm %x scale %s bias %b epsilon %e peer_stats %p
      : (tensor<2x3x5xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1xf32>,
         tensor<2x3x1xf32>)
      -> tensor<2x3x5xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>
  graph.return %0, %1, %2 : tensor<2x3x5xf32>, tensor<1x3x1xf32>,
      tensor<1x3x1xf32>
}

// -----

graph.graph @batchnorm_c6(
    %x: tensor<2x3x5xf32> {graph.uid = 1 : i64},
    %s: tensor<1x3x1xf32> {graph.uid = 2 : i64},
    %b: tensor<1x3x1xf32> {graph.uid = 3 : i64},
    %e: tensor<1xf32> {graph.uid = 4 : i64},
    %p: tensor<3x3x1xf16> {graph.uid = 5 : i64})
    -> (tensor<2x3x5xf32> {graph.uid = 6 : i64},
        tensor<1x3x1xf32> {graph.uid = 7 : i64},
        tensor<1x3x1xf32> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected 'PEER_STAT' to be f32 or f64, got 'f16'}}
  %0, %1, %2 = graph.batchnorm %x scale %s bias %b epsilon %e peer_stats %p
      : (tensor<2x3x5xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1xf32>,
         tensor<3x3x1xf16>)
      -> tensor<2x3x5xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>
  graph.return %0, %1, %2 : tensor<2x3x5xf32>, tensor<1x3x1xf32>,
      tensor<1x3x1xf32>
}

// -----

graph.graph @batchnorm_c7(
    %x: tensor<2x3x5xf32> {graph.uid = 1 : i64},
    %s: tensor<1x3x1xf32> {graph.uid = 2 : i64},
    %b: tensor<1x3x1xf32> {graph.uid = 3 : i64},
    %e: tensor<1xf32> {graph.uid = 4 : i64})
    -> (tensor<2x3x5xf32> {graph.uid = 5 : i64},
        tensor<1x3x1xf32> {graph.uid = 6 : i64},
        tensor<1x3x1xf32> {graph.uid = 7 : i64}) {
  // expected-error @below {{expected a floating-point compute type, got 'i32'}}
  %0, %1, %2 = graph.batchnorm %x scale %s bias %b epsilon %e {compute_type = i32}
      : (tensor<2x3x5xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1xf32>)
      -> tensor<2x3x5xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>
  graph.return %0, %1, %2 : tensor<2x3x5xf32>, tensor<1x3x1xf32>,
      tensor<1x3x1xf32>
}

// -----

graph.graph @batchnorm_c8(
    %x: tensor<2x3x5xf32> {graph.uid = 1 : i64},
    %s: tensor<1x3x1xf32> {graph.uid = 2 : i64},
    %b: tensor<1x3x1xf32> {graph.uid = 3 : i64},
    %rm: tensor<1x3x1xf32> {graph.uid = 4 : i64},
    %rv: tensor<1x3x1xf32> {graph.uid = 5 : i64},
    %e: tensor<1xf32> {graph.uid = 6 : i64},
    %f: tensor<1xf32> {graph.uid = 7 : i64})
    -> (tensor<2x3x5xf32> {graph.uid = 8 : i64},
        tensor<1x3x1xf32> {graph.uid = 9 : i64},
        tensor<1x3x1xf32> {graph.uid = 10 : i64},
        tensor<1x3x1xf32> {graph.uid = 11 : i64}) {
  // expected-error @below {{expected result 'NEXT_RUNNING_VAR' to be present, got it absent}}
  %0, %1, %2, %3 = graph.batchnorm %x scale %s bias %b running_mean %rm running_var %rv epsilon %e momentum %f
      : (tensor<2x3x5xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>,
         tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1xf32>, tensor<1xf32>)
      -> tensor<2x3x5xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>
         next_running_mean tensor<1x3x1xf32>
  graph.return %0, %1, %2, %3 : tensor<2x3x5xf32>, tensor<1x3x1xf32>,
      tensor<1x3x1xf32>, tensor<1x3x1xf32>
}

// -----

graph.graph @batchnorm_c8_absent(
    %x: tensor<2x3x5xf32> {graph.uid = 1 : i64},
    %s: tensor<1x3x1xf32> {graph.uid = 2 : i64},
    %b: tensor<1x3x1xf32> {graph.uid = 3 : i64},
    %e: tensor<1xf32> {graph.uid = 4 : i64})
    -> (tensor<2x3x5xf32> {graph.uid = 5 : i64},
        tensor<1x3x1xf32> {graph.uid = 6 : i64},
        tensor<1x3x1xf32> {graph.uid = 7 : i64},
        tensor<1x3x1xf32> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected result 'NEXT_RUNNING_MEAN' to be absent, got it present}}
  %0, %1, %2, %3 = graph.batchnorm %x scale %s bias %b epsilon %e
      : (tensor<2x3x5xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1xf32>)
      -> tensor<2x3x5xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>
         next_running_mean tensor<1x3x1xf32>
  graph.return %0, %1, %2, %3 : tensor<2x3x5xf32>, tensor<1x3x1xf32>,
      tensor<1x3x1xf32>, tensor<1x3x1xf32>
}

// -----

graph.graph @batchnorm_inference_c1(
    %x: tensor<3xf32> {graph.uid = 1 : i64},
    %m: tensor<3xf32> {graph.uid = 2 : i64},
    %r: tensor<3xf32> {graph.uid = 3 : i64},
    %s: tensor<3xf32> {graph.uid = 4 : i64},
    %b: tensor<3xf32> {graph.uid = 5 : i64})
    -> (tensor<3xf32> {graph.uid = 6 : i64}) {
  // expected-error @below {{expected 'X' to have rank 2 or more, [N, C, spatial...], got 3}}
  %0 = graph.batchnorm_inference %x, %m, %r, %s, %b
      : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>,
         tensor<3xf32>)
      -> tensor<3xf32>
  graph.return %0 : tensor<3xf32>
}

// -----

graph.graph @batchnorm_inference_c2(
    %x: tensor<2x3x5xf32> {graph.uid = 1 : i64},
    %m: tensor<1x3x1xf32> {graph.uid = 2 : i64},
    %r: tensor<1x3x5xf32> {graph.uid = 3 : i64},
    %s: tensor<1x3x1xf32> {graph.uid = 4 : i64},
    %b: tensor<1x3x1xf32> {graph.uid = 5 : i64})
    -> (tensor<2x3x5xf32> {graph.uid = 6 : i64}) {
  // expected-error @below {{expected 'INV_VARIANCE' (1x3x5) to broadcast to the channels of 'X' (1x3x1)}}
  %0 = graph.batchnorm_inference %x, %m, %r, %s, %b
      : (tensor<2x3x5xf32>, tensor<1x3x1xf32>, tensor<1x3x5xf32>,
         tensor<1x3x1xf32>, tensor<1x3x1xf32>)
      -> tensor<2x3x5xf32>
  graph.return %0 : tensor<2x3x5xf32>
}

// -----

graph.graph @batchnorm_inference_c3(
    %x: tensor<2x3x5xf32> {graph.uid = 1 : i64},
    %m: tensor<1x3x1xf32> {graph.uid = 2 : i64},
    %r: tensor<1x3x1xf32> {graph.uid = 3 : i64},
    %s: tensor<1x3x1xf32> {graph.uid = 4 : i64},
    %b: tensor<1x3x1xf32> {graph.uid = 5 : i64})
    -> (tensor<2x3x5xf32> {graph.uid = 6 : i64}) {
  // expected-error @below {{expected a floating-point compute type, got 'i32'}}
  %0 = graph.batchnorm_inference %x, %m, %r, %s, %b {compute_type = i32}
      : (tensor<2x3x5xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>,
         tensor<1x3x1xf32>, tensor<1x3x1xf32>)
      -> tensor<2x3x5xf32>
  graph.return %0 : tensor<2x3x5xf32>
}
