// RUN: graph-opt %s --tile-interpret='kernel=reduce args=x:4x64xf32:iota,y:4x1xf32:print,z:4x4xf32:print' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REDUCE
// RUN: graph-opt %s --tile-interpret='kernel=columns args=x:8x32xi32:iota,y:1x32xi32:print' -o /dev/null 2>&1 | FileCheck %s --check-prefix=COLUMNS
// RUN: graph-opt %s --tile-interpret='kernel=argmax args=x:2x64xf32:seed=5,i:2x1xi32:print,v:2x1xf32:print' -o /dev/null 2>&1 | FileCheck %s --check-prefix=ARGMAX
// RUN: graph-opt %s --tile-interpret='kernel=convert args=x:16x16xf32:iota,y:16x16xf32:print' -o /dev/null 2>&1 | FileCheck %s --check-prefix=CONVERT
// RUN: graph-opt %s --tile-interpret='kernel=fragments args=x:64x32xbf16:iota,y:64x16xbf16:print' -o /dev/null 2>&1 | FileCheck %s --check-prefix=FRAGMENTS
// RUN: graph-opt %s --tile-interpret='kernel=per_warp args=x:4x32xf32:iota,y:4x32xf32:print' -o /dev/null 2>&1 | FileCheck %s --check-prefix=PERWARP
// RUN: graph-opt %s --nvptx-emit="target=sm_90a refuse-spills=true cubin=%t.cubin" -o %t.none

#row = #tile.blocked<vector = 2, lanes = [1, 32], warps = [4, 1]>
!t = !tile.reg<4x64xf32, #row>
!one = !tile.reg<4x1xf32, #row>
!v = !tile.view<4x64xf32, strides [64, 1], align 8>
!w = !tile.view<4x1xf32, strides [1, 1], align 4>
!b = !tile.view<4x4xf32, strides [4, 1], align 4>
!blocks = !tile.reg<4x4xf32, #tile.partial<#row, cols, warp, block = 16>>

// Sums of whole rows and of runs of 16; the latter broadcast back.
// REDUCE: remark: y = 2016 6112 10208 14304
// REDUCE: remark: z = 15 31 47 63 79 95 111 127 143
tile.kernel @reduce(%xp: !tile.ptr<f32, align 8>, %yp: !tile.ptr<f32, align 4>, %zp: !tile.ptr<f32, align 4>) warps(4) targets [sm_80, sm_90a] {
  %x = tile.view %xp : !tile.ptr<f32, align 8> -> !v
  %y = tile.view %yp : !tile.ptr<f32, align 4> -> !w
  %z = tile.view %zp : !tile.ptr<f32, align 4> -> !b
  %c0 = arith.constant 0 : i32
  %t = tile.load %x[%c0, %c0] : !v -> !t
  %sum = tile.reduce add %t along cols within warp : !t -> !one
  tile.store %sum, %y[%c0, %c0] : !one, !w
  %most = tile.reduce max %t along cols within warp block(16) : !t -> !blocks
  tile.store %most, %z[%c0, %c0] : !blocks, !b
}

#grid = #tile.blocked<vector = 1, lanes = [2, 16], warps = [2, 2]>
!g = !tile.reg<8x32xi32, #grid>
!col = !tile.reg<1x32xi32, #grid>
!gv = !tile.view<8x32xi32, strides [32, 1], align 4>
!cv = !tile.view<1x32xi32, strides [32, 1], align 4>
!words = !tile.shared<32x2xi32>

// Column sums over registers, lanes and two warps.
// COLUMNS: remark: y = 896 904 912
tile.kernel @columns(%xp: !tile.ptr<i32, align 4>, %yp: !tile.ptr<i32, align 4>) warps(4) targets [sm_80, sm_90a] {
  %x = tile.view %xp : !tile.ptr<i32, align 4> -> !gv
  %y = tile.view %yp : !tile.ptr<i32, align 4> -> !cv
  %s = tile.shared : !words
  %c0 = arith.constant 0 : i32
  %t = tile.load %x[%c0, %c0] : !gv -> !g
  %sum = tile.reduce add %t along rows within group through %s : !words : !g -> !col
  tile.store %sum, %y[%c0, %c0] : !col, !cv
}

#flat = #tile.blocked<vector = 1, lanes = [1, 32], warps = [1, 2]>
!f = !tile.reg<2x64xf32, #flat>
!i = !tile.reg<2x64xi32, #flat>
!f1 = !tile.reg<2x1xf32, #flat>
!i1 = !tile.reg<2x1xi32, #flat>
!fv = !tile.view<2x64xf32, strides [64, 1], align 4>
!fo = !tile.view<2x1xf32, strides [1, 1], align 4>
!io = !tile.view<2x1xi32, strides [1, 1], align 4>

