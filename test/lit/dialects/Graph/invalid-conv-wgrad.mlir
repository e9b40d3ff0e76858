// RUN: graph-opt %s --split-input-file --verify-diagnostics

// conv_wgrad_c10 (no dims) cannot be written as text: test/python/test_conv.py.

graph.graph @conv_wgrad_c1(
    %x: tensor<2x6xf32> {graph.uid = 1 : i64}, %dy: tensor<6x4xf32> {graph.uid = 2 : i64})
    -> (tensor<2x4xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'X' to have a batch axis, a channel axis and 1 to 3 spatial axes, got rank 2}}
  %dw = graph.conv_wgrad %x, %dy
      {pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<2x6xf32>, tensor<6x4xf32>) -> tensor<2x4xf32>
  graph.return %dw : tensor<2x4xf32>
}

// -----

graph.graph @conv_wgrad_c1_gradient(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64}, %dy: tensor<2x6x8xf32> {graph.uid = 2 : i64})
    -> (tensor<6x4x3x3xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'DY' to have the rank of 'X' (4), got 3}}
  %dw = graph.conv_wgrad %x, %dy
      {pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<2x4x8x8xf32>, tensor<2x6x8xf32>) -> tensor<6x4x3x3xf32>
  graph.return %dw : tensor<6x4x3x3xf32>
}

// -----

graph.graph @conv_wgrad_c1_result(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64}, %dy: tensor<2x6x8x8xf32> {graph.uid = 2 : i64})
    -> (tensor<6x4x3xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'DW' to have the rank of 'X' (4), got 3}}
  %dw = graph.conv_wgrad %x, %dy
      {pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<2x4x8x8xf32>, tensor<2x6x8x8xf32>) -> tensor<6x4x3xf32>
  graph.return %dw : tensor<6x4x3xf32>
}

// -----

graph.graph @conv_wgrad_c2(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64}, %dy: tensor<2x6x8x8xf32> {graph.uid = 2 : i64})
    -> (tensor<6x4x3x3xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'stride' to be set, got no entries}}
  %dw = graph.conv_wgrad %x, %dy
      {pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>,
       stride = array<i64>, dilation = array<i64: 1, 1>}
      : (tensor<2x4x8x8xf32>, tensor<2x6x8x8xf32>) -> tensor<6x4x3x3xf32>
  graph.return %dw : tensor<6x4x3x3xf32>
}

// -----

graph.graph @conv_wgrad_c3(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64}, %dy: tensor<2x6x8x8xf32> {graph.uid = 2 : i64})
    -> (tensor<6x4x3x3xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected the entries of 'dilation' to be from 1 to 2147483647, got 0}}
  %dw = graph.conv_wgrad %x, %dy
      {pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>,
       stride = array<i64: 1, 1>, dilation = array<i64: 0, 1>}
      : (tensor<2x4x8x8xf32>, tensor<2x6x8x8xf32>) -> tensor<6x4x3x3xf32>
  graph.return %dw : tensor<6x4x3x3xf32>
}

// -----

graph.graph @conv_wgrad_c4(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64}, %dy: tensor<2x6x8x8xf32> {graph.uid = 2 : i64})
    -> (tensor<6x3x3x3xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected dim 1 of 'X' (4) to be a multiple of dim 1 of 'DW' (3)}}
  %dw = graph.conv_wgrad %x, %dy
      {pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<2x4x8x8xf32>, tensor<2x6x8x8xf32>) -> tensor<6x3x3x3xf32>
  graph.return %dw : tensor<6x3x3x3xf32>
}

// -----

graph.graph @conv_wgrad_c4_outputs(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64}, %dy: tensor<2x6x8x8xf32> {graph.uid = 2 : i64})
    -> (tensor<6x1x3x3xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected dim 0 of 'DW' (6) to be a multiple of the 4 groups}}
  %dw = graph.conv_wgrad %x, %dy
      {pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<2x4x8x8xf32>, tensor<2x6x8x8xf32>) -> tensor<6x1x3x3xf32>
  graph.return %dw : tensor<6x1x3x3xf32>
}

