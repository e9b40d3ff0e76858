// RUN: graph-opt %s --graph-legalize-host-reference --canonicalize | FileCheck %s

// Four query heads read two heads of K and V. The row of scores is kept, so
// that the softmax is exact; a masked column adds nothing to the output.
// CHECK-LABEL: func.func @opgraph_grouped_causal_reference(
// CHECK: %[[SCORES:.+]] = memref.alloc() : memref<5xf64>
// CHECK: %[[SUMS:.+]] = memref.alloc() : memref<6xf64>
// CHECK: scf.for %[[H:[^ ]+]] = %c0 to %c4
// CHECK: scf.for %[[I:[^ ]+]] = %c0 to %c3
// CHECK: scf.for %[[J:[^ ]+]] =
// CHECK: %[[KH:.+]] = arith.divui %[[H]], %c2
// CHECK: memref.load %arg0[%c0, %[[H]], %[[I]], %[[D:[^ ]+]]]
// CHECK: memref.load %arg1[%c0, %[[KH]], %[[J]], %[[D]]]
// CHECK: arith.mulf %{{.+}}, %cst{{.*}} : f64
// CHECK: %[[KEEP:.+]] = arith.cmpi sle, %[[J]], %[[I]]
// CHECK: %[[S:.+]] = arith.select %[[KEEP]]
// CHECK: memref.store %[[S]], %[[SCORES]][%[[J]]]
// CHECK: scf.if
// CHECK: memref.store %{{.+}}, %[[SUMS]]
graph.graph @grouped_causal(%q: tensor<1x4x3x8xf32> {graph.uid = 1 : i64},
                            %k: tensor<1x2x5x8xf32> {graph.uid = 2 : i64},
                            %v: tensor<1x2x5x6xf32> {graph.uid = 3 : i64})
    -> (tensor<1x4x3x6xf32> {graph.uid = 4 : i64}) {
  %o = graph.sdpa %q, %k, %v {attn_scale_value = 0.25 : f64,
                              diagonal_band_right_bound = 0 : i64}
      : (tensor<1x4x3x8xf32>, tensor<1x2x5x8xf32>, tensor<1x2x5x6xf32>)
      -> tensor<1x4x3x6xf32>
  graph.return %o : tensor<1x4x3x6xf32>
}

// Lengths are clamped; a padded row sees no column, a padded column is not
// read; the bottom-right band starts from the lengths.
// CHECK-LABEL: func.func @opgraph_padding_reference(
// CHECK: %[[SQ:.+]] = arith.minsi %{{.+}}, %c3
// CHECK: %[[SKV:.+]] = arith.minsi %{{.+}}, %c5
// CHECK: %[[SHIFT:.+]] = arith.subi %[[SKV]], %[[SQ]]
// CHECK: %[[ISROW:.+]] = arith.cmpi slt, %[[I:.+]], %[[SQ]]
// CHECK: %[[LIMIT:.+]] = arith.select %[[ISROW]], %[[SKV]], %c0
// CHECK: scf.for %{{.+}} = %c0 to %[[LIMIT]]
// CHECK: arith.addi %[[I]], %[[SHIFT]]
graph.graph @padding(%q: tensor<2x1x3x8xf32> {graph.uid = 1 : i64},
                     %k: tensor<2x1x5x8xf32> {graph.uid = 2 : i64},
                     %v: tensor<2x1x5x6xf32> {graph.uid = 3 : i64},
                     %sq: tensor<2x1x1x1xi32> {graph.uid = 5 : i64},
                     %skv: tensor<2x1x1x1xi32> {graph.uid = 6 : i64})
    -> (tensor<2x1x3x6xf32> {graph.uid = 4 : i64}) {
  %o = graph.sdpa %q, %k, %v seq_len_q %sq seq_len_kv %skv
      {use_padding_mask, diagonal_band_right_bound = 0 : i64,
       diagonal_alignment = #graph<diagonal_alignment bottom_right>}
      : (tensor<2x1x3x8xf32>, tensor<2x1x5x8xf32>, tensor<2x1x5x6xf32>,
         tensor<2x1x1x1xi32>, tensor<2x1x1x1xi32>) -> tensor<2x1x3x6xf32>
  graph.return %o : tensor<2x1x3x6xf32>
}
