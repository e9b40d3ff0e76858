// RUN: graph-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: graph.graph @transpose_of_transpose
// CHECK-SAME: (%[[X:.+]]: tensor
graph.graph @transpose_of_transpose(%x: tensor<2x3x4xf32> {graph.uid = 1 : i64})
    -> (tensor<4x2x3xf32> {graph.uid = 2 : i64}) {
  // CHECK-NEXT: %[[Y:.+]] = graph.transpose %[[X]] [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  // CHECK-NEXT: graph.return %[[Y]]
  %0 = graph.transpose %x [1, 0, 2]
      : (tensor<2x3x4xf32>) -> tensor<3x2x4xf32>
  %1 = graph.transpose %0 [2, 1, 0]
      : (tensor<3x2x4xf32>) -> tensor<4x2x3xf32>
  graph.return %1 : tensor<4x2x3xf32>
}

// CHECK-LABEL: graph.graph @transpose_there_and_back
// CHECK-SAME: (%[[X:.+]]: tensor
graph.graph @transpose_there_and_back(%x: tensor<2x3xf32> {graph.uid = 1 : i64})
    -> (tensor<2x3xf32> {graph.uid = 2 : i64}) {
  // CHECK-NEXT: graph.relu %[[X]]
  %0 = graph.transpose %x [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = graph.transpose %0 [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
  %2 = graph.relu %1 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  graph.return %2 : tensor<2x3xf32>
}

// A graph returns no argument, so the copy stays.
// CHECK-LABEL: graph.graph @returned_identity_stays
graph.graph @returned_identity_stays(%x: tensor<2x3xf32> {graph.uid = 1 : i64})
    -> (tensor<2x3xf32> {graph.uid = 2 : i64},
        tensor<2x3xf32> {graph.uid = 3 : i64},
        tensor<2x3xf32> {graph.uid = 4 : i64},
        tensor<2x3xf32> {graph.uid = 5 : i64}) {
  // CHECK: graph.transpose
  // CHECK: graph.slice
  // CHECK: graph.reshape
  // CHECK: graph.concatenate
  %0 = graph.transpose %x [0, 1] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = graph.slice %x [0, 0] to [2, 3] step [1, 1]
      : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = graph.reshape logical %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %3 = graph.concatenate %x axis 0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  graph.return %0, %1, %2, %3
      : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
}

// CHECK-LABEL: graph.graph @reshape_of_reshape
// CHECK-SAME: (%[[X:.+]]: tensor
graph.graph @reshape_of_reshape(%x: tensor<4x6xf32> {graph.uid = 1 : i64})
    -> (tensor<3x8xf32> {graph.uid = 2 : i64}) {
  // CHECK-NEXT: %[[Y:.+]] = graph.reshape logical %[[X]] : (tensor<4x6xf32>) -> tensor<3x8xf32>
  // CHECK-NEXT: graph.return %[[Y]]
  %0 = graph.reshape logical %x : (tensor<4x6xf32>) -> tensor<24xf32>
  %1 = graph.reshape view_only %0 : (tensor<24xf32>) -> tensor<3x8xf32>
  graph.return %1 : tensor<3x8xf32>
}

!t = tensor<6x4xf32, #graph.layout<strides = [1, 6]>>
// A view that transposes is not a logical reshape, and is not merged with one.
// CHECK-LABEL: graph.graph @view_in_other_order
graph.graph @view_in_other_order(%x: tensor<4x6xf32> {graph.uid = 1 : i64})
    -> (tensor<24xf32> {graph.uid = 2 : i64}) {
  // CHECK-NEXT: graph.reshape view_only
  // CHECK-NEXT: graph.reshape logical
  %0 = graph.reshape view_only %x : (tensor<4x6xf32>) -> !t
  %1 = graph.reshape logical %0 : (!t) -> tensor<24xf32>
  graph.return %1 : tensor<24xf32>
}

// CHECK-LABEL: graph.graph @views_merge
// CHECK-SAME: (%[[X:.+]]: tensor
graph.graph @views_merge(%x: tensor<4x6xf32> {graph.uid = 1 : i64})
    -> (tensor<24xf32> {graph.uid = 2 : i64}) {
  // CHECK-NEXT: graph.reshape logical %[[X]] : (tensor<4x6xf32>) -> tensor<24xf32>
  %0 = graph.reshape view_only %x : (tensor<4x6xf32>) -> !t
  %1 = graph.reshape view_only %0 : (!t) -> tensor<24xf32>
  graph.return %1 : tensor<24xf32>
}

// CHECK-LABEL: graph.graph @slice_of_slice
// CHECK-SAME: (%[[X:.+]]: tensor
graph.graph @slice_of_slice(%x: tensor<20x8xf32> {graph.uid = 1 : i64})
    -> (tensor<3x8xf32> {graph.uid = 2 : i64}) {
  // Rows 1, 4, 7, 10, 13, 16 and then 4, 10, 16.
  // CHECK-NEXT: graph.slice %[[X]] [4, 0] to [17, 8] step [6, 1] : (tensor<20x8xf32>) -> tensor<3x8xf32>
  %0 = graph.slice %x [1, 0] to [18, 8] step [3, 1]
      : (tensor<20x8xf32>) -> tensor<6x8xf32>
  %1 = graph.slice %0 [1, 0] to [6, 8] step [2, 1]
      : (tensor<6x8xf32>) -> tensor<3x8xf32>
  graph.return %1 : tensor<3x8xf32>
}

// CHECK-LABEL: graph.graph @whole_slice_and_single_concatenate
// CHECK-SAME: (%[[X:.+]]: tensor
graph.graph @whole_slice_and_single_concatenate(
    %x: tensor<2x3xf32> {graph.uid = 1 : i64})
    -> (tensor<2x3xf32> {graph.uid = 2 : i64}) {
  // CHECK-NEXT: graph.relu %[[X]]
  %0 = graph.slice %x [0, 0] to [2, 3] step [1, 1]
      : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = graph.concatenate %0 axis 1 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = graph.relu %1 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  graph.return %2 : tensor<2x3xf32>
}

// CHECK-LABEL: graph.graph @empty_slice
graph.graph @empty_slice(%x: tensor<4xf32> {graph.uid = 1 : i64})
    -> (tensor<0xf32> {graph.uid = 2 : i64}) {
  // CHECK-NEXT: graph.slice %{{.+}} [0] to [0] step [1] : (tensor<4xf32>) -> tensor<0xf32>
  %0 = graph.slice %x [4] to [4] step [9223372036854775807]
      : (tensor<4xf32>) -> tensor<0xf32>
  %1 = graph.slice %0 [0] to [0] step [9223372036854775807]
      : (tensor<0xf32>) -> tensor<0xf32>
  graph.return %1 : tensor<0xf32>
}

!d = tensor<?x8xf32, #graph.layout<symbols = ["M", ""]>>
!d4 = tensor<?x4xf32, #graph.layout<symbols = ["M", ""]>>
!d2 = tensor<?x2xf32, #graph.layout<symbols = ["M", ""]>>
!td = tensor<8x?xf32, #graph.layout<symbols = ["", "M"]>>
// CHECK-LABEL: graph.graph @symbols
// CHECK-SAME: (%[[X:.+]]: tensor
graph.graph @symbols(%x: !d {graph.uid = 1 : i64})
    -> (!d2 {graph.uid = 2 : i64}) {
  // CHECK-NEXT: graph.slice %[[X]] [0, 2] to [-1, 7] step [1, 4] :
  %0 = graph.transpose %x [1, 0] : (!d) -> !td
  %1 = graph.transpose %0 [1, 0] : (!td) -> !d
  %2 = graph.slice %1 [0, 0] to [-1, 8] step [1, 2] : (!d) -> !d4
  %3 = graph.slice %2 [0, 1] to [-1, 4] step [1, 2] : (!d4) -> !d2
  graph.return %3 : !d2
}
