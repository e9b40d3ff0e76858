// The warp-specialised GEMM: rings, tensor copies, wgmma, roles.
// RUN: graph-opt %s -o %t.none \
// RUN:   --nvptx-emit="target=sm_90a refuse-spills=true ptx=%t.ptx cubin=%t.cubin resources=%t.json"
// RUN: FileCheck %s < %t.ptx
// RUN: FileCheck %s --check-prefix=RESOURCES < %t.json

// 65536 registers over 384 threads, before the roles share them out.
// RESOURCES: "registers": 168
// RESOURCES-NEXT: "spill_stores": 0

// CHECK: .entry opgraph_gemm_bf16_128x256x64_s4(
// CHECK: .param .align 64 .b8 {{.*}}[128]
// CHECK: .reqntid 384
// Eight mbarriers behind four stages of 48 KB, seen by the async proxy.
// CHECK-COUNT-8: mbarrier.init.shared
// CHECK: fence.mbarrier_init.release.cluster
// CHECK: bar.sync 0
// One thread of the first warp fills.
// CHECK: setmaxnreg.dec.sync.aligned.u32 40
// CHECK: elect.sync
// CHECK-COUNT-2: prefetch.tensormap
// CHECK: mbarrier.try_wait.parity
// CHECK: mbarrier.arrive.expect_tx
// CHECK-COUNT-2: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
// The first step does not read the accumulator; one group stays in flight.
// CHECK: setmaxnreg.inc.sync.aligned.u32 232
// CHECK: mbarrier.try_wait.parity
// CHECK: wgmma.fence.sync.aligned
// CHECK-COUNT-4: wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16
// CHECK: wgmma.commit_group
// CHECK: mbarrier.try_wait.parity
// CHECK: wgmma.fence.sync.aligned
// CHECK-COUNT-4: wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16
// CHECK: wgmma.commit_group
// CHECK: wgmma.wait_group.sync.aligned 1
// CHECK: mbarrier.arrive.shared
// CHECK: wgmma.wait_group.sync.aligned 0
// The epilogue, 64 columns at a time.
// CHECK: cp.async.bulk.wait_group.read 1
// CHECK: bar.sync
// CHECK-COUNT-4: stmatrix.sync.aligned.m8n8.x4.shared.b16
// CHECK: fence.proxy.async.shared::cta
// CHECK: bar.sync
// CHECK: cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group
// CHECK: cp.async.bulk.commit_group
// CHECK: cp.async.bulk.wait_group 0

!A     = !tile.shared<128x64xbf16, sw128>
!B     = !tile.shared<256x64xbf16, sw128>
!Awg   = !tile.shared<64x64xbf16, sw128, plane_rows 128>
!ring  = !tile.ring<4, !A, !B>
!slot  = !tile.slot
!acc   = !tile.reg<64x256xf32, #tile.acc>
!d     = !tile.pending<64x256xf32, #tile.acc>
!part  = !tile.reg<64x64xf32, #tile.acc>
!partb = !tile.reg<64x64xbf16, #tile.acc>
!stage = !tile.shared<2x2x64x64xbf16, sw128>       // [warpgroup][buffer]
!buf   = !tile.shared<64x64xbf16, sw128>
!mapA  = !tile.tensor_map<128x64xbf16, sw128>
!mapB  = !tile.tensor_map<256x64xbf16, sw128>
!mapC  = !tile.tensor_map<64x64xbf16, sw128>

