// Causal attention with a soft cap on its scores: what a `score_mod` callable
// appends in Python is a region here.
graph.graph @soft_cap(
    %q: tensor<1x4x32x16xf16> {graph.uid = 1 : i64, graph.name = "q"},
    %k: tensor<1x2x32x16xf16> {graph.uid = 2 : i64, graph.name = "k"},
    %v: tensor<1x2x32x16xf16> {graph.uid = 3 : i64, graph.name = "v"})
    -> (tensor<1x4x32x16xf16> {graph.uid = 4 : i64, graph.name = "o"}) {
  %o = graph.sdpa %q, %k, %v score_mod {
  ^bb0(%s: tensor<1x4x32x32xf32>):
    %cap = graph.constant 2.000000e+01 : f32 : tensor<1xf32>
    %0 = graph.div %s, %cap : (tensor<1x4x32x32xf32>, tensor<1xf32>)
        -> tensor<1x4x32x32xf32>
    %1 = graph.tanh %0 : (tensor<1x4x32x32xf32>) -> tensor<1x4x32x32xf32>
    %2 = graph.mul %1, %cap : (tensor<1x4x32x32xf32>, tensor<1xf32>)
        -> tensor<1x4x32x32xf32>
    graph.yield %2 : tensor<1x4x32x32xf32>
  } {attn_scale_value = 0.25 : f64, diagonal_band_right_bound = 0 : i64}
      : (tensor<1x4x32x16xf16>, tensor<1x2x32x16xf16>, tensor<1x2x32x16xf16>)
      -> tensor<1x4x32x16xf16>
  graph.return %o : tensor<1x4x32x16xf16>
}
