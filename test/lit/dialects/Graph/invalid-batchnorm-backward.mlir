// RUN: graph-opt %s --split-input-file --verify-diagnostics

graph.graph @batchnorm_backward_c1(
    %dy: tensor<3xf32> {graph.uid = 1 : i64},
    %x: tensor<3xf32> {graph.uid = 2 : i64},
    %s: tensor<3xf32> {graph.uid = 3 : i64},
    %m: tensor<3xf32> {graph.uid = 4 : i64},
    %r: tensor<3xf32> {graph.uid = 5 : i64})
    -> (tensor<3xf32> {graph.uid = 6 : i64},
        tensor<1x3x1xf32> {graph.uid = 7 : i64},
        tensor<1x3x1xf32> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected 'X' to have rank 2 or more, [N, C, spatial...], got 3}}
  %0, %1, %2 = graph.batchnorm_backward %dy, %x, %s, %m, %r
      : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>,
         tensor<3xf32>)
      -> tensor<3xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>
  graph.return %0, %1, %2 : tensor<3xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>
}

// -----

graph.graph @batchnorm_backward_c2(
    %dy: tensor<2x3x1xf32> {graph.uid = 1 : i64},
    %x: tensor<2x3x5xf32> {graph.uid = 2 : i64},
    %s: tensor<1x3x1xf32> {graph.uid = 3 : i64},
    %m: tensor<1x3x1xf32> {graph.uid = 4 : i64},
    %r: tensor<1x3x1xf32> {graph.uid = 5 : i64})
    -> (tensor<2x3x5xf32> {graph.uid = 6 : i64},
        tensor<1x3x1xf32> {graph.uid = 7 : i64},
        tensor<1x3x1xf32> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected 'DY' to have X's extents (2x3x5), got 2x3x1}}
  %0, %1, %2 = graph.batchnorm_backward %dy, %x, %s, %m, %r
      : (tensor<2x3x1xf32>, tensor<2x3x5xf32>, tensor<1x3x1xf32>,
         tensor<1x3x1xf32>, tensor<1x3x1xf32>)
      -> tensor<2x3x5xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>
  graph.return %0, %1, %2 : tensor<2x3x5xf32>, tensor<1x3x1xf32>,
      tensor<1x3x1xf32>
}

// -----

graph.graph @batchnorm_backward_c3(
    %dy: tensor<2x3x5xf32> {graph.uid = 1 : i64},
    %x: tensor<2x3x5xf32> {graph.uid = 2 : i64},
    %s: tensor<1x3x1xf32> {graph.uid = 3 : i64},
    %m: tensor<2x3x1xf32> {graph.uid = 4 : i64},
    %r: tensor<1x3x1xf32> {graph.uid = 5 : i64})
    -> (tensor<2x3x5xf32> {graph.uid = 6 : i64},
        tensor<1x3x1xf32> {graph.uid = 7 : i64},
        tensor<1x3x1xf32> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected 'MEAN' (2x3x1) to broadcast to the channels of 'X' (1x3x1)}}
  %0, %1, %2 = graph.batchnorm_backward %dy, %x, %s, %m, %r
      : (tensor<2x3x5xf32>, tensor<2x3x5xf32>, tensor<1x3x1xf32>,
         tensor<2x3x1xf32>, tensor<1x3x1xf32>)
      -> tensor<2x3x5xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>
  graph.return %0, %1, %2 : tensor<2x3x5xf32>, tensor<1x3x1xf32>,
      tensor<1x3x1xf32>
}

// -----

