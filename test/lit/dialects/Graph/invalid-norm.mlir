// RUN: graph-opt %s --split-input-file --verify-diagnostics

graph.graph @layernorm_c1(
    %x: tensor<16x64xf32> {graph.uid = 1 : i64},
    %s: tensor<1x63xf32> {graph.uid = 2 : i64},
    %e: tensor<1x1xf32> {graph.uid = 3 : i64})
    -> (tensor<16x64xf32> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected 'SCALE' (1x63) to broadcast to 'X' (16x64)}}
  %0 = graph.layernorm inference %x scale %s epsilon %e
      : (tensor<16x64xf32>, tensor<1x63xf32>, tensor<1x1xf32>)
      -> tensor<16x64xf32>
  graph.return %0 : tensor<16x64xf32>
}

// -----

graph.graph @layernorm_c1_bias(
    %x: tensor<16x64xf32> {graph.uid = 1 : i64},
    %s: tensor<1x64xf32> {graph.uid = 2 : i64},
    %b: tensor<2x64xf32> {graph.uid = 3 : i64},
    %e: tensor<1x1xf32> {graph.uid = 4 : i64})
    -> (tensor<16x64xf32> {graph.uid = 5 : i64}) {
  // expected-error @below {{expected 'BIAS' (2x64) to broadcast to 'X' (16x64)}}
  %0 = graph.layernorm inference %x scale %s bias %b epsilon %e
      : (tensor<16x64xf32>, tensor<1x64xf32>, tensor<2x64xf32>, tensor<1x1xf32>)
      -> tensor<16x64xf32>
  graph.return %0 : tensor<16x64xf32>
}

// -----

graph.graph @layernorm_c2(
    %x: tensor<16x64xf32> {graph.uid = 1 : i64},
    %s: tensor<1x64xf32> {graph.uid = 2 : i64},
    %e: tensor<2xf32> {graph.uid = 3 : i64})
    -> (tensor<16x64xf32> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected 'EPSILON' to have one element, got 2}}
  %0 = graph.layernorm inference %x scale %s epsilon %e
      : (tensor<16x64xf32>, tensor<1x64xf32>, tensor<2xf32>)
      -> tensor<16x64xf32>
  graph.return %0 : tensor<16x64xf32>
}

// -----

graph.graph @layernorm_c3(
    %x: tensor<16x64xf32> {graph.uid = 1 : i64},
    %s: tensor<1x64xf32> {graph.uid = 2 : i64},
    %e: tensor<1x1xf32> {graph.uid = 3 : i64})
    -> (tensor<16x64xf32> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected a floating-point compute type, got 'i32'}}
  %0 = graph.layernorm inference %x scale %s epsilon %e {compute_type = i32}
      : (tensor<16x64xf32>, tensor<1x64xf32>, tensor<1x1xf32>)
      -> tensor<16x64xf32>
  graph.return %0 : tensor<16x64xf32>
}

// -----

graph.graph @layernorm_c4(
    %x: tensor<16x64xf32> {graph.uid = 1 : i64},
    %s: tensor<1x64xf32> {graph.uid = 2 : i64},
    %e: tensor<1x1xf32> {graph.uid = 3 : i64})
    -> (tensor<16x64xf32> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected result 'MEAN' to be present, got it absent}}
  %0 = graph.layernorm training %x scale %s epsilon %e
      : (tensor<16x64xf32>, tensor<1x64xf32>, tensor<1x1xf32>)
      -> tensor<16x64xf32>
  graph.return %0 : tensor<16x64xf32>
}

// -----

graph.graph @layernorm_c4_inference(
    %x: tensor<16x64xf32> {graph.uid = 1 : i64},
    %s: tensor<1x64xf32> {graph.uid = 2 : i64},
    %e: tensor<1x1xf32> {graph.uid = 3 : i64})
    -> (tensor<16x64xf32> {graph.uid = 4 : i64},
        tensor<16x1xf32> {graph.uid = 5 : i64}) {
  // expected-error @below {{expected result 'INV_VARIANCE' to be absent, got it present}}
  %0, %1 = graph.layernorm inference %x scale %s epsilon %e
      : (tensor<16x64xf32>, tensor<1x64xf32>, tensor<1x1xf32>)
      -> tensor<16x64xf32> inv_variance tensor<16x1xf32>
  graph.return %0, %1 : tensor<16x64xf32>, tensor<16x1xf32>
}

