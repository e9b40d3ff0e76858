// RUN: graph-opt %s | graph-opt | FileCheck %s

// CHECK-LABEL: graph.graph @plain
graph.graph @plain(%x: tensor<2x4x8xbf16> {graph.uid = 1 : i64})
    -> (tensor<2x4x8xf32> {graph.uid = 2 : i64}) {
  // CHECK: graph.softmax %{{.+}} {nan_for_masked_rows} : (tensor<2x4x8xbf16>) -> tensor<2x4x8xf32>
  %0 = graph.softmax %x {nan_for_masked_rows}
      : (tensor<2x4x8xbf16>) -> tensor<2x4x8xf32>
  graph.return %0 : tensor<2x4x8xf32>
}

!x = tensor<?x8xf32, #graph.layout<symbols = ["M", ""]>>
!r = tensor<?x1xf32, #graph.layout<symbols = ["M", ""]>>
// CHECK-LABEL: graph.graph @all_results
graph.graph @all_results(%x: !x {graph.uid = 1 : i64})
    -> (!x {graph.uid = 2 : i64}, !r {graph.uid = 3 : i64},
        !r {graph.uid = 4 : i64}, !r {graph.uid = 5 : i64}) {
  // CHECK: graph.softmax %{{.+}} {generate_max, generate_stats, generate_sum_exp} :
  // CHECK-SAME: stats tensor<?x1xf32, {{.+}}> max tensor<?x1xf32, {{.+}}> sum_exp tensor<?x1xf32, {{.+}}>
  %s, %stats, %max, %sum = graph.softmax %x
      {generate_stats, generate_max, generate_sum_exp}
      : (!x) -> !x stats !r max !r sum_exp !r
  graph.return %s, %stats, %max, %sum : !x, !r, !r, !r
}

// CHECK-LABEL: graph.graph @max_only
graph.graph @max_only(%x: tensor<4x0xf32> {graph.uid = 1 : i64})
    -> (tensor<4x0xf32> {graph.uid = 2 : i64},
        tensor<4x1xf32> {graph.uid = 3 : i64}) {
  // CHECK: graph.softmax %{{.+}} {generate_max} : (tensor<4x0xf32>) -> tensor<4x0xf32> max tensor<4x1xf32>
  %s, %max = graph.softmax %x {generate_max}
      : (tensor<4x0xf32>) -> tensor<4x0xf32> max tensor<4x1xf32>
  graph.return %s, %max : tensor<4x0xf32>, tensor<4x1xf32>
}
