// RUN: graph-opt %s --host-tensor-pipeline | FileCheck %s

#row = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>
#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>

// Elementwise ops become one loop that writes the result where it belongs.
// CHECK-LABEL: func.func @elementwise(
// CHECK-NOT: memref.alloc
// CHECK: scf.for
// CHECK: scf.for
// CHECK: %[[X:.+]] = memref.load %arg0
// CHECK-NEXT: %[[Y:.+]] = arith.addf %[[X]], %[[X]] : f32
// CHECK-NEXT: %[[Z:.+]] = arith.mulf %[[Y]], %[[Y]] : f32
// CHECK-NEXT: memref.store %[[Z]], %arg1
// CHECK-NOT: scf.for
// CHECK: return
func.func @elementwise(%in: memref<4x8xf32>, %out: memref<4x8xf32>) {
  %x = bufferization.to_tensor %in restrict : memref<4x8xf32> to tensor<4x8xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %y = linalg.generic {indexing_maps = [#row, #row],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%i: f32, %o: f32):
    %s = arith.addf %i, %i : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  %z = linalg.generic {indexing_maps = [#row, #row],
                       iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%i: f32, %o: f32):
    %s = arith.mulf %i, %i : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  bufferization.materialize_in_destination %z in restrict writable %out
      : (tensor<4x8xf32>, memref<4x8xf32>) -> ()
  return
}

// B in panels of 16 columns; blocks in parallel, with one accumulator buffer per
// worker; 6 x 16 accumulators in registers; the epilogue reads the block.
// CHECK-LABEL: func.func @product(
// CHECK: %[[PANELS:.+]] = memref.alloc() {{.*}} : memref<32x300x16xf32>
// CHECK: scf.forall (%{{.+}}) in (32) {
// CHECK: vector.transfer_read %arg1
// CHECK: vector.transfer_write %{{.+}}, %[[PANELS]]
// CHECK: scf.forall (%{{.+}}, %{{.+}}) = (0, 0) to (1000, 512) step (96, 256) {
// CHECK-NEXT: %[[BLOCK:.+]] = memref.alloc() {{.*}} : memref<96x256xf32>
// CHECK: scf.for %{{.+}} = %c0 to %c300 step %c256
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK: vector.transfer_read %[[PANELS]]
// CHECK: memref.load %arg0
// CHECK: vector.broadcast
// CHECK: arith.mulf %{{.+}}, %{{.+}} fastmath<contract> : vector<16xf32>
// CHECK: memref.load %[[BLOCK]]
// CHECK: memref.load %arg2
// CHECK: memref.store %{{.+}}, %arg3
// CHECK-NOT: tensor<
func.func @product(%in: memref<1000x300xf32>, %weights: memref<300x512xf32>,
                   %bias: memref<512xf32>, %out: memref<1000x512xf32>) {
  %x = bufferization.to_tensor %in restrict
      : memref<1000x300xf32> to tensor<1000x300xf32>
  %w = bufferization.to_tensor %weights restrict
      : memref<300x512xf32> to tensor<300x512xf32>
  %v = bufferization.to_tensor %bias restrict
      : memref<512xf32> to tensor<512xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1000x512xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1000x512xf32>)
      -> tensor<1000x512xf32>
  %p = linalg.generic {indexing_maps = [#a, #b, #c],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<1000x300xf32>, tensor<300x512xf32>)
      outs(%f : tensor<1000x512xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %m = arith.mulf %l, %r : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<1000x512xf32>
  %y = linalg.generic {indexing_maps = [#row, #column, #row],
                       iterator_types = ["parallel", "parallel"]}
      ins(%p, %v : tensor<1000x512xf32>, tensor<512xf32>)
      outs(%e : tensor<1000x512xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %s = arith.addf %l, %r : f32
    linalg.yield %s : f32
  } -> tensor<1000x512xf32>
  bufferization.materialize_in_destination %y in restrict writable %out
      : (tensor<1000x512xf32>, memref<1000x512xf32>) -> ()
  return
}

// One row, whole panels: B is read where it is.
// CHECK-LABEL: func.func @row_vector(
// CHECK-NOT: scf.forall {{.*}} in (
// CHECK: vector.transfer_read %arg1
// CHECK-NOT: vector.transfer_write %{{.+}}, %{{.+}}[%{{.+}}, %{{.+}}, %c0]
// CHECK: return
func.func @row_vector(%in: memref<1x300xf32>, %weights: memref<300x512xf32>,
                      %out: memref<1x512xf32>) {
  %x = bufferization.to_tensor %in restrict
      : memref<1x300xf32> to tensor<1x300xf32>
  %w = bufferization.to_tensor %weights restrict
      : memref<300x512xf32> to tensor<300x512xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x512xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x512xf32>)
      -> tensor<1x512xf32>
  %p = linalg.generic {indexing_maps = [#a, #b, #c],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<1x300xf32>, tensor<300x512xf32>)
      outs(%f : tensor<1x512xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %m = arith.mulf %l, %r : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x512xf32>
  bufferization.materialize_in_destination %p in restrict writable %out
      : (tensor<1x512xf32>, memref<1x512xf32>) -> ()
  return
}

// A product is accumulated beside its result, whose columns need not be
// neighbours in memory.
// CHECK-LABEL: func.func @column_major(
// CHECK: %[[BLOCK:.+]] = memref.alloc() {{.*}} : memref<6x16xf32>
// CHECK: vector.transfer_read %[[BLOCK]]
// CHECK: memref.store %{{.+}}, %arg2
func.func @column_major(%in: memref<6x30xf32>, %weights: memref<30x16xf32>,
                        %out: memref<6x16xf32, strided<[1, 6]>>) {
  %x = bufferization.to_tensor %in restrict
      : memref<6x30xf32> to tensor<6x30xf32>
  %w = bufferization.to_tensor %weights restrict
      : memref<30x16xf32> to tensor<30x16xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<6x16xf32>)
      -> tensor<6x16xf32>
  %p = linalg.generic {indexing_maps = [#a, #b, #c],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<6x30xf32>, tensor<30x16xf32>)
      outs(%f : tensor<6x16xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %m = arith.mulf %l, %r : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<6x16xf32>
  bufferization.materialize_in_destination %p in restrict writable %out
      : (tensor<6x16xf32>, memref<6x16xf32, strided<[1, 6]>>) -> ()
  return
}

// Tiles depend on declared extents; an extent of 0 is not cut.
// CHECK-LABEL: func.func @zero_extent(
// CHECK-NOT: scf.forall
// CHECK: return
func.func @zero_extent(%in: memref<?x0xf32>, %out: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %x = bufferization.to_tensor %in restrict
      : memref<?x0xf32> to tensor<?x0xf32>
  %m = memref.dim %in, %c0 : memref<?x0xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%m) : tensor<?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %p = linalg.generic {indexing_maps = [#row, affine_map<(d0, d1) -> (d0)>],
                       iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x0xf32>) outs(%f : tensor<?xf32>) {
  ^bb0(%l: f32, %o: f32):
    %s = arith.addf %o, %l : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  bufferization.materialize_in_destination %p in restrict writable %out
      : (tensor<?xf32>, memref<?xf32>) -> ()
  return
}
