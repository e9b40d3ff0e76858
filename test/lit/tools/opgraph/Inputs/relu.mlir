graph.graph @relu(%x: tensor<2x3xf32> {graph.uid = 1 : i64, graph.name = "X"})
    -> (tensor<2x3xf32> {graph.uid = 2 : i64, graph.name = "Y"}) {
  %0 = graph.relu %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  graph.return %0 : tensor<2x3xf32>
}
