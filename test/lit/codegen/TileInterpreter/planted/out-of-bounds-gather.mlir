// RUN: sed '/FAULT/d' %s | graph-opt --tile-interpret='grid=1 args=x:4x8xf32:seed=1,y:4x8xf32:print' -o /dev/null
// RUN: sed '/CLEAN/d' %s | not graph-opt --mlir-very-unsafe-disable-verifier-on-parsing --verify-each=0 --tile-interpret='grid=1 args=x:4x8xf32:seed=1,y:4x8xf32:print' -o /dev/null 2>&1 | FileCheck %s
// The region's coordinates leave the view.
// CHECK: error: 'tile.gather' op out of bounds: coordinate 8 of axis 1 of a view of 'x', whose extent is 8

#d = #tile.blocked<vector = 1, lanes = [4, 8], warps = [1, 1]>
!t = !tile.reg<4x8xf32, #d>
!v = !tile.view<4x8xf32, strides [8, 1], align 4>

tile.kernel @k(%xp: !tile.ptr<f32, align 16>, %yp: !tile.ptr<f32, align 16>) warps(1) targets [sm_80] {
  %x = tile.view %xp : !tile.ptr<f32, align 16> -> !v
  %y = tile.view %yp : !tile.ptr<f32, align 16> -> !v
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c7 = arith.constant 7 : i32
  %t = tile.gather %x : !v -> !t {
  ^bb0(%r: i32, %c: i32):
    %next = arith.addi %c, %c1 : i32
    %in = arith.cmpi slt, %c, %c7 : i32 // CLEAN
    %in = arith.cmpi sle, %c, %c7 : i32 // FAULT
    tile.yield %r, %next, %in : i32, i32, i1
  }
  tile.store %t, %y[%c0, %c0] : !t, !v
}
