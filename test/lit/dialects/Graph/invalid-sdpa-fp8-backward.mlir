// RUN: graph-opt %s --split-input-file --verify-diagnostics

graph.graph @sdpa_fp8_backward_c1(
    %q: tensor<2x4x8x16xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf8E4M3FN> {graph.uid = 3 : i64},
    %o: tensor<2x4x256xf8E4M3FN> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf8E5M2> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64},
    %s: tensor<1xf32> {graph.uid = 7 : i64})
    -> (tensor<2x4x8x16xf8E4M3FN> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected 'O' to have rank 4, got 3}}
  %0:7 = graph.sdpa_fp8_backward
      %q, %k, %v, %o, %do, %stats, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s,
      %s
      : (tensor<2x4x8x16xf8E4M3FN>, tensor<2x2x6x16xf8E4M3FN>,
         tensor<2x2x6x32xf8E4M3FN>, tensor<2x4x256xf8E4M3FN>,
         tensor<2x4x8x32xf8E5M2>, tensor<2x4x8x1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
      -> tensor<2x4x8x16xf8E4M3FN>, tensor<2x2x6x16xf8E4M3FN>,
         tensor<2x2x6x32xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>,
         tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %0#0 : tensor<2x4x8x16xf8E4M3FN>
}

// -----

graph.graph @sdpa_fp8_backward_c2(
    %q: tensor<2x4x8x16xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf8E4M3FN> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf8E4M3FN> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf16> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64},
    %s: tensor<1xf32> {graph.uid = 7 : i64})
    -> (tensor<2x4x8x16xf8E4M3FN> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected 'dO' to be f8E4M3FN or f8E5M2, got 'f16'}}
  %0:7 = graph.sdpa_fp8_backward
      %q, %k, %v, %o, %do, %stats, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s,
      %s
      : (tensor<2x4x8x16xf8E4M3FN>, tensor<2x2x6x16xf8E4M3FN>,
         tensor<2x2x6x32xf8E4M3FN>, tensor<2x4x8x32xf8E4M3FN>,
         tensor<2x4x8x32xf16>, tensor<2x4x8x1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
      -> tensor<2x4x8x16xf8E4M3FN>, tensor<2x2x6x16xf8E4M3FN>,
         tensor<2x2x6x32xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>,
         tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %0#0 : tensor<2x4x8x16xf8E4M3FN>
}

// -----

graph.graph @sdpa_fp8_backward_c2_output(
    %q: tensor<2x4x8x16xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf8E4M3FN> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xi8> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf8E5M2> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64},
    %s: tensor<1xf32> {graph.uid = 7 : i64})
    -> (tensor<2x4x8x16xf8E4M3FN> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected 'O' to be floating point, got 'i8'}}
  %0:7 = graph.sdpa_fp8_backward
      %q, %k, %v, %o, %do, %stats, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s,
      %s
      : (tensor<2x4x8x16xf8E4M3FN>, tensor<2x2x6x16xf8E4M3FN>,
         tensor<2x2x6x32xf8E4M3FN>, tensor<2x4x8x32xi8>,
         tensor<2x4x8x32xf8E5M2>, tensor<2x4x8x1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
      -> tensor<2x4x8x16xf8E4M3FN>, tensor<2x2x6x16xf8E4M3FN>,
         tensor<2x2x6x32xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>,
         tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %0#0 : tensor<2x4x8x16xf8E4M3FN>
}

// -----

graph.graph @sdpa_fp8_backward_c3(
    %q: tensor<2x4x8x16xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<3x2x6x16xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf8E4M3FN> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf8E4M3FN> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf8E5M2> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64},
    %s: tensor<1xf32> {graph.uid = 7 : i64})
    -> (tensor<2x4x8x16xf8E4M3FN> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected dim 0 of 'K' (3) to match dim 0 of 'Q' (2)}}
  %0:7 = graph.sdpa_fp8_backward
      %q, %k, %v, %o, %do, %stats, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s,
      %s
      : (tensor<2x4x8x16xf8E4M3FN>, tensor<3x2x6x16xf8E4M3FN>,
         tensor<2x2x6x32xf8E4M3FN>, tensor<2x4x8x32xf8E4M3FN>,
         tensor<2x4x8x32xf8E5M2>, tensor<2x4x8x1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
      -> tensor<2x4x8x16xf8E4M3FN>, tensor<2x2x6x16xf8E4M3FN>,
         tensor<2x2x6x32xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>,
         tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %0#0 : tensor<2x4x8x16xf8E4M3FN>
}

