// RUN: graph-opt %s --graph-classify | FileCheck %s

// CHECK-LABEL: graph.graph @pointwise
// CHECK: graph.facts = {dynamic = false, elements = 32 : i64, flops = 32 : i64, has_reduction = false, {{.*}}port_bytes = 256 : i64
// CHECK-SAME: graph.family = "pointwise"
graph.graph @pointwise(%x: tensor<4x8xf32> {graph.uid = 1 : i64})
    -> (tensor<4x8xf32> {graph.uid = 2 : i64}) {
  %0 = graph.relu %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  graph.return %0 : tensor<4x8xf32>
}

// Two matmuls that share an operand are one family.

// CHECK-LABEL: graph.graph @gemm
// CHECK: graph.facts = {a = "f32", b = "f32", batch = 1 : i64, c = "f32", {{.*}}k = 8 : i64, m = 4 : i64, matmuls = 2 : i64, {{.*}}n = 8 : i64
// CHECK-SAME: graph.family = "gemm"
graph.graph @gemm(%x: tensor<1x4x8xf32> {graph.uid = 1 : i64},
                  %w: tensor<1x8x8xf32> {graph.uid = 2 : i64})
    -> (tensor<1x4x8xf32> {graph.uid = 3 : i64}) {
  %0 = graph.matmul %x, %w : (tensor<1x4x8xf32>, tensor<1x8x8xf32>) -> tensor<1x4x8xf32>
  %1 = graph.matmul %0, %w : (tensor<1x4x8xf32>, tensor<1x8x8xf32>) -> tensor<1x4x8xf32>
  graph.return %1 : tensor<1x4x8xf32>
}

// CHECK-LABEL: graph.graph @sdpa
// CHECK: graph.facts = {batch = 2 : i64, {{.*}}head_dim = 8 : i64, heads = 4 : i64, keys = 16 : i64, kv_heads = 2 : i64, {{.*}}queries = 16 : i64, {{.*}}value_dim = 8 : i64}
// CHECK-SAME: graph.family = "sdpa"
graph.graph @sdpa(%q: tensor<2x4x16x8xf32> {graph.uid = 1 : i64},
                  %k: tensor<2x2x16x8xf32> {graph.uid = 2 : i64},
                  %v: tensor<2x2x16x8xf32> {graph.uid = 3 : i64})
    -> (tensor<2x4x16x8xf32> {graph.uid = 4 : i64}) {
  %0 = graph.sdpa %q, %k, %v : (tensor<2x4x16x8xf32>, tensor<2x2x16x8xf32>, tensor<2x2x16x8xf32>) -> tensor<2x4x16x8xf32>
  graph.return %0 : tensor<2x4x16x8xf32>
}

// CHECK-LABEL: graph.graph @mixed
// CHECK: graph.family = "mixed"
graph.graph @mixed(%q: tensor<2x2x16x8xf32> {graph.uid = 1 : i64},
                   %w: tensor<2x2x8x8xf32> {graph.uid = 2 : i64})
    -> (tensor<2x2x16x8xf32> {graph.uid = 3 : i64}) {
  %0 = graph.matmul %q, %w : (tensor<2x2x16x8xf32>, tensor<2x2x8x8xf32>) -> tensor<2x2x16x8xf32>
  %1 = graph.sdpa %0, %0, %0 : (tensor<2x2x16x8xf32>, tensor<2x2x16x8xf32>, tensor<2x2x16x8xf32>) -> tensor<2x2x16x8xf32>
  graph.return %1 : tensor<2x2x16x8xf32>
}