// -----

graph.graph @rmsnorm_c1(
    %x: tensor<16x64xf32> {graph.uid = 1 : i64},
    %s: tensor<1x63xf32> {graph.uid = 2 : i64},
    %e: tensor<1x1xf32> {graph.uid = 3 : i64})
    -> (tensor<16x64xf32> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected 'SCALE' (1x63) to broadcast to 'X' (16x64)}}
  %0 = graph.rmsnorm inference %x scale %s epsilon %e
      : (tensor<16x64xf32>, tensor<1x63xf32>, tensor<1x1xf32>)
      -> tensor<16x64xf32>
  graph.return %0 : tensor<16x64xf32>
}

// -----

graph.graph @rmsnorm_c1_bias(
    %x: tensor<16x64xf32> {graph.uid = 1 : i64},
    %s: tensor<1x64xf32> {graph.uid = 2 : i64},
    %b: tensor<2x64xf32> {graph.uid = 3 : i64},
    %e: tensor<1x1xf32> {graph.uid = 4 : i64})
    -> (tensor<16x64xf32> {graph.uid = 5 : i64}) {
  // expected-error @below {{expected 'BIAS' (2x64) to broadcast to 'X' (16x64)}}
  %0 = graph.rmsnorm inference %x scale %s bias %b epsilon %e
      : (tensor<16x64xf32>, tensor<1x64xf32>, tensor<2x64xf32>, tensor<1x1xf32>)
      -> tensor<16x64xf32>
  graph.return %0 : tensor<16x64xf32>
}

// -----

graph.graph @rmsnorm_c2(
    %x: tensor<16x64xf32> {graph.uid = 1 : i64},
    %s: tensor<1x64xf32> {graph.uid = 2 : i64},
    %e: tensor<2xf32> {graph.uid = 3 : i64})
    -> (tensor<16x64xf32> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected 'EPSILON' to have one element, got 2}}
  %0 = graph.rmsnorm inference %x scale %s epsilon %e
      : (tensor<16x64xf32>, tensor<1x64xf32>, tensor<2xf32>)
      -> tensor<16x64xf32>
  graph.return %0 : tensor<16x64xf32>
}

// -----

graph.graph @rmsnorm_c3(
    %x: tensor<16x64xf32> {graph.uid = 1 : i64},
    %s: tensor<1x64xf32> {graph.uid = 2 : i64},
    %e: tensor<1x1xf32> {graph.uid = 3 : i64})
    -> (tensor<16x64xf32> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected a floating-point compute type, got 'i32'}}
  %0 = graph.rmsnorm inference %x scale %s epsilon %e {compute_type = i32}
      : (tensor<16x64xf32>, tensor<1x64xf32>, tensor<1x1xf32>)
      -> tensor<16x64xf32>
  graph.return %0 : tensor<16x64xf32>
}

// -----

graph.graph @rmsnorm_c4(
    %x: tensor<16x64xf32> {graph.uid = 1 : i64},
    %s: tensor<1x64xf32> {graph.uid = 2 : i64},
    %e: tensor<1x1xf32> {graph.uid = 3 : i64})
    -> (tensor<16x64xf32> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected result 'INV_VARIANCE' to be present, got it absent}}
  %0 = graph.rmsnorm training %x scale %s epsilon %e
      : (tensor<16x64xf32>, tensor<1x64xf32>, tensor<1x1xf32>)
      -> tensor<16x64xf32>
  graph.return %0 : tensor<16x64xf32>
}

// -----

graph.graph @rmsnorm_statistics(
    %x: tensor<16x64xf32> {graph.uid = 1 : i64},
    %s: tensor<1x64xf32> {graph.uid = 2 : i64},
    %e: tensor<1x1xf32> {graph.uid = 3 : i64})
    -> (tensor<16x64xf32> {graph.uid = 4 : i64},
        tensor<1x64xf32> {graph.uid = 5 : i64}) {
  // expected-error @below {{expected extents of result 'INV_VARIANCE' to be 16x1, got 1x64}}
  %0, %1 = graph.rmsnorm training %x scale %s epsilon %e
      : (tensor<16x64xf32>, tensor<1x64xf32>, tensor<1x1xf32>)
      -> tensor<16x64xf32> inv_variance tensor<1x64xf32>
  graph.return %0, %1 : tensor<16x64xf32>, tensor<1x64xf32>
}
