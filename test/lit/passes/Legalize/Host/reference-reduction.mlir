// RUN: graph-opt %s --graph-legalize-host-reference --canonicalize | FileCheck %s

// Axes where the result has extent 1 are the inner loops.
// CHECK-LABEL: func.func @opgraph_avg_reference(
// CHECK-DAG: %[[COUNT:.+]] = arith.constant 8.000000e+00 : f64
// CHECK: scf.for %[[J:[^ ]+]] = %c0 to %c3
// CHECK: %[[SUM:.+]] = scf.for %[[I:[^ ]+]] = %c0 to %c4 {{.*}} iter_args
// CHECK: scf.for %[[K:[^ ]+]] = %c0 to %c2
// CHECK: memref.load %arg0[%[[I]], %[[J]], %[[K]]]
// CHECK: arith.divf %[[SUM]], %[[COUNT]] : f64
graph.graph @avg(%x: tensor<4x3x2xf32> {graph.uid = 1 : i64})
    -> (tensor<1x3x1xf32> {graph.uid = 2 : i64}) {
  %0 = graph.reduction avg %x : (tensor<4x3x2xf32>) -> tensor<1x3x1xf32>
  graph.return %0 : tensor<1x3x1xf32>
}

// CHECK-LABEL: func.func @opgraph_max_reference(
// CHECK-DAG: %[[LOWEST:.+]] = arith.constant 0xFFF0000000000000 : f64
// CHECK: scf.for {{.*}} iter_args(%[[ACC:.+]] = %[[LOWEST]])
// CHECK: arith.maximumf %[[ACC]], %{{.+}} : f64
graph.graph @max(%x: tensor<4x3xf32> {graph.uid = 1 : i64})
    -> (tensor<4x1xf32> {graph.uid = 2 : i64}) {
  %0 = graph.reduction max %x : (tensor<4x3xf32>) -> tensor<4x1xf32>
  graph.return %0 : tensor<4x1xf32>
}

// CHECK-LABEL: func.func @opgraph_mul_no_zeros_reference(
// CHECK: scf.for {{.*}} iter_args(%[[ACC:.+]] = %c1_i64)
// CHECK: %[[ZERO:.+]] = arith.cmpi eq, %[[X:.+]], %c0_i64
// CHECK: %[[P:.+]] = arith.muli %[[ACC]], %[[X]]
// CHECK: arith.select %[[ZERO]], %[[ACC]], %[[P]] : i64
graph.graph @mul_no_zeros(%x: tensor<4x3xi32> {graph.uid = 1 : i64})
    -> (tensor<4x1xi32> {graph.uid = 2 : i64}) attributes {compute_type = i32} {
  %0 = graph.reduction mul_no_zeros %x : (tensor<4x3xi32>) -> tensor<4x1xi32>
  graph.return %0 : tensor<4x1xi32>
}
