// RUN: graph-opt %s --canonicalize --cse | FileCheck %s
// Results of attention that nobody reads are not computed; a region stays whole.

!q = tensor<1x2x4x8xf16>
!row = tensor<1x2x4x1xf32>
!s = tensor<1x2x4x4xf32>
!len = tensor<1x1x1x1xi32>
!off = tensor<2x1x1x1xi32>

// CHECK-LABEL: graph.graph @unused_results
graph.graph @unused_results(%q: !q {graph.uid = 1 : i64},
    %l: !len {graph.uid = 2 : i64}, %a: !off {graph.uid = 3 : i64},
    %b: !off {graph.uid = 4 : i64}, %c: !off {graph.uid = 5 : i64})
    -> (!q {graph.uid = 6 : i64}, !row {graph.uid = 7 : i64}) {
  // CHECK: %{{.+}}, %[[MAX:.+]] = graph.sdpa %arg0, %arg0, %arg0 seq_len_q %arg1 seq_len_kv %arg1 ragged_offset_q %arg2 ragged_offset_max %arg4
  // CHECK-SAME: {generate_max, ragged_multipliers = array<i64: 1, 3>, use_padding_mask}
  // CHECK-SAME: -> tensor<1x2x4x8xf16> max tensor<1x2x4x1xf32>
  %o, %stats, %max, %sum = graph.sdpa %q, %q, %q seq_len_q %l seq_len_kv %l
      ragged_offset_q %a ragged_offset_stats %b ragged_offset_max %c
      {generate_stats, generate_max, generate_sum_exp, use_padding_mask,
       ragged_multipliers = array<i64: 1, 2, 3>}
      : (!q, !q, !q, !len, !len, !off, !off, !off)
      -> !q stats !row max !row sum_exp !row
  graph.return %o, %max : !q, !row
}

// CHECK-LABEL: graph.graph @region
graph.graph @region(%q: !q {graph.uid = 1 : i64},
    %c: tensor<1xf32> {graph.uid = 2 : i64})
    -> (!q {graph.uid = 3 : i64}, tensor<1xf32> {graph.uid = 4 : i64}) {
  // The constant of the region is its own, though the graph has the same one.
  // CHECK: graph.constant 2.0
  // CHECK: graph.sdpa %arg0, %arg0, %arg0 captures %arg1 score_mod {
  // CHECK-NEXT: ^bb0(%[[S:.+]]: tensor<1x2x4x4xf32>, %[[C:.+]]: tensor<1xf32>):
  // CHECK-NEXT: %[[TWO:.+]] = graph.constant 2.0
  // CHECK-NEXT: %[[P:.+]] = graph.mul %[[S]], %[[TWO]]
  // CHECK-NEXT: %[[R:.+]] = graph.add %[[P]], %[[C]]
  // CHECK-NEXT: graph.yield %[[R]]
  // CHECK-NOT: stats
  // CHECK: graph.return
  %two = graph.constant 2.0 : f32 : tensor<1xf32>
  %d = graph.mul %c, %two : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %o, %stats = graph.sdpa %q, %q, %q captures %c score_mod {
  ^bb0(%s: !s, %x: tensor<1xf32>):
    %0 = graph.constant 2.0 : f32 : tensor<1xf32>
    %1 = graph.mul %s, %0 : (!s, tensor<1xf32>) -> !s
    %2 = graph.add %1, %x : (!s, tensor<1xf32>) -> !s
    graph.yield %2 : !s
  } {generate_stats} : (!q, !q, !q, tensor<1xf32>) -> !q stats !row
  graph.return %o, %d : !q, tensor<1xf32>
}
