// Decisions that lowering reads: bytes of shared memory, ids of barriers.
// RUN: graph-opt %s --split-input-file --tile-assign-shared --tile-assign-barriers --verify-diagnostics | FileCheck %s

// The strictest boundary first; a swizzled tile's base needs rounding up.
// CHECK-LABEL: tile.kernel @opgraph_shared
// CHECK-SAME: shared_bytes(9264)
// CHECK: tile.shared offset(8192) : <1x8xf32>
// CHECK: tile.shared offset(0) : <64x64xbf16, sw128>
// CHECK: tile.shared offset(8224) : <1x8xf32>
tile.kernel @opgraph_shared() warps(1) targets [sm_90a] {
  %a = tile.shared : !tile.shared<1x8xf32>
  %b = tile.shared : !tile.shared<64x64xbf16, sw128>
  %c = tile.shared : !tile.shared<1x8xf32>
}

// -----

// An overlay starts where the first of its tiles does, and they follow it.
// CHECK-LABEL: tile.kernel @opgraph_overlay
// CHECK: tile.shared offset(0) : <16x16xf32>
// CHECK: tile.shared offset(2048) : <16x16xf32>
// CHECK: tile.shared offset(1024) : <16x16xf32>
// CHECK: tile.shared overlay(%{{.+}}, %{{.+}} : {{.*}}) offset(0) : <32x16xf32>
tile.kernel @opgraph_overlay() warps(1) targets [sm_90a] {
  %a = tile.shared : !tile.shared<16x16xf32>
  %b = tile.shared : !tile.shared<16x16xf32>
  %c = tile.shared : !tile.shared<16x16xf32>
  %o = tile.shared overlay(%a, %c : !tile.shared<16x16xf32>, !tile.shared<16x16xf32>)
      : !tile.shared<32x16xf32>
}

// -----

// CHECK-LABEL: tile.kernel @opgraph_barriers
// CHECK: tile.barrier id(1) : <256, 2>
// CHECK: tile.role @one warps(0)
// CHECK-NOT: barrier(
// CHECK: tile.role @two
// CHECK-SAME: barrier(3)
tile.kernel @opgraph_barriers() warps(12) targets [sm_90a] {
  %turn = tile.barrier : !tile.barrier<256, 2>
  tile.role @one warps(0) {
  }
  tile.role @two warps(4) agents(2) of 4 as %wg {
  }
}
