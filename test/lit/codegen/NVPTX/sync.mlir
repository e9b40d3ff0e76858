// Barriers, fences and what a cluster and a grid wait for.
// RUN: graph-opt %s --split-input-file --tile-lower=target=sm_90a | FileCheck %s

// CHECK-LABEL: llvm.func @opgraph_fences
// CHECK: nvvm.barrier
// CHECK: nvvm.bar.warp.sync
// CHECK: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
// CHECK: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.global>}
// CHECK: llvm.fence syncscope("device") acq_rel
// CHECK: llvm.inline_asm has_side_effects {{.*}}"griddepcontrol.wait;", "~{memory}"
// CHECK: nvvm.griddepcontrol launch_dependents
tile.kernel @opgraph_fences() warps(4) targets [sm_90a] {
  tile.sync
  tile.sync warp
  tile.fence_proxy async_shared
  tile.fence_proxy async_global
  tile.fence gpu
  tile.grid_wait
  tile.grid_launch
}

// -----

!turn = !tile.barrier<256, 2>

// Two barriers of 256 threads, from id 1 on; the roles' own follow.
// CHECK-LABEL: llvm.func @opgraph_turns
// CHECK: %[[MINE:.+]] = arith.addi %c1_i32, %[[AGENT:.+]]
// CHECK: nvvm.barrier id = %[[MINE]] number_of_threads = %c256_i32
// CHECK: %[[OTHER:.+]] = arith.subi %c1_i32, %[[AGENT]]
// CHECK: %[[THEIRS:.+]] = arith.addi %c1_i32, %[[OTHER]]
// CHECK: nvvm.barrier.arrive id = %[[THEIRS]] number_of_threads = %c256_i32
tile.kernel @opgraph_turns() warps(8) targets [sm_90a] {
  %turn = tile.barrier : !turn
  %c1 = arith.constant 1 : i32
  tile.role @both warps(0) agents(2) of 4 as %i {
    tile.barrier_sync %turn[%i] : !turn
    %other = arith.subi %c1, %i : i32
    tile.barrier_arrive %turn[%other] : !turn
  }
}

// -----

// CHECK-LABEL: llvm.func @opgraph_cluster
// CHECK-SAME: nvvm.cluster_dim = array<i32: 2, 1, 1>
// CHECK: nvvm.cluster.arrive {aligned}
// CHECK: nvvm.cluster.wait {aligned}
tile.kernel @opgraph_cluster() warps(4) targets [sm_90a] cluster [2, 1, 1] {
  tile.cluster_arrive
  tile.cluster_wait
}
