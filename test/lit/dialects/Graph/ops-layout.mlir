// RUN: graph-opt %s | graph-opt | FileCheck %s

// CHECK-LABEL: graph.graph @reshape_logical
graph.graph @reshape_logical(
    %x: tensor<3x4x5xf32, #graph.layout<strides = [1, 3, 12]>>
        {graph.uid = 1 : i64})
    -> (tensor<6x10xf32> {graph.uid = 2 : i64}) {
  // CHECK: graph.reshape logical
  %0 = graph.reshape logical %x
      : (tensor<3x4x5xf32, #graph.layout<strides = [1, 3, 12]>>)
      -> tensor<6x10xf32>
  graph.return %0 : tensor<6x10xf32>
}

// CHECK-LABEL: graph.graph @reshape_view
graph.graph @reshape_view(%x: tensor<2x3x4xf32> {graph.uid = 1 : i64})
    -> (tensor<2x4x3xf32, #graph.layout<strides = [12, 1, 4]>>
        {graph.uid = 2 : i64}) {
  // CHECK: graph.reshape view_only
  %0 = graph.reshape view_only %x : (tensor<2x3x4xf32>)
      -> tensor<2x4x3xf32, #graph.layout<strides = [12, 1, 4]>>
  graph.return %0 : tensor<2x4x3xf32, #graph.layout<strides = [12, 1, 4]>>
}

!m64 = tensor<?x64xf32, #graph.layout<symbols = ["M", ""]>>
!m8x8 = tensor<?x8x8xf32, #graph.layout<symbols = ["M", "", ""]>>
// CHECK-LABEL: graph.graph @reshape_symbols
graph.graph @reshape_symbols(%x: !m64 {graph.uid = 1 : i64})
    -> (!m8x8 {graph.uid = 2 : i64}) {
  // CHECK: graph.reshape view_only
  %0 = graph.reshape view_only %x : (!m64) -> !m8x8
  graph.return %0 : !m8x8
}

// CHECK-LABEL: graph.graph @reshape_empty
graph.graph @reshape_empty(%x: tensor<0x4xf32> {graph.uid = 1 : i64})
    -> (tensor<7x0x2xf32> {graph.uid = 2 : i64}) {
  // CHECK: graph.reshape logical
  %0 = graph.reshape logical %x : (tensor<0x4xf32>) -> tensor<7x0x2xf32>
  graph.return %0 : tensor<7x0x2xf32>
}

!t = tensor<2x4x3xf16, #graph.layout<strides = [12, 1, 4]>>
// CHECK-LABEL: graph.graph @transpose
graph.graph @transpose(%x: tensor<2x3x4xf16> {graph.uid = 1 : i64})
    -> (!t {graph.uid = 2 : i64}) {
  // CHECK: graph.transpose %{{.+}} [0, 2, 1] :
  %0 = graph.transpose %x [0, 2, 1] : (tensor<2x3x4xf16>) -> !t
  graph.return %0 : !t
}

!s = tensor<4x5xi8, #graph.layout<strides = [10, 2]>>
// CHECK-LABEL: graph.graph @slice
graph.graph @slice(%x: tensor<4x10xi8> {graph.uid = 1 : i64})
    -> (!s {graph.uid = 2 : i64}, tensor<0x4xi8> {graph.uid = 3 : i64}) {
  // CHECK: graph.slice %{{.+}} [0, 0] to [4, 10] step [1, 2] :
  %0 = graph.slice %x [0, 0] to [4, 10] step [1, 2] : (tensor<4x10xi8>) -> !s
  // CHECK: graph.slice %{{.+}} [4, 0] to [4, 10] step [1, 3] :
  %1 = graph.slice %x [4, 0] to [4, 10] step [1, 3]
      : (tensor<4x10xi8>) -> tensor<0x4xi8>
  graph.return %0, %1 : !s, tensor<0x4xi8>
}

!n = tensor<?x8xf32, #graph.layout<symbols = ["M", ""]>>
!n2 = tensor<?x2xf32, #graph.layout<symbols = ["M", ""]>>
// CHECK-LABEL: graph.graph @slice_symbol
graph.graph @slice_symbol(%x: !n {graph.uid = 1 : i64})
    -> (!n2 {graph.uid = 2 : i64}) {
  // CHECK: graph.slice %{{.+}} [0, 2] to [-1, 4] step [1, 1] :
  %0 = graph.slice %x [0, 2] to [-1, 4] step [1, 1] : (!n) -> !n2
  graph.return %0 : !n2
}

// CHECK-LABEL: graph.graph @concatenate
graph.graph @concatenate(
    %a: tensor<2x3x8xf32> {graph.uid = 1 : i64},
    %b: tensor<2x0x8xf32> {graph.uid = 2 : i64})
    -> (tensor<2x6x8xf32> {graph.uid = 3 : i64}) {
  // CHECK: graph.concatenate %{{.+}}, %{{.+}}, %{{.+}} axis 1 {in_place_index = 0 : i64} :
  %0 = graph.concatenate %a, %b, %a axis 1 {in_place_index = 0 : i64}
      : (tensor<2x3x8xf32>, tensor<2x0x8xf32>, tensor<2x3x8xf32>)
      -> tensor<2x6x8xf32>
  graph.return %0 : tensor<2x6x8xf32>
}

// CHECK-LABEL: graph.graph @constant
graph.graph @constant(%x: tensor<4x8xf32> {graph.uid = 1 : i64})
    -> (tensor<4x8xf32> {graph.uid = 2 : i64},
        tensor<4x8xf32> {graph.uid = 3 : i64}) {
  // CHECK: graph.constant 5.000000e-01 : f16 : tensor<1x1xf16>
  %0 = graph.constant 0.5 : f16 : tensor<1x1xf16>
  %1 = graph.mul %x, %0
      : (tensor<4x8xf32>, tensor<1x1xf16>) -> tensor<4x8xf32>
  // CHECK: graph.constant 3 : i32 : tensor<i32>
  %2 = graph.constant 3 : i32 : tensor<i32>
  %3 = graph.add %x, %2 : (tensor<4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
  graph.return %1, %3 : tensor<4x8xf32>, tensor<4x8xf32>
}
