// RUN: graph-opt %s --split-input-file --verify-diagnostics

graph.graph @block_scale_dequantize_c1(
    %x: tensor<4x64xf8E4M3FN> {graph.uid = 1 : i64}, %s: tensor<4x2xf8E8M0FNU> {graph.uid = 2 : i64})
    -> (tensor<4x64xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'block_size' to have at least one entry, got none}}
  %0 = graph.block_scale_dequantize %x, %s {block_size = array<i64>}
      : (tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>) -> tensor<4x64xf32>
  %1 = graph.identity %0 : (tensor<4x64xf32>) -> tensor<4x64xf32>
  graph.return %1 : tensor<4x64xf32>
}

// -----

graph.graph @block_scale_dequantize_c1_more(
    %x: tensor<4x64xf8E4M3FN> {graph.uid = 1 : i64}, %s: tensor<4x2xf8E8M0FNU> {graph.uid = 2 : i64})
    -> (tensor<4x64xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'block_size' to have at most as many entries as 'X' has axes (2), got 3}}
  %0 = graph.block_scale_dequantize %x, %s {block_size = array<i64: 1, 1, 32>}
      : (tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>) -> tensor<4x64xf32>
  %1 = graph.identity %0 : (tensor<4x64xf32>) -> tensor<4x64xf32>
  graph.return %1 : tensor<4x64xf32>
}

// -----

graph.graph @block_scale_dequantize_c2(
    %x: tensor<4x64xf8E4M3FN> {graph.uid = 1 : i64}, %s: tensor<4x2xf8E8M0FNU> {graph.uid = 2 : i64})
    -> (tensor<4x64xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected entries of 'block_size' to be at least 1, got 0 for axis 0}}
  %0 = graph.block_scale_dequantize %x, %s {block_size = array<i64: 0, 32>}
      : (tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>) -> tensor<4x64xf32>
  %1 = graph.identity %0 : (tensor<4x64xf32>) -> tensor<4x64xf32>
  graph.return %1 : tensor<4x64xf32>
}

// -----

graph.graph @block_scale_dequantize_c2_least(
    %x: tensor<4x64xf8E4M3FN> {graph.uid = 1 : i64}, %s: tensor<4x2xf8E8M0FNU> {graph.uid = 2 : i64})
    -> (tensor<4x64xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected entries of 'block_size' to be at least 1, got -9223372036854775808 for axis 1}}
  %0 = graph.block_scale_dequantize %x, %s {block_size = array<i64: -9223372036854775808>}
      : (tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>) -> tensor<4x64xf32>
  %1 = graph.identity %0 : (tensor<4x64xf32>) -> tensor<4x64xf32>
  graph.return %1 : tensor<4x64xf32>
}

// -----

graph.graph @block_scale_dequantize_c3(
    %x: tensor<4x64xf8E4M3FN> {graph.uid = 1 : i64}, %s: tensor<2xf8E8M0FNU> {graph.uid = 2 : i64})
    -> (tensor<4x64xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'SCALE' to have the rank of 'X' (2), got 1}}
  %0 = graph.block_scale_dequantize %x, %s {block_size = array<i64: 32>}
      : (tensor<4x64xf8E4M3FN>, tensor<2xf8E8M0FNU>) -> tensor<4x64xf32>
  %1 = graph.identity %0 : (tensor<4x64xf32>) -> tensor<4x64xf32>
  graph.return %1 : tensor<4x64xf32>
}

// -----

!x = tensor<4x?xf8E4M3FN, #graph.layout<symbols = ["", "K"]>>
!y = tensor<4x?xf32, #graph.layout<symbols = ["", "K"]>>
graph.graph @block_scale_dequantize_c4(
    %x: !x {graph.uid = 1 : i64}, %s: tensor<4x2xf8E8M0FNU> {graph.uid = 2 : i64})
    -> (!y {graph.uid = 3 : i64}) {
  // expected-error @below {{expected dim 1 of 'X', in blocks of 32, to be static, got ?(K)}}
  %0 = graph.block_scale_dequantize %x, %s {block_size = array<i64: 32>}
      : (!x, tensor<4x2xf8E8M0FNU>) -> !y
  %1 = graph.identity %0 : (!y) -> !y
  graph.return %1 : !y
}

