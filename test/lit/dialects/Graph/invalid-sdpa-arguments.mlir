// RUN: graph-opt %s --split-input-file --verify-diagnostics

graph.graph @sdpa_c15_bound(
    %q: tensor<1x2x4x8xf16> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf16> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf16> {graph.uid = 3 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected 'diagonal_band_right_bound' to be 0 with 'use_alibi_mask', got none}}
  %r0 = graph.sdpa %q, %k, %v
      {use_alibi_mask}
      : (tensor<1x2x4x8xf16>, tensor<1x2x6x8xf16>, tensor<1x2x6x8xf16>)
      -> tensor<1x2x4x8xf16>
  graph.return %r0 : tensor<1x2x4x8xf16>
}

// -----

graph.graph @sdpa_c15_value(
    %q: tensor<1x2x4x8xf16> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf16> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf16> {graph.uid = 3 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected 'diagonal_band_right_bound' to be 0 with 'use_alibi_mask', got 1}}
  %r0 = graph.sdpa %q, %k, %v
      {diagonal_band_right_bound = 1 : i64, use_alibi_mask}
      : (tensor<1x2x4x8xf16>, tensor<1x2x6x8xf16>, tensor<1x2x6x8xf16>)
      -> tensor<1x2x4x8xf16>
  graph.return %r0 : tensor<1x2x4x8xf16>
}

// -----

graph.graph @sdpa_c16_both(
    %q: tensor<1x2x4x8xf16> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf16> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf16> {graph.uid = 3 : i64},
    %m: tensor<1x1x1x1xf32> {graph.uid = 4 : i64},
    %n: tensor<1x1x1x1xf32> {graph.uid = 5 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 6 : i64}) {
  // expected-error @below {{expected dropout by probability or by a mask, got both}}
  %r0 = graph.sdpa %q, %k, %v dropout_mask %m dropout_scale %n
      {dropout_probability = 0.5 : f64}
      : (tensor<1x2x4x8xf16>, tensor<1x2x6x8xf16>, tensor<1x2x6x8xf16>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>)
      -> tensor<1x2x4x8xf16>
  graph.return %r0 : tensor<1x2x4x8xf16>
}

// -----

graph.graph @sdpa_c16_seed(
    %q: tensor<1x2x4x8xf16> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf16> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf16> {graph.uid = 3 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected 'dropout_probability', 'Seed' and 'Offset' together, got not all of them}}
  %r0 = graph.sdpa %q, %k, %v
      {dropout_probability = 0.5 : f64}
      : (tensor<1x2x4x8xf16>, tensor<1x2x6x8xf16>, tensor<1x2x6x8xf16>)
      -> tensor<1x2x4x8xf16>
  graph.return %r0 : tensor<1x2x4x8xf16>
}

// -----

graph.graph @sdpa_c16_scale(
    %q: tensor<1x2x4x8xf16> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf16> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf16> {graph.uid = 3 : i64},
    %m: tensor<1x1x1x1xf32> {graph.uid = 4 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 5 : i64}) {
  // expected-error @below {{expected 'Dropout_mask' and 'Dropout_scale' together, got not both}}
  %r0 = graph.sdpa %q, %k, %v dropout_mask %m
      : (tensor<1x2x4x8xf16>, tensor<1x2x6x8xf16>, tensor<1x2x6x8xf16>, tensor<1x1x1x1xf32>)
      -> tensor<1x2x4x8xf16>
  graph.return %r0 : tensor<1x2x4x8xf16>
}

// -----

graph.graph @sdpa_c16_dump(
    %q: tensor<1x2x4x8xf16> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf16> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf16> {graph.uid = 3 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 4 : i64}, tensor<1x2x4x6xf32> {graph.uid = 5 : i64}) {
  // expected-error @below {{expected 'dropout_probability' with 'RNG_DUMP', got none}}
  %r0, %r1 = graph.sdpa %q, %k, %v
      {generate_rng_dump}
      : (tensor<1x2x4x8xf16>, tensor<1x2x6x8xf16>, tensor<1x2x6x8xf16>)
      -> tensor<1x2x4x8xf16> rng_dump tensor<1x2x4x6xf32>
  graph.return %r0, %r1 : tensor<1x2x4x8xf16>, tensor<1x2x4x6xf32>
}

