// RUN: graph-opt %s --graph-legalize-host-reference --canonicalize | FileCheck %s

// Mean, then variance about it, then the row; statistics round on their own.
// CHECK-LABEL: func.func @opgraph_layernorm_reference(
// CHECK: scf.for %[[I:[^ ]+]] = %c0 to %c4
// CHECK: %[[SUM:.+]] = scf.for
// CHECK: %[[MEAN:.+]] = arith.divf %[[SUM]]
// CHECK: scf.for
// CHECK: %[[D:.+]] = arith.subf %{{.+}}, %[[MEAN]]
// CHECK: arith.mulf %[[D]], %[[D]]
// CHECK: %[[ROOT:.+]] = math.sqrt
// CHECK: %[[INVERSE:.+]] = arith.divf %{{.+}}, %[[ROOT]]
// CHECK: scf.for
// CHECK: %[[C:.+]] = arith.subf %{{.+}}, %[[MEAN]]
// CHECK: arith.mulf %[[C]], %[[INVERSE]]
// CHECK: arith.truncf %[[MEAN]] : f64 to f32
// CHECK: arith.truncf %[[INVERSE]] : f64 to f32
graph.graph @layernorm(%x: tensor<4x8xf32> {graph.uid = 1 : i64},
                       %s: tensor<1x8xf32> {graph.uid = 2 : i64},
                       %e: tensor<1x1xf32> {graph.uid = 3 : i64})
    -> (tensor<4x8xf32> {graph.uid = 4 : i64},
        tensor<4x1xf32> {graph.uid = 5 : i64},
        tensor<4x1xf32> {graph.uid = 6 : i64}) {
  %y, %m, %r = graph.layernorm training %x scale %s epsilon %e
      : (tensor<4x8xf32>, tensor<1x8xf32>, tensor<1x1xf32>)
      -> tensor<4x8xf32> mean tensor<4x1xf32> inv_variance tensor<4x1xf32>
  graph.return %y, %m, %r : tensor<4x8xf32>, tensor<4x1xf32>, tensor<4x1xf32>
}

// Without scale, every axis but the first is normalised.
// CHECK-LABEL: func.func @opgraph_rmsnorm_reference(
// CHECK: scf.for {{.*}} to %c4
// CHECK: scf.for {{.*}} to %c2 {{.*}} iter_args
// CHECK: scf.for {{.*}} to %c8 {{.*}} iter_args
// CHECK: %[[X:.+]] = arith.extf
// CHECK: arith.mulf %[[X]], %[[X]]
graph.graph @rmsnorm(%x: tensor<4x2x8xf32> {graph.uid = 1 : i64},
                     %e: tensor<1xf32> {graph.uid = 3 : i64})
    -> (tensor<4x2x8xf32> {graph.uid = 4 : i64}) {
  %y = graph.rmsnorm inference %x epsilon %e
      : (tensor<4x2x8xf32>, tensor<1xf32>) -> tensor<4x2x8xf32>
  graph.return %y : tensor<4x2x8xf32>
}