graph.graph @batchnorm_backward_c4(
    %dy: tensor<2x3x5xf32> {graph.uid = 1 : i64},
    %x: tensor<2x3x5xf32> {graph.uid = 2 : i64},
    %s: tensor<1x3x1xf32> {graph.uid = 3 : i64},
    %m: tensor<1x3x1xf32> {graph.uid = 4 : i64},
    %r: tensor<1x3x1xf32> {graph.uid = 5 : i64},
    %p: tensor<3x1x3xf32> {graph.uid = 6 : i64})
    -> (tensor<2x3x5xf32> {graph.uid = 7 : i64},
        tensor<1x3x1xf32> {graph.uid = 8 : i64},
        tensor<1x3x1xf32> {graph.uid = 9 : i64}) {
  // expected-error @below {{expected 'PEER_STAT' to have three values of each channel (3x3x1), got 3x1x3}}
  %0, %1, %2 = graph.batchnorm_backward %dy, %x, %s, %m, %r peer_stats %p
      : (tensor<2x3x5xf32>, tensor<2x3x5xf32>, tensor<1x3x1xf32>,
         tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<3x1x3xf32>)
      -> tensor<2x3x5xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>
  graph.return %0, %1, %2 : tensor<2x3x5xf32>, tensor<1x3x1xf32>,
      tensor<1x3x1xf32>
}

// -----

graph.graph @batchnorm_backward_c5(
    %dy: tensor<2x3x5xf32> {graph.uid = 1 : i64},
    %x: tensor<2x3x5xf32> {graph.uid = 2 : i64},
    %s: tensor<1x3x1xf32> {graph.uid = 3 : i64},
    %m: tensor<1x3x1xf32> {graph.uid = 4 : i64},
    %r: tensor<1x3x1xf32> {graph.uid = 5 : i64},
    %p: tensor<3x3x1xi32> {graph.uid = 6 : i64})
    -> (tensor<2x3x5xf32> {graph.uid = 7 : i64},
        tensor<1x3x1xf32> {graph.uid = 8 : i64},
        tensor<1x3x1xf32> {graph.uid = 9 : i64}) {
  // expected-error @below {{expected 'PEER_STAT' to be f32 or f64, got 'i32'}}
  %0, %1, %2 = graph.batchnorm_backward %dy, %x, %s, %m, %r peer_stats %p
      : (tensor<2x3x5xf32>, tensor<2x3x5xf32>, tensor<1x3x1xf32>,
         tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<3x3x1xi32>)
      -> tensor<2x3x5xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>
  graph.return %0, %1, %2 : tensor<2x3x5xf32>, tensor<1x3x1xf32>,
      tensor<1x3x1xf32>
}

// -----

graph.graph @batchnorm_backward_c6(
    %dy: tensor<2x3x5xf32> {graph.uid = 1 : i64},
    %x: tensor<2x3x5xf32> {graph.uid = 2 : i64},
    %s: tensor<1x3x1xf32> {graph.uid = 3 : i64},
    %m: tensor<1x3x1xf32> {graph.uid = 4 : i64},
    %r: tensor<1x3x1xf32> {graph.uid = 5 : i64})
    -> (tensor<2x3x5xf32> {graph.uid = 6 : i64},
        tensor<1x3x1xf32> {graph.uid = 7 : i64},
        tensor<1x3x1xf32> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected a floating-point compute type, got 'i32'}}
  %0, %1, %2 = graph.batchnorm_backward %dy, %x, %s, %m, %r {compute_type = i32}
      : (tensor<2x3x5xf32>, tensor<2x3x5xf32>, tensor<1x3x1xf32>,
         tensor<1x3x1xf32>, tensor<1x3x1xf32>)
      -> tensor<2x3x5xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>
  graph.return %0, %1, %2 : tensor<2x3x5xf32>, tensor<1x3x1xf32>,
      tensor<1x3x1xf32>
}

// -----

graph.graph @genstats_c1(
    %x: tensor<3xf32> {graph.uid = 1 : i64})
    -> (tensor<1x3x1xf32> {graph.uid = 2 : i64},
        tensor<1x3x1xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'X' to have rank 2 or more, [N, C, spatial...], got 3}}
  %0, %1 = graph.genstats %x
      : (tensor<3xf32>)
      -> tensor<1x3x1xf32>, tensor<1x3x1xf32>
  graph.return %0, %1 : tensor<1x3x1xf32>, tensor<1x3x1xf32>
}

