// RUN: graph-opt %s --split-input-file --verify-diagnostics

graph.graph @sdpa_backward_c11(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf16> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf16> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64},
    %lq: tensor<2x1x1x1xi32> {graph.uid = 7 : i64})
    -> (tensor<2x4x8x16xf16> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected 'SEQ_LEN_KV' if and only if 'use_padding_mask' is set, got no lengths}}
  %0:3 = graph.sdpa_backward %q, %k, %v, %o, %do, %stats
      seq_len_q %lq
      {use_padding_mask}
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>,
         tensor<2x4x8x32xf16>, tensor<2x4x8x32xf16>, tensor<2x4x8x1xf32>,
         tensor<2x1x1x1xi32>)
      -> tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>
  graph.return %0#0 : tensor<2x4x8x16xf16>
}

// -----

graph.graph @sdpa_backward_c11_both(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf16> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf16> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64},
    %lq: tensor<2x1x1x1xi32> {graph.uid = 7 : i64},
    %lk: tensor<2x1x1x1xi32> {graph.uid = 8 : i64},
    %cq: tensor<3xi32> {graph.uid = 9 : i64})
    -> (tensor<2x4x8x16xf16> {graph.uid = 10 : i64}) {
  // expected-error @below {{expected 'SEQ_LEN_Q' or 'CU_SEQ_LEN_Q', got both}}
  %0:3 = graph.sdpa_backward %q, %k, %v, %o, %do, %stats
      seq_len_q %lq seq_len_kv %lk cu_seq_len_q %cq
      {use_padding_mask}
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>,
         tensor<2x4x8x32xf16>, tensor<2x4x8x32xf16>, tensor<2x4x8x1xf32>,
         tensor<2x1x1x1xi32>, tensor<2x1x1x1xi32>, tensor<3xi32>)
      -> tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>
  graph.return %0#0 : tensor<2x4x8x16xf16>
}

// -----

graph.graph @sdpa_backward_c12(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf16> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf16> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64},
    %lq: tensor<2xi32> {graph.uid = 7 : i64},
    %lk: tensor<2x1x1x1xi32> {graph.uid = 8 : i64})
    -> (tensor<2x4x8x16xf16> {graph.uid = 9 : i64}) {
  // expected-error @below {{expected 'SEQ_LEN_Q' to be 2x1x1x1, got 2}}
  %0:3 = graph.sdpa_backward %q, %k, %v, %o, %do, %stats
      seq_len_q %lq seq_len_kv %lk
      {use_padding_mask}
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>,
         tensor<2x4x8x32xf16>, tensor<2x4x8x32xf16>, tensor<2x4x8x1xf32>,
         tensor<2xi32>, tensor<2x1x1x1xi32>)
      -> tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>
  graph.return %0#0 : tensor<2x4x8x16xf16>
}

// -----

graph.graph @sdpa_backward_c12_sums(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf16> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf16> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64},
    %lq: tensor<2x1x1x1xi32> {graph.uid = 7 : i64},
    %ck: tensor<2xi32> {graph.uid = 8 : i64})
    -> (tensor<2x4x8x16xf16> {graph.uid = 9 : i64}) {
  // expected-error @below {{expected 'CU_SEQ_LEN_KV' to be 2 + 1 numbers}}
  %0:3 = graph.sdpa_backward %q, %k, %v, %o, %do, %stats
      seq_len_q %lq cu_seq_len_kv %ck
      {use_padding_mask}
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>,
         tensor<2x4x8x32xf16>, tensor<2x4x8x32xf16>, tensor<2x4x8x1xf32>,
         tensor<2x1x1x1xi32>, tensor<2xi32>)
      -> tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>
  graph.return %0#0 : tensor<2x4x8x16xf16>
}

// -----

graph.graph @sdpa_backward_c13(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf16> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf16> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64},
    %lq: tensor<2x1x1x1xi32> {graph.uid = 7 : i64},
    %lk: tensor<2x1x1x1xf32> {graph.uid = 8 : i64})
    -> (tensor<2x4x8x16xf16> {graph.uid = 9 : i64}) {
  // expected-error @below {{expected 'SEQ_LEN_KV' to be i32 or i64, got 'f32'}}
  %0:3 = graph.sdpa_backward %q, %k, %v, %o, %do, %stats
      seq_len_q %lq seq_len_kv %lk
      {use_padding_mask}
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>,
         tensor<2x4x8x32xf16>, tensor<2x4x8x32xf16>, tensor<2x4x8x1xf32>,
         tensor<2x1x1x1xi32>, tensor<2x1x1x1xf32>)
      -> tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>
  graph.return %0#0 : tensor<2x4x8x16xf16>
}