// -----

graph.graph @sdpa_c17(
    %q: tensor<1x2x4x8xf16> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf16> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf16> {graph.uid = 3 : i64},
    %a: tensor<1x1x1x1xi32> {graph.uid = 4 : i64},
    %b: tensor<1x1x1x1xi32> {graph.uid = 5 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 6 : i64}) {
  // expected-error @below {{expected 'dropout_probability' to be at least 0 and less than 1, got 1}}
  %r0 = graph.sdpa %q, %k, %v dropout_seed %a dropout_offset %b
      {dropout_probability = 1.0 : f64}
      : (tensor<1x2x4x8xf16>, tensor<1x2x6x8xf16>, tensor<1x2x6x8xf16>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>)
      -> tensor<1x2x4x8xf16>
  graph.return %r0 : tensor<1x2x4x8xf16>
}

// -----

graph.graph @sdpa_c17_nan(
    %q: tensor<1x2x4x8xf16> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf16> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf16> {graph.uid = 3 : i64},
    %a: tensor<1x1x1x1xi32> {graph.uid = 4 : i64},
    %b: tensor<1x1x1x1xi32> {graph.uid = 5 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 6 : i64}) {
  // expected-error @below {{expected 'dropout_probability' to be at least 0 and less than 1, got nan}}
  %r0 = graph.sdpa %q, %k, %v dropout_seed %a dropout_offset %b
      {dropout_probability = 0x7FF8000000000000 : f64}
      : (tensor<1x2x4x8xf16>, tensor<1x2x6x8xf16>, tensor<1x2x6x8xf16>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>)
      -> tensor<1x2x4x8xf16>
  graph.return %r0 : tensor<1x2x4x8xf16>
}

// -----

graph.graph @sdpa_c18_seed(
    %q: tensor<1x2x4x8xf16> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf16> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf16> {graph.uid = 3 : i64},
    %a: tensor<2x1x1x1xi32> {graph.uid = 4 : i64},
    %b: tensor<1x1x1x1xi32> {graph.uid = 5 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 6 : i64}) {
  // expected-error @below {{expected 'Seed' to have one element, got 2x1x1x1}}
  %r0 = graph.sdpa %q, %k, %v dropout_seed %a dropout_offset %b
      {dropout_probability = 0.5 : f64}
      : (tensor<1x2x4x8xf16>, tensor<1x2x6x8xf16>, tensor<1x2x6x8xf16>, tensor<2x1x1x1xi32>, tensor<1x1x1x1xi32>)
      -> tensor<1x2x4x8xf16>
  graph.return %r0 : tensor<1x2x4x8xf16>
}

// -----

graph.graph @sdpa_c18_offset(
    %q: tensor<1x2x4x8xf16> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf16> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf16> {graph.uid = 3 : i64},
    %a: tensor<1x1x1x1xi32> {graph.uid = 4 : i64},
    %b: tensor<1x1x1x1xf32> {graph.uid = 5 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 6 : i64}) {
  // expected-error @below {{expected 'Offset' to be i32 or i64, got 'f32'}}
  %r0 = graph.sdpa %q, %k, %v dropout_seed %a dropout_offset %b
      {dropout_probability = 0.5 : f64}
      : (tensor<1x2x4x8xf16>, tensor<1x2x6x8xf16>, tensor<1x2x6x8xf16>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xf32>)
      -> tensor<1x2x4x8xf16>
  graph.return %r0 : tensor<1x2x4x8xf16>
}

// -----

