// RUN: graph-opt %s --graph-plan --split-input-file | FileCheck %s

// Attention's tiles hold whole heads: their size must be known and not 0. The
// judge takes the graph all the same.

// CHECK-LABEL: graph.graph @open_heads
// CHECK: #graph.decline<engine = 10100, name = "host.fused", constraint = "innermost_extent(Q)", limit = "static", actual = "dynamic", nearest = "static extents">,
// CHECK-SAME: #graph.decline<engine = 10100, name = "host.fused", constraint = "innermost_extent(uid 2)", limit = "static", actual = "dynamic", nearest = "static extents">,
// CHECK-SAME: #graph.decline<engine = 10100, name = "host.fused", constraint = "innermost_extent(uid 3)", limit = ">= 1", actual = "0">,
// CHECK-SAME: graph.plans = [#graph.plan<engine = 10000
graph.graph @open_heads(%q: tensor<2x4x16x?xf32, #graph.layout<strides = [?, ?, ?, 1], symbols = ["", "", "", "D"]>> {graph.uid = 1 : i64, graph.name = "Q"},
                        %k: tensor<2x2x16x?xf32, #graph.layout<strides = [?, ?, ?, 1], symbols = ["", "", "", "D"]>> {graph.uid = 2 : i64},
                        %v: tensor<2x2x16x0xf32> {graph.uid = 3 : i64})
    -> (tensor<2x4x16x0xf32> {graph.uid = 4 : i64}) {
  %0 = graph.sdpa %q, %k, %v : (tensor<2x4x16x?xf32, #graph.layout<strides = [?, ?, ?, 1], symbols = ["", "", "", "D"]>>, tensor<2x2x16x?xf32, #graph.layout<strides = [?, ?, ?, 1], symbols = ["", "", "", "D"]>>, tensor<2x2x16x0xf32>) -> tensor<2x4x16x0xf32>
  graph.return %0 : tensor<2x4x16x0xf32>
}

// -----

// A chain that is one loop needs no scratch; a value with two readers does.

// CHECK-LABEL: graph.graph @chain
// CHECK: #graph.plan<engine = 10100, name = "host.fused", version = 1, target = "host", knobs = {TILE_SIZE = 32768}, mode = A, time_ns = {{[0-9]+}}, behavior_notes
graph.graph @chain(%x: tensor<64x64xf32> {graph.uid = 1 : i64})
    -> (tensor<64x64xf32> {graph.uid = 2 : i64}) {
  %0 = graph.relu %x : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = graph.exp %0 : (tensor<64x64xf32>) -> tensor<64x64xf32>
  graph.return %1 : tensor<64x64xf32>
}

// -----

// CHECK-LABEL: graph.graph @two_readers
// CHECK: #graph.plan<engine = 10100, {{[^>]*}}workspace = 16384, behavior_notes
graph.graph @two_readers(%x: tensor<64x64xf32> {graph.uid = 1 : i64})
    -> (tensor<64x64xf32> {graph.uid = 2 : i64}, tensor<64x64xf32> {graph.uid = 3 : i64}) {
  %0 = graph.relu %x : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = graph.exp %0 : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = graph.log %0 : (tensor<64x64xf32>) -> tensor<64x64xf32>
  graph.return %1, %2 : tensor<64x64xf32>, tensor<64x64xf32>
}

// -----

// Where calls may bring other extents, so may they bring other needs.

// CHECK-LABEL: graph.graph @overridden
// CHECK: #graph.plan<engine = 10000, {{[^>]*}}workspace = -1, behavior_notes
graph.graph @overridden(%x: tensor<64x64xf32> {graph.uid = 1 : i64})
    -> (tensor<64x64xf32> {graph.uid = 2 : i64}) attributes {dynamic} {
  %0 = graph.relu %x : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = graph.exp %0 : (tensor<64x64xf32>) -> tensor<64x64xf32>
  graph.return %1 : tensor<64x64xf32>
}
