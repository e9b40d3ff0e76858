// RUN: graph-opt %s --graph-legalize-host-fused | FileCheck %s

// A pointwise graph of one loop may run in place, where layouts agree.
// CHECK-LABEL: plan.program @one_loop
// CHECK-SAME: "host.fused"
// CHECK: plan.alias 0, 2
// CHECK-NOT: plan.alias
// CHECK: plan.host_call @opgraph_one_loop_fused
graph.graph @one_loop(
    %x: tensor<4x8xf32> {graph.uid = 1 : i64},
    %y: tensor<4x8xf32, #graph.layout<strides = [1, 4]>> {graph.uid = 2 : i64})
    -> (tensor<4x8xf32> {graph.uid = 3 : i64}) {
  %0 = graph.exp %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = graph.add %0, %y
      : (tensor<4x8xf32>, tensor<4x8xf32, #graph.layout<strides = [1, 4]>>)
      -> tensor<4x8xf32>
  graph.return %1 : tensor<4x8xf32>
}

// With two loops the first would overwrite what the second reads.
// CHECK-LABEL: plan.program @two_loops
// CHECK-NOT: plan.alias
// CHECK: plan.host_call
graph.graph @two_loops(%x: tensor<4x8xf32> {graph.uid = 1 : i64})
    -> (tensor<4x8xf32> {graph.uid = 2 : i64},
        tensor<4x8xf32> {graph.uid = 3 : i64}) {
  %0 = graph.exp %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = graph.neg %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  graph.return %0, %1 : tensor<4x8xf32>, tensor<4x8xf32>
}

// Dynamic extents are those of the operand that binds their symbol.
// CHECK-LABEL: func.func @opgraph_symbols_fused(
// CHECK: %[[M:.+]] = memref.dim %arg0, %c0
// CHECK: tensor.empty(%[[M]]) : tensor<?x8xf32>
graph.graph @symbols(
    %x: tensor<?x8xf32, #graph.layout<symbols = ["M", ""]>> {graph.uid = 1 : i64})
    -> (tensor<?x8xf32, #graph.layout<symbols = ["M", ""]>> {graph.uid = 2 : i64}) {
  %0 = graph.exp %x : (tensor<?x8xf32, #graph.layout<symbols = ["M", ""]>>)
      -> tensor<?x8xf32, #graph.layout<symbols = ["M", ""]>>
  graph.return %0 : tensor<?x8xf32, #graph.layout<symbols = ["M", ""]>>
}

// A graph whose extents a call may override: they become symbols.
// CHECK-LABEL: func.func @opgraph_overridable_fused(
// CHECK-SAME: memref<?x?xf32
graph.graph @overridable(%x: tensor<4x8xf32> {graph.uid = 1 : i64})
    -> (tensor<4x8xf32> {graph.uid = 2 : i64}) attributes {dynamic} {
  %0 = graph.exp %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  graph.return %0 : tensor<4x8xf32>
}
