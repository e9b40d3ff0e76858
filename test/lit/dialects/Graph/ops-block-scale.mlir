// RUN: graph-opt %s | graph-opt | FileCheck %s

!tiled = tensor<1x128x4xf8E8M0FNU, #graph.layout<reordering = f8_128x4>>
!tiledT = tensor<1x4x128xf8E8M0FNU, #graph.layout<strides = [512, 1, 4], reordering = f8_128x4>>

// Two MXFP8 operands of a matmul; scales of B lie along its first axis.
// CHECK-LABEL: graph.graph @mxfp8_matmul
graph.graph @mxfp8_matmul(
    %a: tensor<1x100x96xf8E4M3FN> {graph.uid = 1 : i64},
    %sa: !tiled {graph.uid = 2 : i64},
    %b: tensor<1x96x40xf8E5M2, #graph.layout<strides = [3840, 1, 96]>>
        {graph.uid = 3 : i64},
    %sb: !tiledT {graph.uid = 4 : i64})
    -> (tensor<1x100x40xf32> {graph.uid = 5 : i64}) {
  // CHECK: graph.block_scale_dequantize %{{.+}}, %{{.+}} {block_size = array<i64: 1, 32>}
  %0 = graph.block_scale_dequantize %a, %sa {block_size = array<i64: 1, 32>}
      : (tensor<1x100x96xf8E4M3FN>, !tiled) -> tensor<1x100x96xf32>
  // CHECK: graph.block_scale_dequantize
  // CHECK-SAME: block_size = array<i64: 32, 1>
  // CHECK-SAME: is_negative_scale
  %1 = graph.block_scale_dequantize %b, %sb
      {block_size = array<i64: 32, 1>, is_negative_scale}
      : (tensor<1x96x40xf8E5M2, #graph.layout<strides = [3840, 1, 96]>>, !tiledT)
      -> tensor<1x96x40xf32>
  %2 = graph.matmul %0, %1
      : (tensor<1x100x96xf32>, tensor<1x96x40xf32>) -> tensor<1x100x40xf32>
  graph.return %2 : tensor<1x100x40xf32>
}

// Plain scales: exact extents, extents rounded up, one scale for all, symbols
// on axes that are not cut.
!x = tensor<?x70xf4E2M1FN, #graph.layout<symbols = ["M", ""]>>
!s = tensor<?x5xf8E4M3FN, #graph.layout<symbols = ["M", ""]>>
!padded = tensor<?x8xf8E4M3FN, #graph.layout<symbols = ["M", ""]>>
!y = tensor<?x70xf32, #graph.layout<symbols = ["M", ""]>>
// CHECK-LABEL: graph.graph @plain_scales
graph.graph @plain_scales(
    %x: !x {graph.uid = 1 : i64}, %s: !s {graph.uid = 2 : i64},
    %p: !padded {graph.uid = 3 : i64})
    -> (!y {graph.uid = 4 : i64}) {
  // CHECK-COUNT-2: graph.block_scale_dequantize
  %0 = graph.block_scale_dequantize %x, %s {block_size = array<i64: 16>}
      : (!x, !s) -> !y
  %1 = graph.block_scale_dequantize %x, %p {block_size = array<i64: 16>}
      : (!x, !padded) -> !y
  %2 = graph.add %0, %1 : (!y, !y) -> !y
  graph.return %2 : !y
}

// CHECK-LABEL: graph.graph @one_block
graph.graph @one_block(
    %x: tensor<3x6xi8> {graph.uid = 1 : i64},
    %s: tensor<1x1xf32> {graph.uid = 2 : i64})
    -> (tensor<3x6xf32> {graph.uid = 3 : i64}) {
  // CHECK: graph.block_scale_dequantize
  %0 = graph.block_scale_dequantize %x, %s
      {block_size = array<i64: 3, 9223372036854775807>}
      : (tensor<3x6xi8>, tensor<1x1xf32>) -> tensor<3x6xf16>
  %1 = graph.identity %0 : (tensor<3x6xf16>) -> tensor<3x6xf32>
  graph.return %1 : tensor<3x6xf32>
}

// CHECK-LABEL: graph.graph @quantize
graph.graph @quantize(%x: tensor<2x100x70xbf16> {graph.uid = 1 : i64})
    -> (tensor<2x100x70xf8E4M3FN> {graph.uid = 2 : i64},
        tensor<2x128x4xf8E8M0FNU, #graph.layout<reordering = f8_128x4>>
        {graph.uid = 3 : i64}) {
  // CHECK: graph.block_scale_quantize %{{.+}} {block_size = 32 : i64} : (tensor<2x100x70xbf16>) -> tensor<2x100x70xf8E4M3FN>, tensor<2x128x4xf8E8M0FNU, #graph.layout<reordering = f8_128x4>>
  %y, %s = graph.block_scale_quantize %x {block_size = 32 : i64}
      : (tensor<2x100x70xbf16>) -> tensor<2x100x70xf8E4M3FN>,
        tensor<2x128x4xf8E8M0FNU, #graph.layout<reordering = f8_128x4>>
  graph.return %y, %s : tensor<2x100x70xf8E4M3FN>,
      tensor<2x128x4xf8E8M0FNU, #graph.layout<reordering = f8_128x4>>
}

// CHECK-LABEL: graph.graph @quantize_first_axis
graph.graph @quantize_first_axis(%x: tensor<70x6xf32> {graph.uid = 1 : i64})
    -> (tensor<70x6xf4E2M1FN, #graph.layout<strides = [1, 70]>>
        {graph.uid = 2 : i64},
        tensor<5x6xf8E4M3FN, #graph.layout<strides = [1, 5]>>
        {graph.uid = 3 : i64}) {
  // CHECK: graph.block_scale_quantize %{{.+}} {axis = 0 : i64, block_size = 16 : i64, transpose}
  %y, %s = graph.block_scale_quantize %x
      {axis = 0 : i64, block_size = 16 : i64, transpose}
      : (tensor<70x6xf32>)
      -> tensor<70x6xf4E2M1FN, #graph.layout<strides = [1, 70]>>,
         tensor<5x6xf8E4M3FN, #graph.layout<strides = [1, 5]>>
  graph.return %y, %s
      : tensor<70x6xf4E2M1FN, #graph.layout<strides = [1, 70]>>,
        tensor<5x6xf8E4M3FN, #graph.layout<strides = [1, 5]>>
}

// Groups of rows may take more tiles than the rows do.
// CHECK-LABEL: graph.graph @quantize_groups
graph.graph @quantize_groups(
    %x: tensor<1x20x64xf32> {graph.uid = 1 : i64},
    %g: tensor<3xi32> {graph.uid = 2 : i64})
    -> (tensor<1x20x64xf8E5M2> {graph.uid = 3 : i64},
        tensor<1x256x4xf8E8M0FNU, #graph.layout<reordering = f8_128x4>>
        {graph.uid = 4 : i64}) {
  // CHECK: graph.block_scale_quantize %{{.+}} group_offset %{{.+}} {block_size = 32 : i64}
  %y, %s = graph.block_scale_quantize %x group_offset %g {block_size = 32 : i64}
      : (tensor<1x20x64xf32>, tensor<3xi32>) -> tensor<1x20x64xf8E5M2>,
        tensor<1x256x4xf8E8M0FNU, #graph.layout<reordering = f8_128x4>>
  graph.return %y, %s : tensor<1x20x64xf8E5M2>,
      tensor<1x256x4xf8E8M0FNU, #graph.layout<reordering = f8_128x4>>
}