// -----

!s = tensor<4x?xf8E8M0FNU, #graph.layout<symbols = ["", "K"]>>
graph.graph @block_scale_dequantize_c4_scale(
    %x: tensor<4x64xf8E4M3FN> {graph.uid = 1 : i64}, %s: !s {graph.uid = 2 : i64})
    -> (tensor<4x64xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected dim 1 of 'SCALE', in blocks of 32, to be static, got ?(K)}}
  %0 = graph.block_scale_dequantize %x, %s {block_size = array<i64: 32>}
      : (tensor<4x64xf8E4M3FN>, !s) -> tensor<4x64xf32>
  %1 = graph.identity %0 : (tensor<4x64xf32>) -> tensor<4x64xf32>
  graph.return %1 : tensor<4x64xf32>
}

// -----

graph.graph @block_scale_dequantize_c5(
    %x: tensor<4x64xf8E4M3FN> {graph.uid = 1 : i64}, %s: tensor<4x3xf8E8M0FNU> {graph.uid = 2 : i64})
    -> (tensor<4x64xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected dim 1 of 'SCALE' to be 2, or that rounded up to a multiple of 4 or 128, got 3}}
  %0 = graph.block_scale_dequantize %x, %s {block_size = array<i64: 32>}
      : (tensor<4x64xf8E4M3FN>, tensor<4x3xf8E8M0FNU>) -> tensor<4x64xf32>
  %1 = graph.identity %0 : (tensor<4x64xf32>) -> tensor<4x64xf32>
  graph.return %1 : tensor<4x64xf32>
}

// -----

graph.graph @block_scale_dequantize_c5_rows(
    %x: tensor<4x64xf8E4M3FN> {graph.uid = 1 : i64}, %s: tensor<1x2xf8E8M0FNU> {graph.uid = 2 : i64})
    -> (tensor<4x64xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected dim 0 of 'SCALE' to be 4, or that rounded up to a multiple of 4 or 128, got 1}}
  %0 = graph.block_scale_dequantize %x, %s {block_size = array<i64: 32>}
      : (tensor<4x64xf8E4M3FN>, tensor<1x2xf8E8M0FNU>) -> tensor<4x64xf32>
  %1 = graph.identity %0 : (tensor<4x64xf32>) -> tensor<4x64xf32>
  graph.return %1 : tensor<4x64xf32>
}

// -----

graph.graph @block_scale_dequantize_c5_batch(
    %x: tensor<2x4x64xf8E4M3FN> {graph.uid = 1 : i64}, %s: tensor<4x4x2xf8E8M0FNU> {graph.uid = 2 : i64})
    -> (tensor<2x4x64xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected dim 0 of 'SCALE' to be 2, got 4}}
  %0 = graph.block_scale_dequantize %x, %s {block_size = array<i64: 32>}
      : (tensor<2x4x64xf8E4M3FN>, tensor<4x4x2xf8E8M0FNU>) -> tensor<2x4x64xf32>
  %1 = graph.identity %0 : (tensor<2x4x64xf32>) -> tensor<2x4x64xf32>
  graph.return %1 : tensor<2x4x64xf32>
}

// -----

graph.graph @block_scale_dequantize_c6(
    %x: tensor<4x64xf8E4M3FN> {graph.uid = 1 : i64}, %s: tensor<4x2xi8> {graph.uid = 2 : i64})
    -> (tensor<4x64xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'SCALE' to be floating point, got 'i8'}}
  %0 = graph.block_scale_dequantize %x, %s {block_size = array<i64: 32>}
      : (tensor<4x64xf8E4M3FN>, tensor<4x2xi8>) -> tensor<4x64xf32>
  %1 = graph.identity %0 : (tensor<4x64xf32>) -> tensor<4x64xf32>
  graph.return %1 : tensor<4x64xf32>
}

// -----