// -----

graph.graph @sdpa_backward_c14(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf16> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf16> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64})
    -> (tensor<2x4x8x16xf16> {graph.uid = 7 : i64}) {
  // expected-error @below {{expected 'diagonal_band_left_bound' to be at least 0, got -1}}
  %0:3 = graph.sdpa_backward %q, %k, %v, %o, %do, %stats
      {diagonal_band_left_bound = -1 : i64}
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>,
         tensor<2x4x8x32xf16>, tensor<2x4x8x32xf16>, tensor<2x4x8x1xf32>)
      -> tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>
  graph.return %0#0 : tensor<2x4x8x16xf16>
}

// -----

graph.graph @sdpa_backward_c15(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf16> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf16> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64})
    -> (tensor<2x4x8x16xf16> {graph.uid = 7 : i64}) {
  // expected-error @below {{expected 'diagonal_band_right_bound' to be 0 with 'use_alibi_mask', got 2}}
  %0:3 = graph.sdpa_backward %q, %k, %v, %o, %do, %stats
      {use_alibi_mask, diagonal_band_right_bound = 2 : i64}
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>,
         tensor<2x4x8x32xf16>, tensor<2x4x8x32xf16>, tensor<2x4x8x1xf32>)
      -> tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>
  graph.return %0#0 : tensor<2x4x8x16xf16>
}

// -----

graph.graph @sdpa_backward_c16(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf16> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf16> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64},
    %dm: tensor<2x4x8x6xf16> {graph.uid = 7 : i64},
    %ds: tensor<1xf32> {graph.uid = 8 : i64},
    %di: tensor<1xf32> {graph.uid = 9 : i64})
    -> (tensor<2x4x8x16xf16> {graph.uid = 10 : i64}) {
  // expected-error @below {{expected dropout by probability or by a mask, got both}}
  %0:3 = graph.sdpa_backward %q, %k, %v, %o, %do, %stats
      dropout_mask %dm dropout_scale %ds dropout_scale_inv %di
      {dropout_probability = 0.5 : f64}
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>,
         tensor<2x4x8x32xf16>, tensor<2x4x8x32xf16>, tensor<2x4x8x1xf32>,
         tensor<2x4x8x6xf16>, tensor<1xf32>, tensor<1xf32>)
      -> tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>
  graph.return %0#0 : tensor<2x4x8x16xf16>
}

// -----

graph.graph @sdpa_backward_c16_seed(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf16> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf16> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64},
    %sd: tensor<1xi64> {graph.uid = 7 : i64})
    -> (tensor<2x4x8x16xf16> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected 'dropout_probability', 'Seed' and 'Offset' together}}
  %0:3 = graph.sdpa_backward %q, %k, %v, %o, %do, %stats
      dropout_seed %sd
      {dropout_probability = 0.5 : f64}
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>,
         tensor<2x4x8x32xf16>, tensor<2x4x8x32xf16>, tensor<2x4x8x1xf32>,
         tensor<1xi64>)
      -> tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>
  graph.return %0#0 : tensor<2x4x8x16xf16>
}

// -----

graph.graph @sdpa_backward_c16_inverse(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf16> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf16> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64},
    %dm: tensor<2x4x8x6xf16> {graph.uid = 7 : i64},
    %ds: tensor<1xf32> {graph.uid = 8 : i64})
    -> (tensor<2x4x8x16xf16> {graph.uid = 9 : i64}) {
  // expected-error @below {{expected 'Dropout_scale_inv' with 'Dropout_mask', got none}}
  %0:3 = graph.sdpa_backward %q, %k, %v, %o, %do, %stats
      dropout_mask %dm dropout_scale %ds
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>,
         tensor<2x4x8x32xf16>, tensor<2x4x8x32xf16>, tensor<2x4x8x1xf32>,
         tensor<2x4x8x6xf16>, tensor<1xf32>)
      -> tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>
  graph.return %0#0 : tensor<2x4x8x16xf16>
}

// -----

graph.graph @sdpa_backward_c16_dump(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf16> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf16> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64})
    -> (tensor<2x4x8x16xf16> {graph.uid = 7 : i64}) {
  // expected-error @below {{expected 'dropout_probability' with 'RNG_DUMP', got none}}
  %0:4 = graph.sdpa_backward %q, %k, %v, %o, %do, %stats
      {generate_rng_dump}
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>,
         tensor<2x4x8x32xf16>, tensor<2x4x8x32xf16>, tensor<2x4x8x1xf32>)
      -> tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>
         rng_dump tensor<2x4x8x6xf32>
  graph.return %0#0 : tensor<2x4x8x16xf16>
}