graph.graph @sdpa_c18_mask(
    %q: tensor<1x2x4x8xf16> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf16> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf16> {graph.uid = 3 : i64},
    %m: tensor<1x2x4x7xf32> {graph.uid = 4 : i64},
    %n: tensor<1x1x1x1xf32> {graph.uid = 5 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 6 : i64}) {
  // expected-error @below {{expected 'Dropout_mask' (1x2x4x7) to broadcast to the scores (1x2x4x6)}}
  %r0 = graph.sdpa %q, %k, %v dropout_mask %m dropout_scale %n
      : (tensor<1x2x4x8xf16>, tensor<1x2x6x8xf16>, tensor<1x2x6x8xf16>, tensor<1x2x4x7xf32>, tensor<1x1x1x1xf32>)
      -> tensor<1x2x4x8xf16>
  graph.return %r0 : tensor<1x2x4x8xf16>
}

// -----

graph.graph @sdpa_c18_scale(
    %q: tensor<1x2x4x8xf16> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf16> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf16> {graph.uid = 3 : i64},
    %m: tensor<1x1x1x1xf32> {graph.uid = 4 : i64},
    %n: tensor<2xf32> {graph.uid = 5 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 6 : i64}) {
  // expected-error @below {{expected 'Dropout_scale' to have one element, got 2}}
  %r0 = graph.sdpa %q, %k, %v dropout_mask %m dropout_scale %n
      : (tensor<1x2x4x8xf16>, tensor<1x2x6x8xf16>, tensor<1x2x6x8xf16>, tensor<1x1x1x1xf32>, tensor<2xf32>)
      -> tensor<1x2x4x8xf16>
  graph.return %r0 : tensor<1x2x4x8xf16>
}

// -----

graph.graph @sdpa_c19(
    %q: tensor<1x2x4x8xf16> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf16> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf16> {graph.uid = 3 : i64},
    %t: tensor<1x1x1x1xf32> {graph.uid = 4 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 5 : i64}) {
  // expected-error @below {{expected 'SINK_TOKEN' to be 1x2x1x1, got 1x1x1x1}}
  %r0 = graph.sdpa %q, %k, %v sink_token %t
      : (tensor<1x2x4x8xf16>, tensor<1x2x6x8xf16>, tensor<1x2x6x8xf16>, tensor<1x1x1x1xf32>)
      -> tensor<1x2x4x8xf16>
  graph.return %r0 : tensor<1x2x4x8xf16>
}

// -----

graph.graph @sdpa_c19_type(
    %q: tensor<1x2x4x8xf16> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf16> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf16> {graph.uid = 3 : i64},
    %t: tensor<1x2x1x1xi32> {graph.uid = 4 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 5 : i64}) {
  // expected-error @below {{expected 'SINK_TOKEN' to be floating point, got 'i32'}}
  %r0 = graph.sdpa %q, %k, %v sink_token %t
      : (tensor<1x2x4x8xf16>, tensor<1x2x6x8xf16>, tensor<1x2x6x8xf16>, tensor<1x2x1x1xi32>)
      -> tensor<1x2x4x8xf16>
  graph.return %r0 : tensor<1x2x4x8xf16>
}

// -----

graph.graph @sdpa_c20_extents(
    %q: tensor<1x2x4x8xf16> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf16> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf16> {graph.uid = 3 : i64},
    %m: tensor<1x2x1x6xi1> {graph.uid = 4 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 5 : i64}) {
  // expected-error @below {{expected 'KV_mask' to be 1x1x1x6 or 1 in the first axis, got 1x2x1x6}}
  %r0 = graph.sdpa %q, %k, %v kv_mask %m
      : (tensor<1x2x4x8xf16>, tensor<1x2x6x8xf16>, tensor<1x2x6x8xf16>, tensor<1x2x1x6xi1>)
      -> tensor<1x2x4x8xf16>
  graph.return %r0 : tensor<1x2x4x8xf16>
}

// -----

