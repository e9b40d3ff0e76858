// Pointwise: SwiGLU's gate, swish(g) * u, with a bf16 rounding point between.
graph.graph @swiglu(
    %g: tensor<64x256xbf16> {graph.uid = 1 : i64, graph.name = "gate"},
    %u: tensor<64x256xbf16> {graph.uid = 2 : i64, graph.name = "up"})
    -> (tensor<64x256xbf16> {graph.uid = 3 : i64, graph.name = "Y"}) {
  %0 = graph.swish %g : (tensor<64x256xbf16>) -> tensor<64x256xbf16>
  %1 = graph.mul %0, %u : (tensor<64x256xbf16>, tensor<64x256xbf16>) -> tensor<64x256xbf16>
  graph.return %1 : tensor<64x256xbf16>
}
