// RUN: graph-opt %s --split-input-file --verify-diagnostics

graph.graph @resample_c1(
    %x: tensor<8x8xf32> {graph.uid = 1 : i64})
    -> (tensor<4x4xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected 'X' to have a batch axis, a channel axis and 1 to 3 spatial axes, got rank 2}}
  %y = graph.resample maxpool %x
      {window = array<i64: 2, 2>, stride = array<i64: 2, 2>,
       pre_padding = array<i64: 0, 0>, post_padding = array<i64: 0, 0>}
      : (tensor<8x8xf32>) -> tensor<4x4xf32>
  graph.return %y : tensor<4x4xf32>
}

// -----

graph.graph @resample_c2_window(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64})
    -> (tensor<2x4x4x4xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected 'window' to be set, got no entries}}
  %y = graph.resample maxpool %x
      {window = array<i64>, stride = array<i64: 2, 2>,
       pre_padding = array<i64: 0, 0>, post_padding = array<i64: 0, 0>}
      : (tensor<2x4x8x8xf32>) -> tensor<2x4x4x4xf32>
  graph.return %y : tensor<2x4x4x4xf32>
}

// -----

graph.graph @resample_c2_stride(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64})
    -> (tensor<2x4x4x4xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected 'stride' to be set, got no entries}}
  %y = graph.resample maxpool %x
      {window = array<i64: 2, 2>, stride = array<i64>,
       pre_padding = array<i64: 0, 0>, post_padding = array<i64: 0, 0>}
      : (tensor<2x4x8x8xf32>) -> tensor<2x4x4x4xf32>
  graph.return %y : tensor<2x4x4x4xf32>
}

// -----

graph.graph @resample_c2_pre_padding(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64})
    -> (tensor<2x4x4x4xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected 'pre_padding' to be set, got no entries}}
  %y = graph.resample maxpool %x
      {window = array<i64: 2, 2>, stride = array<i64: 2, 2>,
       pre_padding = array<i64>, post_padding = array<i64: 0, 0>}
      : (tensor<2x4x8x8xf32>) -> tensor<2x4x4x4xf32>
  graph.return %y : tensor<2x4x4x4xf32>
}

// -----

graph.graph @resample_c2_post_padding(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64})
    -> (tensor<2x4x4x4xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected 'post_padding' to be set, got no entries}}
  %y = graph.resample maxpool %x
      {window = array<i64: 2, 2>, stride = array<i64: 2, 2>,
       pre_padding = array<i64: 0, 0>, post_padding = array<i64>}
      : (tensor<2x4x8x8xf32>) -> tensor<2x4x4x4xf32>
  graph.return %y : tensor<2x4x4x4xf32>
}

// -----

graph.graph @resample_c2_count(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64})
    -> (tensor<2x4x4x4xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected 'window' to have 2 entries, one for each spatial axis, got 1}}
  %y = graph.resample maxpool %x
      {window = array<i64: 2>, stride = array<i64: 2, 2>,
       pre_padding = array<i64: 0, 0>, post_padding = array<i64: 0, 0>}
      : (tensor<2x4x8x8xf32>) -> tensor<2x4x4x4xf32>
  graph.return %y : tensor<2x4x4x4xf32>
}

// -----

graph.graph @resample_c3_window(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64})
    -> (tensor<2x4x4x4xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected the entries of 'window' to be from 1 to 2147483647, got 0}}
  %y = graph.resample maxpool %x
      {window = array<i64: 0, 2>, stride = array<i64: 2, 2>,
       pre_padding = array<i64: 0, 0>, post_padding = array<i64: 0, 0>}
      : (tensor<2x4x8x8xf32>) -> tensor<2x4x4x4xf32>
  graph.return %y : tensor<2x4x4x4xf32>
}

// -----

graph.graph @resample_c3_stride(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64})
    -> (tensor<2x4x4x4xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected the entries of 'stride' to be from 1 to 2147483647, got -2}}
  %y = graph.resample maxpool %x
      {window = array<i64: 2, 2>, stride = array<i64: 2, -2>,
       pre_padding = array<i64: 0, 0>, post_padding = array<i64: 0, 0>}
      : (tensor<2x4x8x8xf32>) -> tensor<2x4x4x4xf32>
  graph.return %y : tensor<2x4x4x4xf32>
}

// -----

