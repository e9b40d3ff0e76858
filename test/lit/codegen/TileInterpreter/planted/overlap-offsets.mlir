// RUN: sed '/FAULT/d' %s | graph-opt --tile-interpret='grid=1 args=x:4x32xf32:seed=1,y:4x32xf32:print' -o /dev/null
// RUN: sed '/FAULT/d' %s | graph-opt --tile-assign-shared --tile-assign-barriers --tile-interpret='grid=1 args=x:4x32xf32:seed=1,y:4x32xf32:print' -o /dev/null
// RUN: sed '/CLEAN/d' %s | not graph-opt --tile-interpret='grid=1 args=x:4x32xf32:seed=1,y:4x32xf32:print' -o /dev/null 2>&1 | FileCheck %s
// Two tiles of overlapping offsets, the first read after the second was written:
// every access is in order, but the bytes are the second's.
// CHECK: error: 'tile.load_shared' op overlap: shared byte 256 has been written through another allocation

#d = #tile.blocked<vector = 1, lanes = [1, 32], warps = [4, 1]>
!t = !tile.reg<4x32xf32, #d>
!v = !tile.view<4x32xf32, strides [32, 1], align 4>
!s = !tile.shared<4x32xf32>

tile.kernel @k(%xp: !tile.ptr<f32, align 16>, %yp: !tile.ptr<f32, align 16>) warps(4) targets [sm_80] {
  %x = tile.view %xp : !tile.ptr<f32, align 16> -> !v
  %y = tile.view %yp : !tile.ptr<f32, align 16> -> !v
  %a = tile.shared offset(0) : !s
  %b = tile.shared offset(512) : !s // CLEAN
  %b = tile.shared offset(256) : !s // FAULT
  %c0 = arith.constant 0 : i32
  %t = tile.load %x[%c0, %c0] : !v -> !t
  tile.store_shared %t, %a via plain : !t, !s
  tile.sync
  tile.store_shared %t, %b via plain : !t, !s
  tile.sync
  %u = tile.load_shared %a via plain : !s -> !t
  tile.store %u, %y[%c0, %c0] : !t, !v
}
