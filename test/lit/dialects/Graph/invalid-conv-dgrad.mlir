// RUN: graph-opt %s --split-input-file --verify-diagnostics

graph.graph @conv_dgrad_c1(
    %dy: tensor<2x6xf32> {graph.uid = 1 : i64}, %w: tensor<6x4xf32> {graph.uid = 2 : i64})
    -> (tensor<2x4xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'DY' to have a batch axis, a channel axis and 1 to 3 spatial axes, got rank 2}}
  %dx = graph.conv_dgrad %dy, %w
      {pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<2x6xf32>, tensor<6x4xf32>) -> tensor<2x4xf32>
  graph.return %dx : tensor<2x4xf32>
}

// -----

graph.graph @conv_dgrad_c1_filter(
    %dy: tensor<2x6x8x8xf32> {graph.uid = 1 : i64}, %w: tensor<6x4x3xf32> {graph.uid = 2 : i64})
    -> (tensor<2x4x8x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'W' to have the rank of 'DY' (4), got 3}}
  %dx = graph.conv_dgrad %dy, %w
      {pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<2x6x8x8xf32>, tensor<6x4x3xf32>) -> tensor<2x4x8x8xf32>
  graph.return %dx : tensor<2x4x8x8xf32>
}

// -----

graph.graph @conv_dgrad_c1_result(
    %dy: tensor<2x6x8x8xf32> {graph.uid = 1 : i64}, %w: tensor<6x4x3x3xf32> {graph.uid = 2 : i64})
    -> (tensor<2x4x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'DX' to have the rank of 'DY' (4), got 3}}
  %dx = graph.conv_dgrad %dy, %w
      {pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<2x6x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<2x4x8xf32>
  graph.return %dx : tensor<2x4x8xf32>
}

// -----

graph.graph @conv_dgrad_c2(
    %dy: tensor<2x6x8x8xf32> {graph.uid = 1 : i64}, %w: tensor<6x4x3x3xf32> {graph.uid = 2 : i64})
    -> (tensor<2x4x8x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'dilation' to have 2 entries, one for each spatial axis, got 1}}
  %dx = graph.conv_dgrad %dy, %w
      {pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1>}
      : (tensor<2x6x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<2x4x8x8xf32>
  graph.return %dx : tensor<2x4x8x8xf32>
}

// -----

graph.graph @conv_dgrad_c3(
    %dy: tensor<2x6x8x8xf32> {graph.uid = 1 : i64}, %w: tensor<6x4x3x3xf32> {graph.uid = 2 : i64})
    -> (tensor<2x4x8x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected the entries of 'pre_padding' to be from 0 to 2147483647, got -3}}
  %dx = graph.conv_dgrad %dy, %w
      {pre_padding = array<i64: 1, -3>, post_padding = array<i64: 1, 1>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<2x6x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<2x4x8x8xf32>
  graph.return %dx : tensor<2x4x8x8xf32>
}

// -----

graph.graph @conv_dgrad_c4(
    %dy: tensor<2x6x8x8xf32> {graph.uid = 1 : i64}, %w: tensor<6x4x3x3xf32> {graph.uid = 2 : i64})
    -> (tensor<2x5x8x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected dim 1 of 'DX' (5) to be a multiple of dim 1 of 'W' (4)}}
  %dx = graph.conv_dgrad %dy, %w
      {pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<2x6x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<2x5x8x8xf32>
  graph.return %dx : tensor<2x5x8x8xf32>
}

// -----

graph.graph @conv_dgrad_c4_outputs(
    %dy: tensor<2x6x8x8xf32> {graph.uid = 1 : i64}, %w: tensor<6x4x3x3xf32> {graph.uid = 2 : i64})
    -> (tensor<2x16x8x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected dim 0 of 'W' (6) to be a multiple of the 4 groups}}
  %dx = graph.conv_dgrad %dy, %w
      {pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<2x6x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<2x16x8x8xf32>
  graph.return %dx : tensor<2x16x8x8xf32>
}

// -----

