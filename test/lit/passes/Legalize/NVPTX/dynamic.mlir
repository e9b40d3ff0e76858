// RUN: graph-opt %s --graph-legalize-nvptx-pointwise --mlir-print-local-scope --split-input-file | FileCheck %s

// A packed graph is one axis of columns, read by whole vectors where there are
// some; parameters are formulas. A product that i32 coordinates cannot reach is
// made one that the parameter cannot hold.

// CHECK-LABEL: plan.program @flat
// CHECK: plan.symbol "M" extent 0, 0 {max = 2146435072 : i64}
// CHECK: plan.symbol "N" extent 0, 1 {max = 2146435072 : i64}
// CHECK: plan.launch @[[A:opgraph_map_f32_1x1024_[0-9a-f]+]]
// CHECK-SAME: grid affine_map<()[s0, s1] -> ((-((s1 mod 4) ceildiv (s1 mod 4 + 1)) + 1) * ((s0 * s1) ceildiv 1024))>
// CHECK-SAME: #plan.integer<affine_map<()[s0, s1] -> (s0 * s1 + ((s0 * s1) floordiv 2146435073) * 2147483648)>, i32>
// CHECK: plan.launch @[[B:opgraph_map_f32_1x1024_[0-9a-f]+]]
// CHECK-SAME: grid affine_map<()[s0, s1] -> (((s1 mod 4) ceildiv (s1 mod 4 + 1)) * ((s0 * s1) ceildiv 1024))>
// CHECK-NOT: plan.launch
// CHECK-DAG: tile.kernel @[[A]]
// CHECK-DAG: tile.kernel @[[B]]
#mn = #graph.layout<symbols = ["M", "N"]>
graph.graph @flat(%x: tensor<?x?xf32, #mn> {graph.uid = 1 : i64})
    -> (tensor<?x?xf32, #mn> {graph.uid = 2 : i64}) attributes {dynamic} {
  %0 = graph.relu %x : (tensor<?x?xf32, #mn>) -> tensor<?x?xf32, #mn>
  graph.return %0 : tensor<?x?xf32, #mn>
}

// -----

// Rows of whole vectors that fit into registers, short rows of any length, and all
// others: grids choose.

// CHECK-LABEL: plan.program @softmax
// CHECK: plan.launch @[[A:opgraph_rows_f32_[0-9a-z]+_[0-9a-f]+]]
// CHECK-SAME: grid affine_map<()[s0, s1] -> ((-((s1 mod 4 + s1 floordiv [[MOST:[0-9]+]]) ceildiv (s1 mod 4 + s1 floordiv [[MOST]] + 1)) + 1) * s0)>
// CHECK: plan.launch @[[B:opgraph_rows_f32_[0-9a-z]+_[0-9a-f]+]]
// CHECK-SAME: grid affine_map<()[s0, s1] -> ((((s1 mod 4 + s1 floordiv [[MOST]]) ceildiv (s1 mod 4 + s1 floordiv [[MOST]] + 1)) * (-((s1 floordiv [[SHORT:[0-9]+]]) ceildiv (s1 floordiv [[SHORT]] + 1)) + 1)) * s0)>
// CHECK: plan.launch @[[C:opgraph_rows_f32_[0-9a-z]+_[0-9a-f]+]]
// CHECK-SAME: grid affine_map<()[s0, s1] -> ((((s1 mod 4 + s1 floordiv [[MOST]]) ceildiv (s1 mod 4 + s1 floordiv [[MOST]] + 1)) * ((s1 floordiv [[SHORT]]) ceildiv (s1 floordiv [[SHORT]] + 1))) * s0)>
// CHECK-DAG: tile.kernel @[[A]]
// CHECK-DAG: tile.kernel @[[B]]
// CHECK-DAG: tile.kernel @[[C]]
#mn = #graph.layout<symbols = ["M", "N"]>
graph.graph @softmax(%x: tensor<?x?xf32, #mn> {graph.uid = 1 : i64})
    -> (tensor<?x?xf32, #mn> {graph.uid = 2 : i64}) attributes {dynamic} {
  %0 = graph.softmax %x : (tensor<?x?xf32, #mn>) -> tensor<?x?xf32, #mn>
  graph.return %0 : tensor<?x?xf32, #mn>
}

// -----

// Overrides: what is declared are the symbols' defaults. Portions of columns,
// and their workspace, follow the extents; there are at most as many as the
// combining kernel holds.

// CHECK-LABEL: plan.program @columns
// CHECK-SAME: workspace <shared = affine_map<()[s0, s1] -> (
// CHECK: plan.symbol "extent.0" extent 0, 0 {default_value = 4096 : i64
// CHECK: plan.symbol "extent.1" extent 0, 1 {default_value = 96 : i64
// CHECK: plan.launch @opgraph_portions_f32
// CHECK-SAME: #plan.scratch<affine_map<() -> (0)>>
// CHECK: plan.launch @opgraph_rows_f32
graph.graph @columns(%x: tensor<4096x96xf32> {graph.uid = 1 : i64})
    -> (tensor<1x96xf32> {graph.uid = 2 : i64}) attributes {dynamic} {
  %0 = graph.reduction add %x : (tensor<4096x96xf32>) -> tensor<1x96xf32>
  graph.return %0 : tensor<1x96xf32>
}

// -----

// A slice begins a number of its inner rows into the operand.

// CHECK-LABEL: plan.program @slice
// CHECK: plan.launch
// CHECK-SAME: #plan.pointer<0, offset = affine_map<()[s0, s1] -> (s1 * 16)>>
#in = #graph.layout<symbols = ["B", "", "N"]>
graph.graph @slice(%x: tensor<?x16x?xf32, #in> {graph.uid = 1 : i64})
    -> (tensor<?x8x?xf32, #in> {graph.uid = 2 : i64}) attributes {dynamic} {
  %0 = graph.slice %x [0, 4, 0] to [-1, 12, -1] step [1, 1, 1] : (tensor<?x16x?xf32, #in>) -> tensor<?x8x?xf32, #in>
  graph.return %0 : tensor<?x8x?xf32, #in>
}

// -----

// Numbers that are no extents are themselves, whatever divides them: the most
// portions, 25, and a seed that every odd prime below 50 divides.

// CHECK-LABEL: plan.program @norm
// CHECK: plan.launch @opgraph_portions_bf16
// CHECK-SAME: ceildiv 25)
graph.graph @norm(%x: tensor<64x768xbf16> {graph.uid = 1 : i64},
                  %scale: tensor<1x768xf32> {graph.uid = 2 : i64},
                  %bias: tensor<1x768xf32> {graph.uid = 3 : i64})
    -> (tensor<64x768xbf16> {graph.uid = 4 : i64})
    attributes {compute_type = f32, dynamic, intermediate_type = f32} {
  %0 = graph.constant 1.0e-5 : f32 : tensor<1xf32>
  %Y = graph.layernorm inference %x scale %scale bias %bias epsilon %0 : (tensor<64x768xbf16>, tensor<1x768xf32>, tensor<1x768xf32>, tensor<1xf32>) -> tensor<64x768xbf16>
  graph.return %Y : tensor<64x768xbf16>
}

// -----

// CHECK-LABEL: plan.program @dropout
// CHECK: plan.launch
// CHECK-SAME: 307444891294245705
graph.graph @dropout(%x: tensor<5x7xf32> {graph.uid = 1 : i64},
                     %offset: tensor<1xi64> {graph.uid = 2 : i64})
    -> (tensor<5x7xf32> {graph.uid = 3 : i64}) attributes {dynamic} {
  %mask = graph.rng bernoulli offset %offset {probability = 0.5 : f64, seed_value = 307444891294245705 : i64} : (tensor<1xi64>) -> tensor<5x7xf32>
  %y = graph.mul %x, %mask : (tensor<5x7xf32>, tensor<5x7xf32>) -> tensor<5x7xf32>
  graph.return %y : tensor<5x7xf32>
}
