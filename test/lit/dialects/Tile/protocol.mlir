// RUN: graph-opt %s --split-input-file --verify-diagnostics
// Rules P1 to P5 and A6 to A8: who fills, frees and awaits what.

!s = !tile.shared<4x32xf32>
!ring = !tile.ring<2, !s>
#d = #tile.blocked<vector = 1, lanes = [1, 32], warps = [1, 1]>
!t = !tile.reg<4x32xf32, #d>

// What is right.
tile.kernel @right() warps(3) targets [sm_90a] {
  %ring = tile.ring filled_by(arrivals) freed_by(2) : !ring
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  tile.role @producer warps(0) {
    %t = tile.splat %zero : f32 -> !t
    scf.for %i = %c0 to %c1 step %c1 : i32 {
      %slot, %s = tile.acquire %ring : !ring
      tile.store_shared %t, %s via plain : !t, !s
      tile.sync
      tile.fill %slot : !tile.slot
    }
  }
  tile.role @consumer warps(1) agents(2) {
    %slot0, %s0 = tile.wait %ring : !ring
    %slot = scf.for %i = %c0 to %c1 step %c1 iter_args(%before = %slot0) -> (!tile.slot) : i32 {
      %slot1, %s1 = tile.wait %ring : !ring
      %u = tile.load_shared %s1 via plain : !s -> !t
      tile.release %before by each_warp
      scf.yield %slot1 : !tile.slot
    }
    tile.release %slot by each_warp
  }
}

// -----

!ring = !tile.ring<2, !tile.shared<4x32xf32>>

tile.kernel @p1_producers() warps(2) targets [sm_90a] {
  // expected-error @below {{expected one role that acquires its slots (P1), got 0}}
  %ring = tile.ring filled_by(arrivals) freed_by(1) : !ring
  tile.role @consumer warps(1) {
    %slot, %s = tile.wait %ring : !ring
    tile.release %slot order relaxed
  }
}

// -----

!ring = !tile.ring<2, !tile.shared<4x32xf32>>

tile.kernel @p1_consumers() warps(2) targets [sm_90a] {
  // expected-error @below {{expected a role that waits for its slots (P1), got none}}
  %ring = tile.ring filled_by(arrivals) freed_by(1) : !ring
  tile.role @producer warps(1) {
    %slot, %s = tile.acquire %ring : !ring
    tile.fill %slot : !tile.slot
  }
}

// -----

!ring = !tile.ring<2, !tile.shared<4x32xf32>>

tile.kernel @p1_frees() warps(3) targets [sm_90a] {
  // expected-error @below {{expected freed_by(2), the arrivals of all releases (P1), got 1}}
  %ring = tile.ring filled_by(arrivals) freed_by(1) : !ring
  tile.role @producer warps(0) {
    %slot, %s = tile.acquire %ring : !ring
    tile.fill %slot : !tile.slot
  }
  tile.role @consumer warps(1) agents(2) {
    %slot, %s = tile.wait %ring : !ring
    tile.release %slot order relaxed
  }
}

// -----

!ring = !tile.ring<2, !tile.shared<4x32xf32>>

tile.kernel @p1_fills() warps(2) targets [sm_90a] {
  // expected-error @below {{expected 32 arrivals that fill a slot (P1), got 1}}
  %ring = tile.ring filled_by(copies) freed_by(1) : !ring
  tile.role @producer warps(0) {
    %slot, %s = tile.acquire %ring : !ring
    tile.fill %slot : !tile.slot
  }
  tile.role @consumer warps(1) {
    %slot, %s = tile.wait %ring : !ring
    tile.release %slot order relaxed
  }
}

// -----

tile.kernel @p1_semaphore() warps(1) targets [sm_90a] {
  // expected-error @below {{is awaited, but nobody arrives at it (P1): expected a tile.fill}}
  %m = tile.semaphore : !tile.semaphore<1>
  tile.await %m : !tile.semaphore<1>
}

// -----

!ring = !tile.ring<2, !tile.shared<4x32xf32>>

