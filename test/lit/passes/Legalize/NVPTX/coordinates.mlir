// RUN: graph-opt %s --graph-legalize-nvptx-pointwise --mlir-print-local-scope --split-input-file | FileCheck %s

// A coordinate is divided out of the axis that all axes are; the operand is not
// read. The extents are parameters.

// CHECK-LABEL: plan.program @index
// CHECK: args [#plan.pointer<1>, 1 : i32, 192 : i32, 8 : i32, 6 : i32]
// CHECK: tile.kernel @opgraph_map_i32
// CHECK-SAME: %[[INNER:arg3]]: i32, %[[EXTENT:arg4]]: i32
// CHECK-NOT: tile.load
// CHECK: %[[AT:.*]] = tile.coord cols
// CHECK: %[[COLUMN:.*]] = arith.addi {{.*}}, %[[AT]]
// CHECK: %[[OUTER:.*]] = arith.divui %[[COLUMN]], %[[INNER]]
// CHECK: arith.remui %[[OUTER]], %[[EXTENT]]
graph.graph @index(
    %x: tensor<4x6x8xf32, #graph.layout<strides = [48, 1, 6]>> {graph.uid = 1 : i64})
    -> (tensor<4x6x8xi32> {graph.uid = 2 : i64}) {
  %0 = graph.gen_index %x {axis = 1 : i64}
      : (tensor<4x6x8xf32, #graph.layout<strides = [48, 1, 6]>>) -> tensor<4x6x8xi32>
  graph.return %0 : tensor<4x6x8xi32>
}

// -----

// Random numbers come from an element's number: four neighbours share a block,
// which shows where the number within the tile is divided by itself. The seed is
// a parameter where the graph has it.

// CHECK-LABEL: plan.program @random
// CHECK: args [#plan.pointer<0>, 1 : i32, 4096 : i32, 7]
// CHECK: tile.map () :
// CHECK: %[[AT:.*]] = tile.coord cols
// CHECK: arith.shrui %[[AT]], %{{.*}} : i32
// CHECK: arith.andi %[[AT]], %{{.*}} : i32
graph.graph @random() -> (tensor<64x64xf32> {graph.uid = 2 : i64}) {
  %0 = graph.rng uniform {seed_value = 7 : i64} : () -> tensor<64x64xf32>
  graph.return %0 : tensor<64x64xf32>
}
