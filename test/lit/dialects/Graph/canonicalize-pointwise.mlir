// RUN: graph-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: graph.graph @identity_of_the_same_type
graph.graph @identity_of_the_same_type(%x: tensor<4xf16> {graph.uid = 1 : i64})
    -> (tensor<4xf16> {graph.uid = 2 : i64}) {
  // CHECK-NEXT: %[[Y:.+]] = graph.exp %{{.+}}
  // CHECK-NEXT: graph.return %[[Y]]
  %0 = graph.identity %x : (tensor<4xf16>) -> tensor<4xf16>
  %1 = graph.exp %0 : (tensor<4xf16>) -> tensor<4xf16>
  graph.return %1 : tensor<4xf16>
}

// A compute type that does not hold every value rounds.
// CHECK-LABEL: graph.graph @identity_that_rounds
graph.graph @identity_that_rounds(%x: tensor<4xf32> {graph.uid = 1 : i64},
                                  %n: tensor<4xi32> {graph.uid = 2 : i64},
                                  %b: tensor<4xbf16> {graph.uid = 3 : i64})
    -> (tensor<4xf32> {graph.uid = 4 : i64}) {
  // CHECK-COUNT-3: graph.identity
  %0 = graph.identity %x {compute_type = f16} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = graph.identity %n : (tensor<4xi32>) -> tensor<4xi32>
  %2 = graph.identity %b {compute_type = f16} : (tensor<4xbf16>) -> tensor<4xbf16>
  %3 = graph.add %0, %1 : (tensor<4xf32>, tensor<4xi32>) -> tensor<4xf32>
  %4 = graph.add %3, %2 : (tensor<4xf32>, tensor<4xbf16>) -> tensor<4xf32>
  graph.return %4 : tensor<4xf32>
}

// A store to e5m2 saturates infinities.
// CHECK-LABEL: graph.graph @identity_of_e5m2
graph.graph @identity_of_e5m2(%x: tensor<4xf8E5M2> {graph.uid = 1 : i64})
    -> (tensor<4xf32> {graph.uid = 2 : i64}) {
  // CHECK: graph.identity
  %0 = graph.identity %x : (tensor<4xf8E5M2>) -> tensor<4xf8E5M2>
  %1 = graph.exp %0 : (tensor<4xf8E5M2>) -> tensor<4xf32>
  graph.return %1 : tensor<4xf32>
}