graph.graph @resample_c3_padding(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64})
    -> (tensor<2x4x4x4xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected the entries of 'pre_padding' to be from 0 to 2147483647, got -1}}
  %y = graph.resample maxpool %x
      {window = array<i64: 2, 2>, stride = array<i64: 2, 2>,
       pre_padding = array<i64: -1, 0>, post_padding = array<i64: 0, 0>}
      : (tensor<2x4x8x8xf32>) -> tensor<2x4x4x4xf32>
  graph.return %y : tensor<2x4x4x4xf32>
}

// -----

graph.graph @resample_c3_bilinear_padding(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64})
    -> (tensor<2x4x4x4xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected the entries of 'post_padding' to be from -2147483647 to 2147483647, got -2147483648}}
  %y = graph.resample bilinear %x
      {window = array<i64: 2, 2>, stride = array<i64: 2, 2>,
       pre_padding = array<i64: 0, 0>, post_padding = array<i64: -2147483648, 0>}
      : (tensor<2x4x8x8xf32>) -> tensor<2x4x4x4xf32>
  graph.return %y : tensor<2x4x4x4xf32>
}

// -----

graph.graph @resample_c3_denominator(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64})
    -> (tensor<2x4x4x4xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected 'denominator' to be from 1 to 2147483647, got 0}}
  %y = graph.resample bilinear %x
      {window = array<i64: 2, 2>, stride = array<i64: 2, 2>,
       pre_padding = array<i64: 0, 0>, post_padding = array<i64: 0, 0>, denominator = 0 : i64}
      : (tensor<2x4x8x8xf32>) -> tensor<2x4x4x4xf32>
  graph.return %y : tensor<2x4x4x4xf32>
}

// -----

graph.graph @resample_c3_taps(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64})
    -> (tensor<2x4x4x4xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected the product of the entries of 'window' to be below 2147483648, got more}}
  %y = graph.resample maxpool %x
      {window = array<i64: 65536, 32768>, stride = array<i64: 2, 2>,
       pre_padding = array<i64: 0, 0>, post_padding = array<i64: 0, 0>}
      : (tensor<2x4x8x8xf32>) -> tensor<2x4x4x4xf32>
  graph.return %y : tensor<2x4x4x4xf32>
}

// -----

graph.graph @resample_c4_denominator(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64})
    -> (tensor<2x4x4x4xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected 'denominator' to be 1 in mode 'avgpool_include_padding', got 2}}
  %y = graph.resample avgpool_include_padding %x
      {window = array<i64: 2, 2>, stride = array<i64: 2, 2>,
       pre_padding = array<i64: 0, 0>, post_padding = array<i64: 0, 0>, denominator = 2 : i64}
      : (tensor<2x4x8x8xf32>) -> tensor<2x4x4x4xf32>
  graph.return %y : tensor<2x4x4x4xf32>
}

// -----

graph.graph @resample_c4_bilinear(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64})
    -> (tensor<2x4x4x4xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected the entries of 'window' to be 2 in mode 'bilinear', got 3}}
  %y = graph.resample bilinear %x
      {window = array<i64: 2, 3>, stride = array<i64: 2, 2>,
       pre_padding = array<i64: 0, 0>, post_padding = array<i64: 0, 0>}
      : (tensor<2x4x8x8xf32>) -> tensor<2x4x4x4xf32>
  graph.return %y : tensor<2x4x4x4xf32>
}

// -----

graph.graph @resample_c4_nearest(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64})
    -> (tensor<2x4x4x4xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected the entries of 'window' to be 1 in mode 'nearest', got 2}}
  %y = graph.resample nearest %x
      {window = array<i64: 2, 2>, stride = array<i64: 2, 2>,
       pre_padding = array<i64: 0, 0>, post_padding = array<i64: 0, 0>}
      : (tensor<2x4x8x8xf32>) -> tensor<2x4x4x4xf32>
  graph.return %y : tensor<2x4x4x4xf32>
}

// -----

graph.graph @resample_c5(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64})
    -> (tensor<2x4x4x4xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected 'padding_mode' neg_inf_pad only with mode 'maxpool', got mode 'avgpool_exclude_padding'}}
  %y = graph.resample avgpool_exclude_padding %x
      {padding_mode = #graph<padding_mode neg_inf_pad>, window = array<i64: 2, 2>, stride = array<i64: 2, 2>,
       pre_padding = array<i64: 0, 0>, post_padding = array<i64: 0, 0>}
      : (tensor<2x4x8x8xf32>) -> tensor<2x4x4x4xf32>
  graph.return %y : tensor<2x4x4x4xf32>
}

// -----