// -----

graph.graph @genstats_c2(
    %x: tensor<2x3x5xf32> {graph.uid = 1 : i64})
    -> (tensor<1x3x1xf32> {graph.uid = 2 : i64},
        tensor<1x3x1xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected a floating-point compute type, got 'i32'}}
  %0, %1 = graph.genstats %x {compute_type = i32}
      : (tensor<2x3x5xf32>)
      -> tensor<1x3x1xf32>, tensor<1x3x1xf32>
  graph.return %0, %1 : tensor<1x3x1xf32>, tensor<1x3x1xf32>
}

// -----

graph.graph @bn_finalize_c1(
    %sum: tensor<1x3x1xf32> {graph.uid = 1 : i64},
    %sq: tensor<1x2x1xf32> {graph.uid = 2 : i64},
    %s: tensor<1x3x1xf32> {graph.uid = 3 : i64},
    %b: tensor<1x3x1xf32> {graph.uid = 4 : i64},
    %e: tensor<1xf32> {graph.uid = 5 : i64},
    %n: tensor<1xf32> {graph.uid = 6 : i64})
    -> (tensor<1x3x1xf32> {graph.uid = 7 : i64},
        tensor<1x3x1xf32> {graph.uid = 8 : i64},
        tensor<1x3x1xf32> {graph.uid = 9 : i64},
        tensor<1x3x1xf32> {graph.uid = 10 : i64}) {
  // expected-error @below {{expected 'SQ_SUM' to have SUM's extents (1x3x1), got 1x2x1}}
  %0, %1, %2, %3 = graph.bn_finalize %sum, %sq, %s, %b, %e, %n
      : (tensor<1x3x1xf32>, tensor<1x2x1xf32>, tensor<1x3x1xf32>,
         tensor<1x3x1xf32>, tensor<1xf32>, tensor<1xf32>)
      -> tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>,
         tensor<1x3x1xf32>
  graph.return %0, %1, %2, %3 : tensor<1x3x1xf32>, tensor<1x3x1xf32>,
      tensor<1x3x1xf32>, tensor<1x3x1xf32>
}

// -----

graph.graph @bn_finalize_c2(
    %sum: tensor<1x3x1xf32> {graph.uid = 1 : i64},
    %sq: tensor<1x3x1xf32> {graph.uid = 2 : i64},
    %s: tensor<1x3x1xf32> {graph.uid = 3 : i64},
    %b: tensor<2x3x1xf32> {graph.uid = 4 : i64},
    %e: tensor<1xf32> {graph.uid = 5 : i64},
    %n: tensor<1xf32> {graph.uid = 6 : i64})
    -> (tensor<1x3x1xf32> {graph.uid = 7 : i64},
        tensor<1x3x1xf32> {graph.uid = 8 : i64},
        tensor<1x3x1xf32> {graph.uid = 9 : i64},
        tensor<1x3x1xf32> {graph.uid = 10 : i64}) {
  // expected-error @below {{expected 'BIAS' (2x3x1) to broadcast to 'SUM' (1x3x1)}}
  %0, %1, %2, %3 = graph.bn_finalize %sum, %sq, %s, %b, %e, %n
      : (tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>,
         tensor<2x3x1xf32>, tensor<1xf32>, tensor<1xf32>)
      -> tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>,
         tensor<1x3x1xf32>
  graph.return %0, %1, %2, %3 : tensor<1x3x1xf32>, tensor<1x3x1xf32>,
      tensor<1x3x1xf32>, tensor<1x3x1xf32>
}

// -----

