// What bench.py holds kernels with small results against: a kernel that reads rows
// of 32 KB and keeps one sum a block. Compiled by `tools/dev bundle`.
#d    = #tile.blocked<vector = 4, lanes = [1, 32], warps = [1, 16]>
!in   = !tile.view<?x?xf32, strides [?:4, 1], align 16, readonly>
!out  = !tile.view<?x?xf32, strides [?, 1], align 4>
!row  = !tile.reg<1x8192xf32, #d>
!sum  = !tile.reg<1x1xf32, #d>
!warp = !tile.shared<1x16xf32>

tile.kernel @opgraph_read_f32_row8192_w16(
    %xp: !tile.ptr<f32, align 16, readonly>, %yp: !tile.ptr<f32, align 4>,
    %m: i32) warps(16) targets [sm_80, sm_86, sm_89, sm_90a, sm_100a, sm_120a] {
  %c0 = arith.constant 0 : i32
  %n = arith.constant 8192 : i32
  %one = arith.constant 1 : i32
  %ldx = arith.constant 8192 : i64
  %ldy = arith.constant 1 : i64
  %cta = tile.block_id x
  %ctas = tile.grid_size x
  %x = tile.view %xp sizes [%m, %n] strides [%ldx] : !tile.ptr<f32, align 16, readonly> -> !in
  %y = tile.view %yp sizes [%ctas, %one] strides [%ldy] : !tile.ptr<f32, align 4> -> !out
  %scratch = tile.shared : !warp
  %zero = arith.constant 0.0 : f32
  %start = tile.splat %zero : f32 -> !row
  %step = arith.muli %ctas, %one : i32
  %total = scf.for %r = %cta to %m step %step iter_args(%acc = %start) -> (!row) : i32 {
    %v = tile.load %x[%r, %c0] below [%m, %n] fill(zero) : !in -> !row
    %next = tile.map (%a = %acc, %b = %v) : (!row, !row) -> !row {
      %s = arith.addf %a, %b : f32
      tile.yield %s : f32
    }
    scf.yield %next : !row
  }
  %sum = tile.reduce add %total along cols within group through %scratch : !warp : !row -> !sum
  tile.store %sum, %y[%cta, %c0] below [%ctas, %one] : !sum, !out
}
