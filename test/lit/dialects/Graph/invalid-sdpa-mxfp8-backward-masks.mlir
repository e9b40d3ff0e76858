// RUN: graph-opt %s --split-input-file --verify-diagnostics

!x = tensor<1x1x4x32xf8E4M3FN>
!r = tensor<1x1x128x4xf8E8M0FNU, #graph.layout<strides = [512, 512, 4, 1], reordering = f8_128x4>>
!t = tensor<1x1x4x128xf8E8M0FNU, #graph.layout<strides = [512, 512, 1, 4], reordering = f8_128x4>>
!a = tensor<1x1x1x1xf32>
graph.graph @sdpa_mxfp8_backward_c10(
    %x: !x {graph.uid = 1 : i64},
    %h: tensor<1x1x4x32xf16> {graph.uid = 2 : i64},
    %stats: tensor<1x1x4x1xf32> {graph.uid = 3 : i64},
    %s: !r {graph.uid = 4 : i64}, %t: !t {graph.uid = 5 : i64},
    %a: tensor<1xf32> {graph.uid = 6 : i64})
    -> (tensor<1x1x4x32xf16> {graph.uid = 7 : i64}) {
  // expected-error @below {{expected 'Attn_scale' or 'attn_scale_value', got both}}
  %0:6 = graph.sdpa_mxfp8_backward
      %x, %x, %x, %x, %x, %h, %h, %x, %x, %stats, %s, %t, %s, %t, %s, %s, %t
      scale %a
      {attn_scale_value = 1.0 : f64}
      : (!x, !x, !x, !x, !x, tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, !x, !x,
         tensor<1x1x4x1xf32>, !r, !t, !r, !t, !r, !r, !t, tensor<1xf32>)
      -> tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, !a,
         !a, !a
  graph.return %0#0 : tensor<1x1x4x32xf16>
}

// -----

!x = tensor<1x1x4x32xf8E4M3FN>
!r = tensor<1x1x128x4xf8E8M0FNU, #graph.layout<strides = [512, 512, 4, 1], reordering = f8_128x4>>
!t = tensor<1x1x4x128xf8E8M0FNU, #graph.layout<strides = [512, 512, 1, 4], reordering = f8_128x4>>
!a = tensor<1x1x1x1xf32>
graph.graph @sdpa_mxfp8_backward_c11(
    %x: !x {graph.uid = 1 : i64},
    %h: tensor<1x1x4x32xf16> {graph.uid = 2 : i64},
    %stats: tensor<1x1x4x1xf32> {graph.uid = 3 : i64},
    %s: !r {graph.uid = 4 : i64}, %t: !t {graph.uid = 5 : i64},
    %a: tensor<2xf32> {graph.uid = 6 : i64})
    -> (tensor<1x1x4x32xf16> {graph.uid = 7 : i64}) {
  // expected-error @below {{expected 'Attn_scale' to have one element, got 2}}
  %0:6 = graph.sdpa_mxfp8_backward
      %x, %x, %x, %x, %x, %h, %h, %x, %x, %stats, %s, %t, %s, %t, %s, %s, %t
      scale %a
      : (!x, !x, !x, !x, !x, tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, !x, !x,
         tensor<1x1x4x1xf32>, !r, !t, !r, !t, !r, !r, !t, tensor<2xf32>)
      -> tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, !a,
         !a, !a
  graph.return %0#0 : tensor<1x1x4x32xf16>
}

// -----

!x = tensor<1x1x4x32xf8E4M3FN>
!r = tensor<1x1x128x4xf8E8M0FNU, #graph.layout<strides = [512, 512, 4, 1], reordering = f8_128x4>>
!t = tensor<1x1x4x128xf8E8M0FNU, #graph.layout<strides = [512, 512, 1, 4], reordering = f8_128x4>>
!a = tensor<1x1x1x1xf32>
graph.graph @sdpa_mxfp8_backward_c12(
    %x: !x {graph.uid = 1 : i64},
    %h: tensor<1x1x4x32xf16> {graph.uid = 2 : i64},
    %stats: tensor<1x1x4x1xf32> {graph.uid = 3 : i64},
    %s: !r {graph.uid = 4 : i64}, %t: !t {graph.uid = 5 : i64})
    -> (tensor<1x1x4x32xf16> {graph.uid = 6 : i64}) {
  // expected-error @below {{expected 'SEQ_LEN_Q' if and only if 'use_padding_mask' is set, got no lengths}}
  %0:6 = graph.sdpa_mxfp8_backward
      %x, %x, %x, %x, %x, %h, %h, %x, %x, %stats, %s, %t, %s, %t, %s, %s, %t
      {use_padding_mask}
      : (!x, !x, !x, !x, !x, tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, !x, !x,
         tensor<1x1x4x1xf32>, !r, !t, !r, !t, !r, !r, !t)
      -> tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, !a,
         !a, !a
  graph.return %0#0 : tensor<1x1x4x32xf16>
}

