// RUN: sed '/FAULT/d' %s | graph-opt --tile-interpret='grid=1 args=a:64x256xbf16:seed=1,b:16x256xbf16:seed=2,y:64x16xf32:print,4' -o /dev/null
// RUN: sed '/CLEAN/d' %s | not graph-opt --mlir-very-unsafe-disable-verifier-on-parsing --verify-each=0 --tile-interpret='grid=1 args=a:64x256xbf16:seed=1,b:16x256xbf16:seed=2,y:64x16xf32:print,4' -o /dev/null 2>&1 | FileCheck %s
// Released while the tensor cores still read it.
// CHECK: error: 'tile.tensor_load' op overwrite before release: shared byte {{[0-9]+}} is written before its read by an asynchronous MMA of @consumer is seen
// CHECK: note: read here by an asynchronous MMA

!a = !tile.shared<64x64xbf16, sw128>
!b = !tile.shared<16x64xbf16, sw128>
!ring = !tile.ring<2, !a, !b>
!mapA = !tile.tensor_map<64x64xbf16, sw128>
!mapB = !tile.tensor_map<16x64xbf16, sw128>
!d = !tile.pending<64x16xf32, #tile.acc>
!acc = !tile.reg<64x16xf32, #tile.acc>
!v = !tile.view<64x16xf32, strides [16, 1], align 16>

tile.kernel @k(%A: !mapA, %B: !mapB, %yp: !tile.ptr<f32, align 16>, %n: i32) warps(5) targets [sm_90a] {
  %y = tile.view %yp : !tile.ptr<f32, align 16> -> !v
  %ring = tile.ring filled_by(bytes) freed_by(1) : !ring
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant 0.0 : f32
  tile.role @producer warps(4) single {
    scf.for %i = %c0 to %n step %c1 : i32 {
      %k = arith.muli %i, %c64 : i32
      %slot, %a, %b = tile.acquire %ring : !ring
      tile.fill %slot bytes(10240) : !tile.slot
      tile.tensor_load %A[%c0, %k] to %a on %slot : !mapA, !a, !tile.slot
      tile.tensor_load %B[%c0, %k] to %b on %slot : !mapB, !b, !tile.slot
    }
  }
  tile.role @consumer warps(0) of 4 {
    %acc0 = tile.splat %zero : f32 -> !acc
    %acc = scf.for %i = %c0 to %n step %c1 iter_args(%c = %acc0) -> (!acc) : i32 {
      %slot, %a, %b = tile.wait %ring : !ring
      tile.mma_fence
      %d = tile.mma_async %a, %b plus %c : !acc : !a, !b -> !d
      %g = tile.mma_commit
      tile.release %slot order relaxed // FAULT
      %r = tile.mma_wait %g pending(0) retire(%d : !d)
      tile.release %slot order relaxed // CLEAN
      scf.yield %r : !acc
    }
    tile.store %acc, %y[%c0, %c0] : !acc, !v
  }
}
