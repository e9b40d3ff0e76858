// RUN: graph-opt %s | graph-opt | FileCheck %s
// RUN: graph-opt %s --mlir-print-op-generic | graph-opt | FileCheck %s
//
// Each op's plain form is the example on its page (doc-examples.test); here are
// the forms that those do not have.

// CHECK-LABEL: graph.graph @broadcast_both_ways
graph.graph @broadcast_both_ways(%a: tensor<4x1x8xf32> {graph.uid = 1 : i64},
                                 %b: tensor<3x8xf16> {graph.uid = 2 : i64})
    -> (tensor<4x3x8xbf16> {graph.uid = 3 : i64}) {
  // CHECK: graph.add %{{.+}}, %{{.+}} : (tensor<4x1x8xf32>, tensor<3x8xf16>) -> tensor<4x3x8xbf16>
  %0 = graph.add %a, %b : (tensor<4x1x8xf32>, tensor<3x8xf16>) -> tensor<4x3x8xbf16>
  graph.return %0 : tensor<4x3x8xbf16>
}

// CHECK-LABEL: graph.graph @scalars_broadcast
graph.graph @scalars_broadcast(%a: tensor<f32> {graph.uid = 1 : i64, graph.by_value},
                               %b: tensor<4x8xf32> {graph.uid = 2 : i64})
    -> (tensor<4x8xf32> {graph.uid = 3 : i64}) {
  // CHECK: graph.sub %{{.+}}, %{{.+}} : (tensor<f32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %0 = graph.sub %a, %b : (tensor<f32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  graph.return %0 : tensor<4x8xf32>
}

// A static 1 broadcasts to a symbol; equal symbols match.
// CHECK-LABEL: graph.graph @symbols
!m = tensor<?x8xf32, #graph.layout<symbols = ["M", ""]>>
graph.graph @symbols(%a: !m {graph.uid = 1 : i64}, %b: !m {graph.uid = 2 : i64},
                     %c: tensor<1x8xf32> {graph.uid = 3 : i64})
    -> (!m {graph.uid = 4 : i64}) {
  // CHECK: graph.mul
  %0 = graph.mul %a, %b : (!m, !m) -> !m
  // CHECK: graph.max
  %1 = graph.max %c, %0 : (tensor<1x8xf32>, !m) -> !m
  graph.return %1 : !m
}

// CHECK-LABEL: graph.graph @no_elements
graph.graph @no_elements(%a: tensor<0x8xf32> {graph.uid = 1 : i64},
                         %b: tensor<1x8xf32> {graph.uid = 2 : i64})
    -> (tensor<0x8xf32> {graph.uid = 3 : i64}) {
  // CHECK: graph.add %{{.+}}, %{{.+}} : (tensor<0x8xf32>, tensor<1x8xf32>) -> tensor<0x8xf32>
  %0 = graph.add %a, %b : (tensor<0x8xf32>, tensor<1x8xf32>) -> tensor<0x8xf32>
  graph.return %0 : tensor<0x8xf32>
}

// CHECK-LABEL: graph.graph @every_element_type
graph.graph @every_element_type(%a: tensor<4xf8E4M3FN> {graph.uid = 1 : i64})
    -> (tensor<4xf64> {graph.uid = 3 : i64}) {
  %0 = graph.identity %a : (tensor<4xf8E4M3FN>) -> tensor<4xf8E5M2>
  %1 = graph.identity %0 : (tensor<4xf8E5M2>) -> tensor<4xbf16>
  %2 = graph.identity %1 : (tensor<4xbf16>) -> tensor<4xf16>
  %3 = graph.identity %2 : (tensor<4xf16>) -> tensor<4xi1>
  %4 = graph.identity %3 : (tensor<4xi1>) -> tensor<4xi8>
  %5 = graph.identity %4 : (tensor<4xi8>) -> tensor<4xui8>
  %6 = graph.identity %5 : (tensor<4xui8>) -> tensor<4xi32>
  %7 = graph.identity %6 {compute_type = i64} : (tensor<4xi32>) -> tensor<4xi64>
  %8 = graph.identity %7 {compute_type = f64} : (tensor<4xi64>) -> tensor<4xf64>
  graph.return %8 : tensor<4xf64>
}

// CHECK-LABEL: graph.graph @compute_types
graph.graph @compute_types(%a: tensor<4xi32> {graph.uid = 1 : i64},
                           %x: tensor<4xf32> {graph.uid = 2 : i64})
    -> (tensor<4xf32> {graph.uid = 3 : i64}) attributes {compute_type = i32} {
  // CHECK: graph.mod
  %0 = graph.mod %a, %a : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  // A comparison in booleans compares the numbers.
  // CHECK: graph.cmp_lt %{{.+}}, %{{.+}} {compute_type = i1}
  %1 = graph.cmp_lt %0, %a {compute_type = i1} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  // CHECK: graph.binary_select
  %2 = graph.binary_select %x, %x, %1 : (tensor<4xf32>, tensor<4xf32>, tensor<4xi32>) -> tensor<4xf32>
  // CHECK: graph.exp %{{.+}} {compute_type = f64}
  %3 = graph.exp %2 {compute_type = f64} : (tensor<4xf32>) -> tensor<4xf32>
  graph.return %3 : tensor<4xf32>
}

// Defaults are not printed.
// CHECK-LABEL: graph.graph @attributes
graph.graph @attributes(%a: tensor<4xf32> {graph.uid = 1 : i64})
    -> (tensor<4xf32> {graph.uid = 3 : i64}) {
  // CHECK: graph.relu %{{[^ ]+}} : (tensor<4xf32>)
  %0 = graph.relu %a {negative_slope = 0.0 : f64, lower_clip = 0.0 : f64} : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: graph.relu %{{.+}} {lower_clip = 0xFFF0000000000000 : f64, negative_slope = 2.000000e+00 : f64, upper_clip = 6.000000e+00 : f64}
  %1 = graph.relu %0 {lower_clip = 0xFFF0000000000000 : f64, negative_slope = 2.0 : f64, upper_clip = 6.0 : f64} : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: graph.elu %{{[^ ]+}} : (tensor<4xf32>)
  %2 = graph.elu %1 {alpha = 1.0 : f64} : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: graph.swish %{{.+}} {swish_beta = 0.000000e+00 : f64}
  %3 = graph.swish %2 {swish_beta = 0.0 : f64} : (tensor<4xf32>) -> tensor<4xf32>
  graph.return %3 : tensor<4xf32>
}
