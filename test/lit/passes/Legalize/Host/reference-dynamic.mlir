// RUN: graph-opt %s --graph-legalize-host-reference | FileCheck %s

// What a call may override is a symbol, one for extents that must agree; the
// declared number is its default value. An extent of 1 stays 1.
// CHECK-LABEL: plan.program @linear
// CHECK-NEXT: plan.symbol "extent.0" extent 0, 0 {default_value = 4 : i64}
// CHECK-NEXT: plan.symbol "extent.1" extent 0, 1 {default_value = 8 : i64}
// CHECK-NEXT: plan.symbol "extent.2" extent 1, 1 {default_value = 2 : i64}
// CHECK-NEXT: plan.symbol "stride.1.0" stride 1, 0 {default_value = 3 : i64}
// CHECK-NEXT: plan.operand
// CHECK: func.func @opgraph_linear_reference(%{{.+}}: memref<?x?xf32, {{.+}}>, %{{.+}}: memref<?x?xf32, {{.+}}>, %{{.+}}: memref<1x?xf32, {{.+}}>, %{{.+}}: memref<?x?xf32, {{.+}}>)
graph.graph @linear(
    %x: tensor<4x8xf32> {graph.uid = 1 : i64},
    %w: tensor<8x2xf32, #graph.layout<strides = [3, 1]>> {graph.uid = 2 : i64},
    %b: tensor<1x2xf32> {graph.uid = 3 : i64})
    -> (tensor<4x2xf32> {graph.uid = 4 : i64}) attributes {dynamic} {
  %0 = graph.matmul %x, %w
      : (tensor<4x8xf32>, tensor<8x2xf32, #graph.layout<strides = [3, 1]>>)
      -> tensor<4x2xf32>
  %1 = graph.bias %0, %b : (tensor<4x2xf32>, tensor<1x2xf32>) -> tensor<4x2xf32>
  graph.return %1 : tensor<4x2xf32>
}

// A slice's cut axis keeps its extent; its whole axis varies.
// CHECK-LABEL: plan.program @slice
// CHECK-NEXT: plan.symbol "extent.0" extent 0, 1 {default_value = 6 : i64}
// CHECK-NEXT: plan.operand
// CHECK: func.func @opgraph_slice_reference(%{{.+}}: memref<8x?xf32, {{.+}}>, %{{.+}}: memref<3x?xf32, {{.+}}>)
graph.graph @slice(%x: tensor<8x6xf32> {graph.uid = 1 : i64})
    -> (tensor<3x6xf32> {graph.uid = 2 : i64}) attributes {dynamic} {
  %0 = graph.slice %x [1, 0] to [4, 6] step [1, 1]
      : (tensor<8x6xf32>) -> tensor<3x6xf32>
  graph.return %0 : tensor<3x6xf32>
}

// A row-major reshape varies with the leading axes that it leaves alone.
// CHECK-LABEL: plan.program @reshape
// CHECK-NEXT: plan.symbol "extent.0" extent 0, 0 {default_value = 5 : i64}
// CHECK-NEXT: plan.operand
// CHECK: func.func @opgraph_reshape_reference(%{{.+}}: memref<?x2x3xf32, {{.+}}>, %{{.+}}: memref<?x6xf32, {{.+}}>)
graph.graph @reshape(%x: tensor<5x2x3xf32> {graph.uid = 1 : i64})
    -> (tensor<5x6xf32> {graph.uid = 2 : i64}) attributes {dynamic} {
  %0 = graph.reshape logical %x : (tensor<5x2x3xf32>) -> tensor<5x6xf32>
  graph.return %0 : tensor<5x6xf32>
}
