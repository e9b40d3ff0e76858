// RUN: graph-opt %s | graph-opt | FileCheck %s

// CHECK-LABEL: graph.graph @column_major
graph.graph @column_major(
    %a: tensor<16x32x128xf32> {graph.uid = 1 : i64},
    %b: tensor<16x128x64xf32, #graph.layout<strides = [8192, 1, 128]>>
        {graph.uid = 2 : i64})
    -> (tensor<16x32x64xf32> {graph.uid = 3 : i64}) {
  // CHECK: graph.matmul %{{.+}}, %{{.+}} : (
  %0 = graph.matmul %a, %b
      : (tensor<16x32x128xf32>,
         tensor<16x128x64xf32, #graph.layout<strides = [8192, 1, 128]>>)
      -> tensor<16x32x64xf32>
  graph.return %0 : tensor<16x32x64xf32>
}

// CHECK-LABEL: graph.graph @broadcast_batch
graph.graph @broadcast_batch(
    %a: tensor<2x1x4x8xf16> {graph.uid = 1 : i64},
    %b: tensor<1x3x8x5xbf16> {graph.uid = 2 : i64})
    -> (tensor<2x3x4x5xf32> {graph.uid = 3 : i64}) {
  // CHECK: graph.matmul %{{.+}}, %{{.+}} {compute_type = f64, fast_fp8_accumulation, ieee}
  %0 = graph.matmul %a, %b
      {compute_type = f64, ieee, fast_fp8_accumulation}
      : (tensor<2x1x4x8xf16>, tensor<1x3x8x5xbf16>) -> tensor<2x3x4x5xf32>
  graph.return %0 : tensor<2x3x4x5xf32>
}

// CHECK-LABEL: graph.graph @overrides
graph.graph @overrides(
    %a: tensor<2x4x8xf32> {graph.uid = 1 : i64},
    %b: tensor<2x8x5xf32> {graph.uid = 2 : i64},
    %m: tensor<2x1x1xi32> {graph.uid = 3 : i64},
    %n: tensor<1x1x1xi64> {graph.uid = 4 : i64},
    %k: tensor<2x1x1xi32> {graph.uid = 5 : i64})
    -> (tensor<2x4x5xf32> {graph.uid = 6 : i64}) {
  // CHECK: m_override %{{.+}} n_override %{{.+}} k_override %{{.+}} {padding = 1.000000e+00 : f64}
  %0 = graph.matmul %a, %b m_override %m n_override %n k_override %k
      {padding = 1.0 : f64}
      : (tensor<2x4x8xf32>, tensor<2x8x5xf32>, tensor<2x1x1xi32>,
         tensor<1x1x1xi64>, tensor<2x1x1xi32>) -> tensor<2x4x5xf32>
  graph.return %0 : tensor<2x4x5xf32>
}

!a = tensor<?x8xf32, #graph.layout<symbols = ["M", ""]>>
!b = tensor<8x?xf32, #graph.layout<symbols = ["", "N"]>>
!c = tensor<?x?xf32, #graph.layout<symbols = ["M", "N"]>>
// CHECK-LABEL: graph.graph @symbols
graph.graph @symbols(%a: !a {graph.uid = 1 : i64}, %b: !b {graph.uid = 2 : i64})
    -> (!c {graph.uid = 3 : i64}) {
  // CHECK: graph.matmul
  %0 = graph.matmul %a, %b : (!a, !b) -> !c
  graph.return %0 : !c
}

// CHECK-LABEL: graph.graph @empty_contraction
graph.graph @empty_contraction(
    %a: tensor<4x0xi8> {graph.uid = 1 : i64},
    %b: tensor<0x5xi8> {graph.uid = 2 : i64})
    -> (tensor<4x5xi32> {graph.uid = 3 : i64}) {
  // CHECK: graph.matmul
  %0 = graph.matmul %a, %b {compute_type = i32}
      : (tensor<4x0xi8>, tensor<0x5xi8>) -> tensor<4x5xi32>
  graph.return %0 : tensor<4x5xi32>
}

// CHECK-LABEL: graph.graph @fp8
graph.graph @fp8(
    %a: tensor<2x4x8xf8E4M3FN> {graph.uid = 1 : i64},
    %b: tensor<1x8x5xf8E5M2> {graph.uid = 2 : i64},
    %da: tensor<1x1x1xf32> {graph.uid = 3 : i64},
    %db: tensor<1xf32> {graph.uid = 4 : i64},
    %sc: tensor<f32> {graph.uid = 5 : i64},
    %m: tensor<2x1x1xi32> {graph.uid = 6 : i64},
    %k: tensor<1x1x1xi64> {graph.uid = 7 : i64})
    -> (tensor<2x4x5xf8E4M3FN> {graph.uid = 8 : i64},
        tensor<1x1x1xf32> {graph.uid = 9 : i64}) {
  // CHECK: graph.matmul_fp8 %{{.+}} m_override %{{.+}} k_override %{{.+}} {padding = 5.000000e-01 : f64}
  %c, %amax = graph.matmul_fp8 %a, %b, %da, %db, %sc m_override %m k_override %k
      {padding = 0.5 : f64}
      : (tensor<2x4x8xf8E4M3FN>, tensor<1x8x5xf8E5M2>, tensor<1x1x1xf32>,
         tensor<1xf32>, tensor<f32>, tensor<2x1x1xi32>, tensor<1x1x1xi64>)
      -> tensor<2x4x5xf8E4M3FN>, tensor<1x1x1xf32>
  graph.return %c, %amax : tensor<2x4x5xf8E4M3FN>, tensor<1x1x1xf32>
}
