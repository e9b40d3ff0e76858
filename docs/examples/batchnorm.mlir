// Batch normalisation in training: the running statistics may be updated in
// place (bind one buffer to running_mean and next_running_mean).
graph.graph @batchnorm(
    %x: tensor<8x16x4x4xf32> {graph.uid = 1 : i64, graph.name = "x"},
    %s: tensor<1x16x1x1xf32> {graph.uid = 2 : i64, graph.name = "scale"},
    %b: tensor<1x16x1x1xf32> {graph.uid = 3 : i64, graph.name = "bias"},
    %m: tensor<1x16x1x1xf32> {graph.uid = 4 : i64, graph.name = "running_mean"},
    %v: tensor<1x16x1x1xf32> {graph.uid = 5 : i64, graph.name = "running_var"})
    -> (tensor<8x16x4x4xf32> {graph.uid = 6 : i64, graph.name = "y"},
        tensor<1x16x1x1xf32> {graph.uid = 7 : i64, graph.name = "next_running_mean"},
        tensor<1x16x1x1xf32> {graph.uid = 8 : i64, graph.name = "next_running_var"}) {
  %e = graph.constant 1.000000e-05 : f32 : tensor<1xf32>
  %f = graph.constant 1.000000e-01 : f32 : tensor<1xf32>
  %y, %mean, %inverse, %next_m, %next_v = graph.batchnorm %x scale %s bias %b
      running_mean %m running_var %v epsilon %e momentum %f
      : (tensor<8x16x4x4xf32>, tensor<1x16x1x1xf32>, tensor<1x16x1x1xf32>,
         tensor<1x16x1x1xf32>, tensor<1x16x1x1xf32>, tensor<1xf32>, tensor<1xf32>)
      -> tensor<8x16x4x4xf32>, tensor<1x16x1x1xf32>, tensor<1x16x1x1xf32>
         next_running_mean tensor<1x16x1x1xf32>
         next_running_var tensor<1x16x1x1xf32>
  graph.return %y, %next_m, %next_v
      : tensor<8x16x4x4xf32>, tensor<1x16x1x1xf32>, tensor<1x16x1x1xf32>
}
