// RUN: graph-opt %s | graph-opt | FileCheck %s

!q = tensor<2x8x64x32xbf16>
!kv = tensor<2x2x48x32xbf16>
// CHECK-LABEL: graph.graph @grouped_heads
graph.graph @grouped_heads(%q: !q {graph.uid = 1 : i64},
                           %k: !kv {graph.uid = 2 : i64},
                           %v: tensor<2x4x48x16xbf16> {graph.uid = 3 : i64})
    -> (tensor<2x8x64x16xbf16> {graph.uid = 4 : i64},
        tensor<2x8x64x1xf32> {graph.uid = 5 : i64}) {
  // CHECK: graph.sdpa %{{.+}}, %{{.+}}, %{{.+}} {attn_scale_value = 1.250000e-01 : f64, generate_stats} : (
  // CHECK-SAME: stats tensor<2x8x64x1xf32>
  %o, %stats = graph.sdpa %q, %k, %v
      {attn_scale_value = 0.125 : f64, generate_stats}
      : (!q, !kv, tensor<2x4x48x16xbf16>)
      -> tensor<2x8x64x16xbf16> stats tensor<2x8x64x1xf32>
  graph.return %o, %stats : tensor<2x8x64x16xbf16>, tensor<2x8x64x1xf32>
}

// CHECK-LABEL: graph.graph @every_mask
graph.graph @every_mask(%q: !q {graph.uid = 1 : i64},
                        %k: !kv {graph.uid = 2 : i64},
                        %v: !kv {graph.uid = 3 : i64},
                        %scale: tensor<1x1x1x1xf32>
                            {graph.uid = 4 : i64, graph.by_value},
                        %bias: tensor<1x8x64x48xbf16> {graph.uid = 5 : i64},
                        %lq: tensor<2x1x1x1xi32> {graph.uid = 6 : i64},
                        %lkv: tensor<2x1x1x1xi64> {graph.uid = 7 : i64})
    -> (!q {graph.uid = 8 : i64}) {
  // CHECK: graph.sdpa %{{.+}} scale %{{.+}} bias %{{.+}} seq_len_q %{{.+}} seq_len_kv %{{.+}} {diagonal_alignment = #graph<diagonal_alignment bottom_right>, diagonal_band_left_bound = 16 : i64, diagonal_band_right_bound = 0 : i64, use_padding_mask} :
  %o = graph.sdpa %q, %k, %v scale %scale bias %bias
      seq_len_q %lq seq_len_kv %lkv
      {use_padding_mask,
       diagonal_alignment = #graph<diagonal_alignment bottom_right>,
       diagonal_band_left_bound = 16 : i64,
       diagonal_band_right_bound = 0 : i64}
      : (!q, !kv, !kv, tensor<1x1x1x1xf32>, tensor<1x8x64x48xbf16>,
         tensor<2x1x1x1xi32>, tensor<2x1x1x1xi64>) -> !q
  graph.return %o : !q
}

!qd = tensor<?x4x?x64xf32, #graph.layout<order = [0, 2, 1, 3], symbols = ["B", "", "Sq", ""]>>
!kd = tensor<?x1x?x64xf32, #graph.layout<symbols = ["B", "", "Skv", ""]>>
!bd = tensor<?x?xf32, #graph.layout<symbols = ["Sq", "Skv"]>>
// f32 attention over dynamic sequences in [B, S, H, D] memory order.
// CHECK-LABEL: graph.graph @symbols
graph.graph @symbols(%q: !qd {graph.uid = 1 : i64},
                     %k: !kd {graph.uid = 2 : i64},
                     %v: !kd {graph.uid = 3 : i64},
                     %bias: !bd {graph.uid = 4 : i64})
    -> (!qd {graph.uid = 5 : i64}) {
  // CHECK: graph.sdpa %{{.+}} bias %{{.+}} : (
  %o = graph.sdpa %q, %k, %v bias %bias : (!qd, !kd, !kd, !bd) -> !qd
  graph.return %o : !qd
}
