// Layout ops of what is computed: served by another order of reads or writes,
// else by a value in workspace.
// RUN: graph-opt %s --graph-legalize-nvptx-pointwise --mlir-print-local-scope --split-input-file | FileCheck %s

// A result that is a concatenate: each input is written where it belongs.

// CHECK-LABEL: plan.program @concatenate
// CHECK-NOT: workspace
// CHECK: plan.launch {{.*}} args [#plan.pointer<0>, #plan.pointer<2>, 4 : i32, 8 : i32, 8, 11]
// CHECK: plan.launch {{.*}} args [#plan.pointer<1>, #plan.pointer<2, offset = affine_map<() -> (32)>>, 4 : i32, 3 : i32, 3, 11]
// CHECK-NOT: plan.launch
graph.graph @concatenate(%a: tensor<4x8xf32> {graph.uid = 1 : i64},
                         %b: tensor<4x3xf32> {graph.uid = 2 : i64})
    -> (tensor<4x11xf32> {graph.uid = 3 : i64}) {
  %0 = graph.relu %a : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = graph.concatenate %0, %b axis 1 : (tensor<4x8xf32>, tensor<4x3xf32>) -> tensor<4x11xf32>
  graph.return %1 : tensor<4x11xf32>
}

// -----

// One that is computed with passes through workspace; its transpose is an order
// in which that is read.

// CHECK-LABEL: plan.program @inside
// CHECK-SAME: workspace <shared = affine_map<() -> (256)>
// CHECK: plan.launch {{.*}} args [#plan.pointer<0>, #plan.scratch<affine_map<() -> (0)>>, 4 : i32, 8 : i32, 8, 11]
// CHECK: plan.launch {{.*}} args [#plan.pointer<1>, #plan.scratch<affine_map<() -> (32)>>, 4 : i32, 3 : i32, 3, 11]
// CHECK: plan.launch {{.*}} args [#plan.scratch<affine_map<() -> (0)>>, #plan.pointer<2>, 11 : i32, 4 : i32, 1, 11, 4]
graph.graph @inside(%a: tensor<4x8xf32> {graph.uid = 1 : i64},
                    %b: tensor<4x3xf32> {graph.uid = 2 : i64})
    -> (tensor<11x4xf32> {graph.uid = 3 : i64}) {
  %0 = graph.relu %a : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = graph.concatenate %0, %b axis 1 : (tensor<4x8xf32>, tensor<4x3xf32>) -> tensor<4x11xf32>
  %2 = graph.transpose %1 [1, 0] : (tensor<4x11xf32>) -> tensor<11x4xf32>
  %3 = graph.neg %2 : (tensor<11x4xf32>) -> tensor<11x4xf32>
  graph.return %3 : tensor<11x4xf32>
}

// -----

// A transpose and a slice of a sum are sums of transposes and slices.