graph.graph @resample_c6(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64})
    -> (tensor<2x4x4x4xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected dim 2 of 'X' (8) with paddings 1 and 1 to hold a window of 11 elements}}
  %y = graph.resample maxpool %x
      {window = array<i64: 11, 2>, stride = array<i64: 2, 2>,
       pre_padding = array<i64: 1, 0>, post_padding = array<i64: 1, 0>}
      : (tensor<2x4x8x8xf32>) -> tensor<2x4x4x4xf32>
  graph.return %y : tensor<2x4x4x4xf32>
}

// -----

graph.graph @resample_c6_units(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64})
    -> (tensor<2x4x4x4xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected dim 3 of 'X' (8) with paddings -10 and -10 / 2 to hold a window of 2 elements}}
  %y = graph.resample bilinear %x
      {window = array<i64: 2, 2>, stride = array<i64: 2, 2>,
       pre_padding = array<i64: 0, -10>, post_padding = array<i64: 0, -10>, denominator = 2 : i64}
      : (tensor<2x4x8x8xf32>) -> tensor<2x4x4x4xf32>
  graph.return %y : tensor<2x4x4x4xf32>
}

// -----

graph.graph @resample_c7(
    %x: tensor<2x4x8x?xf32, #graph.layout<symbols = ["", "", "", "L"]>> {graph.uid = 1 : i64})
    -> (tensor<2x4x4x?xf32, #graph.layout<symbols = ["", "", "", "L"]>> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected dim 3 of 'X' (?(L)) to be a number, since this window does not keep it}}
  %y = graph.resample maxpool %x
      {window = array<i64: 2, 2>, stride = array<i64: 2, 2>,
       pre_padding = array<i64: 0, 0>, post_padding = array<i64: 0, 0>}
      : (tensor<2x4x8x?xf32, #graph.layout<symbols = ["", "", "", "L"]>>) -> tensor<2x4x4x?xf32, #graph.layout<symbols = ["", "", "", "L"]>>
  graph.return %y : tensor<2x4x4x?xf32, #graph.layout<symbols = ["", "", "", "L"]>>
}

// -----

graph.graph @resample_c8_edge(
    %x: tensor<2x4x0x8xf32> {graph.uid = 1 : i64})
    -> (tensor<2x4x1x4xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected dim 2 of 'X' to be at least 1, since padding reads the nearest element, got 0}}
  %y = graph.resample maxpool %x
      {padding_mode = #graph<padding_mode edge_val_pad>, window = array<i64: 2, 2>, stride = array<i64: 2, 2>,
       pre_padding = array<i64: 1, 0>, post_padding = array<i64: 1, 0>}
      : (tensor<2x4x0x8xf32>) -> tensor<2x4x1x4xf32>
  graph.return %y : tensor<2x4x1x4xf32>
}

// -----

graph.graph @resample_c8_nearest(
    %x: tensor<2x4x0x8xf32> {graph.uid = 1 : i64})
    -> (tensor<2x4x1x4xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected dim 2 of 'X' to be at least 1}}
  %y = graph.resample nearest %x
      {window = array<i64: 1, 1>, stride = array<i64: 2, 2>,
       pre_padding = array<i64: 1, 0>, post_padding = array<i64: 0, 0>}
      : (tensor<2x4x0x8xf32>) -> tensor<2x4x1x4xf32>
  graph.return %y : tensor<2x4x1x4xf32>
}

// -----

graph.graph @resample_c9_average(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64})
    -> (tensor<2x4x4x4xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected a floating-point compute type, got 'i32'}}
  %y = graph.resample avgpool_include_padding %x
      {window = array<i64: 2, 2>, stride = array<i64: 2, 2>,
       pre_padding = array<i64: 0, 0>, post_padding = array<i64: 0, 0>, compute_type = i32}
      : (tensor<2x4x8x8xf32>) -> tensor<2x4x4x4xf32>
  graph.return %y : tensor<2x4x4x4xf32>
}

// -----

graph.graph @resample_c9_max(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64})
    -> (tensor<2x4x4x4xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected compute type to be a number that is computed in, got 'i1'}}
  %y = graph.resample maxpool %x
      {window = array<i64: 2, 2>, stride = array<i64: 2, 2>,
       pre_padding = array<i64: 0, 0>, post_padding = array<i64: 0, 0>, compute_type = i1}
      : (tensor<2x4x8x8xf32>) -> tensor<2x4x4x4xf32>
  graph.return %y : tensor<2x4x4x4xf32>
}

// -----