// -----

!x = tensor<1x1x4x32xf8E4M3FN>
!r = tensor<1x1x128x4xf8E8M0FNU, #graph.layout<strides = [512, 512, 4, 1], reordering = f8_128x4>>
!t = tensor<1x1x4x128xf8E8M0FNU, #graph.layout<strides = [512, 512, 1, 4], reordering = f8_128x4>>
!a = tensor<1x1x1x1xf32>
graph.graph @sdpa_mxfp8_backward_c13(
    %x: !x {graph.uid = 1 : i64},
    %h: tensor<1x1x4x32xf16> {graph.uid = 2 : i64},
    %stats: tensor<1x1x4x1xf32> {graph.uid = 3 : i64},
    %s: !r {graph.uid = 4 : i64}, %t: !t {graph.uid = 5 : i64},
    %lq: tensor<1xi32> {graph.uid = 6 : i64},
    %lk: tensor<1x1x1x1xi32> {graph.uid = 7 : i64})
    -> (tensor<1x1x4x32xf16> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected 'SEQ_LEN_Q' to be 1x1x1x1, got 1}}
  %0:6 = graph.sdpa_mxfp8_backward
      %x, %x, %x, %x, %x, %h, %h, %x, %x, %stats, %s, %t, %s, %t, %s, %s, %t
      seq_len_q %lq seq_len_kv %lk
      {use_padding_mask}
      : (!x, !x, !x, !x, !x, tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, !x, !x,
         tensor<1x1x4x1xf32>, !r, !t, !r, !t, !r, !r, !t, tensor<1xi32>,
         tensor<1x1x1x1xi32>)
      -> tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, !a,
         !a, !a
  graph.return %0#0 : tensor<1x1x4x32xf16>
}

// -----

!x = tensor<1x1x4x32xf8E4M3FN>
!r = tensor<1x1x128x4xf8E8M0FNU, #graph.layout<strides = [512, 512, 4, 1], reordering = f8_128x4>>
!t = tensor<1x1x4x128xf8E8M0FNU, #graph.layout<strides = [512, 512, 1, 4], reordering = f8_128x4>>
!a = tensor<1x1x1x1xf32>
graph.graph @sdpa_mxfp8_backward_c14(
    %x: !x {graph.uid = 1 : i64},
    %h: tensor<1x1x4x32xf16> {graph.uid = 2 : i64},
    %stats: tensor<1x1x4x1xf32> {graph.uid = 3 : i64},
    %s: !r {graph.uid = 4 : i64}, %t: !t {graph.uid = 5 : i64},
    %lq: tensor<1x1x1x1xi8> {graph.uid = 6 : i64},
    %lk: tensor<1x1x1x1xi32> {graph.uid = 7 : i64})
    -> (tensor<1x1x4x32xf16> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected 'SEQ_LEN_Q' to be i32 or i64, got 'i8'}}
  %0:6 = graph.sdpa_mxfp8_backward
      %x, %x, %x, %x, %x, %h, %h, %x, %x, %stats, %s, %t, %s, %t, %s, %s, %t
      seq_len_q %lq seq_len_kv %lk
      {use_padding_mask}
      : (!x, !x, !x, !x, !x, tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, !x, !x,
         tensor<1x1x4x1xf32>, !r, !t, !r, !t, !r, !r, !t, tensor<1x1x1x1xi8>,
         tensor<1x1x1x1xi32>)
      -> tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, !a,
         !a, !a
  graph.return %0#0 : tensor<1x1x4x32xf16>
}

// -----

