// RUN: graph-opt %s --graph-plan='max-workspace=16384 modes=A engine=host.reference' | FileCheck %s
// RUN: not graph-opt %s --graph-plan='max-workspace=0 engine=host.reference' 2>&1 | FileCheck %s --check-prefix=NONE

// The reference keeps one temporary of 64x64 f32; a bound below that bars it and
// says how much it would take.

// CHECK: graph.plans = [#graph.plan<engine = 10000, {{.*}}workspace = 16384

// NONE: barred    host.reference:10000:v1@host: workspace: expected 0, got 16384; nearest accepted: max_workspace = 16384
graph.graph @two(%x: tensor<64x64xf32> {graph.uid = 1 : i64})
    -> (tensor<64x64xf32> {graph.uid = 2 : i64}) {
  %0 = graph.relu %x : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = graph.exp %0 : (tensor<64x64xf32>) -> tensor<64x64xf32>
  graph.return %1 : tensor<64x64xf32>
}
