// RUN: graph-opt %s --graph-legalize-nvptx-pointwise --mlir-print-local-scope --split-input-file | FileCheck %s

// 4-bit elements, two in a byte: a thread holds both halves of its bytes.

// CHECK-LABEL: plan.program @aligned
// CHECK-NOT: workspace
// CHECK: args [#plan.pointer<0>, #plan.pointer<1>, 1 : i32, 256 : i32]
// CHECK: tile.view {{.*}} sizes[%[[HALF:.*]]] : <i8, align 16, readonly> -> <?:4xi8, strides [1]
// CHECK: tile.gather {{.*}} vector(4) {{.*}} -> <1x128xi8, #tile.blocked<vector = 4
// CHECK: tile.unpack {{.*}} -> <1x256xi8, #tile.blocked<vector = 8
graph.graph @aligned(%x: tensor<4x64xf4E2M1FN> {graph.uid = 1 : i64})
    -> (tensor<4x64xbf16> {graph.uid = 2 : i64}) {
  %0 = graph.neg %x : (tensor<4x64xf4E2M1FN>) -> tensor<4x64xbf16>
  graph.return %0 : tensor<4x64xbf16>
}

// -----

// CHECK-LABEL: plan.program @rows
// CHECK: args [#plan.pointer<0>, #plan.pointer<1>, 4 : i32, 64 : i32, 96, 32]
// CHECK: tile.map
// CHECK: tile.pack {{.*}} -> <16x32xi8, #tile.blocked<vector = 2
// CHECK: tile.scatter
graph.graph @rows(%x: tensor<4x64xf32, #graph.layout<strides = [96, 1]>> {graph.uid = 1 : i64})
    -> (tensor<4x64xi4> {graph.uid = 2 : i64}) {
  %0 = graph.neg %x
      : (tensor<4x64xf32, #graph.layout<strides = [96, 1]>>) -> tensor<4x64xi4>
  graph.return %0 : tensor<4x64xi4>
}

// -----

// Neighbours in memory become neighbouring rows: a kernel of its own gives each
// element a byte.

// CHECK-LABEL: plan.program @transposed
// CHECK-SAME: workspace <shared = affine_map<() -> (256)>
// CHECK: plan.launch @[[UNPACK:[^ ]+]] {{.*}} args [#plan.pointer<0>, #plan.scratch<affine_map<() -> (0)>>
// CHECK: plan.launch {{.*}} args [#plan.scratch<affine_map<() -> (0)>>, #plan.pointer<1>
// CHECK: tile.kernel @[[UNPACK]]
graph.graph @transposed(%x: tensor<4x64xf4E2M1FN> {graph.uid = 1 : i64})
    -> (tensor<64x4xf4E2M1FN> {graph.uid = 2 : i64}) {
  %0 = graph.transpose %x [1, 0] : (tensor<4x64xf4E2M1FN>) -> tensor<64x4xf4E2M1FN>
  graph.return %0 : tensor<64x4xf4E2M1FN>
}

// -----

// A result that starts at half a byte of another's.

// CHECK-LABEL: plan.program @odd
// CHECK: plan.launch @[[UNPACK:[^ ]+]] {{.*}} args [#plan.pointer<0>, #plan.scratch<affine_map<() -> (0)>>
// CHECK: plan.launch {{.*}} args [#plan.scratch<affine_map<() -> (1)>>, #plan.pointer<1>
graph.graph @odd(%x: tensor<8xf4E2M1FN> {graph.uid = 1 : i64})
    -> (tensor<6xf32> {graph.uid = 2 : i64}) {
  %0 = graph.slice %x [1] to [7] step [1] : (tensor<8xf4E2M1FN>) -> tensor<6xf4E2M1FN>
  %1 = graph.identity %0 : (tensor<6xf4E2M1FN>) -> tensor<6xf32>
  graph.return %1 : tensor<6xf32>
}

// -----

// An element alone leaves the other half of its byte as it is.

// CHECK-LABEL: plan.program @alone
// CHECK: tile.load
// CHECK: %[[OLD:.*]] = tile.load
// CHECK: %[[BYTE:.*]] = tile.map ({{.*}} = %[[OLD]])
// CHECK: tile.sync
// CHECK: tile.store %[[BYTE]]
graph.graph @alone(%x: tensor<1xf32> {graph.uid = 1 : i64})
    -> (tensor<1xf4E2M1FN> {graph.uid = 2 : i64}) {
  %0 = graph.identity %x : (tensor<1xf32>) -> tensor<1xf4E2M1FN>
  graph.return %0 : tensor<1xf4E2M1FN>
}
