// RUN: graph-opt %s | graph-opt | FileCheck %s

// CHECK-LABEL: graph.graph @batchnorm
graph.graph @batchnorm(
    %x: tensor<2x3x5xf32> {graph.uid = 1 : i64},
    %s: tensor<1x3x1xf32> {graph.uid = 2 : i64},
    %b: tensor<1x3x1xf32> {graph.uid = 3 : i64},
    %e: tensor<1xf32> {graph.uid = 4 : i64})
    -> (tensor<2x3x5xf32> {graph.uid = 5 : i64},
        tensor<1x3x1xf32> {graph.uid = 6 : i64},
        tensor<1x3x1xf32> {graph.uid = 7 : i64}) {
  // CHECK: graph.batchnorm %{{.+}} scale %{{.+}} bias %{{.+}} epsilon %{{.+}} :
  // CHECK-SAME: -> tensor<2x3x5xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>{{$}}
  %0, %1, %2 = graph.batchnorm %x scale %s bias %b epsilon %e
      : (tensor<2x3x5xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1xf32>)
      -> tensor<2x3x5xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>
  graph.return %0, %1, %2 : tensor<2x3x5xf32>, tensor<1x3x1xf32>,
      tensor<1x3x1xf32>
}

// CHECK-LABEL: graph.graph @batchnorm_running
graph.graph @batchnorm_running(
    %x: tensor<2x3x5xf32> {graph.uid = 1 : i64},
    %s: tensor<1x3x1xf32> {graph.uid = 2 : i64},
    %b: tensor<1x3x1xf32> {graph.uid = 3 : i64},
    %rm: tensor<1x3x1xf32> {graph.uid = 4 : i64},
    %rv: tensor<1x3x1xf32> {graph.uid = 5 : i64},
    %e: tensor<1xf32> {graph.uid = 6 : i64},
    %f: tensor<1xf32> {graph.uid = 7 : i64},
    %p: tensor<3x3x1xf32> {graph.uid = 8 : i64})
    -> (tensor<2x3x5xf32> {graph.uid = 9 : i64},
        tensor<1x3x1xf32> {graph.uid = 10 : i64},
        tensor<1x3x1xf32> {graph.uid = 11 : i64},
        tensor<1x3x1xf32> {graph.uid = 12 : i64},
        tensor<1x3x1xf32> {graph.uid = 13 : i64}) {
  // CHECK: graph.batchnorm %{{.+}} running_mean %{{.+}} running_var %{{.+}} epsilon %{{.+}} momentum %{{.+}} peer_stats %{{.+}} :
  // CHECK-SAME: next_running_mean tensor<1x3x1xf32> next_running_var tensor<1x3x1xf32>
  %0, %1, %2, %3, %4 = graph.batchnorm %x scale %s bias %b running_mean %rm running_var %rv epsilon %e momentum %f peer_stats %p
      : (tensor<2x3x5xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>,
         tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1xf32>, tensor<1xf32>,
         tensor<3x3x1xf32>)
      -> tensor<2x3x5xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>
         next_running_mean tensor<1x3x1xf32> next_running_var tensor<1x3x1xf32>
  graph.return %0, %1, %2, %3, %4 : tensor<2x3x5xf32>, tensor<1x3x1xf32>,
      tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>
}

// CHECK-LABEL: graph.graph @batchnorm_inference
graph.graph @batchnorm_inference(
    %x: tensor<4x3xbf16> {graph.uid = 1 : i64},
    %m: tensor<1x3xf32> {graph.uid = 2 : i64},
    %r: tensor<1x3xf32> {graph.uid = 3 : i64},
    %s: tensor<1x3xf32> {graph.uid = 4 : i64},
    %b: tensor<1x1xf32> {graph.uid = 5 : i64})
    -> (tensor<4x3xbf16> {graph.uid = 6 : i64}) {
  // CHECK: graph.batchnorm_inference
  %0 = graph.batchnorm_inference %x, %m, %r, %s, %b
      : (tensor<4x3xbf16>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>,
         tensor<1x1xf32>)
      -> tensor<4x3xbf16>
  graph.return %0 : tensor<4x3xbf16>
}

