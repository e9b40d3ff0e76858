// RUN: graph-opt %s --split-input-file --verify-diagnostics
// Rules B, M, T and R of the types.

// expected-error @below {{expected 32 lanes of rows and columns (B1), got [}}
// expected-error @below {{failed to parse Tile_RegType parameter 'distribution'}}
tile.kernel @b1(%t: !tile.reg<1x16xf32, #tile.blocked<vector = 1, lanes = [1, 16], warps = [1, 1]>>) warps(1) targets [sm_80] { }

// -----

// expected-error @below {{expected a vector of 1 to 256 elements (B1), got 0}}
// expected-error @below {{failed to parse Tile_RegType parameter 'distribution'}}
tile.kernel @b1_vector(%t: !tile.reg<1x32xf32, #tile.blocked<vector = 0, lanes = [1, 32], warps = [1, 1]>>) warps(1) targets [sm_80] { }

// -----

// expected-error @below {{expected columns that are 1 or a multiple of 64, got 32}}
tile.kernel @b2(%t: !tile.reg<1x32xf32, #tile.blocked<vector = 2, lanes = [1, 32], warps = [1, 1]>>) warps(1) targets [sm_80] { }

// -----

// expected-error @below {{expected a box of rank 1 to 5 (M1), got 6}}
tile.kernel @m1(%m: !tile.tensor_map<1x1x1x1x8x8xbf16>) warps(1) targets [sm_90a] { }

// -----

// expected-error @below {{expected box extents of 1 to 256 (M1), got 512}}
tile.kernel @m1_extent(%m: !tile.tensor_map<512x64xbf16, sw128>) warps(1) targets [sm_90a] { }

// -----

// expected-error @below {{expected box columns that are a multiple of 16 bytes (M2), got 8 bytes}}
tile.kernel @m2(%m: !tile.tensor_map<64x4xbf16>) warps(1) targets [sm_90a] { }

// -----

// expected-error @below {{expected box columns of at most 128 bytes, the swizzle's span (M2), got 256}}
tile.kernel @m2_span(%m: !tile.tensor_map<64x128xbf16, sw128>) warps(1) targets [sm_90a] { }

// -----

// expected-error @below {{expected rank 3 to 5 with im2col (M3), got 2}}
tile.kernel @m3(%m: !tile.tensor_map<64x64xbf16, sw128, im2col>) warps(1) targets [sm_90a] { }

// -----

// expected-error @below {{expected extents of 1 between pixels and channels with im2col (M3), got [64, 1, 2, 64]}}
tile.kernel @m3_extents(%m: !tile.tensor_map<64x1x2x64xbf16, sw128, im2col>) warps(1) targets [sm_90a] { }

// -----

// expected-error @below {{expected a grid constant with im2col (M3), got a map in memory}}
tile.kernel @m3_memory(%m: !tile.tensor_map<64x1x1x64xbf16, sw128, im2col, in_memory>) warps(1) targets [sm_90a] { }

// -----

// expected-error @below {{expected 1 to 1024 pixels of 1 to 256 channels with im2col (M1), got 1025 and 64}}
tile.kernel @m1_pixels(%m: !tile.tensor_map<1025x1x1x64xbf16, sw128, im2col>) warps(1) targets [sm_90a] { }

// -----

tile.kernel @t1() warps(1) targets [sm_80] {
  // expected-error @below {{expected rows that are a multiple of 8 and columns of 128 bytes (T1), got 4 rows of 128 bytes}}
  %s = tile.shared : !tile.shared<4x64xbf16, sw128>
}

// -----

tile.kernel @t1_cols() warps(1) targets [sm_80] {
  // expected-error @below {{expected rows that are a multiple of 8 and columns of 64 bytes (T1), got 8 rows of 96 bytes}}
  %s = tile.shared : !tile.shared<8x48xbf16, sw64>
}

// -----

tile.kernel @t2() warps(1) targets [sm_80] {
  // expected-error @below {{expected no pad with a swizzle (T2), got 16}}
  %s = tile.shared : !tile.shared<8x64xbf16, sw128, pad 16>
}

// -----

tile.kernel @t2_extent() warps(1) targets [sm_80] {
  // expected-error @below {{expected extents of at least 1 (T2), got 0}}
  %s = tile.shared : !tile.shared<0x64xbf16>
}

// -----

// expected-error @below {{expected rows that are 1 or a multiple of 64, got 48}}
tile.kernel @r1(%t: !tile.reg<48x16xf32, #tile.acc>) warps(4) targets [sm_90a] { }

// -----

// expected-error @below {{expected elements of f64, f32, tf32, f16, bf16, f8E4M3FN, f8E5M2, f8E8M0FNU, i1, i8, ui8, i16, i32 or i64 (R2), got 'f4E2M1FN'}}
tile.kernel @r2(%t: !tile.reg<64x16xf4E2M1FN, #tile.acc>) warps(4) targets [sm_90a] { }

// -----

// expected-error @below {{i16, i32 or i64 (R2), got 'ui16'}}
tile.kernel @r2_unsigned(%p: !tile.ptr<ui16>) warps(1) targets [sm_90a] { }

// -----

// expected-error @below {{i16, i32 or i64 (R2), got 'i4'}}
tile.kernel @r2_packed(%p: !tile.ptr<i4>) warps(1) targets [sm_90a] { }