// -----

graph.graph @sdpa_fp8_backward_c4(
    %q: tensor<2x4x8x16xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<2x3x6x32xf8E4M3FN> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf8E4M3FN> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf8E5M2> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64},
    %s: tensor<1xf32> {graph.uid = 7 : i64})
    -> (tensor<2x4x8x16xf8E4M3FN> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected the heads of 'V' (3) to divide those of 'Q' (4)}}
  %0:7 = graph.sdpa_fp8_backward
      %q, %k, %v, %o, %do, %stats, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s,
      %s
      : (tensor<2x4x8x16xf8E4M3FN>, tensor<2x2x6x16xf8E4M3FN>,
         tensor<2x3x6x32xf8E4M3FN>, tensor<2x4x8x32xf8E4M3FN>,
         tensor<2x4x8x32xf8E5M2>, tensor<2x4x8x1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
      -> tensor<2x4x8x16xf8E4M3FN>, tensor<2x2x6x16xf8E4M3FN>,
         tensor<2x2x6x32xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>,
         tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %0#0 : tensor<2x4x8x16xf8E4M3FN>
}

// -----

graph.graph @sdpa_fp8_backward_c5(
    %q: tensor<2x4x8x16xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf8E4M3FN> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf8E4M3FN> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf8E5M2> {graph.uid = 5 : i64},
    %stats: tensor<2x4x1x8xf32> {graph.uid = 6 : i64},
    %s: tensor<1xf32> {graph.uid = 7 : i64})
    -> (tensor<2x4x8x16xf8E4M3FN> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected 'Stats' to be 2x4x8x1, got 2x4x1x8}}
  %0:7 = graph.sdpa_fp8_backward
      %q, %k, %v, %o, %do, %stats, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s,
      %s
      : (tensor<2x4x8x16xf8E4M3FN>, tensor<2x2x6x16xf8E4M3FN>,
         tensor<2x2x6x32xf8E4M3FN>, tensor<2x4x8x32xf8E4M3FN>,
         tensor<2x4x8x32xf8E5M2>, tensor<2x4x1x8xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
      -> tensor<2x4x8x16xf8E4M3FN>, tensor<2x2x6x16xf8E4M3FN>,
         tensor<2x2x6x32xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>,
         tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %0#0 : tensor<2x4x8x16xf8E4M3FN>
}

// -----

graph.graph @sdpa_fp8_backward_c6(
    %q: tensor<2x4x8x16xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf8E4M3FN> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf8E4M3FN> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf8E5M2> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64},
    %s: tensor<1xf32> {graph.uid = 7 : i64})
    -> (tensor<2x4x8x16xf8E4M3FN> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected a floating-point compute type, got 'i32'}}
  %0:7 = graph.sdpa_fp8_backward
      %q, %k, %v, %o, %do, %stats, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s,
      %s
      {compute_type = i32}
      : (tensor<2x4x8x16xf8E4M3FN>, tensor<2x2x6x16xf8E4M3FN>,
         tensor<2x2x6x32xf8E4M3FN>, tensor<2x4x8x32xf8E4M3FN>,
         tensor<2x4x8x32xf8E5M2>, tensor<2x4x8x1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
      -> tensor<2x4x8x16xf8E4M3FN>, tensor<2x2x6x16xf8E4M3FN>,
         tensor<2x2x6x32xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>,
         tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %0#0 : tensor<2x4x8x16xf8E4M3FN>
}

// -----