graph.graph @sdpa_c20_type(
    %q: tensor<1x2x4x8xf16> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf16> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf16> {graph.uid = 3 : i64},
    %m: tensor<1x1x1x6xi32> {graph.uid = 4 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 5 : i64}) {
  // expected-error @below {{expected 'KV_mask' to be boolean or floating point, got 'i32'}}
  %r0 = graph.sdpa %q, %k, %v kv_mask %m
      : (tensor<1x2x4x8xf16>, tensor<1x2x6x8xf16>, tensor<1x2x6x8xf16>, tensor<1x1x1x6xi32>)
      -> tensor<1x2x4x8xf16>
  graph.return %r0 : tensor<1x2x4x8xf16>
}

// -----

graph.graph @sdpa_c21_extents(
    %q: tensor<1x2x4x8xf16> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf16> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf16> {graph.uid = 3 : i64},
    %m: tensor<1x2x1x2xui8> {graph.uid = 4 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 5 : i64}) {
  // expected-error @below {{expected 'Block_mask' to be 1x2x1x1, a bit per 128x128 scores, got 1x2x1x2}}
  %r0 = graph.sdpa %q, %k, %v block_mask %m
      : (tensor<1x2x4x8xf16>, tensor<1x2x6x8xf16>, tensor<1x2x6x8xf16>, tensor<1x2x1x2xui8>)
      -> tensor<1x2x4x8xf16>
  graph.return %r0 : tensor<1x2x4x8xf16>
}

// -----

graph.graph @sdpa_c21_type(
    %q: tensor<1x2x4x8xf16> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf16> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf16> {graph.uid = 3 : i64},
    %m: tensor<1x2x1x1xi8> {graph.uid = 4 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 5 : i64}) {
  // expected-error @below {{expected 'Block_mask' to be ui8, got 'i8'}}
  %r0 = graph.sdpa %q, %k, %v block_mask %m
      : (tensor<1x2x4x8xf16>, tensor<1x2x6x8xf16>, tensor<1x2x6x8xf16>, tensor<1x2x1x1xi8>)
      -> tensor<1x2x4x8xf16>
  graph.return %r0 : tensor<1x2x4x8xf16>
}

// -----

graph.graph @sdpa_c28(
    %q: tensor<1x2x4x8xf16> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf16> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf16> {graph.uid = 3 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected 'softmax_precision' to be f16, bf16, f32 or f64, got 'i32'}}
  %r0 = graph.sdpa %q, %k, %v
      {softmax_precision = i32}
      : (tensor<1x2x4x8xf16>, tensor<1x2x6x8xf16>, tensor<1x2x6x8xf16>)
      -> tensor<1x2x4x8xf16>
  graph.return %r0 : tensor<1x2x4x8xf16>
}

// -----

graph.graph @sdpa_c14_max(
    %q: tensor<1x2x4x8xf16> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf16> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf16> {graph.uid = 3 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected result 'Max' to be present, got it absent}}
  %r0 = graph.sdpa %q, %k, %v
      {generate_max}
      : (tensor<1x2x4x8xf16>, tensor<1x2x6x8xf16>, tensor<1x2x6x8xf16>)
      -> tensor<1x2x4x8xf16>
  graph.return %r0 : tensor<1x2x4x8xf16>
}

// -----

graph.graph @sdpa_c14_sum_exp(
    %q: tensor<1x2x4x8xf16> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf16> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf16> {graph.uid = 3 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 4 : i64}, tensor<1x2x4x1xf32> {graph.uid = 5 : i64}) {
  // expected-error @below {{expected result 'Sum_exp' to be absent, got it present}}
  %r0, %r1 = graph.sdpa %q, %k, %v
      : (tensor<1x2x4x8xf16>, tensor<1x2x6x8xf16>, tensor<1x2x6x8xf16>)
      -> tensor<1x2x4x8xf16> sum_exp tensor<1x2x4x1xf32>
  graph.return %r0, %r1 : tensor<1x2x4x8xf16>, tensor<1x2x4x1xf32>
}

// -----