graph.graph @resample_c10_mode(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64})
    -> (tensor<2x4x4x4xf32> {graph.uid = 2 : i64}, tensor<2x4x4x4xi8> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'generate_index' only with mode 'maxpool', got mode 'bilinear'}}
  %y, %i = graph.resample bilinear %x
      {window = array<i64: 2, 2>, stride = array<i64: 2, 2>,
       pre_padding = array<i64: 0, 0>, post_padding = array<i64: 0, 0>, generate_index}
      : (tensor<2x4x8x8xf32>) -> tensor<2x4x4x4xf32>
        index tensor<2x4x4x4xi8>
  graph.return %y, %i : tensor<2x4x4x4xf32>, tensor<2x4x4x4xi8>
}

// -----

graph.graph @resample_c10_absent(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64})
    -> (tensor<2x4x4x4xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected result 'Index' to be present, got it absent}}
  %y = graph.resample maxpool %x
      {window = array<i64: 2, 2>, stride = array<i64: 2, 2>,
       pre_padding = array<i64: 0, 0>, post_padding = array<i64: 0, 0>, generate_index}
      : (tensor<2x4x8x8xf32>) -> tensor<2x4x4x4xf32>
  graph.return %y : tensor<2x4x4x4xf32>
}

// -----

graph.graph @resample_c10_present(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64})
    -> (tensor<2x4x4x4xf32> {graph.uid = 2 : i64}, tensor<2x4x4x4xi8> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected result 'Index' to be absent, got it present}}
  %y, %i = graph.resample maxpool %x
      {window = array<i64: 2, 2>, stride = array<i64: 2, 2>,
       pre_padding = array<i64: 0, 0>, post_padding = array<i64: 0, 0>}
      : (tensor<2x4x8x8xf32>) -> tensor<2x4x4x4xf32>
        index tensor<2x4x4x4xi8>
  graph.return %y, %i : tensor<2x4x4x4xf32>, tensor<2x4x4x4xi8>
}

// -----

graph.graph @resample_c11_float(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64})
    -> (tensor<2x4x4x4xf32> {graph.uid = 2 : i64}, tensor<2x4x4x4xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'Index' to be an integer of at least 8 bits, got 'f32'}}
  %y, %i = graph.resample maxpool %x
      {window = array<i64: 2, 2>, stride = array<i64: 2, 2>,
       pre_padding = array<i64: 0, 0>, post_padding = array<i64: 0, 0>, generate_index}
      : (tensor<2x4x8x8xf32>) -> tensor<2x4x4x4xf32>
        index tensor<2x4x4x4xf32>
  graph.return %y, %i : tensor<2x4x4x4xf32>, tensor<2x4x4x4xf32>
}

// -----

graph.graph @resample_c11_narrow(
    %x: tensor<2x4x32x32xf32> {graph.uid = 1 : i64})
    -> (tensor<2x4x1x1xf32> {graph.uid = 2 : i64}, tensor<2x4x1x1xi8> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'Index' to hold the 200 positions of a window, got 'i8'}}
  %y, %i = graph.resample maxpool %x
      {window = array<i64: 10, 20>, stride = array<i64: 32, 32>,
       pre_padding = array<i64: 0, 0>, post_padding = array<i64: 0, 0>, generate_index}
      : (tensor<2x4x32x32xf32>) -> tensor<2x4x1x1xf32>
        index tensor<2x4x1x1xi8>
  graph.return %y, %i : tensor<2x4x1x1xf32>, tensor<2x4x1x1xi8>
}

// -----

graph.graph @resample_result(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64})
    -> (tensor<2x4x4x5xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected extents of result 'Y' to be 2x4x4x4, got 2x4x4x5}}
  %y = graph.resample maxpool %x
      {window = array<i64: 2, 2>, stride = array<i64: 2, 2>,
       pre_padding = array<i64: 0, 0>, post_padding = array<i64: 0, 0>}
      : (tensor<2x4x8x8xf32>) -> tensor<2x4x4x5xf32>
  graph.return %y : tensor<2x4x4x5xf32>
}

// -----

graph.graph @resample_result_index(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64})
    -> (tensor<2x4x4x4xf32> {graph.uid = 2 : i64}, tensor<2x4x4x3xi8> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected extents of result 'Index' to be 2x4x4x4, got 2x4x4x3}}
  %y, %i = graph.resample maxpool %x
      {window = array<i64: 2, 2>, stride = array<i64: 2, 2>,
       pre_padding = array<i64: 0, 0>, post_padding = array<i64: 0, 0>, generate_index}
      : (tensor<2x4x8x8xf32>) -> tensor<2x4x4x4xf32>
        index tensor<2x4x4x3xi8>
  graph.return %y, %i : tensor<2x4x4x4xf32>, tensor<2x4x4x3xi8>
}
