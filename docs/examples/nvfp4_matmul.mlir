// A matmul of two fp4 matrices, 16 elements to a scale, scales in the 128x4
// layout (NVFP4).
#tiled = #graph.layout<reordering = f8_128x4>
#tiled_b = #graph.layout<strides = [1, 4], reordering = f8_128x4>
graph.graph @nvfp4_matmul(
    %a: tensor<128x64xf4E2M1FN> {graph.uid = 1 : i64, graph.name = "a"},
    %sa: tensor<128x4xf8E4M3FN, #tiled> {graph.uid = 2 : i64, graph.name = "scale_a"},
    %b: tensor<64x128xf4E2M1FN, #graph.layout<strides = [1, 64]>> {graph.uid = 3 : i64, graph.name = "b"},
    %sb: tensor<4x128xf8E4M3FN, #tiled_b> {graph.uid = 4 : i64, graph.name = "scale_b"})
    -> (tensor<128x128xbf16> {graph.uid = 5 : i64, graph.name = "c"}) {
  %0 = graph.block_scale_dequantize %a, %sa {block_size = array<i64: 1, 16>}
      : (tensor<128x64xf4E2M1FN>, tensor<128x4xf8E4M3FN, #tiled>) -> tensor<128x64xf32>
  %1 = graph.block_scale_dequantize %b, %sb {block_size = array<i64: 16, 1>}
      : (tensor<64x128xf4E2M1FN, #graph.layout<strides = [1, 64]>>,
         tensor<4x128xf8E4M3FN, #tiled_b>) -> tensor<64x128xf32>
  %2 = graph.matmul %0, %1 {ieee} : (tensor<128x64xf32>, tensor<64x128xf32>) -> tensor<128x128xbf16>
  graph.return %2 : tensor<128x128xbf16>
}
