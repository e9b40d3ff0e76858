// Comparison and selection: a causal mask from coordinates.
graph.graph @causal_mask(%s: tensor<2x8x8xf32> {graph.uid = 1 : i64, graph.name = "S"})
    -> (tensor<2x8x8xf32> {graph.uid = 2 : i64, graph.name = "masked"}) {
  %row = graph.gen_index %s {axis = 1 : i64, compute_type = i32} : (tensor<2x8x8xf32>) -> tensor<2x8x8xi32>
  %col = graph.gen_index %s {axis = 2 : i64, compute_type = i32} : (tensor<2x8x8xf32>) -> tensor<2x8x8xi32>
  %keep = graph.cmp_le %col, %row {compute_type = i32} : (tensor<2x8x8xi32>, tensor<2x8x8xi32>) -> tensor<2x8x8xi1>
  %low = graph.constant -1.0e+30 : f32 : tensor<1x1x1xf32>
  %y = graph.binary_select %s, %low, %keep : (tensor<2x8x8xf32>, tensor<1x1x1xf32>, tensor<2x8x8xi1>) -> tensor<2x8x8xf32>
  graph.return %y : tensor<2x8x8xf32>
}
