// What one thread reads reaches the group by a shuffle or through shared memory.
// RUN: graph-opt %s --split-input-file --tile-lower=target=sm_90a | FileCheck %s

// CHECK-LABEL: llvm.func @opgraph_last_cta
// CHECK-SAME: tile.shared_bytes = 32 : i32
// CHECK: %[[WORD:.+]] = llvm.getelementptr %{{.+}}[%{{.+}}] : (!llvm.ptr<3>, i32)
// CHECK: scf.if
// CHECK: llvm.fence syncscope("device") acq_rel
// CHECK: %[[OLD:.+]] = llvm.atomicrmw add %arg0, %{{.+}} syncscope("device") monotonic
// CHECK: llvm.fence syncscope("device") acq_rel
// CHECK: llvm.store %[[OLD]], %[[WORD]]
// CHECK: nvvm.barrier
// CHECK: llvm.load %[[WORD]]
// CHECK: nvvm.barrier
tile.kernel @opgraph_last_cta(%count: !tile.ptr<i32, align 4>) warps(4)
    targets [sm_90a] {
  %c1 = arith.constant 1 : i32
  %old = tile.fetch_add %count, %c1 order acq_rel : !tile.ptr<i32, align 4>, i32 -> i32
}

// -----

// CHECK-LABEL: llvm.func @opgraph_draw
// CHECK: %[[LAST:.+]] = arith.subi %arg1, %c1_i32
// CHECK: %[[DRAWN:.+]] = scf.if
// CHECK: llvm.atomicrmw uinc_wrap %arg0, %[[LAST]] syncscope("device") monotonic
// CHECK: nvvm.shfl.sync idx {{.*}}, %[[DRAWN]], %c0_i32
tile.kernel @opgraph_draw(%count: !tile.ptr<i32, align 4>, %limit: i32) warps(1)
    targets [sm_90a] {
  %n = tile.draw %count limit %limit : !tile.ptr<i32, align 4>
}

// -----

!view = !tile.view<?xf32, strides [1], align 4>

// One thread stores; with an order, at the GPU's scope.
// CHECK-LABEL: llvm.func @opgraph_scalars
// CHECK: llvm.load %{{.+}} atomic syncscope("device") acquire
// CHECK: scf.if
// CHECK: nvvm.elect.sync
// CHECK: llvm.store %{{.+}}, %{{.+}} {alignment = 4 : i64} : f32, !llvm.ptr<1>
// CHECK: llvm.store %{{.+}}, %{{.+}} atomic syncscope("device") release
// CHECK-NOT: nvvm.elect.sync
tile.kernel @opgraph_scalars(%xp: !tile.ptr<f32, align 4>, %n: i32) warps(4)
    targets [sm_90a] {
  %x = tile.view %xp sizes [%n] : !tile.ptr<f32, align 4> -> !view
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %v = tile.load_scalar %x[%c0] order acquire : !view -> f32
  tile.store_scalar %v, %x[%c0] : f32, !view
  tile.store_scalar %v, %x[%c1] order release : f32, !view
}
