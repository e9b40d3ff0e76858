// Element by element: broadcasts, coordinates, pairs.
// RUN: graph-opt %s --split-input-file --tile-lower=target=sm_90a | FileCheck %s

#d = #tile.blocked<vector = 2, lanes = [1, 32], warps = [2, 1]>
!tile = !tile.reg<4x64xf16, #d>
!stat = !tile.reg<4x1xf16, #d>
!view = !tile.view<4x64xf16, strides [64, 1], align 16>
!col = !tile.view<4x1xf16, strides [1, 1], align 2>

// 16-bit arithmetic is done on pairs; the pair is the word that was loaded.
// CHECK-LABEL: llvm.func @opgraph_pairs
// CHECK: %[[WORD:.+]] = llvm.load %{{.+}} : !llvm.ptr<1> -> i32
// CHECK: %[[PAIR:.+]] = llvm.bitcast %[[WORD]] : i32 to vector<2xf16>
// CHECK: %[[STAT:.+]] = llvm.load %{{.+}} : !llvm.ptr<1> -> i16
// CHECK: %[[ONE:.+]] = arith.bitcast %[[STAT]] : i16 to f16
// CHECK: %[[LOW:.+]] = llvm.insertelement %[[ONE]]
// CHECK: %[[BOTH:.+]] = llvm.insertelement %[[ONE]], %[[LOW]]
// CHECK: %[[PRODUCT:.+]] = arith.mulf %[[PAIR]], %[[BOTH]] : vector<2xf16>
// CHECK: llvm.bitcast %[[PRODUCT]] : vector<2xf16> to i32
tile.kernel @opgraph_pairs(%xp: !tile.ptr<f16, align 16>,
    %sp: !tile.ptr<f16, align 16>) warps(2) targets [sm_90a] {
  %x = tile.view %xp : !tile.ptr<f16, align 16> -> !view
  %s = tile.view %sp : !tile.ptr<f16, align 16> -> !col
  %c0 = arith.constant 0 : i32
  %v = tile.load %x[%c0, %c0] : !view -> !tile
  %w = tile.load %s[%c0, %c0] : !col -> !stat
  %o = tile.map (%a = %v, %b = %w) : (!tile, !stat) -> !tile {
    %p = arith.mulf %a, %b : f16
    tile.yield %p : f16
  }
  tile.store %o, %x[%c0, %c0] : !tile, !view
}

// -----

#d = #tile.blocked<vector = 2, lanes = [1, 32], warps = [2, 1]>
!tile = !tile.reg<4x64xi32, #d>
!view = !tile.view<4x64xi32, strides [64, 1], align 16>

// Registers are (row, column) = (warp, 2 lane), (warp, 2 lane + 1), then two
// rows further.
// CHECK-LABEL: llvm.func @opgraph_coordinates
// CHECK: %[[COL:.+]] = arith.muli %{{.+}}, %c2_i32
// CHECK: %[[NEXT:.+]] = arith.addi %[[COL]], %c1_i32
// CHECK: %[[SCALED:.+]] = arith.muli %[[ROW:.+]], %arg1
// CHECK: arith.addi %[[SCALED]], %[[COL]]
// CHECK: arith.addi %[[SCALED]], %[[NEXT]]
// CHECK: arith.addi %[[ROW]], %c2_i32
tile.kernel @opgraph_coordinates(%yp: !tile.ptr<i32, align 16>, %scale: i32)
    warps(2) targets [sm_90a] {
  %y = tile.view %yp : !tile.ptr<i32, align 16> -> !view
  %c0 = arith.constant 0 : i32
  %z = tile.splat %c0 : i32 -> !tile
  %o = tile.map (%a = %z) : (!tile) -> !tile {
    %r = tile.coord rows
    %c = tile.coord cols
    %p = arith.muli %r, %scale : i32
    %q = arith.addi %p, %c : i32
    tile.yield %q : i32
  }
  tile.store %o, %y[%c0, %c0] : !tile, !view
}

// -----

