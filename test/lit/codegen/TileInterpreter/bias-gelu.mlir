// RUN: graph-opt %s --tile-interpret='grid=3 args=x:40x264xbf16:zero,b:264xf32:zero,y:40x264xbf16:print,40,264,264,264,2,2' -o /dev/null 2>&1 | FileCheck %s
// RUN: graph-opt %s --nvptx-emit="target=sm_90a refuse-spills=true cubin=%t.cubin" -o %t.none

// CHECK: remark: y = 0 0 0
// CHECK-NOT: error

#d    = #tile.blocked<vector = 8, lanes = [1, 32], warps = [8, 1]>
!in   = !tile.view<?x?xbf16, strides [?:8, 1], align 16, readonly>
!out  = !tile.view<?x?xbf16, strides [?:8, 1], align 16>
!bias = !tile.view<1x?xf32, strides [0, 1], align 16, readonly>
!tb   = !tile.reg<32x256xbf16, #d>   // rows [reg 4][warp 8], cols [lane 32][reg 8]
!tv   = !tile.reg<1x256xf32, #d>     // a row vector: replicated over the warps

tile.kernel @opgraph_pointwise_bf16_32x256_v8(
    %xp: !tile.ptr<bf16, align 16, readonly>, %bp: !tile.ptr<f32, align 16, readonly>,
    %yp: !tile.ptr<bf16, align 16>, %m: i32, %n: i32, %ldx: i64, %ldy: i64,
    %row_tiles: i32, %col_tiles: i32) warps(8) targets [sm_80, sm_90a] {
  %x = tile.view %xp sizes [%m, %n] strides [%ldx] : !tile.ptr<bf16, align 16, readonly> -> !in
  %b = tile.view %bp sizes [%n] : !tile.ptr<f32, align 16, readonly> -> !bias
  %y = tile.view %yp sizes [%m, %n] strides [%ldy] : !tile.ptr<bf16, align 16> -> !out
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c256 = arith.constant 256 : i32
  %half = arith.constant 5.000000e-01 : f32
  %one = arith.constant 1.000000e+00 : f32
  %rsqrt2 = arith.constant 0.707106769 : f32
  %cta = tile.block_id x
  %ctas = tile.grid_size x
  %tiles = arith.muli %row_tiles, %col_tiles : i32
  scf.for %t = %cta to %tiles step %ctas : i32 {
    %rt, %ct = tile.raster %t of (%row_tiles, %col_tiles) group(16)
    %r = arith.muli %rt, %c32 : i32
    %c = arith.muli %ct, %c256 : i32
    %v = tile.load %x[%r, %c] below [%m, %n] fill(zero) : !in -> !tb
    %w = tile.load %b[%c0, %c] below [%c1, %n] fill(zero) : !bias -> !tv
    %o = tile.map (%a = %v, %bb = %w) : (!tb, !tv) -> !tb {
      %a32 = arith.extf %a : bf16 to f32
      %s = arith.addf %a32, %bb : f32
      %h = arith.mulf %s, %rsqrt2 : f32
      %e = math.erf %h : f32
      %e1 = arith.addf %e, %one : f32
      %hs = arith.mulf %s, %half : f32
      %g = arith.mulf %hs, %e1 : f32
      %gb = arith.truncf %g : f32 to bf16
      tile.yield %gb : bf16
    }
    tile.store %o, %y[%r, %c] below [%m, %n] : !tb, !out
  }
}
