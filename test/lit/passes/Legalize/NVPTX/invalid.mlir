// RUN: graph-opt %s --graph-legalize-nvptx-pointwise --split-input-file --verify-diagnostics

graph.graph @matmul(%a: tensor<4x8xf32> {graph.uid = 1 : i64},
                    %b: tensor<8x4xf32> {graph.uid = 2 : i64})
    -> (tensor<4x4xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{is not served by engine nvptx.pointwise}}
  %0 = graph.matmul %a, %b : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  graph.return %0 : tensor<4x4xf32>
}

// -----

#m = #graph.layout<symbols = ["M"]>
graph.graph @dynamic(%x: tensor<?xf32, #m> {graph.uid = 1 : i64})
    -> (tensor<?xf32, #m> {graph.uid = 2 : i64}) {
  // expected-error @below {{has dynamic extents, which engine nvptx.pointwise does not serve}}
  %0 = graph.relu %x : (tensor<?xf32, #m>) -> tensor<?xf32, #m>
  graph.return %0 : tensor<?xf32, #m>
}

// -----

graph.graph @halves(%x: tensor<64xf4E2M1FN> {graph.uid = 1 : i64})
    -> (tensor<64xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{has 4-bit elements, which engine nvptx.pointwise does not serve}}
  %0 = graph.identity %x : (tensor<64xf4E2M1FN>) -> tensor<64xf32>
  graph.return %0 : tensor<64xf32>
}
