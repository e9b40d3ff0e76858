// RUN: graph-opt %s --graph-legalize-cudnn=library=90600 --split-input-file --verify-diagnostics

// expected-error@+1 {{has no lowering to cuDNN: version(concatenate): expected cuDNN 9.7.0 or newer, got 9.6.0}}
graph.graph @version(%a: tensor<2x3x8xf32> {graph.uid = 1 : i64},
                     %b: tensor<2x5x8xf32> {graph.uid = 2 : i64})
    -> (tensor<2x8x8xf32> {graph.uid = 3 : i64}) {
  %0 = graph.concatenate %a, %b axis 1
      : (tensor<2x3x8xf32>, tensor<2x5x8xf32>) -> tensor<2x8x8xf32>
  graph.return %0 : tensor<2x8x8xf32>
}

// -----

// expected-error@+1 {{has no lowering to cuDNN: extents: expected static, got dynamic}}
graph.graph @dynamic(%x: tensor<?x8xf32, #graph.layout<symbols = ["M", ""]>> {graph.uid = 1 : i64})
    -> (tensor<?x8xf32, #graph.layout<symbols = ["M", ""]>> {graph.uid = 2 : i64}) {
  %0 = graph.relu %x : (tensor<?x8xf32, #graph.layout<symbols = ["M", ""]>>)
      -> tensor<?x8xf32, #graph.layout<symbols = ["M", ""]>>
  graph.return %0 : tensor<?x8xf32, #graph.layout<symbols = ["M", ""]>>
}

// -----

// expected-error@+1 {{has no lowering to cuDNN: element type: expected no boolean argument or result, got i1}}
graph.graph @boolean(%x: tensor<4x8xi1> {graph.uid = 1 : i64})
    -> (tensor<4x8xi1> {graph.uid = 2 : i64}) {
  %0 = graph.logical_not %x : (tensor<4x8xi1>) -> tensor<4x8xi1>
  graph.return %0 : tensor<4x8xi1>
}

// -----

// expected-error@+1 {{has no lowering to cuDNN: compute type(exp): expected f32, got f64}}
graph.graph @wide(%x: tensor<4x8xf64> {graph.uid = 1 : i64})
    -> (tensor<4x8xf64> {graph.uid = 2 : i64}) {
  %0 = graph.exp %x {compute_type = f64} : (tensor<4x8xf64>) -> tensor<4x8xf64>
  graph.return %0 : tensor<4x8xf64>
}

// -----

// expected-error@+1 {{has no lowering to cuDNN: f32_matmul: expected tf32, got ieee}}
graph.graph @ieee(%a: tensor<1x4x8xf32> {graph.uid = 1 : i64},
                  %b: tensor<1x8x4xf32> {graph.uid = 2 : i64})
    -> (tensor<1x4x4xf32> {graph.uid = 3 : i64}) {
  %0 = graph.matmul %a, %b {ieee} : (tensor<1x4x8xf32>, tensor<1x8x4xf32>) -> tensor<1x4x4xf32>
  graph.return %0 : tensor<1x4x4xf32>
}

// -----

// expected-error@+1 {{has no lowering to cuDNN: SCALE: expected given, got absent}}
graph.graph @no_scale(%x: tensor<16x64xf32> {graph.uid = 1 : i64})
    -> (tensor<16x64xf32> {graph.uid = 2 : i64}) {
  %e = graph.constant 1.000000e-05 : f32 : tensor<1x1xf32>
  %y = graph.layernorm inference %x epsilon %e
      : (tensor<16x64xf32>, tensor<1x1xf32>) -> tensor<16x64xf32>
  graph.return %y : tensor<16x64xf32>
}

// -----

// expected-error@+1 {{has no lowering to cuDNN: op: expected an op with a lowering to cuDNN, got rope}}
graph.graph @rope(%x: tensor<1x2x4x8xf16> {graph.uid = 1 : i64},
                  %f: tensor<4x1x1x8xf32> {graph.uid = 2 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 3 : i64}) {
  %0 = graph.rope %x, %f : (tensor<1x2x4x8xf16>, tensor<4x1x1x8xf32>) -> tensor<1x2x4x8xf16>
  graph.return %0 : tensor<1x2x4x8xf16>
}

// -----

// expected-error@+1 {{has no lowering to cuDNN: sdpa: expected scale, bias, one diagonal bound and stats, got left_bound}}
graph.graph @window(%q: tensor<1x2x32x64xf16> {graph.uid = 1 : i64},
                    %k: tensor<1x2x64x64xf16> {graph.uid = 2 : i64},
                    %v: tensor<1x2x64x64xf16> {graph.uid = 3 : i64})
    -> (tensor<1x2x32x64xf16> {graph.uid = 4 : i64}) {
  %o = graph.sdpa %q, %k, %v {diagonal_band_left_bound = 8 : i64}
      : (tensor<1x2x32x64xf16>, tensor<1x2x64x64xf16>, tensor<1x2x64x64xf16>)
      -> tensor<1x2x32x64xf16>
  graph.return %o : tensor<1x2x32x64xf16>
}

// -----

// Alone, a function is the library's only where it is the judge's.

// expected-error@+1 {{has no lowering to cuDNN: function(tanh): expected the judge's, got an approximate tanh}}
graph.graph @tanh(%x: tensor<4x8xf32> {graph.uid = 1 : i64})
    -> (tensor<4x8xf32> {graph.uid = 2 : i64}) {
  %0 = graph.tanh %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  graph.return %0 : tensor<4x8xf32>
}

// -----

// expected-error@+1 {{has no lowering to cuDNN: broadcast: expected of whole trailing axes, got another}}
graph.graph @broadcast(%x: tensor<4x6x8xf32> {graph.uid = 1 : i64},
                       %b: tensor<1x6x1xf32> {graph.uid = 2 : i64})
    -> (tensor<4x6x8xf32> {graph.uid = 3 : i64}) {
  %0 = graph.add %x, %b : (tensor<4x6x8xf32>, tensor<1x6x1xf32>) -> tensor<4x6x8xf32>
  graph.return %0 : tensor<4x6x8xf32>
}

// -----

// expected-error@+1 {{has no lowering to cuDNN: stride: expected 1 along an axis, got 2}}
graph.graph @gaps(%x: tensor<4x8xbf16> {graph.uid = 1 : i64})
    -> (tensor<4x8xbf16, #graph.layout<strides = [16, 2]>> {graph.uid = 2 : i64}) {
  %0 = graph.neg %x : (tensor<4x8xbf16>) -> tensor<4x8xbf16, #graph.layout<strides = [16, 2]>>
  graph.return %0 : tensor<4x8xbf16, #graph.layout<strides = [16, 2]>>
}

// -----

// expected-error@+1 {{has no lowering to cuDNN: reduction mode: expected one that propagates NaN, got max}}
graph.graph @max(%x: tensor<4x8xf32> {graph.uid = 1 : i64})
    -> (tensor<4x1xf32> {graph.uid = 2 : i64}) {
  %0 = graph.reduction max %x : (tensor<4x8xf32>) -> tensor<4x1xf32>
  graph.return %0 : tensor<4x1xf32>
}

// -----

// expected-error@+1 {{has no lowering to cuDNN: layout(conv): expected packed, row-major or channels-last, got another}}
graph.graph @conv(
    %x: tensor<1x4x8x8xf16, #graph.layout<strides = [256, 64, 1, 8]>> {graph.uid = 1 : i64},
    %w: tensor<4x4x1x1xf16> {graph.uid = 2 : i64})
    -> (tensor<1x4x8x8xf16> {graph.uid = 3 : i64}) {
  %y = graph.conv_fprop %x, %w {
      pre_padding = array<i64: 0, 0>, post_padding = array<i64: 0, 0>,
      stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<1x4x8x8xf16, #graph.layout<strides = [256, 64, 1, 8]>>,
         tensor<4x4x1x1xf16>) -> tensor<1x4x8x8xf16>
  graph.return %y : tensor<1x4x8x8xf16>
}