graph.graph @conv_dgrad_c5(
    %dy: tensor<2x6x8x8xf32> {graph.uid = 1 : i64}, %w: tensor<6x4x0x3xf32> {graph.uid = 2 : i64})
    -> (tensor<2x4x8x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected dim 2 of 'W' to be a number of at least 1, got 0}}
  %dx = graph.conv_dgrad %dy, %w
      {pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<2x6x8x8xf32>, tensor<6x4x0x3xf32>) -> tensor<2x4x8x8xf32>
  graph.return %dx : tensor<2x4x8x8xf32>
}

// -----

graph.graph @conv_dgrad_c6(
    %dy: tensor<2x6x8x8xf32> {graph.uid = 1 : i64}, %w: tensor<6x4x3x3xf32> {graph.uid = 2 : i64})
    -> (tensor<2x4x8x0xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected dim 3 of 'DX' (0) with paddings 1 and 1 to hold a window of 3 elements}}
  %dx = graph.conv_dgrad %dy, %w
      {pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<2x6x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<2x4x8x0xf32>
  graph.return %dx : tensor<2x4x8x0xf32>
}

// -----

graph.graph @conv_dgrad_c7(
    %dy: tensor<2x6x8x?xf32, #graph.layout<symbols = ["", "", "", "L"]>> {graph.uid = 1 : i64}, %w: tensor<6x4x3x3xf32> {graph.uid = 2 : i64})
    -> (tensor<2x4x8x?xf32, #graph.layout<symbols = ["", "", "", "L"]>> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected dim 3 of 'DX' (?(L)) to be a number, since this window does not keep it}}
  %dx = graph.conv_dgrad %dy, %w
      {pre_padding = array<i64: 1, 0>, post_padding = array<i64: 1, 1>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<2x6x8x?xf32, #graph.layout<symbols = ["", "", "", "L"]>>, tensor<6x4x3x3xf32>) -> tensor<2x4x8x?xf32, #graph.layout<symbols = ["", "", "", "L"]>>
  graph.return %dx : tensor<2x4x8x?xf32, #graph.layout<symbols = ["", "", "", "L"]>>
}

// -----

graph.graph @conv_dgrad_c8(
    %dy: tensor<2x6x8x8xf32> {graph.uid = 1 : i64}, %w: tensor<6x4x3x3xf32> {graph.uid = 2 : i64})
    -> (tensor<2x4x8x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected compute type to be a number that is computed in, got 'i1'}}
  %dx = graph.conv_dgrad %dy, %w
      {pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, compute_type = i1}
      : (tensor<2x6x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<2x4x8x8xf32>
  graph.return %dx : tensor<2x4x8x8xf32>
}

// -----

graph.graph @conv_dgrad_c9_spatial(
    %dy: tensor<2x6x8x8xf32> {graph.uid = 1 : i64}, %w: tensor<6x4x3x3xf32> {graph.uid = 2 : i64})
    -> (tensor<2x4x8x9xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'DY' to be 2x6x8x9, as conv_fprop of 'DX' (2x4x8x9) and 'W' (6x4x3x3) is, got 2x6x8x8}}
  %dx = graph.conv_dgrad %dy, %w
      {pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<2x6x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<2x4x8x9xf32>
  graph.return %dx : tensor<2x4x8x9xf32>
}

// -----

graph.graph @conv_dgrad_c9_batch(
    %dy: tensor<2x6x8x8xf32> {graph.uid = 1 : i64}, %w: tensor<6x4x3x3xf32> {graph.uid = 2 : i64})
    -> (tensor<1x4x8x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'DY' to be 1x6x8x8, as conv_fprop of 'DX' (1x4x8x8)}}
  %dx = graph.conv_dgrad %dy, %w
      {pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<2x6x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<1x4x8x8xf32>
  graph.return %dx : tensor<1x4x8x8xf32>
}

// -----

graph.graph @conv_dgrad_c9_channels(
    %dy: tensor<2x7x8x8xf32> {graph.uid = 1 : i64}, %w: tensor<6x4x3x3xf32> {graph.uid = 2 : i64})
    -> (tensor<2x4x8x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'DY' to be 2x6x8x8, as conv_fprop}}
  %dx = graph.conv_dgrad %dy, %w
      {pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<2x7x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<2x4x8x8xf32>
  graph.return %dx : tensor<2x4x8x8xf32>
}
