// Matmul in integers: int8 operands, exact i32 accumulation.
graph.graph @int8_matmul(
    %a: tensor<17x40xi8> {graph.uid = 1 : i64, graph.name = "A"},
    %b: tensor<40x23xi8> {graph.uid = 2 : i64, graph.name = "B"})
    -> (tensor<17x23xi32> {graph.uid = 3 : i64, graph.name = "C"}) {
  %0 = graph.matmul %a, %b {compute_type = i32} : (tensor<17x40xi8>, tensor<40x23xi8>) -> tensor<17x23xi32>
  graph.return %0 : tensor<17x23xi32>
}
