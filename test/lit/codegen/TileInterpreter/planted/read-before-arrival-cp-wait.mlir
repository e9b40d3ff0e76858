// RUN: sed '/FAULT/d' %s | graph-opt --tile-interpret='grid=1 args=x:8x32xf32:seed=1,y:8x32xf32:print' -o /dev/null
// RUN: sed '/CLEAN/d' %s | not graph-opt --mlir-very-unsafe-disable-verifier-on-parsing --verify-each=0 --tile-interpret='grid=1 args=x:8x32xf32:seed=1,y:8x32xf32:print' -o /dev/null 2>&1 | FileCheck %s
// Two groups are open, the wait lets one of them be: the tile that is read has
// not come.
// CHECK: error: 'tile.load_shared' op read before arrival: shared byte {{[0-9]+}} is read before its write by a cp_async of warp 0
// CHECK: note: written here by a cp_async

#d = #tile.blocked<vector = 4, lanes = [4, 8], warps = [1, 1]>
!t = !tile.reg<4x32xf32, #d>
!s = !tile.shared<4x32xf32>
!v = !tile.view<8x32xf32, strides [32, 1], align 16>

tile.kernel @k(%xp: !tile.ptr<f32, align 16>, %yp: !tile.ptr<f32, align 16>) warps(1) targets [sm_80] {
  %x = tile.view %xp : !tile.ptr<f32, align 16> -> !v
  %y = tile.view %yp : !tile.ptr<f32, align 16> -> !v
  %a = tile.shared : !s
  %b = tile.shared : !s
  %c0 = arith.constant 0 : i32
  %c4 = arith.constant 4 : i32
  tile.cp_async %x[%c0, %c0] to %a bytes(16) : !v, !s
  tile.cp_commit
  tile.cp_async %x[%c4, %c0] to %b bytes(16) : !v, !s
  tile.cp_commit
  tile.cp_wait pending(1)
  tile.sync
  %ta = tile.load_shared %a via plain : !s -> !t
  tile.store %ta, %y[%c0, %c0] : !t, !v
  tile.cp_wait pending(0) // CLEAN
  tile.cp_wait pending(1) // FAULT
  tile.sync
  %tb = tile.load_shared %b via plain : !s -> !t
  tile.store %tb, %y[%c4, %c0] : !t, !v
}
