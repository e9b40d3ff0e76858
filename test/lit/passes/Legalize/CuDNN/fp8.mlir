// RUN: graph-opt %s --graph-legalize-cudnn --mlir-print-local-scope --split-input-file | FileCheck %s

// The product, the scales of its sides, C and the largest magnitude before
// C's own scale.

// CHECK-LABEL: cudnn.graph @opgraph_scaled_cudnn
// CHECK: operation_matmul
// CHECK: pointwise {mode = mul
// CHECK: pointwise {mode = mul
// CHECK: operation_pointwise {pw_descriptor = {{.*}}ydesc = %[[SUM:[0-9]+]]}
// CHECK: tensor {unique_id = 6, data_type = fp8_e4m3
// CHECK: pointwise {mode = mul
// CHECK: operation_pointwise {pw_descriptor = {{.*}}, xdesc = %[[SUM]]
// CHECK: reduction {operator = amax
// CHECK: operation_reduction {xdesc = %[[SUM]]
graph.graph @scaled(%a: tensor<1x16x32xf8E4M3FN> {graph.uid = 1 : i64},
                    %b: tensor<1x32x16xf8E4M3FN> {graph.uid = 2 : i64},
                    %da: tensor<1x1x1xf32> {graph.uid = 3 : i64},
                    %db: tensor<1x1x1xf32> {graph.uid = 4 : i64},
                    %sc: tensor<1x1x1xf32> {graph.uid = 5 : i64})
    -> (tensor<1x16x16xf8E4M3FN> {graph.uid = 6 : i64},
        tensor<1x1x1xf32> {graph.uid = 7 : i64}) {
  %c, %amax = graph.matmul_fp8 %a, %b, %da, %db, %sc
      : (tensor<1x16x32xf8E4M3FN>, tensor<1x32x16xf8E4M3FN>, tensor<1x1x1xf32>,
         tensor<1x1x1xf32>, tensor<1x1x1xf32>)
      -> tensor<1x16x16xf8E4M3FN>, tensor<1x1x1xf32>
  graph.return %c, %amax : tensor<1x16x16xf8E4M3FN>, tensor<1x1x1xf32>
}

// -----

// Magnitudes that nobody reads are in the plan's workspace: engines want them.

// CHECK-LABEL: cudnn.graph @opgraph_attention_cudnn
// CHECK: operation_matmul
// CHECK: reduction {operator = max
// CHECK: pointwise {mode = div
// CHECK: reduction {operator = amax
// CHECK: tensor {{.*}}data_type = fp8_e4m3, dimensions = [1, 2, 128, 128]
// CHECK: pointwise {mode = mul
// CHECK: operation_matmul
// CHECK: pointwise {mode = mul
// CHECK: pointwise {mode = mul
// CHECK: pointwise {mode = mul
// CHECK: reduction {operator = amax
// CHECK-LABEL: plan.program @attention
// CHECK: #plan.scratch<affine_map<() -> (0)>>
// CHECK-SAME: #plan.scratch<affine_map<() -> (256)>>
graph.graph @attention(%q: tensor<1x2x128x64xf8E4M3FN> {graph.uid = 1 : i64},
                       %k: tensor<1x2x128x64xf8E4M3FN> {graph.uid = 2 : i64},
                       %v: tensor<1x2x128x64xf8E4M3FN> {graph.uid = 3 : i64},
                       %one: tensor<1x1x1x1xf32> {graph.uid = 4 : i64})
    -> (tensor<1x2x128x64xf8E4M3FN> {graph.uid = 5 : i64}) {
  %o, %s, %m = graph.sdpa_fp8 %q, %k, %v, %one, %one, %one, %one, %one
      scale_o %one {diagonal_band_right_bound = 0 : i64}
      : (tensor<1x2x128x64xf8E4M3FN>, tensor<1x2x128x64xf8E4M3FN>,
         tensor<1x2x128x64xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>,
         tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>,
         tensor<1x1x1x1xf32>)
      -> tensor<1x2x128x64xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %o : tensor<1x2x128x64xf8E4M3FN>
}
