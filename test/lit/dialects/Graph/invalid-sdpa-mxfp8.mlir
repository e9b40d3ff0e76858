// RUN: graph-opt %s --split-input-file --verify-diagnostics

graph.graph @sdpa_mxfp8_c1(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>> {graph.uid = 4 : i64},
    %dk: tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>> {graph.uid = 5 : i64},
    %dv: tensor<1x2x4x128xf8E8M0FNU, #graph.layout<strides = [1024, 512, 1, 4], reordering = f8_128x4>> {graph.uid = 6 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 7 : i64}, tensor<1x1x1x1xf32> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected 'K' to have rank 4, got 3}}
  %r0, %r1 = graph.sdpa_mxfp8 %q, %k, %v, %dq, %dk, %dv
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<2x6x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>>, tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>>, tensor<1x2x4x128xf8E8M0FNU, #graph.layout<strides = [1024, 512, 1, 4], reordering = f8_128x4>>)
      -> tensor<1x2x4x8xf16>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1 : tensor<1x2x4x8xf16>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_mxfp8_c2(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf16> {graph.uid = 3 : i64},
    %dq: tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>> {graph.uid = 4 : i64},
    %dk: tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>> {graph.uid = 5 : i64},
    %dv: tensor<1x2x4x128xf8E8M0FNU, #graph.layout<strides = [1024, 512, 1, 4], reordering = f8_128x4>> {graph.uid = 6 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 7 : i64}, tensor<1x1x1x1xf32> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected 'V' to be f8E4M3FN or f8E5M2, got 'f16'}}
  %r0, %r1 = graph.sdpa_mxfp8 %q, %k, %v, %dq, %dk, %dv
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x6x8xf16>, tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>>, tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>>, tensor<1x2x4x128xf8E8M0FNU, #graph.layout<strides = [1024, 512, 1, 4], reordering = f8_128x4>>)
      -> tensor<1x2x4x8xf16>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1 : tensor<1x2x4x8xf16>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_mxfp8_c3(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x7x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>> {graph.uid = 4 : i64},
    %dk: tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>> {graph.uid = 5 : i64},
    %dv: tensor<1x2x4x128xf8E8M0FNU, #graph.layout<strides = [1024, 512, 1, 4], reordering = f8_128x4>> {graph.uid = 6 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 7 : i64}, tensor<1x1x1x1xf32> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected dim 2 of 'V' (7) to match dim 2 of 'K' (6)}}
  %r0, %r1 = graph.sdpa_mxfp8 %q, %k, %v, %dq, %dk, %dv
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x7x8xf8E4M3FN>, tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>>, tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>>, tensor<1x2x4x128xf8E8M0FNU, #graph.layout<strides = [1024, 512, 1, 4], reordering = f8_128x4>>)
      -> tensor<1x2x4x8xf16>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1 : tensor<1x2x4x8xf16>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_mxfp8_c4(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x3x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>> {graph.uid = 4 : i64},
    %dk: tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>> {graph.uid = 5 : i64},
    %dv: tensor<1x2x4x128xf8E8M0FNU, #graph.layout<strides = [1024, 512, 1, 4], reordering = f8_128x4>> {graph.uid = 6 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 7 : i64}, tensor<1x1x1x1xf32> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected the heads of 'V' (3) to divide those of 'Q' (2)}}
  %r0, %r1 = graph.sdpa_mxfp8 %q, %k, %v, %dq, %dk, %dv
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x3x6x8xf8E4M3FN>, tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>>, tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>>, tensor<1x2x4x128xf8E8M0FNU, #graph.layout<strides = [1024, 512, 1, 4], reordering = f8_128x4>>)
      -> tensor<1x2x4x8xf16>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1 : tensor<1x2x4x8xf16>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_mxfp8_c5(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>> {graph.uid = 4 : i64},
    %dk: tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>> {graph.uid = 5 : i64},
    %dv: tensor<1x2x4x128xf8E8M0FNU, #graph.layout<strides = [1024, 512, 1, 4], reordering = f8_128x4>> {graph.uid = 6 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 7 : i64}, tensor<1x1x1x1xf32> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected a floating-point compute type, got 'i32'}}
  %r0, %r1 = graph.sdpa_mxfp8 %q, %k, %v, %dq, %dk, %dv
      {compute_type = i32}
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>>, tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>>, tensor<1x2x4x128xf8E8M0FNU, #graph.layout<strides = [1024, 512, 1, 4], reordering = f8_128x4>>)
      -> tensor<1x2x4x8xf16>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1 : tensor<1x2x4x8xf16>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_mxfp8_c6(
    %q: tensor<1x2x?x8xf8E4M3FN, #graph.layout<order = [0, 1, 2, 3], symbols = ["", "", "S", ""]>> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>> {graph.uid = 4 : i64},
    %dk: tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>> {graph.uid = 5 : i64},
    %dv: tensor<1x2x4x128xf8E8M0FNU, #graph.layout<strides = [1024, 512, 1, 4], reordering = f8_128x4>> {graph.uid = 6 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 7 : i64}, tensor<1x1x1x1xf32> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected known extents of 'Q', got 1x2x?(S)x8}}
  %r0, %r1 = graph.sdpa_mxfp8 %q, %k, %v, %dq, %dk, %dv
      : (tensor<1x2x?x8xf8E4M3FN, #graph.layout<order = [0, 1, 2, 3], symbols = ["", "", "S", ""]>>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>>, tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>>, tensor<1x2x4x128xf8E8M0FNU, #graph.layout<strides = [1024, 512, 1, 4], reordering = f8_128x4>>)
      -> tensor<1x2x4x8xf16>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1 : tensor<1x2x4x8xf16>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_mxfp8_c7_type(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x2x128x4xf32> {graph.uid = 4 : i64},
    %dk: tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>> {graph.uid = 5 : i64},
    %dv: tensor<1x2x4x128xf8E8M0FNU, #graph.layout<strides = [1024, 512, 1, 4], reordering = f8_128x4>> {graph.uid = 6 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 7 : i64}, tensor<1x1x1x1xf32> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected 'Descale_Q' to be f8E8M0FNU, got 'f32'}}
  %r0, %r1 = graph.sdpa_mxfp8 %q, %k, %v, %dq, %dk, %dv
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x128x4xf32>, tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>>, tensor<1x2x4x128xf8E8M0FNU, #graph.layout<strides = [1024, 512, 1, 4], reordering = f8_128x4>>)
      -> tensor<1x2x4x8xf16>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1 : tensor<1x2x4x8xf16>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_mxfp8_c7_reordering(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>> {graph.uid = 4 : i64},
    %dk: tensor<1x2x128x4xf8E8M0FNU> {graph.uid = 5 : i64},
    %dv: tensor<1x2x4x128xf8E8M0FNU, #graph.layout<strides = [1024, 512, 1, 4], reordering = f8_128x4>> {graph.uid = 6 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 7 : i64}, tensor<1x1x1x1xf32> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected 'Descale_K' to have reordering f8_128x4, got no reordering}}
  %r0, %r1 = graph.sdpa_mxfp8 %q, %k, %v, %dq, %dk, %dv
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>>, tensor<1x2x128x4xf8E8M0FNU>, tensor<1x2x4x128xf8E8M0FNU, #graph.layout<strides = [1024, 512, 1, 4], reordering = f8_128x4>>)
      -> tensor<1x2x4x8xf16>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1 : tensor<1x2x4x8xf16>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_mxfp8_c8(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>> {graph.uid = 4 : i64},
    %dk: tensor<1x2x128x8xf8E8M0FNU, #graph.layout<strides = [2048, 1024, 8, 1], reordering = f8_128x4>> {graph.uid = 5 : i64},
    %dv: tensor<1x2x4x128xf8E8M0FNU, #graph.layout<strides = [1024, 512, 1, 4], reordering = f8_128x4>> {graph.uid = 6 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 7 : i64}, tensor<1x1x1x1xf32> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected 'Descale_K' to be 1x2x128x4, got 1x2x128x8}}
  %r0, %r1 = graph.sdpa_mxfp8 %q, %k, %v, %dq, %dk, %dv
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>>, tensor<1x2x128x8xf8E8M0FNU, #graph.layout<strides = [2048, 1024, 8, 1], reordering = f8_128x4>>, tensor<1x2x4x128xf8E8M0FNU, #graph.layout<strides = [1024, 512, 1, 4], reordering = f8_128x4>>)
      -> tensor<1x2x4x8xf16>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1 : tensor<1x2x4x8xf16>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_mxfp8_c9(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>> {graph.uid = 4 : i64},
    %dk: tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>> {graph.uid = 5 : i64},
    %dv: tensor<1x2x4x128xf8E8M0FNU, #graph.layout<strides = [1024, 512, 1, 4], reordering = f8_128x4>> {graph.uid = 6 : i64},
    %sc: tensor<1x1x1x1xf32> {graph.uid = 7 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 8 : i64}, tensor<1x1x1x1xf32> {graph.uid = 9 : i64}) {
  // expected-error @below {{expected 'Attn_scale' or 'attn_scale_value', got both}}
  %r0, %r1 = graph.sdpa_mxfp8 %q, %k, %v, %dq, %dk, %dv scale %sc
      {attn_scale_value = 0.5 : f64}
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>>, tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>>, tensor<1x2x4x128xf8E8M0FNU, #graph.layout<strides = [1024, 512, 1, 4], reordering = f8_128x4>>, tensor<1x1x1x1xf32>)
      -> tensor<1x2x4x8xf16>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1 : tensor<1x2x4x8xf16>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_mxfp8_c10(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>> {graph.uid = 4 : i64},
    %dk: tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>> {graph.uid = 5 : i64},
    %dv: tensor<1x2x4x128xf8E8M0FNU, #graph.layout<strides = [1024, 512, 1, 4], reordering = f8_128x4>> {graph.uid = 6 : i64},
    %sc: tensor<2x1x1x1xf32> {graph.uid = 7 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 8 : i64}, tensor<1x1x1x1xf32> {graph.uid = 9 : i64}) {
  // expected-error @below {{expected 'Attn_scale' to have one element, got 2x1x1x1}}
  %r0, %r1 = graph.sdpa_mxfp8 %q, %k, %v, %dq, %dk, %dv scale %sc
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>>, tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>>, tensor<1x2x4x128xf8E8M0FNU, #graph.layout<strides = [1024, 512, 1, 4], reordering = f8_128x4>>, tensor<2x1x1x1xf32>)
      -> tensor<1x2x4x8xf16>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1 : tensor<1x2x4x8xf16>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_mxfp8_c10_output(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>> {graph.uid = 4 : i64},
    %dk: tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>> {graph.uid = 5 : i64},
    %dv: tensor<1x2x4x128xf8E8M0FNU, #graph.layout<strides = [1024, 512, 1, 4], reordering = f8_128x4>> {graph.uid = 6 : i64},
    %so: tensor<2x1x1x1xf32> {graph.uid = 7 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 8 : i64}, tensor<1x1x1x1xf32> {graph.uid = 9 : i64}) {
  // expected-error @below {{expected 'Scale_O' to have one element, got 2x1x1x1}}
  %r0, %r1 = graph.sdpa_mxfp8 %q, %k, %v, %dq, %dk, %dv scale_o %so
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>>, tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>>, tensor<1x2x4x128xf8E8M0FNU, #graph.layout<strides = [1024, 512, 1, 4], reordering = f8_128x4>>, tensor<2x1x1x1xf32>)
      -> tensor<1x2x4x8xf16>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1 : tensor<1x2x4x8xf16>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_mxfp8_c11(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>> {graph.uid = 4 : i64},
    %dk: tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>> {graph.uid = 5 : i64},
    %dv: tensor<1x2x4x128xf8E8M0FNU, #graph.layout<strides = [1024, 512, 1, 4], reordering = f8_128x4>> {graph.uid = 6 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 7 : i64}, tensor<1x1x1x1xf32> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected 'SEQ_LEN_Q' if and only if 'use_padding_mask' is set, got no lengths}}
  %r0, %r1 = graph.sdpa_mxfp8 %q, %k, %v, %dq, %dk, %dv
      {use_padding_mask}
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>>, tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>>, tensor<1x2x4x128xf8E8M0FNU, #graph.layout<strides = [1024, 512, 1, 4], reordering = f8_128x4>>)
      -> tensor<1x2x4x8xf16>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1 : tensor<1x2x4x8xf16>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_mxfp8_c12(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>> {graph.uid = 4 : i64},
    %dk: tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>> {graph.uid = 5 : i64},
    %dv: tensor<1x2x4x128xf8E8M0FNU, #graph.layout<strides = [1024, 512, 1, 4], reordering = f8_128x4>> {graph.uid = 6 : i64},
    %sq: tensor<2x1x1x1xi32> {graph.uid = 7 : i64},
    %skv: tensor<1x1x1x1xi32> {graph.uid = 8 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 9 : i64}, tensor<1x1x1x1xf32> {graph.uid = 10 : i64}) {
  // expected-error @below {{expected 'SEQ_LEN_Q' to be 1x1x1x1, got 2x1x1x1}}
  %r0, %r1 = graph.sdpa_mxfp8 %q, %k, %v, %dq, %dk, %dv seq_len_q %sq seq_len_kv %skv
      {use_padding_mask}
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>>, tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>>, tensor<1x2x4x128xf8E8M0FNU, #graph.layout<strides = [1024, 512, 1, 4], reordering = f8_128x4>>, tensor<2x1x1x1xi32>, tensor<1x1x1x1xi32>)
      -> tensor<1x2x4x8xf16>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1 : tensor<1x2x4x8xf16>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_mxfp8_c13(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>> {graph.uid = 4 : i64},
    %dk: tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>> {graph.uid = 5 : i64},
    %dv: tensor<1x2x4x128xf8E8M0FNU, #graph.layout<strides = [1024, 512, 1, 4], reordering = f8_128x4>> {graph.uid = 6 : i64},
    %sq: tensor<1x1x1x1xi32> {graph.uid = 7 : i64},
    %skv: tensor<1x1x1x1xf32> {graph.uid = 8 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 9 : i64}, tensor<1x1x1x1xf32> {graph.uid = 10 : i64}) {
  // expected-error @below {{expected 'SEQ_LEN_KV' to be i32 or i64, got 'f32'}}
  %r0, %r1 = graph.sdpa_mxfp8 %q, %k, %v, %dq, %dk, %dv seq_len_q %sq seq_len_kv %skv
      {use_padding_mask}
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>>, tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>>, tensor<1x2x4x128xf8E8M0FNU, #graph.layout<strides = [1024, 512, 1, 4], reordering = f8_128x4>>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xf32>)
      -> tensor<1x2x4x8xf16>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1 : tensor<1x2x4x8xf16>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_mxfp8_c14(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>> {graph.uid = 4 : i64},
    %dk: tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>> {graph.uid = 5 : i64},
    %dv: tensor<1x2x4x128xf8E8M0FNU, #graph.layout<strides = [1024, 512, 1, 4], reordering = f8_128x4>> {graph.uid = 6 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 7 : i64}, tensor<1x1x1x1xf32> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected 'diagonal_band_right_bound' to be at least 0, got -1}}
  %r0, %r1 = graph.sdpa_mxfp8 %q, %k, %v, %dq, %dk, %dv
      {diagonal_band_right_bound = -1 : i64}
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>>, tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>>, tensor<1x2x4x128xf8E8M0FNU, #graph.layout<strides = [1024, 512, 1, 4], reordering = f8_128x4>>)
      -> tensor<1x2x4x8xf16>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1 : tensor<1x2x4x8xf16>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_mxfp8_c15(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>> {graph.uid = 4 : i64},
    %dk: tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>> {graph.uid = 5 : i64},
    %dv: tensor<1x2x4x128xf8E8M0FNU, #graph.layout<strides = [1024, 512, 1, 4], reordering = f8_128x4>> {graph.uid = 6 : i64},
    %t: tensor<1x1x1x1xf32> {graph.uid = 7 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 8 : i64}, tensor<1x1x1x1xf32> {graph.uid = 9 : i64}) {
  // expected-error @below {{expected 'SINK_TOKEN' to be 1x2x1x1, got 1x1x1x1}}
  %r0, %r1 = graph.sdpa_mxfp8 %q, %k, %v, %dq, %dk, %dv sink_token %t
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>>, tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>>, tensor<1x2x4x128xf8E8M0FNU, #graph.layout<strides = [1024, 512, 1, 4], reordering = f8_128x4>>, tensor<1x1x1x1xf32>)
      -> tensor<1x2x4x8xf16>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1 : tensor<1x2x4x8xf16>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_mxfp8_c16(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>> {graph.uid = 4 : i64},
    %dk: tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>> {graph.uid = 5 : i64},
    %dv: tensor<1x2x4x128xf8E8M0FNU, #graph.layout<strides = [1024, 512, 1, 4], reordering = f8_128x4>> {graph.uid = 6 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 7 : i64}, tensor<1x1x1x1xf32> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected page tables with 'paged_attention_max_seq_len_kv', got none}}
  %r0, %r1 = graph.sdpa_mxfp8 %q, %k, %v, %dq, %dk, %dv
      {paged_attention_max_seq_len_kv = 6 : i64}
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>>, tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>>, tensor<1x2x4x128xf8E8M0FNU, #graph.layout<strides = [1024, 512, 1, 4], reordering = f8_128x4>>)
      -> tensor<1x2x4x8xf16>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1 : tensor<1x2x4x8xf16>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_mxfp8_c17(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<5x2x2x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>> {graph.uid = 4 : i64},
    %dk: tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>> {graph.uid = 5 : i64},
    %dv: tensor<5x2x4x128xf8E8M0FNU, #graph.layout<strides = [1024, 512, 1, 4], reordering = f8_128x4>> {graph.uid = 6 : i64},
    %pt: tensor<1x1x3x1xi32> {graph.uid = 7 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 8 : i64}, tensor<1x1x1x1xf32> {graph.uid = 9 : i64}) {
  // expected-error @below {{expected sequence lengths with page tables, got none}}
  %r0, %r1 = graph.sdpa_mxfp8 %q, %k, %v, %dq, %dk, %dv paged_attention_v_table %pt
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<5x2x2x8xf8E4M3FN>, tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>>, tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>>, tensor<5x2x4x128xf8E8M0FNU, #graph.layout<strides = [1024, 512, 1, 4], reordering = f8_128x4>>, tensor<1x1x3x1xi32>)
      -> tensor<1x2x4x8xf16>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1 : tensor<1x2x4x8xf16>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_mxfp8_c18(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>> {graph.uid = 4 : i64},
    %dk: tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>> {graph.uid = 5 : i64},
    %dv: tensor<1x2x4x128xf8E8M0FNU, #graph.layout<strides = [1024, 512, 1, 4], reordering = f8_128x4>> {graph.uid = 6 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 7 : i64}, tensor<1x1x1x1xf32> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected ragged offsets with 'max_total_seq_len_kv', got none}}
  %r0, %r1 = graph.sdpa_mxfp8 %q, %k, %v, %dq, %dk, %dv
      {max_total_seq_len_kv = 6 : i64}
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>>, tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>>, tensor<1x2x4x128xf8E8M0FNU, #graph.layout<strides = [1024, 512, 1, 4], reordering = f8_128x4>>)
      -> tensor<1x2x4x8xf16>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1 : tensor<1x2x4x8xf16>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_mxfp8_c19(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>> {graph.uid = 4 : i64},
    %dk: tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>> {graph.uid = 5 : i64},
    %dv: tensor<1x2x4x128xf8E8M0FNU, #graph.layout<strides = [1024, 512, 1, 4], reordering = f8_128x4>> {graph.uid = 6 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 7 : i64}, tensor<1x1x1x1xf32> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected result 'Stats' to be present, got it absent}}
  %r0, %r1 = graph.sdpa_mxfp8 %q, %k, %v, %dq, %dk, %dv
      {generate_stats}
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x6x8xf8E4M3FN>, tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>>, tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>>, tensor<1x2x4x128xf8E8M0FNU, #graph.layout<strides = [1024, 512, 1, 4], reordering = f8_128x4>>)
      -> tensor<1x2x4x8xf16>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1 : tensor<1x2x4x8xf16>, tensor<1x1x1x1xf32>
}

// -----

graph.graph @sdpa_mxfp8_c20(
    %q: tensor<1x2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %k: tensor<1x2x4096x8xf8E4M3FN> {graph.uid = 2 : i64},
    %v: tensor<1x2x4096x8xf8E4M3FN> {graph.uid = 3 : i64},
    %dq: tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>> {graph.uid = 4 : i64},
    %dk: tensor<1x2x4096x4xf8E8M0FNU, #graph.layout<strides = [32768, 16384, 4, 1], reordering = f8_128x4>> {graph.uid = 5 : i64},
    %dv: tensor<1x2x128x128xf8E8M0FNU, #graph.layout<strides = [32768, 16384, 128, 1], reordering = f8_128x4>> {graph.uid = 6 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 7 : i64}, tensor<1x1x1x1xf32> {graph.uid = 8 : i64}) {
  // expected-error @below {{expected the tiles of 'Descale_V' to have their columns along axis 2}}
  %r0, %r1 = graph.sdpa_mxfp8 %q, %k, %v, %dq, %dk, %dv
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x4096x8xf8E4M3FN>, tensor<1x2x4096x8xf8E4M3FN>, tensor<1x2x128x4xf8E8M0FNU, #graph.layout<strides = [1024, 512, 4, 1], reordering = f8_128x4>>, tensor<1x2x4096x4xf8E8M0FNU, #graph.layout<strides = [32768, 16384, 4, 1], reordering = f8_128x4>>, tensor<1x2x128x128xf8E8M0FNU, #graph.layout<strides = [32768, 16384, 128, 1], reordering = f8_128x4>>)
      -> tensor<1x2x4x8xf16>, tensor<1x1x1x1xf32>
  graph.return %r0, %r1 : tensor<1x2x4x8xf16>, tensor<1x1x1x1xf32>
}
