// RUN: graph-opt %s --tile-lower=target=sm_90a | FileCheck %s

// Pairs of 4-bit elements stay in the thread that holds their byte.

#bytes = #tile.blocked<vector = 2, lanes = [1, 32], warps = [1, 1]>
#pairs = #tile.blocked<vector = 4, lanes = [1, 32], warps = [1, 1]>

// CHECK-LABEL: llvm.func @opgraph_halves
// CHECK: llvm.load {{.*}} -> i16
// CHECK: arith.andi {{.*}} : i8
// CHECK: arith.shrui {{.*}} : i8
// CHECK: arith.shli {{.*}} : i8
// CHECK: arith.ori {{.*}} : i8
// CHECK: llvm.store {{.*}} : i16
// CHECK-NOT: shfl
tile.kernel @opgraph_halves(%x: !tile.ptr<i8, align 16>, %y: !tile.ptr<i8, align 16>)
    warps(1) targets [sm_90a] {
  %c0 = arith.constant 0 : i32
  %v = tile.view %x : !tile.ptr<i8, align 16> -> !tile.view<1x64xi8, strides [64, 1], align 16>
  %w = tile.view %y : !tile.ptr<i8, align 16> -> !tile.view<1x64xi8, strides [64, 1], align 16>
  %t = tile.load %v[%c0, %c0] : !tile.view<1x64xi8, strides [64, 1], align 16> -> !tile.reg<1x64xi8, #bytes>
  %u = tile.unpack %t : !tile.reg<1x64xi8, #bytes> -> !tile.reg<1x128xi8, #pairs>
  %a = tile.map (%e = %u) : (!tile.reg<1x128xi8, #pairs>) -> !tile.reg<1x128xi8, #pairs> {
    %one = arith.constant 1 : i8
    %n = arith.addi %e, %one : i8
    tile.yield %n : i8
  }
  %p = tile.pack %a : !tile.reg<1x128xi8, #pairs> -> !tile.reg<1x64xi8, #bytes>
  tile.store %p, %w[%c0, %c0] : !tile.reg<1x64xi8, #bytes>, !tile.view<1x64xi8, strides [64, 1], align 16>
}