graph.graph @bn_finalize_c3(
    %sum: tensor<1x3x1xf32> {graph.uid = 1 : i64},
    %sq: tensor<1x3x1xf32> {graph.uid = 2 : i64},
    %s: tensor<1x3x1xf32> {graph.uid = 3 : i64},
    %b: tensor<1x3x1xf32> {graph.uid = 4 : i64},
    %e: tensor<1xf32> {graph.uid = 5 : i64},
    %n: tensor<3xf32> {graph.uid = 6 : i64})
    -> (tensor<1x3x1xf32> {graph.uid = 7 : i64},
        tensor<1x3x1xf32> {graph.uid = 8 : i64},
        tensor<1x3x1xf32> {graph.uid = 9 : i64},
        tensor<1x3x1xf32> {graph.uid = 10 : i64}) {
  // expected-error @below {{expected 'ACCUM_COUNT' to have one element, got 3}}
  %0, %1, %2, %3 = graph.bn_finalize %sum, %sq, %s, %b, %e, %n
      : (tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>,
         tensor<1x3x1xf32>, tensor<1xf32>, tensor<3xf32>)
      -> tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>,
         tensor<1x3x1xf32>
  graph.return %0, %1, %2, %3 : tensor<1x3x1xf32>, tensor<1x3x1xf32>,
      tensor<1x3x1xf32>, tensor<1x3x1xf32>
}

// -----

graph.graph @bn_finalize_c4(
    %sum: tensor<1x3x1xf32> {graph.uid = 1 : i64},
    %sq: tensor<1x3x1xf32> {graph.uid = 2 : i64},
    %s: tensor<1x3x1xf32> {graph.uid = 3 : i64},
    %b: tensor<1x3x1xf32> {graph.uid = 4 : i64},
    %e: tensor<1xf32> {graph.uid = 5 : i64},
    %n: tensor<1xf32> {graph.uid = 6 : i64},
    %rm: tensor<1x3x1xf32> {graph.uid = 7 : i64},
    %rv: tensor<1x3x1xf32> {graph.uid = 8 : i64})
    -> (tensor<1x3x1xf32> {graph.uid = 9 : i64},
        tensor<1x3x1xf32> {graph.uid = 10 : i64},
        tensor<1x3x1xf32> {graph.uid = 11 : i64},
        tensor<1x3x1xf32> {graph.uid = 12 : i64}) {
  // expected-error @below {{expected all or none of the running statistics and their momentum, 'PREV_RUNNING_MEAN' is given, 'PREV_RUNNING_VAR' is given, 'MOMENTUM' is absent}}
  %0, %1, %2, %3 = graph.bn_finalize %sum, %sq, %s, %b, %e, %n prev_running_mean %rm prev_running_var %rv
      : (tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>,
         tensor<1x3x1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1x3x1xf32>,
         tensor<1x3x1xf32>)
      -> tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>,
         tensor<1x3x1xf32>
  graph.return %0, %1, %2, %3 : tensor<1x3x1xf32>, tensor<1x3x1xf32>,
      tensor<1x3x1xf32>, tensor<1x3x1xf32>
}

// -----

graph.graph @bn_finalize_c5(
    %sum: tensor<1x3x1xf32> {graph.uid = 1 : i64},
    %sq: tensor<1x3x1xf32> {graph.uid = 2 : i64},
    %s: tensor<1x3x1xf32> {graph.uid = 3 : i64},
    %b: tensor<1x3x1xf32> {graph.uid = 4 : i64},
    %e: tensor<1xf32> {graph.uid = 5 : i64},
    %n: tensor<1xf32> {graph.uid = 6 : i64})
    -> (tensor<1x3x1xf32> {graph.uid = 7 : i64},
        tensor<1x3x1xf32> {graph.uid = 8 : i64},
        tensor<1x3x1xf32> {graph.uid = 9 : i64},
        tensor<1x3x1xf32> {graph.uid = 10 : i64}) {
  // expected-error @below {{expected a floating-point compute type, got 'i32'}}
  %0, %1, %2, %3 = graph.bn_finalize %sum, %sq, %s, %b, %e, %n {compute_type = i32}
      : (tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>,
         tensor<1x3x1xf32>, tensor<1xf32>, tensor<1xf32>)
      -> tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>,
         tensor<1x3x1xf32>
  graph.return %0, %1, %2, %3 : tensor<1x3x1xf32>, tensor<1x3x1xf32>,
      tensor<1x3x1xf32>, tensor<1x3x1xf32>
}

