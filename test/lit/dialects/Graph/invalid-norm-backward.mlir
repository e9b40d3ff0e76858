// RUN: graph-opt %s --split-input-file --verify-diagnostics

graph.graph @layernorm_backward_c1(
    %dy: tensor<1x64xf32> {graph.uid = 1 : i64},
    %x: tensor<16x64xf32> {graph.uid = 2 : i64},
    %s: tensor<1x64xf32> {graph.uid = 3 : i64},
    %m: tensor<16x1xf32> {graph.uid = 4 : i64},
    %r: tensor<16x1xf32> {graph.uid = 5 : i64})
    -> (tensor<16x64xf32> {graph.uid = 6 : i64},
        tensor<1x64xf32> {graph.uid = 7 : i64},
        tensor<1x64xf32> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected 'DY' to have X's extents (16x64), got 1x64}}
  %0, %1, %2 = graph.layernorm_backward %dy, %x, %m, %r scale %s
      : (tensor<1x64xf32>, tensor<16x64xf32>, tensor<1x64xf32>,
         tensor<16x1xf32>, tensor<16x1xf32>)
      -> tensor<16x64xf32> dscale tensor<1x64xf32> dbias tensor<1x64xf32>
  graph.return %0, %1, %2 : tensor<16x64xf32>, tensor<1x64xf32>,
      tensor<1x64xf32>
}

// -----

graph.graph @layernorm_backward_c2(
    %dy: tensor<16x64xf32> {graph.uid = 1 : i64},
    %x: tensor<16x64xf32> {graph.uid = 2 : i64},
    %s: tensor<1x63xf32> {graph.uid = 3 : i64},
    %m: tensor<16x1xf32> {graph.uid = 4 : i64},
    %r: tensor<16x1xf32> {graph.uid = 5 : i64})
    -> (tensor<16x64xf32> {graph.uid = 6 : i64},
        tensor<1x64xf32> {graph.uid = 7 : i64},
        tensor<1x64xf32> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected 'SCALE' (1x63) to broadcast to 'X' (16x64)}}
  %0, %1, %2 = graph.layernorm_backward %dy, %x, %m, %r scale %s
      : (tensor<16x64xf32>, tensor<16x64xf32>, tensor<1x63xf32>,
         tensor<16x1xf32>, tensor<16x1xf32>)
      -> tensor<16x64xf32> dscale tensor<1x64xf32> dbias tensor<1x64xf32>
  graph.return %0, %1, %2 : tensor<16x64xf32>, tensor<1x64xf32>,
      tensor<1x64xf32>
}

// -----

graph.graph @layernorm_backward_c3(
    %dy: tensor<16x64xf32> {graph.uid = 1 : i64},
    %x: tensor<16x64xf32> {graph.uid = 2 : i64},
    %s: tensor<1x64xf32> {graph.uid = 3 : i64},
    %m: tensor<1x64xf32> {graph.uid = 4 : i64},
    %r: tensor<16x1xf32> {graph.uid = 5 : i64})
    -> (tensor<16x64xf32> {graph.uid = 6 : i64},
        tensor<1x64xf32> {graph.uid = 7 : i64},
        tensor<1x64xf32> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected 'MEAN' (1x64) to broadcast to the statistics of 'X' (16x1)}}
  %0, %1, %2 = graph.layernorm_backward %dy, %x, %m, %r scale %s
      : (tensor<16x64xf32>, tensor<16x64xf32>, tensor<1x64xf32>,
         tensor<1x64xf32>, tensor<16x1xf32>)
      -> tensor<16x64xf32> dscale tensor<1x64xf32> dbias tensor<1x64xf32>
  graph.return %0, %1, %2 : tensor<16x64xf32>, tensor<1x64xf32>,
      tensor<1x64xf32>
}

// -----

graph.graph @layernorm_backward_c3_inv_variance(
    %dy: tensor<16x64xf32> {graph.uid = 1 : i64},
    %x: tensor<16x64xf32> {graph.uid = 2 : i64},
    %s: tensor<1x64xf32> {graph.uid = 3 : i64},
    %m: tensor<16x1xf32> {graph.uid = 4 : i64},
    %r: tensor<15x1xf32> {graph.uid = 5 : i64})
    -> (tensor<16x64xf32> {graph.uid = 6 : i64},
        tensor<1x64xf32> {graph.uid = 7 : i64},
        tensor<1x64xf32> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected 'INV_VARIANCE' (15x1) to broadcast to the statistics of 'X' (16x1)}}
  %0, %1, %2 = graph.layernorm_backward %dy, %x, %m, %r scale %s
      : (tensor<16x64xf32>, tensor<16x64xf32>, tensor<1x64xf32>,
         tensor<16x1xf32>, tensor<15x1xf32>)
      -> tensor<16x64xf32> dscale tensor<1x64xf32> dbias tensor<1x64xf32>
  graph.return %0, %1, %2 : tensor<16x64xf32>, tensor<1x64xf32>,
      tensor<1x64xf32>
}

