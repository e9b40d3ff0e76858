// RUN: sed '/FAULT/d' %s | graph-opt --tile-interpret='grid=1 args=y:1x32xi32:print' -o /dev/null
// RUN: sed '/CLEAN/d' %s | not graph-opt --mlir-very-unsafe-disable-verifier-on-parsing --verify-each=0 --tile-interpret='grid=1 args=y:1x32xi32:print' -o /dev/null 2>&1 | FileCheck %s
// One arrival of the elected thread does not tell what other lanes wrote.
// CHECK: error: 'tile.load_shared' op race: shared byte {{[0-9]+}} is read before its write by warp 0 lane {{[0-9]+}} of @writer is seen

#w = #tile.blocked<vector = 1, lanes = [1, 32], warps = [1, 1]>
!w = !tile.reg<1x32xi32, #w>
!ws = !tile.shared<1x32xi32>
!wv = !tile.view<1x32xi32, strides [32, 1], align 4>

tile.kernel @k(%yp: !tile.ptr<i32, align 4>) warps(2) targets [sm_90a] {
  %y = tile.view %yp : !tile.ptr<i32, align 4> -> !wv
  %s = tile.shared : !ws
  %ready = tile.semaphore : !tile.semaphore<1>
  %c0 = arith.constant 0 : i32
  tile.role @writer warps(0) {
    %t = tile.splat %c0 : i32 -> !w
    tile.store_shared %t, %s via plain : !w, !ws
    tile.sync warp // CLEAN
    tile.fill %ready : !tile.semaphore<1>
  }
  tile.role @reader warps(1) {
    tile.await %ready : !tile.semaphore<1>
    %u = tile.load_shared %s via plain : !ws -> !w
    tile.store %u, %y[%c0, %c0] : !w, !wv
  }
}
