// RUN: graph-opt %s --pass-pipeline='builtin.module(graph.graph(graph-recognize-softmax))' \
// RUN:   --remarks-filter-passed='graph-recognize-softmax' --remark-format=emitRemark \
// RUN:   -o /dev/null 2>&1 | FileCheck %s

!x = tensor<2x4x8xf32>
!r = tensor<2x4x1xf32>
graph.graph @five_operations(%x: !x {graph.uid = 1 : i64})
    -> (!x {graph.uid = 2 : i64}) {
  // CHECK: remark: {{.*}}SoftmaxRecognized{{.*}}five operations are a softmax
  %m = graph.reduction max %x : (!x) -> !r
  %d = graph.sub %x, %m : (!x, !r) -> !x
  %e = graph.exp %d : (!x) -> !x
  %l = graph.reduction add %e : (!x) -> !r
  %s = graph.div %e, %l : (!x, !r) -> !x
  graph.return %s : !x
}
