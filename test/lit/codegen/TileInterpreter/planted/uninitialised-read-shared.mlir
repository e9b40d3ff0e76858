// RUN: sed '/FAULT/d' %s | graph-opt --tile-interpret='grid=1 args=x:2x32xf32:seed=1,y:4x32xf32:print' -o /dev/null
// RUN: sed '/CLEAN/d' %s | not graph-opt --mlir-very-unsafe-disable-verifier-on-parsing --verify-each=0 --tile-interpret='grid=1 args=x:2x32xf32:seed=1,y:4x32xf32:print' -o /dev/null 2>&1 | FileCheck %s
// Half of the shared tile is written, all of it is read.
// CHECK: error: 'tile.load_shared' op uninitialised read: shared byte {{[0-9]+}} has not been written by this CTA

#d = #tile.blocked<vector = 1, lanes = [1, 32], warps = [1, 1]>
!h = !tile.reg<2x32xf32, #d>
!t = !tile.reg<4x32xf32, #d>
!v = !tile.view<2x32xf32, strides [32, 1], align 4>
!w = !tile.view<4x32xf32, strides [32, 1], align 4>
!s = !tile.shared<4x32xf32>
!p = !tile.shared<2x32xf32>

tile.kernel @k(%xp: !tile.ptr<f32, align 16>, %yp: !tile.ptr<f32, align 16>) warps(1) targets [sm_80] {
  %x = tile.view %xp : !tile.ptr<f32, align 16> -> !v
  %y = tile.view %yp : !tile.ptr<f32, align 16> -> !w
  %s = tile.shared : !s
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  %t = tile.load %x[%c0, %c0] : !v -> !h
  %upper = tile.slice %s[%c0, %c0] : !s -> !p
  tile.store_shared %t, %upper via plain : !h, !p
  %lower = tile.slice %s[%c2, %c0] : !s -> !p
  tile.store_shared %t, %lower via plain : !h, !p // CLEAN
  tile.sync
  %u = tile.load_shared %s via plain : !s -> !t
  tile.store %u, %y[%c0, %c0] : !t, !w
}
