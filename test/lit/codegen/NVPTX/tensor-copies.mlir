// Tensor copies in a cluster, and tensor maps that a kernel edits.
// RUN: graph-opt %s --split-input-file --tile-lower=target=sm_90a | FileCheck %s

// CHECK-LABEL: llvm.func @opgraph_multicast
// CHECK-SAME: llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant
// CHECK-SAME: nvvm.cluster_dim = array<i32: 2, 1, 1>
// No CTA goes on before the mbarriers of all are there.
// CHECK: nvvm.cluster.arrive {aligned}
// CHECK: nvvm.cluster.wait {aligned}
// CHECK: nvvm.mbarrier.arrive.expect_tx
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}} multicast_mask = %{{.+}} : !llvm.ptr<7>, !llvm.ptr
// Each stage is waited for once more before the CTA goes.
// CHECK-COUNT-2: nvvm.mbarrier.try_wait
// A stage is free when both CTAs say so: one lane for each, to it.
// CHECK: nvvm.mbarrier.try_wait
// CHECK: nvvm.barrier
// CHECK: %[[ARRIVES:.+]] = arith.cmpi ult, %[[LANE:.+]], %c2_i32
// CHECK: scf.if %[[ARRIVES]]
// CHECK: %[[PEER:.+]] = nvvm.mapa %{{.+}}, %[[LANE]] : !llvm.ptr<3> -> !llvm.ptr<7>
// CHECK: nvvm.mbarrier.arrive %[[PEER]] : !llvm.ptr<7>
// CHECK: nvvm.cp.async.bulk.tensor.reduce {{.*}}redKind = #nvvm.tma_redux_kind<add>

!a = !tile.shared<64x64xbf16, sw128>
!half = !tile.shared<32x64xbf16, sw128, plane_rows 64>
!ring = !tile.ring<2, !a>
!map = !tile.tensor_map<32x64xbf16, sw128>
!cmap = !tile.tensor_map<64x64xbf16, sw128>
!ws = !tile.ptr<i8, align 128>
tile.kernel @opgraph_multicast(%A: !map, %C: !cmap, %n: i32) warps(8) targets [sm_90a] cluster [2, 1, 1] {
  %ring = tile.ring filled_by(bytes) freed_by(2) scope cluster : !ring
  %out = tile.shared : !a
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %mask = arith.constant 3 : i16
  %rank = tile.cta_in_cluster x
  tile.role @producer warps(0) single {
    %row = arith.muli %rank, %c32 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      %s, %t = tile.acquire %ring : !ring
      tile.fill %s bytes(8192) : !tile.slot
      %p = tile.slice %t[%row, %c0] : !a -> !half
      tile.tensor_load %A[%row, %c0] to %p on %s multicast %mask : !map, !half, !tile.slot
    }
    tile.drain %ring : !ring
  }
  tile.role @consumer warps(4) agents(1) of 4 {
    scf.for %i = %c0 to %n step %c1 : i32 {
      %s, %t = tile.wait %ring : !ring
      %v = tile.load_shared %t via plain : !a -> !tile.reg<64x64xbf16, #tile.acc>
      tile.sync
      tile.release %s order release scope cluster
      tile.bulk_wait pending(0) read
      tile.sync
      tile.store_shared %v, %out via matrix : !tile.reg<64x64xbf16, #tile.acc>, !a
      tile.fence_proxy async_shared
      tile.sync
      tile.tensor_store combine add %out, %C[%c0, %c0] : !a, !cmap
      tile.bulk_commit
    }
    tile.bulk_wait pending(0)
  }
}

// -----

