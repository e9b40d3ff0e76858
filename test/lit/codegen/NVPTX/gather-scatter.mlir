// Elements at computed coordinates, and atomics.
// RUN: graph-opt %s --split-input-file --tile-lower=target=sm_90a --verify-diagnostics | FileCheck %s

#d = #tile.blocked<vector = 8, lanes = [1, 32], warps = [1, 1]>
!tile = !tile.reg<1x256xf32, #d>
!view = !tile.view<?x256xf32, strides [256, 1], align 16>

// A vector of 32 bytes takes two accesses at one place.
// CHECK-LABEL: llvm.func @opgraph_gather
// CHECK: %[[ROW:.+]] = llvm.load %{{.+}} : !llvm.ptr<1> -> i32
// CHECK: %[[INSIDE:.+]] = arith.cmpi ult, %[[ROW]], %arg2
// CHECK: ld.global.v4.b32 {{.*}} %[[INSIDE]] :
// CHECK: llvm.getelementptr %{{.+}}[16]
// CHECK: ld.global.v4.b32 {{.*}} %[[INSIDE]] :
// CHECK: llvm.atomicrmw fadd %{{.+}}, %{{.+}} syncscope("device") monotonic
tile.kernel @opgraph_gather(%xp: !tile.ptr<f32, align 16>,
    %ip: !tile.ptr<i32, align 4>, %rows: i32) warps(1) targets [sm_90a] {
  %x = tile.view %xp sizes [%rows] : !tile.ptr<f32, align 16> -> !view
  %i = tile.view %ip : !tile.ptr<i32, align 4>
      -> !tile.view<64xi32, strides [1], align 4>
  %r = tile.block_id x
  %true = arith.constant true
  %index = tile.load_scalar %i[%r] : !tile.view<64xi32, strides [1], align 4> -> i32
  %in = arith.cmpi ult, %index, %rows : i32
  %v = tile.gather %x vector(8) : !view -> !tile {
  ^bb0(%row: i32, %col: i32):
    tile.yield %index, %col, %in : i32, i32, i1
  }
  tile.scatter combine add %v, %x : !tile, !view {
  ^bb0(%row: i32, %col: i32):
    tile.yield %r, %col, %true : i32, i32, i1
  }
}

// -----

#d = #tile.blocked<vector = 1, lanes = [1, 32], warps = [1, 1]>
!tile = !tile.reg<1x32xi8, #d>
!view = !tile.view<1x32xi8, strides [32, 1], align 1>

tile.kernel @opgraph_no_atomic(%xp: !tile.ptr<i8>) warps(1) targets [sm_90a] {
  %x = tile.view %xp : !tile.ptr<i8> -> !view
  %true = arith.constant true
  %zero = arith.constant 0 : i8
  %t = tile.splat %zero : i8 -> !tile
  // expected-error @below {{expected elements of at least 16 bits for an atomic add, got 'i8'}}
  tile.scatter combine add %t, %x : !tile, !view {
  ^bb0(%row: i32, %col: i32):
    tile.yield %row, %col, %true : i32, i32, i1
  }
}
