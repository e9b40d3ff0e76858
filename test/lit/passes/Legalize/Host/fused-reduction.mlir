// RUN: graph-opt %s --graph-legalize-host-fused --canonicalize | FileCheck %s

// Sums may be reassociated, and are scaled and rounded once, at the end.
// CHECK-LABEL: func.func @opgraph_average_fused(
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// CHECK: arith.addf %{{.+}}, %{{.+}} fastmath<reassoc> : f32
// CHECK: linalg.generic
// CHECK-NEXT: ^bb0
// CHECK-NEXT: arith.divf
// CHECK-NEXT: arith.truncf %{{.+}} : f32 to f16
graph.graph @average(%x: tensor<4x8xf16> {graph.uid = 1 : i64})
    -> (tensor<4x1xf16> {graph.uid = 2 : i64}) {
  %0 = graph.reduction avg %x : (tensor<4x8xf16>) -> tensor<4x1xf16>
  graph.return %0 : tensor<4x1xf16>
}

// NaN propagates through a maximum, which needs no flags; amax starts from 0.
// CHECK-LABEL: func.func @opgraph_amax_fused(
// CHECK: %[[ZERO:.+]] = arith.constant 0.000000e+00 : f32
// CHECK: linalg.fill ins(%[[ZERO]] : f32)
// CHECK: iterator_types = ["reduction", "reduction"]
// CHECK: math.absf
// CHECK-NEXT: arith.maximumf %{{.+}}, %{{.+}} : f32
graph.graph @amax(%x: tensor<4x8xf32> {graph.uid = 1 : i64})
    -> (tensor<1x1xf32> {graph.uid = 2 : i64}) {
  %0 = graph.reduction amax %x : (tensor<4x8xf32>) -> tensor<1x1xf32>
  graph.return %0 : tensor<1x1xf32>
}

// A product is formed in f64: its range is that of its factors multiplied.
// CHECK-LABEL: func.func @opgraph_product_fused(
// CHECK: arith.extf %{{.+}} : f32 to f64
// CHECK: arith.select
// CHECK: arith.mulf %{{.+}}, %{{.+}} fastmath<reassoc> : f64
graph.graph @product(%x: tensor<4x8xf32> {graph.uid = 1 : i64})
    -> (tensor<1x8xf32> {graph.uid = 2 : i64}) {
  %0 = graph.reduction mul_no_zeros %x : (tensor<4x8xf32>) -> tensor<1x8xf32>
  graph.return %0 : tensor<1x8xf32>
}
