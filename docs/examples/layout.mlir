// Layout: heads out of a packed projection, [B*S, H*D] -> [B, H, S, D].
graph.graph @split_heads(%x: tensor<24x64xf16> {graph.uid = 1 : i64, graph.name = "X"})
    -> (tensor<2x4x12x16xf16> {graph.uid = 2 : i64, graph.name = "heads"}) {
  %0 = graph.reshape logical %x : (tensor<24x64xf16>) -> tensor<2x12x4x16xf16>
  %1 = graph.transpose %0 [0, 2, 1, 3] : (tensor<2x12x4x16xf16>) -> tensor<2x4x12x16xf16>
  graph.return %1 : tensor<2x4x12x16xf16>
}
