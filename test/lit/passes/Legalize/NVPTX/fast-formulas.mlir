// RUN: graph-opt %s --graph-legalize-nvptx-pointwise --mlir-print-local-scope --split-input-file | FileCheck %s

// The rounding to bf16 hides a short formula: one 2^x, one 1/x, no select.

// CHECK-LABEL: tile.kernel @opgraph_map_bf16
// CHECK: arith.mulf
// CHECK-NEXT: math.exp2 {{.*}} fastmath<afn>
// CHECK: arith.divf {{.*}} fastmath<arcp,afn>
// CHECK: arith.maximumf
// CHECK-NOT: arith.select
// CHECK: arith.truncf {{.*}} : f32 to bf16
graph.graph @swish(%x: tensor<64xbf16> {graph.uid = 1 : i64})
    -> (tensor<64xbf16> {graph.uid = 2 : i64}) {
  %0 = graph.swish %x : (tensor<64xbf16>) -> tensor<64xbf16>
  graph.return %0 : tensor<64xbf16>
}

// -----

// An f32 result has the exact formula.

// CHECK-LABEL: tile.kernel @opgraph_map_f32
// CHECK-NOT: fastmath
graph.graph @exact(%x: tensor<64xf32> {graph.uid = 1 : i64})
    -> (tensor<64xf32> {graph.uid = 2 : i64}) {
  %0 = graph.gelu_approx_tanh %x : (tensor<64xf32>) -> tensor<64xf32>
  graph.return %0 : tensor<64xf32>
}

// -----

// A product keeps relative errors: that of swiglu rounds to f16 in the end.

// CHECK-LABEL: tile.kernel @opgraph_map_f16
// CHECK: math.exp2 {{.*}} fastmath<afn>
// CHECK: arith.divf {{.*}} fastmath<arcp,afn>
graph.graph @swiglu(%x: tensor<64xf16> {graph.uid = 1 : i64},
                    %y: tensor<64xf16> {graph.uid = 2 : i64})
    -> (tensor<64xf16> {graph.uid = 3 : i64}) {
  %0 = graph.swish %x : (tensor<64xf16>) -> tensor<64xf32>
  %1 = graph.mul %0, %y : (tensor<64xf32>, tensor<64xf16>) -> tensor<64xf16>
  graph.return %1 : tensor<64xf16>
}

// -----

// A sum does not: terms may cancel.

// CHECK-LABEL: tile.kernel @opgraph_map_bf16
// CHECK-NOT: fastmath
graph.graph @sum(%x: tensor<64xbf16> {graph.uid = 1 : i64},
                 %y: tensor<64xbf16> {graph.uid = 2 : i64})
    -> (tensor<64xbf16> {graph.uid = 3 : i64}) {
  %0 = graph.swish %x : (tensor<64xbf16>) -> tensor<64xf32>
  %1 = graph.add %0, %y : (tensor<64xf32>, tensor<64xbf16>) -> tensor<64xbf16>
  graph.return %1 : tensor<64xbf16>
}

// -----

// 8-bit floats convert by instructions.

// CHECK-LABEL: tile.kernel @opgraph_map_i8
// CHECK: arith.bitcast {{.*}} : i8 to f8E5M2
// CHECK-NEXT: arith.extf
// CHECK: arith.truncf {{.*}} : f32 to f8E4M3FN
// CHECK-NEXT: arith.bitcast {{.*}} : f8E4M3FN to i8
graph.graph @narrow(%x: tensor<64xf8E5M2> {graph.uid = 1 : i64})
    -> (tensor<64xf8E4M3FN> {graph.uid = 2 : i64}) {
  %0 = graph.identity %x : (tensor<64xf8E5M2>) -> tensor<64xf8E4M3FN>
  graph.return %0 : tensor<64xf8E4M3FN>
}
