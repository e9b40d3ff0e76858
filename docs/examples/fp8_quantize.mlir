// Storage types: scale by a host scalar and store as fp8 e4m3, saturating.
graph.graph @quantize(
    %x: tensor<16x64xf32> {graph.uid = 1 : i64, graph.name = "X"},
    %s: tensor<1x1xf32> {graph.uid = 2 : i64, graph.name = "scale", graph.by_value, graph.default = 16.0 : f32})
    -> (tensor<16x64xf8E4M3FN> {graph.uid = 3 : i64, graph.name = "Y"}) {
  %0 = graph.scale %x, %s : (tensor<16x64xf32>, tensor<1x1xf32>) -> tensor<16x64xf8E4M3FN>
  graph.return %0 : tensor<16x64xf8E4M3FN>
}
