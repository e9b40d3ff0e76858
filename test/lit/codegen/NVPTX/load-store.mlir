// Vector width, predicates and branches of accesses to views.
// RUN: graph-opt %s --split-input-file --tile-lower=target=sm_90a | FileCheck %s

#d = #tile.blocked<vector = 8, lanes = [1, 32], warps = [1, 4]>
!tile = !tile.reg<1x1024xbf16, #d>
!view = !tile.view<?x1024xbf16, strides [1024, 1], align 16>
!const = !tile.view<?x1024xbf16, strides [1024, 1], align 16, readonly>

// Nothing to mask: LLVM's own accesses, those of read-only memory invariant.
// CHECK-LABEL: llvm.func @opgraph_whole
// CHECK: llvm.load %{{.+}} invariant {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
// CHECK-NOT: inline_asm
// CHECK: llvm.store %{{.+}}, %{{.+}} {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>
tile.kernel @opgraph_whole(%xp: !tile.ptr<bf16, align 16, readonly>,
    %yp: !tile.ptr<bf16, align 16>, %m: i32) warps(4) targets [sm_90a] {
  %x = tile.view %xp sizes [%m] : !tile.ptr<bf16, align 16, readonly> -> !const
  %y = tile.view %yp sizes [%m] : !tile.ptr<bf16, align 16> -> !view
  %c0 = arith.constant 0 : i32
  %r = tile.block_id x
  %v = tile.load %x[%r, %c0] : !const -> !tile
  tile.store %v, %y[%r, %c0] : !tile, !view
}

// -----

#d = #tile.blocked<vector = 8, lanes = [1, 32], warps = [1, 4]>
!tile = !tile.reg<1x1024xbf16, #d>
!view = !tile.view<?x?:8xbf16, strides [?:8, 1], align 16>

// The limit is a multiple of the vector: one predicate each, no branch.
// CHECK-LABEL: llvm.func @opgraph_predicated
// CHECK-NOT: scf.if
// CHECK: llvm.inline_asm has_side_effects "@$9 ld.global.v4.b32 {$0, $1, $2, $3}, [$8];", "=r,=r,=r,=r,0,1,2,3,l,b" %[[INF:.+]], %[[INF]], %[[INF]], %[[INF]],
// CHECK: llvm.inline_asm has_side_effects "@$5 st.global.v4.b32 [$0], {$1, $2, $3, $4};", "l,r,r,r,r,b,~{memory}"
tile.kernel @opgraph_predicated(%xp: !tile.ptr<bf16, align 16>, %m: i32,
    %n: i32, %ld: i64) warps(4) targets [sm_90a] {
  %x = tile.view %xp sizes [%m, %n] strides [%ld]
      : !tile.ptr<bf16, align 16> -> !view
  %c0 = arith.constant 0 : i32
  %r = tile.block_id x
  %v = tile.load %x[%r, %c0] below [%m, %n] fill(neg_inf) : !view -> !tile
  tile.store %v, %x[%r, %c0] below [%m, %n] : !tile, !view
}

// -----

#d = #tile.blocked<vector = 8, lanes = [1, 32], warps = [1, 4]>
!tile = !tile.reg<1x1024xbf16, #d>
!view = !tile.view<?x?xbf16, strides [?:8, 1], align 16>

// The limit may cut a vector: whole vectors, then the elements of the one that
// it cuts, by that one's thread.
// CHECK-LABEL: llvm.func @opgraph_branch
// CHECK: ld.global.v4.b32
// CHECK: %[[OUTSIDE:.+]] = arith.xori
// CHECK: %[[CUT:.+]] = arith.andi %{{.+}}, %[[OUTSIDE]] : i1
// CHECK: scf.if %[[CUT]]
// CHECK-COUNT-8: ld.global.b16
// CHECK: } else {
tile.kernel @opgraph_branch(%xp: !tile.ptr<bf16, align 16>, %m: i32, %n: i32,
    %ld: i64) warps(4) targets [sm_90a] {
  %x = tile.view %xp sizes [%m, %n] strides [%ld]
      : !tile.ptr<bf16, align 16> -> !view
  %c0 = arith.constant 0 : i32
  %r = tile.block_id x
  %v = tile.load %x[%r, %c0] below [%m, %n] fill(zero) : !view -> !tile
}

// -----

#d = #tile.blocked<vector = 8, lanes = [1, 32], warps = [1, 4]>
!tile = !tile.reg<1x1024xbf16, #d>

// Rows start at multiples of 4 bytes only.
// CHECK-LABEL: llvm.func @opgraph_narrow
// CHECK-COUNT-4: llvm.load %{{.+}} {alignment = 4 : i64} : !llvm.ptr<1> -> i32
tile.kernel @opgraph_narrow(%xp: !tile.ptr<bf16, align 16>, %m: i32, %ld: i64)
    warps(4) targets [sm_90a] {
  %x = tile.view %xp sizes [%m] strides [%ld] : !tile.ptr<bf16, align 16>
      -> !tile.view<?x1024xbf16, strides [?:2, 1], align 16>
  %c0 = arith.constant 0 : i32
  %r = tile.block_id x
  %v = tile.load %x[%r, %c0] : !tile.view<?x1024xbf16, strides [?:2, 1], align 16> -> !tile
}

// -----

#d = #tile.blocked<vector = 4, lanes = [1, 32], warps = [4, 1]>
!row = !tile.reg<1x128xf32, #d>
!view = !tile.view<1x128xf32, strides [128, 1], align 16>

// Every warp holds the row; the first writes it.
// CHECK-LABEL: llvm.func @opgraph_replicated
// CHECK: %[[WARP:.+]] = arith.shrui %{{.+}}, %c5_i32
// CHECK: %[[FIRST:.+]] = arith.cmpi eq, %{{.+}}, %c0_i32
// CHECK: "@$5 st.global.v4.b32 [$0], {$1, $2, $3, $4};", "l,f,f,f,f,b,~{memory}" {{.*}}, %[[FIRST]] :
tile.kernel @opgraph_replicated(%xp: !tile.ptr<f32, align 16>) warps(4)
    targets [sm_90a] {
  %x = tile.view %xp : !tile.ptr<f32, align 16> -> !view
  %c0 = arith.constant 0 : i32
  %v = tile.load %x[%c0, %c0] : !view -> !row
  tile.store %v, %x[%c0, %c0] : !row, !view
}

// -----

#d = #tile.blocked<vector = 16, lanes = [1, 32], warps = [1, 1]>
!bool = !tile.reg<1x512xi1, #d>
!view = !tile.view<1x512xi1, strides [512, 1], align 16>

// Any byte but 0 is true; true is written as 1.
// CHECK-LABEL: llvm.func @opgraph_bool
// CHECK: llvm.load %{{.+}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
// CHECK: %[[BYTE:.+]] = llvm.extractelement %{{.+}}[%c0_i32 : i32] : vector<4xi8>
// CHECK: arith.cmpi ne, %[[BYTE]], %c0_i8 : i8
// CHECK: arith.extui %{{.+}} : i1 to i8
tile.kernel @opgraph_bool(%xp: !tile.ptr<i1, align 16>) warps(1)
    targets [sm_90a] {
  %x = tile.view %xp : !tile.ptr<i1, align 16> -> !view
  %c0 = arith.constant 0 : i32
  %v = tile.load %x[%c0, %c0] : !view -> !bool
  tile.store %v, %x[%c0, %c0] : !bool, !view
}
