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

// expected-error@+1 {{has no lowering to cuDNN: version(boolean arguments and results): expected cuDNN 9.25.0 or newer, got 9.6.0}}
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

// expected-error@+1 {{has no lowering to cuDNN: version(rope): expected cuDNN 9.24.0 or newer, got 9.6.0}}
graph.graph @rope(%x: tensor<1x2x4x8xf16> {graph.uid = 1 : i64},
                  %f: tensor<4x1x1x8xf32> {graph.uid = 2 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 3 : i64}) {
  %0 = graph.rope %x, %f : (tensor<1x2x4x8xf16>, tensor<4x1x1x8xf32>) -> tensor<1x2x4x8xf16>
  graph.return %0 : tensor<1x2x4x8xf16>
}

// -----

// The library's random numbers are others.

// expected-error@+1 {{has no lowering to cuDNN: sdpa: expected what the library's pattern has, got dropout by probability}}
graph.graph @dropout(%q: tensor<1x2x32x64xf16> {graph.uid = 1 : i64},
                     %k: tensor<1x2x64x64xf16> {graph.uid = 2 : i64},
                     %v: tensor<1x2x64x64xf16> {graph.uid = 3 : i64},
                     %s: tensor<1x1x1x1xi64> {graph.uid = 5 : i64})
    -> (tensor<1x2x32x64xf16> {graph.uid = 4 : i64}) {
  %o = graph.sdpa %q, %k, %v dropout_seed %s dropout_offset %s
      {dropout_probability = 0.1 : f64}
      : (tensor<1x2x32x64xf16>, tensor<1x2x64x64xf16>, tensor<1x2x64x64xf16>,
         tensor<1x1x1x1xi64>, tensor<1x1x1x1xi64>) -> tensor<1x2x32x64xf16>
  graph.return %o : tensor<1x2x32x64xf16>
}

// -----

// expected-error@+1 {{has no lowering to cuDNN: version(sink): expected cuDNN 9.13.0 or newer, got 9.6.0}}
graph.graph @sink(%q: tensor<1x2x32x64xf16> {graph.uid = 1 : i64},
                  %k: tensor<1x2x64x64xf16> {graph.uid = 2 : i64},
                  %v: tensor<1x2x64x64xf16> {graph.uid = 3 : i64},
                  %s: tensor<1x2x1x1xf32> {graph.uid = 5 : i64})
    -> (tensor<1x2x32x64xf16> {graph.uid = 4 : i64}) {
  %o = graph.sdpa %q, %k, %v sink_token %s
      : (tensor<1x2x32x64xf16>, tensor<1x2x64x64xf16>, tensor<1x2x64x64xf16>,
         tensor<1x2x1x1xf32>) -> tensor<1x2x32x64xf16>
  graph.return %o : tensor<1x2x32x64xf16>
}

// -----

// The softmax of nothing is not a number there, and 0 here.

