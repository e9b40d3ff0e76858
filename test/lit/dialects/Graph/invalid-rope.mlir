// RUN: graph-opt %s --split-input-file --verify-diagnostics

graph.graph @rope_c1(
    %x: tensor<3x5x8xf32> {graph.uid = 1 : i64}, %t: tensor<5x1x1x8xf32> {graph.uid = 2 : i64})
    -> (tensor<3x5x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'X' to have rank 4, got 3}}
  %y = graph.rope %x, %t
      : (tensor<3x5x8xf32>, tensor<5x1x1x8xf32>) -> tensor<3x5x8xf32>
  graph.return %y : tensor<3x5x8xf32>
}

// -----

graph.graph @rope_c1_freqs(
    %x: tensor<2x3x5x8xf32> {graph.uid = 1 : i64}, %t: tensor<5x8xf32> {graph.uid = 2 : i64})
    -> (tensor<2x3x5x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'FREQS' to have rank 4, got 2}}
  %y = graph.rope %x, %t
      : (tensor<2x3x5x8xf32>, tensor<5x8xf32>) -> tensor<2x3x5x8xf32>
  graph.return %y : tensor<2x3x5x8xf32>
}

// -----

graph.graph @rope_c2(
    %x: tensor<2x3x5x8xi8> {graph.uid = 1 : i64}, %t: tensor<5x1x1x8xf32> {graph.uid = 2 : i64})
    -> (tensor<2x3x5x8xi8> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'X' to be floating point, got 'i8'}}
  %y = graph.rope %x, %t
      : (tensor<2x3x5x8xi8>, tensor<5x1x1x8xf32>) -> tensor<2x3x5x8xi8>
  graph.return %y : tensor<2x3x5x8xi8>
}

// -----

graph.graph @rope_c2_freqs(
    %x: tensor<2x3x5x8xf32> {graph.uid = 1 : i64}, %t: tensor<5x1x1x8xi32> {graph.uid = 2 : i64})
    -> (tensor<2x3x5x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'FREQS' to be floating point, got 'i32'}}
  %y = graph.rope %x, %t
      : (tensor<2x3x5x8xf32>, tensor<5x1x1x8xi32>) -> tensor<2x3x5x8xf32>
  graph.return %y : tensor<2x3x5x8xf32>
}

// -----

graph.graph @rope_c3_odd(
    %x: tensor<2x3x5x8xf32> {graph.uid = 1 : i64}, %t: tensor<5x1x1x8xf32> {graph.uid = 2 : i64})
    -> (tensor<2x3x5x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'rope_dim' (3; 0 means all channels) to be even and at most the 8 channels of 'X'}}
  %y = graph.rope %x, %t {rope_dim = 3 : i64}
      : (tensor<2x3x5x8xf32>, tensor<5x1x1x8xf32>) -> tensor<2x3x5x8xf32>
  graph.return %y : tensor<2x3x5x8xf32>
}

// -----

graph.graph @rope_c3_large(
    %x: tensor<2x3x5x8xf32> {graph.uid = 1 : i64}, %t: tensor<5x1x1x8xf32> {graph.uid = 2 : i64})
    -> (tensor<2x3x5x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'rope_dim' (10; 0 means all channels) to be even}}
  %y = graph.rope %x, %t {rope_dim = 10 : i64}
      : (tensor<2x3x5x8xf32>, tensor<5x1x1x8xf32>) -> tensor<2x3x5x8xf32>
  graph.return %y : tensor<2x3x5x8xf32>
}

// -----

graph.graph @rope_c3_negative(
    %x: tensor<2x3x5x8xf32> {graph.uid = 1 : i64}, %t: tensor<5x1x1x8xf32> {graph.uid = 2 : i64})
    -> (tensor<2x3x5x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'rope_dim' (-2; 0 means all channels) to be even}}
  %y = graph.rope %x, %t {rope_dim = -2 : i64}
      : (tensor<2x3x5x8xf32>, tensor<5x1x1x8xf32>) -> tensor<2x3x5x8xf32>
  graph.return %y : tensor<2x3x5x8xf32>
}

// -----

graph.graph @rope_c3_all_odd(
    %x: tensor<2x3x5x7xf32> {graph.uid = 1 : i64}, %t: tensor<5x1x1x7xf32> {graph.uid = 2 : i64})
    -> (tensor<2x3x5x7xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'rope_dim' (0; 0 means all channels) to be even and at most the 7 channels}}
  %y = graph.rope %x, %t
      : (tensor<2x3x5x7xf32>, tensor<5x1x1x7xf32>) -> tensor<2x3x5x7xf32>
  graph.return %y : tensor<2x3x5x7xf32>
}

// -----

