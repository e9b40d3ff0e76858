// Rings and semaphores: cursors, who arrives, where.
// RUN: graph-opt %s --split-input-file --tile-lower=target=sm_90a --verify-diagnostics | FileCheck %s

!ring = !tile.ring<3, !tile.shared<8x64xbf16, sw128>, !tile.shared<1xi32>>

// Stages of 2048 bytes, then the mbarriers; a producer's first round passes.
// CHECK-LABEL: llvm.func @opgraph_arrivals
// CHECK-COUNT-4: llvm.alloca
// CHECK: nvvm.mbarrier.init %[[FULL:.+]], %c1_i32
// CHECK: nvvm.mbarrier.init %{{.+}}, %c4_i32
// CHECK: nvvm.fence.mbarrier.init
// CHECK: nvvm.barrier
// CHECK: %[[STAGE:.+]] = llvm.load
// CHECK: %[[PARITY:.+]] = llvm.load
// CHECK: %[[AWAITED:.+]] = arith.xori %[[PARITY]], %c1_i32
// CHECK: %[[EMPTY:.+]] = llvm.getelementptr %{{.+}}[6168]
// CHECK: nvvm.mbarrier.try_wait %[[EMPTY]], %[[AWAITED]]
// CHECK: %[[NEXT:.+]] = arith.addi %[[STAGE]], %c1_i32
// CHECK: arith.cmpi eq, %[[NEXT]], %c3_i32
// CHECK: arith.muli %[[STAGE]], %c2048_i32
// CHECK: nvvm.elect.sync
// CHECK: nvvm.mbarrier.arrive %{{.+}} : !llvm.ptr<3> -> i64
// Each warp of the consumer arrives once, when all of its lanes are done.
// CHECK: nvvm.mbarrier.try_wait
// CHECK: nvvm.bar.warp.sync
// CHECK: scf.if
// CHECK: nvvm.mbarrier.arrive %{{.+}} : !llvm.ptr<3> -> i64
tile.kernel @opgraph_arrivals() warps(8) targets [sm_90a] {
  %ring = tile.ring filled_by(arrivals, 1) freed_by(4) : !ring
  %c0 = arith.constant 0 : i32
  tile.role @producer warps(0) {
    %s, %t, %w = tile.acquire %ring : !ring
    tile.store_scalar %c0, %w[%c0] : i32, !tile.shared<1xi32>
    tile.fill %s : !tile.slot
  }
  tile.role @consumer warps(4) agents(1) of 4 {
    %s, %t, %w = tile.wait %ring : !ring
    %v = tile.load_scalar %w[%c0] : !tile.shared<1xi32> -> i32
    tile.release %s by each_warp
  }
}

// -----

!s = !tile.semaphore<2>

// CHECK-LABEL: llvm.func @opgraph_semaphore
// CHECK: nvvm.mbarrier.init %[[S:.+]], %c2_i32
// CHECK: nvvm.mbarrier.arrive %[[S]]
// CHECK: %[[PHASE:.+]] = llvm.load
// CHECK: nvvm.mbarrier.try_wait %[[S]], %[[PHASE]]
// CHECK: %[[TURNED:.+]] = arith.xori %[[PHASE]], %c1_i32
// CHECK: llvm.store %[[TURNED]]
tile.kernel @opgraph_semaphore() warps(2) targets [sm_90a] {
  %s = tile.semaphore : !s
  tile.role @both warps(0) agents(2) of 1 as %i {
    tile.fill %s : !s
    tile.await %s : !s
  }
}
