// RUN: graph-opt %s --split-input-file --verify-diagnostics

// resample_backward_c13 (no dims) cannot be written as text:
// test/python/test_conv.py.

graph.graph @resample_backward_c1(
    %dy: tensor<4x4xf32> {graph.uid = 1 : i64})
    -> (tensor<8x8xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected 'DY' to have a batch axis, a channel axis and 1 to 3 spatial axes, got rank 2}}
  %dx = graph.resample_backward avgpool_include_padding %dy
      {window = array<i64: 2, 2>, stride = array<i64: 2, 2>,
       pre_padding = array<i64: 0, 0>, post_padding = array<i64: 0, 0>}
      : (tensor<4x4xf32>) -> tensor<8x8xf32>
  graph.return %dx : tensor<8x8xf32>
}

// -----

graph.graph @resample_backward_c1_input(
    %dy: tensor<2x4x4x4xf32> {graph.uid = 1 : i64}, %x: tensor<2x4x8xf32> {graph.uid = 2 : i64})
    -> (tensor<2x4x8x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'X' to have the rank of 'DY' (4), got 3}}
  %dx = graph.resample_backward avgpool_include_padding %dy input %x
      {window = array<i64: 2, 2>, stride = array<i64: 2, 2>,
       pre_padding = array<i64: 0, 0>, post_padding = array<i64: 0, 0>}
      : (tensor<2x4x4x4xf32>, tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  graph.return %dx : tensor<2x4x8x8xf32>
}

// -----

graph.graph @resample_backward_c1_result(
    %dy: tensor<2x4x4x4xf32> {graph.uid = 1 : i64})
    -> (tensor<2x4x8xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected 'DX' to have the rank of 'DY' (4), got 3}}
  %dx = graph.resample_backward avgpool_include_padding %dy
      {window = array<i64: 2, 2>, stride = array<i64: 2, 2>,
       pre_padding = array<i64: 0, 0>, post_padding = array<i64: 0, 0>}
      : (tensor<2x4x4x4xf32>) -> tensor<2x4x8xf32>
  graph.return %dx : tensor<2x4x8xf32>
}

// -----

graph.graph @resample_backward_c2(
    %dy: tensor<2x4x4x4xf32> {graph.uid = 1 : i64})
    -> (tensor<2x4x8x8xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected 'window' to be set, got no entries}}
  %dx = graph.resample_backward avgpool_include_padding %dy
      {window = array<i64>, stride = array<i64: 2, 2>,
       pre_padding = array<i64: 0, 0>, post_padding = array<i64: 0, 0>}
      : (tensor<2x4x4x4xf32>) -> tensor<2x4x8x8xf32>
  graph.return %dx : tensor<2x4x8x8xf32>
}

// -----

graph.graph @resample_backward_c3(
    %dy: tensor<2x4x4x4xf32> {graph.uid = 1 : i64})
    -> (tensor<2x4x8x8xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected the entries of 'stride' to be from 1 to 2147483647, got 0}}
  %dx = graph.resample_backward avgpool_include_padding %dy
      {window = array<i64: 2, 2>, stride = array<i64: 0, 2>,
       pre_padding = array<i64: 0, 0>, post_padding = array<i64: 0, 0>}
      : (tensor<2x4x4x4xf32>) -> tensor<2x4x8x8xf32>
  graph.return %dx : tensor<2x4x8x8xf32>
}

// -----

graph.graph @resample_backward_c4(
    %dy: tensor<2x4x4x4xf32> {graph.uid = 1 : i64})
    -> (tensor<2x4x8x8xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected 'denominator' to be 1 in mode 'avgpool_include_padding', got 3}}
  %dx = graph.resample_backward avgpool_include_padding %dy
      {window = array<i64: 2, 2>, stride = array<i64: 2, 2>,
       pre_padding = array<i64: 0, 0>, post_padding = array<i64: 0, 0>, denominator = 3 : i64}
      : (tensor<2x4x4x4xf32>) -> tensor<2x4x8x8xf32>
  graph.return %dx : tensor<2x4x8x8xf32>
}

// -----

graph.graph @resample_backward_c5(
    %dy: tensor<2x4x4x4xf32> {graph.uid = 1 : i64})
    -> (tensor<2x4x8x8xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected 'padding_mode' neg_inf_pad only with mode 'maxpool', got mode 'nearest'}}
  %dx = graph.resample_backward nearest %dy
      {padding_mode = #graph<padding_mode neg_inf_pad>, window = array<i64: 1, 1>, stride = array<i64: 2, 2>,
       pre_padding = array<i64: 0, 0>, post_padding = array<i64: 0, 0>}
      : (tensor<2x4x4x4xf32>) -> tensor<2x4x8x8xf32>
  graph.return %dx : tensor<2x4x8x8xf32>
}

