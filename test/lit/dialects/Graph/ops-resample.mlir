// RUN: graph-opt %s | graph-opt | FileCheck %s

// CHECK-LABEL: graph.graph @maxpool_index
graph.graph @maxpool_index(
    %x: tensor<2x4x8x8xf32> {graph.uid = 1 : i64})
    -> (tensor<2x4x4x4xf32, #graph.layout<strides = [64, 1, 16, 4]>> {graph.uid = 2 : i64}, tensor<2x4x4x4xi8, #graph.layout<strides = [64, 1, 16, 4]>> {graph.uid = 3 : i64}) {
  // CHECK: graph.resample maxpool %{{.+}} {generate_index, padding_mode = #graph<padding_mode neg_inf_pad>,
  // CHECK: index tensor<2x4x4x4xi8
  %y, %i = graph.resample maxpool %x
      {padding_mode = #graph<padding_mode neg_inf_pad>, window = array<i64: 3, 3>, stride = array<i64: 2, 2>,
       pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>, generate_index}
      : (tensor<2x4x8x8xf32>) -> tensor<2x4x4x4xf32, #graph.layout<strides = [64, 1, 16, 4]>>
        index tensor<2x4x4x4xi8, #graph.layout<strides = [64, 1, 16, 4]>>
  graph.return %y, %i : tensor<2x4x4x4xf32, #graph.layout<strides = [64, 1, 16, 4]>>, tensor<2x4x4x4xi8, #graph.layout<strides = [64, 1, 16, 4]>>
}

// CHECK-LABEL: graph.graph @avgpool_3d
graph.graph @avgpool_3d(
    %x: tensor<1x2x4x5x6xf32> {graph.uid = 1 : i64})
    -> (tensor<1x2x2x2x3xf32> {graph.uid = 2 : i64}) {
  // CHECK: graph.resample avgpool_exclude_padding %
  %y = graph.resample avgpool_exclude_padding %x
      {window = array<i64: 3, 3, 3>, stride = array<i64: 2, 2, 2>,
       pre_padding = array<i64: 1, 1, 1>, post_padding = array<i64: 0, 0, 1>}
      : (tensor<1x2x4x5x6xf32>) -> tensor<1x2x2x2x3xf32>
  graph.return %y : tensor<1x2x2x2x3xf32>
}

// CHECK-LABEL: graph.graph @double_by_bilinear
graph.graph @double_by_bilinear(
    %x: tensor<1x2x4x5xf32> {graph.uid = 1 : i64})
    -> (tensor<1x2x8x10xf32> {graph.uid = 2 : i64}) {
  // CHECK: graph.resample bilinear %{{.+}} {denominator = 4 : i64
  %y = graph.resample bilinear %x
      {padding_mode = #graph<padding_mode edge_val_pad>, window = array<i64: 2, 2>, stride = array<i64: 2, 2>,
       pre_padding = array<i64: 1, 1>, post_padding = array<i64: 5, 5>, denominator = 4 : i64}
      : (tensor<1x2x4x5xf32>) -> tensor<1x2x8x10xf32>
  graph.return %y : tensor<1x2x8x10xf32>
}

// CHECK-LABEL: graph.graph @nearest
graph.graph @nearest(
    %x: tensor<1x2x4xf32> {graph.uid = 1 : i64})
    -> (tensor<1x2x7xf32> {graph.uid = 2 : i64}) {
  // CHECK: graph.resample nearest
  %y = graph.resample nearest %x
      {window = array<i64: 1>, stride = array<i64: 1>,
       pre_padding = array<i64: 0>, post_padding = array<i64: 0>, denominator = 2 : i64}
      : (tensor<1x2x4xf32>) -> tensor<1x2x7xf32>
  graph.return %y : tensor<1x2x7xf32>
}

