// RUN: graph-opt %s | graph-opt | FileCheck %s

// CHECK-LABEL: graph.graph @layernorm_backward
graph.graph @layernorm_backward(
    %dy: tensor<16x64xf32> {graph.uid = 1 : i64},
    %x: tensor<16x64xf32> {graph.uid = 2 : i64},
    %s: tensor<1x64xf32> {graph.uid = 3 : i64},
    %m: tensor<16x1xf32> {graph.uid = 4 : i64},
    %r: tensor<16x1xf32> {graph.uid = 5 : i64})
    -> (tensor<16x64xf32> {graph.uid = 6 : i64},
        tensor<1x64xf32> {graph.uid = 7 : i64},
        tensor<1x64xf32> {graph.uid = 8 : i64}) {
  // CHECK: graph.layernorm_backward %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}} scale %{{.+}} :
  // CHECK-SAME: -> tensor<16x64xf32> dscale tensor<1x64xf32> dbias tensor<1x64xf32>
  %0, %1, %2 = graph.layernorm_backward %dy, %x, %m, %r scale %s
      : (tensor<16x64xf32>, tensor<16x64xf32>, tensor<1x64xf32>,
         tensor<16x1xf32>, tensor<16x1xf32>)
      -> tensor<16x64xf32> dscale tensor<1x64xf32> dbias tensor<1x64xf32>
  graph.return %0, %1, %2 : tensor<16x64xf32>, tensor<1x64xf32>,
      tensor<1x64xf32>
}

// A scale of lower rank is right-aligned; its gradients have its extents.
// CHECK-LABEL: graph.graph @layernorm_backward_aligned
graph.graph @layernorm_backward_aligned(
    %dy: tensor<2x3x64xf16> {graph.uid = 1 : i64},
    %x: tensor<2x3x64xf16> {graph.uid = 2 : i64},
    %s: tensor<64xf32> {graph.uid = 3 : i64},
    %m: tensor<2x3x1xf32> {graph.uid = 4 : i64},
    %r: tensor<2x3x1xf32> {graph.uid = 5 : i64})
    -> (tensor<2x3x64xf16> {graph.uid = 6 : i64},
        tensor<64xf32> {graph.uid = 7 : i64},
        tensor<64xf32> {graph.uid = 8 : i64}) {
  // CHECK: graph.layernorm_backward
  // CHECK-SAME: -> tensor<2x3x64xf16> dscale tensor<64xf32> dbias tensor<64xf32>
  %0, %1, %2 = graph.layernorm_backward %dy, %x, %m, %r scale %s
      : (tensor<2x3x64xf16>, tensor<2x3x64xf16>, tensor<64xf32>,
         tensor<2x3x1xf32>, tensor<2x3x1xf32>)
      -> tensor<2x3x64xf16> dscale tensor<64xf32> dbias tensor<64xf32>
  graph.return %0, %1, %2 : tensor<2x3x64xf16>, tensor<64xf32>, tensor<64xf32>
}

// CHECK-LABEL: graph.graph @layernorm_backward_no_scale
graph.graph @layernorm_backward_no_scale(
    %dy: tensor<4x5x6xf32> {graph.uid = 1 : i64},
    %x: tensor<4x5x6xf32> {graph.uid = 2 : i64},
    %m: tensor<4x1x1xf32> {graph.uid = 3 : i64},
    %r: tensor<4x1x1xf32> {graph.uid = 4 : i64})
    -> (tensor<4x5x6xf32> {graph.uid = 5 : i64}) {
  // CHECK: graph.layernorm_backward %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}} :
  // CHECK-SAME: -> tensor<4x5x6xf32>
  %0 = graph.layernorm_backward %dy, %x, %m, %r
      : (tensor<4x5x6xf32>, tensor<4x5x6xf32>, tensor<4x1x1xf32>,
         tensor<4x1x1xf32>)
      -> tensor<4x5x6xf32>
  graph.return %0 : tensor<4x5x6xf32>
}

// CHECK-LABEL: graph.graph @rmsnorm_backward
graph.graph @rmsnorm_backward(
    %dy: tensor<16x64xf32> {graph.uid = 1 : i64},
    %x: tensor<16x64xf32> {graph.uid = 2 : i64},
    %s: tensor<1x64xf32> {graph.uid = 3 : i64},
    %r: tensor<16x1xf32> {graph.uid = 4 : i64})
    -> (tensor<16x64xf32> {graph.uid = 5 : i64},
        tensor<1x64xf32> {graph.uid = 6 : i64}) {
  // CHECK: graph.rmsnorm_backward %{{.+}}, %{{.+}}, %{{.+}} scale %{{.+}} :
  // CHECK-SAME: -> tensor<16x64xf32> dscale tensor<1x64xf32>
  %0, %1 = graph.rmsnorm_backward %dy, %x, %r scale %s
      : (tensor<16x64xf32>, tensor<16x64xf32>, tensor<1x64xf32>,
         tensor<16x1xf32>)
      -> tensor<16x64xf32> dscale tensor<1x64xf32>
  graph.return %0, %1 : tensor<16x64xf32>, tensor<1x64xf32>
}

