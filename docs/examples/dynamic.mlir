// Dynamic extents: the batch M is bound when operands are; equal symbols are
// checked then.
#x = #graph.layout<symbols = ["M", ""]>
graph.graph @dynamic_relu(
    %x: tensor<?x48xf32, #x> {graph.uid = 1 : i64, graph.name = "X"},
    %y: tensor<?x48xf32, #x> {graph.uid = 2 : i64, graph.name = "Y"})
    -> (tensor<?x48xf32, #x> {graph.uid = 3 : i64, graph.name = "Z"}) attributes {dynamic} {
  %0 = graph.add %x, %y : (tensor<?x48xf32, #x>, tensor<?x48xf32, #x>) -> tensor<?x48xf32, #x>
  %1 = graph.relu %0 : (tensor<?x48xf32, #x>) -> tensor<?x48xf32, #x>
  graph.return %1 : tensor<?x48xf32, #x>
}