graph.graph @rope_c3_symbol(
    %x: tensor<2x3x5x?xf32, #graph.layout<symbols = ["", "", "", "D"]>> {graph.uid = 1 : i64}, %t: tensor<5x1x1x8xf32> {graph.uid = 2 : i64})
    -> (tensor<2x3x5x?xf32, #graph.layout<symbols = ["", "", "", "D"]>> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected dim 3 of 'X' to be a number, got ?(D)}}
  %y = graph.rope %x, %t
      : (tensor<2x3x5x?xf32, #graph.layout<symbols = ["", "", "", "D"]>>, tensor<5x1x1x8xf32>) -> tensor<2x3x5x?xf32, #graph.layout<symbols = ["", "", "", "D"]>>
  graph.return %y : tensor<2x3x5x?xf32, #graph.layout<symbols = ["", "", "", "D"]>>
}

// -----

graph.graph @rope_c4(
    %x: tensor<2x3x5x8xf32> {graph.uid = 1 : i64}, %t: tensor<4x1x1x8xf32> {graph.uid = 2 : i64})
    -> (tensor<2x3x5x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'FREQS' to be 5x1x1x8, got 4x1x1x8}}
  %y = graph.rope %x, %t
      : (tensor<2x3x5x8xf32>, tensor<4x1x1x8xf32>) -> tensor<2x3x5x8xf32>
  graph.return %y : tensor<2x3x5x8xf32>
}

// -----

graph.graph @rope_c4_channels(
    %x: tensor<2x3x5x8xf32> {graph.uid = 1 : i64}, %t: tensor<5x1x1x8xf32> {graph.uid = 2 : i64})
    -> (tensor<2x3x5x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'FREQS' to be 5x1x1x4, got 5x1x1x8}}
  %y = graph.rope %x, %t {rope_dim = 4 : i64}
      : (tensor<2x3x5x8xf32>, tensor<5x1x1x8xf32>) -> tensor<2x3x5x8xf32>
  graph.return %y : tensor<2x3x5x8xf32>
}

// -----

graph.graph @rope_c5(
    %x: tensor<2x3x5x8xf32> {graph.uid = 1 : i64}, %t: tensor<5x1x1x8xf32> {graph.uid = 2 : i64})
    -> (tensor<2x3x5x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected a floating-point compute type, got 'i32'}}
  %y = graph.rope %x, %t {compute_type = i32}
      : (tensor<2x3x5x8xf32>, tensor<5x1x1x8xf32>) -> tensor<2x3x5x8xf32>
  graph.return %y : tensor<2x3x5x8xf32>
}

// -----

graph.graph @rope_backward_c1(
    %x: tensor<3x5x8xf32> {graph.uid = 1 : i64}, %t: tensor<5x1x1x8xf32> {graph.uid = 2 : i64})
    -> (tensor<3x5x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'DY' to have rank 4, got 3}}
  %y = graph.rope_backward %x, %t
      : (tensor<3x5x8xf32>, tensor<5x1x1x8xf32>) -> tensor<3x5x8xf32>
  graph.return %y : tensor<3x5x8xf32>
}

// -----

graph.graph @rope_backward_c1_freqs(
    %x: tensor<2x3x5x8xf32> {graph.uid = 1 : i64}, %t: tensor<5x8xf32> {graph.uid = 2 : i64})
    -> (tensor<2x3x5x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'FREQS' to have rank 4, got 2}}
  %y = graph.rope_backward %x, %t
      : (tensor<2x3x5x8xf32>, tensor<5x8xf32>) -> tensor<2x3x5x8xf32>
  graph.return %y : tensor<2x3x5x8xf32>
}

// -----

graph.graph @rope_backward_c2(
    %x: tensor<2x3x5x8xi8> {graph.uid = 1 : i64}, %t: tensor<5x1x1x8xf32> {graph.uid = 2 : i64})
    -> (tensor<2x3x5x8xi8> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'DY' to be floating point, got 'i8'}}
  %y = graph.rope_backward %x, %t
      : (tensor<2x3x5x8xi8>, tensor<5x1x1x8xf32>) -> tensor<2x3x5x8xi8>
  graph.return %y : tensor<2x3x5x8xi8>
}

// -----

graph.graph @rope_backward_c2_freqs(
    %x: tensor<2x3x5x8xf32> {graph.uid = 1 : i64}, %t: tensor<5x1x1x8xi32> {graph.uid = 2 : i64})
    -> (tensor<2x3x5x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'FREQS' to be floating point, got 'i32'}}
  %y = graph.rope_backward %x, %t
      : (tensor<2x3x5x8xf32>, tensor<5x1x1x8xi32>) -> tensor<2x3x5x8xf32>
  graph.return %y : tensor<2x3x5x8xf32>
}

// -----