// CHECK-LABEL: graph.graph @rmsnorm_backward_dbias
graph.graph @rmsnorm_backward_dbias(
    %dy: tensor<16x64xf32> {graph.uid = 1 : i64},
    %x: tensor<16x64xf32> {graph.uid = 2 : i64},
    %s: tensor<1x64xf32> {graph.uid = 3 : i64},
    %r: tensor<16x1xf32> {graph.uid = 4 : i64})
    -> (tensor<16x64xf32> {graph.uid = 5 : i64},
        tensor<1x64xf32> {graph.uid = 6 : i64},
        tensor<1x64xf32> {graph.uid = 7 : i64}) {
  // CHECK: graph.rmsnorm_backward %{{.+}} scale %{{.+}} {compute_type = f64, has_dbias} :
  // CHECK-SAME: -> tensor<16x64xf32> dscale tensor<1x64xf32> dbias tensor<1x64xf32>
  %0, %1, %2 = graph.rmsnorm_backward %dy, %x, %r scale %s {compute_type = f64, has_dbias}
      : (tensor<16x64xf32>, tensor<16x64xf32>, tensor<1x64xf32>,
         tensor<16x1xf32>)
      -> tensor<16x64xf32> dscale tensor<1x64xf32> dbias tensor<1x64xf32>
  graph.return %0, %1, %2 : tensor<16x64xf32>, tensor<1x64xf32>,
      tensor<1x64xf32>
}

// CHECK-LABEL: graph.graph @adalayernorm
graph.graph @adalayernorm(
    %x: tensor<2x8x64xf32> {graph.uid = 1 : i64},
    %s: tensor<2x1x64xf32> {graph.uid = 2 : i64},
    %b: tensor<2x1x64xf32> {graph.uid = 3 : i64},
    %e: tensor<1xf32> {graph.uid = 4 : i64})
    -> (tensor<2x8x64xf32> {graph.uid = 5 : i64},
        tensor<2x8x1xf32> {graph.uid = 6 : i64},
        tensor<2x8x1xf32> {graph.uid = 7 : i64}) {
  // CHECK: graph.adalayernorm training %{{.+}} scale %{{.+}} bias %{{.+}} epsilon %{{.+}} :
  // CHECK-SAME: -> tensor<2x8x64xf32> mean tensor<2x8x1xf32> inv_variance tensor<2x8x1xf32>
  %0, %1, %2 = graph.adalayernorm training %x scale %s bias %b epsilon %e
      : (tensor<2x8x64xf32>, tensor<2x1x64xf32>, tensor<2x1x64xf32>,
         tensor<1xf32>)
      -> tensor<2x8x64xf32> mean tensor<2x8x1xf32> inv_variance
         tensor<2x8x1xf32>
  graph.return %0, %1, %2 : tensor<2x8x64xf32>, tensor<2x8x1xf32>,
      tensor<2x8x1xf32>
}

// A scale for all samples.
// CHECK-LABEL: graph.graph @adalayernorm_inference
graph.graph @adalayernorm_inference(
    %x: tensor<2x8x64xf32> {graph.uid = 1 : i64},
    %s: tensor<1x1x64xf32> {graph.uid = 2 : i64},
    %e: tensor<1xf32> {graph.uid = 3 : i64})
    -> (tensor<2x8x64xf32> {graph.uid = 4 : i64}) {
  // CHECK: graph.adalayernorm inference %{{.+}} scale %{{.+}} epsilon %{{.+}} :
  %0 = graph.adalayernorm inference %x scale %s epsilon %e
      : (tensor<2x8x64xf32>, tensor<1x1x64xf32>, tensor<1xf32>)
      -> tensor<2x8x64xf32>
  graph.return %0 : tensor<2x8x64xf32>
}

