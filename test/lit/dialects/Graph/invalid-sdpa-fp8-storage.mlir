// RUN: graph-opt %s --split-input-file --verify-diagnostics

graph.graph @sdpa_fp8_c20_lengths(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<5x2x2x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x1x1x1xf32> {graph.uid = 4 : i64},
    %dk: tensor<1x1x1x1xf32> {graph.uid = 5 : i64},
    %dv: tensor<1x1x1x1xf32> {graph.uid = 6 : i64},
    %ds: tensor<1x1x1x1xf32> {graph.uid = 7 : i64},
    %ss: tensor<1x1x1x1xf32> {graph.uid = 8 : i64},
    %pt: tensor<1x1x3x1xi32> {graph.uid = 9 : i64})
    -> (tensor<1x2x4x8xf8E4M3FN> {graph.uid = 10 : i64}, tensor<1x1x1x1xf32> {graph.uid = 11 : i64}, tensor<1x1x1x1xf32> {graph.uid = 12 : i64}) {
  // expected-error @below {{expected sequence lengths with page tables, got none}}
  %r0, %r1, %r2 = graph.sdpa_fp8 %q, %k, %v, %dq, %dk, %dv, %ds, %ss paged_attention_k_table %pt
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<5x2x2x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x3x1xi32>)
      -> tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1, %r2 : tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_fp8_c20_extents(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<5x2x2x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x1x1x1xf32> {graph.uid = 4 : i64},
    %dk: tensor<1x1x1x1xf32> {graph.uid = 5 : i64},
    %dv: tensor<1x1x1x1xf32> {graph.uid = 6 : i64},
    %ds: tensor<1x1x1x1xf32> {graph.uid = 7 : i64},
    %ss: tensor<1x1x1x1xf32> {graph.uid = 8 : i64},
    %sq: tensor<1x1x1x1xi32> {graph.uid = 9 : i64},
    %skv: tensor<1x1x1x1xi32> {graph.uid = 10 : i64},
    %pt: tensor<1x3x1x1xi32> {graph.uid = 11 : i64})
    -> (tensor<1x2x4x8xf8E4M3FN> {graph.uid = 12 : i64}, tensor<1x1x1x1xf32> {graph.uid = 13 : i64}, tensor<1x1x1x1xf32> {graph.uid = 14 : i64}) {
  // expected-error @below {{expected 'Page_table_K' to be [1, 1, pages, 1], got 1x3x1x1}}
  %r0, %r1, %r2 = graph.sdpa_fp8 %q, %k, %v, %dq, %dk, %dv, %ds, %ss seq_len_q %sq seq_len_kv %skv paged_attention_k_table %pt
      {use_padding_mask}
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<5x2x2x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>, tensor<1x3x1x1xi32>)
      -> tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1, %r2 : tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_fp8_c20_type(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<5x2x2x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x1x1x1xf32> {graph.uid = 4 : i64},
    %dk: tensor<1x1x1x1xf32> {graph.uid = 5 : i64},
    %dv: tensor<1x1x1x1xf32> {graph.uid = 6 : i64},
    %ds: tensor<1x1x1x1xf32> {graph.uid = 7 : i64},
    %ss: tensor<1x1x1x1xf32> {graph.uid = 8 : i64},
    %sq: tensor<1x1x1x1xi32> {graph.uid = 9 : i64},
    %skv: tensor<1x1x1x1xi32> {graph.uid = 10 : i64},
    %pt: tensor<1x1x3x1xf32> {graph.uid = 11 : i64})
    -> (tensor<1x2x4x8xf8E4M3FN> {graph.uid = 12 : i64}, tensor<1x1x1x1xf32> {graph.uid = 13 : i64}, tensor<1x1x1x1xf32> {graph.uid = 14 : i64}) {
  // expected-error @below {{expected 'Page_table_K' to be i32 or i64, got 'f32'}}
  %r0, %r1, %r2 = graph.sdpa_fp8 %q, %k, %v, %dq, %dk, %dv, %ds, %ss seq_len_q %sq seq_len_kv %skv paged_attention_k_table %pt
      {use_padding_mask}
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<5x2x2x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>, tensor<1x1x3x1xf32>)
      -> tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1, %r2 : tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_fp8_c20_pages(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<5x2x2x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x1x1x1xf32> {graph.uid = 4 : i64},
    %dk: tensor<1x1x1x1xf32> {graph.uid = 5 : i64},
    %dv: tensor<1x1x1x1xf32> {graph.uid = 6 : i64},
    %ds: tensor<1x1x1x1xf32> {graph.uid = 7 : i64},
    %ss: tensor<1x1x1x1xf32> {graph.uid = 8 : i64},
    %sq: tensor<1x1x1x1xi32> {graph.uid = 9 : i64},
    %skv: tensor<1x1x1x1xi32> {graph.uid = 10 : i64},
    %pt: tensor<1x1x2x1xi32> {graph.uid = 11 : i64})
    -> (tensor<1x2x4x8xf8E4M3FN> {graph.uid = 12 : i64}, tensor<1x1x1x1xf32> {graph.uid = 13 : i64}, tensor<1x1x1x1xf32> {graph.uid = 14 : i64}) {
  // expected-error @below {{expected 'Page_table_K' to have 3 pages of 2 for 6 positions, got 2}}
  %r0, %r1, %r2 = graph.sdpa_fp8 %q, %k, %v, %dq, %dk, %dv, %ds, %ss seq_len_q %sq seq_len_kv %skv paged_attention_k_table %pt
      {use_padding_mask}
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<5x2x2x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>, tensor<1x1x2x1xi32>)
      -> tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1, %r2 : tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_fp8_c19_tables(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x1x1x1xf32> {graph.uid = 4 : i64},
    %dk: tensor<1x1x1x1xf32> {graph.uid = 5 : i64},
    %dv: tensor<1x1x1x1xf32> {graph.uid = 6 : i64},
    %ds: tensor<1x1x1x1xf32> {graph.uid = 7 : i64},
    %ss: tensor<1x1x1x1xf32> {graph.uid = 8 : i64})
    -> (tensor<1x2x4x8xf8E4M3FN> {graph.uid = 9 : i64}, tensor<1x1x1x1xf32> {graph.uid = 10 : i64}, tensor<1x1x1x1xf32> {graph.uid = 11 : i64}) {
  // expected-error @below {{expected page tables with 'paged_attention_max_seq_len_kv', got none}}
  %r0, %r1, %r2 = graph.sdpa_fp8 %q, %k, %v, %dq, %dk, %dv, %ds, %ss
      {paged_attention_max_seq_len_kv = 6 : i64}
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>)
      -> tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1, %r2 : tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_fp8_c19_negative(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<5x2x2x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x1x1x1xf32> {graph.uid = 4 : i64},
    %dk: tensor<1x1x1x1xf32> {graph.uid = 5 : i64},
    %dv: tensor<1x1x1x1xf32> {graph.uid = 6 : i64},
    %ds: tensor<1x1x1x1xf32> {graph.uid = 7 : i64},
    %ss: tensor<1x1x1x1xf32> {graph.uid = 8 : i64},
    %sq: tensor<1x1x1x1xi32> {graph.uid = 9 : i64},
    %skv: tensor<1x1x1x1xi32> {graph.uid = 10 : i64},
    %pt: tensor<1x1x3x1xi32> {graph.uid = 11 : i64})
    -> (tensor<1x2x4x8xf8E4M3FN> {graph.uid = 12 : i64}, tensor<1x1x1x1xf32> {graph.uid = 13 : i64}, tensor<1x1x1x1xf32> {graph.uid = 14 : i64}) {
  // expected-error @below {{expected 'paged_attention_max_seq_len_kv' to be at least 0, got -1}}
  %r0, %r1, %r2 = graph.sdpa_fp8 %q, %k, %v, %dq, %dk, %dv, %ds, %ss seq_len_q %sq seq_len_kv %skv paged_attention_k_table %pt
      {paged_attention_max_seq_len_kv = -1 : i64, use_padding_mask}
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<5x2x2x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>, tensor<1x1x3x1xi32>)
      -> tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1, %r2 : tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_fp8_c19_other(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<5x2x2x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x1x1x1xf32> {graph.uid = 4 : i64},
    %dk: tensor<1x1x1x1xf32> {graph.uid = 5 : i64},
    %dv: tensor<1x1x1x1xf32> {graph.uid = 6 : i64},
    %ds: tensor<1x1x1x1xf32> {graph.uid = 7 : i64},
    %ss: tensor<1x1x1x1xf32> {graph.uid = 8 : i64},
    %sq: tensor<1x1x1x1xi32> {graph.uid = 9 : i64},
    %skv: tensor<1x1x1x1xi32> {graph.uid = 10 : i64},
    %pt: tensor<1x1x3x1xi32> {graph.uid = 11 : i64})
    -> (tensor<1x2x4x8xf8E4M3FN> {graph.uid = 12 : i64}, tensor<1x1x1x1xf32> {graph.uid = 13 : i64}, tensor<1x1x1x1xf32> {graph.uid = 14 : i64}) {
  // expected-error @below {{expected 'paged_attention_max_seq_len_kv' to be 6, the sequence of the operand that is not paged, got 5}}
  %r0, %r1, %r2 = graph.sdpa_fp8 %q, %k, %v, %dq, %dk, %dv, %ds, %ss seq_len_q %sq seq_len_kv %skv paged_attention_k_table %pt
      {paged_attention_max_seq_len_kv = 5 : i64, use_padding_mask}
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<5x2x2x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>, tensor<1x1x3x1xi32>)
      -> tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1, %r2 : tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_fp8_c21_extents(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x1x1x1xf32> {graph.uid = 4 : i64},
    %dk: tensor<1x1x1x1xf32> {graph.uid = 5 : i64},
    %dv: tensor<1x1x1x1xf32> {graph.uid = 6 : i64},
    %ds: tensor<1x1x1x1xf32> {graph.uid = 7 : i64},
    %ss: tensor<1x1x1x1xf32> {graph.uid = 8 : i64},
    %sq: tensor<1x1x1x1xi32> {graph.uid = 9 : i64},
    %skv: tensor<1x1x1x1xi32> {graph.uid = 10 : i64},
    %rq: tensor<1x1x1x1xi32> {graph.uid = 11 : i64})
    -> (tensor<1x2x4x8xf8E4M3FN> {graph.uid = 12 : i64}, tensor<1x1x1x1xf32> {graph.uid = 13 : i64}, tensor<1x1x1x1xf32> {graph.uid = 14 : i64}) {
  // expected-error @below {{expected 'ragged_offset_q' to be 1 + 1 numbers, [B + 1, 1, 1, 1] or [B + 1], got 1x1x1x1}}
  %r0, %r1, %r2 = graph.sdpa_fp8 %q, %k, %v, %dq, %dk, %dv, %ds, %ss seq_len_q %sq seq_len_kv %skv ragged_offset_q %rq
      {use_padding_mask}
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>)
      -> tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1, %r2 : tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_fp8_c21_type(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x1x1x1xf32> {graph.uid = 4 : i64},
    %dk: tensor<1x1x1x1xf32> {graph.uid = 5 : i64},
    %dv: tensor<1x1x1x1xf32> {graph.uid = 6 : i64},
    %ds: tensor<1x1x1x1xf32> {graph.uid = 7 : i64},
    %ss: tensor<1x1x1x1xf32> {graph.uid = 8 : i64},
    %sq: tensor<1x1x1x1xi32> {graph.uid = 9 : i64},
    %skv: tensor<1x1x1x1xi32> {graph.uid = 10 : i64},
    %rq: tensor<2x1x1x1xf32> {graph.uid = 11 : i64})
    -> (tensor<1x2x4x8xf8E4M3FN> {graph.uid = 12 : i64}, tensor<1x1x1x1xf32> {graph.uid = 13 : i64}, tensor<1x1x1x1xf32> {graph.uid = 14 : i64}) {
  // expected-error @below {{expected 'ragged_offset_q' to be i32 or i64, got 'f32'}}
  %r0, %r1, %r2 = graph.sdpa_fp8 %q, %k, %v, %dq, %dk, %dv, %ds, %ss seq_len_q %sq seq_len_kv %skv ragged_offset_q %rq
      {use_padding_mask}
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>, tensor<2x1x1x1xf32>)
      -> tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1, %r2 : tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_fp8_c21_absent(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x1x1x1xf32> {graph.uid = 4 : i64},
    %dk: tensor<1x1x1x1xf32> {graph.uid = 5 : i64},
    %dv: tensor<1x1x1x1xf32> {graph.uid = 6 : i64},
    %ds: tensor<1x1x1x1xf32> {graph.uid = 7 : i64},
    %ss: tensor<1x1x1x1xf32> {graph.uid = 8 : i64},
    %sq: tensor<1x1x1x1xi32> {graph.uid = 9 : i64},
    %skv: tensor<1x1x1x1xi32> {graph.uid = 10 : i64},
    %rq: tensor<2x1x1x1xi32> {graph.uid = 11 : i64})
    -> (tensor<1x2x4x8xf8E4M3FN> {graph.uid = 12 : i64}, tensor<1x1x1x1xf32> {graph.uid = 13 : i64}, tensor<1x1x1x1xf32> {graph.uid = 14 : i64}) {
  // expected-error @below {{expected 'ragged_offset_stats' only where the op has its tensor}}
  %r0, %r1, %r2 = graph.sdpa_fp8 %q, %k, %v, %dq, %dk, %dv, %ds, %ss seq_len_q %sq seq_len_kv %skv ragged_offset_stats %rq
      {use_padding_mask}
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>, tensor<2x1x1x1xi32>)
      -> tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1, %r2 : tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_fp8_c22(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x1x1x1xf32> {graph.uid = 4 : i64},
    %dk: tensor<1x1x1x1xf32> {graph.uid = 5 : i64},
    %dv: tensor<1x1x1x1xf32> {graph.uid = 6 : i64},
    %ds: tensor<1x1x1x1xf32> {graph.uid = 7 : i64},
    %ss: tensor<1x1x1x1xf32> {graph.uid = 8 : i64},
    %rq: tensor<2x1x1x1xi32> {graph.uid = 9 : i64})
    -> (tensor<1x2x4x8xf8E4M3FN> {graph.uid = 10 : i64}, tensor<1x1x1x1xf32> {graph.uid = 11 : i64}, tensor<1x1x1x1xf32> {graph.uid = 12 : i64}) {
  // expected-error @below {{expected 'use_padding_mask' with ragged offsets, got none}}
  %r0, %r1, %r2 = graph.sdpa_fp8 %q, %k, %v, %dq, %dk, %dv, %ds, %ss ragged_offset_q %rq
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<2x1x1x1xi32>)
      -> tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1, %r2 : tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_fp8_c23_count(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x1x1x1xf32> {graph.uid = 4 : i64},
    %dk: tensor<1x1x1x1xf32> {graph.uid = 5 : i64},
    %dv: tensor<1x1x1x1xf32> {graph.uid = 6 : i64},
    %ds: tensor<1x1x1x1xf32> {graph.uid = 7 : i64},
    %ss: tensor<1x1x1x1xf32> {graph.uid = 8 : i64},
    %sq: tensor<1x1x1x1xi32> {graph.uid = 9 : i64},
    %skv: tensor<1x1x1x1xi32> {graph.uid = 10 : i64},
    %rq: tensor<2x1x1x1xi32> {graph.uid = 11 : i64})
    -> (tensor<1x2x4x8xf8E4M3FN> {graph.uid = 12 : i64}, tensor<1x1x1x1xf32> {graph.uid = 13 : i64}, tensor<1x1x1x1xf32> {graph.uid = 14 : i64}) {
  // expected-error @below {{expected one of 'ragged_multipliers' per ragged offset (1), got 2}}
  %r0, %r1, %r2 = graph.sdpa_fp8 %q, %k, %v, %dq, %dk, %dv, %ds, %ss seq_len_q %sq seq_len_kv %skv ragged_offset_q %rq
      {ragged_multipliers = array<i64: 1, 1>, use_padding_mask}
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>, tensor<2x1x1x1xi32>)
      -> tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1, %r2 : tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_fp8_c23_value(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x1x1x1xf32> {graph.uid = 4 : i64},
    %dk: tensor<1x1x1x1xf32> {graph.uid = 5 : i64},
    %dv: tensor<1x1x1x1xf32> {graph.uid = 6 : i64},
    %ds: tensor<1x1x1x1xf32> {graph.uid = 7 : i64},
    %ss: tensor<1x1x1x1xf32> {graph.uid = 8 : i64},
    %sq: tensor<1x1x1x1xi32> {graph.uid = 9 : i64},
    %skv: tensor<1x1x1x1xi32> {graph.uid = 10 : i64},
    %rq: tensor<2x1x1x1xi32> {graph.uid = 11 : i64})
    -> (tensor<1x2x4x8xf8E4M3FN> {graph.uid = 12 : i64}, tensor<1x1x1x1xf32> {graph.uid = 13 : i64}, tensor<1x1x1x1xf32> {graph.uid = 14 : i64}) {
  // expected-error @below {{expected 'ragged_multipliers' to be at least 1, got 0}}
  %r0, %r1, %r2 = graph.sdpa_fp8 %q, %k, %v, %dq, %dk, %dv, %ds, %ss seq_len_q %sq seq_len_kv %skv ragged_offset_q %rq
      {ragged_multipliers = array<i64: 0>, use_padding_mask}
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>, tensor<2x1x1x1xi32>)
      -> tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1, %r2 : tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_fp8_c24_ragged(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x1x1x1xf32> {graph.uid = 4 : i64},
    %dk: tensor<1x1x1x1xf32> {graph.uid = 5 : i64},
    %dv: tensor<1x1x1x1xf32> {graph.uid = 6 : i64},
    %ds: tensor<1x1x1x1xf32> {graph.uid = 7 : i64},
    %ss: tensor<1x1x1x1xf32> {graph.uid = 8 : i64})
    -> (tensor<1x2x4x8xf8E4M3FN> {graph.uid = 9 : i64}, tensor<1x1x1x1xf32> {graph.uid = 10 : i64}, tensor<1x1x1x1xf32> {graph.uid = 11 : i64}) {
  // expected-error @below {{expected ragged offsets with 'max_total_seq_len_q', got none}}
  %r0, %r1, %r2 = graph.sdpa_fp8 %q, %k, %v, %dq, %dk, %dv, %ds, %ss
      {max_total_seq_len_q = 8 : i64}
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>)
      -> tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1, %r2 : tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_fp8_c24_value(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x1x1x1xf32> {graph.uid = 4 : i64},
    %dk: tensor<1x1x1x1xf32> {graph.uid = 5 : i64},
    %dv: tensor<1x1x1x1xf32> {graph.uid = 6 : i64},
    %ds: tensor<1x1x1x1xf32> {graph.uid = 7 : i64},
    %ss: tensor<1x1x1x1xf32> {graph.uid = 8 : i64},
    %sq: tensor<1x1x1x1xi32> {graph.uid = 9 : i64},
    %skv: tensor<1x1x1x1xi32> {graph.uid = 10 : i64},
    %rq: tensor<2x1x1x1xi32> {graph.uid = 11 : i64})
    -> (tensor<1x2x4x8xf8E4M3FN> {graph.uid = 12 : i64}, tensor<1x1x1x1xf32> {graph.uid = 13 : i64}, tensor<1x1x1x1xf32> {graph.uid = 14 : i64}) {
  // expected-error @below {{expected 'max_total_seq_len_kv' to be at least 1, got 0}}
  %r0, %r1, %r2 = graph.sdpa_fp8 %q, %k, %v, %dq, %dk, %dv, %ds, %ss seq_len_q %sq seq_len_kv %skv ragged_offset_q %rq
      {max_total_seq_len_kv = 0 : i64, use_padding_mask}
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>, tensor<2x1x1x1xi32>)
      -> tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1, %r2 : tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
}