// -----

graph.graph @conv_wgrad_c5(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64}, %dy: tensor<2x6x8x8xf32> {graph.uid = 2 : i64})
    -> (tensor<6x4x3x?xf32, #graph.layout<symbols = ["", "", "", "S"]>> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected dim 3 of 'DW' to be a number of at least 1, got ?(S)}}
  %dw = graph.conv_wgrad %x, %dy
      {pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<2x4x8x8xf32>, tensor<2x6x8x8xf32>) -> tensor<6x4x3x?xf32, #graph.layout<symbols = ["", "", "", "S"]>>
  graph.return %dw : tensor<6x4x3x?xf32, #graph.layout<symbols = ["", "", "", "S"]>>
}

// -----

graph.graph @conv_wgrad_c6(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64}, %dy: tensor<2x6x8x8xf32> {graph.uid = 2 : i64})
    -> (tensor<6x4x11x3xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected dim 2 of 'X' (8) with paddings 1 and 1 to hold a window of 11 elements}}
  %dw = graph.conv_wgrad %x, %dy
      {pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<2x4x8x8xf32>, tensor<2x6x8x8xf32>) -> tensor<6x4x11x3xf32>
  graph.return %dw : tensor<6x4x11x3xf32>
}

// -----

graph.graph @conv_wgrad_c7(
    %x: tensor<2x4x8x?xf32, #graph.layout<symbols = ["", "", "", "L"]>> {graph.uid = 1 : i64}, %dy: tensor<2x6x8x?xf32, #graph.layout<symbols = ["", "", "", "L"]>> {graph.uid = 2 : i64})
    -> (tensor<6x4x3x3xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected dim 3 of 'X' (?(L)) to be a number, since this window does not keep it}}
  %dw = graph.conv_wgrad %x, %dy
      {pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 2>}
      : (tensor<2x4x8x?xf32, #graph.layout<symbols = ["", "", "", "L"]>>, tensor<2x6x8x?xf32, #graph.layout<symbols = ["", "", "", "L"]>>) -> tensor<6x4x3x3xf32>
  graph.return %dw : tensor<6x4x3x3xf32>
}

// -----

graph.graph @conv_wgrad_c8(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64}, %dy: tensor<2x6x8x8xf32> {graph.uid = 2 : i64})
    -> (tensor<6x4x3x3xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected compute type to be a number that is computed in, got 'i1'}}
  %dw = graph.conv_wgrad %x, %dy
      {pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, compute_type = i1}
      : (tensor<2x4x8x8xf32>, tensor<2x6x8x8xf32>) -> tensor<6x4x3x3xf32>
  graph.return %dw : tensor<6x4x3x3xf32>
}

// -----

graph.graph @conv_wgrad_c9(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64}, %dy: tensor<2x6x8x8xf32> {graph.uid = 2 : i64})
    -> (tensor<6x4x5x3xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'DY' to be 2x6x6x8, as conv_fprop of 'X' (2x4x8x8) and 'DW' (6x4x5x3) is, got 2x6x8x8}}
  %dw = graph.conv_wgrad %x, %dy
      {pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<2x4x8x8xf32>, tensor<2x6x8x8xf32>) -> tensor<6x4x5x3xf32>
  graph.return %dw : tensor<6x4x5x3xf32>
}

// -----

graph.graph @conv_wgrad_c9_batch(
    %x: tensor<1x4x8x8xf32> {graph.uid = 1 : i64}, %dy: tensor<2x6x8x8xf32> {graph.uid = 2 : i64})
    -> (tensor<6x4x3x3xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'DY' to be 1x6x8x8, as conv_fprop}}
  %dw = graph.conv_wgrad %x, %dy
      {pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<1x4x8x8xf32>, tensor<2x6x8x8xf32>) -> tensor<6x4x3x3xf32>
  graph.return %dw : tensor<6x4x3x3xf32>
}
