// RUN: graph-opt %s --split-input-file --tile-lower=target=sm_90a --verify-diagnostics

// expected-error @below {{does not claim target sm_90a}}
tile.kernel @opgraph_target() warps(1) targets [sm_80] {
}

// -----

#d = #tile.blocked<vector = 1, lanes = [1, 32], warps = [1, 1]>
!tile = !tile.reg<1x32xf8E5M2, #d>

tile.kernel @opgraph_arithmetic(%x: f8E5M2) warps(1) targets [sm_90a] {
  %t = tile.splat %x : f8E5M2 -> !tile
  %u = tile.map (%a = %t) : (!tile) -> !tile {
    // expected-error @below {{computes in an 8-bit float or tf32, which has conversions only: expected f16, bf16, f32 or f64}}
    %b = arith.addf %a, %a : f8E5M2
    tile.yield %b : f8E5M2
  }
}
