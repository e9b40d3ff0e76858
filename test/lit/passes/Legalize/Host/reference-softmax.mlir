// RUN: graph-opt %s --graph-legalize-host-reference --canonicalize | FileCheck %s

// A row whose maximum is -inf is 0 throughout.
// CHECK-LABEL: func.func @opgraph_softmax_reference(
// CHECK: %[[MAX:.+]] = scf.for
// CHECK: arith.maximumf
// CHECK: %[[MASKED:.+]] = arith.cmpf oeq, %[[MAX]], %{{.+}} : f64
// CHECK: %[[SUM:.+]] = scf.for
// CHECK: %[[E:.+]] = math.exp
// CHECK: arith.select %[[MASKED]], %{{.+}}, %[[E]] : f64
// CHECK: arith.select %[[MASKED]], %{{.+}}, %[[SUM]] : f64
// CHECK: %[[LOG:.+]] = math.log %[[SUM]]
// CHECK: arith.addf %[[MAX]], %[[LOG]]
graph.graph @softmax(%x: tensor<4x8xf32> {graph.uid = 1 : i64})
    -> (tensor<4x8xf32> {graph.uid = 2 : i64},
        tensor<4x1xf32> {graph.uid = 3 : i64}) {
  %s, %stats = graph.softmax %x {generate_stats}
      : (tensor<4x8xf32>) -> tensor<4x8xf32> stats tensor<4x1xf32>
  graph.return %s, %stats : tensor<4x8xf32>, tensor<4x1xf32>
}

// CHECK-LABEL: func.func @opgraph_five_operations_reference(
// CHECK-NOT: arith.select
// CHECK: return
graph.graph @five_operations(%x: tensor<4x8xf32> {graph.uid = 1 : i64})
    -> (tensor<4x8xf32> {graph.uid = 2 : i64}) {
  %s = graph.softmax %x {nan_for_masked_rows}
      : (tensor<4x8xf32>) -> tensor<4x8xf32>
  graph.return %s : tensor<4x8xf32>
}