// -----

graph.graph @resample_backward_c6(
    %dy: tensor<2x4x4x4xf32> {graph.uid = 1 : i64})
    -> (tensor<2x4x8x8xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected dim 2 of 'DX' (8) with paddings 0 and 0 to hold a window of 9 elements}}
  %dx = graph.resample_backward avgpool_include_padding %dy
      {window = array<i64: 9, 2>, stride = array<i64: 2, 2>,
       pre_padding = array<i64: 0, 0>, post_padding = array<i64: 0, 0>}
      : (tensor<2x4x4x4xf32>) -> tensor<2x4x8x8xf32>
  graph.return %dx : tensor<2x4x8x8xf32>
}

// -----

graph.graph @resample_backward_c7(
    %dy: tensor<2x4x4x?xf32, #graph.layout<symbols = ["", "", "", "L"]>> {graph.uid = 1 : i64})
    -> (tensor<2x4x8x?xf32, #graph.layout<symbols = ["", "", "", "L"]>> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected dim 3 of 'DX' (?(L)) to be a number, since this window does not keep it}}
  %dx = graph.resample_backward avgpool_include_padding %dy
      {window = array<i64: 2, 2>, stride = array<i64: 2, 2>,
       pre_padding = array<i64: 0, 0>, post_padding = array<i64: 0, 0>}
      : (tensor<2x4x4x?xf32, #graph.layout<symbols = ["", "", "", "L"]>>) -> tensor<2x4x8x?xf32, #graph.layout<symbols = ["", "", "", "L"]>>
  graph.return %dx : tensor<2x4x8x?xf32, #graph.layout<symbols = ["", "", "", "L"]>>
}

// -----

graph.graph @resample_backward_c8(
    %dy: tensor<2x4x1x4xf32> {graph.uid = 1 : i64})
    -> (tensor<2x4x0x8xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected dim 2 of 'DX' to be at least 1}}
  %dx = graph.resample_backward avgpool_include_padding %dy
      {padding_mode = #graph<padding_mode edge_val_pad>, window = array<i64: 2, 2>, stride = array<i64: 2, 2>,
       pre_padding = array<i64: 1, 0>, post_padding = array<i64: 1, 0>}
      : (tensor<2x4x1x4xf32>) -> tensor<2x4x0x8xf32>
  graph.return %dx : tensor<2x4x0x8xf32>
}

// -----

graph.graph @resample_backward_c9(
    %dy: tensor<2x4x4x4xf32> {graph.uid = 1 : i64})
    -> (tensor<2x4x8x8xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected a floating-point compute type, got 'i64'}}
  %dx = graph.resample_backward avgpool_include_padding %dy
      {window = array<i64: 2, 2>, stride = array<i64: 2, 2>,
       pre_padding = array<i64: 0, 0>, post_padding = array<i64: 0, 0>, compute_type = i64}
      : (tensor<2x4x4x4xf32>) -> tensor<2x4x8x8xf32>
  graph.return %dx : tensor<2x4x8x8xf32>
}

// -----

graph.graph @resample_backward_c10_none(
    %dy: tensor<2x4x4x4xf32> {graph.uid = 1 : i64})
    -> (tensor<2x4x8x8xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected exactly one of 'X' and 'Index' in mode 'maxpool', got none}}
  %dx = graph.resample_backward maxpool %dy
      {window = array<i64: 2, 2>, stride = array<i64: 2, 2>,
       pre_padding = array<i64: 0, 0>, post_padding = array<i64: 0, 0>}
      : (tensor<2x4x4x4xf32>) -> tensor<2x4x8x8xf32>
  graph.return %dx : tensor<2x4x8x8xf32>
}

// -----

graph.graph @resample_backward_c10_both(
    %dy: tensor<2x4x4x4xf32> {graph.uid = 1 : i64}, %x: tensor<2x4x8x8xf32> {graph.uid = 2 : i64}, %i: tensor<2x4x4x4xi8> {graph.uid = 3 : i64})
    -> (tensor<2x4x8x8xf32> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected exactly one of 'X' and 'Index' in mode 'maxpool', got both}}
  %dx = graph.resample_backward maxpool %dy input %x index %i
      {window = array<i64: 2, 2>, stride = array<i64: 2, 2>,
       pre_padding = array<i64: 0, 0>, post_padding = array<i64: 0, 0>}
      : (tensor<2x4x4x4xf32>, tensor<2x4x8x8xf32>, tensor<2x4x4x4xi8>) -> tensor<2x4x8x8xf32>
  graph.return %dx : tensor<2x4x8x8xf32>
}