// CHECK-LABEL: plan.program @sunk
// CHECK-NOT: workspace
// CHECK: plan.launch {{.*}} args [#plan.pointer<0>, #plan.pointer<1>, #plan.pointer<2>, 8 : i32, 4 : i32,
// CHECK: plan.launch {{.*}} args [#plan.pointer<0, offset = affine_map<() -> (4)>>, #plan.pointer<1, offset = affine_map<() -> (4)>>, #plan.pointer<3>, 6 : i32, 4 : i32,
graph.graph @sunk(%a: tensor<4x8xf32> {graph.uid = 1 : i64},
                  %b: tensor<8xf32> {graph.uid = 2 : i64})
    -> (tensor<8x4xf32> {graph.uid = 3 : i64}, tensor<6x4xf32> {graph.uid = 4 : i64}) {
  %0 = graph.add %a, %b : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  %1 = graph.transpose %0 [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  %2 = graph.neg %1 : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %3 = graph.slice %2 [1, 0] to [7, 4] step [1, 1] : (tensor<8x4xf32>) -> tensor<6x4xf32>
  graph.return %2, %3 : tensor<8x4xf32>, tensor<6x4xf32>
}

// -----

// A reshape of a sum with a row: as a result it is the sum in its own extents,
// inside it passes through workspace. One kernel writes both.

// CHECK-LABEL: plan.program @reshape
// CHECK-SAME: workspace <shared = affine_map<() -> (256)>
// CHECK: plan.launch {{.*}} args [#plan.pointer<0>, #plan.pointer<1>, #plan.scratch<affine_map<() -> (0)>>, #plan.pointer<2>, 4 : i32, 8 : i32,
// CHECK: plan.launch {{.*}} args [#plan.scratch<affine_map<() -> (0)>>, #plan.pointer<3>, 16 : i32, 2 : i32,
graph.graph @reshape(%a: tensor<4x8xf32> {graph.uid = 1 : i64},
                     %b: tensor<8xf32> {graph.uid = 2 : i64})
    -> (tensor<2x16xf32> {graph.uid = 3 : i64}, tensor<16x2xf32> {graph.uid = 4 : i64}) {
  %0 = graph.add %a, %b : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  %1 = graph.reshape logical %0 : (tensor<4x8xf32>) -> tensor<2x16xf32>
  %2 = graph.neg %1 : (tensor<2x16xf32>) -> tensor<2x16xf32>
  %3 = graph.transpose %2 [1, 0] : (tensor<2x16xf32>) -> tensor<16x2xf32>
  graph.return %1, %3 : tensor<2x16xf32>, tensor<16x2xf32>
}

// -----

// Neighbours in the input are rows of the result: read by vectors on both sides
// of a shared tile. The sum's other operand is read as it lies.

// CHECK-LABEL: plan.program @turned
// CHECK: grid affine_map<() -> (6)> dependent args [#plan.pointer<0>, #plan.pointer<1>, #plan.pointer<2>, 80 : i32, 96 : i32, 2 : i32, 3 : i32, 1 : i32, 7680, 80, 96]
// CHECK: tile.kernel
// CHECK: %[[TILE:.+]] = tile.shared : <64x128xbf16, sw128>
// CHECK: %[[READ:.+]] = tile.load {{.*}} -> <64x128xbf16, #tile.blocked<vector = 8, lanes = [2, 16], warps = [8, 1]>>
// CHECK: tile.store_shared %[[READ]], %[[TILE]] via plain
// CHECK: tile.sync
// CHECK: tile.load_shared %[[TILE]] via matrix_trans transposed : <64x128xbf16, sw128> -> <128x64xbf16, #tile.blocked<vector = 8, lanes = [8, 4], warps = [4, 2]>>
// CHECK: tile.store
graph.graph @turned(%x: tensor<3x96x80xbf16> {graph.uid = 1 : i64},
                    %b: tensor<96xbf16> {graph.uid = 2 : i64})
    -> (tensor<3x80x96xbf16> {graph.uid = 3 : i64}) {
  %0 = graph.transpose %x [0, 2, 1] : (tensor<3x96x80xbf16>) -> tensor<3x80x96xbf16>
  %1 = graph.add %0, %b : (tensor<3x80x96xbf16>, tensor<96xbf16>) -> tensor<3x80x96xbf16>
  graph.return %1 : tensor<3x80x96xbf16>
}

// -----

// A rotation is two sums of slices, each of which is written to its channels, and
// the leading channels: here one kernel, since all are as many.

// CHECK-LABEL: plan.program @rope
// CHECK-NOT: workspace
// CHECK: plan.launch {{.*}}, #plan.pointer<2>, #plan.pointer<2, offset = affine_map<() -> (32)>>, #plan.pointer<2, offset = affine_map<() -> (64)>>,
// CHECK-NOT: plan.launch
// CHECK: tile.kernel
// CHECK: math.cos
// CHECK: math.sin
graph.graph @rope(%x: tensor<2x3x5x24xf32> {graph.uid = 1 : i64},
                  %t: tensor<5x1x1x16xf32> {graph.uid = 2 : i64})
    -> (tensor<2x3x5x24xf32> {graph.uid = 3 : i64}) {
  %y = graph.rope %x, %t {rope_dim = 16 : i64}
      : (tensor<2x3x5x24xf32>, tensor<5x1x1x16xf32>) -> tensor<2x3x5x24xf32>
  graph.return %y : tensor<2x3x5x24xf32>
}

// -----

// Heads share angles: a thread turns four of them, whose rows are an axis of the
// gathered view, by sines that it computes before, once.

// CHECK-LABEL: plan.program @rope_of_heads
// CHECK: plan.launch @opgraph_map_bf16_4x1024_{{[0-9a-f]+}} grid affine_map<() -> (2048)>
// CHECK: tile.kernel
// CHECK: tile.gather {{.*}} -> <1x1024xf32,
// CHECK: tile.map {{.*}} -> !tile.reg<1x1024xf32, {{.*}}> {
// CHECK-NEXT: math.
// CHECK-COUNT-3: math.
// CHECK-NOT: math.
// CHECK: tile.gather {{.*}} -> <4x1024xbf16,
graph.graph @rope_of_heads(%x: tensor<2x16x4096x128xbf16> {graph.uid = 1 : i64},
                           %t: tensor<4096x1x1x128xf32> {graph.uid = 2 : i64})
    -> (tensor<2x16x4096x128xbf16> {graph.uid = 3 : i64}) {
  %y = graph.rope %x, %t {rope_dim = 128 : i64}
      : (tensor<2x16x4096x128xbf16>, tensor<4096x1x1x128xf32>) -> tensor<2x16x4096x128xbf16>
  graph.return %y : tensor<2x16x4096x128xbf16>
}

// -----

// Where no vectors are whole, a word after each row of the shared tile keeps
// elements in different banks both ways.

// CHECK-LABEL: plan.program @transpose_odd
// CHECK: %[[TILE:.+]] = tile.shared : <128x64xf32, pad 4>
// CHECK: tile.load {{.*}} -> <128x64xf32, #tile.blocked<vector = 1,
// CHECK: tile.load_shared %[[TILE]] via plain transposed
graph.graph @transpose_odd(%x: tensor<8191x8191xf32> {graph.uid = 1 : i64})
    -> (tensor<8191x8191xf32> {graph.uid = 2 : i64}) {
  %y = graph.transpose %x [1, 0] : (tensor<8191x8191xf32>) -> tensor<8191x8191xf32>
  graph.return %y : tensor<8191x8191xf32>
}
