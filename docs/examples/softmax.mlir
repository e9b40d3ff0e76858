// Softmax spelled out; `graph-recognize-softmax` makes it one op.
graph.graph @softmax(%x: tensor<8x33xf32> {graph.uid = 1 : i64, graph.name = "X"})
    -> (tensor<8x33xf32> {graph.uid = 2 : i64, graph.name = "Y"}) {
  %m = graph.reduction max %x : (tensor<8x33xf32>) -> tensor<8x1xf32>
  %s = graph.sub %x, %m : (tensor<8x33xf32>, tensor<8x1xf32>) -> tensor<8x33xf32>
  %e = graph.exp %s : (tensor<8x33xf32>) -> tensor<8x33xf32>
  %t = graph.reduction add %e : (tensor<8x33xf32>) -> tensor<8x1xf32>
  %y = graph.div %e, %t : (tensor<8x33xf32>, tensor<8x1xf32>) -> tensor<8x33xf32>
  graph.return %y : tensor<8x33xf32>
}
