// RUN: graph-opt %s --split-input-file --verify-diagnostics

graph.graph @sdpa_fp8_c14_bound(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x1x1x1xf32> {graph.uid = 4 : i64},
    %dk: tensor<1x1x1x1xf32> {graph.uid = 5 : i64},
    %dv: tensor<1x1x1x1xf32> {graph.uid = 6 : i64},
    %ds: tensor<1x1x1x1xf32> {graph.uid = 7 : i64},
    %ss: tensor<1x1x1x1xf32> {graph.uid = 8 : i64})
    -> (tensor<1x2x4x8xf8E4M3FN> {graph.uid = 9 : i64}, tensor<1x1x1x1xf32> {graph.uid = 10 : i64}, tensor<1x1x1x1xf32> {graph.uid = 11 : i64}) {
  // expected-error @below {{expected 'diagonal_band_right_bound' to be 0 with 'use_alibi_mask', got none}}
  %r0, %r1, %r2 = graph.sdpa_fp8 %q, %k, %v, %dq, %dk, %dv, %ds, %ss
      {use_alibi_mask}
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>)
      -> tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1, %r2 : tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_fp8_c14_value(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x1x1x1xf32> {graph.uid = 4 : i64},
    %dk: tensor<1x1x1x1xf32> {graph.uid = 5 : i64},
    %dv: tensor<1x1x1x1xf32> {graph.uid = 6 : i64},
    %ds: tensor<1x1x1x1xf32> {graph.uid = 7 : i64},
    %ss: tensor<1x1x1x1xf32> {graph.uid = 8 : i64})
    -> (tensor<1x2x4x8xf8E4M3FN> {graph.uid = 9 : i64}, tensor<1x1x1x1xf32> {graph.uid = 10 : i64}, tensor<1x1x1x1xf32> {graph.uid = 11 : i64}) {
  // expected-error @below {{expected 'diagonal_band_right_bound' to be 0 with 'use_alibi_mask', got 1}}
  %r0, %r1, %r2 = graph.sdpa_fp8 %q, %k, %v, %dq, %dk, %dv, %ds, %ss
      {diagonal_band_right_bound = 1 : i64, use_alibi_mask}
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>)
      -> tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1, %r2 : tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_fp8_c15_both(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x1x1x1xf32> {graph.uid = 4 : i64},
    %dk: tensor<1x1x1x1xf32> {graph.uid = 5 : i64},
    %dv: tensor<1x1x1x1xf32> {graph.uid = 6 : i64},
    %ds: tensor<1x1x1x1xf32> {graph.uid = 7 : i64},
    %ss: tensor<1x1x1x1xf32> {graph.uid = 8 : i64},
    %m: tensor<1x1x1x1xf32> {graph.uid = 9 : i64},
    %n: tensor<1x1x1x1xf32> {graph.uid = 10 : i64})
    -> (tensor<1x2x4x8xf8E4M3FN> {graph.uid = 11 : i64}, tensor<1x1x1x1xf32> {graph.uid = 12 : i64}, tensor<1x1x1x1xf32> {graph.uid = 13 : i64}) {
  // expected-error @below {{expected dropout by probability or by a mask, got both}}
  %r0, %r1, %r2 = graph.sdpa_fp8 %q, %k, %v, %dq, %dk, %dv, %ds, %ss dropout_mask %m dropout_scale %n
      {dropout_probability = 0.5 : f64}
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>)
      -> tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1, %r2 : tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_fp8_c15_seed(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x1x1x1xf32> {graph.uid = 4 : i64},
    %dk: tensor<1x1x1x1xf32> {graph.uid = 5 : i64},
    %dv: tensor<1x1x1x1xf32> {graph.uid = 6 : i64},
    %ds: tensor<1x1x1x1xf32> {graph.uid = 7 : i64},
    %ss: tensor<1x1x1x1xf32> {graph.uid = 8 : i64})
    -> (tensor<1x2x4x8xf8E4M3FN> {graph.uid = 9 : i64}, tensor<1x1x1x1xf32> {graph.uid = 10 : i64}, tensor<1x1x1x1xf32> {graph.uid = 11 : i64}) {
  // expected-error @below {{expected 'dropout_probability', 'Seed' and 'Offset' together, got not all of them}}
  %r0, %r1, %r2 = graph.sdpa_fp8 %q, %k, %v, %dq, %dk, %dv, %ds, %ss
      {dropout_probability = 0.5 : f64}
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>)
      -> tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1, %r2 : tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_fp8_c15_scale(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x1x1x1xf32> {graph.uid = 4 : i64},
    %dk: tensor<1x1x1x1xf32> {graph.uid = 5 : i64},
    %dv: tensor<1x1x1x1xf32> {graph.uid = 6 : i64},
    %ds: tensor<1x1x1x1xf32> {graph.uid = 7 : i64},
    %ss: tensor<1x1x1x1xf32> {graph.uid = 8 : i64},
    %m: tensor<1x1x1x1xf32> {graph.uid = 9 : i64})
    -> (tensor<1x2x4x8xf8E4M3FN> {graph.uid = 10 : i64}, tensor<1x1x1x1xf32> {graph.uid = 11 : i64}, tensor<1x1x1x1xf32> {graph.uid = 12 : i64}) {
  // expected-error @below {{expected 'Dropout_mask' and 'Dropout_scale' together, got not both}}
  %r0, %r1, %r2 = graph.sdpa_fp8 %q, %k, %v, %dq, %dk, %dv, %ds, %ss dropout_mask %m
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>)
      -> tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1, %r2 : tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_fp8_c15_dump(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x1x1x1xf32> {graph.uid = 4 : i64},
    %dk: tensor<1x1x1x1xf32> {graph.uid = 5 : i64},
    %dv: tensor<1x1x1x1xf32> {graph.uid = 6 : i64},
    %ds: tensor<1x1x1x1xf32> {graph.uid = 7 : i64},
    %ss: tensor<1x1x1x1xf32> {graph.uid = 8 : i64})
    -> (tensor<1x2x4x8xf8E4M3FN> {graph.uid = 9 : i64}, tensor<1x2x4x6xf32> {graph.uid = 10 : i64}, tensor<1x1x1x1xf32> {graph.uid = 11 : i64}, tensor<1x1x1x1xf32> {graph.uid = 12 : i64}) {
  // expected-error @below {{expected 'dropout_probability' with 'RNG_DUMP', got none}}
  %r0, %r1, %r2, %r3 = graph.sdpa_fp8 %q, %k, %v, %dq, %dk, %dv, %ds, %ss
      {generate_rng_dump}
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>)
      -> tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32> rng_dump tensor<1x2x4x6xf32>
  graph.return %r0, %r1, %r2, %r3 : tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x4x6xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_fp8_c16(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x1x1x1xf32> {graph.uid = 4 : i64},
    %dk: tensor<1x1x1x1xf32> {graph.uid = 5 : i64},
    %dv: tensor<1x1x1x1xf32> {graph.uid = 6 : i64},
    %ds: tensor<1x1x1x1xf32> {graph.uid = 7 : i64},
    %ss: tensor<1x1x1x1xf32> {graph.uid = 8 : i64},
    %a: tensor<1x1x1x1xi32> {graph.uid = 9 : i64},
    %b: tensor<1x1x1x1xi32> {graph.uid = 10 : i64})
    -> (tensor<1x2x4x8xf8E4M3FN> {graph.uid = 11 : i64}, tensor<1x1x1x1xf32> {graph.uid = 12 : i64}, tensor<1x1x1x1xf32> {graph.uid = 13 : i64}) {
  // expected-error @below {{expected 'dropout_probability' to be at least 0 and less than 1, got 1}}
  %r0, %r1, %r2 = graph.sdpa_fp8 %q, %k, %v, %dq, %dk, %dv, %ds, %ss dropout_seed %a dropout_offset %b
      {dropout_probability = 1.0 : f64}
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>)
      -> tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1, %r2 : tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_fp8_c16_nan(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x1x1x1xf32> {graph.uid = 4 : i64},
    %dk: tensor<1x1x1x1xf32> {graph.uid = 5 : i64},
    %dv: tensor<1x1x1x1xf32> {graph.uid = 6 : i64},
    %ds: tensor<1x1x1x1xf32> {graph.uid = 7 : i64},
    %ss: tensor<1x1x1x1xf32> {graph.uid = 8 : i64},
    %a: tensor<1x1x1x1xi32> {graph.uid = 9 : i64},
    %b: tensor<1x1x1x1xi32> {graph.uid = 10 : i64})
    -> (tensor<1x2x4x8xf8E4M3FN> {graph.uid = 11 : i64}, tensor<1x1x1x1xf32> {graph.uid = 12 : i64}, tensor<1x1x1x1xf32> {graph.uid = 13 : i64}) {
  // expected-error @below {{expected 'dropout_probability' to be at least 0 and less than 1, got nan}}
  %r0, %r1, %r2 = graph.sdpa_fp8 %q, %k, %v, %dq, %dk, %dv, %ds, %ss dropout_seed %a dropout_offset %b
      {dropout_probability = 0x7FF8000000000000 : f64}
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>)
      -> tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1, %r2 : tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_fp8_c17_seed(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x1x1x1xf32> {graph.uid = 4 : i64},
    %dk: tensor<1x1x1x1xf32> {graph.uid = 5 : i64},
    %dv: tensor<1x1x1x1xf32> {graph.uid = 6 : i64},
    %ds: tensor<1x1x1x1xf32> {graph.uid = 7 : i64},
    %ss: tensor<1x1x1x1xf32> {graph.uid = 8 : i64},
    %a: tensor<2x1x1x1xi32> {graph.uid = 9 : i64},
    %b: tensor<1x1x1x1xi32> {graph.uid = 10 : i64})
    -> (tensor<1x2x4x8xf8E4M3FN> {graph.uid = 11 : i64}, tensor<1x1x1x1xf32> {graph.uid = 12 : i64}, tensor<1x1x1x1xf32> {graph.uid = 13 : i64}) {
  // expected-error @below {{expected 'Seed' to have one element, got 2x1x1x1}}
  %r0, %r1, %r2 = graph.sdpa_fp8 %q, %k, %v, %dq, %dk, %dv, %ds, %ss dropout_seed %a dropout_offset %b
      {dropout_probability = 0.5 : f64}
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<2x1x1x1xi32>, tensor<1x1x1x1xi32>)
      -> tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1, %r2 : tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_fp8_c17_offset(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x1x1x1xf32> {graph.uid = 4 : i64},
    %dk: tensor<1x1x1x1xf32> {graph.uid = 5 : i64},
    %dv: tensor<1x1x1x1xf32> {graph.uid = 6 : i64},
    %ds: tensor<1x1x1x1xf32> {graph.uid = 7 : i64},
    %ss: tensor<1x1x1x1xf32> {graph.uid = 8 : i64},
    %a: tensor<1x1x1x1xi32> {graph.uid = 9 : i64},
    %b: tensor<1x1x1x1xf32> {graph.uid = 10 : i64})
    -> (tensor<1x2x4x8xf8E4M3FN> {graph.uid = 11 : i64}, tensor<1x1x1x1xf32> {graph.uid = 12 : i64}, tensor<1x1x1x1xf32> {graph.uid = 13 : i64}) {
  // expected-error @below {{expected 'Offset' to be i32 or i64, got 'f32'}}
  %r0, %r1, %r2 = graph.sdpa_fp8 %q, %k, %v, %dq, %dk, %dv, %ds, %ss dropout_seed %a dropout_offset %b
      {dropout_probability = 0.5 : f64}
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xf32>)
      -> tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1, %r2 : tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_fp8_c17_mask(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x1x1x1xf32> {graph.uid = 4 : i64},
    %dk: tensor<1x1x1x1xf32> {graph.uid = 5 : i64},
    %dv: tensor<1x1x1x1xf32> {graph.uid = 6 : i64},
    %ds: tensor<1x1x1x1xf32> {graph.uid = 7 : i64},
    %ss: tensor<1x1x1x1xf32> {graph.uid = 8 : i64},
    %m: tensor<1x2x4x7xf32> {graph.uid = 9 : i64},
    %n: tensor<1x1x1x1xf32> {graph.uid = 10 : i64})
    -> (tensor<1x2x4x8xf8E4M3FN> {graph.uid = 11 : i64}, tensor<1x1x1x1xf32> {graph.uid = 12 : i64}, tensor<1x1x1x1xf32> {graph.uid = 13 : i64}) {
  // expected-error @below {{expected 'Dropout_mask' (1x2x4x7) to broadcast to the scores (1x2x4x6)}}
  %r0, %r1, %r2 = graph.sdpa_fp8 %q, %k, %v, %dq, %dk, %dv, %ds, %ss dropout_mask %m dropout_scale %n
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x2x4x7xf32>, tensor<1x1x1x1xf32>)
      -> tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1, %r2 : tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_fp8_c17_scale(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x1x1x1xf32> {graph.uid = 4 : i64},
    %dk: tensor<1x1x1x1xf32> {graph.uid = 5 : i64},
    %dv: tensor<1x1x1x1xf32> {graph.uid = 6 : i64},
    %ds: tensor<1x1x1x1xf32> {graph.uid = 7 : i64},
    %ss: tensor<1x1x1x1xf32> {graph.uid = 8 : i64},
    %m: tensor<1x1x1x1xf32> {graph.uid = 9 : i64},
    %n: tensor<2xf32> {graph.uid = 10 : i64})
    -> (tensor<1x2x4x8xf8E4M3FN> {graph.uid = 11 : i64}, tensor<1x1x1x1xf32> {graph.uid = 12 : i64}, tensor<1x1x1x1xf32> {graph.uid = 13 : i64}) {
  // expected-error @below {{expected 'Dropout_scale' to have one element, got 2}}
  %r0, %r1, %r2 = graph.sdpa_fp8 %q, %k, %v, %dq, %dk, %dv, %ds, %ss dropout_mask %m dropout_scale %n
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<2xf32>)
      -> tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1, %r2 : tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_fp8_c18(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x1x1x1xf32> {graph.uid = 4 : i64},
    %dk: tensor<1x1x1x1xf32> {graph.uid = 5 : i64},
    %dv: tensor<1x1x1x1xf32> {graph.uid = 6 : i64},
    %ds: tensor<1x1x1x1xf32> {graph.uid = 7 : i64},
    %ss: tensor<1x1x1x1xf32> {graph.uid = 8 : i64},
    %t: tensor<1x1x1x1xf32> {graph.uid = 9 : i64})
    -> (tensor<1x2x4x8xf8E4M3FN> {graph.uid = 10 : i64}, tensor<1x1x1x1xf32> {graph.uid = 11 : i64}, tensor<1x1x1x1xf32> {graph.uid = 12 : i64}) {
  // expected-error @below {{expected 'SINK_TOKEN' to be 1x2x1x1, got 1x1x1x1}}
  %r0, %r1, %r2 = graph.sdpa_fp8 %q, %k, %v, %dq, %dk, %dv, %ds, %ss sink_token %t
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>)
      -> tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1, %r2 : tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_fp8_c18_type(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x1x1x1xf32> {graph.uid = 4 : i64},
    %dk: tensor<1x1x1x1xf32> {graph.uid = 5 : i64},
    %dv: tensor<1x1x1x1xf32> {graph.uid = 6 : i64},
    %ds: tensor<1x1x1x1xf32> {graph.uid = 7 : i64},
    %ss: tensor<1x1x1x1xf32> {graph.uid = 8 : i64},
    %t: tensor<1x2x1x1xi32> {graph.uid = 9 : i64})
    -> (tensor<1x2x4x8xf8E4M3FN> {graph.uid = 10 : i64}, tensor<1x1x1x1xf32> {graph.uid = 11 : i64}, tensor<1x1x1x1xf32> {graph.uid = 12 : i64}) {
  // expected-error @below {{expected 'SINK_TOKEN' to be floating point, got 'i32'}}
  %r0, %r1, %r2 = graph.sdpa_fp8 %q, %k, %v, %dq, %dk, %dv, %ds, %ss sink_token %t
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x2x1x1xi32>)
      -> tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1, %r2 : tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
}