// -----

// Without SCALE every axis but 0 is normalised.
graph.graph @layernorm_backward_c3_no_scale(
    %dy: tensor<4x5x6xf32> {graph.uid = 1 : i64},
    %x: tensor<4x5x6xf32> {graph.uid = 2 : i64},
    %m: tensor<4x5x1xf32> {graph.uid = 3 : i64},
    %r: tensor<4x1x1xf32> {graph.uid = 4 : i64})
    -> (tensor<4x5x6xf32> {graph.uid = 5 : i64}) {
  // expected-error @below {{expected 'MEAN' (4x5x1) to broadcast to the statistics of 'X' (4x1x1)}}
  %0 = graph.layernorm_backward %dy, %x, %m, %r
      : (tensor<4x5x6xf32>, tensor<4x5x6xf32>, tensor<4x5x1xf32>,
         tensor<4x1x1xf32>)
      -> tensor<4x5x6xf32>
  graph.return %0 : tensor<4x5x6xf32>
}

// -----

graph.graph @layernorm_backward_c4(
    %dy: tensor<16x64xf32> {graph.uid = 1 : i64},
    %x: tensor<16x64xf32> {graph.uid = 2 : i64},
    %s: tensor<1x64xf32> {graph.uid = 3 : i64},
    %m: tensor<16x1xf32> {graph.uid = 4 : i64},
    %r: tensor<16x1xf32> {graph.uid = 5 : i64})
    -> (tensor<16x64xf32> {graph.uid = 6 : i64},
        tensor<1x64xf32> {graph.uid = 7 : i64},
        tensor<1x64xf32> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected a floating-point compute type, got 'i32'}}
  %0, %1, %2 = graph.layernorm_backward %dy, %x, %m, %r scale %s {compute_type = i32}
      : (tensor<16x64xf32>, tensor<16x64xf32>, tensor<1x64xf32>,
         tensor<16x1xf32>, tensor<16x1xf32>)
      -> tensor<16x64xf32> dscale tensor<1x64xf32> dbias tensor<1x64xf32>
  graph.return %0, %1, %2 : tensor<16x64xf32>, tensor<1x64xf32>,
      tensor<1x64xf32>
}

// -----

graph.graph @layernorm_backward_c5(
    %dy: tensor<16x64xf32> {graph.uid = 1 : i64},
    %x: tensor<16x64xf32> {graph.uid = 2 : i64},
    %s: tensor<1x64xf32> {graph.uid = 3 : i64},
    %m: tensor<16x1xf32> {graph.uid = 4 : i64},
    %r: tensor<16x1xf32> {graph.uid = 5 : i64})
    -> (tensor<16x64xf32> {graph.uid = 6 : i64},
        tensor<1x64xf32> {graph.uid = 7 : i64}) {
  // expected-error @below {{expected result 'DBIAS' to be present, got it absent}}
  %0, %1 = graph.layernorm_backward %dy, %x, %m, %r scale %s
      : (tensor<16x64xf32>, tensor<16x64xf32>, tensor<1x64xf32>,
         tensor<16x1xf32>, tensor<16x1xf32>)
      -> tensor<16x64xf32> dscale tensor<1x64xf32>
  graph.return %0, %1 : tensor<16x64xf32>, tensor<1x64xf32>
}

// -----

