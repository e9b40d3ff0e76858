// A linear layer with bias and GELU: gelu(x w + b), intermediates in f32.
graph.graph @linear_gelu(
    %x: tensor<1x128x256xf32> {graph.uid = 1 : i64, graph.name = "X"},
    %w: tensor<1x256x512xf32> {graph.uid = 2 : i64, graph.name = "W"},
    %b: tensor<1x1x512xf32> {graph.uid = 3 : i64, graph.name = "B"})
    -> (tensor<1x128x512xf32> {graph.uid = 4 : i64, graph.name = "Y"}) {
  %0 = graph.matmul %x, %w : (tensor<1x128x256xf32>, tensor<1x256x512xf32>) -> tensor<1x128x512xf32>
  %1 = graph.bias %0, %b : (tensor<1x128x512xf32>, tensor<1x1x512xf32>) -> tensor<1x128x512xf32>
  %2 = graph.gelu %1 : (tensor<1x128x512xf32>) -> tensor<1x128x512xf32>
  graph.return %2 : tensor<1x128x512xf32>
}