// A cast is a rounding point, and a copy to another layout is a copy.
// CHECK-LABEL: graph.graph @casts_and_copies_stay
graph.graph @casts_and_copies_stay(%x: tensor<4x8xf32> {graph.uid = 1 : i64})
    -> (tensor<4x8xf32> {graph.uid = 2 : i64}) {
  // CHECK-COUNT-3: graph.identity
  %0 = graph.identity %x : (tensor<4x8xf32>) -> tensor<4x8xbf16>
  %1 = graph.identity %0 : (tensor<4x8xbf16>) -> tensor<4x8xf32>
  %2 = graph.identity %1 : (tensor<4x8xf32>) -> tensor<4x8xf32, #graph.layout<strides = [1, 4]>>
  %3 = graph.exp %2 : (tensor<4x8xf32, #graph.layout<strides = [1, 4]>>) -> tensor<4x8xf32>
  graph.return %3 : tensor<4x8xf32>
}

// A graph does not return its argument, nor one value twice.
// CHECK-LABEL: graph.graph @returned_values_stay
graph.graph @returned_values_stay(%x: tensor<4xf32> {graph.uid = 1 : i64})
    -> (tensor<4xf32> {graph.uid = 2 : i64}, tensor<4xf32> {graph.uid = 3 : i64}) {
  // CHECK-COUNT-2: graph.identity
  %0 = graph.identity %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = graph.identity %0 : (tensor<4xf32>) -> tensor<4xf32>
  graph.return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: graph.graph @neg_of_neg
graph.graph @neg_of_neg(%x: tensor<4xf32> {graph.uid = 1 : i64})
    -> (tensor<4xf32> {graph.uid = 2 : i64}) {
  // CHECK-NOT: graph.neg
  // CHECK: graph.exp
  %0 = graph.neg %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = graph.neg %0 : (tensor<4xf32>) -> tensor<4xf32>
  %2 = graph.exp %1 : (tensor<4xf32>) -> tensor<4xf32>
  graph.return %2 : tensor<4xf32>
}

// -(-128) saturates to 127 when it is computed in f32, and wraps in i32.
// CHECK-LABEL: graph.graph @neg_of_neg_on_integers
graph.graph @neg_of_neg_on_integers(%x: tensor<4xi8> {graph.uid = 1 : i64})
    -> (tensor<4xf32> {graph.uid = 2 : i64}) {
  // CHECK-NEXT: %[[A:.+]] = graph.neg %[[X:.+]] : (tensor<4xi8>)
  // CHECK-NEXT: %[[B:.+]] = graph.neg %[[A]]
  // CHECK-NEXT: graph.add %[[B]], %[[X]]
  %0 = graph.neg %x : (tensor<4xi8>) -> tensor<4xi8>
  %1 = graph.neg %0 : (tensor<4xi8>) -> tensor<4xi8>
  %2 = graph.neg %x {compute_type = i32} : (tensor<4xi8>) -> tensor<4xi8>
  %3 = graph.neg %2 {compute_type = i32} : (tensor<4xi8>) -> tensor<4xi8>
  %4 = graph.add %1, %3 : (tensor<4xi8>, tensor<4xi8>) -> tensor<4xf32>
  graph.return %4 : tensor<4xf32>
}

// CHECK-LABEL: graph.graph @not_of_not
graph.graph @not_of_not(%m: tensor<4xi1> {graph.uid = 1 : i64},
                        %x: tensor<4xf32> {graph.uid = 2 : i64})
    -> (tensor<4xf32> {graph.uid = 3 : i64}) {
  // CHECK-NEXT: graph.binary_select
  %0 = graph.logical_not %m : (tensor<4xi1>) -> tensor<4xi8>
  %1 = graph.logical_not %0 : (tensor<4xi8>) -> tensor<4xi1>
  %2 = graph.binary_select %x, %x, %1 : (tensor<4xf32>, tensor<4xf32>, tensor<4xi1>) -> tensor<4xf32>
  graph.return %2 : tensor<4xf32>
}

// not(not(x)) of a number is 0 or 1, not x.
// CHECK-LABEL: graph.graph @not_of_not_of_a_number
graph.graph @not_of_not_of_a_number(%x: tensor<4xf32> {graph.uid = 2 : i64})
    -> (tensor<4xf32> {graph.uid = 3 : i64}) {
  // CHECK-COUNT-2: graph.logical_not
  %0 = graph.logical_not %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = graph.logical_not %0 : (tensor<4xf32>) -> tensor<4xf32>
  %2 = graph.exp %1 : (tensor<4xf32>) -> tensor<4xf32>
  graph.return %2 : tensor<4xf32>
}

// CHECK-LABEL: graph.graph @times_one
graph.graph @times_one(%x: tensor<4x8xf32> {graph.uid = 1 : i64})
    -> (tensor<4x8xf32> {graph.uid = 2 : i64}) {
  // CHECK-NEXT: %[[Y:.+]] = graph.exp
  // CHECK-NEXT: graph.return %[[Y]]
  %one = graph.constant 1.0 : f32 : tensor<1x1xf32>
  %0 = graph.mul %x, %one : (tensor<4x8xf32>, tensor<1x1xf32>) -> tensor<4x8xf32>
  %1 = graph.mul %one, %0 : (tensor<1x1xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = graph.scale %1, %one : (tensor<4x8xf32>, tensor<1x1xf32>) -> tensor<4x8xf32>
  %3 = graph.div %2, %one : (tensor<4x8xf32>, tensor<1x1xf32>) -> tensor<4x8xf32>
  %4 = graph.exp %3 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  graph.return %4 : tensor<4x8xf32>
}

// x + 0 is not x: it turns -0 into +0.
// CHECK-LABEL: graph.graph @plus_zero_stays
graph.graph @plus_zero_stays(%x: tensor<4x8xf32> {graph.uid = 1 : i64})
    -> (tensor<4x8xf32> {graph.uid = 2 : i64}) {
  // CHECK: graph.add
  %zero = graph.constant 0.0 : f32 : tensor<1x1xf32>
  %0 = graph.add %x, %zero : (tensor<4x8xf32>, tensor<1x1xf32>) -> tensor<4x8xf32>
  %1 = graph.exp %0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  graph.return %1 : tensor<4x8xf32>
}

// CHECK-LABEL: graph.graph @exact_constants
graph.graph @exact_constants(%x: tensor<4xf32> {graph.uid = 1 : i64})
    -> (tensor<4xf32> {graph.uid = 2 : i64}) {
  // (1.5 * 2 - 0.5) + (-1) = 1.5
  // CHECK-NEXT: %[[C:.+]] = graph.constant 1.500000e+00 : f32 : tensor<1xf32>
  // CHECK-NEXT: graph.mul %{{.+}}, %[[C]]
  %a = graph.constant 1.5 : f32 : tensor<1xf32>
  %b = graph.constant 2.0 : f16 : tensor<1xf16>
  %c = graph.constant 0.5 : f32 : tensor<1xf32>
  %d = graph.constant 1.0 : f32 : tensor<1xf32>
  %0 = graph.mul %a, %b : (tensor<1xf32>, tensor<1xf16>) -> tensor<1xbf16>
  %1 = graph.sub %0, %c : (tensor<1xbf16>, tensor<1xf32>) -> tensor<1xf32>
  %2 = graph.neg %d : (tensor<1xf32>) -> tensor<1xf32>
  %3 = graph.add %1, %2 : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %4 = graph.mul %x, %3 : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  graph.return %4 : tensor<4xf32>
}

// CHECK-LABEL: graph.graph @rounding_constants_stay
graph.graph @rounding_constants_stay(%x: tensor<4xf32> {graph.uid = 1 : i64})
    -> (tensor<4xf32> {graph.uid = 2 : i64}) {
  %a = graph.constant 1.0000001 : f32 : tensor<1xf32>
  %big = graph.constant 3.0e+38 : f32 : tensor<1xf32>
  // CHECK: graph.mul
  %0 = graph.mul %a, %a : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  // CHECK: graph.identity
  %1 = graph.identity %a : (tensor<1xf32>) -> tensor<1xbf16>
  // CHECK: graph.add
  %2 = graph.add %big, %big : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %3 = graph.add %0, %1 : (tensor<1xf32>, tensor<1xbf16>) -> tensor<1xf32>
  %4 = graph.add %2, %3 : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %5 = graph.mul %x, %4 : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  graph.return %5 : tensor<4xf32>
}
