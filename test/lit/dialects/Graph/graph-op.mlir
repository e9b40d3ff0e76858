// RUN: graph-opt %s | graph-opt | FileCheck %s

// CHECK-LABEL: graph.graph @attributes
// CHECK-SAME: {graph.alignment = 64 : i64, graph.name = "x", graph.uid = 1 : i64}
// CHECK-SAME: {graph.by_value, graph.default = 1.000000e+00 : f32, graph.uid = 2 : i64}
// CHECK-SAME: -> (tensor<4x8xf32> {graph.name = "y", graph.uid = 3 : i64})
// CHECK-SAME: attributes {compute_type = f64, dynamic, intermediate_type = f32, io_type = f16}
graph.graph @attributes(
    %x: tensor<4x8xf32> {graph.uid = 1 : i64, graph.name = "x", graph.alignment = 64 : i64},
    %s: tensor<1x1xf32> {graph.uid = 2 : i64, graph.by_value, graph.default = 1.0 : f32})
    -> (tensor<4x8xf32> {graph.uid = 3 : i64, graph.name = "y"})
    attributes {compute_type = f64, intermediate_type = f32, io_type = f16, dynamic} {
  // CHECK: %[[Y:.+]] = graph.mul
  %0 = graph.mul %x, %s : (tensor<4x8xf32>, tensor<1x1xf32>) -> tensor<4x8xf32>
  // CHECK: graph.return %[[Y]]
  graph.return %0 : tensor<4x8xf32>
}

// Names need not be unique, and uids may be any numbers.
// CHECK-LABEL: graph.graph private @several_results
graph.graph private @several_results(%x: tensor<4xf32> {graph.uid = -9223372036854775808 : i64, graph.name = "a"})
    -> (tensor<4xf32> {graph.uid = 0 : i64, graph.name = "a"},
        tensor<4xi1> {graph.uid = 9223372036854775807 : i64, graph.name = "a"}) {
  %0 = graph.neg %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = graph.cmp_lt %x, %0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK: graph.return %{{.+}}, %{{.+}} : tensor<4xf32>, tensor<4xi1>
  graph.return %0, %1 : tensor<4xf32>, tensor<4xi1>
}

// CHECK-LABEL: graph.graph @interleaved_result
!halves = tensor<2x3xf32, #graph.layout<strides = [3, 2]>>
graph.graph @interleaved_result(%x: tensor<2x3xf32> {graph.uid = 1 : i64})
    -> (!halves {graph.uid = 2 : i64}) {
  %0 = graph.neg %x : (tensor<2x3xf32>) -> !halves
  graph.return %0 : !halves
}
