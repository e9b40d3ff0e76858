// RUN: sed '/FAULT/d' %s | graph-opt --tile-interpret='grid=1 args=x:4x30xf32:seed=1,y:4x30xf32:print' -o /dev/null
// RUN: sed '/CLEAN/d' %s | not graph-opt --mlir-very-unsafe-disable-verifier-on-parsing --verify-each=0 --tile-interpret='grid=1 args=x:4x30xf32:seed=1,y:4x30xf32:print' -o /dev/null 2>&1 | FileCheck %s
// The tail of the row belongs to nobody.
// CHECK: error: 'tile.load' op out of bounds: coordinate 30 of axis 1 of a view of 'x', whose extent is 30

#d = #tile.blocked<vector = 1, lanes = [4, 8], warps = [1, 1]>
!t = !tile.reg<4x32xf32, #d>
!v = !tile.view<4x30xf32, strides [30, 1], align 4>

tile.kernel @k(%xp: !tile.ptr<f32, align 16>, %yp: !tile.ptr<f32, align 16>) warps(1) targets [sm_80] {
  %x = tile.view %xp : !tile.ptr<f32, align 16> -> !v
  %y = tile.view %yp : !tile.ptr<f32, align 16> -> !v
  %c0 = arith.constant 0 : i32
  %c4 = arith.constant 4 : i32
  %n = arith.constant 30 : i32
  %t = tile.load %x[%c0, %c0] below [%c4, %n] fill(zero) : !v -> !t // CLEAN
  %t = tile.load %x[%c0, %c0] : !v -> !t // FAULT
  tile.store %t, %y[%c0, %c0] below [%c4, %n] : !t, !v
}