tile.kernel @opgraph_gemm_bf16_128x256x64_s4(%A: !mapA, %B: !mapB, %C: !mapC,
    %m_tiles: i32, %n_tiles: i32, %k_tiles: i32) warps(12) targets [sm_90a] {
  %ring = tile.ring filled_by(bytes) freed_by(2) : !ring
  %stage = tile.shared : !stage
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %c192 = arith.constant 192 : i32
  %c256 = arith.constant 256 : i32
  %cta = tile.block_id x
  %ctas = tile.grid_size x
  %tiles = arith.muli %m_tiles, %n_tiles : i32

  tile.role @producer warps(0) registers(40) single {
    tile.prefetch_map %A : !mapA
    tile.prefetch_map %B : !mapB
    scf.for %t = %cta to %tiles step %ctas : i32 {
      %mt, %nt = tile.raster %t of (%m_tiles, %n_tiles) group(16)
      %m = arith.muli %mt, %c128 : i32
      %n = arith.muli %nt, %c256 : i32
      scf.for %kt = %c0 to %k_tiles step %c1 : i32 {
        %k = arith.muli %kt, %c64 : i32
        %s, %a, %b = tile.acquire %ring : !ring                  // free?
        tile.fill %s bytes(49152) : !slot                        // 16384 + 32768 will come
        tile.tensor_load %A[%m, %k] to %a on %s : !mapA, !A, !slot
        tile.tensor_load %B[%n, %k] to %b on %s : !mapB, !B, !slot
      }
    }
  }

  tile.role @consumer warps(4) agents(2) of 4 registers(232) as %wg {
    %row = arith.muli %wg, %c64 : i32
    scf.for %t = %cta to %tiles step %ctas : i32 {
      %mt, %nt = tile.raster %t of (%m_tiles, %n_tiles) group(16)
      // k = 0: no C operand, so scale-D is 0
      %s0, %a0, %b0 = tile.wait %ring : !ring                    // full?
      %aw0 = tile.slice %a0[%row, %c0] : !A -> !Awg
      tile.mma_fence
      %d0 = tile.mma_async %aw0, %b0 : !Awg, !B -> !d
      %g0 = tile.mma_commit
      // one group stays in flight across the back edge
      %d, %g, %s = scf.for %kt = %c1 to %k_tiles step %c1
          iter_args(%dp = %d0, %gp = %g0, %sp = %s0) -> (!d, !tile.mma_group, !slot) : i32 {
        %s1, %a, %b = tile.wait %ring : !ring
        %aw = tile.slice %a[%row, %c0] : !A -> !Awg
        tile.mma_fence
        %d1 = tile.mma_async %aw, %b plus %dp : !d : !Awg, !B -> !d
        %g1 = tile.mma_commit
        tile.mma_wait %gp pending(1)
        tile.release %sp order relaxed                           // read by waited-for MMAs only
        scf.yield %d1, %g1, %s1 : !d, !tile.mma_group, !slot
      }
      %acc = tile.mma_wait %g pending(0) retire(%d : !d)
      tile.release %s order relaxed

      // epilogue, 64 columns at a time; the graph's pointwise tail is the map
      %m128 = arith.muli %mt, %c128 : i32
      %m = arith.addi %m128, %row : i32
      %n = arith.muli %nt, %c256 : i32
      %p0 = tile.extract %acc[0, 0] : !acc -> !part
      %o0 = tile.map (%a = %p0) : (!part) -> !partb {
        %q = arith.truncf %a : f32 to bf16
        tile.yield %q : bf16
      }
      tile.bulk_wait pending(1) read                             // the store before last has read its tile
      tile.sync                                                  // ... and all warps know
      %t0 = tile.slice %stage[%wg, %c0, %c0, %c0] : !stage -> !buf
      tile.store_shared %o0, %t0 via matrix : !partb, !buf       // stmatrix
      tile.fence_proxy async_shared
      tile.sync
      tile.tensor_store %t0, %C[%m, %n] : !buf, !mapC
      tile.bulk_commit

      %p1 = tile.extract %acc[0, 64] : !acc -> !part
      %o1 = tile.map (%a = %p1) : (!part) -> !partb {
        %q = arith.truncf %a : f32 to bf16
        tile.yield %q : bf16
      }
      tile.bulk_wait pending(1) read
      tile.sync
      %t1 = tile.slice %stage[%wg, %c1, %c0, %c0] : !stage -> !buf
      tile.store_shared %o1, %t1 via matrix : !partb, !buf
      tile.fence_proxy async_shared
      tile.sync
      %n1 = arith.addi %n, %c64 : i32
      tile.tensor_store %t1, %C[%m, %n1] : !buf, !mapC
      tile.bulk_commit

      %p2 = tile.extract %acc[0, 128] : !acc -> !part
      %o2 = tile.map (%a = %p2) : (!part) -> !partb {
        %q = arith.truncf %a : f32 to bf16
        tile.yield %q : bf16
      }
      tile.bulk_wait pending(1) read
      tile.sync
      %t2 = tile.slice %stage[%wg, %c0, %c0, %c0] : !stage -> !buf
      tile.store_shared %o2, %t2 via matrix : !partb, !buf
      tile.fence_proxy async_shared
      tile.sync
      %n2 = arith.addi %n, %c128 : i32
      tile.tensor_store %t2, %C[%m, %n2] : !buf, !mapC
      tile.bulk_commit

      %p3 = tile.extract %acc[0, 192] : !acc -> !part
      %o3 = tile.map (%a = %p3) : (!part) -> !partb {
        %q = arith.truncf %a : f32 to bf16
        tile.yield %q : bf16
      }
      tile.bulk_wait pending(1) read
      tile.sync
      %t3 = tile.slice %stage[%wg, %c1, %c0, %c0] : !stage -> !buf
      tile.store_shared %o3, %t3 via matrix : !partb, !buf
      tile.fence_proxy async_shared
      tile.sync
      %n3 = arith.addi %n, %c192 : i32
      tile.tensor_store %t3, %C[%m, %n3] : !buf, !mapC
      tile.bulk_commit
    }
    tile.bulk_wait pending(0)                                    // stores are done before the CTA goes
  }
}
