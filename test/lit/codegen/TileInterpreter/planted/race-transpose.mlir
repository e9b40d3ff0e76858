// RUN: sed '/FAULT/d' %s | graph-opt --tile-interpret='grid=1 args=x:32x32xf32:seed=1,y:32x32xf32:print' -o /dev/null
// RUN: sed '/CLEAN/d' %s | not graph-opt --mlir-very-unsafe-disable-verifier-on-parsing --verify-each=0 --tile-interpret='grid=1 args=x:32x32xf32:seed=1,y:32x32xf32:print' -o /dev/null 2>&1 | FileCheck %s
// A transpose through shared memory: what another warp writes needs a barrier.
// CHECK: error: 'tile.load_shared' op race: shared byte {{[0-9]+}} is read before its write by warp {{[0-9]}} lane {{[0-9]+}} of @k is seen
// CHECK: note: written here by warp

#d = #tile.blocked<vector = 1, lanes = [1, 32], warps = [4, 1]>
!t = !tile.reg<32x32xf32, #d>
!s = !tile.shared<32x32xf32, pad 4>
!v = !tile.view<32x32xf32, strides [32, 1], align 16>

tile.kernel @k(%xp: !tile.ptr<f32, align 16>, %yp: !tile.ptr<f32, align 16>) warps(4) targets [sm_80] {
  %x = tile.view %xp : !tile.ptr<f32, align 16> -> !v
  %y = tile.view %yp : !tile.ptr<f32, align 16> -> !v
  %s = tile.shared : !s
  %c0 = arith.constant 0 : i32
  %t = tile.load %x[%c0, %c0] : !v -> !t
  tile.store_shared %t, %s via plain : !t, !s
  tile.sync // CLEAN
  %u = tile.load_shared %s via plain transposed : !s -> !t
  tile.store %u, %y[%c0, %c0] : !t, !v
}
