// RUN: graph-opt %s --graph-legalize-host-fused --canonicalize | FileCheck %s

// A row at a time: maximum, sum of exponentials, results.
// CHECK-LABEL: func.func @opgraph_softmax_fused(
// CHECK: scf.forall (%[[ROW:.+]]) in (4) shared_outs
// CHECK: arith.maximumf
// CHECK: %[[MASKED:.+]] = arith.cmpf oeq
// CHECK: %[[SHIFT:.+]] = arith.select %[[MASKED]]
// CHECK: arith.subf %{{.+}}, %[[SHIFT]]
// CHECK-NEXT: math.exp
// CHECK-NEXT: arith.addf %{{.+}}, %{{.+}} fastmath<reassoc>
// CHECK: math.exp
// CHECK-NEXT: arith.divf
// CHECK: math.log
// CHECK: tensor.parallel_insert_slice
// CHECK: tensor.parallel_insert_slice
// CHECK: {opgraph.sequential}
graph.graph @softmax(%x: tensor<4x128xf32> {graph.uid = 1 : i64})
    -> (tensor<4x128xf32> {graph.uid = 2 : i64},
        tensor<4x1xf32> {graph.uid = 3 : i64}) {
  %s, %stats = graph.softmax %x {generate_stats}
      : (tensor<4x128xf32>) -> tensor<4x128xf32> stats tensor<4x1xf32>
  graph.return %s, %stats : tensor<4x128xf32>, tensor<4x1xf32>
}

// Variance about the mean, in a second pass; enough work to share.
// CHECK-LABEL: func.func @opgraph_layernorm_fused(
// CHECK: scf.forall (%[[ROW:.+]]) in (256) shared_outs
// CHECK: arith.addf %{{.+}}, %{{.+}} fastmath<reassoc>
// CHECK: %[[MEAN:.+]] = arith.divf
// CHECK: %[[CENTRED:.+]] = arith.subf %{{.+}}, %[[MEAN]]
// CHECK-NEXT: arith.mulf %[[CENTRED]], %[[CENTRED]]
// CHECK: math.sqrt
// CHECK: arith.subf %{{.+}}, %[[MEAN]]
// CHECK-NOT: opgraph.sequential
graph.graph @layernorm(%x: tensor<256x64xbf16> {graph.uid = 1 : i64},
                       %s: tensor<1x64xbf16> {graph.uid = 2 : i64})
    -> (tensor<256x64xbf16> {graph.uid = 3 : i64}) {
  %e = graph.constant 1.000000e-05 : f32 : tensor<1x1xf32>
  %y = graph.layernorm inference %x scale %s epsilon %e
      : (tensor<256x64xbf16>, tensor<1x64xbf16>, tensor<1x1xf32>)
      -> tensor<256x64xbf16>
  graph.return %y : tensor<256x64xbf16>
}

// Without a scale every axis but the first is normalised.
// CHECK-LABEL: func.func @opgraph_rmsnorm_fused(
// CHECK: scf.forall (%[[ROW:.+]]) in (3) shared_outs
// CHECK: tensor.extract_slice %{{.+}}[%[[ROW]], 0, 0] [1, 4, 5] [1, 1, 1]
graph.graph @rmsnorm(%x: tensor<3x4x5xf32> {graph.uid = 1 : i64})
    -> (tensor<3x4x5xf32> {graph.uid = 2 : i64}) {
  %e = graph.constant 1.000000e-05 : f32 : tensor<1x1xf32>
  %y = graph.rmsnorm inference %x epsilon %e
      : (tensor<3x4x5xf32>, tensor<1x1xf32>) -> tensor<3x4x5xf32>
  graph.return %y : tensor<3x4x5xf32>
}

// The maximum of no element is -inf.
// CHECK-LABEL: func.func @opgraph_no_columns_fused(
// CHECK: %[[LOWEST:.+]] = arith.constant 0xFF800000 : f32
// CHECK-NOT: scf.forall
// CHECK: linalg.fill ins(%[[LOWEST]] : f32)
graph.graph @no_columns(%x: tensor<4x0xf32> {graph.uid = 1 : i64})
    -> (tensor<4x0xf32> {graph.uid = 2 : i64},
        tensor<4x1xf32> {graph.uid = 3 : i64}) {
  %s, %stats = graph.softmax %x {generate_stats}
      : (tensor<4x0xf32>) -> tensor<4x0xf32> stats tensor<4x1xf32>
  graph.return %s, %stats : tensor<4x0xf32>, tensor<4x1xf32>
}
