// RUN: graph-opt %s --graph-legalize-nvptx-pointwise --mlir-print-local-scope --split-input-file | FileCheck %s

// Coordinates are i32: 2^33 elements are rows of columns, though they lie packed.

// CHECK-LABEL: plan.program @large
// CHECK: grid affine_map<() -> (4194304)> dependent args [#plan.pointer<0>, #plan.pointer<1>, 1048576 : i32, 8192 : i32, 4 : i32, 8192]
graph.graph @large(%x: tensor<1048576x8192xbf16> {graph.uid = 1 : i64})
    -> (tensor<1048576x8192xbf16> {graph.uid = 2 : i64}) {
  %0 = graph.neg %x : (tensor<1048576x8192xbf16>) -> tensor<1048576x8192xbf16>
  graph.return %0 : tensor<1048576x8192xbf16>
}

// -----

// Strides and offsets are i64: rows may be 2^39 elements apart.

// CHECK-LABEL: plan.program @far
// CHECK: args [#plan.pointer<0>, #plan.pointer<1>, 2 : i32, 64 : i32, 549755813888, 64]
// CHECK: tile.view {{.*}} strides{{.*}} -> <?x?:4xf32, strides [?:4, 1]
graph.graph @far(
    %x: tensor<2x64xf32, #graph.layout<strides = [549755813888, 1]>> {graph.uid = 1 : i64})
    -> (tensor<2x64xf32> {graph.uid = 2 : i64}) {
  %0 = graph.neg %x
      : (tensor<2x64xf32, #graph.layout<strides = [549755813888, 1]>>) -> tensor<2x64xf32>
  graph.return %0 : tensor<2x64xf32>
}

// -----

// A reduction of 2^33 elements: 2^20 rows of 2^13, each below 2^31.

// CHECK-LABEL: plan.program @rows
// CHECK: plan.launch @opgraph_rows{{.*}} args [#plan.pointer<0>, #plan.pointer<1>, 1048576 : i32, 8192 : i32, 8200
graph.graph @rows(
    %x: tensor<1048576x8192xbf16, #graph.layout<strides = [8200, 1]>> {graph.uid = 1 : i64})
    -> (tensor<1048576x1xf32> {graph.uid = 2 : i64}) {
  %0 = graph.reduction amax %x
      : (tensor<1048576x8192xbf16, #graph.layout<strides = [8200, 1]>>) -> tensor<1048576x1xf32>
  graph.return %0 : tensor<1048576x1xf32>
}