!x = tensor<1x1x4x32xf8E4M3FN>
!r = tensor<1x1x128x4xf8E8M0FNU, #graph.layout<strides = [512, 512, 4, 1], reordering = f8_128x4>>
!t = tensor<1x1x4x128xf8E8M0FNU, #graph.layout<strides = [512, 512, 1, 4], reordering = f8_128x4>>
!a = tensor<1x1x1x1xf32>
graph.graph @sdpa_mxfp8_backward_c15(
    %x: !x {graph.uid = 1 : i64},
    %h: tensor<1x1x4x32xf16> {graph.uid = 2 : i64},
    %stats: tensor<1x1x4x1xf32> {graph.uid = 3 : i64},
    %s: !r {graph.uid = 4 : i64}, %t: !t {graph.uid = 5 : i64})
    -> (tensor<1x1x4x32xf16> {graph.uid = 6 : i64}) {
  // expected-error @below {{expected 'diagonal_band_left_bound' to be at least 0, got -2}}
  %0:6 = graph.sdpa_mxfp8_backward
      %x, %x, %x, %x, %x, %h, %h, %x, %x, %stats, %s, %t, %s, %t, %s, %s, %t
      {diagonal_band_left_bound = -2 : i64}
      : (!x, !x, !x, !x, !x, tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, !x, !x,
         tensor<1x1x4x1xf32>, !r, !t, !r, !t, !r, !r, !t)
      -> tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, !a,
         !a, !a
  graph.return %0#0 : tensor<1x1x4x32xf16>
}

// -----

!x = tensor<1x1x4x32xf8E4M3FN>
!r = tensor<1x1x128x4xf8E8M0FNU, #graph.layout<strides = [512, 512, 4, 1], reordering = f8_128x4>>
!t = tensor<1x1x4x128xf8E8M0FNU, #graph.layout<strides = [512, 512, 1, 4], reordering = f8_128x4>>
!a = tensor<1x1x1x1xf32>
graph.graph @sdpa_mxfp8_backward_c16(
    %x: !x {graph.uid = 1 : i64},
    %h: tensor<1x1x4x32xf16> {graph.uid = 2 : i64},
    %stats: tensor<1x1x4x1xf32> {graph.uid = 3 : i64},
    %s: !r {graph.uid = 4 : i64}, %t: !t {graph.uid = 5 : i64},
    %dm: tensor<4x4xf32> {graph.uid = 6 : i64})
    -> (tensor<1x1x4x32xf16> {graph.uid = 7 : i64}) {
  // expected-error @below {{expected 'Dropout_mask' and 'Dropout_scale' together}}
  %0:6 = graph.sdpa_mxfp8_backward
      %x, %x, %x, %x, %x, %h, %h, %x, %x, %stats, %s, %t, %s, %t, %s, %s, %t
      dropout_mask %dm
      : (!x, !x, !x, !x, !x, tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, !x, !x,
         tensor<1x1x4x1xf32>, !r, !t, !r, !t, !r, !r, !t, tensor<4x4xf32>)
      -> tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, !a,
         !a, !a
  graph.return %0#0 : tensor<1x1x4x32xf16>
}

// -----

!x = tensor<1x1x4x32xf8E4M3FN>
!r = tensor<1x1x128x4xf8E8M0FNU, #graph.layout<strides = [512, 512, 4, 1], reordering = f8_128x4>>
!t = tensor<1x1x4x128xf8E8M0FNU, #graph.layout<strides = [512, 512, 1, 4], reordering = f8_128x4>>
!a = tensor<1x1x1x1xf32>
graph.graph @sdpa_mxfp8_backward_c17(
    %x: !x {graph.uid = 1 : i64},
    %h: tensor<1x1x4x32xf16> {graph.uid = 2 : i64},
    %stats: tensor<1x1x4x1xf32> {graph.uid = 3 : i64},
    %s: !r {graph.uid = 4 : i64}, %t: !t {graph.uid = 5 : i64},
    %sd: tensor<1xi64> {graph.uid = 6 : i64},
    %so: tensor<1xi64> {graph.uid = 7 : i64})
    -> (tensor<1x1x4x32xf16> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected 'dropout_probability' to be at least 0 and less than 1, got 2}}
  %0:6 = graph.sdpa_mxfp8_backward
      %x, %x, %x, %x, %x, %h, %h, %x, %x, %stats, %s, %t, %s, %t, %s, %s, %t
      dropout_seed %sd dropout_offset %so
      {dropout_probability = 2.0 : f64}
      : (!x, !x, !x, !x, !x, tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, !x, !x,
         tensor<1x1x4x1xf32>, !r, !t, !r, !t, !r, !r, !t, tensor<1xi64>,
         tensor<1xi64>)
      -> tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, !a,
         !a, !a
  graph.return %0#0 : tensor<1x1x4x32xf16>
}