// expected-error@+1 {{has no lowering to cuDNN: diagonal band: expected a column for each row, got rows without one}}
graph.graph @no_columns(%q: tensor<1x2x64x64xf16> {graph.uid = 1 : i64},
                        %k: tensor<1x2x32x64xf16> {graph.uid = 2 : i64},
                        %v: tensor<1x2x32x64xf16> {graph.uid = 3 : i64})
    -> (tensor<1x2x64x64xf16> {graph.uid = 4 : i64}) {
  %o = graph.sdpa %q, %k, %v
      {diagonal_band_right_bound = 0 : i64,
       diagonal_alignment = #graph<diagonal_alignment bottom_right>}
      : (tensor<1x2x64x64xf16>, tensor<1x2x32x64xf16>, tensor<1x2x32x64xf16>)
      -> tensor<1x2x64x64xf16>
  graph.return %o : tensor<1x2x64x64xf16>
}

// -----

// expected-error@+1 {{has no lowering to cuDNN: version(keys other than a multiple of 128): expected cuDNN 9.16.0 or newer, got 9.6.0}}
graph.graph @odd_keys(%q: tensor<1x2x64x64xf16> {graph.uid = 1 : i64},
                      %k: tensor<1x2x72x64xf16> {graph.uid = 2 : i64},
                      %v: tensor<1x2x72x64xf16> {graph.uid = 3 : i64},
                      %o: tensor<1x2x64x64xf16> {graph.uid = 4 : i64},
                      %do: tensor<1x2x64x64xf16> {graph.uid = 5 : i64},
                      %s: tensor<1x2x64x1xf32> {graph.uid = 6 : i64})
    -> (tensor<1x2x64x64xf16> {graph.uid = 7 : i64},
        tensor<1x2x72x64xf16> {graph.uid = 8 : i64},
        tensor<1x2x72x64xf16> {graph.uid = 9 : i64}) {
  %dq, %dk, %dv = graph.sdpa_backward %q, %k, %v, %o, %do, %s
      : (tensor<1x2x64x64xf16>, tensor<1x2x72x64xf16>, tensor<1x2x72x64xf16>,
         tensor<1x2x64x64xf16>, tensor<1x2x64x64xf16>, tensor<1x2x64x1xf32>)
      -> tensor<1x2x64x64xf16>, tensor<1x2x72x64xf16>, tensor<1x2x72x64xf16>
  graph.return %dq, %dk, %dv : tensor<1x2x64x64xf16>, tensor<1x2x72x64xf16>,
                               tensor<1x2x72x64xf16>
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

// -----

// Engines take it for the greatest score's.

// expected-error@+1 {{has no lowering to cuDNN: score_mod: expected no max, got max}}
graph.graph @max_in_score_mod(%q: tensor<1x2x8x16xf16> {graph.uid = 1 : i64},
                              %k: tensor<1x2x8x16xf16> {graph.uid = 2 : i64},
                              %v: tensor<1x2x8x16xf16> {graph.uid = 3 : i64},
                              %c: tensor<1x1x1x1xf32> {graph.uid = 4 : i64})
    -> (tensor<1x2x8x16xf16> {graph.uid = 5 : i64}) {
  %o = graph.sdpa %q, %k, %v captures %c score_mod {
  ^bb0(%s: tensor<1x2x8x8xf32>, %d: tensor<1x1x1x1xf32>):
    %0 = graph.max %s, %d
        : (tensor<1x2x8x8xf32>, tensor<1x1x1x1xf32>) -> tensor<1x2x8x8xf32>
    graph.yield %0 : tensor<1x2x8x8xf32>
  } : (tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>,
       tensor<1x1x1x1xf32>) -> tensor<1x2x8x16xf16>
  graph.return %o : tensor<1x2x8x16xf16>
}

// -----

// What it writes to rows beyond the lengths is not 0 in f32.

// expected-error@+1 {{has no lowering to cuDNN: lengths: expected f16, bf16 or fp8, got f32}}
graph.graph @wide_lengths(%q: tensor<1x2x8x16xf32> {graph.uid = 1 : i64},
                          %k: tensor<1x2x8x16xf32> {graph.uid = 2 : i64},
                          %v: tensor<1x2x8x16xf32> {graph.uid = 3 : i64},
                          %n: tensor<1x1x1x1xi32> {graph.uid = 4 : i64})
    -> (tensor<1x2x8x16xf32> {graph.uid = 5 : i64}) {
  %o = graph.sdpa %q, %k, %v seq_len_q %n seq_len_kv %n {use_padding_mask}
      : (tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>,
         tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x2x8x16xf32>
  graph.return %o : tensor<1x2x8x16xf32>
}

// -----

// expected-error@+1 {{has no lowering to cuDNN: scale(fp8): expected in memory, got none}}
graph.graph @no_scale_of_o(%q: tensor<1x2x128x64xf8E4M3FN> {graph.uid = 1 : i64},
                           %one: tensor<1x1x1x1xf32> {graph.uid = 2 : i64})
    -> (tensor<1x2x128x64xf8E4M3FN> {graph.uid = 3 : i64}) {
  %o, %s, %m = graph.sdpa_fp8 %q, %q, %q, %one, %one, %one, %one, %one
      : (tensor<1x2x128x64xf8E4M3FN>, tensor<1x2x128x64xf8E4M3FN>,
         tensor<1x2x128x64xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>,
         tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>)
      -> tensor<1x2x128x64xf8E4M3FN>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
  graph.return %o : tensor<1x2x128x64xf8E4M3FN>
}

// -----

// The library's numbers are not those of docs/Random.md.

// expected-error@+1 {{has no lowering to cuDNN: op: expected an op with a lowering to cuDNN, got rng}}
graph.graph @random(%seed: tensor<1xi64> {graph.uid = 1 : i64})
    -> (tensor<4x128xf32> {graph.uid = 2 : i64}) {
  %m = graph.rng bernoulli seed %seed {probability = 5.000000e-01 : f64}
      : (tensor<1xi64>) -> tensor<4x128xf32>
  graph.return %m : tensor<4x128xf32>
}