#d = #tile.blocked<vector = 2, lanes = [1, 32], warps = [1, 1]>
!f = !tile.reg<1x64xf32, #d>
!i = !tile.reg<1x64xi32, #d>
!view = !tile.view<1x64xf32, strides [64, 1], align 16>
!viewi = !tile.view<1x64xi32, strides [64, 1], align 16>

// A float that no integer holds saturates; NaN is 0.
// CHECK-LABEL: llvm.func @opgraph_saturate
// CHECK: llvm.call_intrinsic "llvm.fptosi.sat"(%{{.+}}) : (f32) -> i32
tile.kernel @opgraph_saturate(%xp: !tile.ptr<f32, align 16>,
    %yp: !tile.ptr<i32, align 16>) warps(1) targets [sm_90a] {
  %x = tile.view %xp : !tile.ptr<f32, align 16> -> !view
  %y = tile.view %yp : !tile.ptr<i32, align 16> -> !viewi
  %c0 = arith.constant 0 : i32
  %v = tile.load %x[%c0, %c0] : !view -> !f
  %o = tile.map (%a = %v) : (!f) -> !i {
    %p = arith.fptosi %a : f32 to i32
    tile.yield %p : i32
  }
  tile.store %o, %y[%c0, %c0] : !i, !viewi
}

// -----

#d = #tile.blocked<vector = 4, lanes = [1, 32], warps = [1, 1]>
!tile = !tile.reg<1x128xi32, #d>
!view = !tile.view<1x128xi32, strides [128, 1], align 16>

// What four neighbours have in common is computed once: the quotient of their
// columns is the thread's, and what comes of it one value; the rest is known.
// CHECK-LABEL: llvm.func @opgraph_quads
// CHECK: %[[FIRST:.+]] = arith.muli
// CHECK: %[[QUAD:.+]] = arith.shrui %[[FIRST]]
// CHECK-NOT: arith.shrui
// CHECK: %[[PRODUCT:.+]] = arith.muli %[[QUAD]], %{{.+}} : i32
// CHECK-COUNT-4: arith.addi %[[PRODUCT]], %{{.+}} : i32
// CHECK-NOT: arith.andi
tile.kernel @opgraph_quads(%yp: !tile.ptr<i32, align 16>) warps(1)
    targets [sm_90a] {
  %y = tile.view %yp : !tile.ptr<i32, align 16> -> !view
  %c0 = arith.constant 0 : i32
  %o = tile.map () : () -> !tile {
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %c7 = arith.constant 7 : i32
    %at = tile.coord cols
    %quad = arith.shrui %at, %c2 : i32
    %word = arith.andi %at, %c3 : i32
    %product = arith.muli %quad, %c7 : i32
    %sum = arith.addi %product, %word : i32
    tile.yield %sum : i32
  }
  tile.store %o, %y[%c0, %c0] : !tile, !view
}

// -----

#d = #tile.blocked<vector = 2, lanes = [1, 32], warps = [1, 1]>
!tile = !tile.reg<1x64xf32, #d>
!view = !tile.view<1x64xf32, strides [64, 1], align 16>

// Angles of several registers are taken for small ones; if one is not, all are
// computed again.
// CHECK-LABEL: llvm.func @opgraph_sines
// CHECK: %[[FIRST:.+]] = arith.cmpf ogt
// CHECK-NOT: scf.if
// CHECK: %[[SECOND:.+]] = arith.cmpf ogt
// CHECK-NOT: scf.if
// CHECK: %[[ANY:.+]] = arith.ori %[[FIRST]], %[[SECOND]] : i1
// CHECK-NEXT: scf.if %[[ANY]] -> (f32, f32)
// CHECK-COUNT-2: scf.if %{{.+}} -> (i32, f32)
tile.kernel @opgraph_sines(%xp: !tile.ptr<f32, align 16>) warps(1)
    targets [sm_90a] {
  %x = tile.view %xp : !tile.ptr<f32, align 16> -> !view
  %c0 = arith.constant 0 : i32
  %v = tile.load %x[%c0, %c0] : !view -> !tile
  %o = tile.map (%a = %v) : (!tile) -> !tile {
    %p = math.sin %a : f32
    tile.yield %p : f32
  }
  tile.store %o, %x[%c0, %c0] : !tile, !view
}
