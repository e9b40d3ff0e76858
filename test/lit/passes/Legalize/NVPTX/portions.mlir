// RUN: graph-opt %s --graph-legalize-nvptx-pointwise --mlir-print-local-scope --split-input-file | FileCheck %s

// Few results of many elements: each block combines a portion, whose tiles are
// a parameter, into a number in workspace, and a kernel that starts while the
// last blocks end combines the numbers and finishes. Whole vectors that are read
// once pass by the first cache.

// CHECK-LABEL: plan.program @mean
// CHECK-SAME: workspace
// CHECK: plan.launch @opgraph_portions_bf16_1x8192_[[HASH:[0-9a-f]+]] grid affine_map<() -> (123)>
// CHECK-SAME: 1000000 : i32, 1 : i32
// CHECK: plan.launch @opgraph_rows_f32_{{.*}} grid affine_map<() -> (1)> dependent
// CHECK-SAME: 1000000 : i32
// CHECK: tile.kernel @opgraph_portions_bf16_1x8192_[[HASH]]
// CHECK-SAME: targets [sm_90a, sm_100a, sm_120a]
// CHECK: tile.grid_wait
// CHECK: tile.grid_launch
// CHECK: %[[C:.+]] = arith.constant 8192 : i32
// CHECK: scf.for %{{.+}} = %{{.+}} to %{{.+}} step %[[C]]
// CHECK: tile.load {{.*}} cache no_allocate
// CHECK: tile.extract
// CHECK: tile.reduce add {{.*}} -> <1x1xf32,
// CHECK-NOT: arith.divf
// CHECK: tile.store
// CHECK: tile.kernel
// CHECK: tile.grid_wait
// CHECK-NOT: tile.grid_launch
// CHECK: tile.load
// CHECK: tile.reduce add
// CHECK: arith.divf
graph.graph @mean(%x: tensor<1000x1000xbf16> {graph.uid = 1 : i64})
    -> (tensor<1x1xf32> {graph.uid = 2 : i64}) {
  %0 = graph.reduction avg %x {compute_type = f32}
      : (tensor<1000x1000xbf16>) -> tensor<1x1xf32>
  graph.return %0 : tensor<1x1xf32>
}

// -----

// Neighbours in memory are neighbouring results: a block has a few lines of
// them. Independent reductions share one walk, each with one vector a thread.

// CHECK-LABEL: plan.program @two_sums
// CHECK: plan.launch @opgraph_portions_bf16_128x64_
// CHECK: plan.launch @opgraph_rows_
// CHECK-NOT: plan.launch
// CHECK: tile.kernel
// CHECK: scf.for {{.*}} -> (!tile.reg<16x128xf32, {{.*}}>, !tile.reg<16x128xf32,
// CHECK: tile.load {{.*}} -> <64x128xbf16, #tile.blocked<vector = 8, lanes = [2, 16], warps = [8, 1]>>
// CHECK-NOT: tile.load
// CHECK-NOT: scf.for
// CHECK: tile.reduce add
// CHECK: tile.store
// CHECK: tile.reduce add
// CHECK: tile.store
graph.graph @two_sums(%x: tensor<5000x4096xbf16> {graph.uid = 1 : i64})
    -> (tensor<1x4096xf32> {graph.uid = 2 : i64},
        tensor<1x4096xf32> {graph.uid = 3 : i64}) {
  %0 = graph.reduction add %x : (tensor<5000x4096xbf16>) -> tensor<1x4096xf32>
  %1 = graph.mul %x, %x
      : (tensor<5000x4096xbf16>, tensor<5000x4096xbf16>) -> tensor<5000x4096xf32>
  %2 = graph.reduction add %1 : (tensor<5000x4096xf32>) -> tensor<1x4096xf32>
  graph.return %0, %2 : tensor<1x4096xf32>, tensor<1x4096xf32>
}

// -----

// What needs a split reduction's result is of a later kernel, as the elements of
// an elementwise one are; what has its shape is computed where the portions are
// combined, and a variance shares the mean's walk.

