// RUN: graph-opt %s --split-input-file --verify-diagnostics

graph.graph @conv_fprop_c1_rank(
    %x: tensor<4x8xf32> {graph.uid = 1 : i64}, %w: tensor<6x4xf32> {graph.uid = 2 : i64})
    -> (tensor<4x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'X' to have a batch axis, a channel axis and 1 to 3 spatial axes, got rank 2}}
  %y = graph.conv_fprop %x, %w
      {pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<4x8xf32>, tensor<6x4xf32>) -> tensor<4x8xf32>
  graph.return %y : tensor<4x8xf32>
}

// -----

graph.graph @conv_fprop_c1_rank_6(
    %x: tensor<1x1x1x1x1x1xf32> {graph.uid = 1 : i64}, %w: tensor<1x1x1x1x1x1xf32> {graph.uid = 2 : i64})
    -> (tensor<1x1x1x1x1x1xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{1 to 3 spatial axes, got rank 6}}
  %y = graph.conv_fprop %x, %w
      {pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<1x1x1x1x1x1xf32>, tensor<1x1x1x1x1x1xf32>) -> tensor<1x1x1x1x1x1xf32>
  graph.return %y : tensor<1x1x1x1x1x1xf32>
}

// -----

graph.graph @conv_fprop_c1_same_rank(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64}, %w: tensor<6x4x3xf32> {graph.uid = 2 : i64})
    -> (tensor<2x6x8x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'W' to have the rank of 'X' (4), got 3}}
  %y = graph.conv_fprop %x, %w
      {pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<2x4x8x8xf32>, tensor<6x4x3xf32>) -> tensor<2x6x8x8xf32>
  graph.return %y : tensor<2x6x8x8xf32>
}

// -----

graph.graph @conv_fprop_c2_pre_padding(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64}, %w: tensor<6x4x3x3xf32> {graph.uid = 2 : i64})
    -> (tensor<2x6x8x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'pre_padding' to be set, got no entries}}
  %y = graph.conv_fprop %x, %w
      {pre_padding = array<i64>, post_padding = array<i64: 1, 1>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<2x4x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<2x6x8x8xf32>
  graph.return %y : tensor<2x6x8x8xf32>
}

// -----

graph.graph @conv_fprop_c2_post_padding(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64}, %w: tensor<6x4x3x3xf32> {graph.uid = 2 : i64})
    -> (tensor<2x6x8x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'post_padding' to be set, got no entries}}
  %y = graph.conv_fprop %x, %w
      {pre_padding = array<i64: 1, 1>, post_padding = array<i64>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<2x4x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<2x6x8x8xf32>
  graph.return %y : tensor<2x6x8x8xf32>
}

// -----

graph.graph @conv_fprop_c2_stride(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64}, %w: tensor<6x4x3x3xf32> {graph.uid = 2 : i64})
    -> (tensor<2x6x8x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'stride' to be set, got no entries}}
  %y = graph.conv_fprop %x, %w
      {pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>,
       stride = array<i64>, dilation = array<i64: 1, 1>}
      : (tensor<2x4x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<2x6x8x8xf32>
  graph.return %y : tensor<2x6x8x8xf32>
}

// -----

graph.graph @conv_fprop_c2_dilation(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64}, %w: tensor<6x4x3x3xf32> {graph.uid = 2 : i64})
    -> (tensor<2x6x8x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'dilation' to be set, got no entries}}
  %y = graph.conv_fprop %x, %w
      {pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>,
       stride = array<i64: 1, 1>, dilation = array<i64>}
      : (tensor<2x4x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<2x6x8x8xf32>
  graph.return %y : tensor<2x6x8x8xf32>
}

// -----

graph.graph @conv_fprop_c2_count(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64}, %w: tensor<6x4x3x3xf32> {graph.uid = 2 : i64})
    -> (tensor<2x6x8x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'stride' to have 2 entries, one for each spatial axis, got 3}}
  %y = graph.conv_fprop %x, %w
      {pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>,
       stride = array<i64: 1, 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<2x4x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<2x6x8x8xf32>
  graph.return %y : tensor<2x6x8x8xf32>
}

// -----

graph.graph @conv_fprop_c3_padding(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64}, %w: tensor<6x4x3x3xf32> {graph.uid = 2 : i64})
    -> (tensor<2x6x8x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected the entries of 'post_padding' to be from 0 to 2147483647, got -1}}
  %y = graph.conv_fprop %x, %w
      {pre_padding = array<i64: 1, 1>, post_padding = array<i64: -1, 1>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<2x4x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<2x6x8x8xf32>
  graph.return %y : tensor<2x6x8x8xf32>
}

// -----

graph.graph @conv_fprop_c3_stride(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64}, %w: tensor<6x4x3x3xf32> {graph.uid = 2 : i64})
    -> (tensor<2x6x8x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected the entries of 'stride' to be from 1 to 2147483647, got 0}}
  %y = graph.conv_fprop %x, %w
      {pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>,
       stride = array<i64: 1, 0>, dilation = array<i64: 1, 1>}
      : (tensor<2x4x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<2x6x8x8xf32>
  graph.return %y : tensor<2x6x8x8xf32>
}

