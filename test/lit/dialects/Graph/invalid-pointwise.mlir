// RUN: graph-opt %s --split-input-file --verify-diagnostics

graph.graph @pointwise_c1_operands(%a: tensor<4x3xf32> {graph.uid = 1 : i64},
                                   %b: tensor<2x3xf32> {graph.uid = 2 : i64})
    -> (tensor<4x3xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{'graph.add' op expected axis 0 of operand #1 to be 1 or 4, got 2}}
  %0 = graph.add %a, %b : (tensor<4x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  graph.return %0 : tensor<4x3xf32>
}

// -----

graph.graph @pointwise_c1_zero(%a: tensor<0x3xf32> {graph.uid = 1 : i64},
                               %b: tensor<2x3xf32> {graph.uid = 2 : i64})
    -> (tensor<2x3xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected axis 0 of operand #1 to be 1 or 0, got 2}}
  %0 = graph.add %a, %b : (tensor<0x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  graph.return %0 : tensor<2x3xf32>
}

// -----

graph.graph @pointwise_c1_third_operand(%a: tensor<3xf32> {graph.uid = 1 : i64},
                                        %m: tensor<2x4xi1> {graph.uid = 2 : i64})
    -> (tensor<2x3xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected axis 1 of operand #2 to be 1 or 3, got 4}}
  %0 = graph.binary_select %a, %a, %m : (tensor<3xf32>, tensor<3xf32>, tensor<2x4xi1>) -> tensor<2x3xf32>
  graph.return %0 : tensor<2x3xf32>
}

// -----

graph.graph @pointwise_c1_result(%a: tensor<4x3xf32> {graph.uid = 1 : i64})
    -> (tensor<4x1xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{'graph.neg' op expected extents of result 'OUT_0' to be 4x3, got 4x1}}
  %0 = graph.neg %a : (tensor<4x3xf32>) -> tensor<4x1xf32>
  graph.return %0 : tensor<4x1xf32>
}

// -----

graph.graph @pointwise_c1_result_rank(%a: tensor<3xf32> {graph.uid = 1 : i64})
    -> (tensor<1x3xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected extents of result 'OUT_0' to be 3, got 1x3}}
  %0 = graph.neg %a : (tensor<3xf32>) -> tensor<1x3xf32>
  graph.return %0 : tensor<1x3xf32>
}

// -----

!m = tensor<?x3xf32, #graph.layout<symbols = ["M", ""]>>
!n = tensor<?x3xf32, #graph.layout<symbols = ["N", ""]>>
graph.graph @pointwise_c2_symbols(%a: !m {graph.uid = 1 : i64}, %b: !n {graph.uid = 2 : i64})
    -> (!m {graph.uid = 3 : i64}) {
  // expected-error @below {{expected axis 0 of operand #1 to be 1 or ?(M), got ?(N)}}
  %0 = graph.add %a, %b : (!m, !n) -> !m
  graph.return %0 : !m
}

// -----

!m = tensor<?x3xf32, #graph.layout<symbols = ["M", ""]>>
graph.graph @pointwise_c2_static(%a: !m {graph.uid = 1 : i64}, %b: tensor<4x3xf32> {graph.uid = 2 : i64})
    -> (!m {graph.uid = 3 : i64}) {
  // expected-error @below {{expected axis 0 of operand #1 to be 1 or ?(M), got 4}}
  %0 = graph.add %a, %b : (!m, tensor<4x3xf32>) -> !m
  graph.return %0 : !m
}

// -----

!m = tensor<?x3xf32, #graph.layout<symbols = ["M", ""]>>
!n = tensor<?x3xf32, #graph.layout<symbols = ["N", ""]>>
graph.graph @pointwise_c2_result(%a: !m {graph.uid = 1 : i64})
    -> (!n {graph.uid = 3 : i64}) {
  // expected-error @below {{expected extents of result 'OUT_0' to be ?(M)x3, got ?(N)x3}}
  %0 = graph.neg %a : (!m) -> !n
  graph.return %0 : !n
}

// -----