// CHECK-LABEL: plan.program @batchnorm
// CHECK: plan.launch @opgraph_portions_
// CHECK: plan.launch @opgraph_rows_f32_
// CHECK: plan.launch @opgraph_map_bf16_{{.*}} dependent
// CHECK-NOT: plan.launch
// Sums about each slot's first element.
// CHECK: tile.kernel @opgraph_portions_
// CHECK: scf.for {{.*}} -> (!tile.reg<{{.*}}>, !tile.reg<{{.*}}>, !tile.reg<
// CHECK: arith.cmpi eq
// CHECK: math.fma
// CHECK-COUNT-2: tile.reduce add
// The inverse deviation is stored, so that elements need no square root.
// CHECK: tile.kernel @opgraph_rows_
// CHECK: math.sqrt
// CHECK: tile.kernel @opgraph_map_
// CHECK-NOT: math.sqrt
graph.graph @batchnorm(
    %x: tensor<64x16x32x32xbf16, #graph.layout<strides = [16384, 1, 512, 16]>> {graph.uid = 1 : i64},
    %s: tensor<1x16x1x1xf32> {graph.uid = 2 : i64},
    %b: tensor<1x16x1x1xf32> {graph.uid = 3 : i64},
    %e: tensor<1x1x1x1xf32> {graph.uid = 4 : i64, graph.by_value})
    -> (tensor<64x16x32x32xbf16, #graph.layout<strides = [16384, 1, 512, 16]>> {graph.uid = 5 : i64},
        tensor<1x16x1x1xf32> {graph.uid = 6 : i64},
        tensor<1x16x1x1xf32> {graph.uid = 7 : i64}) {
  %y, %m, %i = graph.batchnorm %x scale %s bias %b epsilon %e
      : (tensor<64x16x32x32xbf16, #graph.layout<strides = [16384, 1, 512, 16]>>,
         tensor<1x16x1x1xf32>, tensor<1x16x1x1xf32>, tensor<1x1x1x1xf32>)
      -> tensor<64x16x32x32xbf16, #graph.layout<strides = [16384, 1, 512, 16]>>,
         tensor<1x16x1x1xf32>, tensor<1x16x1x1xf32>
  graph.return %y, %m, %i
      : tensor<64x16x32x32xbf16, #graph.layout<strides = [16384, 1, 512, 16]>>,
        tensor<1x16x1x1xf32>, tensor<1x16x1x1xf32>
}

// -----

// A product of f32 passes as f64, an integer as it is.

// CHECK-LABEL: plan.program @products
// CHECK: tile.kernel @opgraph_portions_
// CHECK: tile.reduce mul {{.*}}f64
// CHECK: tile.store {{.*}}f64
// CHECK: tile.kernel @opgraph_portions_
// CHECK: tile.reduce mul {{.*}}i64
graph.graph @products(%x: tensor<70000xf32> {graph.uid = 1 : i64},
                      %i: tensor<70001xi64> {graph.uid = 2 : i64})
    -> (tensor<1xf32> {graph.uid = 3 : i64}, tensor<1xi64> {graph.uid = 4 : i64}) {
  %0 = graph.reduction mul %x : (tensor<70000xf32>) -> tensor<1xf32>
  %1 = graph.reduction mul %i {compute_type = i64} : (tensor<70001xi64>) -> tensor<1xi64>
  graph.return %0, %1 : tensor<1xf32>, tensor<1xi64>
}

// -----

// Columns that are no whole vectors: eight rows of three are one of three
// vectors, and each of the eight a portion of its own.

// CHECK-LABEL: plan.program @three_columns
// CHECK: plan.launch @opgraph_portions_bf16_32x256_{{.*}} grid affine_map<() -> (40)> dependent
// CHECK-SAME: 24 : i32, 10000 : i32, 24, 1 : i32
// CHECK: plan.launch @opgraph_rows_f32_
// CHECK-SAME: 3 : i32, 320 : i32, 3]
// CHECK: tile.load {{.*}} : <?x?:8xbf16, {{.*}} -> <256x32xbf16,
graph.graph @three_columns(%x: tensor<80000x3xbf16> {graph.uid = 1 : i64})
    -> (tensor<1x3xf32> {graph.uid = 2 : i64}) {
  %0 = graph.reduction add %x {compute_type = f32}
      : (tensor<80000x3xbf16>) -> tensor<1x3xf32>
  graph.return %0 : tensor<1x3xf32>
}

// -----

// A channel's images, each one after another in memory, are portions: nothing
// is divided out.

// CHECK-LABEL: plan.program @channels
// CHECK: plan.launch @opgraph_portions_bf16_1x4096_{{.*}} grid affine_map<() -> (512)> dependent
// CHECK-SAME: 512 : i32, 4096 : i32, 4096, 1 : i32
// CHECK: plan.launch @opgraph_rows_f32_
// CHECK-SAME: 16 : i32, 32 : i32, 16, 131072 : i32
// CHECK-NOT: tile.gather
// CHECK: tile.load {{.*}} : <?x?:8xbf16, {{.*}} -> <1x4096xbf16,
graph.graph @channels(%x: tensor<32x16x64x64xbf16> {graph.uid = 1 : i64})
    -> (tensor<1x16x1x1xf32> {graph.uid = 2 : i64}) {
  %0 = graph.reduction avg %x {compute_type = f32}
      : (tensor<32x16x64x64xbf16>) -> tensor<1x16x1x1xf32>
  graph.return %0 : tensor<1x16x1x1xf32>
}
