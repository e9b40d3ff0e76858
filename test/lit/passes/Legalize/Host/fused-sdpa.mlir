// RUN: graph-opt %s --graph-legalize-host-fused --canonicalize | FileCheck %s

// 64 rows are two tiles of 32; keys go by 96, up to the diagonal. Scores and
// output are transposed.
// CHECK-LABEL: func.func @opgraph_causal_fused(
// CHECK: scf.forall (%[[B:.+]], %[[H:.+]], %[[T:.+]]) in (2, 8, 2)
// CHECK: %[[FIRST:.+]] = arith.muli %[[T]], %c32
// CHECK: arith.minsi
// CHECK: scf.for %{{.+}} = %c0 to %{{.+}} step %c96
// CHECK-SAME: -> (tensor<32xf32>, tensor<32xf32>, tensor<48x32xf32>)
// Grouped heads: head h reads key head h * 2 / 8.
// CHECK: arith.muli %[[H]], %c2
// CHECK: arith.divui %{{.+}}, %c8
// CHECK: linalg.generic {{.*}} ins(%{{.+}}, %{{.+}} : tensor<96x16xf32>, tensor<16x32xf32>)
// CHECK: arith.select %{{.+}}, %{{.+}}, %{{.+}} : f32
// A band may hide a NaN of V, which no product with 0 does.
// CHECK: %[[CLEAN:.+]] = arith.cmpf ord
// CHECK: scf.if %[[CLEAN]]
graph.graph @causal(%q: tensor<2x8x64x16xbf16> {graph.uid = 1 : i64},
                    %k: tensor<2x2x64x16xbf16> {graph.uid = 2 : i64},
                    %v: tensor<2x2x64x48xbf16> {graph.uid = 3 : i64})
    -> (tensor<2x8x64x48xbf16> {graph.uid = 4 : i64}) {
  %o = graph.sdpa %q, %k, %v {diagonal_band_right_bound = 0 : i64}
      : (tensor<2x8x64x16xbf16>, tensor<2x2x64x16xbf16>,
         tensor<2x2x64x48xbf16>) -> tensor<2x8x64x48xbf16>
  graph.return %o : tensor<2x8x64x48xbf16>
}

// Lengths are clamped; rows past theirs are 0 with statistics -inf.
// CHECK-LABEL: func.func @opgraph_padded_fused(
// CHECK: %[[LENGTH:.+]] = arith.index_cast %{{.+}} : i32 to index
// CHECK: %[[LEAST:.+]] = arith.maxsi %[[LENGTH]], %c0
// CHECK: arith.minsi %[[LEAST]], %c5
// CHECK: math.exp
// CHECK-NOT: arith.cmpf ord
// CHECK: arith.cmpi sge
// CHECK: math.log
graph.graph @padded(%q: tensor<2x1x5x4xf32> {graph.uid = 1 : i64},
                    %k: tensor<2x1x7x4xf32> {graph.uid = 2 : i64},
                    %v: tensor<2x1x7x4xf32> {graph.uid = 3 : i64},
                    %lq: tensor<2x1x1x1xi32> {graph.uid = 4 : i64},
                    %lk: tensor<2x1x1x1xi32> {graph.uid = 5 : i64})
    -> (tensor<2x1x5x4xf32> {graph.uid = 6 : i64},
        tensor<2x1x5x1xf32> {graph.uid = 7 : i64}) {
  %o, %s = graph.sdpa %q, %k, %v seq_len_q %lq seq_len_kv %lk
      {generate_stats, use_padding_mask}
      : (tensor<2x1x5x4xf32>, tensor<2x1x7x4xf32>, tensor<2x1x7x4xf32>,
         tensor<2x1x1x1xi32>, tensor<2x1x1x1xi32>)
      -> tensor<2x1x5x4xf32> stats tensor<2x1x5x1xf32>
  graph.return %o, %s : tensor<2x1x5x4xf32>, tensor<2x1x5x1xf32>
}

// No keys: every row is masked.
// CHECK-LABEL: func.func @opgraph_no_keys_fused(
// CHECK-NOT: scf.forall
// CHECK: linalg.fill
graph.graph @no_keys(%q: tensor<1x1x5x4xf32> {graph.uid = 1 : i64},
                     %k: tensor<1x1x0x4xf32> {graph.uid = 2 : i64},
                     %v: tensor<1x1x0x4xf32> {graph.uid = 3 : i64})
    -> (tensor<1x1x5x4xf32> {graph.uid = 4 : i64}) {
  %o = graph.sdpa %q, %k, %v
      : (tensor<1x1x5x4xf32>, tensor<1x1x0x4xf32>, tensor<1x1x0x4xf32>)
      -> tensor<1x1x5x4xf32>
  graph.return %o : tensor<1x1x5x4xf32>
}
