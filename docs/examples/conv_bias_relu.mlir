// A convolution over channels-last images with bias and ReLU: padding keeps the
// extents, the filter has one group.
#nhwc = #graph.layout<order = [0, 2, 3, 1]>
graph.graph @conv_bias_relu(
    %x: tensor<2x8x16x16xf32, #nhwc> {graph.uid = 1 : i64, graph.name = "x"},
    %w: tensor<16x8x3x3xf32> {graph.uid = 2 : i64, graph.name = "w"},
    %b: tensor<1x16x1x1xf32> {graph.uid = 3 : i64, graph.name = "b"})
    -> (tensor<2x16x16x16xf32, #nhwc> {graph.uid = 4 : i64, graph.name = "y"}) {
  %0 = graph.conv_fprop %x, %w {
      pre_padding = array<i64: 1, 1>, post_padding = array<i64: 1, 1>,
      stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<2x8x16x16xf32, #nhwc>, tensor<16x8x3x3xf32>)
      -> tensor<2x16x16x16xf32, #nhwc>
  %1 = graph.bias %0, %b : (tensor<2x16x16x16xf32, #nhwc>, tensor<1x16x1x1xf32>)
      -> tensor<2x16x16x16xf32, #nhwc>
  %2 = graph.relu %1 : (tensor<2x16x16x16xf32, #nhwc>)
      -> tensor<2x16x16x16xf32, #nhwc>
  graph.return %2 : tensor<2x16x16x16xf32, #nhwc>
}