graph.graph @layernorm_backward_c5_no_scale(
    %dy: tensor<16x64xf32> {graph.uid = 1 : i64},
    %x: tensor<16x64xf32> {graph.uid = 2 : i64},
    %m: tensor<16x1xf32> {graph.uid = 3 : i64},
    %r: tensor<16x1xf32> {graph.uid = 4 : i64})
    -> (tensor<16x64xf32> {graph.uid = 5 : i64},
        tensor<1x64xf32> {graph.uid = 6 : i64},
        tensor<1x64xf32> {graph.uid = 7 : i64}) {
  // expected-error @below {{expected result 'DSCALE' to be absent, got it present}}
  %0, %1, %2 = graph.layernorm_backward %dy, %x, %m, %r
      : (tensor<16x64xf32>, tensor<16x64xf32>, tensor<16x1xf32>,
         tensor<16x1xf32>)
      -> tensor<16x64xf32> dscale tensor<1x64xf32> dbias tensor<1x64xf32>
  graph.return %0, %1, %2 : tensor<16x64xf32>, tensor<1x64xf32>,
      tensor<1x64xf32>
}

// -----

graph.graph @layernorm_backward_dscale(
    %dy: tensor<16x64xf32> {graph.uid = 1 : i64},
    %x: tensor<16x64xf32> {graph.uid = 2 : i64},
    %s: tensor<1x64xf32> {graph.uid = 3 : i64},
    %m: tensor<16x1xf32> {graph.uid = 4 : i64},
    %r: tensor<16x1xf32> {graph.uid = 5 : i64})
    -> (tensor<16x64xf32> {graph.uid = 6 : i64},
        tensor<64xf32> {graph.uid = 7 : i64},
        tensor<1x64xf32> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected extents of result 'DSCALE' to be 1x64, got 64}}
  %0, %1, %2 = graph.layernorm_backward %dy, %x, %m, %r scale %s
      : (tensor<16x64xf32>, tensor<16x64xf32>, tensor<1x64xf32>,
         tensor<16x1xf32>, tensor<16x1xf32>)
      -> tensor<16x64xf32> dscale tensor<64xf32> dbias tensor<1x64xf32>
  graph.return %0, %1, %2 : tensor<16x64xf32>, tensor<64xf32>, tensor<1x64xf32>
}

// -----

graph.graph @rmsnorm_backward_c1(
    %dy: tensor<16x63xf32> {graph.uid = 1 : i64},
    %x: tensor<16x64xf32> {graph.uid = 2 : i64},
    %s: tensor<1x64xf32> {graph.uid = 3 : i64},
    %r: tensor<16x1xf32> {graph.uid = 4 : i64})
    -> (tensor<16x64xf32> {graph.uid = 5 : i64},
        tensor<1x64xf32> {graph.uid = 6 : i64}) {
  // expected-error @below {{expected 'DY' to have X's extents (16x64), got 16x63}}
  %0, %1 = graph.rmsnorm_backward %dy, %x, %r scale %s
      : (tensor<16x63xf32>, tensor<16x64xf32>, tensor<1x64xf32>,
         tensor<16x1xf32>)
      -> tensor<16x64xf32> dscale tensor<1x64xf32>
  graph.return %0, %1 : tensor<16x64xf32>, tensor<1x64xf32>
}

// -----

graph.graph @rmsnorm_backward_c2(
    %dy: tensor<16x64xf32> {graph.uid = 1 : i64},
    %x: tensor<16x64xf32> {graph.uid = 2 : i64},
    %s: tensor<1x1x64xf32> {graph.uid = 3 : i64},
    %r: tensor<16x1xf32> {graph.uid = 4 : i64})
    -> (tensor<16x64xf32> {graph.uid = 5 : i64},
        tensor<1x1x64xf32> {graph.uid = 6 : i64}) {
  // expected-error @below {{expected 'SCALE' (1x1x64) to broadcast to 'X' (16x64)}}
  %0, %1 = graph.rmsnorm_backward %dy, %x, %r scale %s
      : (tensor<16x64xf32>, tensor<16x64xf32>, tensor<1x1x64xf32>,
         tensor<16x1xf32>)
      -> tensor<16x64xf32> dscale tensor<1x1x64xf32>
  graph.return %0, %1 : tensor<16x64xf32>, tensor<1x1x64xf32>
}

// -----

graph.graph @rmsnorm_backward_c3(
    %dy: tensor<16x64xf32> {graph.uid = 1 : i64},
    %x: tensor<16x64xf32> {graph.uid = 2 : i64},
    %s: tensor<1x64xf32> {graph.uid = 3 : i64},
    %r: tensor<16x64xf32> {graph.uid = 4 : i64})
    -> (tensor<16x64xf32> {graph.uid = 5 : i64},
        tensor<1x64xf32> {graph.uid = 6 : i64}) {
  // expected-error @below {{expected 'INV_VARIANCE' (16x64) to broadcast to the statistics of 'X' (16x1)}}
  %0, %1 = graph.rmsnorm_backward %dy, %x, %r scale %s
      : (tensor<16x64xf32>, tensor<16x64xf32>, tensor<1x64xf32>,
         tensor<16x64xf32>)
      -> tensor<16x64xf32> dscale tensor<1x64xf32>
  graph.return %0, %1 : tensor<16x64xf32>, tensor<1x64xf32>
}