// -----

!x = tensor<1x1x4x32xf8E4M3FN>
!r = tensor<1x1x128x4xf8E8M0FNU, #graph.layout<strides = [512, 512, 4, 1], reordering = f8_128x4>>
!t = tensor<1x1x4x128xf8E8M0FNU, #graph.layout<strides = [512, 512, 1, 4], reordering = f8_128x4>>
!a = tensor<1x1x1x1xf32>
graph.graph @sdpa_mxfp8_backward_c18(
    %x: !x {graph.uid = 1 : i64},
    %h: tensor<1x1x4x32xf16> {graph.uid = 2 : i64},
    %stats: tensor<1x1x4x1xf32> {graph.uid = 3 : i64},
    %s: !r {graph.uid = 4 : i64}, %t: !t {graph.uid = 5 : i64},
    %sd: tensor<1xi64> {graph.uid = 6 : i64},
    %so: tensor<2xi64> {graph.uid = 7 : i64})
    -> (tensor<1x1x4x32xf16> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected 'Offset' to have one element, got 2}}
  %0:6 = graph.sdpa_mxfp8_backward
      %x, %x, %x, %x, %x, %h, %h, %x, %x, %stats, %s, %t, %s, %t, %s, %s, %t
      dropout_seed %sd dropout_offset %so
      {dropout_probability = 0.5 : f64}
      : (!x, !x, !x, !x, !x, tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, !x, !x,
         tensor<1x1x4x1xf32>, !r, !t, !r, !t, !r, !r, !t, tensor<1xi64>,
         tensor<2xi64>)
      -> tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, !a,
         !a, !a
  graph.return %0#0 : tensor<1x1x4x32xf16>
}

// -----

!x = tensor<1x1x4x32xf8E4M3FN>
!r = tensor<1x1x128x4xf8E8M0FNU, #graph.layout<strides = [512, 512, 4, 1], reordering = f8_128x4>>
!t = tensor<1x1x4x128xf8E8M0FNU, #graph.layout<strides = [512, 512, 1, 4], reordering = f8_128x4>>
!a = tensor<1x1x1x1xf32>
graph.graph @sdpa_mxfp8_backward_c19(
    %x: !x {graph.uid = 1 : i64},
    %h: tensor<1x1x4x32xf16> {graph.uid = 2 : i64},
    %stats: tensor<1x1x4x1xf32> {graph.uid = 3 : i64},
    %s: !r {graph.uid = 4 : i64}, %t: !t {graph.uid = 5 : i64},
    %sk: tensor<1xf32> {graph.uid = 6 : i64})
    -> (tensor<1x1x4x32xf16> {graph.uid = 7 : i64}) {
  // expected-error @below {{expected 'SINK_TOKEN' to be 1x1x1x1, got 1}}
  %0:6 = graph.sdpa_mxfp8_backward
      %x, %x, %x, %x, %x, %h, %h, %x, %x, %stats, %s, %t, %s, %t, %s, %s, %t
      sink_token %sk
      : (!x, !x, !x, !x, !x, tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, !x, !x,
         tensor<1x1x4x1xf32>, !r, !t, !r, !t, !r, !r, !t, tensor<1xf32>)
      -> tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, !a,
         !a, !a
  graph.return %0#0 : tensor<1x1x4x32xf16>
}

// -----

