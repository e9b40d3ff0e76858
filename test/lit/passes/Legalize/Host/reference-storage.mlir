// RUN: graph-opt %s --graph-legalize-host-reference --canonicalize | FileCheck %s

// 4-bit operands are bytes, of which a store keeps the other half; a value
// inside the graph has a byte per element.
// CHECK-LABEL: plan.program @halves
// CHECK: plan.operand "arg0" {{.*}} f4E2M1FN {{.*}} storage packed4
// CHECK: plan.operand "result0" {{.*}} i4 {{.*}} storage packed4
// CHECK-LABEL: func.func @opgraph_halves_reference(
// CHECK-SAME: %[[X:.+]]: memref<4x8xi8, strided<[?, ?]>>, %[[Y:.+]]: memref<4x8xi8, strided<[?, ?]>>)
// CHECK: memref.extract_strided_metadata %[[X]]
// CHECK: %[[FROM:.+]] = memref.reinterpret_cast {{.*}} to memref<?xi8>
// CHECK: %[[TO:.+]] = memref.reinterpret_cast {{.*}} to memref<?xi8>
// CHECK: %[[INSIDE:.+]] = memref.alloc() : memref<4x8xi8>
// CHECK: %[[BYTE:.+]] = arith.shrsi %[[NUMBER:.+]], %c1
// CHECK: %[[ODD:.+]] = arith.andi %[[NUMBER]], %c1
// CHECK: %[[BITS:.+]] = arith.muli %[[ODD]], %c4
// CHECK: %[[SHIFT:.+]] = arith.index_cast %[[BITS]] : index to i8
// CHECK: %[[BOTH:.+]] = memref.load %[[FROM]][%[[BYTE]]]
// CHECK: %[[HALF:.+]] = arith.shrui %[[BOTH]], %[[SHIFT]]
// CHECK: arith.andi %[[HALF]], %c15_i8
// CHECK: memref.store {{.*}}, %[[INSIDE]]
// CHECK: memref.load %[[INSIDE]]
// CHECK: %[[OLD:.+]] = memref.load %[[TO]]
// CHECK: %[[MASK:.+]] = arith.shli %c15_i8
// CHECK: %[[OTHERS:.+]] = arith.xori %[[MASK]], %c-1_i8
// CHECK: arith.andi %[[OLD]], %[[OTHERS]]
// CHECK: %[[NEW:.+]] = arith.ori
// CHECK: memref.store %[[NEW]], %[[TO]]
graph.graph @halves(%x: tensor<4x8xf4E2M1FN> {graph.uid = 1 : i64})
    -> (tensor<4x8xi4> {graph.uid = 2 : i64}) {
  %0 = graph.neg %x : (tensor<4x8xf4E2M1FN>) -> tensor<4x8xf4E2M1FN>
  %1 = graph.identity %0 : (tensor<4x8xf4E2M1FN>) -> tensor<4x8xi4>
  graph.return %1 : tensor<4x8xi4>
}

// The rows of tiles are on the last axis; strides are exact, and the leading
// one counts.
// CHECK-LABEL: plan.program @scales
// CHECK: plan.operand "arg0" uid 1 in f8E8M0FNU extents #{{[^ ]+}} strides #{{[^ ]+}} {alignment
// CHECK-LABEL: func.func @opgraph_scales_reference(
// CHECK-SAME: memref<2x8x256xi8, strided<[2048, 1, 8]>>
// CHECK: scf.for %[[B:[^ ]+]] = %c0 to %c2
// CHECK: scf.for %[[C:[^ ]+]] = %c0 to %c8
// CHECK: scf.for %[[R:[^ ]+]] = %c0 to %c256
// CHECK: arith.divui %[[R]], %c128
// CHECK: arith.divui %[[C]], %c4
// CHECK: arith.muli %[[B]], %c2048
// CHECK: arith.muli {{.*}}, %c512
// CHECK: memref.load
!scales = tensor<2x8x256xf8E8M0FNU, #graph.layout<strides = [2048, 1, 8], reordering = f8_128x4>>
graph.graph @scales(%x: !scales {graph.uid = 1 : i64})
    -> (tensor<2x8x256xf32> {graph.uid = 2 : i64}) {
  %0 = graph.identity %x : (!scales) -> tensor<2x8x256xf32>
  graph.return %0 : tensor<2x8x256xf32>
}
