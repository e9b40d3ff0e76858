// RUN: graph-opt %s --graph-legalize-host-reference --canonicalize | FileCheck %s

// Elements move as they are stored.
// CHECK-LABEL: func.func @opgraph_transpose_reference(
// CHECK: scf.for %[[I:[^ ]+]] = %c0 to %c4
// CHECK: scf.for %[[J:[^ ]+]] = %c0 to %c2
// CHECK: scf.for %[[K:[^ ]+]] = %c0 to %c3
// CHECK: %[[V:.+]] = memref.load %arg0[%[[J]], %[[K]], %[[I]]]
// CHECK-NEXT: memref.store %[[V]], %arg1[%[[I]], %[[J]], %[[K]]]
graph.graph @transpose(%x: tensor<2x3x4xbf16> {graph.uid = 1 : i64})
    -> (tensor<4x2x3xbf16> {graph.uid = 2 : i64}) {
  %0 = graph.transpose %x [2, 0, 1]
      : (tensor<2x3x4xbf16>) -> tensor<4x2x3xbf16>
  graph.return %0 : tensor<4x2x3xbf16>
}

// CHECK-LABEL: func.func @opgraph_slice_reference(
// CHECK: scf.for %[[I:[^ ]+]] =
// CHECK: %[[SCALED:.+]] = arith.muli %[[I]], %c3
// CHECK: %[[AT:.+]] = arith.addi %[[SCALED]], %c1
// CHECK: memref.load %arg0[%[[AT]]]
graph.graph @slice(%x: tensor<10xf32> {graph.uid = 1 : i64})
    -> (tensor<3xf32> {graph.uid = 2 : i64}) {
  %0 = graph.slice %x [1] to [10] step [3] : (tensor<10xf32>) -> tensor<3xf32>
  graph.return %0 : tensor<3xf32>
}

// CHECK-LABEL: func.func @opgraph_concatenate_reference(
// CHECK: scf.for %[[I:[^ ]+]] = %c0 to %c2
// CHECK: memref.load %arg0[%[[I]]]
// CHECK: scf.for %[[J:[^ ]+]] = %c0 to %c3
// CHECK: %[[AT:.+]] = arith.addi %[[J]], %c2
// CHECK: %[[V:.+]] = memref.load %arg1[%[[J]]]
// CHECK: memref.store %[[V]], %arg2[%[[AT]]]
graph.graph @concatenate(%x: tensor<2xi32> {graph.uid = 1 : i64},
                         %y: tensor<3xi32> {graph.uid = 2 : i64})
    -> (tensor<5xi32> {graph.uid = 3 : i64}) {
  %0 = graph.concatenate %x, %y axis 0
      : (tensor<2xi32>, tensor<3xi32>) -> tensor<5xi32>
  graph.return %0 : tensor<5xi32>
}

// VIEW_ONLY follows the declared memory orders: the transposed strides of the
// result make element (i, j) the one numbered i + 4 j.
// CHECK-LABEL: func.func @opgraph_view_reference(
// CHECK: scf.for %[[I:[^ ]+]] = %c0 to %c4
// CHECK: scf.for %[[J:[^ ]+]] = %c0 to %c6
// CHECK: %[[ROW:.+]] = arith.muli %[[J]], %c4
// CHECK: %[[NUMBER:.+]] = arith.addi %[[ROW]], %[[I]]
// CHECK: memref.load %arg0[%[[NUMBER]]]
graph.graph @view(%x: tensor<24xf32> {graph.uid = 1 : i64})
    -> (tensor<4x6xf32, #graph.layout<strides = [1, 4]>> {graph.uid = 2 : i64}) {
  %0 = graph.reshape view_only %x
      : (tensor<24xf32>) -> tensor<4x6xf32, #graph.layout<strides = [1, 4]>>
  graph.return %0 : tensor<4x6xf32, #graph.layout<strides = [1, 4]>>
}
