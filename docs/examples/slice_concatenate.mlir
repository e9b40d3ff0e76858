// Layout: rotate the halves of each row, as rotary embeddings do.
graph.graph @rotate_half(%x: tensor<6x32xf32> {graph.uid = 1 : i64, graph.name = "X"})
    -> (tensor<6x32xf32> {graph.uid = 2 : i64, graph.name = "Y"}) {
  %lo = graph.slice %x [0, 0] to [6, 16] step [1, 1]
      : (tensor<6x32xf32>) -> tensor<6x16xf32, #graph.layout<strides = [32, 1]>>
  %hi = graph.slice %x [0, 16] to [6, 32] step [1, 1]
      : (tensor<6x32xf32>) -> tensor<6x16xf32, #graph.layout<strides = [32, 1]>>
  %neg = graph.neg %hi : (tensor<6x16xf32, #graph.layout<strides = [32, 1]>>) -> tensor<6x16xf32>
  %y = graph.concatenate %neg, %lo axis 1
      : (tensor<6x16xf32>, tensor<6x16xf32, #graph.layout<strides = [32, 1]>>) -> tensor<6x32xf32>
  graph.return %y : tensor<6x32xf32>
}
