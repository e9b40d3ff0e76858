// RUN: graph-opt %s --split-input-file --verify-diagnostics

graph.graph @reduction_c1(%x: tensor<4x8xf32> {graph.uid = 1 : i64})
    -> (tensor<4xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected 'Y' to have the rank of 'X' (2), got 1}}
  %0 = graph.reduction add %x : (tensor<4x8xf32>) -> tensor<4xf32>
  graph.return %0 : tensor<4xf32>
}

// -----

graph.graph @reduction_c2(%x: tensor<4x8xf32> {graph.uid = 1 : i64})
    -> (tensor<4x2xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected dim 1 of 'Y' to be 1 or that of 'X' (8), got 2}}
  %0 = graph.reduction add %x : (tensor<4x8xf32>) -> tensor<4x2xf32>
  graph.return %0 : tensor<4x2xf32>
}

// -----

!x = tensor<?x8xf32, #graph.layout<symbols = ["M", ""]>>
!y = tensor<?x1xf32, #graph.layout<symbols = ["N", ""]>>
graph.graph @reduction_c2_symbols(%x: !x {graph.uid = 1 : i64})
    -> (!y {graph.uid = 2 : i64}) {
  // expected-error @below {{expected dim 0 of 'Y' to be 1 or that of 'X' (?(M)), got ?(N)}}
  %0 = graph.reduction add %x : (!x) -> !y
  graph.return %0 : !y
}

// -----

graph.graph @reduction_c3(%x: tensor<4x8xi32> {graph.uid = 1 : i64})
    -> (tensor<4x1xi32> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected a floating-point compute type, got 'i32'}}
  %0 = graph.reduction avg %x {compute_type = i32}
      : (tensor<4x8xi32>) -> tensor<4x1xi32>
  graph.return %0 : tensor<4x1xi32>
}

// -----

graph.graph @reduction_c4(%x: tensor<4x8xi1> {graph.uid = 1 : i64})
    -> (tensor<4x1xi1> {graph.uid = 2 : i64}) {
  // expected-error @below {{expected compute type to be a number that is computed in, got 'i1'}}
  %0 = graph.reduction max %x {compute_type = i1}
      : (tensor<4x8xi1>) -> tensor<4x1xi1>
  graph.return %0 : tensor<4x1xi1>
}

// -----

graph.graph @reduction_c5(
    %x: tensor<1x20x8xf32> {graph.uid = 1 : i64}, %g: tensor<4xi8> {graph.uid = 2 : i64})
    -> (tensor<3x1x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'GROUP_OFFSET' to be i32 or i64, got 'i8'}}
  %0 = graph.reduction add %x group_offset %g
      : (tensor<1x20x8xf32>, tensor<4xi8>) -> tensor<3x1x8xf32>
  graph.return %0 : tensor<3x1x8xf32>
}

// -----

graph.graph @reduction_c5_axes(
    %x: tensor<1x20x8xf32> {graph.uid = 1 : i64}, %g: tensor<2x2xi32> {graph.uid = 2 : i64})
    -> (tensor<3x1x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'GROUP_OFFSET' to have elements along one axis, a known number of at least 1, got 2x2}}
  %0 = graph.reduction add %x group_offset %g
      : (tensor<1x20x8xf32>, tensor<2x2xi32>) -> tensor<3x1x8xf32>
  graph.return %0 : tensor<3x1x8xf32>
}

// -----

graph.graph @reduction_c5_empty(
    %x: tensor<1x20x8xf32> {graph.uid = 1 : i64}, %g: tensor<0xi32> {graph.uid = 2 : i64})
    -> (tensor<3x1x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'GROUP_OFFSET' to have elements along one axis, a known number of at least 1, got 0}}
  %0 = graph.reduction add %x group_offset %g
      : (tensor<1x20x8xf32>, tensor<0xi32>) -> tensor<3x1x8xf32>
  graph.return %0 : tensor<3x1x8xf32>
}

// -----

graph.graph @reduction_c6(
    %x: tensor<2x20x8xf32> {graph.uid = 1 : i64}, %g: tensor<4xi32> {graph.uid = 2 : i64})
    -> (tensor<3x1x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'X' with 'GROUP_OFFSET' to be 1xTxN, got 2x20x8}}
  %0 = graph.reduction add %x group_offset %g
      : (tensor<2x20x8xf32>, tensor<4xi32>) -> tensor<3x1x8xf32>
  graph.return %0 : tensor<3x1x8xf32>
}

// -----

graph.graph @reduction_c6_rank(
    %x: tensor<20x8xf32> {graph.uid = 1 : i64}, %g: tensor<4xi32> {graph.uid = 2 : i64})
    -> (tensor<3x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'X' with 'GROUP_OFFSET' to be 1xTxN, got 20x8}}
  %0 = graph.reduction add %x group_offset %g
      : (tensor<20x8xf32>, tensor<4xi32>) -> tensor<3x8xf32>
  graph.return %0 : tensor<3x8xf32>
}

// -----

graph.graph @reduction_c6_count(
    %x: tensor<1x20x8xf32> {graph.uid = 1 : i64}, %g: tensor<4xi32> {graph.uid = 2 : i64})
    -> (tensor<4x1x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'Y' with 3 groups to be 3x1x8 or 3x1x1, got 4x1x8}}
  %0 = graph.reduction add %x group_offset %g
      : (tensor<1x20x8xf32>, tensor<4xi32>) -> tensor<4x1x8xf32>
  graph.return %0 : tensor<4x1x8xf32>
}

// -----

graph.graph @reduction_c6_rows(
    %x: tensor<1x20x8xf32> {graph.uid = 1 : i64}, %g: tensor<4xi32> {graph.uid = 2 : i64})
    -> (tensor<3x20x8xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{expected 'Y' with 3 groups to be 3x1x8 or 3x1x1, got 3x20x8}}
  %0 = graph.reduction add %x group_offset %g
      : (tensor<1x20x8xf32>, tensor<4xi32>) -> tensor<3x20x8xf32>
  graph.return %0 : tensor<3x20x8xf32>
}
