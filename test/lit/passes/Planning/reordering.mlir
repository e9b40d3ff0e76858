// RUN: not graph-opt %s --graph-plan 2>&1 | FileCheck %s

// No host engine reads int8x32; each says so and what it would take.

// CHECK: error: 'graph.graph' op no plan for this graph on target 'host':
// CHECK: host.reference  declined  reordering(X): expected one of {none, f8_128x4}, got int8x32; nearest accepted: reordering(X) = none
// CHECK: host.fused      declined  reordering(X): expected none, got int8x32; nearest accepted: reordering(X) = none
graph.graph @blocked(%x: tensor<128x32xi8, #graph.layout<reordering = int8x32>> {graph.uid = 1 : i64, graph.name = "X"})
    -> (tensor<128x32xf32> {graph.uid = 2 : i64}) {
  %0 = graph.identity %x : (tensor<128x32xi8, #graph.layout<reordering = int8x32>>) -> tensor<128x32xf32>
  graph.return %0 : tensor<128x32xf32>
}
