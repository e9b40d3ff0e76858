// 4-bit elements, two per byte, in memory and on both sides.
!columns = tensor<4x3xi4, #graph.layout<strides = [1, 4]>>
graph.graph @halves(%x: tensor<3x4xf4E2M1FN> {graph.uid = 1 : i64, graph.name = "X"})
    -> (!columns {graph.uid = 2 : i64, graph.name = "Y"},
        tensor<3x4xf8E8M0FNU> {graph.uid = 3 : i64, graph.name = "S"}) {
  %0 = graph.neg %x : (tensor<3x4xf4E2M1FN>) -> tensor<3x4xf32>
  %1 = graph.transpose %0 [1, 0] : (tensor<3x4xf32>) -> tensor<4x3xf32>
  %2 = graph.identity %1 : (tensor<4x3xf32>) -> !columns
  %3 = graph.abs %x : (tensor<3x4xf4E2M1FN>) -> tensor<3x4xf8E8M0FNU>
  graph.return %2, %3 : !columns, tensor<3x4xf8E8M0FNU>
}
