// RUN: graph-opt %s | graph-opt | FileCheck %s

// CHECK-LABEL: graph.graph @modes
graph.graph @modes(%x: tensor<4x32x8xf32> {graph.uid = 1 : i64})
    -> (tensor<4x32x1xf32> {graph.uid = 10 : i64},
        tensor<4x1x8xf32> {graph.uid = 11 : i64},
        tensor<1x32x8xf32> {graph.uid = 12 : i64},
        tensor<1x1x1xf32> {graph.uid = 13 : i64},
        tensor<4x32x8xf32> {graph.uid = 14 : i64},
        tensor<4x1x1xf32> {graph.uid = 15 : i64},
        tensor<1x1x8xf32> {graph.uid = 16 : i64},
        tensor<1x32x1xf32> {graph.uid = 17 : i64},
        tensor<4x32x1xf16> {graph.uid = 18 : i64}) {
  // CHECK: graph.reduction add %{{.+}} : (tensor<4x32x8xf32>) -> tensor<4x32x1xf32>
  %0 = graph.reduction add %x : (tensor<4x32x8xf32>) -> tensor<4x32x1xf32>
  // CHECK: graph.reduction mul
  %1 = graph.reduction mul %x : (tensor<4x32x8xf32>) -> tensor<4x1x8xf32>
  // CHECK: graph.reduction min
  %2 = graph.reduction min %x : (tensor<4x32x8xf32>) -> tensor<1x32x8xf32>
  // CHECK: graph.reduction max
  %3 = graph.reduction max %x : (tensor<4x32x8xf32>) -> tensor<1x1x1xf32>
  // CHECK: graph.reduction amax
  %4 = graph.reduction amax %x : (tensor<4x32x8xf32>) -> tensor<4x32x8xf32>
  // CHECK: graph.reduction avg %{{.+}} {compute_type = f64}
  %5 = graph.reduction avg %x {compute_type = f64}
      : (tensor<4x32x8xf32>) -> tensor<4x1x1xf32>
  // CHECK: graph.reduction norm1
  %6 = graph.reduction norm1 %x : (tensor<4x32x8xf32>) -> tensor<1x1x8xf32>
  // CHECK: graph.reduction norm2
  %7 = graph.reduction norm2 %x : (tensor<4x32x8xf32>) -> tensor<1x32x1xf32>
  // CHECK: graph.reduction mul_no_zeros
  %8 = graph.reduction mul_no_zeros %x
      : (tensor<4x32x8xf32>) -> tensor<4x32x1xf16>
  graph.return %0, %1, %2, %3, %4, %5, %6, %7, %8
      : tensor<4x32x1xf32>, tensor<4x1x8xf32>, tensor<1x32x8xf32>,
        tensor<1x1x1xf32>, tensor<4x32x8xf32>, tensor<4x1x1xf32>,
        tensor<1x1x8xf32>, tensor<1x32x1xf32>, tensor<4x32x1xf16>
}

!x = tensor<?x0x?xi32, #graph.layout<symbols = ["M", "", "N"]>>
!y = tensor<?x1x1xi32, #graph.layout<symbols = ["M", "", ""]>>
// CHECK-LABEL: graph.graph @dynamic_and_empty
graph.graph @dynamic_and_empty(%x: !x {graph.uid = 1 : i64})
    -> (!y {graph.uid = 2 : i64}) {
  // CHECK: graph.reduction max
  %0 = graph.reduction max %x {compute_type = i32} : (!x) -> !y
  graph.return %0 : !y
}

!rows = tensor<1x?x8xbf16, #graph.layout<symbols = ["", "T", ""]>>
// CHECK-LABEL: graph.graph @groups
graph.graph @groups(%x: !rows {graph.uid = 1 : i64},
                    %g: tensor<4x1x1xi64> {graph.uid = 2 : i64})
    -> (tensor<3x1x8xf32> {graph.uid = 3 : i64},
        tensor<3x1x1xf32> {graph.uid = 4 : i64}) {
  // CHECK: graph.reduction avg %{{.+}} group_offset %{{.+}} :
  %0 = graph.reduction avg %x group_offset %g
      : (!rows, tensor<4x1x1xi64>) -> tensor<3x1x8xf32>
  // CHECK: graph.reduction amax %{{.+}} group_offset %{{.+}} :
  %1 = graph.reduction amax %x group_offset %g
      : (!rows, tensor<4x1x1xi64>) -> tensor<3x1x1xf32>
  graph.return %0, %1 : tensor<3x1x8xf32>, tensor<3x1x1xf32>
}
