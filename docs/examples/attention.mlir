// Causal attention with grouped heads (4 query heads on 2 key heads), bf16,
// and the log-sum-exp of each row as a second output.
graph.graph @attention(
    %q: tensor<2x4x64x32xbf16> {graph.uid = 1 : i64, graph.name = "Q"},
    %k: tensor<2x2x64x32xbf16> {graph.uid = 2 : i64, graph.name = "K"},
    %v: tensor<2x2x64x32xbf16> {graph.uid = 3 : i64, graph.name = "V"})
    -> (tensor<2x4x64x32xbf16> {graph.uid = 4 : i64, graph.name = "O"},
        tensor<2x4x64x1xf32> {graph.uid = 5 : i64, graph.name = "Stats"}) {
  %o, %stats = graph.sdpa %q, %k, %v {attn_scale_value = 0.17677669529663687 : f64, diagonal_band_right_bound = 0 : i64, generate_stats}
      : (tensor<2x4x64x32xbf16>, tensor<2x2x64x32xbf16>, tensor<2x2x64x32xbf16>) -> tensor<2x4x64x32xbf16> stats tensor<2x4x64x1xf32>
  graph.return %o, %stats : tensor<2x4x64x32xbf16>, tensor<2x4x64x1xf32>
}
