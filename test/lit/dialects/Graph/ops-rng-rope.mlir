// RUN: graph-opt %s | graph-opt | FileCheck %s

// CHECK-LABEL: graph.graph @mask
graph.graph @mask(
    %seed: tensor<1xi64> {graph.uid = 1 : i64}, %offset: tensor<1x1xi32> {graph.uid = 2 : i64})
    -> (tensor<4x8xi1> {graph.uid = 3 : i64}) {
  // CHECK: graph.rng bernoulli seed %{{.+}} offset %{{.+}} {probability = 2.500000e-01 : f64} :
  %y = graph.rng bernoulli seed %seed offset %offset {probability = 0.25 : f64}
      : (tensor<1xi64>, tensor<1x1xi32>) -> tensor<4x8xi1>
  graph.return %y : tensor<4x8xi1>
}

// CHECK-LABEL: graph.graph @fixed_seed
graph.graph @fixed_seed(
    %offset: tensor<1xi64> {graph.uid = 1 : i64})
    -> (tensor<4x8xf16> {graph.uid = 2 : i64}) {
  // CHECK: graph.rng uniform offset %{{.+}} {seed_value = -3 : i64} :
  %y = graph.rng uniform offset %offset {seed_value = -3 : i64}
      : (tensor<1xi64>) -> tensor<4x8xf16>
  graph.return %y : tensor<4x8xf16>
}

// CHECK-LABEL: graph.graph @normal
graph.graph @normal(
    %seed: tensor<1xi64> {graph.uid = 1 : i64})
    -> (tensor<0x8xf32> {graph.uid = 2 : i64}) {
  // CHECK: graph.rng normal seed %
  %y = graph.rng normal seed %seed
      : (tensor<1xi64>) -> tensor<0x8xf32>
  graph.return %y : tensor<0x8xf32>
}

// CHECK-LABEL: graph.graph @no_operands
graph.graph @no_operands() -> (tensor<3x5xf32> {graph.uid = 1 : i64}) {
  // CHECK: graph.rng uniform {seed_value = 5 : i64} : () -> tensor<3x5xf32>
  %y = graph.rng uniform {seed_value = 5 : i64} : () -> tensor<3x5xf32>
  graph.return %y : tensor<3x5xf32>
}

// CHECK-LABEL: graph.graph @rotate
graph.graph @rotate(
    %x: tensor<2x3x5x8xbf16, #graph.layout<strides = [120, 8, 24, 1]>> {graph.uid = 1 : i64}, %t: tensor<5x1x1x4xf32> {graph.uid = 2 : i64})
    -> (tensor<2x3x5x8xbf16, #graph.layout<strides = [120, 8, 24, 1]>> {graph.uid = 3 : i64}) {
  // CHECK: graph.rope %{{.+}}, %{{.+}} {output_scale = 2.000000e+00 : f64, rope_dim = 4 : i64} :
  %y = graph.rope %x, %t {output_scale = 2.0 : f64, rope_dim = 4 : i64}
      : (tensor<2x3x5x8xbf16, #graph.layout<strides = [120, 8, 24, 1]>>, tensor<5x1x1x4xf32>) -> tensor<2x3x5x8xbf16, #graph.layout<strides = [120, 8, 24, 1]>>
  graph.return %y : tensor<2x3x5x8xbf16, #graph.layout<strides = [120, 8, 24, 1]>>
}

// CHECK-LABEL: graph.graph @rotate_symbols
graph.graph @rotate_symbols(
    %x: tensor<?x3x?x8xf32, #graph.layout<symbols = ["B", "", "S", ""]>> {graph.uid = 1 : i64}, %t: tensor<?x1x1x8xf32, #graph.layout<symbols = ["S", "", "", ""]>> {graph.uid = 2 : i64})
    -> (tensor<?x3x?x8xf32, #graph.layout<symbols = ["B", "", "S", ""]>> {graph.uid = 3 : i64}) {
  // CHECK: graph.rope_backward %{{.+}}, %{{.+}} : (
  %y = graph.rope_backward %x, %t
      : (tensor<?x3x?x8xf32, #graph.layout<symbols = ["B", "", "S", ""]>>, tensor<?x1x1x8xf32, #graph.layout<symbols = ["S", "", "", ""]>>) -> tensor<?x3x?x8xf32, #graph.layout<symbols = ["B", "", "S", ""]>>
  graph.return %y : tensor<?x3x?x8xf32, #graph.layout<symbols = ["B", "", "S", ""]>>
}

// CHECK-LABEL: graph.graph @no_channels
graph.graph @no_channels(
    %x: tensor<2x3x5x0xf32> {graph.uid = 1 : i64}, %t: tensor<5x1x1x0xf32> {graph.uid = 2 : i64})
    -> (tensor<2x3x5x0xf32> {graph.uid = 3 : i64}) {
  // CHECK: graph.rope
  %y = graph.rope %x, %t
      : (tensor<2x3x5x0xf32>, tensor<5x1x1x0xf32>) -> tensor<2x3x5x0xf32>
  graph.return %y : tensor<2x3x5x0xf32>
}
