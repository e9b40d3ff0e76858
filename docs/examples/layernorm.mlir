// Normalisation: layer norm in training, statistics as outputs.
graph.graph @layernorm(
    %x: tensor<16x96x1x1xbf16> {graph.uid = 1 : i64, graph.name = "X"},
    %scale: tensor<1x96x1x1xf32> {graph.uid = 2 : i64, graph.name = "SCALE"},
    %bias: tensor<1x96x1x1xf32> {graph.uid = 3 : i64, graph.name = "BIAS"},
    %eps: tensor<1x1x1x1xf32> {graph.uid = 4 : i64, graph.name = "EPSILON", graph.by_value, graph.default = 1.0e-5 : f32})
    -> (tensor<16x96x1x1xbf16> {graph.uid = 5 : i64, graph.name = "Y"},
        tensor<16x1x1x1xf32> {graph.uid = 6 : i64, graph.name = "MEAN"},
        tensor<16x1x1x1xf32> {graph.uid = 7 : i64, graph.name = "INV_VARIANCE"}) {
  %y, %mean, %inv = graph.layernorm training %x scale %scale bias %bias epsilon %eps
      : (tensor<16x96x1x1xbf16>, tensor<1x96x1x1xf32>, tensor<1x96x1x1xf32>, tensor<1x1x1x1xf32>)
      -> tensor<16x96x1x1xbf16> mean tensor<16x1x1x1xf32> inv_variance tensor<16x1x1x1xf32>
  graph.return %y, %mean, %inv : tensor<16x96x1x1xbf16>, tensor<16x1x1x1xf32>, tensor<16x1x1x1xf32>
}
