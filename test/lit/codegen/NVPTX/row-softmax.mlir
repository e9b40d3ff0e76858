// The whole way of a row softmax: one read, one write, two barriers a row.
// RUN: graph-opt %s --tile-lower=target=sm_90a | FileCheck %s
// RUN: graph-opt %s --nvptx-emit="target=sm_90a refuse-spills=true ptx=%t.ptx cubin=%t.cubin" -o %t.none
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx
// RUN: graph-opt %s --nvptx-emit="target=sm_80 refuse-spills=true ptx=%t.80.ptx cubin=%t.cubin" -o %t.none
// RUN: FileCheck %s --check-prefix=PTX < %t.80.ptx

// CHECK: llvm.mlir.global external @opgraph_shared() {addr_space = 3 : i32, alignment = 1024 : i64}
// CHECK: llvm.func @opgraph_softmax_bf16_row8192_w8(
// CHECK-SAME: !llvm.ptr<1> {llvm.align = 16 : i64}
// CHECK-SAME: nvvm.kernel, nvvm.reqntid = array<i32: 256>, tile.shared_bytes = 64 : i32
// CHECK: %[[TID:.+]] = nvvm.read.ptx.sreg.tid.x
// CHECK: scf.for
// A tile is one digit of the thread's index: no lane and warp apart.
// CHECK: arith.muli %[[TID]], %c8_i32 : i32
// CHECK: nvvm.barrier
// CHECK: nvvm.barrier
// CHECK-NOT: nvvm.barrier

// PTX: .visible .entry opgraph_softmax_bf16_row8192_w8(
// PTX: .reqntid 256
// PTX-COUNT-4: ld.global.nc.v4.b32
// PTX-COUNT-5: shfl.sync.bfly
// PTX: st.shared
// PTX: bar.sync
// PTX-COUNT-2: ld.shared.v4.b32
// PTX-COUNT-32: ex2.approx.ftz.f32
// PTX-COUNT-5: shfl.sync.bfly
// PTX: bar.sync
// PTX-COUNT-16: cvt.rn.bf16x2.f32

#d       = #tile.blocked<vector = 8, lanes = [1, 32], warps = [1, 8]>
!in      = !tile.view<?x?xbf16, strides [?:8, 1], align 16, readonly>
!out     = !tile.view<?x?xbf16, strides [?:8, 1], align 16>
!row     = !tile.reg<1x8192xbf16, #d>      // cols [reg 4][warp 8][lane 32][reg 8]
!row32   = !tile.reg<1x8192xf32, #d>
!stat    = !tile.reg<1x1xf32, #d>          // on every thread
!scratch = !tile.shared<1x8xf32>           // one word a warp

tile.kernel @opgraph_softmax_bf16_row8192_w8(
    %xp: !tile.ptr<bf16, align 16, readonly>, %yp: !tile.ptr<bf16, align 16>,
    %m: i32, %n: i32, %ldx: i64, %ldy: i64) warps(8) targets [sm_80, sm_86, sm_89, sm_90a, sm_100a, sm_120a] {
  %x = tile.view %xp sizes [%m, %n] strides [%ldx] : !tile.ptr<bf16, align 16, readonly> -> !in
  %y = tile.view %yp sizes [%m, %n] strides [%ldy] : !tile.ptr<bf16, align 16> -> !out
  %red_max = tile.shared : !scratch
  %red_sum = tile.shared : !scratch        // two: a sum's barrier frees red_max, and so on
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