!x = tensor<1x1x4x32xf8E4M3FN>
!r = tensor<1x1x128x4xf8E8M0FNU, #graph.layout<strides = [512, 512, 4, 1], reordering = f8_128x4>>
!t = tensor<1x1x4x128xf8E8M0FNU, #graph.layout<strides = [512, 512, 1, 4], reordering = f8_128x4>>
!a = tensor<1x1x1x1xf32>
graph.graph @sdpa_mxfp8_backward_c20(
    %x: !x {graph.uid = 1 : i64},
    %h: tensor<1x1x4x32xf16> {graph.uid = 2 : i64},
    %stats: tensor<1x1x4x1xf32> {graph.uid = 3 : i64},
    %s: !r {graph.uid = 4 : i64}, %t: !t {graph.uid = 5 : i64})
    -> (tensor<1x1x4x32xf16> {graph.uid = 6 : i64}) {
  // expected-error @below {{expected 'SINK_TOKEN' where 'DSINK_TOKEN' is asked for, got none}}
  %0:7 = graph.sdpa_mxfp8_backward
      %x, %x, %x, %x, %x, %h, %h, %x, %x, %stats, %s, %t, %s, %t, %s, %s, %t
      {generate_dsink_token}
      : (!x, !x, !x, !x, !x, tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, !x, !x,
         tensor<1x1x4x1xf32>, !r, !t, !r, !t, !r, !r, !t)
      -> tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, !a,
         !a, !a
         dsink_token !a
  graph.return %0#0 : tensor<1x1x4x32xf16>
}

// -----

!x = tensor<1x1x4x32xf8E4M3FN>
!r = tensor<1x1x128x4xf8E8M0FNU, #graph.layout<strides = [512, 512, 4, 1], reordering = f8_128x4>>
!t = tensor<1x1x4x128xf8E8M0FNU, #graph.layout<strides = [512, 512, 1, 4], reordering = f8_128x4>>
!a = tensor<1x1x1x1xf32>
graph.graph @sdpa_mxfp8_backward_c21(
    %x: !x {graph.uid = 1 : i64},
    %h: tensor<1x1x4x32xf16> {graph.uid = 2 : i64},
    %stats: tensor<1x1x4x1xf32> {graph.uid = 3 : i64},
    %s: !r {graph.uid = 4 : i64}, %t: !t {graph.uid = 5 : i64})
    -> (tensor<1x1x4x32xf16> {graph.uid = 6 : i64}) {
  // expected-error @below {{expected ragged offsets with 'max_total_seq_len_kv', got none}}
  %0:6 = graph.sdpa_mxfp8_backward
      %x, %x, %x, %x, %x, %h, %h, %x, %x, %stats, %s, %t, %s, %t, %s, %s, %t
      {max_total_seq_len_kv = 64 : i64}
      : (!x, !x, !x, !x, !x, tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, !x, !x,
         tensor<1x1x4x1xf32>, !r, !t, !r, !t, !r, !r, !t)
      -> tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, !a,
         !a, !a
  graph.return %0#0 : tensor<1x1x4x32xf16>
}

// -----

!x = tensor<1x1x4x32xf8E4M3FN>
!r = tensor<1x1x128x4xf8E8M0FNU, #graph.layout<strides = [512, 512, 4, 1], reordering = f8_128x4>>
!t = tensor<1x1x4x128xf8E8M0FNU, #graph.layout<strides = [512, 512, 1, 4], reordering = f8_128x4>>
!a = tensor<1x1x1x1xf32>
graph.graph @sdpa_mxfp8_backward_c22(
    %x: !x {graph.uid = 1 : i64},
    %h: tensor<1x1x4x32xf16> {graph.uid = 2 : i64},
    %stats: tensor<1x1x4x1xf32> {graph.uid = 3 : i64},
    %s: !r {graph.uid = 4 : i64}, %t: !t {graph.uid = 5 : i64},
    %sk: !a {graph.uid = 6 : i64})
    -> (tensor<1x1x4x32xf16> {graph.uid = 7 : i64}) {
  // expected-error @below {{expected result 'DSINK_TOKEN' to be present, got it absent}}
  %0:6 = graph.sdpa_mxfp8_backward
      %x, %x, %x, %x, %x, %h, %h, %x, %x, %stats, %s, %t, %s, %t, %s, %s, %t
      sink_token %sk
      {generate_dsink_token}
      : (!x, !x, !x, !x, !x, tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, !x, !x,
         tensor<1x1x4x1xf32>, !r, !t, !r, !t, !r, !r, !t, !a)
      -> tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, !a,
         !a, !a
  graph.return %0#0 : tensor<1x1x4x32xf16>
}
