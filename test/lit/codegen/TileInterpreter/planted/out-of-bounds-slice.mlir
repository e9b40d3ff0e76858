// RUN: sed '/FAULT/d' %s | graph-opt --tile-interpret='grid=1 args=x:4x32xf32:seed=1,y:4x32xf32:print' -o /dev/null
// RUN: sed '/CLEAN/d' %s | not graph-opt --mlir-very-unsafe-disable-verifier-on-parsing --verify-each=0 --tile-interpret='grid=1 args=x:4x32xf32:seed=1,y:4x32xf32:print' -o /dev/null 2>&1 | FileCheck %s
// One stage too far.
// CHECK: error: 'tile.slice' op out of bounds: indices 2 to 3 of axis 0 of a tile, whose extent is 2

#d = #tile.blocked<vector = 1, lanes = [4, 8], warps = [1, 1]>
!t = !tile.reg<4x32xf32, #d>
!v = !tile.view<4x32xf32, strides [32, 1], align 4>
!ss = !tile.shared<2x4x32xf32>
!s = !tile.shared<4x32xf32>

tile.kernel @k(%xp: !tile.ptr<f32, align 16>, %yp: !tile.ptr<f32, align 16>) warps(1) targets [sm_80] {
  %x = tile.view %xp : !tile.ptr<f32, align 16> -> !v
  %y = tile.view %yp : !tile.ptr<f32, align 16> -> !v
  %ss = tile.shared : !ss
  %c0 = arith.constant 0 : i32
  %i = arith.constant 1 : i32 // CLEAN
  %i = arith.constant 2 : i32 // FAULT
  %t = tile.load %x[%c0, %c0] : !v -> !t
  %s = tile.slice %ss[%i, %c0, %c0] : !ss -> !s
  tile.store_shared %t, %s via plain : !t, !s
  %u = tile.load_shared %s via plain : !s -> !t
  tile.store %u, %y[%c0, %c0] : !t, !v
}