// -----

graph.graph @conv_fprop_c3_dilation(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64}, %w: tensor<6x4x3x3xf32> {graph.uid = 2 : i64})
    -> (tensor<2x6x8x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected the entries of 'dilation' to be from 1 to 2147483647, got 2147483648}}
  %y = graph.conv_fprop %x, %w
      {pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>,
       stride = array<i64: 1, 1>, dilation = array<i64: 2147483648, 1>}
      : (tensor<2x4x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<2x6x8x8xf32>
  graph.return %y : tensor<2x6x8x8xf32>
}

// -----

graph.graph @conv_fprop_c4_channels(
    %x: tensor<2x6x8x8xf32> {graph.uid = 1 : i64}, %w: tensor<6x4x3x3xf32> {graph.uid = 2 : i64})
    -> (tensor<2x6x8x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected dim 1 of 'X' (6) to be a multiple of dim 1 of 'W' (4)}}
  %y = graph.conv_fprop %x, %w
      {pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<2x6x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<2x6x8x8xf32>
  graph.return %y : tensor<2x6x8x8xf32>
}

// -----

graph.graph @conv_fprop_c4_no_channels(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64}, %w: tensor<6x0x3x3xf32> {graph.uid = 2 : i64})
    -> (tensor<2x6x8x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected dim 1 of 'X' (4) to be a multiple of dim 1 of 'W' (0)}}
  %y = graph.conv_fprop %x, %w
      {pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<2x4x8x8xf32>, tensor<6x0x3x3xf32>) -> tensor<2x6x8x8xf32>
  graph.return %y : tensor<2x6x8x8xf32>
}

// -----

graph.graph @conv_fprop_c4_no_image_channels(
    %x: tensor<2x0x8x8xf32> {graph.uid = 1 : i64}, %w: tensor<6x4x3x3xf32> {graph.uid = 2 : i64})
    -> (tensor<2x6x8x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected dim 1 of 'X' (0) to be a multiple of dim 1 of 'W' (4)}}
  %y = graph.conv_fprop %x, %w
      {pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<2x0x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<2x6x8x8xf32>
  graph.return %y : tensor<2x6x8x8xf32>
}

// -----

graph.graph @conv_fprop_c4_outputs(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64}, %w: tensor<6x1x3x3xf32> {graph.uid = 2 : i64})
    -> (tensor<2x6x8x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected dim 0 of 'W' (6) to be a multiple of the 4 groups}}
  %y = graph.conv_fprop %x, %w
      {pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<2x4x8x8xf32>, tensor<6x1x3x3xf32>) -> tensor<2x6x8x8xf32>
  graph.return %y : tensor<2x6x8x8xf32>
}

// -----

graph.graph @conv_fprop_c4_symbol(
    %x: tensor<2x?x8x8xf32, #graph.layout<symbols = ["", "C", "", ""]>> {graph.uid = 1 : i64}, %w: tensor<6x4x3x3xf32> {graph.uid = 2 : i64})
    -> (tensor<2x6x8x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected dim 1 of 'X' (?(C)) to be a multiple of dim 1 of 'W' (4)}}
  %y = graph.conv_fprop %x, %w
      {pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<2x?x8x8xf32, #graph.layout<symbols = ["", "C", "", ""]>>, tensor<6x4x3x3xf32>) -> tensor<2x6x8x8xf32>
  graph.return %y : tensor<2x6x8x8xf32>
}

// -----

graph.graph @conv_fprop_c5(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64}, %w: tensor<6x4x3x0xf32> {graph.uid = 2 : i64})
    -> (tensor<2x6x8x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected dim 3 of 'W' to be a number of at least 1, got 0}}
  %y = graph.conv_fprop %x, %w
      {pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<2x4x8x8xf32>, tensor<6x4x3x0xf32>) -> tensor<2x6x8x8xf32>
  graph.return %y : tensor<2x6x8x8xf32>
}

// -----

graph.graph @conv_fprop_c5_symbol(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64}, %w: tensor<6x4x?x3xf32, #graph.layout<symbols = ["", "", "R", ""]>> {graph.uid = 2 : i64})
    -> (tensor<2x6x8x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected dim 2 of 'W' to be a number of at least 1, got ?(R)}}
  %y = graph.conv_fprop %x, %w
      {pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<2x4x8x8xf32>, tensor<6x4x?x3xf32, #graph.layout<symbols = ["", "", "R", ""]>>) -> tensor<2x6x8x8xf32>
  graph.return %y : tensor<2x6x8x8xf32>
}

// -----

