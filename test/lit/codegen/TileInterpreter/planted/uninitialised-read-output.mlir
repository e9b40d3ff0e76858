// RUN: sed '/FAULT/d' %s | graph-opt --tile-interpret='grid=1 args=x:4x32xf32:seed=1,y:4x32xf32:print' -o /dev/null
// RUN: sed '/CLEAN/d' %s | not graph-opt --mlir-very-unsafe-disable-verifier-on-parsing --verify-each=0 --tile-interpret='grid=1 args=x:4x32xf32:seed=1,y:4x32xf32:print' -o /dev/null 2>&1 | FileCheck %s
// The last column is never stored.
// CHECK: error: 'tile.kernel' op uninitialised read: byte 124 of output 'y' has not been written at the end

#d = #tile.blocked<vector = 1, lanes = [4, 8], warps = [1, 1]>
!t = !tile.reg<4x32xf32, #d>
!v = !tile.view<4x32xf32, strides [32, 1], align 4>

tile.kernel @k(%xp: !tile.ptr<f32, align 16>, %yp: !tile.ptr<f32, align 16>) warps(1) targets [sm_80] {
  %x = tile.view %xp : !tile.ptr<f32, align 16> -> !v
  %y = tile.view %yp : !tile.ptr<f32, align 16> -> !v
  %c0 = arith.constant 0 : i32
  %c4 = arith.constant 4 : i32
  %n = arith.constant 32 : i32 // CLEAN
  %n = arith.constant 31 : i32 // FAULT
  %t = tile.load %x[%c0, %c0] : !v -> !t
  tile.store %t, %y[%c0, %c0] below [%c4, %n] : !t, !v
}
