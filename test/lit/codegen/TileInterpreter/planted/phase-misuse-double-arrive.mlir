// RUN: sed '/FAULT/d' %s | graph-opt --tile-interpret='grid=1 args=y:1x1xi32:print' -o /dev/null
// RUN: sed '/CLEAN/d' %s | not graph-opt --mlir-very-unsafe-disable-verifier-on-parsing --verify-each=0 --tile-interpret='grid=1 args=y:1x1xi32:print' -o /dev/null 2>&1 | FileCheck %s
// One arrival completes a phase of this semaphore; the agent's second wait is
// for a phase that the parity cannot tell from the one before.
// CHECK: error: 'tile.await' op phase misuse: waits for phase 0 where 2 are complete: the parity makes it hang

tile.kernel @k(%yp: !tile.ptr<i32, align 16>) warps(2) targets [sm_90a] {
  %y = tile.view %yp : !tile.ptr<i32, align 16> -> !tile.view<1x1xi32, strides [1, 1], align 16>
  %semaphore = tile.semaphore : !tile.semaphore<1>
  %c0 = arith.constant 0 : i32
  tile.role @writer warps(0) {
    tile.fill %semaphore : !tile.semaphore<1>
    tile.fill %semaphore : !tile.semaphore<1> // FAULT
  }
  tile.role @reader warps(1) {
    tile.await %semaphore : !tile.semaphore<1>
    tile.store_scalar %c0, %y[%c0, %c0] : i32, !tile.view<1x1xi32, strides [1, 1], align 16>
  }
}
