// RUN: graph-opt %s --split-input-file --verify-diagnostics

!x = tensor<1x1x4x32xf8E4M3FN>
!r = tensor<1x1x128x4xf8E8M0FNU, #graph.layout<strides = [512, 512, 4, 1], reordering = f8_128x4>>
!t = tensor<1x1x4x128xf8E8M0FNU, #graph.layout<strides = [512, 512, 1, 4], reordering = f8_128x4>>
!a = tensor<1x1x1x1xf32>
graph.graph @sdpa_mxfp8_backward_c1(
    %x: !x {graph.uid = 1 : i64},
    %y: tensor<1x4x32xf8E4M3FN> {graph.uid = 2 : i64},
    %h: tensor<1x1x4x32xf16> {graph.uid = 3 : i64},
    %stats: tensor<1x1x4x1xf32> {graph.uid = 4 : i64},
    %s: !r {graph.uid = 5 : i64}, %t: !t {graph.uid = 6 : i64})
    -> (tensor<1x1x4x32xf16> {graph.uid = 7 : i64}) {
  // expected-error @below {{expected 'Q_T' to have rank 4, got 3}}
  %0:6 = graph.sdpa_mxfp8_backward
      %x, %y, %x, %x, %x, %h, %h, %x, %x, %stats, %s, %t, %s, %t, %s, %s, %t
      : (!x, tensor<1x4x32xf8E4M3FN>, !x, !x, !x, tensor<1x1x4x32xf16>,
         tensor<1x1x4x32xf16>, !x, !x, tensor<1x1x4x1xf32>, !r, !t, !r, !t, !r,
         !r, !t)
      -> tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, !a,
         !a, !a
  graph.return %0#0 : tensor<1x1x4x32xf16>
}

// -----

!x = tensor<1x1x4x32xf8E4M3FN>
!r = tensor<1x1x128x4xf8E8M0FNU, #graph.layout<strides = [512, 512, 4, 1], reordering = f8_128x4>>
!t = tensor<1x1x4x128xf8E8M0FNU, #graph.layout<strides = [512, 512, 1, 4], reordering = f8_128x4>>
!a = tensor<1x1x1x1xf32>
graph.graph @sdpa_mxfp8_backward_c2(
    %x: !x {graph.uid = 1 : i64},
    %h: tensor<1x1x4x32xf16> {graph.uid = 2 : i64},
    %stats: tensor<1x1x4x1xf32> {graph.uid = 3 : i64},
    %s: !r {graph.uid = 4 : i64}, %t: !t {graph.uid = 5 : i64})
    -> (tensor<1x1x4x32xf16> {graph.uid = 6 : i64}) {
  // expected-error @below {{expected 'dO_T' to be f8E4M3FN or f8E5M2, got 'f16'}}
  %0:6 = graph.sdpa_mxfp8_backward
      %x, %x, %x, %x, %x, %h, %h, %x, %h, %stats, %s, %t, %s, %t, %s, %s, %t
      : (!x, !x, !x, !x, !x, tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, !x,
         tensor<1x1x4x32xf16>, tensor<1x1x4x1xf32>, !r, !t, !r, !t, !r, !r, !t)
      -> tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, !a,
         !a, !a
  graph.return %0#0 : tensor<1x1x4x32xf16>
}

// -----

