// RUN: graph-opt %s | FileCheck %s
// RUN: graph-opt %s --mlir-print-op-generic | graph-opt | FileCheck %s

// A plan with everything: symbols from an extent and from a stride, operands
// with each property, aliases, workspace and steps.

// CHECK-DAG: #[[SHARED:.+]] = affine_map<()[s0, s1] -> (s0 * 64)>
// CHECK-DAG: #[[PRIVATE:.+]] = affine_map<() -> (128)>
// CHECK: plan.program @everything target "host"
// CHECK-SAME: engine <10001, "host.fused", 2, [100000, 8, 100001, 32]>
// CHECK-SAME: workspace <shared = #[[SHARED]], private = #[[PRIVATE]], max_workers = 4>
// CHECK-SAME: attributes {compiler = "opgraph 0.1.0", notes = ["first"], source = "graph"}
plan.program @everything target "host"
    engine <10001, "host.fused", 2, [100000, 8, 100001, 32]>
    workspace <shared = affine_map<()[s0, s1] -> (s0 * 64)>,
               private = affine_map<() -> (128)>, max_workers = 4>
    attributes {compiler = "opgraph 0.1.0", notes = ["first"],
                source = "graph"} {
  // CHECK-NEXT: plan.symbol "M" extent 0, 0 {divisor = 8 : i64, max = 1024 : i64, min = 8 : i64}
  plan.symbol "M" extent 0, 0
      {min = 8 : i64, max = 1024 : i64, divisor = 8 : i64}
  // CHECK-NEXT: plan.symbol "ld" stride 0, 0 {default_value = 64 : i64}
  plan.symbol "ld" stride 0, 0 {default_value = 64 : i64}
  // CHECK-NEXT: plan.operand "x" uid 7 in bf16 extents #{{.+}} strides #{{.+}} storage ragged stride_rule unit_inner {alignment = 16 : i64, storage_bytes = #{{.+}}}
  plan.operand "x" uid 7 in bf16
      extents affine_map<()[s0, s1] -> (s0, 64)>
      strides affine_map<()[s0, s1] -> (s1, 1)>
      storage ragged stride_rule unit_inner
      {alignment = 16 : i64,
       storage_bytes = affine_map<()[s0, s1] -> (s0 * s1 * 2)>}
  // CHECK-NEXT: plan.operand "scale" uid 8 in f32 extents #{{.+}} strides #{{.+}} {by_value, default_value = 1.000000e+00 : f32}
  plan.operand "scale" uid 8 in f32 extents affine_map<() -> ()>
      strides affine_map<() -> ()>
      {by_value, default_value = 1.0 : f32}
  // CHECK-NEXT: plan.operand "y" uid 9 out bf16 extents #{{.+}} strides #{{[^ ]+$}}
  plan.operand "y" uid 9 out bf16
      extents affine_map<()[s0, s1] -> (s0, 64)>
      strides affine_map<()[s0, s1] -> (64, 1)>
  // CHECK-NEXT: plan.alias 0, 2
  plan.alias 0, 2
  // CHECK-NEXT: plan.fill offset #{{.+}} size #{{.+}} value 255
  plan.fill offset affine_map<() -> (0)>
      size affine_map<()[s0, s1] -> (s0 * 64)> value 255
  // CHECK-NEXT: plan.host_call @opgraph_everything
  plan.host_call @opgraph_everything
}

// CHECK-LABEL: func.func @inside_a_host_entry
func.func @inside_a_host_entry(%count: i64, %scale: f32) {
  // CHECK: plan.private_memory : memref<?xi8>
  %0 = plan.private_memory : memref<?xi8>
  // CHECK: plan.parallel_for @body count %{{.+}} captures(%{{.+}}, %{{.+}} : f32, i64)
  plan.parallel_for @body count %count captures(%scale, %count : f32, i64)
  // CHECK: plan.parallel_for @body count %{{[^ ]+$}}
  plan.parallel_for @body count %count
  return
}
