// RUN: graph-opt %s --split-input-file --verify-diagnostics

// K1
tile.kernel @k1() warps(2) targets [sm_80] {
  // expected-error @below {{expected to stand in a role: before roles there are scalars, views, shared tiles, rings, semaphores and barriers only (K1)}}
  tile.sync
  tile.role @r warps(0) { }
}

// -----

tile.kernel @k1_behind() warps(2) targets [sm_80] {
  tile.role @r warps(0) { }
  // expected-error @below {{expected nothing but roles after a role (K1)}}
  tile.sync
}

// -----

// K2
// expected-error @below {{expected at least one target (K2)}}
tile.kernel @k2() warps(1) targets [] { }

// -----

tile.kernel @k2_feature() warps(4) targets [sm_90a, sm_80] {
  // expected-error @below {{needs wgmma (K2), which sm_80 does not have}}
  tile.mma_fence
}

// -----

// expected-error @below {{expected a cluster of three extents and at most 8 CTAs, and no more than its targets have (K2), got [}}
tile.kernel @k2_cluster() warps(4) targets [sm_90a] cluster [4, 4, 1] { }

// -----

// K3
tile.kernel @k3() warps(2) targets [sm_80] {
  // expected-error @below {{expected warps among the kernel's 2 (K3), got 2 from warp 1}}
  tile.role @r warps(1) of 2 { }
}

// -----

tile.kernel @k3_twice() warps(2) targets [sm_80] {
  tile.role @a warps(0) of 2 { }
  // expected-error @below {{expected warps of its own (K3), got warps 1 to 1, which another role has in part}}
  tile.role @b warps(1) { }
}

// -----

// K4
tile.kernel @k4() warps(8) targets [sm_90a] {
  // expected-error @below {{expected a budget of 24 to 240 registers, a multiple of 8 (K4), got 100}}
  tile.role @a warps(0) of 4 registers(100) { }
}

// -----

tile.kernel @k4_shared() warps(8) targets [sm_90a] {
  tile.role @a warps(0) registers(40) { }
  // expected-error @below {{expected the 40 registers of the other roles of warpgroup 0 (K4), got 48}}
  tile.role @b warps(1) registers(48) { }
}

// -----

// expected-error @below {{expected a register budget for each warpgroup or none (K4), but warpgroup 1 has none}}
tile.kernel @k4_some() warps(8) targets [sm_90a] {
  tile.role @a warps(0) of 4 registers(40) { }
}

// -----

// expected-error @below {{expected budgets of at most 64512 registers in all (K4), got 66560}}
tile.kernel @k4_sum() warps(12) targets [sm_90a] {
  tile.role @a warps(0) of 4 registers(40) { }
  tile.role @b warps(4) agents(2) of 4 registers(240) { }
}

// -----

// K5
tile.kernel @k5() warps(1) targets [sm_90a] {
  tile.role @a warps(0) single {
    // expected-error @below {{needs the threads of a group, but stands in a role of one thread, 'single' (K5)}}
    tile.sync
  }
}

// -----

// K6
tile.kernel @k6() warps(8) targets [sm_90a] {
  tile.role @a warps(2) of 4 {
    // expected-error @below {{expected a group of 4 warps from a multiple of 4 on (K6), got 4 from warp 2}}
    tile.mma_fence
  }
}

// -----

// K7
tile.kernel @k7() warps(2) targets [sm_80] {
  // expected-error @below {{expected a multiple of 32 of at most the 64 threads that arrive at it (K7), got 96}}
  %b = tile.barrier : !tile.barrier<96>
  tile.barrier_sync %b : !tile.barrier<96>
}

// -----

tile.kernel @k7_own() warps(4) targets [sm_80] {
  %b = tile.barrier id(2) : !tile.barrier<64, 2>
  // expected-error @below {{expected barrier ids of its own (K7), got 3 to 3, which another barrier has in part}}
  %c = tile.barrier id(3) : !tile.barrier<64>
}

// -----

tile.kernel @k7_range() warps(4) targets [sm_80] {
  // expected-error @below {{expected barrier ids within 1 to 15 (K7), got 15 to 16}}
  %b = tile.barrier id(15) : !tile.barrier<64, 2>
}

// -----

// expected-error @below {{expected at most 16 hardware barriers, those of the groups included (K7), got 17}}
tile.kernel @k7_many() warps(2) targets [sm_80] {
  %b = tile.barrier : !tile.barrier<64, 16>
  %c0 = arith.constant 0 : i32
  tile.barrier_sync %b[%c0] : !tile.barrier<64, 16>
}

// -----

// K8
#d = #tile.blocked<vector = 1, lanes = [1, 32], warps = [2, 1]>
tile.kernel @k8() warps(2) targets [sm_80] {
  %true = arith.constant true
  %t = tile.splat %true : i1 -> !tile.reg<2x32xi1, #d>
  %any = tile.any %t : !tile.reg<2x32xi1, #d>
  scf.if %any {
    // expected-error @below {{is run by the whole group, but stands under a condition that each warp has for itself (K8)}}
    tile.sync
  }
}

// -----

// K9
// expected-error @below {{expected at most 101376 bytes of shared memory on sm_86, 1024 for the base's alignment included (K9), got 132096}}
tile.kernel @k9() warps(2) targets [sm_86] {
  %s = tile.shared : !tile.shared<128x256xf32>
}
