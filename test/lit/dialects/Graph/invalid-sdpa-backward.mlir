// RUN: graph-opt %s --split-input-file --verify-diagnostics

graph.graph @sdpa_backward_c1(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf16> {graph.uid = 4 : i64},
    %do: tensor<2x4x256xf16> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64})
    -> (tensor<2x4x8x16xf16> {graph.uid = 7 : i64}) {
  // expected-error @below {{expected 'dO' to have rank 4, got 3}}
  %0:3 = graph.sdpa_backward %q, %k, %v, %o, %do, %stats
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>,
         tensor<2x4x8x32xf16>, tensor<2x4x256xf16>, tensor<2x4x8x1xf32>)
      -> tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>
  graph.return %0#0 : tensor<2x4x8x16xf16>
}

// -----

graph.graph @sdpa_backward_c1_keys(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf16> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf16> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64})
    -> (tensor<2x4x8x16xf16> {graph.uid = 7 : i64}) {
  // expected-error @below {{expected 'K' to have rank 4, got 3}}
  %0:3 = graph.sdpa_backward %q, %k, %v, %o, %do, %stats
      : (tensor<2x4x8x16xf16>, tensor<2x6x16xf16>, tensor<2x2x6x32xf16>,
         tensor<2x4x8x32xf16>, tensor<2x4x8x32xf16>, tensor<2x4x8x1xf32>)
      -> tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>
  graph.return %0#0 : tensor<2x4x8x16xf16>
}

// -----

graph.graph @sdpa_backward_c2(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf16> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf16> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xi32> {graph.uid = 6 : i64})
    -> (tensor<2x4x8x16xf16> {graph.uid = 7 : i64}) {
  // expected-error @below {{expected 'Stats' to be floating point, got 'i32'}}
  %0:3 = graph.sdpa_backward %q, %k, %v, %o, %do, %stats
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>,
         tensor<2x4x8x32xf16>, tensor<2x4x8x32xf16>, tensor<2x4x8x1xi32>)
      -> tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>
  graph.return %0#0 : tensor<2x4x8x16xf16>
}

// -----

graph.graph @sdpa_backward_c2_values(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xi8> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf16> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf16> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64})
    -> (tensor<2x4x8x16xf16> {graph.uid = 7 : i64}) {
  // expected-error @below {{expected 'V' to be floating point, got 'i8'}}
  %0:3 = graph.sdpa_backward %q, %k, %v, %o, %do, %stats
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xi8>,
         tensor<2x4x8x32xf16>, tensor<2x4x8x32xf16>, tensor<2x4x8x1xf32>)
      -> tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>
  graph.return %0#0 : tensor<2x4x8x16xf16>
}

// -----

graph.graph @sdpa_backward_c3(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x7x32xf16> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf16> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf16> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64})
    -> (tensor<2x4x8x16xf16> {graph.uid = 7 : i64}) {
  // expected-error @below {{expected dim 2 of 'V' (7) to match dim 2 of 'K' (6)}}
  %0:3 = graph.sdpa_backward %q, %k, %v, %o, %do, %stats
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x7x32xf16>,
         tensor<2x4x8x32xf16>, tensor<2x4x8x32xf16>, tensor<2x4x8x1xf32>)
      -> tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>
  graph.return %0#0 : tensor<2x4x8x16xf16>
}

// -----

graph.graph @sdpa_backward_c4(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x3x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf16> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf16> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64})
    -> (tensor<2x4x8x16xf16> {graph.uid = 7 : i64}) {
  // expected-error @below {{expected the heads of 'K' (3) to divide those of 'Q' (4)}}
  %0:3 = graph.sdpa_backward %q, %k, %v, %o, %do, %stats
      : (tensor<2x4x8x16xf16>, tensor<2x3x6x16xf16>, tensor<2x2x6x32xf16>,
         tensor<2x4x8x32xf16>, tensor<2x4x8x32xf16>, tensor<2x4x8x1xf32>)
      -> tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>
  graph.return %0#0 : tensor<2x4x8x16xf16>
}

// -----

graph.graph @sdpa_backward_c5_output(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x16xf16> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf16> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64})
    -> (tensor<2x4x8x16xf16> {graph.uid = 7 : i64}) {
  // expected-error @below {{expected 'O' to be 2x4x8x32, got 2x4x8x16}}
  %0:3 = graph.sdpa_backward %q, %k, %v, %o, %do, %stats
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>,
         tensor<2x4x8x16xf16>, tensor<2x4x8x32xf16>, tensor<2x4x8x1xf32>)
      -> tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>
  graph.return %0#0 : tensor<2x4x8x16xf16>
}