tile.kernel @p2_unfilled() warps(2) targets [sm_90a] {
  %ring = tile.ring filled_by(arrivals) freed_by(1) : !ring
  tile.role @producer warps(0) {
    %slot0, %s0 = tile.acquire %ring : !ring
    tile.fill %slot0 : !tile.slot
    // expected-error @below {{expected its slot to be filled before the role ends (P2)}}
    %slot, %s = tile.acquire %ring : !ring
  }
  tile.role @consumer warps(1) {
    %slot, %s = tile.wait %ring : !ring
    tile.release %slot order relaxed
  }
}

// -----

!ring = !tile.ring<2, !tile.shared<4x32xf32>>

tile.kernel @p2_twice() warps(2) targets [sm_90a] {
  %ring = tile.ring filled_by(arrivals) freed_by(1) : !ring
  tile.role @producer warps(0) {
    %slot, %s = tile.acquire %ring : !ring
    tile.fill %slot : !tile.slot
  }
  tile.role @consumer warps(1) {
    %slot, %s = tile.wait %ring : !ring
    tile.release %slot order relaxed
    // expected-error @below {{expected a slot that is waited for and not yet released (P2)}}
    tile.release %slot order relaxed
  }
}

// -----

!ring = !tile.ring<2, !tile.shared<4x32xf32>>

tile.kernel @p2_one_path(%go: i1) warps(2) targets [sm_90a] {
  %ring = tile.ring filled_by(arrivals) freed_by(1) : !ring
  tile.role @producer warps(0) {
    %slot, %s = tile.acquire %ring : !ring
    tile.fill %slot : !tile.slot
  }
  tile.role @consumer warps(1) {
    %slot, %s = tile.wait %ring : !ring
    // expected-error @below {{expected the same slots to be held on each path and at both ends of a loop (P2), got 0 slot(s) held and 0 group(s) open and 1 slot(s) held and 0 group(s) open}}
    scf.if %go {
      tile.release %slot order relaxed
    }
  }
}

// -----

!ring = !tile.ring<2, !tile.shared<4x32xf32>>

tile.kernel @p2_loop(%n: i32) warps(2) targets [sm_90a] {
  %ring = tile.ring filled_by(arrivals) freed_by(1) : !ring
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  tile.role @producer warps(0) {
    %slot, %s = tile.acquire %ring : !ring
    tile.fill %slot : !tile.slot
  }
  tile.role @consumer warps(1) {
    %slot, %s = tile.wait %ring : !ring
    // expected-error @below {{expected the same slots to be held on each path and at both ends of a loop (P2), got 1 slot(s) held and 0 group(s) open and 0 slot(s) held and 0 group(s) open}}
    scf.for %i = %c0 to %n step %c1 : i32 {
      tile.release %slot order relaxed
    }
  }
}

// -----

!s = !tile.shared<64x64xbf16, sw128>
!ring = !tile.ring<2, !s>
!map = !tile.tensor_map<64x64xbf16, sw128>

tile.kernel @p3(%X: !map) warps(2) targets [sm_90a] {
  %ring = tile.ring filled_by(bytes) freed_by(1) : !ring
  %c0 = arith.constant 0 : i32
  tile.role @producer warps(0) single {
    %slot, %s = tile.acquire %ring : !ring
    // expected-error @below {{expected the 8192 bytes that copies on this slot deliver (P3), got 4096}}
    tile.fill %slot bytes(4096) : !tile.slot
    tile.tensor_load %X[%c0, %c0] to %s on %slot : !map, !s, !tile.slot
  }
  tile.role @consumer warps(1) {
    %slot, %s = tile.wait %ring : !ring
    tile.release %slot order relaxed
  }
}

// -----

!s = !tile.shared<4x32xf32>
!ring = !tile.ring<2, !s>
#d = #tile.blocked<vector = 1, lanes = [1, 32], warps = [1, 1]>
!t = !tile.reg<4x32xf32, #d>

tile.kernel @p4_relaxed() warps(2) targets [sm_90a] {
  %ring = tile.ring filled_by(arrivals) freed_by(1) : !ring
  tile.role @producer warps(0) {
    %slot, %s = tile.acquire %ring : !ring
    tile.fill %slot : !tile.slot
  }
  tile.role @consumer warps(1) {
    %slot, %s = tile.wait %ring : !ring
    %t = tile.load_shared %s via plain : !s -> !t
    // expected-error @below {{expected order release: fields of the slot have been accessed by threads (P4), got relaxed}}
    tile.release %slot by each_warp order relaxed
  }
}

