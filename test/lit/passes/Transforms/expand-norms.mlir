// RUN: graph-opt %s --graph-expand --split-input-file | FileCheck %s

// The parts compute in f32 and meet in f32; only what the norm returns rounds.
// CHECK-LABEL: graph.graph @instancenorm
// CHECK: %[[MEAN:.*]] = graph.reduction  avg %[[X:.*]] {compute_type = f32} : (tensor<2x3x8xf16>) -> tensor<2x3x1xf32>
// CHECK: %[[CENTRED:.*]] = graph.sub %[[X]], %[[MEAN]]
// CHECK-SAME: -> tensor<2x3x8xf32>
// CHECK: %[[SQUARE:.*]] = graph.mul %[[CENTRED]], %[[CENTRED]]
// CHECK: %[[VAR:.*]] = graph.reduction  avg %[[SQUARE]]
// CHECK-SAME: -> tensor<2x3x1xf32>
// CHECK: graph.sqrt
// CHECK: graph.reciprocal
// CHECK: graph.identity
// CHECK-SAME: (tensor<2x3x8xf32>) -> tensor<2x3x8xf16>
// CHECK-NOT: graph.instancenorm
graph.graph @instancenorm(%x: tensor<2x3x8xf16> {graph.uid = 1 : i64},
                          %s: tensor<1x3x1xf32> {graph.uid = 2 : i64},
                          %b: tensor<1x3x1xf32> {graph.uid = 3 : i64})
    -> (tensor<2x3x8xf16> {graph.uid = 4 : i64}) {
  %e = graph.constant 1.000000e-05 : f32 : tensor<1xf32>
  %y = graph.instancenorm inference %x scale %s bias %b epsilon %e
      : (tensor<2x3x8xf16>, tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1xf32>)
      -> tensor<2x3x8xf16>
  graph.return %y : tensor<2x3x8xf16>
}

// -----

// A gradient of lower rank is reduced along the missing axes too.
// CHECK-LABEL: graph.graph @dscale_of_lower_rank
// CHECK: %[[SUM:.*]] = graph.reduction  add
// CHECK-SAME: (tensor<2x3x8xf32>) -> tensor<1x1x8xf32>
// CHECK: graph.reshape logical %[[SUM]]
// CHECK-SAME: (tensor<1x1x8xf32>) -> tensor<8xf32>
// CHECK-NOT: graph.layernorm_backward
graph.graph @dscale_of_lower_rank(%dy: tensor<2x3x8xf32> {graph.uid = 1 : i64},
                                  %x: tensor<2x3x8xf32> {graph.uid = 2 : i64},
                                  %s: tensor<8xf32> {graph.uid = 3 : i64},
                                  %m: tensor<2x3x1xf32> {graph.uid = 4 : i64},
                                  %r: tensor<2x3x1xf32> {graph.uid = 5 : i64})
    -> (tensor<2x3x8xf32> {graph.uid = 6 : i64},
        tensor<8xf32> {graph.uid = 7 : i64}) {
  %dx, %ds, %db = graph.layernorm_backward %dy, %x, %m, %r scale %s
      : (tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<8xf32>, tensor<2x3x1xf32>,
         tensor<2x3x1xf32>)
      -> tensor<2x3x8xf32> dscale tensor<8xf32> dbias tensor<8xf32>
  graph.return %dx, %ds : tensor<2x3x8xf32>, tensor<8xf32>
}

// -----

// The unbiased variance needs the number of a channel's elements: 4 / 3.
// CHECK-LABEL: graph.graph @running_statistics
// CHECK: graph.constant 1.33333337 : f32
// CHECK-NOT: graph.batchnorm
graph.graph @running_statistics(%x: tensor<4x16xf32> {graph.uid = 1 : i64},
                                %s: tensor<1x16xf32> {graph.uid = 2 : i64},
                                %v: tensor<1x16xf32> {graph.uid = 3 : i64})
    -> (tensor<4x16xf32> {graph.uid = 4 : i64},
        tensor<1x16xf32> {graph.uid = 5 : i64}) {
  %e = graph.constant 1.000000e-05 : f32 : tensor<1xf32>
  %f = graph.constant 1.000000e-01 : f32 : tensor<1xf32>
  %y, %m, %r, %nm, %nv = graph.batchnorm %x scale %s bias %s running_mean %s
      running_var %v epsilon %e momentum %f
      : (tensor<4x16xf32>, tensor<1x16xf32>, tensor<1x16xf32>, tensor<1x16xf32>,
         tensor<1x16xf32>, tensor<1xf32>, tensor<1xf32>)
      -> tensor<4x16xf32>, tensor<1x16xf32>, tensor<1x16xf32>
         next_running_mean tensor<1x16xf32> next_running_var tensor<1x16xf32>
  graph.return %y, %nv : tensor<4x16xf32>, tensor<1x16xf32>
}

// -----

// Peers' statistics are merged by the judge only.
// CHECK-LABEL: graph.graph @peers
// CHECK: graph.batchnorm %
graph.graph @peers(%x: tensor<4x16xf32> {graph.uid = 1 : i64},
                   %s: tensor<1x16xf32> {graph.uid = 2 : i64},
                   %p: tensor<3x16xf32> {graph.uid = 3 : i64})
    -> (tensor<4x16xf32> {graph.uid = 4 : i64}) {
  %e = graph.constant 1.000000e-05 : f32 : tensor<1xf32>
  %y, %m, %r = graph.batchnorm %x scale %s bias %s epsilon %e peer_stats %p
      : (tensor<4x16xf32>, tensor<1x16xf32>, tensor<1x16xf32>, tensor<1xf32>,
         tensor<3x16xf32>)
      -> tensor<4x16xf32>, tensor<1x16xf32>, tensor<1x16xf32>
  graph.return %y : tensor<4x16xf32>
}

// -----

// An epsilon of more axes than X does not give its axes to the parts.
// CHECK-LABEL: graph.graph @epsilon_of_higher_rank
// CHECK: graph.reshape logical %{{.*}} : (tensor<1x1x1xf32>) -> tensor<1xf32>
// CHECK: graph.add %{{.*}} : (tensor<2x3xf32>, tensor<1xf32>) -> tensor<2x3xf32>
graph.graph @epsilon_of_higher_rank(%x: tensor<2x3xf32> {graph.uid = 1 : i64},
                                    %s: tensor<1xf32> {graph.uid = 2 : i64},
                                    %e: tensor<1x1x1xf32> {graph.uid = 3 : i64})
    -> (tensor<2x3xf32> {graph.uid = 4 : i64}) {
  %y = graph.instancenorm inference %x scale %s bias %s epsilon %e
      : (tensor<2x3xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1x1x1xf32>)
      -> tensor<2x3xf32>
  graph.return %y : tensor<2x3xf32>
}
