// RUN: graph-opt %s | graph-opt | FileCheck %s

!w = tensor<3x8x16xbf16, #graph.layout<strides = [128, 1, 8]>>

// Starts of three experts.
// CHECK-LABEL: graph.graph @none
graph.graph @none(
    %t: tensor<1x20x8xbf16> {graph.uid = 1 : i64}, %w: !w {graph.uid = 2 : i64},
    %o: tensor<3x1x1xi32> {graph.uid = 3 : i64})
    -> (tensor<1x20x16xbf16> {graph.uid = 4 : i64}) {
  // CHECK: graph.moe_grouped_matmul %{{[^{]+}} : (
  %0 = graph.moe_grouped_matmul %t, %w, %o
      : (tensor<1x20x8xbf16>, !w, tensor<3x1x1xi32>) -> tensor<1x20x16xbf16>
  graph.return %0 : tensor<1x20x16xbf16>
}

// Boundaries of two batches of three experts.
// CHECK-LABEL: graph.graph @gather
graph.graph @gather(
    %t: tensor<1x5x8xbf16> {graph.uid = 1 : i64}, %w: !w {graph.uid = 2 : i64},
    %o: tensor<7xi64> {graph.uid = 3 : i64},
    %i: tensor<1x20x1xi32> {graph.uid = 4 : i64})
    -> (tensor<1x20x16xf32> {graph.uid = 5 : i64}) {
  // CHECK: graph.moe_grouped_matmul %{{.+}} token_index %{{.+}} {ieee, mode = #graph<moe_mode gather>}
  %0 = graph.moe_grouped_matmul %t, %w, %o token_index %i
      {mode = #graph<moe_mode gather>, ieee}
      : (tensor<1x5x8xbf16>, !w, tensor<7xi64>, tensor<1x20x1xi32>)
      -> tensor<1x20x16xf32>
  graph.return %0 : tensor<1x20x16xf32>
}

// CHECK-LABEL: graph.graph @scatter
graph.graph @scatter(
    %t: tensor<1x20x8xbf16> {graph.uid = 1 : i64}, %w: !w {graph.uid = 2 : i64},
    %o: tensor<1x4xi32> {graph.uid = 3 : i64},
    %i: tensor<1x20x1xi32> {graph.uid = 4 : i64},
    %k: tensor<1x20x1xi32> {graph.uid = 5 : i64})
    -> (tensor<1x20x16xf32> {graph.uid = 6 : i64}) {
  // CHECK: graph.moe_grouped_matmul
  // CHECK-SAME: token_index %{{.+}} token_ks
  // CHECK-SAME: top_k = 2
  %0 = graph.moe_grouped_matmul %t, %w, %o token_index %i token_ks %k
      {mode = #graph<moe_mode scatter>, top_k = 2 : i64}
      : (tensor<1x20x8xbf16>, !w, tensor<1x4xi32>, tensor<1x20x1xi32>,
         tensor<1x20x1xi32>) -> tensor<1x20x16xf32>
  graph.return %0 : tensor<1x20x16xf32>
}

!t = tensor<1x?x8xbf16, #graph.layout<symbols = ["", "R", ""]>>
!i = tensor<1x?x1xi32, #graph.layout<symbols = ["", "R", ""]>>
!s = tensor<1x?x2xf32, #graph.layout<symbols = ["", "T", ""]>>
!o = tensor<1x?x16xf32, #graph.layout<symbols = ["", "T", ""]>>
// CHECK-LABEL: graph.graph @combine
graph.graph @combine(
    %t: !t {graph.uid = 1 : i64}, %w: !w {graph.uid = 2 : i64},
    %o: tensor<4xi32> {graph.uid = 3 : i64}, %i: !i {graph.uid = 4 : i64},
    %k: !i {graph.uid = 5 : i64}, %s: !s {graph.uid = 6 : i64})
    -> (!o {graph.uid = 7 : i64}) {
  // CHECK: graph.moe_grouped_matmul
  // CHECK-SAME: top_k_scores
  %0 = graph.moe_grouped_matmul %t, %w, %o token_index %i token_ks %k
      top_k_scores %s {mode = #graph<moe_mode combine>}
      : (!t, !w, tensor<4xi32>, !i, !i, !s) -> !o
  graph.return %0 : !o
}

// CHECK-LABEL: graph.graph @backward
graph.graph @backward(
    %d: tensor<1x20x16xbf16> {graph.uid = 1 : i64},
    %t: tensor<1x20x8xbf16> {graph.uid = 2 : i64},
    %o: tensor<7x1x1xi32> {graph.uid = 3 : i64})
    -> (!w {graph.uid = 4 : i64}) {
  // CHECK: graph.moe_grouped_matmul_bwd %{{.+}}, %{{.+}}, %{{.+}} : (
  %0 = graph.moe_grouped_matmul_bwd %d, %t, %o
      : (tensor<1x20x16xbf16>, tensor<1x20x8xbf16>, tensor<7x1x1xi32>) -> !w
  graph.return %0 : !w
}

// One expert needs boundaries; an integer compute type.
// CHECK-LABEL: graph.graph @one_expert
graph.graph @one_expert(
    %t: tensor<1x0x8xi8> {graph.uid = 1 : i64},
    %w: tensor<1x8x4xi8> {graph.uid = 2 : i64},
    %o: tensor<2xi32> {graph.uid = 3 : i64})
    -> (tensor<1x0x4xi32> {graph.uid = 4 : i64}) {
  // CHECK: graph.moe_grouped_matmul
  %0 = graph.moe_grouped_matmul %t, %w, %o {compute_type = i32}
      : (tensor<1x0x8xi8>, tensor<1x8x4xi8>, tensor<2xi32>) -> tensor<1x0x4xi32>
  graph.return %0 : tensor<1x0x4xi32>
}