graph.graph @block_scale_dequantize_c7(
    %x: tensor<4x64xf8E4M3FN> {graph.uid = 1 : i64}, %s: tensor<4x2xf8E8M0FNU> {graph.uid = 2 : i64})
    -> (tensor<4x64xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected a floating-point compute type, got 'i32'}}
  %0 = graph.block_scale_dequantize %x, %s {block_size = array<i64: 32>, compute_type = i32}
      : (tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>) -> tensor<4x64xf32>
  %1 = graph.identity %0 : (tensor<4x64xf32>) -> tensor<4x64xf32>
  graph.return %1 : tensor<4x64xf32>
}

// -----

graph.graph @block_scale_dequantize_c8(
    %x: tensor<4x64xf8E4M3FN> {graph.uid = 1 : i64}, %s: tensor<4x2xf8E8M0FNU> {graph.uid = 2 : i64})
    -> (tensor<4x64xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'Y' to be virtual, got an output of the graph}}
  %0 = graph.block_scale_dequantize %x, %s {block_size = array<i64: 32>}
      : (tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>) -> tensor<4x64xf32>
  graph.return %0 : tensor<4x64xf32>
}

// -----

graph.graph @block_scale_dequantize_extents(
    %x: tensor<4x64xf8E4M3FN> {graph.uid = 1 : i64}, %s: tensor<4x2xf8E8M0FNU> {graph.uid = 2 : i64})
    -> (tensor<4x32xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected extents of result 'Y' to be 4x64, got 4x32}}
  %0 = graph.block_scale_dequantize %x, %s {block_size = array<i64: 32>}
      : (tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>) -> tensor<4x32xf32>
  %1 = graph.identity %0 : (tensor<4x32xf32>) -> tensor<4x32xf32>
  graph.return %1 : tensor<4x32xf32>
}

// -----

graph.graph @block_scale_quantize_c1(
    %x: tensor<4x64xf32> {graph.uid = 1 : i64})
    -> (tensor<4x64xf8E4M3FN> {graph.uid = 3 : i64}, tensor<4x2xf8E8M0FNU> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected 'axis' to be in [0, 2), got 2}}
  %y, %s = graph.block_scale_quantize %x {block_size = 32 : i64, axis = 2 : i64}
      : (tensor<4x64xf32>) -> tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
  graph.return %y, %s : tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
}

// -----

graph.graph @block_scale_quantize_c1_negative(
    %x: tensor<4x64xf32> {graph.uid = 1 : i64})
    -> (tensor<4x64xf8E4M3FN> {graph.uid = 3 : i64}, tensor<4x2xf8E8M0FNU> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected 'axis' to be in [0, 2), got -1}}
  %y, %s = graph.block_scale_quantize %x {block_size = 32 : i64, axis = -1 : i64}
      : (tensor<4x64xf32>) -> tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
  graph.return %y, %s : tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
}

// -----

graph.graph @block_scale_quantize_c1_scalar(
    %x: tensor<f32> {graph.uid = 1 : i64})
    -> (tensor<f8E4M3FN> {graph.uid = 3 : i64}, tensor<f8E8M0FNU> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected 'axis' to be in [0, 0), got -1}}
  %y, %s = graph.block_scale_quantize %x {block_size = 32 : i64}
      : (tensor<f32>) -> tensor<f8E4M3FN>, tensor<f8E8M0FNU>
  graph.return %y, %s : tensor<f8E4M3FN>, tensor<f8E8M0FNU>
}

// -----

graph.graph @block_scale_quantize_c2(
    %x: tensor<4x64xf32> {graph.uid = 1 : i64})
    -> (tensor<4x64xf8E4M3FN> {graph.uid = 3 : i64}, tensor<4x2xf8E8M0FNU> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected 'block_size' to be at least 1, got 0}}
  %y, %s = graph.block_scale_quantize %x {block_size = 0 : i64}
      : (tensor<4x64xf32>) -> tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
  graph.return %y, %s : tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
}

// -----