graph.graph @rope_backward_c3_odd(
    %x: tensor<2x3x5x8xf32> {graph.uid = 1 : i64}, %t: tensor<5x1x1x8xf32> {graph.uid = 2 : i64})
    -> (tensor<2x3x5x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'rope_dim' (3; 0 means all channels) to be even and at most the 8 channels of 'DY'}}
  %y = graph.rope_backward %x, %t {rope_dim = 3 : i64}
      : (tensor<2x3x5x8xf32>, tensor<5x1x1x8xf32>) -> tensor<2x3x5x8xf32>
  graph.return %y : tensor<2x3x5x8xf32>
}

// -----

graph.graph @rope_backward_c3_large(
    %x: tensor<2x3x5x8xf32> {graph.uid = 1 : i64}, %t: tensor<5x1x1x8xf32> {graph.uid = 2 : i64})
    -> (tensor<2x3x5x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'rope_dim' (10; 0 means all channels) to be even}}
  %y = graph.rope_backward %x, %t {rope_dim = 10 : i64}
      : (tensor<2x3x5x8xf32>, tensor<5x1x1x8xf32>) -> tensor<2x3x5x8xf32>
  graph.return %y : tensor<2x3x5x8xf32>
}

// -----

graph.graph @rope_backward_c3_negative(
    %x: tensor<2x3x5x8xf32> {graph.uid = 1 : i64}, %t: tensor<5x1x1x8xf32> {graph.uid = 2 : i64})
    -> (tensor<2x3x5x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'rope_dim' (-2; 0 means all channels) to be even}}
  %y = graph.rope_backward %x, %t {rope_dim = -2 : i64}
      : (tensor<2x3x5x8xf32>, tensor<5x1x1x8xf32>) -> tensor<2x3x5x8xf32>
  graph.return %y : tensor<2x3x5x8xf32>
}

// -----

graph.graph @rope_backward_c3_all_odd(
    %x: tensor<2x3x5x7xf32> {graph.uid = 1 : i64}, %t: tensor<5x1x1x7xf32> {graph.uid = 2 : i64})
    -> (tensor<2x3x5x7xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'rope_dim' (0; 0 means all channels) to be even and at most the 7 channels}}
  %y = graph.rope_backward %x, %t
      : (tensor<2x3x5x7xf32>, tensor<5x1x1x7xf32>) -> tensor<2x3x5x7xf32>
  graph.return %y : tensor<2x3x5x7xf32>
}

// -----

graph.graph @rope_backward_c3_symbol(
    %x: tensor<2x3x5x?xf32, #graph.layout<symbols = ["", "", "", "D"]>> {graph.uid = 1 : i64}, %t: tensor<5x1x1x8xf32> {graph.uid = 2 : i64})
    -> (tensor<2x3x5x?xf32, #graph.layout<symbols = ["", "", "", "D"]>> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected dim 3 of 'DY' to be a number, got ?(D)}}
  %y = graph.rope_backward %x, %t
      : (tensor<2x3x5x?xf32, #graph.layout<symbols = ["", "", "", "D"]>>, tensor<5x1x1x8xf32>) -> tensor<2x3x5x?xf32, #graph.layout<symbols = ["", "", "", "D"]>>
  graph.return %y : tensor<2x3x5x?xf32, #graph.layout<symbols = ["", "", "", "D"]>>
}

// -----

graph.graph @rope_backward_c4(
    %x: tensor<2x3x5x8xf32> {graph.uid = 1 : i64}, %t: tensor<4x1x1x8xf32> {graph.uid = 2 : i64})
    -> (tensor<2x3x5x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'FREQS' to be 5x1x1x8, got 4x1x1x8}}
  %y = graph.rope_backward %x, %t
      : (tensor<2x3x5x8xf32>, tensor<4x1x1x8xf32>) -> tensor<2x3x5x8xf32>
  graph.return %y : tensor<2x3x5x8xf32>
}

// -----

graph.graph @rope_backward_c4_channels(
    %x: tensor<2x3x5x8xf32> {graph.uid = 1 : i64}, %t: tensor<5x1x1x8xf32> {graph.uid = 2 : i64})
    -> (tensor<2x3x5x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'FREQS' to be 5x1x1x4, got 5x1x1x8}}
  %y = graph.rope_backward %x, %t {rope_dim = 4 : i64}
      : (tensor<2x3x5x8xf32>, tensor<5x1x1x8xf32>) -> tensor<2x3x5x8xf32>
  graph.return %y : tensor<2x3x5x8xf32>
}

// -----

graph.graph @rope_backward_c5(
    %x: tensor<2x3x5x8xf32> {graph.uid = 1 : i64}, %t: tensor<5x1x1x8xf32> {graph.uid = 2 : i64})
    -> (tensor<2x3x5x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected a floating-point compute type, got 'i32'}}
  %y = graph.rope_backward %x, %t {compute_type = i32}
      : (tensor<2x3x5x8xf32>, tensor<5x1x1x8xf32>) -> tensor<2x3x5x8xf32>
  graph.return %y : tensor<2x3x5x8xf32>
}
