// RUN: graph-opt %s --tile-interpret='grid=2 args=x:3x24xbf16:zero,y:3x24xbf16:print,3,24,24' -o /dev/null 2>&1 | FileCheck %s --check-prefix=EQUAL
// RUN: graph-opt %s --tile-interpret='grid=1 args=x:1x2xbf16:iota:offset=0,y:1x2xbf16:print,1,2,8' -o /dev/null 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: not graph-opt %s --tile-interpret='grid=1 args=x:2x24xbf16:seed=3,y:2x24xbf16:print,2,24,32' -o /dev/null 2>&1 | FileCheck %s --check-prefix=BOUNDS
// RUN: graph-opt %s --nvptx-emit="target=sm_90a refuse-spills=true cubin=%t.cubin" -o %t.none

// A row of equal numbers has 1 / n everywhere; n is not a multiple of what a
// thread holds, and one CTA has two rows.
// EQUAL: remark: y = 0.041{{[0-9]+}}
// EQUAL-NOT: error

// 1 / (1 + e) and e / (1 + e).
// TWO: remark: y = 0.269{{[0-9]*}} 0.730

// A stride that is not the buffer's.
// BOUNDS: error: {{.*}}out of bounds: bytes {{[0-9]+}} to {{[0-9]+}} of 'x', which has 96

#d       = #tile.blocked<vector = 8, lanes = [1, 32], warps = [1, 4]>
!in      = !tile.view<?x?xbf16, strides [?:8, 1], align 16, readonly>
!out     = !tile.view<?x?xbf16, strides [?:8, 1], align 16>
!row     = !tile.reg<1x2048xbf16, #d>
!row32   = !tile.reg<1x2048xf32, #d>
!stat    = !tile.reg<1x1xf32, #d>
!scratch = !tile.shared<1x4xf32>

tile.kernel @softmax(
    %xp: !tile.ptr<bf16, align 16, readonly>, %yp: !tile.ptr<bf16, align 16>,
    %m: i32, %n: i32, %ldx: i64) warps(4) targets [sm_80, sm_90a] {
  %x = tile.view %xp sizes [%m, %n] strides [%ldx] : !tile.ptr<bf16, align 16, readonly> -> !in
  %y = tile.view %yp sizes [%m, %n] strides [%ldx] : !tile.ptr<bf16, align 16> -> !out
  %red_max = tile.shared : !scratch
  %red_sum = tile.shared : !scratch
  %c0 = arith.constant 0 : i32
  %log2e = arith.constant 1.44269502 : f32
  %cta = tile.block_id x
  %ctas = tile.grid_size x
  scf.for %r = %cta to %m step %ctas : i32 {
    %v = tile.load %x[%r, %c0] below [%m, %n] fill(neg_inf) : !in -> !row
    %f = tile.map (%a = %v) : (!row) -> !row32 {
      %a32 = arith.extf %a : bf16 to f32
      tile.yield %a32 : f32
    }
    %max = tile.reduce max_nan %f along cols within group through %red_max : !scratch : !row32 -> !stat
    %e = tile.map (%a = %f, %mx = %max) : (!row32, !stat) -> !row32 {
      %d = arith.subf %a, %mx : f32
      %s = arith.mulf %d, %log2e : f32
      %p = math.exp2 %s fastmath<afn> : f32
      tile.yield %p : f32
    }
    %sum = tile.reduce add %e along cols within group through %red_sum : !scratch : !row32 -> !stat
    %o = tile.map (%a = %e, %s = %sum) : (!row32, !stat) -> !row {
      %q = arith.divf %a, %s : f32
      %b = arith.truncf %q : f32 to bf16
      tile.yield %b : bf16
    }
    tile.store %o, %y[%r, %c0] below [%m, %n] : !row, !out
  }
}
