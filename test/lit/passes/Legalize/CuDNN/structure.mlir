// RUN: graph-opt %s --graph-legalize-cudnn --mlir-print-local-scope --split-input-file | FileCheck %s

// CHECK-LABEL: cudnn.graph @opgraph_concatenate_cudnn
// CHECK: operation_concat {axis = 1, input_descs = [%{{.*}}, %{{.*}}], output_desc = %{{.*}}}
graph.graph @concatenate(%a: tensor<2x3x8xf32> {graph.uid = 1 : i64},
                         %b: tensor<2x5x8xf32> {graph.uid = 2 : i64})
    -> (tensor<2x8x8xf32> {graph.uid = 3 : i64}) {
  %0 = graph.concatenate %a, %b axis 1
      : (tensor<2x3x8xf32>, tensor<2x5x8xf32>) -> tensor<2x8x8xf32>
  graph.return %0 : tensor<2x8x8xf32>
}

// -----

// CHECK-LABEL: cudnn.graph @opgraph_moe_cudnn
// CHECK: operation_moe_grouped_matmul {mode = gather, math_prec = float, token_desc = %{{.*}}, weight_desc = %{{.*}}, first_token_offset_desc = %{{.*}}, token_index_desc = %{{.*}}, output_desc = %{{.*}}}
graph.graph @moe(
    %t: tensor<1x10x8xbf16> {graph.uid = 1 : i64},
    %w: tensor<3x8x16xbf16> {graph.uid = 2 : i64},
    %o: tensor<3x1x1xi32> {graph.uid = 3 : i64},
    %i: tensor<1x20x1xi32> {graph.uid = 4 : i64})
    -> (tensor<1x20x16xbf16> {graph.uid = 5 : i64}) {
  %0 = graph.moe_grouped_matmul %t, %w, %o token_index %i
      {mode = #graph<moe_mode gather>}
      : (tensor<1x10x8xbf16>, tensor<3x8x16xbf16>, tensor<3x1x1xi32>,
         tensor<1x20x1xi32>) -> tensor<1x20x16xbf16>
  graph.return %0 : tensor<1x20x16xbf16>
}

// -----

// Scales keep their tiles.

// CHECK-LABEL: cudnn.graph @opgraph_quantize_cudnn
// CHECK: tensor {unique_id = 3, data_type = fp8_e8m0, {{.*}}reordering_mode = f8_128x4}
// CHECK: operation_block_scale_quantize {xdesc = %{{.*}}, ydesc = %{{.*}}, scale_desc = %{{.*}}, math_prec = float, block_size = 32}
graph.graph @quantize(%x: tensor<1x128x128xf32> {graph.uid = 1 : i64})
    -> (tensor<1x128x128xf8E4M3FN> {graph.uid = 2 : i64},
        tensor<1x128x4xf8E8M0FNU, #graph.layout<strides = [512, 4, 1], reordering = f8_128x4>>
            {graph.uid = 3 : i64}) {
  %y, %s = graph.block_scale_quantize %x {block_size = 32 : i64}
      : (tensor<1x128x128xf32>) -> tensor<1x128x128xf8E4M3FN>,
        tensor<1x128x4xf8E8M0FNU, #graph.layout<strides = [512, 4, 1], reordering = f8_128x4>>
  graph.return %y, %s : tensor<1x128x128xf8E4M3FN>,
      tensor<1x128x4xf8E8M0FNU, #graph.layout<strides = [512, 4, 1], reordering = f8_128x4>>
}
