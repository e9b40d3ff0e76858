// Normalisation: RMS norm in inference over the last axis of [B, S, D].
graph.graph @rmsnorm(
    %x: tensor<3x10x128xf16> {graph.uid = 1 : i64, graph.name = "X"},
    %scale: tensor<1x1x128xf16> {graph.uid = 2 : i64, graph.name = "SCALE"},
    %eps: tensor<1x1x1xf32> {graph.uid = 3 : i64, graph.name = "EPSILON", graph.by_value, graph.default = 1.0e-6 : f32})
    -> (tensor<3x10x128xf16> {graph.uid = 4 : i64, graph.name = "Y"}) {
  %y = graph.rmsnorm inference %x scale %scale epsilon %eps
      : (tensor<3x10x128xf16>, tensor<1x1x128xf16>, tensor<1x1x1xf32>) -> tensor<3x10x128xf16>
  graph.return %y : tensor<3x10x128xf16>
}
