// RUN: graph-opt %s --graph-legalize-host-reference --verify-diagnostics

// No operand tells how large K is.
graph.graph @unbound_symbol(%x: tensor<0x4xf32> {graph.uid = 1 : i64})
    -> (tensor<0x4xf32> {graph.uid = 2 : i64}) {
  // expected-error @below {{'graph.reshape' op expected symbol "K" of result 0 to be an extent of an argument or a result of the graph}}
  %0 = graph.reshape logical %x : (tensor<0x4xf32>)
      -> tensor<0x?xf32, #graph.layout<symbols = ["", "K"]>>
  %1 = graph.reshape logical %0
      : (tensor<0x?xf32, #graph.layout<symbols = ["", "K"]>>) -> tensor<0x4xf32>
  graph.return %1 : tensor<0x4xf32>
}
