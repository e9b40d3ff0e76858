// RUN: graph-opt %s --host-fuse-elementwise | FileCheck %s

#row = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (0, d1)>

// The rounding to bf16 stays, whatever the next op computes in.
// CHECK-LABEL: func.func @rounding(
// CHECK: linalg.generic
// CHECK: %[[NARROW:.+]] = arith.truncf %{{.+}} : f32 to bf16
// CHECK-NEXT: %[[WIDE:.+]] = arith.extf %[[NARROW]] : bf16 to f32
// CHECK-NEXT: math.exp %[[WIDE]]
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @rounding(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %n = tensor.empty() : tensor<4x8xbf16>
  %y = linalg.generic {indexing_maps = [#row, #row],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xf32>) outs(%n : tensor<4x8xbf16>) {
  ^bb0(%i: f32, %o: bf16):
    %s = arith.truncf %i : f32 to bf16
    linalg.yield %s : bf16
  } -> tensor<4x8xbf16>
  %e = tensor.empty() : tensor<4x8xf32>
  %z = linalg.generic {indexing_maps = [#row, #row],
                       iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<4x8xbf16>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%i: bf16, %o: f32):
    %w = arith.extf %i : bf16 to f32
    %s = math.exp %w : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  return %z : tensor<4x8xf32>
}

// A producer that broadcasts would be computed once per row.
// CHECK-LABEL: func.func @broadcast(
// CHECK: linalg.generic
// CHECK: math.exp
// CHECK: linalg.generic
// CHECK: arith.addf
func.func @broadcast(%x: tensor<1x8xf32>, %y: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  %n = tensor.empty() : tensor<1x8xf32>
  %r = linalg.generic {indexing_maps = [#row, #row],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<1x8xf32>) outs(%n : tensor<1x8xf32>) {
  ^bb0(%i: f32, %o: f32):
    %s = math.exp %i : f32
    linalg.yield %s : f32
  } -> tensor<1x8xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %z = linalg.generic {indexing_maps = [#column, #row, #row],
                       iterator_types = ["parallel", "parallel"]}
      ins(%r, %y : tensor<1x8xf32>, tensor<4x8xf32>)
      outs(%e : tensor<4x8xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %s = arith.addf %i, %j : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  return %z : tensor<4x8xf32>
}
