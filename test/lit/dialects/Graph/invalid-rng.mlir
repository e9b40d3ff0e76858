// RUN: graph-opt %s --split-input-file --verify-diagnostics

// rng_c1 (no dims) cannot be written as text: test/python/test_conv.py.

graph.graph @rng_c2_none(
    )
    -> (tensor<4x8xf32> {graph.uid = 1 : i64}) {
  // expected-error @below {{expected exactly one of 'Seed' and 'seed_value', got none}}
  %y = graph.rng bernoulli {probability = 0.5 : f64}
      : () -> tensor<4x8xf32>
  graph.return %y : tensor<4x8xf32>
}

// -----

graph.graph @rng_c2_both(
    %seed: tensor<1xi64> {graph.uid = 1 : i64})
    -> (tensor<4x8xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected exactly one of 'Seed' and 'seed_value', got both}}
  %y = graph.rng bernoulli seed %seed {probability = 0.5 : f64, seed_value = 1 : i64}
      : (tensor<1xi64>) -> tensor<4x8xf32>
  graph.return %y : tensor<4x8xf32>
}

// -----

graph.graph @rng_c3_seed(
    %seed: tensor<2xi64> {graph.uid = 1 : i64})
    -> (tensor<4x8xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected 'Seed' to have one element, got 2}}
  %y = graph.rng bernoulli seed %seed {probability = 0.5 : f64}
      : (tensor<2xi64>) -> tensor<4x8xf32>
  graph.return %y : tensor<4x8xf32>
}

// -----

graph.graph @rng_c3_offset(
    %seed: tensor<1xi64> {graph.uid = 1 : i64}, %offset: tensor<1x0xi64> {graph.uid = 2 : i64})
    -> (tensor<4x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'Offset' to have one element, got 1x0}}
  %y = graph.rng bernoulli seed %seed offset %offset {probability = 0.5 : f64}
      : (tensor<1xi64>, tensor<1x0xi64>) -> tensor<4x8xf32>
  graph.return %y : tensor<4x8xf32>
}

// -----

graph.graph @rng_c4_seed(
    %seed: tensor<1xf32> {graph.uid = 1 : i64})
    -> (tensor<4x8xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected 'Seed' to be i32 or i64, got 'f32'}}
  %y = graph.rng bernoulli seed %seed {probability = 0.5 : f64}
      : (tensor<1xf32>) -> tensor<4x8xf32>
  graph.return %y : tensor<4x8xf32>
}

// -----

graph.graph @rng_c4_offset(
    %seed: tensor<1xi64> {graph.uid = 1 : i64}, %offset: tensor<1xi8> {graph.uid = 2 : i64})
    -> (tensor<4x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'Offset' to be i32 or i64, got 'i8'}}
  %y = graph.rng bernoulli seed %seed offset %offset {probability = 0.5 : f64}
      : (tensor<1xi64>, tensor<1xi8>) -> tensor<4x8xf32>
  graph.return %y : tensor<4x8xf32>
}

// -----

graph.graph @rng_c5_missing(
    %seed: tensor<1xi64> {graph.uid = 1 : i64})
    -> (tensor<4x8xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected 'probability' to be set for distribution 'bernoulli', got none}}
  %y = graph.rng bernoulli seed %seed
      : (tensor<1xi64>) -> tensor<4x8xf32>
  graph.return %y : tensor<4x8xf32>
}

// -----

graph.graph @rng_c5_high(
    %seed: tensor<1xi64> {graph.uid = 1 : i64})
    -> (tensor<4x8xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected 'probability' to be from 0 to 1, got}}
  %y = graph.rng bernoulli seed %seed {probability = 1.5 : f64}
      : (tensor<1xi64>) -> tensor<4x8xf32>
  graph.return %y : tensor<4x8xf32>
}

// -----

graph.graph @rng_c5_low(
    %seed: tensor<1xi64> {graph.uid = 1 : i64})
    -> (tensor<4x8xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected 'probability' to be from 0 to 1, got}}
  %y = graph.rng bernoulli seed %seed {probability = -0.25 : f64}
      : (tensor<1xi64>) -> tensor<4x8xf32>
  graph.return %y : tensor<4x8xf32>
}

// -----

graph.graph @rng_c5_nan(
    %seed: tensor<1xi64> {graph.uid = 1 : i64})
    -> (tensor<4x8xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected 'probability' to be from 0 to 1, got}}
  %y = graph.rng bernoulli seed %seed {probability = 0x7FF8000000000000 : f64}
      : (tensor<1xi64>) -> tensor<4x8xf32>
  graph.return %y : tensor<4x8xf32>
}

// -----

graph.graph @rng_c5_uniform(
    %seed: tensor<1xi64> {graph.uid = 1 : i64})
    -> (tensor<4x8xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected 'probability' only for distribution 'bernoulli', got it for 'uniform'}}
  %y = graph.rng uniform seed %seed {probability = 0.5 : f64}
      : (tensor<1xi64>) -> tensor<4x8xf32>
  graph.return %y : tensor<4x8xf32>
}

// -----

graph.graph @rng_c6(
    %seed: tensor<1xi64> {graph.uid = 1 : i64})
    -> (tensor<4x8xi32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected 'Y' to be floating point for distribution 'normal', got 'i32'}}
  %y = graph.rng normal seed %seed
      : (tensor<1xi64>) -> tensor<4x8xi32>
  graph.return %y : tensor<4x8xi32>
}
