// RUN: sed '/FAULT/d' %s | graph-opt --tile-interpret='grid=1 args=x:4x32xf32:seed=1,y:4x32xf32:print' -o /dev/null
// RUN: sed '/CLEAN/d' %s | not graph-opt --tile-interpret='grid=1 args=x:4x32xf32:seed=1,y:4x32xf32:print' -o /dev/null 2>&1 | FileCheck %s
// A tile over the bytes of a semaphore.
// CHECK: error: 'tile.store_shared' op overlap: shared byte 504 is an mbarrier's

#d = #tile.blocked<vector = 1, lanes = [1, 32], warps = [4, 1]>
!t = !tile.reg<4x32xf32, #d>
!v = !tile.view<4x32xf32, strides [32, 1], align 4>
!s = !tile.shared<4x32xf32>

tile.kernel @k(%xp: !tile.ptr<f32, align 16>, %yp: !tile.ptr<f32, align 16>) warps(4) targets [sm_80] {
  %x = tile.view %xp : !tile.ptr<f32, align 16> -> !v
  %y = tile.view %yp : !tile.ptr<f32, align 16> -> !v
  %a = tile.shared offset(0) : !s
  %m = tile.semaphore offset(512) : !tile.semaphore<1> // CLEAN
  %m = tile.semaphore offset(504) : !tile.semaphore<1> // FAULT
  %c0 = arith.constant 0 : i32
  %t = tile.load %x[%c0, %c0] : !v -> !t
  tile.fill %m : !tile.semaphore<1>
  tile.await %m : !tile.semaphore<1>
  tile.store_shared %t, %a via plain : !t, !s
  tile.sync
  %u = tile.load_shared %a via plain : !s -> !t
  tile.store %u, %y[%c0, %c0] : !t, !v
}
