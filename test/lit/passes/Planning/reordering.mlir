// RUN: not graph-opt %s --graph-plan 2>&1 | FileCheck %s

// No host engine reads a blocked layout; each says so and what it would take.

// CHECK: error: 'graph.graph' op no plan for this graph on target 'host':
// CHECK: host.reference  declined  reordering(X): expected none, got f8_128x4; nearest accepted: reordering(X) = none
// CHECK: host.fused      declined  reordering(X): expected none, got f8_128x4; nearest accepted: reordering(X) = none
graph.graph @blocked(%x: tensor<128x4xf8E4M3FN, #graph.layout<reordering = f8_128x4>> {graph.uid = 1 : i64, graph.name = "X"})
    -> (tensor<128x4xf32> {graph.uid = 2 : i64}) {
  %0 = graph.identity %x : (tensor<128x4xf8E4M3FN, #graph.layout<reordering = f8_128x4>>) -> tensor<128x4xf32>
  graph.return %0 : tensor<128x4xf32>
}
