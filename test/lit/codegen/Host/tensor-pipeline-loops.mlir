// RUN: graph-opt %s --host-lower-to-loops --canonicalize | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#rows = affine_map<(d0, d1) -> (d0)>
#columns = affine_map<(d0, d1) -> (d1)>

// A sum along contiguous memory is carried in a register.
// CHECK-LABEL: func.func @row_sums(
// CHECK: scf.for %[[I:.+]] = %c0 to %c4
// CHECK: %[[START:.+]] = memref.load %arg1[%[[I]]]
// CHECK: %[[SUM:.+]] = scf.for %{{.+}} = %c0 to %c8 {{.*}} iter_args(%{{.+}} = %[[START]])
// CHECK: memref.store %[[SUM]], %arg1[%[[I]]]
func.func @row_sums(%x: memref<4x8xf32>, %y: memref<4xf32>) {
  linalg.generic {indexing_maps = [#id, #rows],
                  iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<4x8xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%i: f32, %o: f32):
    %s = arith.addf %o, %i : f32
    linalg.yield %s : f32
  }
  return
}

// Across rows, the rows come outermost, so that memory is walked in order.
// CHECK-LABEL: func.func @column_sums(
// CHECK: scf.for %[[I:.+]] = %c0 to %c4
// CHECK: scf.for %[[J:.+]] = %c0 to %c8
// CHECK: memref.load %arg0[%[[I]], %[[J]]]
// CHECK: memref.load %arg1[%[[J]]]
func.func @column_sums(%x: memref<4x8xf32>, %y: memref<8xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, #rows],
                  iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<4x8xf32>) outs(%y : memref<8xf32>) {
  ^bb0(%i: f32, %o: f32):
    %s = arith.addf %o, %i : f32
    linalg.yield %s : f32
  }
  return
}

// Loops follow the strides of the result, here channels-last.
// CHECK-LABEL: func.func @strides(
// CHECK: scf.for %[[J:.+]] = %c0 to %c8
// CHECK: scf.for %[[I:.+]] = %c0 to %c4
// CHECK: memref.store %{{.+}}, %arg1[%[[I]], %[[J]]]
func.func @strides(%x: memref<4x8xf32>,
                   %y: memref<4x8xf32, strided<[1, 4]>>) {
  memref.copy %x, %y : memref<4x8xf32> to memref<4x8xf32, strided<[1, 4]>>
  return
}