graph.graph @conv_fprop_c6(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64}, %w: tensor<6x4x3x11xf32> {graph.uid = 2 : i64})
    -> (tensor<2x6x8x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected dim 3 of 'X' (8) with paddings 1 and 1 to hold a window of 11 elements and to be below 2^60}}
  %y = graph.conv_fprop %x, %w
      {pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<2x4x8x8xf32>, tensor<6x4x3x11xf32>) -> tensor<2x6x8x8xf32>
  graph.return %y : tensor<2x6x8x8xf32>
}

// -----

graph.graph @conv_fprop_c6_dilation(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64}, %w: tensor<6x4x3x3xf32> {graph.uid = 2 : i64})
    -> (tensor<2x6x8x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{to hold a window of 4294967295 elements}}
  %y = graph.conv_fprop %x, %w
      {pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 2147483647>}
      : (tensor<2x4x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<2x6x8x8xf32>
  graph.return %y : tensor<2x6x8x8xf32>
}

// -----

graph.graph @conv_fprop_c6_overflow(
    %x: tensor<0x4x8x8xf32> {graph.uid = 1 : i64}, %w: tensor<0x4x4611686018427387904x3xf32> {graph.uid = 2 : i64})
    -> (tensor<0x0x8x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{to hold a window of 4611686018427387905 elements}}
  %y = graph.conv_fprop %x, %w
      {pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1000, 1>}
      : (tensor<0x4x8x8xf32>, tensor<0x4x4611686018427387904x3xf32>) -> tensor<0x0x8x8xf32>
  graph.return %y : tensor<0x0x8x8xf32>
}

// -----

graph.graph @conv_fprop_c6_large(
    %x: tensor<0x4x8x1152921504606846976xf32> {graph.uid = 1 : i64}, %w: tensor<6x4x3x3xf32> {graph.uid = 2 : i64})
    -> (tensor<0x6x8x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected dim 3 of 'X' (1152921504606846976) with paddings 1 and 1 to hold a window of 3 elements and to be below 2^60}}
  %y = graph.conv_fprop %x, %w
      {pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<0x4x8x1152921504606846976xf32>, tensor<6x4x3x3xf32>) -> tensor<0x6x8x8xf32>
  graph.return %y : tensor<0x6x8x8xf32>
}

// -----

graph.graph @conv_fprop_c7(
    %x: tensor<2x4x8x?xf32, #graph.layout<symbols = ["", "", "", "L"]>> {graph.uid = 1 : i64}, %w: tensor<6x4x3x3xf32> {graph.uid = 2 : i64})
    -> (tensor<2x6x8x?xf32, #graph.layout<symbols = ["", "", "", "L"]>> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected dim 3 of 'X' (?(L)) to be a number, since this window does not keep it}}
  %y = graph.conv_fprop %x, %w
      {pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 2>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<2x4x8x?xf32, #graph.layout<symbols = ["", "", "", "L"]>>, tensor<6x4x3x3xf32>) -> tensor<2x6x8x?xf32, #graph.layout<symbols = ["", "", "", "L"]>>
  graph.return %y : tensor<2x6x8x?xf32, #graph.layout<symbols = ["", "", "", "L"]>>
}

// -----

graph.graph @conv_fprop_c7_stride(
    %x: tensor<2x4x8x?xf32, #graph.layout<symbols = ["", "", "", "L"]>> {graph.uid = 1 : i64}, %w: tensor<6x4x3x3xf32> {graph.uid = 2 : i64})
    -> (tensor<2x6x8x?xf32, #graph.layout<symbols = ["", "", "", "L"]>> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected dim 3 of 'X' (?(L)) to be a number}}
  %y = graph.conv_fprop %x, %w
      {pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>,
       stride = array<i64: 1, 2>, dilation = array<i64: 1, 1>}
      : (tensor<2x4x8x?xf32, #graph.layout<symbols = ["", "", "", "L"]>>, tensor<6x4x3x3xf32>) -> tensor<2x6x8x?xf32, #graph.layout<symbols = ["", "", "", "L"]>>
  graph.return %y : tensor<2x6x8x?xf32, #graph.layout<symbols = ["", "", "", "L"]>>
}

// -----

graph.graph @conv_fprop_c8(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64}, %w: tensor<6x4x3x3xf32> {graph.uid = 2 : i64})
    -> (tensor<2x6x8x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected compute type to be a number that is computed in, got 'i1'}}
  %y = graph.conv_fprop %x, %w
      {pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, compute_type = i1}
      : (tensor<2x4x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<2x6x8x8xf32>
  graph.return %y : tensor<2x6x8x8xf32>
}

// -----

graph.graph @conv_fprop_result(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64}, %w: tensor<6x4x3x3xf32> {graph.uid = 2 : i64})
    -> (tensor<2x6x8x9xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected extents of result 'Y' to be 2x6x8x8, got 2x6x8x9}}
  %y = graph.conv_fprop %x, %w
      {pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<2x4x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<2x6x8x9xf32>
  graph.return %y : tensor<2x6x8x9xf32>
}
