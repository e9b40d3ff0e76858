// Warpgroup products: descriptors, blocks of 64 rows, A in registers.
// RUN: graph-opt %s --split-input-file --tile-lower=target=sm_90a --verify-diagnostics | FileCheck %s

!a = !tile.shared<128x128xbf16, sw128>
!b = !tile.shared<64x128xbf16, sw128>
!d = !tile.pending<128x64xf32, #tile.acc>
!t = !tile.reg<128x64xf32, #tile.acc>

// Eight steps of K in two planes of 64; two blocks of rows have a struct each.
// CHECK-LABEL: llvm.func @opgraph_planes
// CHECK: nvvm.wgmma.fence.aligned
// CHECK: %[[A:.+]] = arith.ori %{{.+}}, %[[HIGH:.+]] : i64
// CHECK: %[[B:.+]] = arith.ori %{{.+}}, %[[HIGH]] : i64
// CHECK: nvvm.wgmma.mma_async %[[A]], %[[B]], %{{.+}}, <m = 64, n = 64, k = 16>, D[<f32>, <zero>], A[<bf16>, <one>, <row>], B[<bf16>, <one>, <col>]
// 64 rows of 128 bytes further.
// CHECK: %[[NEXT:.+]] = arith.addi %[[A]], %c512_i64
// CHECK: nvvm.wgmma.mma_async %[[NEXT]], %[[B]], {{.*}} D[<f32>, <zero>]
// 32 bytes along K.
// CHECK: arith.addi %[[A]], %c2_i64
// CHECK: arith.addi %[[B]], %c2_i64
// CHECK: nvvm.wgmma.mma_async {{.*}} D[<f32>, <one>]
// The next plane: 128 and 64 rows of 128 bytes.
// CHECK: arith.addi %[[A]], %c1024_i64
// CHECK: arith.addi %[[B]], %c512_i64
// CHECK: nvvm.wgmma.commit.group.sync.aligned
// CHECK: nvvm.wgmma.wait.group.sync.aligned 0
// CHECK-COUNT-64: llvm.extractvalue
tile.kernel @opgraph_planes() warps(4) targets [sm_90a] {
  %a = tile.shared : !a
  %b = tile.shared : !b
  tile.mma_fence
  %d = tile.mma_async %a, %b : !a, !b -> !d
  %g = tile.mma_commit
  %t = tile.mma_wait %g pending(0) retire(%d : !d)
}

// -----

!b = !tile.shared<32x128xbf16, sw128>
!a = !tile.reg<64x32xbf16, #tile.operand<0, bits = 16>>
!c = !tile.reg<64x128xf32, #tile.acc>
!d = !tile.pending<64x128xf32, #tile.acc>

// B is K x N: transposed by the instruction, planes 4096 bytes apart.
// CHECK-LABEL: llvm.func @opgraph_registers
// CHECK: llvm.insertvalue
// CHECK: llvm.inline_asm has_side_effects "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {{.*}} 1, 1, 1, 1;"
// 16 rows of 128 bytes.
// CHECK: arith.addi %{{.+}}, %c128_i64
// CHECK: llvm.inline_asm has_side_effects "wgmma.mma_async
tile.kernel @opgraph_registers(%x: bf16, %y: f32) warps(4) targets [sm_90a] {
  %b = tile.shared : !b
  %a = tile.splat %x : bf16 -> !a
  %c = tile.splat %y : f32 -> !c
  tile.mma_fence
  %d = tile.mma_async %a, %b plus %c : !c b_major mn : !a, !b -> !d
  %g = tile.mma_commit
  %t = tile.mma_wait %g pending(0) retire(%d : !d)
}

// -----

!b = !tile.shared<16x64xf16, sw128>
!a = !tile.reg<64x64xf16, #tile.operand<0, bits = 16>>
!c = !tile.reg<64x16xf16, #tile.acc>
!d = !tile.pending<64x16xf16, #tile.acc>

// Two f16 sums share a register. What register operands are packed from is
// written before the fence.
// CHECK-LABEL: llvm.func @opgraph_halves
// CHECK: %[[A:.+]] = llvm.bitcast %{{.+}} : vector<2xf16> to i32
// CHECK: %[[C:.+]] = llvm.bitcast %{{.+}} : vector<2xf16> to i32
// CHECK: nvvm.wgmma.fence.aligned
// CHECK-NOT: llvm.bitcast
// CHECK: llvm.inline_asm has_side_effects "wgmma.mma_async.sync.aligned.m64n16k16.f16.f16.f16 {$0, $1, $2, $3}, {{.*}} 1, 1, 1, 0;", "=r,=r,=r,=r,r,r,r,r,l,0,1,2,3" %[[A]]
// CHECK: nvvm.wgmma.wait.group.sync.aligned 0
// CHECK: %[[WORD:.+]] = llvm.extractvalue %{{.+}}[0] : !llvm.struct<(i32, i32, i32, i32)>
// CHECK: llvm.bitcast %[[WORD]] : i32 to vector<2xf16>
tile.kernel @opgraph_halves(%x: f16, %y: f16) warps(4) targets [sm_90a] {
  %b = tile.shared : !b
  %a = tile.splat %x : f16 -> !a
  %c = tile.splat %y : f16 -> !c
  tile.mma_fence
  %d = tile.mma_async %a, %b plus %c : !c : !a, !b -> !d
  %g = tile.mma_commit
  %t = tile.mma_wait %g pending(0) retire(%d : !d)
}
