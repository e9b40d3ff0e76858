// RUN: graph-opt %s --graph-legalize-nvptx-pointwise --mlir-print-local-scope --split-input-file | FileCheck %s

// A row in the registers of four warps: two reductions, each through words of
// shared memory of its own, and one read of the row.

// CHECK-LABEL: plan.program @softmax
// CHECK: plan.launch @opgraph_rows_bf16_1x4096_{{[0-9a-f]+}} grid affine_map<() -> (16)>
// CHECK: tile.kernel
// CHECK: tile.load
// CHECK-NOT: tile.load
// CHECK: tile.shared : <1x4xf32>
// CHECK: tile.reduce max_nan {{.*}} along cols within group through
// CHECK: math.exp
// CHECK: tile.shared : <1x4xf32>
// CHECK: tile.reduce add
// CHECK: tile.store
graph.graph @softmax(%x: tensor<16x4096xbf16> {graph.uid = 1 : i64})
    -> (tensor<16x4096xbf16> {graph.uid = 2 : i64}) {
  %0 = graph.softmax %x : (tensor<16x4096xbf16>) -> tensor<16x4096xbf16>
  graph.return %0 : tensor<16x4096xbf16>
}

// -----

// A row that is too long is walked in chunks: once for each reduction, once for
// the results.

// CHECK-LABEL: plan.program @long_rows
// CHECK: tile.kernel
// CHECK-COUNT-3: scf.for
// CHECK-NOT: scf.for
graph.graph @long_rows(%x: tensor<200x50000xf32> {graph.uid = 1 : i64})
    -> (tensor<200x50000xf32> {graph.uid = 2 : i64}) {
  %0 = graph.softmax %x : (tensor<200x50000xf32>) -> tensor<200x50000xf32>
  graph.return %0 : tensor<200x50000xf32>
}

// -----

// Gradients of the parameters reduce other axes than the gradient of the input:
// kernels of their own, which compute again what they need. No full tensor is
// kept.

// CHECK-LABEL: plan.program @layernorm_backward
// CHECK-COUNT-2: plan.launch
// CHECK-NOT: plan.launch
// CHECK: tile.kernel
graph.graph @layernorm_backward(%dy: tensor<32x64xf32> {graph.uid = 1 : i64},
    %x: tensor<32x64xf32> {graph.uid = 2 : i64},
    %s: tensor<1x64xf32> {graph.uid = 3 : i64},
    %m: tensor<32x1xf32> {graph.uid = 4 : i64},
    %i: tensor<32x1xf32> {graph.uid = 5 : i64})
    -> (tensor<32x64xf32> {graph.uid = 6 : i64},
        tensor<1x64xf32> {graph.uid = 7 : i64},
        tensor<1x64xf32> {graph.uid = 8 : i64}) {
  %dx, %ds, %db = graph.layernorm_backward %dy, %x, %m, %i scale %s
      : (tensor<32x64xf32>, tensor<32x64xf32>, tensor<1x64xf32>,
         tensor<32x1xf32>, tensor<32x1xf32>)
      -> tensor<32x64xf32> dscale tensor<1x64xf32> dbias tensor<1x64xf32>
  graph.return %dx, %ds, %db : tensor<32x64xf32>, tensor<1x64xf32>, tensor<1x64xf32>
}

// -----

// Where the rows that stay are neighbours in memory, vectors are along them and
// the threads of a block share out the columns: all reads are of neighbours.

// CHECK-LABEL: plan.program @column_sum
// CHECK: plan.launch @opgraph_rows_f32_16x512_{{[0-9a-f]+}} grid affine_map<() -> (256)>
// CHECK: tile.view %arg0 {{.*}} -> <?x?:4xbf16, strides [?:4, 1], align 16, readonly>
// CHECK: scf.for
// CHECK: tile.load {{.*}} -> <512x16xbf16, #tile.blocked<vector = 4, lanes = [8, 4], warps = [16, 1]>>
// CHECK: tile.coord rows
// CHECK: tile.shared : <16x16xf32>
// CHECK: tile.reduce add {{.*}} along rows within group through
graph.graph @column_sum(%x: tensor<800x4096xbf16> {graph.uid = 1 : i64})
    -> (tensor<1x4096xf32> {graph.uid = 2 : i64}) {
  %0 = graph.reduction add %x : (tensor<800x4096xbf16>) -> tensor<1x4096xf32>
  graph.return %0 : tensor<1x4096xf32>
}