graph.graph @pointwise_c3_float(%a: tensor<4xi32> {graph.uid = 1 : i64})
    -> (tensor<4xi32> {graph.uid = 3 : i64}) {
  // expected-error @below {{'graph.exp' op expected compute type to be one of f16, bf16, f32, f64, got 'i32'}}
  %0 = graph.exp %a {compute_type = i32} : (tensor<4xi32>) -> tensor<4xi32>
  graph.return %0 : tensor<4xi32>
}

// -----

graph.graph @pointwise_c3_storage_type(%a: tensor<4xf8E4M3FN> {graph.uid = 1 : i64})
    -> (tensor<4xf8E4M3FN> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected compute type to be one of f16, bf16, f32, f64, got 'f8E4M3FN'}}
  %0 = graph.exp %a {compute_type = f8E4M3FN} : (tensor<4xf8E4M3FN>) -> tensor<4xf8E4M3FN>
  graph.return %0 : tensor<4xf8E4M3FN>
}

// -----

graph.graph @pointwise_c3_number(%a: tensor<4xi1> {graph.uid = 1 : i64})
    -> (tensor<4xi1> {graph.uid = 3 : i64}) {
  // expected-error @below {{'graph.add' op expected compute type to be one of f16, bf16, f32, f64, i32, i64, got 'i1'}}
  %0 = graph.add %a, %a {compute_type = i1} : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  graph.return %0 : tensor<4xi1>
}

// -----

// The graph's compute type counts where an op has none.
graph.graph @pointwise_c3_graph_default(%a: tensor<4xi32> {graph.uid = 1 : i64})
    -> (tensor<4xi32> {graph.uid = 3 : i64}) attributes {compute_type = i64} {
  // expected-error @below {{'graph.relu' op expected compute type to be one of f16, bf16, f32, f64, got 'i64'}}
  %0 = graph.relu %a : (tensor<4xi32>) -> tensor<4xi32>
  graph.return %0 : tensor<4xi32>
}

// -----

graph.graph @pointwise_c3_any(%a: tensor<4xi8> {graph.uid = 1 : i64})
    -> (tensor<4xi1> {graph.uid = 3 : i64}) {
  // expected-error @below {{'graph.cmp_eq' op expected compute type to be one of f16, bf16, f32, f64, i32, i64, i1, got 'i8'}}
  %0 = graph.cmp_eq %a, %a {compute_type = i8} : (tensor<4xi8>, tensor<4xi8>) -> tensor<4xi1>
  graph.return %0 : tensor<4xi1>
}

// -----

graph.graph @pointwise_c4_rank(%a: tensor<4x8xf32> {graph.uid = 1 : i64})
    -> (tensor<4x8xi32> {graph.uid = 3 : i64}) {
  // expected-error @below {{'graph.gen_index' op expected 'axis' to be at least 0 and less than the rank 2, got 2}}
  %0 = graph.gen_index %a {axis = 2 : i64} : (tensor<4x8xf32>) -> tensor<4x8xi32>
  graph.return %0 : tensor<4x8xi32>
}

// -----

graph.graph @pointwise_c4_negative(%a: tensor<4x8xf32> {graph.uid = 1 : i64})
    -> (tensor<4x8xi32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'axis' to be at least 0 and less than the rank 2, got -1}}
  %0 = graph.gen_index %a {axis = -1 : i64} : (tensor<4x8xf32>) -> tensor<4x8xi32>
  graph.return %0 : tensor<4x8xi32>
}

// -----

graph.graph @pointwise_c5_integer(%a: tensor<4xi32> {graph.uid = 1 : i64})
    -> (tensor<4xi32> {graph.uid = 3 : i64}) {
  %zero = graph.constant 0 : i32 : tensor<1xi32>
  // expected-error @below {{'graph.div' op expected a divisor other than 0 in compute type 'i32', got the constant 0 : i32}}
  %0 = graph.div %a, %zero {compute_type = i32} : (tensor<4xi32>, tensor<1xi32>) -> tensor<4xi32>
  graph.return %0 : tensor<4xi32>
}

// -----