// -----

graph.graph @resample_backward_c10_mode(
    %dy: tensor<2x4x4x4xf32> {graph.uid = 1 : i64}, %i: tensor<2x4x4x4xi8> {graph.uid = 2 : i64})
    -> (tensor<2x4x8x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected no 'Index' in mode 'avgpool_include_padding', got one}}
  %dx = graph.resample_backward avgpool_include_padding %dy index %i
      {window = array<i64: 2, 2>, stride = array<i64: 2, 2>,
       pre_padding = array<i64: 0, 0>, post_padding = array<i64: 0, 0>}
      : (tensor<2x4x4x4xf32>, tensor<2x4x4x4xi8>) -> tensor<2x4x8x8xf32>
  graph.return %dx : tensor<2x4x8x8xf32>
}

// -----

graph.graph @resample_backward_c11_extents(
    %dy: tensor<2x4x4x4xf32> {graph.uid = 1 : i64}, %i: tensor<2x4x4x3xi8> {graph.uid = 2 : i64})
    -> (tensor<2x4x8x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'Index' to have the extents of 'DY' (2x4x4x4), got 2x4x4x3}}
  %dx = graph.resample_backward maxpool %dy index %i
      {window = array<i64: 2, 2>, stride = array<i64: 2, 2>,
       pre_padding = array<i64: 0, 0>, post_padding = array<i64: 0, 0>}
      : (tensor<2x4x4x4xf32>, tensor<2x4x4x3xi8>) -> tensor<2x4x8x8xf32>
  graph.return %dx : tensor<2x4x8x8xf32>
}

// -----

graph.graph @resample_backward_c11_type(
    %dy: tensor<2x4x4x4xf32> {graph.uid = 1 : i64}, %i: tensor<2x4x4x4xi1> {graph.uid = 2 : i64})
    -> (tensor<2x4x8x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'Index' to be an integer of at least 8 bits, got 'i1'}}
  %dx = graph.resample_backward maxpool %dy index %i
      {window = array<i64: 2, 2>, stride = array<i64: 2, 2>,
       pre_padding = array<i64: 0, 0>, post_padding = array<i64: 0, 0>}
      : (tensor<2x4x4x4xf32>, tensor<2x4x4x4xi1>) -> tensor<2x4x8x8xf32>
  graph.return %dx : tensor<2x4x8x8xf32>
}

// -----

graph.graph @resample_backward_c12(
    %dy: tensor<2x4x4x4xf32> {graph.uid = 1 : i64})
    -> (tensor<2x4x8x10xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected 'DY' to be 2x4x4x5, as resample of 'DX' (2x4x8x10) is, got 2x4x4x4}}
  %dx = graph.resample_backward avgpool_include_padding %dy
      {window = array<i64: 2, 2>, stride = array<i64: 2, 2>,
       pre_padding = array<i64: 0, 0>, post_padding = array<i64: 0, 0>}
      : (tensor<2x4x4x4xf32>) -> tensor<2x4x8x10xf32>
  graph.return %dx : tensor<2x4x8x10xf32>
}

// -----

graph.graph @resample_backward_c12_batch(
    %dy: tensor<2x4x4x4xf32> {graph.uid = 1 : i64})
    -> (tensor<3x4x8x8xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected 'DY' to be 3x4x4x4}}
  %dx = graph.resample_backward avgpool_include_padding %dy
      {window = array<i64: 2, 2>, stride = array<i64: 2, 2>,
       pre_padding = array<i64: 0, 0>, post_padding = array<i64: 0, 0>}
      : (tensor<2x4x4x4xf32>) -> tensor<3x4x8x8xf32>
  graph.return %dx : tensor<3x4x8x8xf32>
}

// -----

graph.graph @resample_backward_result(
    %dy: tensor<2x4x4x4xf32> {graph.uid = 1 : i64}, %x: tensor<2x4x8x8xf32> {graph.uid = 2 : i64})
    -> (tensor<2x4x9x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected extents of result 'DX' to be 2x4x8x8, got 2x4x9x8}}
  %dx = graph.resample_backward avgpool_include_padding %dy input %x
      {window = array<i64: 2, 2>, stride = array<i64: 2, 2>,
       pre_padding = array<i64: 0, 0>, post_padding = array<i64: 0, 0>}
      : (tensor<2x4x4x4xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x9x8xf32>
  graph.return %dx : tensor<2x4x9x8xf32>
}
