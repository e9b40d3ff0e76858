// RUN: graph-opt %s --split-input-file --graph-plan='target=%opgraph_src/lib/Devices/h200.json' | FileCheck %s

// A sum of many elements: portions are combined in a fixed order, or by atomics
// in the result, which needs no workspace and says that bits may differ.

// CHECK-LABEL: graph.graph @sum
// CHECK-SAME: graph.plans = [#graph.plan<engine = 30000, {{[^>]*}}knobs = {TILE_SIZE = 4, REDUCTION_MODE = 0}, mode = A, time_ns = {{[0-9]+}}, workspace = 8448, behavior_notes = [RUNTIME_COMPILATION]>,
// CHECK-SAME: #graph.plan<engine = 30000, {{[^>]*}}knobs = {TILE_SIZE = 4, REDUCTION_MODE = 1}, mode = A, time_ns = {{[0-9]+}}, behavior_notes = [RUNTIME_COMPILATION], numerical_notes = [NONDETERMINISTIC]>
graph.graph @sum(%x: tensor<8192x8192xbf16> {graph.uid = 1 : i64})
    -> (tensor<1x1xf32> {graph.uid = 2 : i64}) {
  %0 = graph.reduction add %x {compute_type = f32}
      : (tensor<8192x8192xbf16>) -> tensor<1x1xf32>
  graph.return %0 : tensor<1x1xf32>
}

// -----

// The largest magnitude is the same in any order.

// CHECK-LABEL: graph.graph @amax
// CHECK-SAME: knobs = {TILE_SIZE = 4, REDUCTION_MODE = 1}, {{[^>]*}}behavior_notes = [RUNTIME_COMPILATION]>
graph.graph @amax(%x: tensor<8192x8192xbf16> {graph.uid = 1 : i64})
    -> (tensor<1x1xf32> {graph.uid = 2 : i64}) {
  %0 = graph.reduction amax %x {compute_type = f32}
      : (tensor<8192x8192xbf16>) -> tensor<1x1xf32>
  graph.return %0 : tensor<1x1xf32>
}

// -----

// No atomic makes a bf16 of f32, a result that something else needs, or the
// largest of floats that may be negative.

// CHECK-LABEL: graph.graph @others
// CHECK-NOT: REDUCTION_MODE
graph.graph @others(%x: tensor<8192x8192xbf16> {graph.uid = 1 : i64})
    -> (tensor<1x1xbf16> {graph.uid = 2 : i64},
        tensor<1x1xf32> {graph.uid = 3 : i64}) {
  %0 = graph.reduction add %x {compute_type = f32}
      : (tensor<8192x8192xbf16>) -> tensor<1x1xbf16>
  %1 = graph.reduction max %x {compute_type = f32}
      : (tensor<8192x8192xbf16>) -> tensor<1x1xf32>
  graph.return %0, %1 : tensor<1x1xbf16>, tensor<1x1xf32>
}