// -----

!s = !tile.shared<4x32xf32>
!ring = !tile.ring<2, !s>
#d = #tile.blocked<vector = 1, lanes = [1, 32], warps = [1, 1]>
!t = !tile.reg<4x32xf32, #d>

tile.kernel @p4_one() warps(2) targets [sm_90a] {
  %ring = tile.ring filled_by(arrivals) freed_by(1) : !ring
  tile.role @producer warps(0) {
    %slot, %s = tile.acquire %ring : !ring
    tile.fill %slot : !tile.slot
  }
  tile.role @consumer warps(1) {
    %slot, %s = tile.wait %ring : !ring
    %t = tile.load_shared %s via plain : !s -> !t
    // expected-error @below {{expected a tile.sync before it, or 'by each_warp': all threads have accessed the slot (P4), got 'by one'}}
    tile.release %slot
  }
}

// -----

!ring = !tile.ring<2, !tile.shared<4x32xf32>>

tile.kernel @p5() warps(2) targets [sm_90a] cluster [2, 1, 1] {
  %ring = tile.ring filled_by(arrivals) freed_by(2) scope cluster : !ring
  tile.role @producer warps(0) {
    // expected-error @below {{expected a tile.drain of the ring at the end of its producer, whose slots other CTAs of the cluster give back (P5)}}
    %slot, %s = tile.acquire %ring : !ring
    tile.fill %slot : !tile.slot
  }
  tile.role @consumer warps(1) {
    %slot, %s = tile.wait %ring : !ring
    tile.release %slot order relaxed
  }
}

// -----

#d = #tile.blocked<vector = 8, lanes = [4, 8], warps = [4, 1]>
!t = !tile.reg<64x64xbf16, #d>
!s = !tile.shared<64x64xbf16, sw128>
!map = !tile.tensor_map<64x64xbf16, sw128>

tile.kernel @a7(%X: !map, %v: bf16) warps(4) targets [sm_90a] {
  %s = tile.shared : !s
  %c0 = arith.constant 0 : i32
  %t = tile.splat %v : bf16 -> !t
  // expected-note @below {{written here}}
  tile.store_shared %t, %s via plain : !t, !s
  tile.sync
  tile.fence_proxy async_shared
  // expected-error @below {{expected tile.fence_proxy and then tile.sync behind the write of its tile (A7)}}
  tile.tensor_store %s, %X[%c0, %c0] : !s, !map
  tile.bulk_commit
  tile.bulk_wait pending(0)
}

// -----

!s = !tile.shared<64x64xbf16, sw128>
!map = !tile.tensor_map<64x64xbf16, sw128>

tile.kernel @a8_commit(%X: !map) warps(4) targets [sm_90a] {
  %s = tile.shared : !s
  %c0 = arith.constant 0 : i32
  // expected-error @below {{expected a tile.bulk_commit behind it (A8)}}
  tile.tensor_store %s, %X[%c0, %c0] : !s, !map
  tile.bulk_wait pending(0)
}

// -----

!s = !tile.shared<64x64xbf16, sw128>
!map = !tile.tensor_map<64x64xbf16, sw128>

tile.kernel @a8_wait(%X: !map) warps(4) targets [sm_90a] {
  %s = tile.shared : !s
  %c0 = arith.constant 0 : i32
  // expected-error @below {{expected a tile.bulk_wait pending(0) behind it before the role ends (A8)}}
  tile.tensor_store %s, %X[%c0, %c0] : !s, !map
  tile.bulk_commit
  tile.bulk_wait pending(1)
}

// -----

!s = !tile.shared<64x64xbf16, sw128>
!map = !tile.tensor_map<64x64xbf16, sw128>

tile.kernel @a6(%X: !map, %i: i32, %mask: i16) warps(1) targets [sm_90a] cluster [2, 1, 1] {
  %s = tile.shared : !s
  %m = tile.semaphore : !tile.semaphore<1>
  tile.fill %m bytes(8192) : !tile.semaphore<1>
  // expected-error @below {{expected a slot of a ring of scope cluster for a copy to several CTAs (A6)}}
  tile.tensor_load %X[%i, %i] to %s on %m multicast %mask : !map, !s, !tile.semaphore<1>
}
