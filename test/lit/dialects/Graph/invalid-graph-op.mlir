// RUN: graph-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{'graph.graph' op expected argument #1 to have a 'graph.uid', got none}}
graph.graph @graph_c1_missing(%x: tensor<4xf32> {graph.uid = 1 : i64}, %y: tensor<4xf32>)
    -> (tensor<4xf32> {graph.uid = 2 : i64}) {
  %0 = graph.add %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  graph.return %0 : tensor<4xf32>
}

// -----

// expected-error @below {{'graph.graph' op expected result #0 to have a 'graph.uid', got none}}
graph.graph @graph_c1_missing_result(%x: tensor<4xf32> {graph.uid = 1 : i64})
    -> tensor<4xf32> {
  %0 = graph.neg %x : (tensor<4xf32>) -> tensor<4xf32>
  graph.return %0 : tensor<4xf32>
}

// -----

// expected-error @below {{'graph.graph' op expected uids to be unique, got 1 for argument #0 and result #0}}
graph.graph @graph_c1_duplicate(%x: tensor<4xf32> {graph.uid = 1 : i64})
    -> (tensor<4xf32> {graph.uid = 1 : i64}) {
  %0 = graph.neg %x : (tensor<4xf32>) -> tensor<4xf32>
  graph.return %0 : tensor<4xf32>
}

// -----

// expected-error @below {{expected uids to be unique, got 9223372036854775807 for argument #0 and result #0}}
graph.graph @graph_c1_largest(%x: tensor<4xf32> {graph.uid = 9223372036854775807 : i64})
    -> (tensor<4xf32> {graph.uid = 9223372036854775807 : i64}) {
  %0 = graph.neg %x : (tensor<4xf32>) -> tensor<4xf32>
  graph.return %0 : tensor<4xf32>
}

// -----

// expected-error @below {{'graph.graph' op expected at least one result, got none}}
graph.graph @graph_c2_no_results(%x: tensor<4xf32> {graph.uid = 1 : i64}) {
  %0 = graph.neg %x : (tensor<4xf32>) -> tensor<4xf32>
  graph.return
}

// -----

// expected-error @below {{'graph.graph' op expected at least one operation, got none}}
graph.graph @graph_c2_no_operations(%x: tensor<4xf32> {graph.uid = 1 : i64})
    -> (tensor<4xf32> {graph.uid = 2 : i64}) {
  graph.return %x : tensor<4xf32>
}

// -----

