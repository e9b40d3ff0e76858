// RUN: graph-opt %s --graph-legalize-nvptx-pointwise --mlir-print-local-scope --split-input-file | FileCheck %s

// One kernel: blocks are rows, the scale is a reduction's result, and elements
// are products with its exact reciprocal.

// CHECK-LABEL: plan.program @quantize
// CHECK: plan.launch @[[K:opgraph_rows_i8_[0-9a-z_]+]]
// CHECK-NOT: plan.launch
// CHECK: tile.kernel @[[K]]
// CHECK: tile.reduce max_nan
// The scale's quotient has a last bit that tells whether it is exact.
// CHECK: arith.divf {{.*}} fastmath<afn>
// CHECK-COUNT-3: math.fma
// CHECK-NOT: fastmath
// CHECK: arith.ori
// CHECK: arith.select
// CHECK: arith.truncf {{.*}} : f32 to f8E8M0FNU
// CHECK: arith.truncf {{.*}} : f32 to f8E4M3FN
graph.graph @quantize(%x: tensor<128x4096xbf16> {graph.uid = 1 : i64})
    -> (tensor<128x4096xf8E4M3FN> {graph.uid = 2 : i64},
        tensor<128x128xf8E8M0FNU> {graph.uid = 3 : i64}) {
  %y, %s = graph.block_scale_quantize %x {block_size = 32 : i64}
      : (tensor<128x4096xbf16>) -> tensor<128x4096xf8E4M3FN>, tensor<128x128xf8E8M0FNU>
  graph.return %y, %s : tensor<128x4096xf8E4M3FN>, tensor<128x128xf8E8M0FNU>
}
