// RUN: sed '/FAULT/d' %s | graph-opt --tile-interpret='grid=1 args=a:64x64xbf16:seed=1,b:16x64xbf16:seed=2,y:64x16xf32:print' -o /dev/null
// RUN: sed '/CLEAN/d' %s | not graph-opt --mlir-very-unsafe-disable-verifier-on-parsing --verify-each=0 --tile-interpret='grid=1 args=a:64x64xbf16:seed=1,b:16x64xbf16:seed=2,y:64x16xf32:print' -o /dev/null 2>&1 | FileCheck %s
// The tensor cores read through the async proxy: what threads have written to
// shared memory, each of them has to fence.
// CHECK: error: 'tile.mma_async' op missing proxy fence: shared byte {{[0-9]+}} is read before its write by warp {{[0-9]}} lane {{[0-9]+}} of @k is made visible to the async proxy

#d = #tile.blocked<vector = 8, lanes = [4, 8], warps = [4, 1]>
!a = !tile.shared<64x64xbf16, sw128>
!b = !tile.shared<16x64xbf16, sw128>
!ta = !tile.reg<64x64xbf16, #d>
!tb = !tile.reg<16x64xbf16, #d>
!va = !tile.view<64x64xbf16, strides [64, 1], align 16>
!vb = !tile.view<16x64xbf16, strides [64, 1], align 16>
!acc = !tile.reg<64x16xf32, #tile.acc>
!v = !tile.view<64x16xf32, strides [16, 1], align 16>

tile.kernel @k(%ap: !tile.ptr<bf16, align 16>, %bp: !tile.ptr<bf16, align 16>, %yp: !tile.ptr<f32, align 16>) warps(4) targets [sm_90a] {
  %av = tile.view %ap : !tile.ptr<bf16, align 16> -> !va
  %bv = tile.view %bp : !tile.ptr<bf16, align 16> -> !vb
  %y = tile.view %yp : !tile.ptr<f32, align 16> -> !v
  %a = tile.shared : !a
  %b = tile.shared : !b
  %c0 = arith.constant 0 : i32
  %ta = tile.load %av[%c0, %c0] : !va -> !ta
  %tb = tile.load %bv[%c0, %c0] : !vb -> !tb
  tile.store_shared %ta, %a via plain : !ta, !a
  tile.fence_proxy async_shared // FAULT
  tile.store_shared %tb, %b via plain : !tb, !b
  tile.fence_proxy async_shared // CLEAN
  tile.sync
  tile.mma_fence
  %d = tile.mma_async %a, %b : !a, !b -> !tile.pending<64x16xf32, #tile.acc>
  %g = tile.mma_commit
  %r = tile.mma_wait %g pending(0) retire(%d : !tile.pending<64x16xf32, #tile.acc>)
  tile.store %r, %y[%c0, %c0] : !acc, !v
}
