// Shared tiles: swizzled addresses, matrix instructions, slices.
// RUN: graph-opt %s --split-input-file --tile-lower=target=sm_90a --verify-diagnostics | FileCheck %s

#b = #tile.blocked<vector = 8, lanes = [4, 8], warps = [4, 1]>
!tb = !tile.reg<64x64xbf16, #b>
!ta = !tile.reg<64x64xbf16, #tile.acc>
!sw = !tile.shared<64x64xbf16, sw128>
!stages = !tile.shared<2x64x128xbf16, sw128>
!part = !tile.shared<64x64xbf16, sw128, plane_rows 64>

// The base stands on the swizzle's boundary.
// CHECK-LABEL: llvm.func @opgraph_swizzle
// CHECK-SAME: tile.shared_bytes = 41968 : i32
// CHECK: %[[ADDRESS:.+]] = llvm.ptrtoint %[[BASE:.+]] : !llvm.ptr<3> to i32
// CHECK: %[[NEGATED:.+]] = arith.subi %c0_i32, %[[ADDRESS]]
// CHECK: %[[GAP:.+]] = arith.andi %[[NEGATED]], %c1023_i32
// CHECK: llvm.getelementptr %[[BASE]][%[[GAP]]]
// A chunk of 16 bytes is permuted by its row.
// CHECK: %[[PHASE:.+]] = arith.muli %{{.+}}, %c16_i32
// CHECK: arith.xori %{{.+}}, %[[PHASE]]
// CHECK: llvm.store %{{.+}}, %{{.+}} {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<3>
// CHECK: nvvm.barrier
// CHECK-COUNT-4: nvvm.ldmatrix %{{.+}} {{.*}}layout = #nvvm.mma_layout<row>, num = 4 : i32
// The slice: stage 1 (16384 bytes), plane 1 (8192).
// CHECK-COUNT-4: nvvm.stmatrix %{{.+}} {{.*}}layout = #nvvm.mma_layout<row>
// CHECK-COUNT-4: nvvm.ldmatrix %{{.+}} {{.*}}layout = #nvvm.mma_layout<col>
tile.kernel @opgraph_swizzle(%xp: !tile.ptr<bf16, align 16>) warps(4)
    targets [sm_90a] {
  %sw = tile.shared : !sw
  %stages = tile.shared : !stages
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant 0.0 : bf16
  %t = tile.splat %zero : bf16 -> !tb
  tile.store_shared %t, %sw via plain : !tb, !sw
  tile.sync
  %a = tile.load_shared %sw via matrix : !sw -> !ta
  %p = tile.slice %stages[%c1, %c0, %c64] : !stages -> !part
  tile.store_shared %a, %p via matrix : !ta, !part
  %u = tile.load_shared %sw via matrix_trans transposed : !sw -> !ta
}

// -----

#b = #tile.blocked<vector = 4, lanes = [4, 8], warps = [1, 1]>
#c = #tile.blocked<vector = 1, lanes = [1, 32], warps = [1, 1]>
!t = !tile.reg<4x32xf32, #b>
!u = !tile.reg<4x32xf32, #c>
!pad = !tile.shared<4x32xf32, pad 16>

// Rows of 144 bytes: registers' parts of an address are constants.
// CHECK-LABEL: llvm.func @opgraph_convert
// CHECK: arith.muli %{{.+}}, %c144_i32
// CHECK: llvm.store {{.*}} : vector<4xf32>, !llvm.ptr<3>
// CHECK: nvvm.bar.warp.sync
// CHECK: llvm.getelementptr %{{.+}}[144]
// CHECK: llvm.getelementptr %{{.+}}[288]
tile.kernel @opgraph_convert() warps(1) targets [sm_90a] {
  %pad = tile.shared : !pad
  %zero = arith.constant 0.0 : f32
  %t = tile.splat %zero : f32 -> !t
  %u = tile.convert %t through %pad : !pad : !t -> !u
}

// -----

#h = #tile.blocked<vector = 8, lanes = [8, 4], warps = [1, 1]>
#f = #tile.blocked<vector = 4, lanes = [4, 8], warps = [1, 1]>
!th = !tile.reg<64x32xbf16, #h>
!tf = !tile.reg<32x32xf32, #f>
!sh = !tile.shared<32x64xbf16, sw128>
!sf = !tile.shared<32x32xf32, sw128>

// A lane's vector of a transposed tile is a run of rows, which share a phase with
// those of other lanes: they read their runs in different orders.

// CHECK-LABEL: llvm.func @opgraph_turn
// Pairs of rows in an order by the lane's number.
// CHECK: arith.xori
// CHECK-COUNT-4: nvvm.ldmatrix %{{.+}} {{.*}}layout = #nvvm.mma_layout<col>, num = 4 : i32
// CHECK-COUNT-8: arith.select
// CHECK-COUNT-32: llvm.load {{.*}} -> f32
// CHECK-COUNT-8: arith.select
tile.kernel @opgraph_turn(%h: !tile.ptr<bf16, align 16>, %f: !tile.ptr<f32, align 16>) warps(1)
    targets [sm_80, sm_90a] {
  %hs = tile.shared : !sh
  %fs = tile.shared : !sf
  %a = tile.load_shared %hs via matrix_trans transposed : !sh -> !th
  %b = tile.load_shared %fs via plain transposed : !sf -> !tf
}
