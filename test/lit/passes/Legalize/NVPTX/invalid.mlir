// RUN: graph-opt %s --graph-legalize-nvptx-pointwise --split-input-file --verify-diagnostics

graph.graph @matmul(%a: tensor<4x8xf32> {graph.uid = 1 : i64},
                    %b: tensor<8x4xf32> {graph.uid = 2 : i64})
    -> (tensor<4x4xf32> {graph.uid = 3 : i64}) {
  // expected-error @below {{is not served by engine nvptx.pointwise}}
  %0 = graph.matmul %a, %b : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  graph.return %0 : tensor<4x4xf32>
}

// -----

// Blocks are cut from extents that are numbers.
#m = #graph.layout<symbols = ["M", ""]>
graph.graph @dynamic(%x: tensor<?x64xbf16, #m> {graph.uid = 1 : i64})
    -> (tensor<?x64xf8E4M3FN, #m> {graph.uid = 2 : i64},
        tensor<?x2xf8E8M0FNU, #m> {graph.uid = 3 : i64}) {
  // expected-error @below {{has dynamic extents, which engine nvptx.pointwise does not serve}}
  %y, %s = graph.block_scale_quantize %x {block_size = 32 : i64}
      : (tensor<?x64xbf16, #m>) -> tensor<?x64xf8E4M3FN, #m>, tensor<?x2xf8E8M0FNU, #m>
  graph.return %y, %s : tensor<?x64xf8E4M3FN, #m>, tensor<?x2xf8E8M0FNU, #m>
}
