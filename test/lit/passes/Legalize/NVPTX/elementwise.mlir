// RUN: graph-opt %s --graph-legalize-nvptx-pointwise --mlir-print-local-scope --split-input-file | FileCheck %s

// Everything lies packed: one axis, a vector of 16 bytes a thread, extents as
// arguments. One map per op; the intermediate is f32 and does not round.

// CHECK-LABEL: plan.program @add_relu
// CHECK: plan.launch @[[K:opgraph_map_bf16_1x2048_[0-9a-f]+]] grid affine_map<() -> (3)>
// CHECK-SAME: args [#plan.pointer<0>, #plan.pointer<1>, #plan.pointer<2>, 1 : i32, 6144 : i32]
// CHECK: tile.kernel @[[K]]
// CHECK-SAME: %{{.*}}: !tile.ptr<bf16, align 16, readonly>
// CHECK-SAME: warps(8)
// CHECK: tile.load {{.*}} below
// CHECK: tile.map {{.*}}f32
// CHECK: arith.addf
// CHECK: tile.map
// CHECK: arith.truncf {{.*}} : f32 to bf16
// CHECK: tile.store
graph.graph @add_relu(%x: tensor<48x128xbf16> {graph.uid = 1 : i64},
                      %y: tensor<48x128xbf16> {graph.uid = 2 : i64})
    -> (tensor<48x128xbf16> {graph.uid = 3 : i64}) {
  %0 = graph.add %x, %y : (tensor<48x128xbf16>, tensor<48x128xbf16>) -> tensor<48x128xf32>
  %1 = graph.relu %0 : (tensor<48x128xf32>) -> tensor<48x128xbf16>
  graph.return %1 : tensor<48x128xbf16>
}

// -----

// A row vector has no row stride; rows and columns are two axes.

// CHECK-LABEL: plan.program @bias
// CHECK: plan.launch @opgraph_map_f32_8x128_{{[0-9a-f]+}} grid affine_map<() -> (1)>
// CHECK: tile.view {{.*}} : <f32, align 16, readonly> -> <1x?:4xf32, strides [0, 1], align 16, readonly>
graph.graph @bias(%x: tensor<5x120xf32> {graph.uid = 1 : i64},
                  %b: tensor<1x120xf32> {graph.uid = 2 : i64})
    -> (tensor<5x120xf32> {graph.uid = 3 : i64}) {
  %0 = graph.add %x, %b : (tensor<5x120xf32>, tensor<1x120xf32>) -> tensor<5x120xf32>
  graph.return %0 : tensor<5x120xf32>
}

// -----

// By-value operands are parameters.

// CHECK-LABEL: plan.program @scaled
// CHECK: args [#plan.pointer<0>, #plan.pointer<2>, {{.*}}#plan.scalar<1, f32>]
graph.graph @scaled(%x: tensor<64xf32> {graph.uid = 1 : i64},
                    %s: tensor<1xf32> {graph.uid = 2 : i64, graph.by_value})
    -> (tensor<64xf32> {graph.uid = 3 : i64}) {
  %0 = graph.mul %x, %s : (tensor<64xf32>, tensor<1xf32>) -> tensor<64xf32>
  graph.return %0 : tensor<64xf32>
}