// CHECK-LABEL: graph.graph @symbols
graph.graph @symbols(
    %x: tensor<?x?x?xf32, #graph.layout<symbols = ["N", "C", "L"]>> {graph.uid = 1 : i64})
    -> (tensor<?x?x?xf32, #graph.layout<symbols = ["N", "C", "L"]>> {graph.uid = 2 : i64}) {
  // CHECK: graph.resample avgpool_include_padding
  %y = graph.resample avgpool_include_padding %x
      {window = array<i64: 3>, stride = array<i64: 1>,
       pre_padding = array<i64: 2>, post_padding = array<i64: 0>}
      : (tensor<?x?x?xf32, #graph.layout<symbols = ["N", "C", "L"]>>) -> tensor<?x?x?xf32, #graph.layout<symbols = ["N", "C", "L"]>>
  graph.return %y : tensor<?x?x?xf32, #graph.layout<symbols = ["N", "C", "L"]>>
}

// CHECK-LABEL: graph.graph @wide_index
graph.graph @wide_index(
    %x: tensor<1x1x16x16xf32> {graph.uid = 1 : i64})
    -> (tensor<1x1x1x1xf32> {graph.uid = 2 : i64}, tensor<1x1x1x1xui8> {graph.uid = 3 : i64}) {
  // CHECK: index tensor<1x1x1x1xui8>
  %y, %i = graph.resample maxpool %x
      {window = array<i64: 16, 16>, stride = array<i64: 2, 2>,
       pre_padding = array<i64: 0, 0>, post_padding = array<i64: 0, 0>, generate_index}
      : (tensor<1x1x16x16xf32>) -> tensor<1x1x1x1xf32>
        index tensor<1x1x1x1xui8>
  graph.return %y, %i : tensor<1x1x1x1xf32>, tensor<1x1x1x1xui8>
}

// CHECK-LABEL: graph.graph @backward_by_index
graph.graph @backward_by_index(
    %dy: tensor<2x4x4x4xf32> {graph.uid = 1 : i64}, %i: tensor<2x4x4x4xi8> {graph.uid = 2 : i64})
    -> (tensor<2x4x9x8xf32> {graph.uid = 3 : i64}) {
  // CHECK: graph.resample_backward maxpool %{{.+}} index %
  %dx = graph.resample_backward maxpool %dy index %i
      {window = array<i64: 2, 2>, stride = array<i64: 2, 2>,
       pre_padding = array<i64: 0, 0>, post_padding = array<i64: 0, 0>}
      : (tensor<2x4x4x4xf32>, tensor<2x4x4x4xi8>) -> tensor<2x4x9x8xf32>
  graph.return %dx : tensor<2x4x9x8xf32>
}

// CHECK-LABEL: graph.graph @backward_by_input
graph.graph @backward_by_input(
    %dy: tensor<2x4x4x4xf32> {graph.uid = 1 : i64}, %x: tensor<2x4x8x8xf32> {graph.uid = 2 : i64})
    -> (tensor<2x4x8x8xf32> {graph.uid = 3 : i64}) {
  // CHECK: graph.resample_backward maxpool %{{.+}} input %
  %dx = graph.resample_backward maxpool %dy input %x
      {window = array<i64: 2, 2>, stride = array<i64: 2, 2>,
       pre_padding = array<i64: 0, 0>, post_padding = array<i64: 0, 0>}
      : (tensor<2x4x4x4xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  graph.return %dx : tensor<2x4x8x8xf32>
}

// CHECK-LABEL: graph.graph @backward_declared
graph.graph @backward_declared(
    %dy: tensor<2x4x4x4xf32> {graph.uid = 1 : i64})
    -> (tensor<2x4x8x8xf32> {graph.uid = 2 : i64}) {
  // CHECK: graph.resample_backward nearest %{{.+}} {
  %dx = graph.resample_backward nearest %dy
      {window = array<i64: 1, 1>, stride = array<i64: 2, 2>,
       pre_padding = array<i64: 0, 0>, post_padding = array<i64: 0, 0>}
      : (tensor<2x4x4x4xf32>) -> tensor<2x4x8x8xf32>
  graph.return %dx : tensor<2x4x8x8xf32>
}
