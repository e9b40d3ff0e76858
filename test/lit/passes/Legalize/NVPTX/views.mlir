// RUN: graph-opt %s --graph-legalize-nvptx-pointwise --mlir-print-local-scope --split-input-file | FileCheck %s

// A slice of an argument is read where it lies: an offset of 2 * 64 + 4 elements,
// of which 16 bytes are a multiple of the offset.

// CHECK-LABEL: plan.program @slice
// CHECK: args [#plan.pointer<0, offset = affine_map<() -> (528)>>, #plan.pointer<1>
// CHECK: tile.kernel
// CHECK-SAME: !tile.ptr<f32, align 16, readonly>
graph.graph @slice(%x: tensor<8x64xf32> {graph.uid = 1 : i64})
    -> (tensor<4x32xf32> {graph.uid = 2 : i64}) {
  %0 = graph.slice %x [2, 4] to [6, 36] step [1, 1] : (tensor<8x64xf32>) -> tensor<4x32xf32>
  %1 = graph.relu %0 : (tensor<4x32xf32>) -> tensor<4x32xf32>
  graph.return %1 : tensor<4x32xf32>
}

// -----

// A transpose swaps strides.

// CHECK-LABEL: plan.program @transpose
// CHECK: args [#plan.pointer<0>, #plan.pointer<1>, 64 : i32, 8 : i32,
graph.graph @transpose(%x: tensor<8x64xf32> {graph.uid = 1 : i64})
    -> (tensor<64x8xf32> {graph.uid = 2 : i64}) {
  %0 = graph.transpose %x [1, 0] : (tensor<8x64xf32>) -> tensor<64x8xf32>
  graph.return %0 : tensor<64x8xf32>
}
