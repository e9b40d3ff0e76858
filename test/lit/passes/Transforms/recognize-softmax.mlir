// RUN: graph-opt %s --pass-pipeline='builtin.module(graph.graph(graph-recognize-softmax))' | FileCheck %s

!x = tensor<2x4x8xf32>
!r = tensor<2x4x1xf32>
// CHECK-LABEL: graph.graph @five_operations
// CHECK-SAME: (%[[X:.+]]: tensor<2x4x8xf32>
graph.graph @five_operations(%x: !x {graph.uid = 1 : i64})
    -> (!x {graph.uid = 2 : i64}) {
  // CHECK-NEXT: %[[S:.+]] = graph.softmax %[[X]] {nan_for_masked_rows} : (tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  // CHECK-NEXT: graph.return %[[S]]
  %m = graph.reduction max %x : (!x) -> !r
  %d = graph.sub %x, %m : (!x, !r) -> !x
  %e = graph.exp %d : (!x) -> !x
  %l = graph.reduction add %e : (!x) -> !r
  %s = graph.div %e, %l : (!x, !r) -> !x
  graph.return %s : !x
}

!xh = tensor<?x8xbf16, #graph.layout<symbols = ["M", ""]>>
!xf = tensor<?x8xf32, #graph.layout<symbols = ["M", ""]>>
!rh = tensor<?x1xbf16, #graph.layout<symbols = ["M", ""]>>
!rf = tensor<?x1xf32, #graph.layout<symbols = ["M", ""]>>
// A bf16 maximum of bf16 elements is exact, the result may round.
// CHECK-LABEL: graph.graph @narrow_ends
graph.graph @narrow_ends(%x: !xh {graph.uid = 1 : i64})
    -> (!xh {graph.uid = 2 : i64}) {
  // CHECK-NEXT: graph.softmax
  %m = graph.reduction max %x : (!xh) -> !rh
  %d = graph.sub %x, %m : (!xh, !rh) -> !xf
  %e = graph.exp %d : (!xf) -> !xf
  %l = graph.reduction add %e : (!xf) -> !rf
  %s = graph.div %e, %l : (!xf, !rf) -> !xh
  graph.return %s : !xh
}

// CHECK-LABEL: graph.graph @rounded_between
graph.graph @rounded_between(%x: !xh {graph.uid = 1 : i64})
    -> (!xh {graph.uid = 2 : i64}) {
  // CHECK-NOT: graph.softmax
  // CHECK: graph.return
  %m = graph.reduction max %x : (!xh) -> !rh
  %d = graph.sub %x, %m : (!xh, !rh) -> !xh
  %e = graph.exp %d : (!xh) -> !xf
  %l = graph.reduction add %e : (!xf) -> !rf
  %s = graph.div %e, %l : (!xf, !rf) -> !xh
  graph.return %s : !xh
}

// CHECK-LABEL: graph.graph @used_elsewhere
graph.graph @used_elsewhere(%x: !x {graph.uid = 1 : i64})
    -> (!x {graph.uid = 2 : i64}, !r {graph.uid = 3 : i64}) {
  // CHECK-NOT: graph.softmax
  // CHECK: graph.return
  %m = graph.reduction max %x : (!x) -> !r
  %d = graph.sub %x, %m : (!x, !r) -> !x
  %e = graph.exp %d : (!x) -> !x
  %l = graph.reduction add %e : (!x) -> !r
  %s = graph.div %e, %l : (!x, !r) -> !x
  graph.return %s, %l : !x, !r
}

// CHECK-LABEL: graph.graph @compute_types_differ
graph.graph @compute_types_differ(%x: !x {graph.uid = 1 : i64})
    -> (!x {graph.uid = 2 : i64}) {
  // CHECK-NOT: graph.softmax
  // CHECK: graph.return
  %m = graph.reduction max %x : (!x) -> !r
  %d = graph.sub %x, %m : (!x, !r) -> !x
  %e = graph.exp %d {compute_type = f64} : (!x) -> !x
  %l = graph.reduction add %e : (!x) -> !r
  %s = graph.div %e, %l : (!x, !r) -> !x
  graph.return %s : !x
}

// CHECK-LABEL: graph.graph @other_axis
graph.graph @other_axis(%x: !x {graph.uid = 1 : i64})
    -> (!x {graph.uid = 2 : i64}) {
  // CHECK-NOT: graph.softmax
  // CHECK: graph.return
  %m = graph.reduction max %x : (!x) -> tensor<2x1x8xf32>
  %d = graph.sub %x, %m : (!x, tensor<2x1x8xf32>) -> !x
  %e = graph.exp %d : (!x) -> !x
  %l = graph.reduction add %e : (!x) -> tensor<2x1x8xf32>
  %s = graph.div %e, %l : (!x, tensor<2x1x8xf32>) -> !x
  graph.return %s : !x
}