!x = tensor<1x1x4x32xf8E4M3FN>
!r = tensor<1x1x128x4xf8E8M0FNU, #graph.layout<strides = [512, 512, 4, 1], reordering = f8_128x4>>
!t = tensor<1x1x4x128xf8E8M0FNU, #graph.layout<strides = [512, 512, 1, 4], reordering = f8_128x4>>
!a = tensor<1x1x1x1xf32>
graph.graph @sdpa_mxfp8_backward_c2_output(
    %x: !x {graph.uid = 1 : i64},
    %y: tensor<1x1x4x32xi32> {graph.uid = 2 : i64},
    %h: tensor<1x1x4x32xf16> {graph.uid = 3 : i64},
    %stats: tensor<1x1x4x1xf32> {graph.uid = 4 : i64},
    %s: !r {graph.uid = 5 : i64}, %t: !t {graph.uid = 6 : i64})
    -> (tensor<1x1x4x32xf16> {graph.uid = 7 : i64}) {
  // expected-error @below {{expected 'O_f16' to be floating point, got 'i32'}}
  %0:6 = graph.sdpa_mxfp8_backward
      %x, %x, %x, %x, %x, %y, %h, %x, %x, %stats, %s, %t, %s, %t, %s, %s, %t
      : (!x, !x, !x, !x, !x, tensor<1x1x4x32xi32>, tensor<1x1x4x32xf16>, !x, !x,
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
graph.graph @sdpa_mxfp8_backward_c3(
    %x: !x {graph.uid = 1 : i64},
    %y: tensor<1x1x5x32xf8E4M3FN> {graph.uid = 2 : i64},
    %h: tensor<1x1x4x32xf16> {graph.uid = 3 : i64},
    %stats: tensor<1x1x4x1xf32> {graph.uid = 4 : i64},
    %s: !r {graph.uid = 5 : i64}, %t: !t {graph.uid = 6 : i64})
    -> (tensor<1x1x4x32xf16> {graph.uid = 7 : i64}) {
  // expected-error @below {{expected 'K_T' to be 1x1x4x32, got 1x1x5x32}}
  %0:6 = graph.sdpa_mxfp8_backward
      %x, %x, %x, %y, %x, %h, %h, %x, %x, %stats, %s, %t, %s, %t, %s, %s, %t
      : (!x, !x, !x, tensor<1x1x5x32xf8E4M3FN>, !x, tensor<1x1x4x32xf16>,
         tensor<1x1x4x32xf16>, !x, !x, tensor<1x1x4x1xf32>, !r, !t, !r, !t, !r,
         !r, !t)
      -> tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, !a,
         !a, !a
  graph.return %0#0 : tensor<1x1x4x32xf16>
}

// -----

!x = tensor<1x1x4x32xf8E4M3FN>
!r = tensor<1x1x128x4xf8E8M0FNU, #graph.layout<strides = [512, 512, 4, 1], reordering = f8_128x4>>
!t = tensor<1x1x4x128xf8E8M0FNU, #graph.layout<strides = [512, 512, 1, 4], reordering = f8_128x4>>
!a = tensor<1x1x1x1xf32>
graph.graph @sdpa_mxfp8_backward_c4(
    %x: !x {graph.uid = 1 : i64},
    %y: tensor<1x3x4x32xf8E4M3FN> {graph.uid = 2 : i64},
    %h: tensor<1x1x4x32xf16> {graph.uid = 3 : i64},
    %stats: tensor<1x1x4x1xf32> {graph.uid = 4 : i64},
    %s: !r {graph.uid = 5 : i64}, %t: !t {graph.uid = 6 : i64})
    -> (tensor<1x1x4x32xf16> {graph.uid = 7 : i64}) {
  // expected-error @below {{expected the heads of 'K' (3) to divide those of 'Q' (1)}}
  %0:6 = graph.sdpa_mxfp8_backward
      %x, %x, %y, %y, %x, %h, %h, %x, %x, %stats, %s, %t, %s, %t, %s, %s, %t
      : (!x, !x, tensor<1x3x4x32xf8E4M3FN>, tensor<1x3x4x32xf8E4M3FN>, !x,
         tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, !x, !x,
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
graph.graph @sdpa_mxfp8_backward_c5(
    %x: !x {graph.uid = 1 : i64},
    %h: tensor<1x1x4x32xf16> {graph.uid = 2 : i64},
    %y: tensor<1x1x4x16xf16> {graph.uid = 3 : i64},
    %stats: tensor<1x1x4x1xf32> {graph.uid = 4 : i64},
    %s: !r {graph.uid = 5 : i64}, %t: !t {graph.uid = 6 : i64})
    -> (tensor<1x1x4x32xf16> {graph.uid = 7 : i64}) {
  // expected-error @below {{expected 'dO_f16' to be 1x1x4x32, got 1x1x4x16}}
  %0:6 = graph.sdpa_mxfp8_backward
      %x, %x, %x, %x, %x, %h, %y, %x, %x, %stats, %s, %t, %s, %t, %s, %s, %t
      : (!x, !x, !x, !x, !x, tensor<1x1x4x32xf16>, tensor<1x1x4x16xf16>, !x, !x,
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
graph.graph @sdpa_mxfp8_backward_c6(
    %x: !x {graph.uid = 1 : i64},
    %h: tensor<1x1x4x32xf16> {graph.uid = 2 : i64},
    %stats: tensor<1x1x4x1xf32> {graph.uid = 3 : i64},
    %s: !r {graph.uid = 4 : i64}, %t: !t {graph.uid = 5 : i64})
    -> (tensor<1x1x4x32xf16> {graph.uid = 6 : i64}) {
  // expected-error @below {{expected a floating-point compute type, got 'i64'}}
  %0:6 = graph.sdpa_mxfp8_backward
      %x, %x, %x, %x, %x, %h, %h, %x, %x, %stats, %s, %t, %s, %t, %s, %s, %t
      {compute_type = i64}
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
graph.graph @sdpa_mxfp8_backward_c7(
    %x: !x {graph.uid = 1 : i64},
    %h: tensor<1x1x4x32xf16> {graph.uid = 2 : i64},
    %stats: tensor<1x1x4x1xf32> {graph.uid = 3 : i64},
    %y: tensor<1x1x128x4xf8E4M3FN, #graph.layout<strides = [512, 512, 4, 1], reordering = f8_128x4>> {graph.uid = 4 : i64},
    %t: !t {graph.uid = 5 : i64}, %s: !r {graph.uid = 6 : i64})
    -> (tensor<1x1x4x32xf16> {graph.uid = 7 : i64}) {
  // expected-error @below {{expected 'Descale_Q' to be f8E8M0FNU, got 'f8E4M3FN'}}
  %0:6 = graph.sdpa_mxfp8_backward
      %x, %x, %x, %x, %x, %h, %h, %x, %x, %stats, %y, %t, %s, %t, %s, %s, %t
      : (!x, !x, !x, !x, !x, tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, !x, !x,
         tensor<1x1x4x1xf32>,
         tensor<1x1x128x4xf8E4M3FN, #graph.layout<strides = [512, 512, 4, 1], reordering = f8_128x4>>,
         !t, !r, !t, !r, !r, !t)
      -> tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, !a,
         !a, !a
  graph.return %0#0 : tensor<1x1x4x32xf16>
}

// -----

!x = tensor<1x1x4x32xf8E4M3FN>
!r = tensor<1x1x128x4xf8E8M0FNU, #graph.layout<strides = [512, 512, 4, 1], reordering = f8_128x4>>
!t = tensor<1x1x4x128xf8E8M0FNU, #graph.layout<strides = [512, 512, 1, 4], reordering = f8_128x4>>
!a = tensor<1x1x1x1xf32>
graph.graph @sdpa_mxfp8_backward_c7_reordering(
    %x: !x {graph.uid = 1 : i64},
    %h: tensor<1x1x4x32xf16> {graph.uid = 2 : i64},
    %stats: tensor<1x1x4x1xf32> {graph.uid = 3 : i64},
    %s: !r {graph.uid = 4 : i64}, %t: !t {graph.uid = 5 : i64},
    %y: tensor<1x1x128x4xf8E8M0FNU> {graph.uid = 6 : i64})
    -> (tensor<1x1x4x32xf16> {graph.uid = 7 : i64}) {
  // expected-error @below {{expected 'Descale_V' to have reordering f8_128x4, got no reordering}}
  %0:6 = graph.sdpa_mxfp8_backward
      %x, %x, %x, %x, %x, %h, %h, %x, %x, %stats, %s, %t, %s, %t, %y, %s, %t
      : (!x, !x, !x, !x, !x, tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, !x, !x,
         tensor<1x1x4x1xf32>, !r, !t, !r, !t, tensor<1x1x128x4xf8E8M0FNU>, !r,
         !t)
      -> tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, !a,
         !a, !a
  graph.return %0#0 : tensor<1x1x4x32xf16>
}

// -----

!x = tensor<1x1x4x32xf8E4M3FN>
!r = tensor<1x1x128x4xf8E8M0FNU, #graph.layout<strides = [512, 512, 4, 1], reordering = f8_128x4>>
!t = tensor<1x1x4x128xf8E8M0FNU, #graph.layout<strides = [512, 512, 1, 4], reordering = f8_128x4>>
!a = tensor<1x1x1x1xf32>
graph.graph @sdpa_mxfp8_backward_c8(
    %x: !x {graph.uid = 1 : i64},
    %h: tensor<1x1x4x32xf16> {graph.uid = 2 : i64},
    %stats: tensor<1x1x4x1xf32> {graph.uid = 3 : i64},
    %s: !r {graph.uid = 4 : i64}, %t: !t {graph.uid = 5 : i64},
    %y: tensor<1x1x128x8xf8E8M0FNU, #graph.layout<strides = [1024, 1024, 8, 1], reordering = f8_128x4>> {graph.uid = 6 : i64})
    -> (tensor<1x1x4x32xf16> {graph.uid = 7 : i64}) {
  // expected-error @below {{expected 'Descale_dO' to be 1x1x128x4, got 1x1x128x8}}
  %0:6 = graph.sdpa_mxfp8_backward
      %x, %x, %x, %x, %x, %h, %h, %x, %x, %stats, %s, %t, %s, %t, %s, %y, %t
      : (!x, !x, !x, !x, !x, tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, !x, !x,
         tensor<1x1x4x1xf32>, !r, !t, !r, !t, !r,
         tensor<1x1x128x8xf8E8M0FNU, #graph.layout<strides = [1024, 1024, 8, 1], reordering = f8_128x4>>,
         !t)
      -> tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, !a,
         !a, !a
  graph.return %0#0 : tensor<1x1x4x32xf16>
}

// -----

!x = tensor<1x1x4x32xf8E4M3FN>
!r = tensor<1x1x128x4xf8E8M0FNU, #graph.layout<strides = [512, 512, 4, 1], reordering = f8_128x4>>
!t = tensor<1x1x4x128xf8E8M0FNU, #graph.layout<strides = [512, 512, 1, 4], reordering = f8_128x4>>
!a = tensor<1x1x1x1xf32>
graph.graph @sdpa_mxfp8_backward_c8_sequence(
    %x: !x {graph.uid = 1 : i64},
    %h: tensor<1x1x4x32xf16> {graph.uid = 2 : i64},
    %stats: tensor<1x1x4x1xf32> {graph.uid = 3 : i64},
    %s: !r {graph.uid = 4 : i64}, %t: !t {graph.uid = 5 : i64},
    %y: tensor<1x1x8x128xf8E8M0FNU, #graph.layout<strides = [1024, 1024, 1, 8], reordering = f8_128x4>> {graph.uid = 6 : i64})
    -> (tensor<1x1x4x32xf16> {graph.uid = 7 : i64}) {
  // expected-error @below {{expected 'Descale_K_T' to be 1x1x4x128, got 1x1x8x128}}
  %0:6 = graph.sdpa_mxfp8_backward
      %x, %x, %x, %x, %x, %h, %h, %x, %x, %stats, %s, %t, %s, %y, %s, %s, %t
      : (!x, !x, !x, !x, !x, tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, !x, !x,
         tensor<1x1x4x1xf32>, !r, !t, !r,
         tensor<1x1x8x128xf8E8M0FNU, #graph.layout<strides = [1024, 1024, 1, 8], reordering = f8_128x4>>,
         !r, !r, !t)
      -> tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>, !a,
         !a, !a
  graph.return %0#0 : tensor<1x1x4x32xf16>
}

// -----

!x = tensor<1x1x4x32xf8E4M3FN>
!r = tensor<1x1x128x4xf8E8M0FNU, #graph.layout<strides = [512, 512, 4, 1], reordering = f8_128x4>>
!t = tensor<1x1x4x128xf8E8M0FNU, #graph.layout<strides = [512, 512, 1, 4], reordering = f8_128x4>>
!a = tensor<1x1x1x1xf32>
graph.graph @sdpa_mxfp8_backward_c9(
    %y: tensor<1x1x4096x128xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x1x4x128xf8E4M3FN> {graph.uid = 2 : i64},
    %x: !x {graph.uid = 3 : i64},
    %z: tensor<1x1x4096x32xf16> {graph.uid = 4 : i64},
    %w: tensor<1x1x4096x32xf8E4M3FN> {graph.uid = 5 : i64},
    %st: tensor<1x1x4096x1xf32> {graph.uid = 6 : i64},
    %a: tensor<1x1x4096x4xf8E8M0FNU, #graph.layout<strides = [16384, 16384, 4, 1], reordering = f8_128x4>> {graph.uid = 7 : i64},
    %b: tensor<1x1x128x128xf8E8M0FNU, #graph.layout<strides = [16384, 16384, 128, 1], reordering = f8_128x4>> {graph.uid = 8 : i64},
    %s: !r {graph.uid = 9 : i64}, %t: !t {graph.uid = 10 : i64})
    -> (tensor<1x1x4096x128xf16> {graph.uid = 11 : i64}) {
  // expected-error @below {{expected the tiles of 'Descale_Q_T' to have their columns along axis 2}}
  %0:6 = graph.sdpa_mxfp8_backward
      %y, %y, %k, %k, %x, %z, %z, %w, %w, %st, %a, %b, %s, %t, %s, %s, %t
      : (tensor<1x1x4096x128xf8E4M3FN>, tensor<1x1x4096x128xf8E4M3FN>,
         tensor<1x1x4x128xf8E4M3FN>, tensor<1x1x4x128xf8E4M3FN>, !x,
         tensor<1x1x4096x32xf16>, tensor<1x1x4096x32xf16>,
         tensor<1x1x4096x32xf8E4M3FN>, tensor<1x1x4096x32xf8E4M3FN>,
         tensor<1x1x4096x1xf32>,
         tensor<1x1x4096x4xf8E8M0FNU, #graph.layout<strides = [16384, 16384, 4, 1], reordering = f8_128x4>>,
         tensor<1x1x128x128xf8E8M0FNU, #graph.layout<strides = [16384, 16384, 128, 1], reordering = f8_128x4>>,
         !r, !t, !r, !r, !t)
      -> tensor<1x1x4096x128xf16>, tensor<1x1x4x128xf16>, tensor<1x1x4x32xf16>,
         !a, !a, !a
  graph.return %0#0 : tensor<1x1x4096x128xf16>
}
