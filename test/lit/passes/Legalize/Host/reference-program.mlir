// RUN: graph-opt %s --graph-legalize-host-reference | FileCheck %s

// CHECK-DAG: #[[$EXTENTS:.+]] = affine_map<()[s0, s1] -> (s0, 8)>
// CHECK-DAG: #[[$STRIDES:.+]] = affine_map<()[s0, s1] -> (s1, 1)>
// CHECK-DAG: #[[$PACKED:.+]] = affine_map<()[s0, s1] -> (1, s0)>
!x = tensor<?x8xf32, #graph.layout<strides = [?, 1], symbols = ["M", ""]>>
!y = tensor<?x8xf32, #graph.layout<order = [1, 0], symbols = ["M", ""]>>

// A symbol per dynamic extent and stride; any strides are served.
// CHECK-LABEL: plan.program @symbols target "host" engine <10000, "host.reference", 1>
// CHECK-NEXT: plan.symbol "M" extent 0, 0
// CHECK-NEXT: plan.symbol "stride.0.0" stride 0, 0
// CHECK-NEXT: plan.operand "x" uid 7 in f32 extents #[[$EXTENTS]] strides #[[$STRIDES]] {{.*}}any
// CHECK-NEXT: plan.operand "result0" uid 9 out f32 extents #[[$EXTENTS]] strides #[[$PACKED]]
// CHECK-NEXT: plan.host_call @opgraph_symbols_reference
// CHECK: func.func @opgraph_symbols_reference(%[[X:.+]]: memref<?x8xf32, strided<[?, ?]>>, %{{.+}}: memref<?x8xf32, strided<[?, ?]>>) attributes {opgraph.host_entry}
// CHECK: memref.dim %[[X]]
graph.graph @symbols(%x: !x {graph.uid = 7 : i64, graph.name = "x"})
    -> (!y {graph.uid = 9 : i64}) {
  %0 = graph.neg %x : (!x) -> !y
  graph.return %0 : !y
}

// CHECK-LABEL: plan.program @by_value
// CHECK: plan.operand "arg1" uid 2 in f32 {{.*}}by_value{{.*}}default_value = 2.000000e+00 : f32
// CHECK-NEXT: plan.operand "result0" uid 3 out f32
// One pointwise op may write over an operand of the result's layout.
// CHECK-NEXT: plan.alias 0, 2
// CHECK-NEXT: plan.host_call
graph.graph @by_value(
    %x: tensor<4xf32> {graph.uid = 1 : i64},
    %s: tensor<1xf32> {graph.uid = 2 : i64, graph.by_value,
                       graph.default = 2.0 : f32})
    -> (tensor<4xf32> {graph.uid = 3 : i64}) {
  %0 = graph.mul %x, %s : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  graph.return %0 : tensor<4xf32>
}

// Two ops: the first result is read after the second is written, so nothing
// may alias. Bytes are i8, whatever they mean.
// CHECK-LABEL: plan.program @storage
// CHECK-NOT: plan.alias
// CHECK: func.func @opgraph_storage_reference(%{{.+}}: memref<2xi8, strided<[?]>>, %{{.+}}: memref<2xi8, strided<[?]>>, %{{.+}}: memref<2xi8, strided<[?]>>)
// CHECK: memref.alloc() : memref<2xi8>
graph.graph @storage(%x: tensor<2xf8E4M3FN> {graph.uid = 1 : i64},
                     %y: tensor<2xui8> {graph.uid = 2 : i64})
    -> (tensor<2xi1> {graph.uid = 3 : i64}) {
  %0 = graph.cmp_gt %x, %y : (tensor<2xf8E4M3FN>, tensor<2xui8>) -> tensor<2xi1>
  %1 = graph.logical_not %0 : (tensor<2xi1>) -> tensor<2xi1>
  graph.return %1 : tensor<2xi1>
}
