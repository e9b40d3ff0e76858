// RUN: graph-opt %s --split-input-file --verify-diagnostics
// Rules W3 to W7: what MMAs are in flight.

!a = !tile.shared<64x64xbf16, sw128>
!b = !tile.shared<16x64xbf16, sw128>
!d = !tile.pending<64x16xf32, #tile.acc>
!acc = !tile.reg<64x16xf32, #tile.acc>
!p = !tile.reg<64x64xbf16, #tile.operand<0, bits = 16>>

// What is right: a group in flight across a loop's back edge, the first peeled
// off; two groups, and a wait for the first; register A in flight.
tile.kernel @right(%n: i32) warps(4) targets [sm_90a] {
  %a = tile.shared : !a
  %b = tile.shared : !b
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %one = arith.constant 1.0 : bf16
  tile.mma_fence
  %d0 = tile.mma_async %a, %b : !a, !b -> !d
  %g0 = tile.mma_commit
  %dn, %gn = scf.for %i = %c0 to %n step %c1 iter_args(%d = %d0, %g = %g0) -> (!d, !tile.mma_group) : i32 {
    tile.mma_fence
    %d1 = tile.mma_async %a, %b plus %d : !d : !a, !b -> !d
    %g1 = tile.mma_commit
    tile.mma_wait %g pending(1)
    scf.yield %d1, %g1 : !d, !tile.mma_group
  }
  %r = tile.mma_wait %gn pending(0) retire(%dn : !d)
  %p = tile.splat %one : bf16 -> !p
  tile.mma_fence
  %e = tile.mma_async %p, %b plus %r : !acc : !p, !b -> !d
  %h = tile.mma_commit
  %s = tile.mma_wait %h pending(0) retire(%e : !d)
}

// -----

!a = !tile.shared<64x64xbf16, sw128>
!b = !tile.shared<16x64xbf16, sw128>
!d = !tile.pending<64x16xf32, #tile.acc>

tile.kernel @w3_fence() warps(4) targets [sm_90a] {
  %a = tile.shared : !a
  %b = tile.shared : !b
  // expected-error @below {{expected a tile.mma_fence before the first MMA of a group (W3)}}
  %d = tile.mma_async %a, %b : !a, !b -> !d
  %g = tile.mma_commit
  %r = tile.mma_wait %g pending(0) retire(%d : !d)
}

// -----

!b = !tile.shared<16x64xbf16, sw128>
!d = !tile.pending<64x16xf32, #tile.acc>
!p = !tile.reg<64x64xbf16, #tile.operand<0, bits = 16>>

tile.kernel @w3_operand(%one: bf16) warps(4) targets [sm_90a] {
  %b = tile.shared : !b
  tile.mma_fence
  %p = tile.splat %one : bf16 -> !p
  // expected-error @below {{expected a tile.mma_fence behind what computes its register operands (W3)}}
  %d = tile.mma_async %p, %b : !p, !b -> !d
  %g = tile.mma_commit
  %r = tile.mma_wait %g pending(0) retire(%d : !d)
}

// -----

!a = !tile.shared<64x64xbf16, sw128>
!b = !tile.shared<16x64xbf16, sw128>
!d = !tile.pending<64x16xf32, #tile.acc>

tile.kernel @w3_between() warps(4) targets [sm_90a] {
  %a = tile.shared : !a
  %b = tile.shared : !b
  tile.mma_fence
  %d = tile.mma_async %a, %b : !a, !b -> !d
  // expected-error @below {{stands between an MMA and its tile.mma_commit (W3)}}
  tile.sync
  %g = tile.mma_commit
  %r = tile.mma_wait %g pending(0) retire(%d : !d)
}

// -----

!a = !tile.shared<64x64xbf16, sw128>
!b = !tile.shared<16x64xbf16, sw128>
!d = !tile.pending<64x16xf32, #tile.acc>

