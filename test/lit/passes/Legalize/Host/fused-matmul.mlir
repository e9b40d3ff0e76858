// RUN: graph-opt %s --graph-legalize-host-fused --canonicalize | FileCheck %s

// bf16 operands are converted once each, the product accumulates in f32 and
// rounds once; a batch extent of 1 broadcasts.
// CHECK-DAG: #[[$A:.+]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
// CHECK-DAG: #[[$B:.+]] = affine_map<(d0, d1, d2, d3) -> (0, d3, d2)>
// CHECK-DAG: #[[$C:.+]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
// CHECK-LABEL: func.func @opgraph_batch_fused(
// CHECK: %[[ZERO:.+]] = linalg.fill ins(%cst : f32)
// CHECK: %[[X:.+]] = linalg.generic {{.*}} outs(%{{.+}} : tensor<3x4x8xf32>)
// CHECK: %[[Y:.+]] = linalg.generic {{.*}} outs(%{{.+}} : tensor<1x8x16xf32>)
// CHECK: linalg.generic {indexing_maps = [#[[$A]], #[[$B]], #[[$C]]]
// CHECK-SAME: ins(%[[X]], %[[Y]] :
// CHECK-SAME: outs(%[[ZERO]] : tensor<3x4x16xf32>)
// CHECK: arith.truncf
graph.graph @batch(%a: tensor<3x4x8xbf16> {graph.uid = 1 : i64},
                   %b: tensor<1x8x16xbf16> {graph.uid = 2 : i64})
    -> (tensor<3x4x16xbf16> {graph.uid = 3 : i64}) {
  %0 = graph.matmul %a, %b
      : (tensor<3x4x8xbf16>, tensor<1x8x16xbf16>) -> tensor<3x4x16xbf16>
  graph.return %0 : tensor<3x4x16xbf16>
}

// CHECK-LABEL: func.func @opgraph_integers_fused(
// CHECK: arith.extsi %{{.+}} : i8 to i32
// CHECK: arith.muli %{{.+}}, %{{.+}} : i32
graph.graph @integers(%a: tensor<4x8xi8> {graph.uid = 1 : i64},
                      %b: tensor<8x16xi8> {graph.uid = 2 : i64})
    -> (tensor<4x16xi32> {graph.uid = 3 : i64}) {
  %0 = graph.matmul %a, %b {compute_type = i32}
      : (tensor<4x8xi8>, tensor<8x16xi8>) -> tensor<4x16xi32>
  graph.return %0 : tensor<4x16xi32>
}

// Rows past M_override read as padding.
// CHECK-LABEL: func.func @opgraph_override_fused(
// CHECK: linalg.generic {{.*}} ins(%{{.+}}, %{{.+}} : tensor<2x4x8xf32>, tensor<2x1x1xi32>)
// CHECK: %[[ROW:.+]] = linalg.index 1
// CHECK: %[[INSIDE:.+]] = arith.cmpi slt, %[[ROW]], %{{.+}} : index
// CHECK: arith.select %[[INSIDE]], %{{.+}}, %[[PADDING:.+]] : f32
graph.graph @override(%a: tensor<2x4x8xf32> {graph.uid = 1 : i64},
                      %b: tensor<2x8x16xf32> {graph.uid = 2 : i64},
                      %m: tensor<2x1x1xi32> {graph.uid = 3 : i64})
    -> (tensor<2x4x16xf32> {graph.uid = 4 : i64}) {
  %0 = graph.matmul %a, %b m_override %m
      : (tensor<2x4x8xf32>, tensor<2x8x16xf32>, tensor<2x1x1xi32>)
      -> tensor<2x4x16xf32>
  graph.return %0 : tensor<2x4x16xf32>
}

// The sum over no elements is 0.
// CHECK-LABEL: func.func @opgraph_no_depth_fused(
// CHECK: linalg.fill
// CHECK-NOT: linalg.generic
// CHECK: return
graph.graph @no_depth(%a: tensor<4x0xf32> {graph.uid = 1 : i64},
                      %b: tensor<0x16xf32> {graph.uid = 2 : i64})
    -> (tensor<4x16xf32> {graph.uid = 3 : i64}) {
  %0 = graph.matmul %a, %b
      : (tensor<4x0xf32>, tensor<0x16xf32>) -> tensor<4x16xf32>
  graph.return %0 : tensor<4x16xf32>
}