graph.graph @sdpa_c10_both(
    %q: tensor<1x2x4x8xf16> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf16> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf16> {graph.uid = 3 : i64},
    %sq: tensor<1x1x1x1xi32> {graph.uid = 4 : i64},
    %skv: tensor<1x1x1x1xi32> {graph.uid = 5 : i64},
    %cq: tensor<2x1x1x1xi32> {graph.uid = 6 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 7 : i64}) {
  // expected-error @below {{expected 'SEQ_LEN_Q' or 'CU_SEQ_LEN_Q', got both}}
  %r0 = graph.sdpa %q, %k, %v seq_len_q %sq seq_len_kv %skv cu_seq_len_q %cq
      {use_padding_mask}
      : (tensor<1x2x4x8xf16>, tensor<1x2x6x8xf16>, tensor<1x2x6x8xf16>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>, tensor<2x1x1x1xi32>)
      -> tensor<1x2x4x8xf16>
  graph.return %r0 : tensor<1x2x4x8xf16>
}

// -----

graph.graph @sdpa_c11_sums(
    %q: tensor<1x2x4x8xf16> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf16> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf16> {graph.uid = 3 : i64},
    %sq: tensor<1x1x1x1xi32> {graph.uid = 4 : i64},
    %cq: tensor<3xi32> {graph.uid = 5 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 6 : i64}) {
  // expected-error @below {{expected 'CU_SEQ_LEN_KV' to be 1 + 1 numbers, [B + 1, 1, 1, 1] or [B + 1], got 3}}
  %r0 = graph.sdpa %q, %k, %v seq_len_q %sq cu_seq_len_kv %cq
      {use_padding_mask}
      : (tensor<1x2x4x8xf16>, tensor<1x2x6x8xf16>, tensor<1x2x6x8xf16>, tensor<1x1x1x1xi32>, tensor<3xi32>)
      -> tensor<1x2x4x8xf16>
  graph.return %r0 : tensor<1x2x4x8xf16>
}

// -----

graph.graph @sdpa_c12_sums(
    %q: tensor<1x2x4x8xf16> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf16> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf16> {graph.uid = 3 : i64},
    %sq: tensor<1x1x1x1xi32> {graph.uid = 4 : i64},
    %cq: tensor<2xf32> {graph.uid = 5 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 6 : i64}) {
  // expected-error @below {{expected 'CU_SEQ_LEN_KV' to be i32 or i64, got 'f32'}}
  %r0 = graph.sdpa %q, %k, %v seq_len_q %sq cu_seq_len_kv %cq
      {use_padding_mask}
      : (tensor<1x2x4x8xf16>, tensor<1x2x6x8xf16>, tensor<1x2x6x8xf16>, tensor<1x1x1x1xi32>, tensor<2xf32>)
      -> tensor<1x2x4x8xf16>
  graph.return %r0 : tensor<1x2x4x8xf16>
}

// -----

graph.graph @sdpa_c22_ragged(
    %q: tensor<1x2x4x8xf16> {graph.uid = 1 : i64},
    %k: tensor<5x2x2x8xf16> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf16> {graph.uid = 3 : i64},
    %sq: tensor<1x1x1x1xi32> {graph.uid = 4 : i64},
    %skv: tensor<1x1x1x1xi32> {graph.uid = 5 : i64},
    %pt: tensor<1x1x3x1xi32> {graph.uid = 6 : i64},
    %rk: tensor<2x1x1x1xi32> {graph.uid = 7 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected pages or 'ragged_offset_k', got both}}
  %r0 = graph.sdpa %q, %k, %v seq_len_q %sq seq_len_kv %skv paged_attention_k_table %pt ragged_offset_k %rk
      {use_padding_mask}
      : (tensor<1x2x4x8xf16>, tensor<5x2x2x8xf16>, tensor<1x2x6x8xf16>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>, tensor<1x1x3x1xi32>, tensor<2x1x1x1xi32>)
      -> tensor<1x2x4x8xf16>
  graph.return %r0 : tensor<1x2x4x8xf16>
}
