// RUN: graph-opt %s | graph-opt | FileCheck %s
// RUN: graph-opt %s --mlir-print-op-generic | graph-opt | FileCheck %s

// CHECK-LABEL: graph.graph @packed_row_major_has_no_encoding
// CHECK-SAME: (%{{.*}}: tensor<4x8xf32> {{{.*}}})
graph.graph @packed_row_major_has_no_encoding(%x: tensor<4x8xf32> {graph.uid = 1 : i64})
    -> (tensor<4x8xf32> {graph.uid = 2 : i64}) {
  %0 = graph.neg %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  graph.return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: graph.graph @strides
// CHECK-SAME: #graph.layout<strides = [16, 2]>
!strided = tensor<4x8xf32, #graph.layout<strides = [16, 2]>>
graph.graph @strides(%x: !strided {graph.uid = 1 : i64})
    -> (!strided {graph.uid = 2 : i64}) {
  %0 = graph.neg %x : (!strided) -> !strided
  graph.return %0 : !strided
}

// CHECK-LABEL: graph.graph @dynamic_strides_and_symbols
// CHECK-SAME: #graph.layout<strides = [?, 1], symbols = ["M", ""]>
!dynamic = tensor<?x64xf32, #graph.layout<symbols = ["M", ""], strides = [?, 1]>>
graph.graph @dynamic_strides_and_symbols(%x: !dynamic {graph.uid = 1 : i64})
    -> (!dynamic {graph.uid = 2 : i64}) {
  %0 = graph.neg %x : (!dynamic) -> !dynamic
  graph.return %0 : !dynamic
}

// CHECK-LABEL: graph.graph @order_and_reordering
// CHECK-SAME: #graph.layout<order = [0, 2, 3, 1], symbols = ["N", "", "", ""]>
// CHECK-SAME: #graph.layout<reordering = f8_128x4>
!channels = tensor<?x3x4x5xf16, #graph.layout<order = [0, 2, 3, 1], symbols = ["N", "", "", ""]>>
!scales = tensor<128x4xf8E4M3FN, #graph.layout<reordering = f8_128x4>>
graph.graph @order_and_reordering(%x: !channels {graph.uid = 1 : i64},
                                  %y: !scales {graph.uid = 2 : i64})
    -> (!channels {graph.uid = 3 : i64}) {
  %0 = graph.neg %x : (!channels) -> !channels
  graph.return %0 : !channels
}

// An argument may broadcast or overlap in memory; only a result may not.
// CHECK-LABEL: graph.graph @overlapping_argument
graph.graph @overlapping_argument(
    %x: tensor<4x8xf32, #graph.layout<strides = [0, 1]>> {graph.uid = 1 : i64})
    -> (tensor<4x8xf32> {graph.uid = 2 : i64}) {
  %0 = graph.neg %x : (tensor<4x8xf32, #graph.layout<strides = [0, 1]>>) -> tensor<4x8xf32>
  graph.return %0 : tensor<4x8xf32>
}

// Extents of 0 are defined, whatever the strides.
// CHECK-LABEL: graph.graph @no_elements
!empty = tensor<4x0xf32, #graph.layout<strides = [0, 0]>>
graph.graph @no_elements(%x: tensor<4x0xf32> {graph.uid = 1 : i64})
    -> (!empty {graph.uid = 2 : i64}) {
  %0 = graph.neg %x : (tensor<4x0xf32>) -> !empty
  graph.return %0 : !empty
}

// CHECK-LABEL: graph.graph @scalar
// CHECK-SAME: tensor<f32>
graph.graph @scalar(%x: tensor<f32> {graph.uid = 1 : i64})
    -> (tensor<f32> {graph.uid = 2 : i64}) {
  %0 = graph.neg %x : (tensor<f32>) -> tensor<f32>
  graph.return %0 : tensor<f32>
}

// CHECK-LABEL: graph.graph @narrow_elements
// CHECK-SAME: tensor<4x8xf4E2M1FN>
// CHECK-SAME: tensor<4x8xi4, #graph.layout<strides = [16, 1]>>
// CHECK-SAME: tensor<2x4x128xf8E8M0FNU, #graph.layout<strides = [512, 1, 4], reordering = f8_128x4>>
!halves = tensor<4x8xi4, #graph.layout<strides = [16, 1]>>
!scales_of_b = tensor<2x4x128xf8E8M0FNU, #graph.layout<strides = [512, 1, 4], reordering = f8_128x4>>
graph.graph @narrow_elements(%x: tensor<4x8xf4E2M1FN> {graph.uid = 1 : i64},
                             %y: !halves {graph.uid = 2 : i64},
                             %z: !scales_of_b {graph.uid = 3 : i64})
    -> (!halves {graph.uid = 4 : i64}, tensor<2x4x128xf8E8M0FNU> {graph.uid = 5 : i64}) {
  %0 = graph.add %x, %y : (tensor<4x8xf4E2M1FN>, !halves) -> !halves
  %1 = graph.identity %z : (!scales_of_b) -> tensor<2x4x128xf8E8M0FNU>
  graph.return %0, %1 : !halves, tensor<2x4x128xf8E8M0FNU>
}
