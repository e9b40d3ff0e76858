// RUN: graph-opt %s | graph-opt | FileCheck %s

// CHECK-LABEL: graph.graph @one_dimension
graph.graph @one_dimension(
    %x: tensor<2x4x9xf32> {graph.uid = 1 : i64}, %w: tensor<6x4x3xf32> {graph.uid = 2 : i64})
    -> (tensor<2x6x5xf32> {graph.uid = 3 : i64}) {
  // CHECK: graph.conv_fprop %{{.+}}, %{{.+}} {dilation = array<i64: 1>, post_padding = array<i64: 2>, pre_padding = array<i64: 1>, stride = array<i64: 2>} :
  %y = graph.conv_fprop %x, %w
      {pre_padding = array<i64: 1>, post_padding = array<i64: 2>,
       stride = array<i64: 2>, dilation = array<i64: 1>}
      : (tensor<2x4x9xf32>, tensor<6x4x3xf32>) -> tensor<2x6x5xf32>
  graph.return %y : tensor<2x6x5xf32>
}

// CHECK-LABEL: graph.graph @three_dimensions
graph.graph @three_dimensions(
    %x: tensor<4x16x52x54x56xbf16> {graph.uid = 1 : i64}, %w: tensor<32x16x3x3x3xbf16> {graph.uid = 2 : i64})
    -> (tensor<4x32x25x18x15xbf16, #graph.layout<strides = [216000, 1, 8640, 480, 32]>> {graph.uid = 3 : i64}) {
  // CHECK: graph.conv_fprop
  %y = graph.conv_fprop %x, %w
      {pre_padding = array<i64: 0, 1, 2>, post_padding = array<i64: 0, 1, 2>,
       stride = array<i64: 2, 3, 4>, dilation = array<i64: 1, 1, 1>}
      : (tensor<4x16x52x54x56xbf16>, tensor<32x16x3x3x3xbf16>) -> tensor<4x32x25x18x15xbf16, #graph.layout<strides = [216000, 1, 8640, 480, 32]>>
  graph.return %y : tensor<4x32x25x18x15xbf16, #graph.layout<strides = [216000, 1, 8640, 480, 32]>>
}