// -----

graph.graph @sdpa_backward_c5_gradient(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf16> {graph.uid = 4 : i64},
    %do: tensor<2x4x9x32xf16> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64})
    -> (tensor<2x4x8x16xf16> {graph.uid = 7 : i64}) {
  // expected-error @below {{expected 'dO' to be 2x4x8x32, got 2x4x9x32}}
  %0:3 = graph.sdpa_backward %q, %k, %v, %o, %do, %stats
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>,
         tensor<2x4x8x32xf16>, tensor<2x4x9x32xf16>, tensor<2x4x8x1xf32>)
      -> tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>
  graph.return %0#0 : tensor<2x4x8x16xf16>
}

// -----

graph.graph @sdpa_backward_c5_stats(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf16> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf16> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x8xf32> {graph.uid = 6 : i64})
    -> (tensor<2x4x8x16xf16> {graph.uid = 7 : i64}) {
  // expected-error @below {{expected 'Stats' to be 2x4x8x1, got 2x4x8x8}}
  %0:3 = graph.sdpa_backward %q, %k, %v, %o, %do, %stats
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>,
         tensor<2x4x8x32xf16>, tensor<2x4x8x32xf16>, tensor<2x4x8x8xf32>)
      -> tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>
  graph.return %0#0 : tensor<2x4x8x16xf16>
}

// -----

graph.graph @sdpa_backward_c6(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf16> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf16> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64})
    -> (tensor<2x4x8x16xf16> {graph.uid = 7 : i64}) {
  // expected-error @below {{expected a floating-point compute type, got 'i32'}}
  %0:3 = graph.sdpa_backward %q, %k, %v, %o, %do, %stats
      {compute_type = i32}
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>,
         tensor<2x4x8x32xf16>, tensor<2x4x8x32xf16>, tensor<2x4x8x1xf32>)
      -> tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>
  graph.return %0#0 : tensor<2x4x8x16xf16>
}

// -----

graph.graph @sdpa_backward_c7(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf16> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf16> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64},
    %s: tensor<1xf32> {graph.uid = 7 : i64})
    -> (tensor<2x4x8x16xf16> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected 'Attn_scale' or 'attn_scale_value', got both}}
  %0:3 = graph.sdpa_backward %q, %k, %v, %o, %do, %stats
      scale %s
      {attn_scale_value = 1.0 : f64}
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>,
         tensor<2x4x8x32xf16>, tensor<2x4x8x32xf16>, tensor<2x4x8x1xf32>,
         tensor<1xf32>)
      -> tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>
  graph.return %0#0 : tensor<2x4x8x16xf16>
}

// -----

graph.graph @sdpa_backward_c8(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf16> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf16> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64},
    %s: tensor<2xf32> {graph.uid = 7 : i64})
    -> (tensor<2x4x8x16xf16> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected 'Attn_scale' to have one element, got 2}}
  %0:3 = graph.sdpa_backward %q, %k, %v, %o, %do, %stats
      scale %s
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>,
         tensor<2x4x8x32xf16>, tensor<2x4x8x32xf16>, tensor<2x4x8x1xf32>,
         tensor<2xf32>)
      -> tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>
  graph.return %0#0 : tensor<2x4x8x16xf16>
}

// -----

graph.graph @sdpa_backward_c9(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf16> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf16> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64},
    %b: tensor<2x4x8x5xf16> {graph.uid = 7 : i64})
    -> (tensor<2x4x8x16xf16> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected 'Bias' (2x4x8x5) to broadcast to the scores (2x4x8x6)}}
  %0:3 = graph.sdpa_backward %q, %k, %v, %o, %do, %stats
      bias %b
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>,
         tensor<2x4x8x32xf16>, tensor<2x4x8x32xf16>, tensor<2x4x8x1xf32>,
         tensor<2x4x8x5xf16>)
      -> tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>
  graph.return %0#0 : tensor<2x4x8x16xf16>
}

// -----

graph.graph @sdpa_backward_c10(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf16> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf16> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64},
    %b: tensor<1x1x8x6xi1> {graph.uid = 7 : i64})
    -> (tensor<2x4x8x16xf16> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected 'Bias' to be a number that is added, got a boolean}}
  %0:3 = graph.sdpa_backward %q, %k, %v, %o, %do, %stats
      bias %b
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>,
         tensor<2x4x8x32xf16>, tensor<2x4x8x32xf16>, tensor<2x4x8x1xf32>,
         tensor<1x1x8x6xi1>)
      -> tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>
  graph.return %0#0 : tensor<2x4x8x16xf16>
}

