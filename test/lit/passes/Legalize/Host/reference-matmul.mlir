// RUN: graph-opt %s --graph-legalize-host-reference --canonicalize | FileCheck %s

// The whole sum is in f64, in order; B broadcasts over the batch.
// CHECK-LABEL: func.func @opgraph_matmul_reference(
// CHECK: scf.for %[[Z:[^ ]+]] =
// CHECK: scf.for %[[M:[^ ]+]] =
// CHECK: scf.for %[[N:[^ ]+]] =
// CHECK: %[[SUM:.+]] = scf.for %[[K:[^ ]+]] = {{.*}} iter_args(%[[ACC:.+]] = %{{.+}}) -> (f64)
// CHECK: memref.load %arg0[%[[Z]], %[[M]], %[[K]]]
// CHECK: memref.load %arg1[%c0, %[[K]], %[[N]]]
// CHECK: %[[P:.+]] = arith.mulf %{{.+}}, %{{.+}} : f64
// CHECK: arith.addf %[[ACC]], %[[P]] : f64
// CHECK: arith.truncf %[[SUM]] : f64 to f32
graph.graph @matmul(%a: tensor<3x4x8xf32> {graph.uid = 1 : i64},
                    %b: tensor<1x8x2xf32> {graph.uid = 2 : i64})
    -> (tensor<3x4x2xf32> {graph.uid = 3 : i64}) {
  %0 = graph.matmul %a, %b
      : (tensor<3x4x8xf32>, tensor<1x8x2xf32>) -> tensor<3x4x2xf32>
  graph.return %0 : tensor<3x4x2xf32>
}

// CHECK-LABEL: func.func @opgraph_int8_reference(
// CHECK: %[[SUM:.+]] = scf.for
// CHECK: arith.muli %{{.+}}, %{{.+}} : i64
// CHECK: arith.trunci %[[SUM]] : i64 to i32
graph.graph @int8(%a: tensor<4x8xi8> {graph.uid = 1 : i64},
                  %b: tensor<8x2xi8> {graph.uid = 2 : i64})
    -> (tensor<4x2xi32> {graph.uid = 3 : i64}) attributes {compute_type = i32} {
  %0 = graph.matmul %a, %b : (tensor<4x8xi8>, tensor<8x2xi8>) -> tensor<4x2xi32>
  graph.return %0 : tensor<4x2xi32>
}

// Beyond the true size, clamped to the extent, elements read as the padding.
// CHECK-LABEL: func.func @opgraph_override_reference(
// CHECK: memref.load %arg2
// CHECK: arith.maxsi
// CHECK: %[[DEPTH:[^ ]+]] = arith.minsi %{{.+}}, %c8
// CHECK: scf.for %[[K:[^ ]+]] =
// CHECK: %[[INSIDE:.+]] = arith.cmpi slt, %[[K]], %[[DEPTH]]
// CHECK: arith.select %[[INSIDE]], %{{.+}}, %cst{{.*}} : f64
graph.graph @override(%a: tensor<4x8xf32> {graph.uid = 1 : i64},
                      %b: tensor<8x2xf32> {graph.uid = 2 : i64},
                      %k: tensor<1x1xi32> {graph.uid = 3 : i64})
    -> (tensor<4x2xf32> {graph.uid = 4 : i64}) {
  %0 = graph.matmul %a, %b k_override %k {padding = 1.5 : f64}
      : (tensor<4x8xf32>, tensor<8x2xf32>, tensor<1x1xi32>) -> tensor<4x2xf32>
  graph.return %0 : tensor<4x2xf32>
}
