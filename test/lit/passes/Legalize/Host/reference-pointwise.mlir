// RUN: graph-opt %s --graph-legalize-host-reference --canonicalize | FileCheck %s

// f32 computes in f64 and rounds once, at the store.
// CHECK-LABEL: func.func @opgraph_add_reference(
// CHECK: scf.for %[[I:[^ ]+]] =
// CHECK: scf.for %[[J:[^ ]+]] =
// CHECK: %[[A:.+]] = memref.load %{{.+}}[%[[I]], %[[J]]]
// CHECK: %[[WIDE_A:.+]] = arith.extf %[[A]] : f32 to f64
// CHECK: %[[B:.+]] = memref.load %{{.+}}[%[[J]]]
// CHECK: %[[WIDE_B:.+]] = arith.extf %[[B]] : f32 to f64
// CHECK: %[[SUM:.+]] = arith.addf %[[WIDE_A]], %[[WIDE_B]] : f64
// CHECK: %[[R:.+]] = arith.truncf %[[SUM]] : f64 to f32
// CHECK: memref.store %[[R]], %{{.+}}[%[[I]], %[[J]]]
graph.graph @add(%a: tensor<4x8xf32> {graph.uid = 1 : i64},
                 %b: tensor<8xf32> {graph.uid = 2 : i64})
    -> (tensor<4x8xf32> {graph.uid = 3 : i64}) {
  %0 = graph.add %a, %b : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  graph.return %0 : tensor<4x8xf32>
}

// An operand wider than the compute type rounds to it first.
// CHECK-LABEL: func.func @opgraph_narrow_compute_reference(
// CHECK: %[[X:.+]] = memref.load
// CHECK: %[[ROUNDED:.+]] = arith.truncf %[[X]] : f64 to f32
// CHECK: %[[WIDE:.+]] = arith.extf %[[ROUNDED]] : f32 to f64
// CHECK: math.exp %[[WIDE]] : f64
graph.graph @narrow_compute(%x: tensor<4xf64> {graph.uid = 1 : i64})
    -> (tensor<4xf64> {graph.uid = 2 : i64}) {
  %0 = graph.exp %x {compute_type = f32} : (tensor<4xf64>) -> tensor<4xf64>
  graph.return %0 : tensor<4xf64>
}

// A temporary of element type bf16 is a rounding point, coded with integers so
// that it never passes through f32.
// CHECK-LABEL: func.func @opgraph_rounding_point_reference(
// CHECK: %[[T:.+]] = memref.alloc() : memref<4xbf16>
// CHECK: scf.for
// CHECK-NOT: arith.truncf
// CHECK: arith.bitcast %{{.+}} : i16 to bf16
// CHECK: memref.store %{{.+}}, %[[T]]
// CHECK: scf.for
// CHECK: memref.load %[[T]]
// CHECK: math.sqrt
graph.graph @rounding_point(%x: tensor<4xf32> {graph.uid = 1 : i64})
    -> (tensor<4xf32> {graph.uid = 2 : i64}) {
  %0 = graph.exp %x : (tensor<4xf32>) -> tensor<4xbf16>
  %1 = graph.sqrt %0 : (tensor<4xbf16>) -> tensor<4xf32>
  graph.return %1 : tensor<4xf32>
}

// Integers compute in i64 and wrap to the compute type; division by 0 is 0.
// CHECK-LABEL: func.func @opgraph_integer_reference(
// CHECK: %[[Q:.+]] = arith.divsi %{{.+}}, %{{.+}} : i64
// CHECK: %[[R:.+]] = arith.select %{{.+}}, %c0_i64, %{{.+}} : i64
// CHECK: arith.trunci %[[R]] : i64 to i32
graph.graph @integer(%a: tensor<4xi32> {graph.uid = 1 : i64},
                     %b: tensor<4xi32> {graph.uid = 2 : i64})
    -> (tensor<4xi32> {graph.uid = 3 : i64}) attributes {compute_type = i32} {
  %0 = graph.div %a, %b : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  graph.return %0 : tensor<4xi32>
}

// The mask is compared as it is stored.
// CHECK-LABEL: func.func @opgraph_select_reference(
// CHECK: %[[M:.+]] = memref.load %arg2
// CHECK: %[[C:.+]] = arith.cmpi ne, %[[M]], %c0_i8 : i8
// CHECK: arith.select %[[C]], %{{.+}}, %{{.+}} : f64
graph.graph @select(%a: tensor<4xf32> {graph.uid = 1 : i64},
                    %b: tensor<4xf32> {graph.uid = 2 : i64},
                    %m: tensor<4xi1> {graph.uid = 3 : i64})
    -> (tensor<4xf32> {graph.uid = 4 : i64}) {
  %0 = graph.binary_select %a, %b, %m
      : (tensor<4xf32>, tensor<4xf32>, tensor<4xi1>) -> tensor<4xf32>
  graph.return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @opgraph_coordinate_reference(
// CHECK: scf.for
// CHECK: scf.for %[[J:[^ ]+]] =
// CHECK: %[[V:.+]] = arith.index_cast %[[J]] : index to i64
// CHECK: arith.trunci %[[V]] : i64 to i32
graph.graph @coordinate(%x: tensor<2x4xf32> {graph.uid = 1 : i64})
    -> (tensor<2x4xi32> {graph.uid = 2 : i64}) {
  %0 = graph.gen_index %x {axis = 1 : i64} : (tensor<2x4xf32>) -> tensor<2x4xi32>
  graph.return %0 : tensor<2x4xi32>
}