// -----

graph.graph @rmsnorm_backward_c4(
    %dy: tensor<16x64xf32> {graph.uid = 1 : i64},
    %x: tensor<16x64xf32> {graph.uid = 2 : i64},
    %s: tensor<1x64xf32> {graph.uid = 3 : i64},
    %r: tensor<16x1xf32> {graph.uid = 4 : i64})
    -> (tensor<16x64xf32> {graph.uid = 5 : i64},
        tensor<1x64xf32> {graph.uid = 6 : i64}) {
  // expected-error @below {{expected a floating-point compute type, got 'i32'}}
  %0, %1 = graph.rmsnorm_backward %dy, %x, %r scale %s {compute_type = i32}
      : (tensor<16x64xf32>, tensor<16x64xf32>, tensor<1x64xf32>,
         tensor<16x1xf32>)
      -> tensor<16x64xf32> dscale tensor<1x64xf32>
  graph.return %0, %1 : tensor<16x64xf32>, tensor<1x64xf32>
}

// -----

graph.graph @rmsnorm_backward_c5(
    %dy: tensor<16x64xf32> {graph.uid = 1 : i64},
    %x: tensor<16x64xf32> {graph.uid = 2 : i64},
    %s: tensor<1x64xf32> {graph.uid = 3 : i64},
    %r: tensor<16x1xf32> {graph.uid = 4 : i64})
    -> (tensor<16x64xf32> {graph.uid = 5 : i64},
        tensor<1x64xf32> {graph.uid = 6 : i64}) {
  // expected-error @below {{expected result 'Dbias' to be present, got it absent}}
  %0, %1 = graph.rmsnorm_backward %dy, %x, %r scale %s {has_dbias}
      : (tensor<16x64xf32>, tensor<16x64xf32>, tensor<1x64xf32>,
         tensor<16x1xf32>)
      -> tensor<16x64xf32> dscale tensor<1x64xf32>
  graph.return %0, %1 : tensor<16x64xf32>, tensor<1x64xf32>
}

// -----

graph.graph @rmsnorm_backward_c5_no_bias(
    %dy: tensor<16x64xf32> {graph.uid = 1 : i64},
    %x: tensor<16x64xf32> {graph.uid = 2 : i64},
    %s: tensor<1x64xf32> {graph.uid = 3 : i64},
    %r: tensor<16x1xf32> {graph.uid = 4 : i64})
    -> (tensor<16x64xf32> {graph.uid = 5 : i64},
        tensor<1x64xf32> {graph.uid = 6 : i64},
        tensor<1x64xf32> {graph.uid = 7 : i64}) {
  // expected-error @below {{expected result 'Dbias' to be absent, got it present}}
  %0, %1, %2 = graph.rmsnorm_backward %dy, %x, %r scale %s
      : (tensor<16x64xf32>, tensor<16x64xf32>, tensor<1x64xf32>,
         tensor<16x1xf32>)
      -> tensor<16x64xf32> dscale tensor<1x64xf32> dbias tensor<1x64xf32>
  graph.return %0, %1, %2 : tensor<16x64xf32>, tensor<1x64xf32>,
      tensor<1x64xf32>
}

// -----

graph.graph @rmsnorm_backward_c5_no_scale(
    %dy: tensor<16x64xf32> {graph.uid = 1 : i64},
    %x: tensor<16x64xf32> {graph.uid = 2 : i64},
    %r: tensor<16x1xf32> {graph.uid = 3 : i64})
    -> (tensor<16x64xf32> {graph.uid = 4 : i64},
        tensor<1x64xf32> {graph.uid = 5 : i64}) {
  // expected-error @below {{expected result 'Dbias' to be absent, got it present}}
  %0, %1 = graph.rmsnorm_backward %dy, %x, %r {has_dbias}
      : (tensor<16x64xf32>, tensor<16x64xf32>, tensor<16x1xf32>)
      -> tensor<16x64xf32> dbias tensor<1x64xf32>
  graph.return %0, %1 : tensor<16x64xf32>, tensor<1x64xf32>
}