graph.graph @graph_c3_twice(%x: tensor<4xf32> {graph.uid = 1 : i64})
    -> (tensor<4xf32> {graph.uid = 2 : i64}, tensor<4xf32> {graph.uid = 3 : i64}) {
  %0 = graph.neg %x : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error @below {{'graph.return' op expected every value to be returned once, got the same value as operands #0 and #1}}
  graph.return %0, %0 : tensor<4xf32>, tensor<4xf32>
}

// -----

graph.graph @graph_c3_argument(%x: tensor<4xf32> {graph.uid = 1 : i64})
    -> (tensor<4xf32> {graph.uid = 2 : i64}, tensor<4xf32> {graph.uid = 3 : i64}) {
  %0 = graph.neg %x : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error @below {{'graph.return' op expected operand #1 to be computed by an operation, got an argument of the graph}}
  graph.return %0, %x : tensor<4xf32>, tensor<4xf32>
}

// -----

graph.graph @return_count(%x: tensor<4xf32> {graph.uid = 1 : i64})
    -> (tensor<4xf32> {graph.uid = 2 : i64}) {
  %0 = graph.neg %x : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error @below {{'graph.return' op expected 1 operands, one per result of the graph, got 0}}
  graph.return
}

// -----

graph.graph @return_type(%x: tensor<4xf32> {graph.uid = 1 : i64})
    -> (tensor<4xf32> {graph.uid = 2 : i64}) {
  %0 = graph.neg %x : (tensor<4xf32>) -> tensor<4xf16>
  // expected-error @below {{'graph.return' op expected operand #0 to be of 'tensor<4xf32>', got 'tensor<4xf16>'}}
  graph.return %0 : tensor<4xf16>
}

// -----

// expected-error @below {{'graph.graph' op expected the stride of axis 0 of result #0 (extent 4) to be at least 1, got 0}}
graph.graph @graph_c4_zero_stride(%x: tensor<4x8xf32> {graph.uid = 1 : i64})
    -> (tensor<4x8xf32, #graph.layout<strides = [0, 1]>> {graph.uid = 2 : i64}) {
  %0 = graph.neg %x : (tensor<4x8xf32>) -> tensor<4x8xf32, #graph.layout<strides = [0, 1]>>
  graph.return %0 : tensor<4x8xf32, #graph.layout<strides = [0, 1]>>
}

// -----

// expected-error @below {{'graph.graph' op expected the elements of result #0 to have addresses of their own, got extents 4x8 with strides [4, 1]}}
graph.graph @graph_c4_overlap(%x: tensor<4x8xf32> {graph.uid = 1 : i64})
    -> (tensor<4x8xf32, #graph.layout<strides = [4, 1]>> {graph.uid = 2 : i64}) {
  %0 = graph.neg %x : (tensor<4x8xf32>) -> tensor<4x8xf32, #graph.layout<strides = [4, 1]>>
  graph.return %0 : tensor<4x8xf32, #graph.layout<strides = [4, 1]>>
}

// -----

// expected-error @below {{expected by-value argument #1 to have one element, got extents 1x8}}
graph.graph @graph_c5_elements(%x: tensor<4x8xf32> {graph.uid = 1 : i64},
                               %s: tensor<1x8xf32> {graph.uid = 2 : i64, graph.by_value})
    -> (tensor<4x8xf32> {graph.uid = 3 : i64}) {
  %0 = graph.mul %x, %s : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
  graph.return %0 : tensor<4x8xf32>
}

// -----

!symbol = tensor<?xf32, #graph.layout<symbols = ["M"]>>
// expected-error @below {{expected by-value argument #0 to have one element, got extents ?(M)}}
graph.graph @graph_c5_symbol(%s: !symbol {graph.uid = 2 : i64, graph.by_value})
    -> (!symbol {graph.uid = 3 : i64}) {
  %0 = graph.neg %s : (!symbol) -> !symbol
  graph.return %0 : !symbol
}

// -----

// expected-error @below {{expected by-value argument #0 to take at least a byte, got an element of 'i4'}}
graph.graph @graph_c5_bits(%s: tensor<1xi4> {graph.uid = 2 : i64, graph.by_value})
    -> (tensor<1xi4> {graph.uid = 3 : i64}) {
  %0 = graph.neg %s : (tensor<1xi4>) -> tensor<1xi4>
  graph.return %0 : tensor<1xi4>
}

// -----

// expected-error @below {{expected 'graph.default' of argument #0 to be a value of f8E8M0FNU, which are positive, got -2.000000e+00 : f8E8M0FNU}}
graph.graph @graph_c6_scale(%s: tensor<1xf8E8M0FNU> {graph.uid = 2 : i64, graph.by_value, graph.default = -2.0 : f8E8M0FNU})
    -> (tensor<1xf32> {graph.uid = 3 : i64}) {
  %0 = graph.neg %s : (tensor<1xf8E8M0FNU>) -> tensor<1xf32>
  graph.return %0 : tensor<1xf32>
}

// -----

// expected-error @below {{expected argument #0 with a 'graph.default' to be by value, got a tensor in memory}}
graph.graph @graph_c6_not_by_value(%s: tensor<1xf32> {graph.uid = 2 : i64, graph.default = 1.0 : f32})
    -> (tensor<1xf32> {graph.uid = 3 : i64}) {
  %0 = graph.neg %s : (tensor<1xf32>) -> tensor<1xf32>
  graph.return %0 : tensor<1xf32>
}

// -----

// expected-error @below {{expected 'graph.default' of argument #0 to be of 'f32', got 'f64'}}
graph.graph @graph_c6_type(%s: tensor<1xf32> {graph.uid = 2 : i64, graph.by_value, graph.default = 1.0 : f64})
    -> (tensor<1xf32> {graph.uid = 3 : i64}) {
  %0 = graph.neg %s : (tensor<1xf32>) -> tensor<1xf32>
  graph.return %0 : tensor<1xf32>
}

// -----

// expected-error @below {{'graph.graph' op argument #0: expected a ranked tensor of a graph element type, got 'tensor<4xi16>'}}
graph.graph @graph_c7_element_type(%x: tensor<4xi16> {graph.uid = 1 : i64})
    -> (tensor<4xf32> {graph.uid = 2 : i64}) {
  %0 = graph.neg %x : (tensor<4xi16>) -> tensor<4xf32>
  graph.return %0 : tensor<4xf32>
}

// -----

// expected-error @below {{'graph.graph' op argument #0: expected a symbol for the dynamic extent of axis 1, got none}}
graph.graph @graph_c7_symbol(%x: tensor<4x?xf32> {graph.uid = 1 : i64})
    -> (tensor<4x?xf32> {graph.uid = 2 : i64}) {
  %0 = graph.neg %x : (tensor<4x?xf32>) -> tensor<4x?xf32>
  graph.return %0 : tensor<4x?xf32>
}

// -----

// expected-error @below {{'graph.graph' op argument #0: expected the elements of 4294967296x4294967296 with strides [4294967296, 1] to span less than 2^60 bits, got more}}
graph.graph @graph_c7_span(%x: tensor<4294967296x4294967296xf32> {graph.uid = 1 : i64})
    -> (tensor<4294967296x4294967296xf32> {graph.uid = 2 : i64}) {
  %0 = graph.neg %x : (tensor<4294967296x4294967296xf32>) -> tensor<4294967296x4294967296xf32>
  graph.return %0 : tensor<4294967296x4294967296xf32>
}

// -----

// A type without an encoding is checked by the graph.
// expected-error @below {{'graph.graph' op argument #0: expected the extent of axis 1, along which elements of f4E2M1FN lie two per byte, to be known and even, got 3}}
graph.graph @graph_c7_halves(%x: tensor<4x3xf4E2M1FN> {graph.uid = 1 : i64})
    -> (tensor<4x3xf32> {graph.uid = 2 : i64}) {
  %0 = graph.neg %x : (tensor<4x3xf4E2M1FN>) -> tensor<4x3xf32>
  graph.return %0 : tensor<4x3xf32>
}

// -----

#map = affine_map<(d0, d1) -> (d0, d1)>
// expected-error @below {{to be a #graph.layout}}
graph.graph @graph_c7_encoding(%x: tensor<4x8xf32, #map> {graph.uid = 1 : i64})
    -> (tensor<4x8xf32> {graph.uid = 2 : i64}) {
  %0 = graph.neg %x : (tensor<4x8xf32, #map>) -> tensor<4x8xf32>
  graph.return %0 : tensor<4x8xf32>
}

// -----

// expected-error @below {{'graph.graph' op expected 'compute_type' to be one of f16, bf16, f32, f64, i32, i64, i1, got 'i8'}}
graph.graph @graph_c8_compute_type(%x: tensor<4xf32> {graph.uid = 1 : i64})
    -> (tensor<4xf32> {graph.uid = 2 : i64}) attributes {compute_type = i8} {
  %0 = graph.neg %x : (tensor<4xf32>) -> tensor<4xf32>
  graph.return %0 : tensor<4xf32>
}

// -----

// expected-error @below {{'graph.graph' op expected 'io_type' to be a graph element type, got 'i16'}}
graph.graph @graph_c8_io_type(%x: tensor<4xf32> {graph.uid = 1 : i64})
    -> (tensor<4xf32> {graph.uid = 2 : i64}) attributes {io_type = i16} {
  %0 = graph.neg %x : (tensor<4xf32>) -> tensor<4xf32>
  graph.return %0 : tensor<4xf32>
}

// -----

graph.graph @foreign_operation(%x: tensor<4xf32> {graph.uid = 1 : i64})
    -> (tensor<4xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{'arith.negf' op expected an operation of the graph dialect inside 'graph.graph'}}
  %0 = arith.negf %x : tensor<4xf32>
  graph.return %0 : tensor<4xf32>
}

// -----

// expected-error @below {{expected attribute 'graph.uid' to be an i64, got 1 : i32}}
graph.graph @uid_type(%x: tensor<4xf32> {graph.uid = 1 : i32})
    -> (tensor<4xf32> {graph.uid = 2 : i64}) {
  %0 = graph.neg %x : (tensor<4xf32>) -> tensor<4xf32>
  graph.return %0 : tensor<4xf32>
}

// -----

// expected-error @below {{expected attribute 'graph.alignment' to be an i64 power of two up to 4096, got 24 : i64}}
graph.graph @alignment(%x: tensor<4xf32> {graph.uid = 1 : i64, graph.alignment = 24 : i64})
    -> (tensor<4xf32> {graph.uid = 2 : i64}) {
  %0 = graph.neg %x : (tensor<4xf32>) -> tensor<4xf32>
  graph.return %0 : tensor<4xf32>
}

// -----

// expected-error @below {{unknown result attribute 'graph.by_value'}}
graph.graph @result_attribute(%x: tensor<4xf32> {graph.uid = 1 : i64})
    -> (tensor<4xf32> {graph.uid = 2 : i64, graph.by_value}) {
  %0 = graph.neg %x : (tensor<4xf32>) -> tensor<4xf32>
  graph.return %0 : tensor<4xf32>
}
