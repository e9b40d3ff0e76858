// RUN: sed '/FAULT/d' %s | graph-opt --tile-interpret='grid=1 args=y:1x4xi32:print' -o /dev/null
// RUN: sed '/CLEAN/d' %s | not graph-opt --mlir-very-unsafe-disable-verifier-on-parsing --verify-each=0 --tile-interpret='grid=1 args=y:1x4xi32:print' -o /dev/null 2>&1 | FileCheck %s
// Two arrivals are due, one comes: whoever awaits them waits for ever.
// CHECK: error: 'tile.await' op deadlock: nobody can go on: @reader waits at 'tile.await'
// CHECK: note: @reader waits here, for phase 0, which misses 1 arrival(s) and 0 byte(s)

!word = !tile.shared<1x4xi32>

tile.kernel @k(%yp: !tile.ptr<i32, align 16>) warps(2) targets [sm_90a] {
  %y = tile.view %yp : !tile.ptr<i32, align 16> -> !tile.view<1x4xi32, strides [4, 1], align 16>
  %words = tile.shared : !word
  %semaphore = tile.semaphore : !tile.semaphore<2>
  %c0 = arith.constant 0 : i32
  %c7 = arith.constant 7 : i32
  tile.role @writer warps(0) {
    %t = tile.splat %c7 : i32 -> !tile.reg<1x4xi32, #tile.blocked<vector = 4, lanes = [32, 1], warps = [1, 1]>>
    tile.store_shared %t, %words via plain : !tile.reg<1x4xi32, #tile.blocked<vector = 4, lanes = [32, 1], warps = [1, 1]>>, !word
    tile.sync warp
    tile.fill %semaphore : !tile.semaphore<2>
    tile.fill %semaphore : !tile.semaphore<2> // CLEAN
  }
  tile.role @reader warps(1) {
    tile.await %semaphore : !tile.semaphore<2>
    %t = tile.load_shared %words via plain : !word -> !tile.reg<1x4xi32, #tile.blocked<vector = 4, lanes = [32, 1], warps = [1, 1]>>
    tile.store %t, %y[%c0, %c0] : !tile.reg<1x4xi32, #tile.blocked<vector = 4, lanes = [32, 1], warps = [1, 1]>>, !tile.view<1x4xi32, strides [4, 1], align 16>
  }
}