// -----

graph.graph @bn_finalize_c6(
    %sum: tensor<1x3x1xf32> {graph.uid = 1 : i64},
    %sq: tensor<1x3x1xf32> {graph.uid = 2 : i64},
    %s: tensor<1x3x1xf32> {graph.uid = 3 : i64},
    %b: tensor<1x3x1xf32> {graph.uid = 4 : i64},
    %e: tensor<1xf32> {graph.uid = 5 : i64},
    %n: tensor<1xf32> {graph.uid = 6 : i64},
    %rm: tensor<1x3x1xf32> {graph.uid = 7 : i64},
    %rv: tensor<1x3x1xf32> {graph.uid = 8 : i64},
    %f: tensor<1xf32> {graph.uid = 9 : i64})
    -> (tensor<1x3x1xf32> {graph.uid = 10 : i64},
        tensor<1x3x1xf32> {graph.uid = 11 : i64},
        tensor<1x3x1xf32> {graph.uid = 12 : i64},
        tensor<1x3x1xf32> {graph.uid = 13 : i64},
        tensor<1x3x1xf32> {graph.uid = 14 : i64}) {
  // expected-error @below {{expected result 'NEXT_RUNNING_MEAN' to be present, got it absent}}
  %0, %1, %2, %3, %4 = graph.bn_finalize %sum, %sq, %s, %b, %e, %n prev_running_mean %rm prev_running_var %rv momentum %f
      : (tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>,
         tensor<1x3x1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1x3x1xf32>,
         tensor<1x3x1xf32>, tensor<1xf32>)
      -> tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>,
         tensor<1x3x1xf32> next_running_var tensor<1x3x1xf32>
  graph.return %0, %1, %2, %3, %4 : tensor<1x3x1xf32>, tensor<1x3x1xf32>,
      tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>
}

// -----

graph.graph @dbn_weight_c1(
    %dy: tensor<3xf32> {graph.uid = 1 : i64},
    %x: tensor<3xf32> {graph.uid = 2 : i64},
    %s: tensor<3xf32> {graph.uid = 3 : i64},
    %m: tensor<3xf32> {graph.uid = 4 : i64},
    %r: tensor<3xf32> {graph.uid = 5 : i64})
    -> (tensor<1x3x1xf32> {graph.uid = 6 : i64},
        tensor<1x3x1xf32> {graph.uid = 7 : i64},
        tensor<1x3x1xf32> {graph.uid = 8 : i64},
        tensor<1x3x1xf32> {graph.uid = 9 : i64},
        tensor<1x3x1xf32> {graph.uid = 10 : i64}) {
  // expected-error @below {{expected 'X' to have rank 2 or more, [N, C, spatial...], got 3}}
  %0, %1, %2, %3, %4 = graph.dbn_weight %dy, %x, %s, %m, %r
      : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>,
         tensor<3xf32>)
      -> tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>,
         tensor<1x3x1xf32>, tensor<1x3x1xf32>
  graph.return %0, %1, %2, %3, %4 : tensor<1x3x1xf32>, tensor<1x3x1xf32>,
      tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>
}

// -----

