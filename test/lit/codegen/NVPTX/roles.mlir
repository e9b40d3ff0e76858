// Warps of a kernel with roles: budgets once per warpgroup, then one branch each.
// RUN: graph-opt %s --split-input-file --tile-lower=target=sm_90a --verify-diagnostics | FileCheck %s

// CHECK-LABEL: llvm.func @opgraph_roles
// CHECK: %[[WARP:.+]] = nvvm.shfl.sync idx
// The producer's warpgroup gives registers away, idle warps too.
// CHECK: %[[FIRST:.+]] = arith.cmpi ult, %[[WARP]], %c4_i32
// CHECK: scf.if %[[FIRST]] {
// CHECK: nvvm.setmaxregister decrease 40
// CHECK: %[[PRODUCER:.+]] = arith.cmpi ult, %{{.+}}, %c1_i32
// CHECK: scf.if %[[PRODUCER]] {
// CHECK: nvvm.elect.sync
// CHECK: llvm.store %arg1
// CHECK: } else {
// CHECK: nvvm.setmaxregister increase 232
// The consumers are all of the rest; agent i waits at barrier 1 + i.
// CHECK-NOT: scf.if
// CHECK: %[[AGENT:.+]] = arith.shrui %{{.+}}, %c2_i32
// CHECK: %[[ID:.+]] = arith.addi %{{.+}}, %[[AGENT]]
// CHECK: nvvm.barrier id = %[[ID]] number_of_threads = %c128_i32
tile.kernel @opgraph_roles(%xp: !tile.ptr<f32, align 4>, %v: f32) warps(12)
    targets [sm_90a] {
  %x = tile.view %xp : !tile.ptr<f32, align 4>
      -> !tile.view<1xf32, strides [1], align 4>
  %c0 = arith.constant 0 : i32
  tile.role @producer warps(0) registers(40) single {
    tile.store_scalar %v, %x[%c0] : f32, !tile.view<1xf32, strides [1], align 4>
  }
  tile.role @consumer warps(4) agents(2) of 4 registers(232) as %wg {
    tile.sync
  }
}