// CHECK-LABEL: graph.graph @batchnorm_backward
graph.graph @batchnorm_backward(
    %dy: tensor<2x3x5xf32> {graph.uid = 1 : i64},
    %x: tensor<2x3x5xf32> {graph.uid = 2 : i64},
    %s: tensor<1x3x1xf32> {graph.uid = 3 : i64},
    %m: tensor<1x3x1xf32> {graph.uid = 4 : i64},
    %r: tensor<1x3x1xf32> {graph.uid = 5 : i64})
    -> (tensor<2x3x5xf32> {graph.uid = 6 : i64},
        tensor<1x3x1xf32> {graph.uid = 7 : i64},
        tensor<1x3x1xf32> {graph.uid = 8 : i64}) {
  // CHECK: graph.batchnorm_backward %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}} : (
  %0, %1, %2 = graph.batchnorm_backward %dy, %x, %s, %m, %r
      : (tensor<2x3x5xf32>, tensor<2x3x5xf32>, tensor<1x3x1xf32>,
         tensor<1x3x1xf32>, tensor<1x3x1xf32>)
      -> tensor<2x3x5xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>
  graph.return %0, %1, %2 : tensor<2x3x5xf32>, tensor<1x3x1xf32>,
      tensor<1x3x1xf32>
}

// CHECK-LABEL: graph.graph @batchnorm_backward_peers
graph.graph @batchnorm_backward_peers(
    %dy: tensor<2x3x5xf32> {graph.uid = 1 : i64},
    %x: tensor<2x3x5xf32> {graph.uid = 2 : i64},
    %s: tensor<1x3x1xf32> {graph.uid = 3 : i64},
    %m: tensor<1x3x1xf32> {graph.uid = 4 : i64},
    %r: tensor<1x3x1xf32> {graph.uid = 5 : i64},
    %p: tensor<3x3x1xf64> {graph.uid = 6 : i64})
    -> (tensor<2x3x5xf32> {graph.uid = 7 : i64},
        tensor<1x3x1xf32> {graph.uid = 8 : i64},
        tensor<1x3x1xf32> {graph.uid = 9 : i64}) {
  // CHECK: graph.batchnorm_backward %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}} peer_stats %{{.+}} : (
  %0, %1, %2 = graph.batchnorm_backward %dy, %x, %s, %m, %r peer_stats %p
      : (tensor<2x3x5xf32>, tensor<2x3x5xf32>, tensor<1x3x1xf32>,
         tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<3x3x1xf64>)
      -> tensor<2x3x5xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>
  graph.return %0, %1, %2 : tensor<2x3x5xf32>, tensor<1x3x1xf32>,
      tensor<1x3x1xf32>
}

// CHECK-LABEL: graph.graph @genstats
graph.graph @genstats(
    %x: tensor<2x3x5xf32> {graph.uid = 1 : i64})
    -> (tensor<1x3x1xf32> {graph.uid = 2 : i64},
        tensor<1x3x1xf32> {graph.uid = 3 : i64}) {
  // CHECK: graph.genstats %{{.+}} {compute_type = f64} : (tensor<2x3x5xf32>) -> tensor<1x3x1xf32>, tensor<1x3x1xf32>
  %0, %1 = graph.genstats %x {compute_type = f64}
      : (tensor<2x3x5xf32>)
      -> tensor<1x3x1xf32>, tensor<1x3x1xf32>
  graph.return %0, %1 : tensor<1x3x1xf32>, tensor<1x3x1xf32>
}

// CHECK-LABEL: graph.graph @bn_finalize
graph.graph @bn_finalize(
    %sum: tensor<1x3x1xf32> {graph.uid = 1 : i64},
    %sq: tensor<1x3x1xf32> {graph.uid = 2 : i64},
    %s: tensor<1x3x1xf32> {graph.uid = 3 : i64},
    %b: tensor<1x3x1xf32> {graph.uid = 4 : i64},
    %e: tensor<1xf32> {graph.uid = 5 : i64},
    %n: tensor<1xi64> {graph.uid = 6 : i64})
    -> (tensor<1x3x1xf32> {graph.uid = 7 : i64},
        tensor<1x3x1xf32> {graph.uid = 8 : i64},
        tensor<1x3x1xf32> {graph.uid = 9 : i64},
        tensor<1x3x1xf32> {graph.uid = 10 : i64}) {
  // CHECK: graph.bn_finalize
  %0, %1, %2, %3 = graph.bn_finalize %sum, %sq, %s, %b, %e, %n
      : (tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>,
         tensor<1x3x1xf32>, tensor<1xf32>, tensor<1xi64>)
      -> tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>,
         tensor<1x3x1xf32>
  graph.return %0, %1, %2, %3 : tensor<1x3x1xf32>, tensor<1x3x1xf32>,
      tensor<1x3x1xf32>, tensor<1x3x1xf32>
}