graph.graph @dbn_weight_c2(
    %dy: tensor<5xf32> {graph.uid = 1 : i64},
    %x: tensor<2x3x5xf32> {graph.uid = 2 : i64},
    %s: tensor<1x3x1xf32> {graph.uid = 3 : i64},
    %m: tensor<1x3x1xf32> {graph.uid = 4 : i64},
    %r: tensor<1x3x1xf32> {graph.uid = 5 : i64})
    -> (tensor<1x3x1xf32> {graph.uid = 6 : i64},
        tensor<1x3x1xf32> {graph.uid = 7 : i64},
        tensor<1x3x1xf32> {graph.uid = 8 : i64},
        tensor<1x3x1xf32> {graph.uid = 9 : i64},
        tensor<1x3x1xf32> {graph.uid = 10 : i64}) {
  // expected-error @below {{expected 'DY' to have X's extents (2x3x5), got 5}}
  %0, %1, %2, %3, %4 = graph.dbn_weight %dy, %x, %s, %m, %r
      : (tensor<5xf32>, tensor<2x3x5xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>,
         tensor<1x3x1xf32>)
      -> tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>,
         tensor<1x3x1xf32>, tensor<1x3x1xf32>
  graph.return %0, %1, %2, %3, %4 : tensor<1x3x1xf32>, tensor<1x3x1xf32>,
      tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>
}

// -----

graph.graph @dbn_weight_c3(
    %dy: tensor<2x3x5xf32> {graph.uid = 1 : i64},
    %x: tensor<2x3x5xf32> {graph.uid = 2 : i64},
    %s: tensor<2x3x1xf32> {graph.uid = 3 : i64},
    %m: tensor<1x3x1xf32> {graph.uid = 4 : i64},
    %r: tensor<1x3x1xf32> {graph.uid = 5 : i64})
    -> (tensor<1x3x1xf32> {graph.uid = 6 : i64},
        tensor<1x3x1xf32> {graph.uid = 7 : i64},
        tensor<1x3x1xf32> {graph.uid = 8 : i64},
        tensor<1x3x1xf32> {graph.uid = 9 : i64},
        tensor<1x3x1xf32> {graph.uid = 10 : i64}) {
  // expected-error @below {{expected 'SCALE' (2x3x1) to broadcast to the channels of 'X' (1x3x1)}}
  %0, %1, %2, %3, %4 = graph.dbn_weight %dy, %x, %s, %m, %r
      : (tensor<2x3x5xf32>, tensor<2x3x5xf32>, tensor<2x3x1xf32>,
         tensor<1x3x1xf32>, tensor<1x3x1xf32>)
      -> tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>,
         tensor<1x3x1xf32>, tensor<1x3x1xf32>
  graph.return %0, %1, %2, %3, %4 : tensor<1x3x1xf32>, tensor<1x3x1xf32>,
      tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>
}

// -----

graph.graph @dbn_weight_c4(
    %dy: tensor<2x3x5xf32> {graph.uid = 1 : i64},
    %x: tensor<2x3x5xf32> {graph.uid = 2 : i64},
    %s: tensor<1x3x1xf32> {graph.uid = 3 : i64},
    %m: tensor<1x3x1xf32> {graph.uid = 4 : i64},
    %r: tensor<1x3x1xf32> {graph.uid = 5 : i64})
    -> (tensor<1x3x1xf32> {graph.uid = 6 : i64},
        tensor<1x3x1xf32> {graph.uid = 7 : i64},
        tensor<1x3x1xf32> {graph.uid = 8 : i64},
        tensor<1x3x1xf32> {graph.uid = 9 : i64},
        tensor<1x3x1xf32> {graph.uid = 10 : i64}) {
  // expected-error @below {{expected a floating-point compute type, got 'i32'}}
  %0, %1, %2, %3, %4 = graph.dbn_weight %dy, %x, %s, %m, %r {compute_type = i32}
      : (tensor<2x3x5xf32>, tensor<2x3x5xf32>, tensor<1x3x1xf32>,
         tensor<1x3x1xf32>, tensor<1x3x1xf32>)
      -> tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>,
         tensor<1x3x1xf32>, tensor<1x3x1xf32>
  graph.return %0, %1, %2, %3, %4 : tensor<1x3x1xf32>, tensor<1x3x1xf32>,
      tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>
}
