// RUN: graph-opt %s --split-input-file --verify-diagnostics

graph.graph @sdpa_fp8_c1(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x1x1x1xf32> {graph.uid = 4 : i64},
    %dk: tensor<1x1x1x1xf32> {graph.uid = 5 : i64},
    %dv: tensor<1x1x1x1xf32> {graph.uid = 6 : i64},
    %ds: tensor<1x1x1x1xf32> {graph.uid = 7 : i64},
    %ss: tensor<1x1x1x1xf32> {graph.uid = 8 : i64})
    -> (tensor<1x2x4x8xf8E4M3FN> {graph.uid = 9 : i64}, tensor<1x1x1x1xf32> {graph.uid = 10 : i64}, tensor<1x1x1x1xf32> {graph.uid = 11 : i64}) {
  // expected-error @below {{expected 'K' to have rank 4, got 3}}
  %r0, %r1, %r2 = graph.sdpa_fp8 %q, %k, %v, %dq, %dk, %dv, %ds, %ss
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<2x6x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>)
      -> tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1, %r2 : tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_fp8_c2(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf16> {graph.uid = 3 : i64},
    %dq: tensor<1x1x1x1xf32> {graph.uid = 4 : i64},
    %dk: tensor<1x1x1x1xf32> {graph.uid = 5 : i64},
    %dv: tensor<1x1x1x1xf32> {graph.uid = 6 : i64},
    %ds: tensor<1x1x1x1xf32> {graph.uid = 7 : i64},
    %ss: tensor<1x1x1x1xf32> {graph.uid = 8 : i64})
    -> (tensor<1x2x4x8xf8E4M3FN> {graph.uid = 9 : i64}, tensor<1x1x1x1xf32> {graph.uid = 10 : i64}, tensor<1x1x1x1xf32> {graph.uid = 11 : i64}) {
  // expected-error @below {{expected 'V' to be f8E4M3FN or f8E5M2, got 'f16'}}
  %r0, %r1, %r2 = graph.sdpa_fp8 %q, %k, %v, %dq, %dk, %dv, %ds, %ss
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x6x8xf16>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>)
      -> tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1, %r2 : tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_fp8_c3(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x16xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x1x1x1xf32> {graph.uid = 4 : i64},
    %dk: tensor<1x1x1x1xf32> {graph.uid = 5 : i64},
    %dv: tensor<1x1x1x1xf32> {graph.uid = 6 : i64},
    %ds: tensor<1x1x1x1xf32> {graph.uid = 7 : i64},
    %ss: tensor<1x1x1x1xf32> {graph.uid = 8 : i64})
    -> (tensor<1x2x4x8xf8E4M3FN> {graph.uid = 9 : i64}, tensor<1x1x1x1xf32> {graph.uid = 10 : i64}, tensor<1x1x1x1xf32> {graph.uid = 11 : i64}) {
  // expected-error @below {{expected dim 3 of 'K' (16) to match dim 3 of 'Q' (8)}}
  %r0, %r1, %r2 = graph.sdpa_fp8 %q, %k, %v, %dq, %dk, %dv, %ds, %ss
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x16xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>)
      -> tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1, %r2 : tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_fp8_c4(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x3x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x1x1x1xf32> {graph.uid = 4 : i64},
    %dk: tensor<1x1x1x1xf32> {graph.uid = 5 : i64},
    %dv: tensor<1x1x1x1xf32> {graph.uid = 6 : i64},
    %ds: tensor<1x1x1x1xf32> {graph.uid = 7 : i64},
    %ss: tensor<1x1x1x1xf32> {graph.uid = 8 : i64})
    -> (tensor<1x2x4x8xf8E4M3FN> {graph.uid = 9 : i64}, tensor<1x1x1x1xf32> {graph.uid = 10 : i64}, tensor<1x1x1x1xf32> {graph.uid = 11 : i64}) {
  // expected-error @below {{expected the heads of 'V' (3) to divide those of 'Q' (2)}}
  %r0, %r1, %r2 = graph.sdpa_fp8 %q, %k, %v, %dq, %dk, %dv, %ds, %ss
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x3x6x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>)
      -> tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1, %r2 : tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_fp8_c5(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x1x1x1xf32> {graph.uid = 4 : i64},
    %dk: tensor<1x1x1x1xf32> {graph.uid = 5 : i64},
    %dv: tensor<1x1x1x1xf32> {graph.uid = 6 : i64},
    %ds: tensor<1x1x1x1xf32> {graph.uid = 7 : i64},
    %ss: tensor<1x1x1x1xf32> {graph.uid = 8 : i64})
    -> (tensor<1x2x4x8xf8E4M3FN> {graph.uid = 9 : i64}, tensor<1x1x1x1xf32> {graph.uid = 10 : i64}, tensor<1x1x1x1xf32> {graph.uid = 11 : i64}) {
  // expected-error @below {{expected a floating-point compute type, got 'i32'}}
  %r0, %r1, %r2 = graph.sdpa_fp8 %q, %k, %v, %dq, %dk, %dv, %ds, %ss
      {compute_type = i32}
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>)
      -> tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1, %r2 : tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_fp8_c6(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x1x1x1xf32> {graph.uid = 4 : i64},
    %dk: tensor<2xf32> {graph.uid = 5 : i64},
    %dv: tensor<1x1x1x1xf32> {graph.uid = 6 : i64},
    %ds: tensor<1x1x1x1xf32> {graph.uid = 7 : i64},
    %ss: tensor<1x1x1x1xf32> {graph.uid = 8 : i64})
    -> (tensor<1x2x4x8xf8E4M3FN> {graph.uid = 9 : i64}, tensor<1x1x1x1xf32> {graph.uid = 10 : i64}, tensor<1x1x1x1xf32> {graph.uid = 11 : i64}) {
  // expected-error @below {{expected 'Descale_K' to have one element, got 2}}
  %r0, %r1, %r2 = graph.sdpa_fp8 %q, %k, %v, %dq, %dk, %dv, %ds, %ss
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<2xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>)
      -> tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1, %r2 : tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_fp8_c6_type(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x1x1x1xf32> {graph.uid = 4 : i64},
    %dk: tensor<1x1x1x1xf32> {graph.uid = 5 : i64},
    %dv: tensor<1x1x1x1xf32> {graph.uid = 6 : i64},
    %ds: tensor<1x1x1x1xf32> {graph.uid = 7 : i64},
    %ss: tensor<1x1x1x1xf32> {graph.uid = 8 : i64},
    %so: tensor<1x1x1x1xi32> {graph.uid = 9 : i64})
    -> (tensor<1x2x4x8xf8E4M3FN> {graph.uid = 10 : i64}, tensor<1x1x1x1xf32> {graph.uid = 11 : i64}, tensor<1x1x1x1xf32> {graph.uid = 12 : i64}) {
  // expected-error @below {{expected 'Scale_O' to be floating point, got 'i32'}}
  %r0, %r1, %r2 = graph.sdpa_fp8 %q, %k, %v, %dq, %dk, %dv, %ds, %ss scale_o %so
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xi32>)
      -> tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1, %r2 : tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_fp8_c7(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x1x1x1xf32> {graph.uid = 4 : i64},
    %dk: tensor<1x1x1x1xf32> {graph.uid = 5 : i64},
    %dv: tensor<1x1x1x1xf32> {graph.uid = 6 : i64},
    %ds: tensor<1x1x1x1xf32> {graph.uid = 7 : i64},
    %ss: tensor<1x1x1x1xf32> {graph.uid = 8 : i64},
    %sc: tensor<1x1x1x1xf32> {graph.uid = 9 : i64})
    -> (tensor<1x2x4x8xf8E4M3FN> {graph.uid = 10 : i64}, tensor<1x1x1x1xf32> {graph.uid = 11 : i64}, tensor<1x1x1x1xf32> {graph.uid = 12 : i64}) {
  // expected-error @below {{expected 'Attn_scale' or 'attn_scale_value', got both}}
  %r0, %r1, %r2 = graph.sdpa_fp8 %q, %k, %v, %dq, %dk, %dv, %ds, %ss scale %sc
      {attn_scale_value = 0.5 : f64}
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>)
      -> tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1, %r2 : tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_fp8_c8(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x1x1x1xf32> {graph.uid = 4 : i64},
    %dk: tensor<1x1x1x1xf32> {graph.uid = 5 : i64},
    %dv: tensor<1x1x1x1xf32> {graph.uid = 6 : i64},
    %ds: tensor<1x1x1x1xf32> {graph.uid = 7 : i64},
    %ss: tensor<1x1x1x1xf32> {graph.uid = 8 : i64},
    %sc: tensor<2x1x1x1xf32> {graph.uid = 9 : i64})
    -> (tensor<1x2x4x8xf8E4M3FN> {graph.uid = 10 : i64}, tensor<1x1x1x1xf32> {graph.uid = 11 : i64}, tensor<1x1x1x1xf32> {graph.uid = 12 : i64}) {
  // expected-error @below {{expected 'Attn_scale' to have one element, got 2x1x1x1}}
  %r0, %r1, %r2 = graph.sdpa_fp8 %q, %k, %v, %dq, %dk, %dv, %ds, %ss scale %sc
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<2x1x1x1xf32>)
      -> tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1, %r2 : tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_fp8_c9(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x1x1x1xf32> {graph.uid = 4 : i64},
    %dk: tensor<1x1x1x1xf32> {graph.uid = 5 : i64},
    %dv: tensor<1x1x1x1xf32> {graph.uid = 6 : i64},
    %ds: tensor<1x1x1x1xf32> {graph.uid = 7 : i64},
    %ss: tensor<1x1x1x1xf32> {graph.uid = 8 : i64},
    %b: tensor<1x2x4x7xf32> {graph.uid = 9 : i64})
    -> (tensor<1x2x4x8xf8E4M3FN> {graph.uid = 10 : i64}, tensor<1x1x1x1xf32> {graph.uid = 11 : i64}, tensor<1x1x1x1xf32> {graph.uid = 12 : i64}) {
  // expected-error @below {{expected 'Bias' (1x2x4x7) to broadcast to the scores (1x2x4x6)}}
  %r0, %r1, %r2 = graph.sdpa_fp8 %q, %k, %v, %dq, %dk, %dv, %ds, %ss bias %b
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x2x4x7xf32>)
      -> tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1, %r2 : tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_fp8_c9_type(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x1x1x1xf32> {graph.uid = 4 : i64},
    %dk: tensor<1x1x1x1xf32> {graph.uid = 5 : i64},
    %dv: tensor<1x1x1x1xf32> {graph.uid = 6 : i64},
    %ds: tensor<1x1x1x1xf32> {graph.uid = 7 : i64},
    %ss: tensor<1x1x1x1xf32> {graph.uid = 8 : i64},
    %b: tensor<1x1x1x1xi1> {graph.uid = 9 : i64})
    -> (tensor<1x2x4x8xf8E4M3FN> {graph.uid = 10 : i64}, tensor<1x1x1x1xf32> {graph.uid = 11 : i64}, tensor<1x1x1x1xf32> {graph.uid = 12 : i64}) {
  // expected-error @below {{expected 'Bias' to be a number that is added, got a boolean}}
  %r0, %r1, %r2 = graph.sdpa_fp8 %q, %k, %v, %dq, %dk, %dv, %ds, %ss bias %b
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xi1>)
      -> tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1, %r2 : tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_fp8_c10(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x1x1x1xf32> {graph.uid = 4 : i64},
    %dk: tensor<1x1x1x1xf32> {graph.uid = 5 : i64},
    %dv: tensor<1x1x1x1xf32> {graph.uid = 6 : i64},
    %ds: tensor<1x1x1x1xf32> {graph.uid = 7 : i64},
    %ss: tensor<1x1x1x1xf32> {graph.uid = 8 : i64})
    -> (tensor<1x2x4x8xf8E4M3FN> {graph.uid = 9 : i64}, tensor<1x1x1x1xf32> {graph.uid = 10 : i64}, tensor<1x1x1x1xf32> {graph.uid = 11 : i64}) {
  // expected-error @below {{expected 'SEQ_LEN_Q' if and only if 'use_padding_mask' is set, got no lengths}}
  %r0, %r1, %r2 = graph.sdpa_fp8 %q, %k, %v, %dq, %dk, %dv, %ds, %ss
      {use_padding_mask}
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>)
      -> tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1, %r2 : tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_fp8_c11(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x1x1x1xf32> {graph.uid = 4 : i64},
    %dk: tensor<1x1x1x1xf32> {graph.uid = 5 : i64},
    %dv: tensor<1x1x1x1xf32> {graph.uid = 6 : i64},
    %ds: tensor<1x1x1x1xf32> {graph.uid = 7 : i64},
    %ss: tensor<1x1x1x1xf32> {graph.uid = 8 : i64},
    %sq: tensor<2x1x1x1xi32> {graph.uid = 9 : i64},
    %skv: tensor<1x1x1x1xi32> {graph.uid = 10 : i64})
    -> (tensor<1x2x4x8xf8E4M3FN> {graph.uid = 11 : i64}, tensor<1x1x1x1xf32> {graph.uid = 12 : i64}, tensor<1x1x1x1xf32> {graph.uid = 13 : i64}) {
  // expected-error @below {{expected 'SEQ_LEN_Q' to be 1x1x1x1, got 2x1x1x1}}
  %r0, %r1, %r2 = graph.sdpa_fp8 %q, %k, %v, %dq, %dk, %dv, %ds, %ss seq_len_q %sq seq_len_kv %skv
      {use_padding_mask}
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<2x1x1x1xi32>, tensor<1x1x1x1xi32>)
      -> tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1, %r2 : tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_fp8_c12(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x1x1x1xf32> {graph.uid = 4 : i64},
    %dk: tensor<1x1x1x1xf32> {graph.uid = 5 : i64},
    %dv: tensor<1x1x1x1xf32> {graph.uid = 6 : i64},
    %ds: tensor<1x1x1x1xf32> {graph.uid = 7 : i64},
    %ss: tensor<1x1x1x1xf32> {graph.uid = 8 : i64},
    %sq: tensor<1x1x1x1xi32> {graph.uid = 9 : i64},
    %skv: tensor<1x1x1x1xf32> {graph.uid = 10 : i64})
    -> (tensor<1x2x4x8xf8E4M3FN> {graph.uid = 11 : i64}, tensor<1x1x1x1xf32> {graph.uid = 12 : i64}, tensor<1x1x1x1xf32> {graph.uid = 13 : i64}) {
  // expected-error @below {{expected 'SEQ_LEN_KV' to be i32 or i64, got 'f32'}}
  %r0, %r1, %r2 = graph.sdpa_fp8 %q, %k, %v, %dq, %dk, %dv, %ds, %ss seq_len_q %sq seq_len_kv %skv
      {use_padding_mask}
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xf32>)
      -> tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1, %r2 : tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_fp8_c13(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x1x1x1xf32> {graph.uid = 4 : i64},
    %dk: tensor<1x1x1x1xf32> {graph.uid = 5 : i64},
    %dv: tensor<1x1x1x1xf32> {graph.uid = 6 : i64},
    %ds: tensor<1x1x1x1xf32> {graph.uid = 7 : i64},
    %ss: tensor<1x1x1x1xf32> {graph.uid = 8 : i64})
    -> (tensor<1x2x4x8xf8E4M3FN> {graph.uid = 9 : i64}, tensor<1x1x1x1xf32> {graph.uid = 10 : i64}, tensor<1x1x1x1xf32> {graph.uid = 11 : i64}) {
  // expected-error @below {{expected 'diagonal_band_left_bound' to be at least 0, got -1}}
  %r0, %r1, %r2 = graph.sdpa_fp8 %q, %k, %v, %dq, %dk, %dv, %ds, %ss
      {diagonal_band_left_bound = -1 : i64}
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>)
      -> tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1, %r2 : tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_fp8_c26(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x1x1x1xf32> {graph.uid = 4 : i64},
    %dk: tensor<1x1x1x1xf32> {graph.uid = 5 : i64},
    %dv: tensor<1x1x1x1xf32> {graph.uid = 6 : i64},
    %ds: tensor<1x1x1x1xf32> {graph.uid = 7 : i64},
    %ss: tensor<1x1x1x1xf32> {graph.uid = 8 : i64})
    -> (tensor<1x2x4x8xf8E4M3FN> {graph.uid = 9 : i64}, tensor<1x1x1x1xf32> {graph.uid = 10 : i64}, tensor<1x1x1x1xf32> {graph.uid = 11 : i64}) {
  // expected-error @below {{expected result 'Stats' to be present, got it absent}}
  %r0, %r1, %r2 = graph.sdpa_fp8 %q, %k, %v, %dq, %dk, %dv, %ds, %ss
      {generate_stats}
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>)
      -> tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1, %r2 : tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_fp8_c25_captures(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x1x1x1xf32> {graph.uid = 4 : i64},
    %dk: tensor<1x1x1x1xf32> {graph.uid = 5 : i64},
    %dv: tensor<1x1x1x1xf32> {graph.uid = 6 : i64},
    %ds: tensor<1x1x1x1xf32> {graph.uid = 7 : i64},
    %ss: tensor<1x1x1x1xf32> {graph.uid = 8 : i64},
    %c: tensor<1x1x1x1xf32> {graph.uid = 9 : i64})
    -> (tensor<1x2x4x8xf8E4M3FN> {graph.uid = 10 : i64}, tensor<1x1x1x1xf32> {graph.uid = 11 : i64}, tensor<1x1x1x1xf32> {graph.uid = 12 : i64}) {
  // expected-error @below {{expected 'score_mod' with captures, got none}}
  %r0, %r1, %r2 = graph.sdpa_fp8 %q, %k, %v, %dq, %dk, %dv, %ds, %ss captures %c
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>)
      -> tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1, %r2 : tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_fp8_c25_arguments(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x1x1x1xf32> {graph.uid = 4 : i64},
    %dk: tensor<1x1x1x1xf32> {graph.uid = 5 : i64},
    %dv: tensor<1x1x1x1xf32> {graph.uid = 6 : i64},
    %ds: tensor<1x1x1x1xf32> {graph.uid = 7 : i64},
    %ss: tensor<1x1x1x1xf32> {graph.uid = 8 : i64},
    %c: tensor<1x1x1x1xf32> {graph.uid = 9 : i64})
    -> (tensor<1x2x4x8xf8E4M3FN> {graph.uid = 10 : i64}, tensor<1x1x1x1xf32> {graph.uid = 11 : i64}, tensor<1x1x1x1xf32> {graph.uid = 12 : i64}) {
  // expected-error @below {{expected 'score_mod' to take 2 arguments, the scores and the captures, got 1}}
  %r0, %r1, %r2 = graph.sdpa_fp8 %q, %k, %v, %dq, %dk, %dv, %ds, %ss captures %c
      score_mod {
      ^bb0(%s: tensor<1x2x4x6xf32>):
        graph.yield %s : tensor<1x2x4x6xf32>
      }
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>)
      -> tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1, %r2 : tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_fp8_c25_scores(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x1x1x1xf32> {graph.uid = 4 : i64},
    %dk: tensor<1x1x1x1xf32> {graph.uid = 5 : i64},
    %dv: tensor<1x1x1x1xf32> {graph.uid = 6 : i64},
    %ds: tensor<1x1x1x1xf32> {graph.uid = 7 : i64},
    %ss: tensor<1x1x1x1xf32> {graph.uid = 8 : i64})
    -> (tensor<1x2x4x8xf8E4M3FN> {graph.uid = 9 : i64}, tensor<1x1x1x1xf32> {graph.uid = 10 : i64}, tensor<1x1x1x1xf32> {graph.uid = 11 : i64}) {
  // expected-error @below {{expected argument #0 of 'score_mod' to be the scores, 1x2x4x6 of 'f32', got 'tensor<1x2x4x6xf16>'}}
  %r0, %r1, %r2 = graph.sdpa_fp8 %q, %k, %v, %dq, %dk, %dv, %ds, %ss
      score_mod {
      ^bb0(%s: tensor<1x2x4x6xf16>):
        graph.yield %s : tensor<1x2x4x6xf16>
      }
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>)
      -> tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1, %r2 : tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
}