// CHECK-LABEL: graph.graph @bn_finalize_running
graph.graph @bn_finalize_running(
    %sum: tensor<1x3x1xf32> {graph.uid = 1 : i64},
    %sq: tensor<1x3x1xf32> {graph.uid = 2 : i64},
    %s: tensor<1x3x1xf32> {graph.uid = 3 : i64},
    %b: tensor<1x3x1xf32> {graph.uid = 4 : i64},
    %e: tensor<1xf32> {graph.uid = 5 : i64},
    %n: tensor<1xf32> {graph.uid = 6 : i64},
    %rm: tensor<1x3x1xf32> {graph.uid = 7 : i64},
    %rv: tensor<1x3x1xf32> {graph.uid = 8 : i64},
    %f: tensor<1xf32> {graph.uid = 9 : i64})
    -> (tensor<1x3x1xf32> {graph.uid = 10 : i64},
        tensor<1x3x1xf32> {graph.uid = 11 : i64},
        tensor<1x3x1xf32> {graph.uid = 12 : i64},
        tensor<1x3x1xf32> {graph.uid = 13 : i64},
        tensor<1x3x1xf32> {graph.uid = 14 : i64},
        tensor<1x3x1xf32> {graph.uid = 15 : i64}) {
  // CHECK: graph.bn_finalize %{{.+}} prev_running_mean %{{.+}} prev_running_var %{{.+}} momentum %{{.+}} :
  // CHECK-SAME: next_running_mean tensor<1x3x1xf32> next_running_var tensor<1x3x1xf32>
  %0, %1, %2, %3, %4, %5 = graph.bn_finalize %sum, %sq, %s, %b, %e, %n prev_running_mean %rm prev_running_var %rv momentum %f
      : (tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>,
         tensor<1x3x1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1x3x1xf32>,
         tensor<1x3x1xf32>, tensor<1xf32>)
      -> tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>,
         tensor<1x3x1xf32> next_running_mean tensor<1x3x1xf32> next_running_var
         tensor<1x3x1xf32>
  graph.return %0, %1, %2, %3, %4, %5 : tensor<1x3x1xf32>, tensor<1x3x1xf32>,
      tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>
}

// CHECK-LABEL: graph.graph @dbn_weight
graph.graph @dbn_weight(
    %dy: tensor<2x3x5xf32> {graph.uid = 1 : i64},
    %x: tensor<2x3x5xf32> {graph.uid = 2 : i64},
    %s: tensor<1x3x1xf32> {graph.uid = 3 : i64},
    %m: tensor<1x3x1xf32> {graph.uid = 4 : i64},
    %r: tensor<1x3x1xf32> {graph.uid = 5 : i64})
    -> (tensor<1x3x1xf32> {graph.uid = 6 : i64},
        tensor<1x3x1xf32> {graph.uid = 7 : i64},
        tensor<1x3x1xf32> {graph.uid = 8 : i64},
        tensor<1x3x1xf32> {graph.uid = 9 : i64},
        tensor<1x3x1xf32> {graph.uid = 10 : i64}) {
  // CHECK: graph.dbn_weight
  %0, %1, %2, %3, %4 = graph.dbn_weight %dy, %x, %s, %m, %r
      : (tensor<2x3x5xf32>, tensor<2x3x5xf32>, tensor<1x3x1xf32>,
         tensor<1x3x1xf32>, tensor<1x3x1xf32>)
      -> tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>,
         tensor<1x3x1xf32>, tensor<1x3x1xf32>
  graph.return %0, %1, %2, %3, %4 : tensor<1x3x1xf32>, tensor<1x3x1xf32>,
      tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>
}