// The largest number and its column.
// ARGMAX: remark: i = [[I:[0-9]+]]
// ARGMAX: remark: v = 1.9
tile.kernel @argmax(%xp: !tile.ptr<f32, align 4>, %ip: !tile.ptr<i32, align 4>, %vp: !tile.ptr<f32, align 4>) warps(2) targets [sm_80, sm_90a] {
  %x = tile.view %xp : !tile.ptr<f32, align 4> -> !fv
  %io = tile.view %ip : !tile.ptr<i32, align 4> -> !io
  %fo = tile.view %vp : !tile.ptr<f32, align 4> -> !fo
  %s0 = tile.shared : !tile.shared<2x2xf32>
  %s1 = tile.shared : !tile.shared<2x2xi32>
  %c0 = arith.constant 0 : i32
  %t = tile.load %x[%c0, %c0] : !fv -> !f
  %at = tile.map (%a = %t) : (!f) -> !i {
    %c = tile.coord cols
    tile.yield %c : i32
  }
  %m, %k = tile.reduce_with %t, %at along cols within group through(%s0, %s1 : !tile.shared<2x2xf32>, !tile.shared<2x2xi32>) : !f, !i -> !f1, !i1 {
  ^bb0(%a: f32, %i: i32, %b: f32, %j: i32):
    %less = arith.cmpf olt, %a, %b : f32
    %v = arith.select %less, %b, %a : f32
    %n = arith.select %less, %j, %i : i32
    tile.yield %v, %n : f32, i32
  }
  tile.store %k, %io[%c0, %c0] : !i1, !io
  tile.store %m, %fo[%c0, %c0] : !f1, !fo
}

#from = #tile.blocked<vector = 4, lanes = [8, 4], warps = [2, 1]>
#to = #tile.blocked<vector = 1, lanes = [2, 16], warps = [1, 1]>
!cf = !tile.reg<16x16xf32, #from>
!sq = !tile.view<16x16xf32, strides [16, 1], align 16>
!acc = !tile.reg<16x16xf32, #tile.acc<warps = [1, 1]>>
!cs = !tile.shared<16x16xf32, pad 16>

// Through shared memory and back; the transposed read gives columns.
// CONVERT: remark: y = 0 16 32 48 64
tile.kernel @convert(%xp: !tile.ptr<f32, align 16>, %yp: !tile.ptr<f32, align 16>) warps(2) targets [sm_80, sm_90a] {
  %x = tile.view %xp : !tile.ptr<f32, align 16> -> !sq
  %y = tile.view %yp : !tile.ptr<f32, align 16> -> !sq
  %s = tile.shared : !cs
  %s2 = tile.shared : !cs
  %c0 = arith.constant 0 : i32
  %t = tile.load %x[%c0, %c0] : !sq -> !cf
  %u = tile.convert %t through %s : !cs : !cf -> !tile.reg<16x16xf32, #tile.blocked<vector = 1, lanes = [2, 16], warps = [2, 1]>>
  tile.store_shared %u, %s2 via plain : !tile.reg<16x16xf32, #tile.blocked<vector = 1, lanes = [2, 16], warps = [2, 1]>>, !cs
  tile.sync
  %z = tile.load_shared %s2 via plain transposed : !cs -> !cf
  tile.store %z, %y[%c0, %c0] : !cf, !sq
}

!wide = !tile.reg<64x32xbf16, #tile.acc>
!part = !tile.reg<64x16xbf16, #tile.acc>
!opnd = !tile.reg<64x16xbf16, #tile.operand<0, bits = 16>>
!xv = !tile.view<64x32xbf16, strides [32, 1], align 16>
!yv = !tile.view<64x16xbf16, strides [16, 1], align 16>

// Columns 16 to 31 of an accumulator are, thread by thread, an operand A.
// FRAGMENTS: remark: y = 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 48 49
tile.kernel @fragments(%xp: !tile.ptr<bf16, align 16>, %yp: !tile.ptr<bf16, align 16>) warps(4) targets [sm_90a] {
  %x = tile.view %xp : !tile.ptr<bf16, align 16> -> !xv
  %y = tile.view %yp : !tile.ptr<bf16, align 16> -> !yv
  %c0 = arith.constant 0 : i32
  %t = tile.load %x[%c0, %c0] : !xv -> !wide
  %p = tile.extract %t[0, 16] : !wide -> !part
  %a = tile.relabel %p : !part -> !opnd
  tile.store %a, %y[%c0, %c0] : !opnd, !yv
}

#warps = #tile.blocked<vector = 1, lanes = [1, 32], warps = [4, 1]>
!r = !tile.reg<4x32xf32, #warps>
!rb = !tile.reg<4x32xi1, #warps>
!rv = !tile.view<4x32xf32, strides [32, 1], align 4>

// Warps whose row has a number above 70 (rows 2 and 3) take the branch.
// PERWARP: remark: y = 0 1 2
// PERWARP-SAME: 62 63 -64 -65
tile.kernel @per_warp(%xp: !tile.ptr<f32, align 4>, %yp: !tile.ptr<f32, align 4>) warps(4) targets [sm_80, sm_90a] {
  %x = tile.view %xp : !tile.ptr<f32, align 4> -> !rv
  %y = tile.view %yp : !tile.ptr<f32, align 4> -> !rv
  %c0 = arith.constant 0 : i32
  %limit = arith.constant 7.000000e+01 : f32
  %t = tile.load %x[%c0, %c0] : !rv -> !r
  %big = tile.map (%a = %t) : (!r) -> !rb {
    %g = arith.cmpf ogt, %a, %limit : f32
    tile.yield %g : i1
  }
  %any = tile.any %big : !rb
  %u = scf.if %any -> (!r) {
    %n = tile.map (%a = %t) : (!r) -> !r {
      %m = arith.negf %a : f32
      tile.yield %m : f32
    }
    scf.yield %n : !r
  } else {
    scf.yield %t : !r
  }
  tile.store %u, %y[%c0, %c0] : !r, !rv
}
