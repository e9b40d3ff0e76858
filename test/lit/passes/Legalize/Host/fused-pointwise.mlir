// RUN: graph-opt %s --graph-legalize-host-fused --canonicalize | FileCheck %s

// One loop for the whole chain, though %0 is used twice; every value rounds to
// its own element type on the way.
// CHECK-LABEL: func.func @opgraph_chain_fused(
// CHECK: %[[X:.+]] = bufferization.to_tensor %arg0 restrict
// CHECK: %[[B:.+]] = bufferization.to_tensor %arg1 restrict
// CHECK: %[[Y:.+]] = linalg.generic
// CHECK-SAME: ins(%[[X]], %[[B]] : tensor<4x8xf32>, tensor<8xf32>)
// CHECK: %[[SUM:.+]] = arith.addf %{{.+}}, %{{.+}} : f32
// CHECK-NEXT: %[[ROUNDED:.+]] = arith.truncf %[[SUM]] : f32 to bf16
// CHECK-NEXT: arith.bitcast %[[ROUNDED]] : bf16 to i16
// CHECK: arith.divf
// CHECK: arith.mulf
// CHECK: linalg.yield
// CHECK-NOT: linalg.generic
// CHECK: bufferization.materialize_in_destination %[[Y]] in restrict writable %arg2
graph.graph @chain(%x: tensor<4x8xf32> {graph.uid = 1 : i64},
                   %b: tensor<8xf32> {graph.uid = 2 : i64})
    -> (tensor<4x8xf32> {graph.uid = 3 : i64}) {
  %0 = graph.add %x, %b : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xbf16>
  %1 = graph.sigmoid %0 : (tensor<4x8xbf16>) -> tensor<4x8xf32>
  %2 = graph.mul %0, %1 : (tensor<4x8xbf16>, tensor<4x8xf32>) -> tensor<4x8xf32>
  graph.return %2 : tensor<4x8xf32>
}

// A value that is an output, or that broadcasts, has a loop of its own.
// CHECK-LABEL: func.func @opgraph_outputs_fused(
// CHECK: %[[Y:.+]] = linalg.generic
// CHECK: %[[ROW:.+]] = linalg.generic
// CHECK: %[[Z:.+]] = linalg.generic {{.*}} ins(%[[Y]], %[[ROW]] :
// CHECK: materialize_in_destination %[[Y]] in restrict writable %arg2
// CHECK: materialize_in_destination %[[Z]] in restrict writable %arg3
graph.graph @outputs(%x: tensor<4x8xf32> {graph.uid = 1 : i64},
                     %b: tensor<1x8xf32> {graph.uid = 2 : i64})
    -> (tensor<4x8xf32> {graph.uid = 3 : i64},
        tensor<4x8xf32> {graph.uid = 4 : i64}) {
  %0 = graph.abs %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = graph.neg %b : (tensor<1x8xf32>) -> tensor<1x8xf32>
  %2 = graph.sub %0, %1 : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
  graph.return %0, %2 : tensor<4x8xf32>, tensor<4x8xf32>
}

// Coordinates come from the loop, constants are part of its body, and a mask
// is compared as it is stored.
// CHECK-LABEL: func.func @opgraph_mask_fused(
// CHECK: linalg.generic
// CHECK-SAME: ins(%{{.+}}, %{{.+}} : tensor<4x8xf16>, tensor<4x8xi8>)
// CHECK: linalg.index 1
// CHECK: arith.cmpi ne, %{{.+}}, %c0_i8 : i8
graph.graph @mask(%x: tensor<4x8xf16> {graph.uid = 1 : i64},
                  %m: tensor<4x8xi1> {graph.uid = 2 : i64})
    -> (tensor<4x8xf16> {graph.uid = 3 : i64}) {
  %c = graph.constant 2.000000e+00 : f32 : tensor<1x1xf32>
  %0 = graph.gen_index %x {axis = 1 : i64} : (tensor<4x8xf16>) -> tensor<4x8xi32>
  %1 = graph.mul %0, %c : (tensor<4x8xi32>, tensor<1x1xf32>) -> tensor<4x8xf32>
  %2 = graph.binary_select %x, %1, %m
      : (tensor<4x8xf16>, tensor<4x8xf32>, tensor<4x8xi1>) -> tensor<4x8xf16>
  graph.return %2 : tensor<4x8xf16>
}

// No element: nothing to compute.
// CHECK-LABEL: func.func @opgraph_empty_fused(
// CHECK-NOT: linalg
// CHECK: return
graph.graph @empty(%x: tensor<0x8xf32> {graph.uid = 1 : i64})
    -> (tensor<0x8xf32> {graph.uid = 2 : i64}) {
  %0 = graph.relu %x : (tensor<0x8xf32>) -> tensor<0x8xf32>
  graph.return %0 : tensor<0x8xf32>
}
