// RUN: graph-opt %s --canonicalize | FileCheck %s

// Statistics that nobody reads are not computed.

!x = tensor<16x64xf32>
!r = tensor<16x1xf32>
// CHECK-LABEL: graph.graph @layernorm_unused
graph.graph @layernorm_unused(%x: !x {graph.uid = 1 : i64})
    -> (!x {graph.uid = 2 : i64}) {
  %e = graph.constant 1.0e-5 : f32 : tensor<1xf32>
  // CHECK: graph.layernorm inference %{{.+}} epsilon %{{.+}} {compute_type = f64} : (
  %y, %m, %r = graph.layernorm training %x epsilon %e {compute_type = f64}
      : (!x, tensor<1xf32>) -> !x mean !r inv_variance !r
  graph.return %y : !x
}

// CHECK-LABEL: graph.graph @layernorm_half_used
graph.graph @layernorm_half_used(%x: !x {graph.uid = 1 : i64})
    -> (!x {graph.uid = 2 : i64}, !r {graph.uid = 3 : i64}) {
  %e = graph.constant 1.0e-5 : f32 : tensor<1xf32>
  // CHECK: graph.layernorm training
  %y, %m, %r = graph.layernorm training %x epsilon %e
      : (!x, tensor<1xf32>) -> !x mean !r inv_variance !r
  graph.return %y, %r : !x, !r
}

// CHECK-LABEL: graph.graph @rmsnorm_unused
graph.graph @rmsnorm_unused(%x: !x {graph.uid = 1 : i64},
                            %s: tensor<64xf32> {graph.uid = 2 : i64})
    -> (!x {graph.uid = 3 : i64}) {
  %e = graph.constant 1.0e-5 : f32 : tensor<1xf32>
  // CHECK: graph.rmsnorm inference %{{.+}} scale %{{.+}} epsilon
  %y, %r = graph.rmsnorm training %x scale %s epsilon %e
      : (!x, tensor<64xf32>, tensor<1xf32>) -> !x inv_variance !r
  graph.return %y : !x
}

// CHECK-LABEL: graph.graph @softmax_one_used
graph.graph @softmax_one_used(%x: !x {graph.uid = 1 : i64})
    -> (!x {graph.uid = 2 : i64}, !r {graph.uid = 3 : i64}) {
  // CHECK: %[[S:.+]], %[[MAX:.+]] = graph.softmax %{{.+}} {generate_max} :
  // CHECK-NEXT: graph.return %[[S]], %[[MAX]]
  %s, %stats, %max, %sum = graph.softmax %x
      {generate_stats, generate_max, generate_sum_exp}
      : (!x) -> !x stats !r max !r sum_exp !r
  graph.return %s, %max : !x, !r
}

!q = tensor<2x4x8x16xf16>
// CHECK-LABEL: graph.graph @sdpa_unused
graph.graph @sdpa_unused(%q: !q {graph.uid = 1 : i64})
    -> (!q {graph.uid = 2 : i64}) {
  // CHECK: graph.sdpa %{{.+}}, %{{.+}}, %{{.+}} {diagonal_band_right_bound = 0 : i64} :
  %o, %stats = graph.sdpa %q, %q, %q
      {generate_stats, diagonal_band_right_bound = 0 : i64}
      : (!q, !q, !q) -> !q stats tensor<2x4x8x1xf32>
  graph.return %o : !q
}