// CHECK-LABEL: graph.graph @groups_and_flip
graph.graph @groups_and_flip(
    %x: tensor<4x64x32x32xi8> {graph.uid = 1 : i64}, %w: tensor<64x8x3x3xi8> {graph.uid = 2 : i64})
    -> (tensor<4x64x28x28xi32> {graph.uid = 3 : i64}) {
  // CHECK: graph.conv_fprop %{{.+}} {compute_type = i32, convolution_mode = #graph<convolution_mode convolution>,
  %y = graph.conv_fprop %x, %w
      {pre_padding = array<i64: 0, 0>, post_padding = array<i64: 0, 0>,
       stride = array<i64: 1, 1>, dilation = array<i64: 2, 2>, compute_type = i32,
       convolution_mode = #graph<convolution_mode convolution>}
      : (tensor<4x64x32x32xi8>, tensor<64x8x3x3xi8>) -> tensor<4x64x28x28xi32>
  graph.return %y : tensor<4x64x28x28xi32>
}

// CHECK-LABEL: graph.graph @symbols
graph.graph @symbols(
    %x: tensor<?x?x8x?xf32, #graph.layout<symbols = ["N", "C", "", "L"]>> {graph.uid = 1 : i64}, %w: tensor<?x?x3x3xf32, #graph.layout<symbols = ["K", "C", "", ""]>> {graph.uid = 2 : i64})
    -> (tensor<?x?x6x?xf32, #graph.layout<symbols = ["N", "K", "", "L"]>> {graph.uid = 3 : i64}) {
  // CHECK: graph.conv_fprop
  %y = graph.conv_fprop %x, %w
      {pre_padding = array<i64: 0, 1>, post_padding = array<i64: 0, 1>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<?x?x8x?xf32, #graph.layout<symbols = ["N", "C", "", "L"]>>, tensor<?x?x3x3xf32, #graph.layout<symbols = ["K", "C", "", ""]>>) -> tensor<?x?x6x?xf32, #graph.layout<symbols = ["N", "K", "", "L"]>>
  graph.return %y : tensor<?x?x6x?xf32, #graph.layout<symbols = ["N", "K", "", "L"]>>
}

// CHECK-LABEL: graph.graph @nothing_to_sum
graph.graph @nothing_to_sum(
    %x: tensor<2x0x4x0xf32> {graph.uid = 1 : i64}, %w: tensor<6x0x3x3xf32> {graph.uid = 2 : i64})
    -> (tensor<2x6x2x2xf32> {graph.uid = 3 : i64}) {
  // CHECK: graph.conv_fprop
  %y = graph.conv_fprop %x, %w
      {pre_padding = array<i64: 0, 2>, post_padding = array<i64: 0, 2>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<2x0x4x0xf32>, tensor<6x0x3x3xf32>) -> tensor<2x6x2x2xf32>
  graph.return %y : tensor<2x6x2x2xf32>
}

// CHECK-LABEL: graph.graph @dgrad_groups
graph.graph @dgrad_groups(
    %dy: tensor<2x6x4x4xf32> {graph.uid = 1 : i64}, %w: tensor<6x2x3x3xf32> {graph.uid = 2 : i64})
    -> (tensor<2x4x8x7xf32> {graph.uid = 3 : i64}) {
  // CHECK: graph.conv_dgrad %{{.+}}, %{{.+}} {
  %dx = graph.conv_dgrad %dy, %w
      {pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>,
       stride = array<i64: 2, 2>, dilation = array<i64: 1, 1>}
      : (tensor<2x6x4x4xf32>, tensor<6x2x3x3xf32>) -> tensor<2x4x8x7xf32>
  graph.return %dx : tensor<2x4x8x7xf32>
}

// CHECK-LABEL: graph.graph @dgrad_symbols
graph.graph @dgrad_symbols(
    %dy: tensor<?x?x8x?xf32, #graph.layout<symbols = ["N", "K", "", "L"]>> {graph.uid = 1 : i64}, %w: tensor<?x?x3x3xf32, #graph.layout<symbols = ["K", "C", "", ""]>> {graph.uid = 2 : i64})
    -> (tensor<?x?x8x?xf32, #graph.layout<symbols = ["N", "C", "", "L"]>> {graph.uid = 3 : i64}) {
  // CHECK: graph.conv_dgrad
  %dx = graph.conv_dgrad %dy, %w
      {pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<?x?x8x?xf32, #graph.layout<symbols = ["N", "K", "", "L"]>>, tensor<?x?x3x3xf32, #graph.layout<symbols = ["K", "C", "", ""]>>) -> tensor<?x?x8x?xf32, #graph.layout<symbols = ["N", "C", "", "L"]>>
  graph.return %dx : tensor<?x?x8x?xf32, #graph.layout<symbols = ["N", "C", "", "L"]>>
}

// CHECK-LABEL: graph.graph @wgrad_depthwise
graph.graph @wgrad_depthwise(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64}, %dy: tensor<2x8x6x6xf32> {graph.uid = 2 : i64})
    -> (tensor<8x1x3x3xf32> {graph.uid = 3 : i64}) {
  // CHECK: graph.conv_wgrad %{{.+}}, %{{.+}} {dilation = array<i64: 1, 1>, ieee,
  %dw = graph.conv_wgrad %x, %dy
      {pre_padding = array<i64: 0, 0>, post_padding = array<i64: 0, 0>,
       stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, ieee}
      : (tensor<2x4x8x8xf32>, tensor<2x8x6x6xf32>) -> tensor<8x1x3x3xf32>
  graph.return %dw : tensor<8x1x3x3xf32>
}