// CHECK-LABEL: llvm.func @opgraph_maps
// Eight threads copy 16 bytes each.
// CHECK: arith.cmpi ult, %{{.+}}, %c8_i32
// CHECK: llvm.load %{{.+}} {alignment = 16 : i64} : !llvm.ptr -> vector<4xi32>
// CHECK: nvvm.bar.warp.sync
// Axis 0 is the outermost here, and 1 in the instruction; strides begin at 0.
// CHECK: "tensormap.replace.tile.global_address.global.b1024.b64 [$0], $1;"
// CHECK: "tensormap.replace.tile.global_dim.global.b1024.b32 [$0], 1, $1;"
// CHECK: "tensormap.replace.tile.global_stride.global.b1024.b64 [$0], 0, $1;"
// CHECK: nvvm.fence.proxy.release <gpu>
// CHECK: nvvm.bar.warp.sync
// CHECK: nvvm.fence.proxy.acquire <gpu>
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}} l2_cache_hint
// CHECK: nvvm.cp.async.bulk.shared.cluster.global
// CHECK: nvvm.cp.async.bulk.global.shared.cta
// CHECK: nvvm.cp.async.bulk.commit.group
// CHECK: nvvm.cp.async.bulk.wait_group 0
!a = !tile.shared<64x64xbf16, sw128>
!map = !tile.tensor_map<64x64xbf16, sw128>
!mem = !tile.tensor_map<64x64xbf16, sw128, in_memory>
!ws = !tile.ptr<i8, align 128>
!s = !tile.semaphore<1>
!p = !tile.ptr<bf16, align 16>
tile.kernel @opgraph_maps(%A: !map, %ws: !ws, %x: !p, %n: i32, %ld: i64) warps(1) targets [sm_90a] {
  %t = tile.shared : !a
  %b = tile.shared : !tile.shared<1x64xbf16>
  %s = tile.semaphore : !s
  %c0 = arith.constant 0 : i32
  %z = arith.constant 0 : i64
  %by = arith.constant 128 : i32
  %m = tile.copy_map %A to %ws[%c0] : !map, !ws -> !mem
  tile.replace_map %m address[0] = %x : !mem, !p
  tile.replace_map %m extent[0] = %n : !mem, i32
  tile.replace_map %m stride[0] = %ld : !mem, i64
  tile.publish_map %m : !mem
  tile.fill %s bytes(8320) : !s
  tile.tensor_load %m[%c0, %c0] to %t on %s cache evict_first : !mem, !a, !s
  tile.bulk_load %x[%z] size %by to %b on %s : !p, !tile.shared<1x64xbf16>, !s
  tile.await %s : !s
  tile.bulk_store %b, %x[%z] size %by : !tile.shared<1x64xbf16>, !p
  tile.bulk_commit
  tile.bulk_wait pending(0)
}

// -----

!map = !tile.tensor_map<64x1x1x64xbf16, sw128, im2col>
!s = !tile.shared<64x128xbf16, sw128>
!run = !tile.shared<1x256xi32>

// Coordinates and offsets innermost first; a tile of two planes is two copies.
// Copies of runs that combine are inline.
// CHECK-LABEL: llvm.func @opgraph_im2col
// CHECK-SAME: %arg0: !llvm.ptr {{.*}}, %arg1: i32, %arg2: i32, %arg3: i32, %arg4: i16, %arg5: i16,
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.+}}, %arg0, %{{.+}}, box[%c0_i32, %arg3, %arg2, %arg1] im2col[%arg5, %arg4]
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.+}}, %arg0, %{{.+}}, box[%c64_i32, %arg3, %arg2, %arg1] im2col[%arg5, %arg4]
// CHECK: llvm.inline_asm has_side_effects "cp.reduce.async.bulk.global.shared::cta.bulk_group.max.s32 [$0], [$1], $2;", "l,r,r,~{memory}"
tile.kernel @opgraph_im2col(%x: !map, %n: i32, %h: i32, %w: i32, %r: i16, %q: i16, %y: !tile.ptr<i32, align 16>) warps(1) targets [sm_90a] {
  %s = tile.shared : !s
  %run = tile.shared : !run
  %ready = tile.semaphore : !tile.semaphore<1>
  %c0 = arith.constant 0 : i32
  %at = arith.constant 0 : i64
  %bytes = arith.constant 1024 : i32
  tile.fill %ready bytes(16384) : !tile.semaphore<1>
  tile.tensor_load %x[%n, %h, %w, %c0] im2col [%r, %q] to %s on %ready : !map, !s, !tile.semaphore<1>
  tile.await %ready : !tile.semaphore<1>
  tile.bulk_store combine max %run, %y[%at] size %bytes : !run, !tile.ptr<i32, align 16>
  tile.bulk_commit
  tile.bulk_wait pending(0)
}
