// Reduction: the largest magnitude of each row, as a quantiser wants it.
graph.graph @row_amax(%x: tensor<32x100xf16> {graph.uid = 1 : i64, graph.name = "X"})
    -> (tensor<32x1xf32> {graph.uid = 2 : i64, graph.name = "amax"}) {
  %0 = graph.reduction amax %x : (tensor<32x100xf16>) -> tensor<32x1xf32>
  graph.return %0 : tensor<32x1xf32>
}