// -----

graph.graph @sdpa_backward_c17(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf16> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf16> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64},
    %sd: tensor<1xi64> {graph.uid = 7 : i64},
    %so: tensor<1xi64> {graph.uid = 8 : i64})
    -> (tensor<2x4x8x16xf16> {graph.uid = 9 : i64}) {
  // expected-error @below {{expected 'dropout_probability' to be at least 0 and less than 1, got 1}}
  %0:3 = graph.sdpa_backward %q, %k, %v, %o, %do, %stats
      dropout_seed %sd dropout_offset %so
      {dropout_probability = 1.0 : f64}
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>,
         tensor<2x4x8x32xf16>, tensor<2x4x8x32xf16>, tensor<2x4x8x1xf32>,
         tensor<1xi64>, tensor<1xi64>)
      -> tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>
  graph.return %0#0 : tensor<2x4x8x16xf16>
}

// -----

graph.graph @sdpa_backward_c18(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf16> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf16> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64},
    %sd: tensor<2xi64> {graph.uid = 7 : i64},
    %so: tensor<1xi64> {graph.uid = 8 : i64})
    -> (tensor<2x4x8x16xf16> {graph.uid = 9 : i64}) {
  // expected-error @below {{expected 'Seed' to have one element, got 2}}
  %0:3 = graph.sdpa_backward %q, %k, %v, %o, %do, %stats
      dropout_seed %sd dropout_offset %so
      {dropout_probability = 0.5 : f64}
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>,
         tensor<2x4x8x32xf16>, tensor<2x4x8x32xf16>, tensor<2x4x8x1xf32>,
         tensor<2xi64>, tensor<1xi64>)
      -> tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>
  graph.return %0#0 : tensor<2x4x8x16xf16>
}

// -----

graph.graph @sdpa_backward_c18_offset(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf16> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf16> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64},
    %sd: tensor<1xi64> {graph.uid = 7 : i64},
    %so: tensor<1xf32> {graph.uid = 8 : i64})
    -> (tensor<2x4x8x16xf16> {graph.uid = 9 : i64}) {
  // expected-error @below {{expected 'Offset' to be i32 or i64, got 'f32'}}
  %0:3 = graph.sdpa_backward %q, %k, %v, %o, %do, %stats
      dropout_seed %sd dropout_offset %so
      {dropout_probability = 0.5 : f64}
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>,
         tensor<2x4x8x32xf16>, tensor<2x4x8x32xf16>, tensor<2x4x8x1xf32>,
         tensor<1xi64>, tensor<1xf32>)
      -> tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>
  graph.return %0#0 : tensor<2x4x8x16xf16>
}

// -----

graph.graph @sdpa_backward_c18_mask(
    %q: tensor<2x4x8x16xf16> {graph.uid = 1 : i64},
    %k: tensor<2x2x6x16xf16> {graph.uid = 2 : i64},
    %v: tensor<2x2x6x32xf16> {graph.uid = 3 : i64},
    %o: tensor<2x4x8x32xf16> {graph.uid = 4 : i64},
    %do: tensor<2x4x8x32xf16> {graph.uid = 5 : i64},
    %stats: tensor<2x4x8x1xf32> {graph.uid = 6 : i64},
    %dm: tensor<2x4x8x5xf16> {graph.uid = 7 : i64},
    %ds: tensor<1xf32> {graph.uid = 8 : i64},
    %di: tensor<1xf32> {graph.uid = 9 : i64})
    -> (tensor<2x4x8x16xf16> {graph.uid = 10 : i64}) {
  // expected-error @below {{expected 'Dropout_mask' (2x4x8x5) to broadcast to the scores (2x4x8x6)}}
  %0:3 = graph.sdpa_backward %q, %k, %v, %o, %do, %stats
      dropout_mask %dm dropout_scale %ds dropout_scale_inv %di
      : (tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>,
         tensor<2x4x8x32xf16>, tensor<2x4x8x32xf16>, tensor<2x4x8x1xf32>,
         tensor<2x4x8x5xf16>, tensor<1xf32>, tensor<1xf32>)
      -> tensor<2x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<2x2x6x32xf16>
  graph.return %0#0 : tensor<2x4x8x16xf16>
}
