// RUN: graph-opt %s --graph-legalize-nvptx-pointwise='atomic=true' --mlir-print-local-scope --split-input-file | FileCheck %s

// One kernel writes what leaves numbers as they are, the next one's blocks add
// their portions to it. Magnitudes compare as integers.

// CHECK-LABEL: plan.program @sum_and_largest
// CHECK-NOT: workspace
// CHECK: plan.launch @opgraph_map_f32_{{.*}} dependent args [#plan.pointer<1>, #plan.pointer<2>,
// CHECK: plan.launch @opgraph_portions_{{.*}} grid affine_map<() -> (576)> dependent args [#plan.pointer<0>, #plan.pointer<1>, #plan.pointer<2>,
// CHECK-NOT: plan.launch
// CHECK: tile.kernel @opgraph_portions_
// CHECK: tile.grid_wait
// CHECK: scf.for
// CHECK: tile.reduce add
// CHECK: tile.scatter combine add {{.*}} <1x1xf32,
// CHECK: tile.reduce max_nan
// CHECK: arith.bitcast {{.*}} : f32 to i32
// CHECK: tile.scatter combine max {{.*}} <1x1xi32,
graph.graph @sum_and_largest(%x: tensor<64x70000xbf16> {graph.uid = 1 : i64})
    -> (tensor<64x1xf32> {graph.uid = 2 : i64},
        tensor<64x1xf32> {graph.uid = 3 : i64}) {
  %0 = graph.reduction add %x {compute_type = f32}
      : (tensor<64x70000xbf16>) -> tensor<64x1xf32>
  %1 = graph.reduction amax %x {compute_type = f32}
      : (tensor<64x70000xbf16>) -> tensor<64x1xf32>
  graph.return %0, %1 : tensor<64x1xf32>, tensor<64x1xf32>
}

// -----

// Where one of the reductions cannot, none does.

// CHECK-LABEL: plan.program @sum_and_average
// CHECK-SAME: workspace
// CHECK-NOT: tile.scatter combine
graph.graph @sum_and_average(%x: tensor<64x70000xbf16> {graph.uid = 1 : i64})
    -> (tensor<64x1xf32> {graph.uid = 2 : i64},
        tensor<64x1xf32> {graph.uid = 3 : i64}) {
  %0 = graph.reduction add %x {compute_type = f32}
      : (tensor<64x70000xbf16>) -> tensor<64x1xf32>
  %1 = graph.reduction avg %x {compute_type = f32}
      : (tensor<64x70000xbf16>) -> tensor<64x1xf32>
  graph.return %0, %1 : tensor<64x1xf32>, tensor<64x1xf32>
}
