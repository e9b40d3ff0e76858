// cp.async in, ldmatrix, mma.sync: a product of warps for every GPU.
// RUN: graph-opt %s --nvptx-emit="target=sm_80 refuse-spills=true ptx=%t.ptx cubin=%t.cubin" -o %t.none
// RUN: FileCheck %s < %t.ptx

// What is beyond a limit is not read: the source size says how much is.
// CHECK: .entry opgraph_mma(
// CHECK-COUNT-4: cp.async.cg.shared.global [{{.*}}], [{{.*}}], 16, %r
// CHECK: cp.async.commit_group
// CHECK: cp.async.wait_group{{.*}}0
// CHECK: bar.sync 0
// CHECK-COUNT-8: ldmatrix.sync.aligned.m8n8.x4.shared.b16
// CHECK-COUNT-8: mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
// CHECK-NOT: mma.sync
#w = #tile.acc<warps = [2, 2]>
#a = #tile.operand<0, bits = 16, warps = [2, 2]>
#b = #tile.operand<1, bits = 16, warps = [2, 2]>
!sa = !tile.shared<32x64xbf16, sw128>
!va = !tile.view<?x?:8xbf16, strides [?:8, 1], align 16>
!ra = !tile.reg<32x64xbf16, #a>
!rb = !tile.reg<64x32xbf16, #b>
!rc = !tile.reg<32x32xf32, #w>
!vc = !tile.view<32x32xf32, strides [32, 1], align 16>
tile.kernel @opgraph_mma(%ap: !tile.ptr<bf16, align 16>, %bp: !tile.ptr<bf16, align 16>, %cp: !tile.ptr<f32, align 16>, %m: i32, %k: i32, %ld: i64) warps(4) targets [sm_80, sm_90a] {
  %a = tile.view %ap sizes [%m, %k] strides [%ld] : !tile.ptr<bf16, align 16> -> !va
  %b = tile.view %bp sizes [%m, %k] strides [%ld] : !tile.ptr<bf16, align 16> -> !va
  %c = tile.view %cp : !tile.ptr<f32, align 16> -> !vc
  %sa = tile.shared : !sa
  %sb = tile.shared : !sa
  %c0 = arith.constant 0 : i32
  %zero = arith.constant 0.0 : f32
  tile.cp_async %a[%c0, %c0] below [%m, %k] to %sa bytes(16) : !va, !sa
  tile.cp_async %b[%c0, %c0] below [%m, %k] to %sb bytes(16) : !va, !sa
  tile.cp_commit
  tile.cp_wait pending(0)
  tile.sync
  %ra = tile.load_shared %sa via matrix : !sa -> !ra
  %rb = tile.load_shared %sb via matrix transposed : !sa -> !rb
  %z = tile.splat %zero : f32 -> !rc
  %d = tile.mma_sync %ra, %rb plus %z : !ra, !rb, !rc
  tile.store %d, %c[%c0, %c0] : !rc, !vc
}
