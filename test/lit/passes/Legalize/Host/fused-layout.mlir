// RUN: graph-opt %s --graph-legalize-host-fused --canonicalize | FileCheck %s

// CHECK: #[[$T:.+]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-LABEL: func.func @opgraph_logical_fused(
// CHECK: tensor.collapse_shape %{{.+}} {{\[\[}}0, 1]] : tensor<3x20xf32> into tensor<60xf32>
// CHECK: tensor.expand_shape %{{.+}} {{\[\[}}0, 1]] {{.*}} : tensor<60xf32> into tensor<6x10xf32>
graph.graph @logical(%x: tensor<3x20xf32> {graph.uid = 1 : i64})
    -> (tensor<6x10xf32> {graph.uid = 2 : i64}) {
  %0 = graph.reshape logical %x : (tensor<3x20xf32>) -> tensor<6x10xf32>
  graph.return %0 : tensor<6x10xf32>
}

// Memory order of the input is its second axis first: a transpose comes first.
// CHECK-LABEL: func.func @opgraph_view_fused(
// CHECK: linalg.generic {indexing_maps = [#[[$T]], #{{.+}}]
// CHECK-SAME: outs(%{{.+}} : tensor<4x3xf32>)
// CHECK: tensor.expand_shape
graph.graph @view(
    %x: tensor<3x4xf32, #graph.layout<strides = [1, 3]>> {graph.uid = 1 : i64})
    -> (tensor<2x2x3xf32> {graph.uid = 2 : i64}) {
  %0 = graph.reshape view_only %x
      : (tensor<3x4xf32, #graph.layout<strides = [1, 3]>>) -> tensor<2x2x3xf32>
  graph.return %0 : tensor<2x2x3xf32>
}

// Of dynamic extents, each element finds its source.
// CHECK-LABEL: func.func @opgraph_gather_fused(
// CHECK: linalg.generic
// CHECK: arith.remui
// CHECK: tensor.extract
graph.graph @gather(
    %x: tensor<?x4x5xf32, #graph.layout<symbols = ["M", "", ""]>> {graph.uid = 1 : i64})
    -> (tensor<?x20xf32, #graph.layout<symbols = ["M", ""]>> {graph.uid = 2 : i64}) {
  %0 = graph.reshape logical %x
      : (tensor<?x4x5xf32, #graph.layout<symbols = ["M", "", ""]>>)
      -> tensor<?x20xf32, #graph.layout<symbols = ["M", ""]>>
  graph.return %0 : tensor<?x20xf32, #graph.layout<symbols = ["M", ""]>>
}

// CHECK-LABEL: func.func @opgraph_parts_fused(
// CHECK: %[[CUT:.+]] = tensor.extract_slice %{{.+}}[1, 0] [3, 4] [2, 1]
// CHECK: %[[FIRST:.+]] = tensor.insert_slice %[[CUT]] into %{{.+}}[0, 0] [3, 4] [1, 1]
// CHECK: tensor.insert_slice %{{.+}} into %[[FIRST]][3, 0] [2, 4] [1, 1]
graph.graph @parts(%x: tensor<8x4xf32> {graph.uid = 1 : i64},
                   %y: tensor<2x4xf32> {graph.uid = 2 : i64})
    -> (tensor<5x4xf32> {graph.uid = 3 : i64}) {
  %0 = graph.slice %x [1, 0] to [7, 4] step [2, 1]
      : (tensor<8x4xf32>) -> tensor<3x4xf32, #graph.layout<strides = [8, 1]>>
  %1 = graph.concatenate %0, %y axis 0
      : (tensor<3x4xf32, #graph.layout<strides = [8, 1]>>, tensor<2x4xf32>)
      -> tensor<5x4xf32>
  graph.return %1 : tensor<5x4xf32>
}