// CHECK-LABEL: graph.graph @adalayernorm_backward
graph.graph @adalayernorm_backward(
    %dy: tensor<2x8x64xf32> {graph.uid = 1 : i64},
    %x: tensor<2x8x64xf32> {graph.uid = 2 : i64},
    %s: tensor<2x1x64xf32> {graph.uid = 3 : i64},
    %m: tensor<2x8x1xf32> {graph.uid = 4 : i64},
    %r: tensor<2x8x1xf32> {graph.uid = 5 : i64})
    -> (tensor<2x8x64xf32> {graph.uid = 6 : i64},
        tensor<2x1x64xf32> {graph.uid = 7 : i64},
        tensor<2x1x64xf32> {graph.uid = 8 : i64}) {
  // CHECK: graph.adalayernorm_backward
  // CHECK-SAME: -> tensor<2x8x64xf32>, tensor<2x1x64xf32>, tensor<2x1x64xf32>
  %0, %1, %2 = graph.adalayernorm_backward %dy, %x, %s, %m, %r
      : (tensor<2x8x64xf32>, tensor<2x8x64xf32>, tensor<2x1x64xf32>,
         tensor<2x8x1xf32>, tensor<2x8x1xf32>)
      -> tensor<2x8x64xf32>, tensor<2x1x64xf32>, tensor<2x1x64xf32>
  graph.return %0, %1, %2 : tensor<2x8x64xf32>, tensor<2x1x64xf32>,
      tensor<2x1x64xf32>
}

// CHECK-LABEL: graph.graph @instancenorm
graph.graph @instancenorm(
    %x: tensor<2x3x5xf32> {graph.uid = 1 : i64},
    %s: tensor<1x3x1xf32> {graph.uid = 2 : i64},
    %b: tensor<1x3x1xf32> {graph.uid = 3 : i64},
    %e: tensor<1xf32> {graph.uid = 4 : i64})
    -> (tensor<2x3x5xf32> {graph.uid = 5 : i64},
        tensor<2x3x1xf32> {graph.uid = 6 : i64},
        tensor<2x3x1xf32> {graph.uid = 7 : i64}) {
  // CHECK: graph.instancenorm training
  // CHECK-SAME: -> tensor<2x3x5xf32> mean tensor<2x3x1xf32> inv_variance tensor<2x3x1xf32>
  %0, %1, %2 = graph.instancenorm training %x scale %s bias %b epsilon %e
      : (tensor<2x3x5xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1xf32>)
      -> tensor<2x3x5xf32> mean tensor<2x3x1xf32> inv_variance tensor<2x3x1xf32>
  graph.return %0, %1, %2 : tensor<2x3x5xf32>, tensor<2x3x1xf32>,
      tensor<2x3x1xf32>
}

// No spatial axes, and an affine form of one element.
// CHECK-LABEL: graph.graph @instancenorm_rank_2
graph.graph @instancenorm_rank_2(
    %x: tensor<2x3xf32> {graph.uid = 1 : i64},
    %s: tensor<1x1xf32> {graph.uid = 2 : i64},
    %b: tensor<1xf32> {graph.uid = 3 : i64},
    %e: tensor<1xf32> {graph.uid = 4 : i64})
    -> (tensor<2x3xf32> {graph.uid = 5 : i64}) {
  // CHECK: graph.instancenorm inference
  %0 = graph.instancenorm inference %x scale %s bias %b epsilon %e
      : (tensor<2x3xf32>, tensor<1x1xf32>, tensor<1xf32>, tensor<1xf32>)
      -> tensor<2x3xf32>
  graph.return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: graph.graph @instancenorm_backward
graph.graph @instancenorm_backward(
    %dy: tensor<2x3x5xf32> {graph.uid = 1 : i64},
    %x: tensor<2x3x5xf32> {graph.uid = 2 : i64},
    %s: tensor<1x3x1xf32> {graph.uid = 3 : i64},
    %m: tensor<2x3x1xf32> {graph.uid = 4 : i64},
    %r: tensor<2x3x1xf32> {graph.uid = 5 : i64})
    -> (tensor<2x3x5xf32> {graph.uid = 6 : i64},
        tensor<1x3x1xf32> {graph.uid = 7 : i64},
        tensor<1x3x1xf32> {graph.uid = 8 : i64}) {
  // CHECK: graph.instancenorm_backward
  // CHECK-SAME: -> tensor<2x3x5xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>
  %0, %1, %2 = graph.instancenorm_backward %dy, %x, %s, %m, %r
      : (tensor<2x3x5xf32>, tensor<2x3x5xf32>, tensor<1x3x1xf32>,
         tensor<2x3x1xf32>, tensor<2x3x1xf32>)
      -> tensor<2x3x5xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>
  graph.return %0, %1, %2 : tensor<2x3x5xf32>, tensor<1x3x1xf32>,
      tensor<1x3x1xf32>
}
