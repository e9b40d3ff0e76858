// RUN: graph-opt %s --graph-legalize-nvptx-pointwise --mlir-print-local-scope --split-input-file | FileCheck %s

// Elementwise, in one kernel.

// CHECK-LABEL: plan.program @finalize
// CHECK-COUNT-1: plan.launch @opgraph_map
// CHECK-NOT: plan.launch
graph.graph @finalize(%sum: tensor<1x32x1x1xf32> {graph.uid = 1 : i64},
                      %sq: tensor<1x32x1x1xf32> {graph.uid = 2 : i64},
                      %s: tensor<1x32x1x1xf32> {graph.uid = 3 : i64},
                      %b: tensor<1x32x1x1xf32> {graph.uid = 4 : i64})
    -> (tensor<1x32x1x1xf32> {graph.uid = 5 : i64},
        tensor<1x32x1x1xf32> {graph.uid = 6 : i64}) {
  %e = graph.constant 1.000000e-05 : f32 : tensor<1xf32>
  %n = graph.constant 2.560000e+02 : f32 : tensor<1xf32>
  %es, %eb, %m, %r = graph.bn_finalize %sum, %sq, %s, %b, %e, %n
      : (tensor<1x32x1x1xf32>, tensor<1x32x1x1xf32>, tensor<1x32x1x1xf32>,
         tensor<1x32x1x1xf32>, tensor<1xf32>, tensor<1xf32>)
      -> tensor<1x32x1x1xf32>, tensor<1x32x1x1xf32>, tensor<1x32x1x1xf32>,
         tensor<1x32x1x1xf32>
  graph.return %es, %eb : tensor<1x32x1x1xf32>, tensor<1x32x1x1xf32>
}

// -----

// Both sums in one walk, and what follows from them with it.

// CHECK-LABEL: plan.program @weight
// CHECK-COUNT-1: plan.launch @opgraph_rows
// CHECK-NOT: plan.launch
graph.graph @weight(%dy: tensor<4x160x8x8xf16> {graph.uid = 1 : i64},
                    %x: tensor<4x160x8x8xf16> {graph.uid = 2 : i64},
                    %s: tensor<1x160x1x1xf32> {graph.uid = 3 : i64},
                    %m: tensor<1x160x1x1xf32> {graph.uid = 4 : i64},
                    %r: tensor<1x160x1x1xf32> {graph.uid = 5 : i64})
    -> (tensor<1x160x1x1xf32> {graph.uid = 6 : i64},
        tensor<1x160x1x1xf32> {graph.uid = 7 : i64},
        tensor<1x160x1x1xf32> {graph.uid = 8 : i64}) {
  %ds, %db, %edy, %ex, %eb = graph.dbn_weight %dy, %x, %s, %m, %r
      : (tensor<4x160x8x8xf16>, tensor<4x160x8x8xf16>, tensor<1x160x1x1xf32>,
         tensor<1x160x1x1xf32>, tensor<1x160x1x1xf32>)
      -> tensor<1x160x1x1xf32>, tensor<1x160x1x1xf32>, tensor<1x160x1x1xf32>,
         tensor<1x160x1x1xf32>, tensor<1x160x1x1xf32>
  graph.return %edy, %ex, %eb
      : tensor<1x160x1x1xf32>, tensor<1x160x1x1xf32>, tensor<1x160x1x1xf32>
}

// -----

// Offsets are compared with each row's number: the memory of others is not
// touched, whatever they are.

// CHECK-LABEL: plan.program @groups
// CHECK: tile.kernel
// CHECK: arith.cmpi sge, {{.*}} : i64
// CHECK: arith.cmpi slt, {{.*}} : i64
// CHECK: arith.select
// CHECK: tile.reduce
graph.graph @groups(%x: tensor<1x100x8xf32> {graph.uid = 1 : i64},
                    %o: tensor<5xi32> {graph.uid = 2 : i64})
    -> (tensor<4x1x8xf32> {graph.uid = 3 : i64}) {
  %0 = graph.reduction add %x group_offset %o
      : (tensor<1x100x8xf32>, tensor<5xi32>) -> tensor<4x1x8xf32>
  graph.return %0 : tensor<4x1x8xf32>
}