!x = tensor<4x?xf32, #graph.layout<symbols = ["", "K"]>>
!y = tensor<4x?xf8E4M3FN, #graph.layout<symbols = ["", "K"]>>
graph.graph @block_scale_quantize_c3(
    %x: !x {graph.uid = 1 : i64})
    -> (!y {graph.uid = 3 : i64}, tensor<4x2xf8E8M0FNU> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected dim 1 of 'X', in blocks of 32, to be static, got ?(K)}}
  %y, %s = graph.block_scale_quantize %x {block_size = 32 : i64}
      : (!x) -> !y, tensor<4x2xf8E8M0FNU>
  graph.return %y, %s : !y, tensor<4x2xf8E8M0FNU>
}

// -----

graph.graph @block_scale_quantize_c4(
    %x: tensor<4x64xf32> {graph.uid = 1 : i64})
    -> (tensor<4x64xf16> {graph.uid = 3 : i64}, tensor<4x2xf8E8M0FNU> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected 'Y' to be f8E4M3FN, f8E5M2 or f4E2M1FN, got 'f16'}}
  %y, %s = graph.block_scale_quantize %x {block_size = 32 : i64}
      : (tensor<4x64xf32>) -> tensor<4x64xf16>, tensor<4x2xf8E8M0FNU>
  graph.return %y, %s : tensor<4x64xf16>, tensor<4x2xf8E8M0FNU>
}

// -----

graph.graph @block_scale_quantize_c5(
    %x: tensor<4x64xf32> {graph.uid = 1 : i64})
    -> (tensor<4x64xf8E4M3FN> {graph.uid = 3 : i64}, tensor<4x2xf4E2M1FN> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected 'SCALE' to be floating point of 8 bits or more, got 'f4E2M1FN'}}
  %y, %s = graph.block_scale_quantize %x {block_size = 32 : i64}
      : (tensor<4x64xf32>) -> tensor<4x64xf8E4M3FN>, tensor<4x2xf4E2M1FN>
  graph.return %y, %s : tensor<4x64xf8E4M3FN>, tensor<4x2xf4E2M1FN>
}

// -----

graph.graph @block_scale_quantize_c5_integer(
    %x: tensor<4x64xf32> {graph.uid = 1 : i64})
    -> (tensor<4x64xf8E4M3FN> {graph.uid = 3 : i64}, tensor<4x2xi8> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected 'SCALE' to be floating point of 8 bits or more, got 'i8'}}
  %y, %s = graph.block_scale_quantize %x {block_size = 32 : i64}
      : (tensor<4x64xf32>) -> tensor<4x64xf8E4M3FN>, tensor<4x2xi8>
  graph.return %y, %s : tensor<4x64xf8E4M3FN>, tensor<4x2xi8>
}

// -----

graph.graph @block_scale_quantize_c6(
    %x: tensor<4x64xf32> {graph.uid = 1 : i64})
    -> (tensor<4x64xf8E4M3FN> {graph.uid = 3 : i64}, tensor<4x2xf8E8M0FNU> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected a floating-point compute type, got 'i64'}}
  %y, %s = graph.block_scale_quantize %x {block_size = 32 : i64, compute_type = i64}
      : (tensor<4x64xf32>) -> tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
  graph.return %y, %s : tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
}

// -----

graph.graph @block_scale_quantize_c7(
    %x: tensor<4x64xf32> {graph.uid = 1 : i64})
    -> (tensor<4x64xf8E4M3FN> {graph.uid = 3 : i64}, tensor<4x3xf8E8M0FNU> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected dim 1 of 'SCALE' to be 2, or that rounded up to a multiple of 4 or 128, got 3}}
  %y, %s = graph.block_scale_quantize %x {block_size = 32 : i64}
      : (tensor<4x64xf32>) -> tensor<4x64xf8E4M3FN>, tensor<4x3xf8E8M0FNU>
  graph.return %y, %s : tensor<4x64xf8E4M3FN>, tensor<4x3xf8E8M0FNU>
}

// -----