tile.kernel @w4_pending() warps(4) targets [sm_90a] {
  %a = tile.shared : !a
  %b = tile.shared : !b
  tile.mma_fence
  %d = tile.mma_async %a, %b : !a, !b -> !d
  %g = tile.mma_commit
  // expected-error @below {{expected pending(0), the groups committed behind it (W4), got 1}}
  %r = tile.mma_wait %g pending(1) retire(%d : !d)
}

// -----

!a = !tile.shared<64x64xbf16, sw128>
!b = !tile.shared<16x64xbf16, sw128>
!d = !tile.pending<64x16xf32, #tile.acc>

tile.kernel @w4_loop(%n: i32) warps(4) targets [sm_90a] {
  %a = tile.shared : !a
  %b = tile.shared : !b
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // expected-error @below {{expected the same groups of MMAs to be open on each path and at both ends of a loop (W4), got 0 slot(s) held and 0 group(s) open and 0 slot(s) held and 1 group(s) open}}
  scf.for %i = %c0 to %n step %c1 : i32 {
    tile.mma_fence
    %d = tile.mma_async %a, %b : !a, !b -> !d
    %g = tile.mma_commit
  }
}

// -----

!a = !tile.shared<64x64xbf16, sw128>
!b = !tile.shared<16x64xbf16, sw128>
!d = !tile.pending<64x16xf32, #tile.acc>

// expected-error @below {{expected every group of MMAs to be waited for (W4), got 0 slot(s) held and 1 group(s) open}}
tile.kernel @w4_end() warps(4) targets [sm_90a] {
  %a = tile.shared : !a
  %b = tile.shared : !b
  tile.mma_fence
  %d = tile.mma_async %a, %b : !a, !b -> !d
  %g = tile.mma_commit
}

// -----

!b = !tile.shared<16x64xbf16, sw128>
!d = !tile.pending<64x16xf32, #tile.acc>
!p = !tile.reg<64x64xbf16, #tile.operand<0, bits = 16>>

// The next iteration's A would be written over the one that is read.
tile.kernel @w6(%n: i32, %one: bf16) warps(4) targets [sm_90a] {
  %b = tile.shared : !b
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %p0 = tile.splat %one : bf16 -> !p
  tile.mma_fence
  %d0 = tile.mma_async %p0, %b : !p, !b -> !d
  %g0 = tile.mma_commit
  %dn, %gn = scf.for %i = %c0 to %n step %c1 iter_args(%d = %d0, %g = %g0) -> (!d, !tile.mma_group) : i32 {
    // expected-error @below {{expected the MMAs that read its result as A to be waited for before it is computed again (W6)}}
    %p = tile.splat %one : bf16 -> !p
    tile.mma_fence
    %d1 = tile.mma_async %p, %b plus %d : !d : !p, !b -> !d
    %g1 = tile.mma_commit
    tile.mma_wait %g pending(1)
    scf.yield %d1, %g1 : !d, !tile.mma_group
  }
  %r = tile.mma_wait %gn pending(0) retire(%dn : !d)
}

// -----

!a = !tile.shared<64x64xbf16, sw128>
!b = !tile.shared<16x64xbf16, sw128>
!d = !tile.pending<64x16xf32, #tile.acc>
!flag = !tile.reg<64x16xi1, #tile.acc>

tile.kernel @w7(%f: i1) warps(4) targets [sm_90a] {
  %a = tile.shared : !a
  %b = tile.shared : !b
  %t = tile.splat %f : i1 -> !flag
  %any = tile.any %t : !flag
  tile.mma_fence
  %d = tile.mma_async %a, %b : !a, !b -> !d
  %g = tile.mma_commit
  // expected-error @below {{expected no MMA in flight where warps part (W7), got 0 slot(s) held and 1 group(s) open}}
  scf.if %any {
  }
  %r = tile.mma_wait %g pending(0) retire(%d : !d)
}
