// RUN: graph-opt %s --graph-plan | FileCheck %s
// RUN: graph-opt %s --graph-plan | graph-opt | FileCheck %s
// RUN: graph-opt %s --graph-plan='modes=FALLBACK' | FileCheck %s --check-prefix=FALLBACK
// RUN: graph-opt %s --graph-plan='engine=host.reference' | FileCheck %s --check-prefix=PIN
// RUN: graph-opt %s --graph-plan='deselect-engines=fused' | FileCheck %s --check-prefix=DESELECT

// The fast engine is first, the judge is on the list too, and the composite says
// what its executor cannot do yet.

// CHECK-LABEL: graph.graph @linear
// CHECK: graph.declines = [#graph.decline<engine = 0, name = "cudnn", constraint = "target", limit = "a CUDA device", actual = "host">,
// CHECK-SAME: #graph.decline<engine = 10900, name = "host.composite", constraint = "groups_in_one_plan", limit = "<= 1", actual = "3">,
// CHECK-SAME: #graph.decline<engine = 30000, name = "nvptx.pointwise", constraint = "target", limit = "a CUDA device", actual = "host">
// CHECK-SAME: graph.plans = [#graph.plan<engine = 10100, name = "host.fused", version = 1, target = "host", knobs = {{{[A-Z]+}} = {{.*}}}, mode = A, time_ns = {{[0-9]+}},
// CHECK-SAME: #graph.plan<engine = 10000, name = "host.reference", version = 1, target = "host", mode = A,

// FALLBACK: graph.plans = [#graph.plan<engine = 10100, {{.*}}mode = FALLBACK{{.*}} #graph.plan<engine = 10000, {{.*}}mode = FALLBACK

// PIN-NOT: host.fused
// PIN: graph.plans = [#graph.plan<engine = 10000, name = "host.reference",
// PIN-NOT: #graph.plan

// DESELECT: #graph.decline<engine = 10100, name = "host.fused", constraint = "deselect_engines", limit = "a name without 'fused'", actual = "host.fused:10100:v1
// DESELECT: graph.plans = [#graph.plan<engine = 10000
graph.graph @linear(%x: tensor<1x64x32xf32> {graph.uid = 1 : i64},
                    %w: tensor<1x32x16xf32> {graph.uid = 2 : i64},
                    %b: tensor<1x1x16xf32> {graph.uid = 3 : i64})
    -> (tensor<1x64x16xf32> {graph.uid = 4 : i64}) {
  %0 = graph.matmul %x, %w : (tensor<1x64x32xf32>, tensor<1x32x16xf32>) -> tensor<1x64x16xf32>
  %1 = graph.bias %0, %b : (tensor<1x64x16xf32>, tensor<1x1x16xf32>) -> tensor<1x64x16xf32>
  %2 = graph.gelu %1 : (tensor<1x64x16xf32>) -> tensor<1x64x16xf32>
  graph.return %2 : tensor<1x64x16xf32>
}
