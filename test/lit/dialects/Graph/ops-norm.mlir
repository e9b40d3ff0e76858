// RUN: graph-opt %s | graph-opt | FileCheck %s

// CHECK-LABEL: graph.graph @layernorm_training
graph.graph @layernorm_training(
    %x: tensor<2048x768x1x1xf16> {graph.uid = 1 : i64},
    %s: tensor<1x768x1x1xf32> {graph.uid = 2 : i64},
    %b: tensor<1x768x1x1xf32> {graph.uid = 3 : i64},
    %e: tensor<1x1x1x1xf32> {graph.uid = 4 : i64, graph.by_value})
    -> (tensor<2048x768x1x1xf16> {graph.uid = 5 : i64},
        tensor<2048x1x1x1xf32> {graph.uid = 6 : i64},
        tensor<2048x1x1x1xf32> {graph.uid = 7 : i64}) {
  // CHECK: graph.layernorm training %{{.+}} scale %{{.+}} bias %{{.+}} epsilon %{{.+}} : (
  // CHECK-SAME: -> tensor<2048x768x1x1xf16> mean tensor<2048x1x1x1xf32> inv_variance tensor<2048x1x1x1xf32>
  %y, %m, %r = graph.layernorm training %x scale %s bias %b epsilon %e
      : (tensor<2048x768x1x1xf16>, tensor<1x768x1x1xf32>,
         tensor<1x768x1x1xf32>, tensor<1x1x1x1xf32>)
      -> tensor<2048x768x1x1xf16> mean tensor<2048x1x1x1xf32>
         inv_variance tensor<2048x1x1x1xf32>
  graph.return %y, %m, %r : tensor<2048x768x1x1xf16>, tensor<2048x1x1x1xf32>,
                            tensor<2048x1x1x1xf32>
}

// Without a scale every axis but 0 is normalised.
// CHECK-LABEL: graph.graph @no_scale
graph.graph @no_scale(%x: tensor<4x8x16xf32> {graph.uid = 1 : i64})
    -> (tensor<4x8x16xf32> {graph.uid = 2 : i64},
        tensor<4x1x1xf32> {graph.uid = 3 : i64}) {
  %e = graph.constant 1.0e-5 : f32 : tensor<1xf32>
  // CHECK: graph.rmsnorm training %{{.+}} epsilon %{{.+}} : (
  %y, %r = graph.rmsnorm training %x epsilon %e
      : (tensor<4x8x16xf32>, tensor<1xf32>)
      -> tensor<4x8x16xf32> inv_variance tensor<4x1x1xf32>
  graph.return %y, %r : tensor<4x8x16xf32>, tensor<4x1x1xf32>
}

!x = tensor<?x?x128xbf16, #graph.layout<symbols = ["B", "S", ""]>>
// A scale of lower rank is right-aligned.
// CHECK-LABEL: graph.graph @symbols
graph.graph @symbols(%x: !x {graph.uid = 1 : i64},
                     %s: tensor<128xbf16> {graph.uid = 2 : i64},
                     %e: tensor<1xf32> {graph.uid = 3 : i64, graph.by_value})
    -> (!x {graph.uid = 4 : i64}) {
  // CHECK: graph.rmsnorm inference %{{.+}} scale %{{.+}} epsilon %{{.+}} {compute_type = f64} :
  %y = graph.rmsnorm inference %x scale %s epsilon %e {compute_type = f64}
      : (!x, tensor<128xbf16>, tensor<1xf32>) -> !x
  graph.return %y : !x
}
