// RUN: graph-opt %s --graph-plan='target=%opgraph_src/lib/Devices/h200.json' --split-input-file --verify-diagnostics | FileCheck %s

// More than 2^31 elements are rows of columns, of which there are less.

// CHECK-LABEL: graph.graph @rows
// CHECK-SAME: #graph.plan<engine = 30000
graph.graph @rows(
    %x: tensor<1048576x8192xbf16, #graph.layout<strides = [8589934592, 1]>> {graph.uid = 1 : i64},
    %s: tensor<1x8192xbf16> {graph.uid = 2 : i64})
    -> (tensor<1048576x8192xbf16> {graph.uid = 3 : i64}) {
  %e = graph.constant 1.000000e-05 : f32 : tensor<1x1xf32>
  %y, %r = graph.rmsnorm training %x scale %s epsilon %e
      : (tensor<1048576x8192xbf16, #graph.layout<strides = [8589934592, 1]>>,
         tensor<1x8192xbf16>, tensor<1x1xf32>)
      -> tensor<1048576x8192xbf16> inv_variance tensor<1048576x1xf32>
  graph.return %y : tensor<1048576x8192xbf16>
}

// -----

// expected-error-re @below {{elements({{.*}}): expected at most 2146435072, or 2^30 along an axis, beside the fastest one, and left or combined by a reduction, got 4294967296}}
graph.graph @long(%x: tensor<4294967296xbf16> {graph.uid = 1 : i64})
    -> (tensor<4294967296xbf16> {graph.uid = 2 : i64}) {
  %0 = graph.neg %x : (tensor<4294967296xbf16>) -> tensor<4294967296xbf16>
  graph.return %0 : tensor<4294967296xbf16>
}