graph.graph @pointwise_c5_fraction(%a: tensor<4xi32> {graph.uid = 1 : i64})
    -> (tensor<4xi32> {graph.uid = 3 : i64}) {
  %half = graph.constant 5.000000e-01 : f32 : tensor<1xf32>
  // expected-error @below {{'graph.mod' op expected a divisor other than 0 in compute type 'i64', got the constant 5.000000e-01 : f32}}
  %0 = graph.mod %a, %half {compute_type = i64} : (tensor<4xi32>, tensor<1xf32>) -> tensor<4xi32>
  graph.return %0 : tensor<4xi32>
}

// -----

// In floating point the quotient is defined.
graph.graph @pointwise_c5_float(%a: tensor<4xi32> {graph.uid = 1 : i64})
    -> (tensor<4xf32> {graph.uid = 3 : i64}) {
  %zero = graph.constant 0 : i32 : tensor<1xi32>
  %0 = graph.div %a, %zero : (tensor<4xi32>, tensor<1xi32>) -> tensor<4xf32>
  graph.return %0 : tensor<4xf32>
}

// -----

graph.graph @pointwise_c6_nan(%a: tensor<4xf32> {graph.uid = 1 : i64})
    -> (tensor<4xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{'graph.relu' op expected 'upper_clip' to be a number, got nan}}
  %0 = graph.relu %a {upper_clip = 0x7FF8000000000000 : f64} : (tensor<4xf32>) -> tensor<4xf32>
  graph.return %0 : tensor<4xf32>
}

// -----

graph.graph @pointwise_c6_infinite(%a: tensor<4xf32> {graph.uid = 1 : i64})
    -> (tensor<4xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{'graph.swish' op expected 'swish_beta' to be finite, got INF}}
  %0 = graph.swish %a {swish_beta = 0x7FF0000000000000 : f64} : (tensor<4xf32>) -> tensor<4xf32>
  graph.return %0 : tensor<4xf32>
}

// -----

graph.graph @pointwise_c6_beta(%a: tensor<4xf32> {graph.uid = 1 : i64})
    -> (tensor<4xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{'graph.softplus' op expected 'beta' to be other than 0, got 0}}
  %0 = graph.softplus %a {beta = -0.0 : f64} : (tensor<4xf32>) -> tensor<4xf32>
  graph.return %0 : tensor<4xf32>
}

// -----

graph.graph @pointwise_c6_clips(%a: tensor<4xf32> {graph.uid = 1 : i64})
    -> (tensor<4xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{'graph.relu_backward' op expected 'lower_clip' to be at most 'upper_clip' (}}
  %0 = graph.relu_backward %a, %a {lower_clip = 2.0 : f64, upper_clip = 1.0 : f64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  graph.return %0 : tensor<4xf32>
}

// -----

graph.graph @result_symbol(%a: tensor<4x3xf32> {graph.uid = 1 : i64})
    -> (tensor<4x3xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{'graph.neg' op expected a symbol for the dynamic extent of axis 0, got none}}
  %0 = graph.neg %a : (tensor<4x3xf32>) -> tensor<?x3xf32>
  %1 = graph.neg %a : (tensor<4x3xf32>) -> tensor<4x3xf32>
  graph.return %1 : tensor<4x3xf32>
}

// -----

graph.graph @element_type(%a: tensor<4xf32> {graph.uid = 1 : i64})
    -> (tensor<4xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{'graph.neg' op result #0 must be ranked tensor of graph element type values, but got 'tensor<4xi16>'}}
  %0 = graph.neg %a : (tensor<4xf32>) -> tensor<4xi16>
  %1 = graph.neg %0 : (tensor<4xi16>) -> tensor<4xf32>
  graph.return %1 : tensor<4xf32>
}

// -----

graph.graph @unranked(%a: tensor<4xf32> {graph.uid = 1 : i64})
    -> (tensor<4xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{'graph.neg' op result #0 must be ranked tensor of graph element type values, but got 'tensor<*xf32>'}}
  %0 = graph.neg %a : (tensor<4xf32>) -> tensor<*xf32>
  %1 = graph.neg %a : (tensor<4xf32>) -> tensor<4xf32>
  graph.return %1 : tensor<4xf32>
}