graph.graph @block_scale_quantize_c7_rank(
    %x: tensor<4x64xf32> {graph.uid = 1 : i64})
    -> (tensor<4x64xf8E4M3FN> {graph.uid = 3 : i64}, tensor<2xf8E8M0FNU> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected 'SCALE' to have the rank of 'X' (2), got 1}}
  %y, %s = graph.block_scale_quantize %x {block_size = 32 : i64}
      : (tensor<4x64xf32>) -> tensor<4x64xf8E4M3FN>, tensor<2xf8E8M0FNU>
  graph.return %y, %s : tensor<4x64xf8E4M3FN>, tensor<2xf8E8M0FNU>
}

// -----

graph.graph @block_scale_quantize_c7_tiled(
    %x: tensor<4x64xf32> {graph.uid = 1 : i64})
    -> (tensor<4x64xf8E4M3FN> {graph.uid = 3 : i64}, tensor<256x4xf8E8M0FNU, #graph.layout<reordering = f8_128x4>> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected dim 0 of 'SCALE' to be 128, got 256}}
  %y, %s = graph.block_scale_quantize %x {block_size = 32 : i64}
      : (tensor<4x64xf32>) -> tensor<4x64xf8E4M3FN>, tensor<256x4xf8E8M0FNU, #graph.layout<reordering = f8_128x4>>
  graph.return %y, %s : tensor<4x64xf8E4M3FN>, tensor<256x4xf8E8M0FNU, #graph.layout<reordering = f8_128x4>>
}

// -----

!x = tensor<?x64xf32, #graph.layout<symbols = ["M", ""]>>
!y = tensor<?x64xf8E4M3FN, #graph.layout<symbols = ["M", ""]>>
!s = tensor<?x2xf8E8M0FNU, #graph.layout<symbols = ["N", ""]>>
graph.graph @block_scale_quantize_c7_symbols(
    %x: !x {graph.uid = 1 : i64})
    -> (!y {graph.uid = 3 : i64}, !s {graph.uid = 4 : i64}) {
  // expected-error @below {{expected dim 0 of 'SCALE' to be ?(M), got ?(N)}}
  %y, %s = graph.block_scale_quantize %x {block_size = 32 : i64}
      : (!x) -> !y, !s
  graph.return %y, %s : !y, !s
}

// -----

graph.graph @block_scale_quantize_c8(
    %x: tensor<4x128x4xf32> {graph.uid = 1 : i64})
    -> (tensor<4x128x4xf8E4M3FN> {graph.uid = 3 : i64}, tensor<1x128x4xf8E8M0FNU, #graph.layout<reordering = f8_128x4>> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected 'axis' to be one of the last two for 'SCALE' in reordering f8_128x4, got 0 of 3 axes}}
  %y, %s = graph.block_scale_quantize %x {block_size = 32 : i64, axis = 0 : i64}
      : (tensor<4x128x4xf32>) -> tensor<4x128x4xf8E4M3FN>, tensor<1x128x4xf8E8M0FNU, #graph.layout<reordering = f8_128x4>>
  graph.return %y, %s : tensor<4x128x4xf8E4M3FN>, tensor<1x128x4xf8E8M0FNU, #graph.layout<reordering = f8_128x4>>
}

// -----

!x = tensor<?x64xf32, #graph.layout<symbols = ["M", ""]>>
!y = tensor<?x64xf8E4M3FN, #graph.layout<symbols = ["M", ""]>>
graph.graph @block_scale_quantize_c8_symbol(
    %x: !x {graph.uid = 1 : i64})
    -> (!y {graph.uid = 3 : i64}, tensor<128x4xf8E8M0FNU, #graph.layout<reordering = f8_128x4>> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected dim 0 of 'X' to be static for 'SCALE' in reordering f8_128x4, got ?(M)}}
  %y, %s = graph.block_scale_quantize %x {block_size = 32 : i64}
      : (!x) -> !y, tensor<128x4xf8E8M0FNU, #graph.layout<reordering = f8_128x4>>
  graph.return %y, %s : !y, tensor<128x4xf8E8M0FNU, #graph.layout<reordering = f8_128x4>>
}

// -----

