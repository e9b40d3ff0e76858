// RUN: graph-opt %s --graph-prepare | FileCheck %s

!x = tensor<4x8xf32>
!r = tensor<4x1xf32>
// A whole slice between the five operations hides none of them; what nobody
// reads goes.
// CHECK-LABEL: graph.graph @softmax_behind_slice
// CHECK-SAME: (%[[X:.+]]: tensor<4x8xf32>
graph.graph @softmax_behind_slice(%x: !x {graph.uid = 1 : i64})
    -> (!x {graph.uid = 2 : i64}) {
  // CHECK-NEXT: %[[S:.+]] = graph.softmax %[[X]] {nan_for_masked_rows}
  // CHECK-NEXT: graph.return %[[S]]
  %unread = graph.neg %x : (!x) -> !x
  %m = graph.reduction max %x : (!x) -> !r
  %d = graph.sub %x, %m : (!x, !r) -> !x
  %e0 = graph.exp %d : (!x) -> !x
  %e = graph.slice %e0 [0, 0] to [4, 8] step [1, 1] : (!x) -> !x
  %l = graph.reduction add %e : (!x) -> !r
  %s = graph.div %e, %l : (!x, !r) -> !x
  graph.return %s : !x
}

// Equal operations whose results are both returned stay two.
// CHECK-LABEL: graph.graph @equal_results
graph.graph @equal_results(%x: !x {graph.uid = 1 : i64})
    -> (!x {graph.uid = 2 : i64}, !x {graph.uid = 3 : i64}) {
  // CHECK: %[[A:.+]] = graph.relu
  // CHECK: %[[B:.+]] = graph.relu
  // CHECK: graph.return %[[A]], %[[B]]
  %a = graph.relu %x : (!x) -> !x
  %b = graph.relu %x : (!x) -> !x
  graph.return %a, %b : !x, !x
}