// -----

graph.graph @sdpa_backward_c19(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf16> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf16> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64},
    %t: tensor<4xf32> {graph.uid = 7 : i64})
    -> (tensor<2x4x8x16xf16> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected 'SINK_TOKEN' to be 1x4x1x1, got 4}}
  %0:3 = graph.sdpa_backward %q, %k, %v, %o, %do, %stats
      sink_token %t
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>,
         tensor<2x4x8x32xf16>, tensor<2x4x8x32xf16>, tensor<2x4x8x1xf32>,
         tensor<4xf32>)
      -> tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>
  graph.return %0#0 : tensor<2x4x8x16xf16>
}

// -----

graph.graph @sdpa_backward_c20(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf16> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf16> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64})
    -> (tensor<2x4x8x16xf16> {graph.uid = 7 : i64}) {
  // expected-error @below {{expected 'SINK_TOKEN' where 'DSINK_TOKEN' is asked for, got none}}
  %0:4 = graph.sdpa_backward %q, %k, %v, %o, %do, %stats
      {generate_dsink_token}
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>,
         tensor<2x4x8x32xf16>, tensor<2x4x8x32xf16>, tensor<2x4x8x1xf32>)
      -> tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>
         dsink_token tensor<1x4x1x1xf32>
  graph.return %0#0 : tensor<2x4x8x16xf16>
}

// -----

graph.graph @sdpa_backward_c21(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf16> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf16> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64},
    %b: tensor<1x4x1x6xf16> {graph.uid = 7 : i64})
    -> (tensor<2x4x8x16xf16> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected extents of result 'dBias' to be 1x4x1x6, got 1x4x8x6}}
  %0:4 = graph.sdpa_backward %q, %k, %v, %o, %do, %stats
      bias %b
      {generate_dbias}
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>,
         tensor<2x4x8x32xf16>, tensor<2x4x8x32xf16>, tensor<2x4x8x1xf32>,
         tensor<1x4x1x6xf16>)
      -> tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>
         dbias tensor<1x4x8x6xf16>
  graph.return %0#0 : tensor<2x4x8x16xf16>
}

// -----

graph.graph @sdpa_backward_c21_alone(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf16> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf16> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64})
    -> (tensor<2x4x8x16xf16> {graph.uid = 7 : i64}) {
  // expected-error @below {{expected 'dBias' (1x4x8x7) to broadcast to the scores (2x4x8x6)}}
  %0:4 = graph.sdpa_backward %q, %k, %v, %o, %do, %stats
      {generate_dbias}
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>,
         tensor<2x4x8x32xf16>, tensor<2x4x8x32xf16>, tensor<2x4x8x1xf32>)
      -> tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>
         dbias tensor<1x4x8x7xf16>
  graph.return %0#0 : tensor<2x4x8x16xf16>
}

// -----

graph.graph @sdpa_backward_c27(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf16> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf16> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64})
    -> (tensor<2x4x8x16xf16> {graph.uid = 7 : i64}) {
  // expected-error @below {{expected result 'RNG_DUMP' to be absent, got it present}}
  %0:4 = graph.sdpa_backward %q, %k, %v, %o, %do, %stats
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>,
         tensor<2x4x8x32xf16>, tensor<2x4x8x32xf16>, tensor<2x4x8x1xf32>)
      -> tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>
         rng_dump tensor<2x4x8x6xf32>
  graph.return %0#0 : tensor<2x4x8x16xf16>
}

// -----

graph.graph @sdpa_backward_c27_extents(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf16> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf16> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64})
    -> (tensor<2x4x8x16xf16> {graph.uid = 7 : i64}) {
  // expected-error @below {{expected extents of result 'dK' to be 2x2x6x16, got 2x2x6x32}}
  %0:3 = graph.sdpa_backward %q, %k, %v, %o, %do, %stats
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>,
         tensor<2x4x8x32xf16>, tensor<2x4x8x32xf16>, tensor<2x4x8x1xf32>)
      -> tensor<2x4x8x16xf16>, tensor<2x2x6x32xf16>, tensor<2x2x6x32xf16>
  graph.return %0#0 : tensor<2x4x8x16xf16>
}