graph.graph @block_scale_quantize_c9(
    %x: tensor<4x64xf32> {graph.uid = 1 : i64}, %g: tensor<3xi32> {graph.uid = 2 : i64})
    -> (tensor<4x64xf8E4M3FN> {graph.uid = 3 : i64}, tensor<4x2xf8E8M0FNU> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected 'X' with 'GROUP_OFFSET' to be 1xTxK with a static T and 'axis' to be 2, got 4x64 and 1}}
  %y, %s = graph.block_scale_quantize %x group_offset %g {block_size = 32 : i64}
      : (tensor<4x64xf32>, tensor<3xi32>) -> tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
  graph.return %y, %s : tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
}

// -----

graph.graph @block_scale_quantize_c9_axis(
    %x: tensor<1x4x64xf32> {graph.uid = 1 : i64}, %g: tensor<3xi32> {graph.uid = 2 : i64})
    -> (tensor<1x4x64xf8E4M3FN> {graph.uid = 3 : i64}, tensor<1x1x64xf8E8M0FNU> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected 'X' with 'GROUP_OFFSET' to be 1xTxK with a static T and 'axis' to be 2, got 1x4x64 and 1}}
  %y, %s = graph.block_scale_quantize %x group_offset %g {block_size = 32 : i64, axis = 1 : i64}
      : (tensor<1x4x64xf32>, tensor<3xi32>) -> tensor<1x4x64xf8E4M3FN>, tensor<1x1x64xf8E8M0FNU>
  graph.return %y, %s : tensor<1x4x64xf8E4M3FN>, tensor<1x1x64xf8E8M0FNU>
}

// -----

graph.graph @block_scale_quantize_c10(
    %x: tensor<1x4x64xf32> {graph.uid = 1 : i64}, %g: tensor<3xf32> {graph.uid = 2 : i64})
    -> (tensor<1x4x64xf8E4M3FN> {graph.uid = 3 : i64}, tensor<1x4x2xf8E8M0FNU> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected 'GROUP_OFFSET' to be i32 or i64, got 'f32'}}
  %y, %s = graph.block_scale_quantize %x group_offset %g {block_size = 32 : i64}
      : (tensor<1x4x64xf32>, tensor<3xf32>) -> tensor<1x4x64xf8E4M3FN>, tensor<1x4x2xf8E8M0FNU>
  graph.return %y, %s : tensor<1x4x64xf8E4M3FN>, tensor<1x4x2xf8E8M0FNU>
}

// -----

graph.graph @block_scale_quantize_c10_empty(
    %x: tensor<1x4x64xf32> {graph.uid = 1 : i64}, %g: tensor<1x0xi32> {graph.uid = 2 : i64})
    -> (tensor<1x4x64xf8E4M3FN> {graph.uid = 3 : i64}, tensor<1x4x2xf8E8M0FNU> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected 'GROUP_OFFSET' to have elements along one axis, a known number of at least 1, got 1x0}}
  %y, %s = graph.block_scale_quantize %x group_offset %g {block_size = 32 : i64}
      : (tensor<1x4x64xf32>, tensor<1x0xi32>) -> tensor<1x4x64xf8E4M3FN>, tensor<1x4x2xf8E8M0FNU>
  graph.return %y, %s : tensor<1x4x64xf8E4M3FN>, tensor<1x4x2xf8E8M0FNU>
}

// -----

graph.graph @block_scale_quantize_c10_axes(
    %x: tensor<1x4x64xf32> {graph.uid = 1 : i64}, %g: tensor<3x2xi32> {graph.uid = 2 : i64})
    -> (tensor<1x4x64xf8E4M3FN> {graph.uid = 3 : i64}, tensor<1x4x2xf8E8M0FNU> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected 'GROUP_OFFSET' to have elements along one axis, a known number of at least 1, got 3x2}}
  %y, %s = graph.block_scale_quantize %x group_offset %g {block_size = 32 : i64}
      : (tensor<1x4x64xf32>, tensor<3x2xi32>) -> tensor<1x4x64xf8E4M3FN>, tensor<1x4x2xf8E8M0FNU>
  graph.return %y, %s : tensor<1x4x64xf8E4M3FN>, tensor<1x4x2xf8E8M0FNU>
}