graph.graph @sdpa_fp8_backward_c7(
    %q: tensor<2x4x8x16xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf8E4M3FN> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf8E4M3FN> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf8E5M2> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64},
    %s: tensor<1xf32> {graph.uid = 7 : i64},
    %a: tensor<1xf32> {graph.uid = 8 : i64})
    -> (tensor<2x4x8x16xf8E4M3FN> {graph.uid = 9 : i64}) {
  // expected-error @below {{expected 'Attn_scale' or 'attn_scale_value', got both}}
  %0:7 = graph.sdpa_fp8_backward
      %q, %k, %v, %o, %do, %stats, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s,
      %s
      scale %a
      {attn_scale_value = 1.0 : f64}
      : (tensor<2x4x8x16xf8E4M3FN>, tensor<2x2x6x16xf8E4M3FN>,
         tensor<2x2x6x32xf8E4M3FN>, tensor<2x4x8x32xf8E4M3FN>,
         tensor<2x4x8x32xf8E5M2>, tensor<2x4x8x1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
      -> tensor<2x4x8x16xf8E4M3FN>, tensor<2x2x6x16xf8E4M3FN>,
         tensor<2x2x6x32xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>,
         tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %0#0 : tensor<2x4x8x16xf8E4M3FN>
}

// -----

graph.graph @sdpa_fp8_backward_c8(
    %q: tensor<2x4x8x16xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf8E4M3FN> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf8E4M3FN> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf8E5M2> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64},
    %s: tensor<1xf32> {graph.uid = 7 : i64},
    %sp: tensor<2xf32> {graph.uid = 8 : i64})
    -> (tensor<2x4x8x16xf8E4M3FN> {graph.uid = 9 : i64}) {
  // expected-error @below {{expected 'Scale_dP' to have one element, got 2}}
  %0:7 = graph.sdpa_fp8_backward
      %q, %k, %v, %o, %do, %stats, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s,
      %sp
      : (tensor<2x4x8x16xf8E4M3FN>, tensor<2x2x6x16xf8E4M3FN>,
         tensor<2x2x6x32xf8E4M3FN>, tensor<2x4x8x32xf8E4M3FN>,
         tensor<2x4x8x32xf8E5M2>, tensor<2x4x8x1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<2xf32>)
      -> tensor<2x4x8x16xf8E4M3FN>, tensor<2x2x6x16xf8E4M3FN>,
         tensor<2x2x6x32xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>,
         tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %0#0 : tensor<2x4x8x16xf8E4M3FN>
}

// -----

graph.graph @sdpa_fp8_backward_c9(
    %q: tensor<2x4x8x16xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf8E4M3FN> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf8E4M3FN> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf8E5M2> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64},
    %s: tensor<1xf32> {graph.uid = 7 : i64},
    %lq: tensor<2x1x1x1xi32> {graph.uid = 8 : i64},
    %lk: tensor<2x1x1x1xi32> {graph.uid = 9 : i64})
    -> (tensor<2x4x8x16xf8E4M3FN> {graph.uid = 10 : i64}) {
  // expected-error @below {{expected 'SEQ_LEN_Q' if and only if 'use_padding_mask' is set, got lengths without it}}
  %0:7 = graph.sdpa_fp8_backward
      %q, %k, %v, %o, %do, %stats, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s,
      %s
      seq_len_q %lq seq_len_kv %lk
      : (tensor<2x4x8x16xf8E4M3FN>, tensor<2x2x6x16xf8E4M3FN>,
         tensor<2x2x6x32xf8E4M3FN>, tensor<2x4x8x32xf8E4M3FN>,
         tensor<2x4x8x32xf8E5M2>, tensor<2x4x8x1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>,
         tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<2x1x1x1xi32>,
         tensor<2x1x1x1xi32>)
      -> tensor<2x4x8x16xf8E4M3FN>, tensor<2x2x6x16xf8E4M3FN>,
         tensor<2x2x6x32xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>,
         tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %0#0 : tensor<2x4x8x16xf8E4M3FN>
}
