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

// A row that is too long for a block's registers is read once, by a cluster:
// each CTA keeps its chunks in shared memory, and what the CTAs have of the
// maximum and of the sum changes hands in one exchange.

// CHECK-LABEL: plan.program @long_rows
// CHECK: plan.launch @opgraph_rows_f32_{{.*}} grid affine_map<() -> (800)>
// CHECK: tile.kernel {{.*}} targets [sm_90a, sm_100a] cluster [4, 1, 1]
// CHECK: tile.cta_in_cluster x
// CHECK: tile.shared : <4x4096xf32>
// CHECK: scf.for
// CHECK: tile.load
// CHECK-NOT: tile.load
// CHECK: tile.store_shared
// CHECK: tile.reduce max_nan
// CHECK: tile.reduce add
// CHECK: tile.cluster_arrive
// CHECK-NEXT: tile.cluster_wait
// CHECK-COUNT-8: tile.peer
// CHECK: tile.cluster_arrive
// CHECK: scf.for
// CHECK: tile.load_shared
// CHECK-NOT: scf.for
// CHECK: tile.cluster_wait
graph.graph @long_rows(%x: tensor<200x50000xf32> {graph.uid = 1 : i64})
    -> (tensor<200x50000xf32> {graph.uid = 2 : i64}) {
  %0 = graph.softmax %x : (tensor<200x50000xf32>) -> tensor<200x50000xf32>
  graph.return %0 : tensor<200x50000xf32>
}

// -----

// Where no cluster keeps a row it is read twice: a variance shares the mean's
// walk, each thread with sums about its own first element. The second walk
// begins where the first one ended.

// CHECK-LABEL: plan.program @longest_rows
// CHECK: tile.kernel
// CHECK: scf.for {{.*}} -> (!tile.reg<{{.*}}>, !tile.reg<{{.*}}>, !tile.reg<
// CHECK: tile.reduce add
// CHECK: tile.reduce add
// CHECK: scf.for
// CHECK: arith.subi
// CHECK: tile.load
// CHECK-NOT: scf.for
graph.graph @longest_rows(%x: tensor<4096x400000xbf16> {graph.uid = 1 : i64},
    %s: tensor<1x400000xf32> {graph.uid = 2 : i64},
    %e: tensor<1x1xf32> {graph.uid = 3 : i64, graph.by_value})
    -> (tensor<4096x400000xbf16> {graph.uid = 4 : i64}) {
  %0 = graph.layernorm inference %x scale %s epsilon %e
      : (tensor<4096x400000xbf16>, tensor<1x400000xf32>, tensor<1x1xf32>)
      -> tensor<4096x400000xbf16>
  graph.return %0 : tensor<4096x400000xbf16>
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
// the threads of a block share out the columns: all reads are of neighbours. The
// zeros that are loaded past the last column leave the sum as it is.

// CHECK-LABEL: plan.program @column_sum
// CHECK: plan.launch @opgraph_rows_f32_16x512_{{[0-9a-f]+}} grid affine_map<() -> (256)>
// CHECK: tile.view %arg0 {{.*}} -> <?x?:4xbf16, strides [?:4, 1], align 16, readonly>
// CHECK: scf.for
// CHECK: tile.load {{.*}} -> <512x16xbf16, #tile.blocked<vector = 4, lanes = [8, 4], warps = [16, 1]>>
// CHECK-NOT: tile.coord
// CHECK: tile.shared : <16x16xf32>
// CHECK: tile.reduce add {{.*}} along rows within group through
graph.graph @column_sum(%x: tensor<800x4096xbf16> {graph.uid = 1 : i64})
    -> (tensor<1x4096xf32> {graph.uid = 2 : i64}) {
  %0 = graph.reduction add %x : (tensor<800x4096xbf16>) -> tensor<1x4096xf32>
  graph.return %0 : tensor<1x4096xf32>
}

// -----

// Rows that begin between whole vectors: the tile begins at the vector before,
// up to seven elements before the row. They are as those past its end: the least
// number, which suits a maximum and an exponential's sum. Of a thread's first
// vector whole ones are written, then the row's first elements.

// CHECK-LABEL: plan.program @odd_rows
// CHECK: %[[START:.+]] = arith.trunci %{{.+}} : i64 to i32
// CHECK: %[[SHIFT:.+]] = arith.andi %[[START]], %c7_i32
// CHECK: %[[COLUMN:.+]] = arith.subi %c0_i32{{.*}}, %[[SHIFT]]
// CHECK: tile.view {{.*}} -> <1x?xbf16, strides [0, 1], align 16, readonly>
// CHECK: tile.load {{.*}} fill( neg_inf) {{.*}} -> <1x9216xbf16, #tile.blocked<vector = 8, lanes = [1, 32], warps = [1, 9]>>
// CHECK: arith.cmpi ult, %{{.+}}, %[[SHIFT]]
// CHECK: tile.reduce max_nan
// CHECK-NOT: arith.cmpi
// CHECK: tile.reduce add
// CHECK: tile.scatter {{.*}} vector(8)
// CHECK: tile.scatter
// CHECK-NOT: vector(
// CHECK-COUNT-3: tile.store
graph.graph @odd_rows(%x: tensor<16x8191xbf16> {graph.uid = 1 : i64})
    -> (tensor<16x8191xbf16> {graph.uid = 2 : i64}) {
  %0 = graph.softmax %x : (tensor<16x8191xbf16>) -> tensor<16x8191xbf16>
  graph.return %0 : tensor<16x8191xbf16>
}

// -----

// Of short rows that begin anywhere elements go one by one, so that neighbouring
// lanes have neighbours.

// CHECK-LABEL: plan.program @short_odd_rows
// CHECK: tile.load {{.*}} -> <{{[0-9]+}}x128xbf16, #tile.blocked<vector = 1,
graph.graph @short_odd_rows(%x: tensor<1600x101xbf16> {graph.uid = 1 : i64})
    -> (tensor<1600x101xbf16> {graph.uid = 2 : i64}) {
  %0 = graph.softmax %x : (tensor<1600x101xbf16>) -> tensor<1600x101xbf16>
  graph.return %0 : tensor<1600x101xbf16>
}
