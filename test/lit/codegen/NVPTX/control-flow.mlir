// Register tiles in loops and branches are lists of scalars.
// RUN: graph-opt %s --split-input-file --tile-lower=target=sm_90a | FileCheck %s

#d = #tile.blocked<vector = 2, lanes = [1, 32], warps = [1, 1]>
!tile = !tile.reg<1x64xf32, #d>
!bool = !tile.reg<1x64xi1, #d>

// CHECK-LABEL: llvm.func @opgraph_loops
// CHECK: %[[LOOP:.+]]:2 = scf.for unsigned %{{.+}} = %{{.+}} to %arg0 step %{{.+}} iter_args(%[[A:.+]] = %{{.+}}, %[[B:.+]] = %{{.+}}) -> (f32, f32)
// CHECK: %[[C:.+]] = arith.addf %[[A]], %[[A]]
// CHECK: %[[D:.+]] = arith.addf %[[B]], %[[B]]
// CHECK: scf.yield %[[C]], %[[D]] : f32, f32
// CHECK: %[[ANY:.+]] = arith.ori
// CHECK: %[[VOTE:.+]] = nvvm.vote.sync any %{{.+}}, %[[ANY]] -> i1
// CHECK: %[[IF:.+]]:2 = scf.if %[[VOTE]] -> (f32, f32)
// CHECK: scf.while (%{{.+}} = %[[IF]]#0, %{{.+}} = %[[IF]]#1, %{{.+}} = %{{.+}}) : (f32, f32, i32) -> (f32, f32, i32)
// CHECK: scf.condition
tile.kernel @opgraph_loops(%n: i32) warps(1) targets [sm_90a] {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %t = tile.splat %zero : f32 -> !tile
  %u = scf.for unsigned %i = %c0 to %n step %c1 iter_args(%a = %t) -> (!tile) : i32 {
    %b = tile.map (%x = %a) : (!tile) -> !tile {
      %y = arith.addf %x, %x : f32
      tile.yield %y : f32
    }
    scf.yield %b : !tile
  }
  %big = tile.map (%x = %u) : (!tile) -> !bool {
    %y = arith.cmpf ogt, %x, %zero : f32
    tile.yield %y : i1
  }
  %any = tile.any %big : !bool
  %v = scf.if %any -> (!tile) {
    scf.yield %u : !tile
  } else {
    scf.yield %t : !tile
  }
  %w:2 = scf.while (%a = %v, %k = %c0) : (!tile, i32) -> (!tile, i32) {
    %go = arith.cmpi slt, %k, %n : i32
    scf.condition(%go) %a, %k : !tile, i32
  } do {
  ^bb0(%a: !tile, %k: i32):
    %k1 = arith.addi %k, %c1 : i32
    scf.yield %a, %k1 : !tile, i32
  }
}

// -----

// CHECK-LABEL: llvm.func @opgraph_raster
// CHECK: arith.minui
// CHECK: scf.for
tile.kernel @opgraph_raster(%rows: i32, %cols: i32) warps(1) targets [sm_90a] {
  %cta = tile.block_id x
  %ctas = tile.grid_size x
  %r, %c = tile.raster %cta of (%rows, %cols) group(8)
  scf.for %t = %r to %c step %ctas : i32 {
  }
}
