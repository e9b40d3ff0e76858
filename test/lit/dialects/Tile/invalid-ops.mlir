// RUN: graph-opt %s --split-input-file --verify-diagnostics
// Rules G, A, W and V that an op can tell by itself.

#d = #tile.blocked<vector = 1, lanes = [1, 32], warps = [1, 1]>
!t = !tile.reg<4x32xf32, #d>
!v = !tile.view<4x32xf32, strides [32, 1], align 4>

tile.kernel @g1(%p: !tile.ptr<f32, align 4>, %i: i32) warps(1) targets [sm_80] {
  %v = tile.view %p : !tile.ptr<f32, align 4> -> !v
  // expected-error @below {{expected one offset for each of 2 axes (G1), got 1}}
  %t = tile.load %v[%i] : !v -> !t
}

// -----

#d = #tile.blocked<vector = 1, lanes = [1, 32], warps = [1, 1]>
!t = !tile.reg<4x32xf32, #d>
!v = !tile.view<4x32xf32, strides [32, 1], align 4>

tile.kernel @g2(%p: !tile.ptr<f32, align 4>, %i: i32) warps(1) targets [sm_80] {
  %v = tile.view %p : !tile.ptr<f32, align 4> -> !v
  // expected-error @below {{expected 'fill' if and only if there is 'below' (G2)}}
  %t = tile.load %v[%i, %i] below [%i, %i] : !v -> !t
}

// -----

#d = #tile.blocked<vector = 1, lanes = [1, 32], warps = [1, 1]>
!v = !tile.view<4x32xf32, strides [32, 1], align 4>

tile.kernel @g3(%p: !tile.ptr<f32, align 4>, %i: i32) warps(1) targets [sm_80] {
  %v = tile.view %p : !tile.ptr<f32, align 4> -> !v
  // expected-error @below {{expected elements of 'f32' (G3), got 'bf16'}}
  %t = tile.load %v[%i, %i] : !v -> !tile.reg<4x32xbf16, #d>
}

// -----

#d = #tile.blocked<vector = 1, lanes = [1, 32], warps = [1, 1]>
!v = !tile.view<4x32xf32, strides [32, 1], align 4>

tile.kernel @g4(%p: !tile.ptr<f32, align 4>, %i: i32) warps(2) targets [sm_80] {
  %v = tile.view %p : !tile.ptr<f32, align 4> -> !v
  // expected-error @below {{expected a tile over the 2 warps of its group (G4), got one over 1}}
  %t = tile.load %v[%i, %i] : !v -> !tile.reg<4x32xf32, #d>
}

// -----

!s = !tile.shared<64x128xbf16, sw128>

tile.kernel @g5(%i: i32) warps(1) targets [sm_80] {
  %s = tile.shared : !s
  // expected-error @below {{expected plane_rows 64 (G5), got 0}}
  %p = tile.slice %s[%i, %i] : !s -> !tile.shared<32x64xbf16, sw128>
}

// -----

!s = !tile.shared<64x128xbf16, sw128>

tile.kernel @g5_atom(%i: i32) warps(1) targets [sm_80] {
  %s = tile.shared : !s
  %c4 = arith.constant 4 : i32
  // expected-error @below {{expected an offset of a multiple of 8 rows (G5), got 4}}
  %p = tile.slice %s[%c4, %i] : !s -> !tile.shared<32x64xbf16, sw128, plane_rows 64>
}

// -----

#d = #tile.blocked<vector = 1, lanes = [1, 32], warps = [1, 1]>

tile.kernel @g6(%x: f32) warps(1) targets [sm_90a] {
  %s = tile.shared : !tile.shared<4x32xf32>
  %t = tile.splat %x : f32 -> !tile.reg<4x32xf32, #d>
  // expected-error @below {{expected elements of 16 bits via matrix (G6), got 'f32'}}
  tile.store_shared %t, %s via matrix : !tile.reg<4x32xf32, #d>, !tile.shared<4x32xf32>
}

// -----

#d = #tile.blocked<vector = 1, lanes = [1, 32], warps = [1, 1]>

tile.kernel @g7() warps(1) targets [sm_80] {
  %s = tile.shared : !tile.shared<4x32xf32>
  // expected-error @below {{expected a tile of 32x4 (G7), got 4x32}}
  %t = tile.load_shared %s via plain transposed : !tile.shared<4x32xf32> -> !tile.reg<4x32xf32, #d>
}

// -----

!v = !tile.view<4x32xf32, strides [32, 1], align 4>
!s = !tile.shared<4x32xf32>

tile.kernel @a1(%p: !tile.ptr<f32, align 4>, %i: i32) warps(1) targets [sm_80] {
  %v = tile.view %p : !tile.ptr<f32, align 4> -> !v
  %s = tile.shared : !s
  // expected-error @below {{expected copies of 4, 8 or 16 bytes within the view's alignment of 4 (A1), got 16}}
  tile.cp_async %v[%i, %i] to %s bytes(16) : !v, !s
}

// -----

!v = !tile.view<1x32xf32, strides [32, 1], align 16>
!s = !tile.shared<1x32xf32>

tile.kernel @a2(%p: !tile.ptr<f32, align 16>, %i: i32) warps(1) targets [sm_80] {
  %v = tile.view %p : !tile.ptr<f32, align 16> -> !v
  %s = tile.shared : !s
  // expected-error @below {{expected a tile of 16 bytes for each of 32 threads, or a multiple (A2), got 1 rows of 128 bytes}}
  tile.cp_async %v[%i, %i] to %s bytes(16) : !v, !s
}

// -----

!s = !tile.shared<32x64xbf16, sw128>
!map = !tile.tensor_map<64x64xbf16, sw128>

tile.kernel @a3(%X: !map, %i: i32) warps(1) targets [sm_90a] {
  %s = tile.shared : !s
  %m = tile.semaphore : !tile.semaphore<1>
  tile.fill %m bytes(8192) : !tile.semaphore<1>
  // expected-error @below {{expected a tile of 64 rows and planes of 64 columns, as the map's box (A3), got 32x64}}
  tile.tensor_load %X[%i, %i] to %s on %m : !map, !s, !tile.semaphore<1>
}

// -----

!s = !tile.shared<64x64xbf16>
!map = !tile.tensor_map<64x64xbf16, sw128>

tile.kernel @a3_swizzle(%X: !map, %i: i32) warps(1) targets [sm_90a] {
  %s = tile.shared : !s
  %m = tile.semaphore : !tile.semaphore<1>
  tile.fill %m bytes(8192) : !tile.semaphore<1>
  // expected-error @below {{expected the map's element type and swizzle ('bf16', sw128) (A3), got 'bf16', none}}
  tile.tensor_load %X[%i, %i] to %s on %m : !map, !s, !tile.semaphore<1>
}

// -----

!s = !tile.shared<64x64xbf16, sw128>
!map = !tile.tensor_map<64x64xbf16, sw128>

tile.kernel @a4(%X: !map, %i: i32) warps(1) targets [sm_90a] {
  %s = tile.shared : !s
  %m = tile.semaphore : !tile.semaphore<1>
  tile.fill %m bytes(8192) : !tile.semaphore<1>
  // expected-error @below {{expected one coordinate for each of 2 axes of the box (A4), got 1}}
  tile.tensor_load %X[%i] to %s on %m : !map, !s, !tile.semaphore<1>
}

// -----

!s = !tile.shared<64x64xbf16, sw128>
!ring = !tile.ring<2, !s>
!map = !tile.tensor_map<64x64xbf16, sw128>

tile.kernel @a5(%X: !map, %i: i32) warps(1) targets [sm_90a] {
  %ring = tile.ring filled_by(bytes) freed_by(1) : !ring
  %other = tile.shared : !s
  %slot, %s = tile.acquire %ring : !ring
  tile.fill %slot : !tile.slot
  // expected-error @below {{expected a field, or part of a field, of the slot that it completes on (A5)}}
  tile.tensor_load %X[%i, %i] to %other on %slot : !map, !s, !tile.slot
}

// -----

!a = !tile.shared<64x64xbf16, sw128>
!b = !tile.shared<16x64xbf16, sw128>

tile.kernel @w1() warps(4) targets [sm_90a] {
  %a = tile.shared : !a
  %b = tile.shared : !b
  tile.mma_fence
  // expected-error @below {{expected D of M x N for A of M x K and B of K x N (W1), got 64x32 for 64x64 and 64x16}}
  %d = tile.mma_async %a, %b : !a, !b -> !tile.pending<64x32xf32, #tile.acc>
}

// -----

!a = !tile.shared<64x64xbf16, sw128>
!b = !tile.shared<16x64xbf16, sw128>

tile.kernel @w1_type() warps(4) targets [sm_90a] {
  %a = tile.shared : !a
  %b = tile.shared : !b
  tile.mma_fence
  // expected-error @below {{expected an accumulator type that 'bf16' has (W1), got 'f16'}}
  %d = tile.mma_async %a, %b : !a, !b -> !tile.pending<64x16xf16, #tile.acc>
}

// -----

!a = !tile.shared<64x64xbf16, sw128>
!b = !tile.shared<16x64xf16, sw128>

tile.kernel @w1_factors() warps(4) targets [sm_90a] {
  %a = tile.shared : !a
  %b = tile.shared : !b
  tile.mma_fence
  // expected-error @below {{expected B of 'bf16' (W1), got 'f16'}}
  %d = tile.mma_async %a, %b : !a, !b -> !tile.pending<64x16xf32, #tile.acc>
}

// -----

!a = !tile.shared<64x128xi8, sw128>
!b = !tile.shared<40x128xui8, sw128>

tile.kernel @w1_integers() warps(4) targets [sm_90a] {
  %a = tile.shared : !a
  %b = tile.shared : !b
  tile.mma_fence
  // expected-error @below {{expected N above 32 to be a multiple of 16 for 'i8' (W1), got 40}}
  %d = tile.mma_async %a, %b : !a, !b -> !tile.pending<64x40xi32, #tile.acc>
}

// -----

#acc = #tile.acc<warps = [1, 1]>
!a = !tile.reg<16x32xf8E4M3FN, #tile.operand<0, bits = 8, warps = [1, 1]>>
!b = !tile.reg<32x8xf8E4M3FN, #tile.operand<1, bits = 8, warps = [1, 1]>>
!c = !tile.reg<16x8xf16, #acc>

tile.kernel @w1_sync(%x: f8E4M3FN, %y: f16) warps(1) targets [sm_89] {
  %a = tile.splat %x : f8E4M3FN -> !a
  %b = tile.splat %x : f8E4M3FN -> !b
  %c = tile.splat %y : f16 -> !c
  // expected-error @below {{expected an accumulator type that 'f8E4M3FN' has (W1), got 'f16'}}
  %d = tile.mma_sync %a, %b plus %c : !a, !b, !c
}

// -----

!a = !tile.shared<64x128xf8E4M3FN, sw128>
!b = !tile.shared<128x128xf8E4M3FN, sw128>

tile.kernel @w2() warps(4) targets [sm_90a] {
  %a = tile.shared : !a
  %b = tile.shared : !b
  tile.mma_fence
  // expected-error @below {{expected K-major operands of 'f8E4M3FN': only 16-bit types have the other (W2)}}
  %d = tile.mma_async %a, %b b_major mn : !a, !b -> !tile.pending<64x128xf32, #tile.acc>
}

// -----

!a = !tile.shared<64x64xbf16, sw128>
!b = !tile.shared<16x64xbf16, sw128>
!d = !tile.pending<64x16xf32, #tile.acc>

tile.kernel @w5() warps(4) targets [sm_90a] {
  %a = tile.shared : !a
  %b = tile.shared : !b
  tile.mma_fence
  %d = tile.mma_async %a, %b : !a, !b -> !d
  // expected-error @below {{expected the only use of a pending accumulator (W5)}}
  %e = tile.mma_async %a, %b plus %d : !d : !a, !b -> !d
  %f = tile.mma_async %a, %b plus %d : !d : !a, !b -> !d
  %g = tile.mma_commit
}

// -----

#acc = #tile.acc<warps = [1, 1]>

tile.kernel @w8(%x: bf16, %y: f32) warps(1) targets [sm_80] {
  %a = tile.splat %x : bf16 -> !tile.reg<16x16xbf16, #acc>
  %b = tile.splat %x : bf16 -> !tile.reg<16x8xbf16, #tile.operand<1, bits = 16, warps = [1, 1]>>
  %c = tile.splat %y : f32 -> !tile.reg<16x8xf32, #acc>
  // expected-error @below {{expected #tile.operand<0>, #tile.operand<1> and #tile.acc over the same warps, of 16 bits (W8), got}}
  %d = tile.mma_sync %a, %b plus %c : !tile.reg<16x16xbf16, #acc>, !tile.reg<16x8xbf16, #tile.operand<1, bits = 16, warps = [1, 1]>>, !tile.reg<16x8xf32, #acc>
}

// -----

#d = #tile.blocked<vector = 1, lanes = [1, 32], warps = [1, 1]>

tile.kernel @v1(%x: f32) warps(1) targets [sm_80] {
  %t = tile.splat %x : f32 -> !tile.reg<2x32xf32, #d>
  // expected-error @below {{expected inputs of 3 or 1 rows, or one element per block (V1), got 2}}
  %u = tile.map (%a = %t) : (!tile.reg<2x32xf32, #d>) -> !tile.reg<3x32xf32, #d> {
    tile.yield %a : f32
  }
}

// -----

#d = #tile.blocked<vector = 1, lanes = [1, 32], warps = [1, 1]>
#e = #tile.blocked<vector = 2, lanes = [1, 32], warps = [1, 1]>

tile.kernel @v2(%x: f32) warps(1) targets [sm_80] {
  %t = tile.splat %x : f32 -> !tile.reg<2x64xf32, #d>
  // expected-error @below {{expected inputs spread as the result along columns (V2), got}}
  %u = tile.map (%a = %t) : (!tile.reg<2x64xf32, #d>) -> !tile.reg<2x64xf32, #e> {
    tile.yield %a : f32
  }
}

// -----

#d = #tile.blocked<vector = 1, lanes = [1, 32], warps = [1, 1]>

tile.kernel @v3(%x: f32) warps(1) targets [sm_80] {
  %t = tile.splat %x : f32 -> !tile.reg<2x32xf32, #d>
  %u = tile.map (%a = %t) : (!tile.reg<2x32xf32, #d>) -> !tile.reg<2x32xf32, #d> {
    // expected-error @below {{is no scalar op of arith or math, and not tile.coord (V3)}}
    tile.sync
    tile.yield %a : f32
  }
}

// -----

#d = #tile.blocked<vector = 1, lanes = [1, 32], warps = [1, 1]>

tile.kernel @v4(%x: f32) warps(1) targets [sm_80] {
  %t = tile.splat %x : f32 -> !tile.reg<2x32xf32, #d>
  // expected-error @below {{expected a reduction within warp or group to leave one of 32 columns (V4), got thread}}
  %u = tile.reduce add %t along cols within thread : !tile.reg<2x32xf32, #d> -> !tile.reg<2x1xf32, #d>
}

// -----

#d = #tile.blocked<vector = 1, lanes = [1, 32], warps = [1, 2]>

tile.kernel @v5(%x: f32) warps(2) targets [sm_80] {
  %t = tile.splat %x : f32 -> !tile.reg<2x64xf32, #d>
  // expected-error @below {{expected 'through' if and only if warps must meet (V5)}}
  %u = tile.reduce add %t along cols within group : !tile.reg<2x64xf32, #d> -> !tile.reg<2x1xf32, #d>
}

// -----

#d = #tile.blocked<vector = 1, lanes = [1, 32], warps = [1, 2]>

tile.kernel @v5_shape(%x: f32) warps(2) targets [sm_80] {
  %s = tile.shared : !tile.shared<1x2xf32>
  %t = tile.splat %x : f32 -> !tile.reg<2x64xf32, #d>
  // expected-error @below {{expected to go through a word of each line and warp, 2x2x'f32' (V5), got}}
  %u = tile.reduce add %t along cols within group through %s : !tile.shared<1x2xf32> : !tile.reg<2x64xf32, #d> -> !tile.reg<2x1xf32, #d>
}

// -----

tile.kernel @v6(%x: f32) warps(4) targets [sm_90a] {
  %t = tile.splat %x : f32 -> !tile.reg<64x16xf32, #tile.acc>
  // expected-error @below {{expected a part that cuts whole registers of}}
  %u = tile.extract %t[0, 4] : !tile.reg<64x16xf32, #tile.acc> -> !tile.reg<64x8xf32, #tile.acc>
}

// -----

#d = #tile.blocked<vector = 2, lanes = [8, 4], warps = [4, 1]>

tile.kernel @v6_relabel(%x: f32) warps(4) targets [sm_90a] {
  %t = tile.splat %x : f32 -> !tile.reg<64x16xf32, #tile.acc>
  // expected-error @below {{expected a type that is thread by thread equal to}}
  %u = tile.relabel %t : !tile.reg<64x16xf32, #tile.acc> -> !tile.reg<64x16xf32, #d>
}

// -----

#d = #tile.blocked<vector = 1, lanes = [1, 32], warps = [1, 1]>
!t = !tile.reg<1x32xf32, #d>
!v = !tile.view<1x32xf32, strides [32, 1], align 4>

tile.kernel @atomic_bits(%xp: !tile.ptr<f32, align 4>, %n: f32) warps(1) targets [sm_90a] {
  %x = tile.view %xp : !tile.ptr<f32, align 4> -> !v
  %true = arith.constant true
  %t = tile.splat %n : f32 -> !t
  // expected-error @below {{expected integers of at least 16 bits for an atomic bit_or, got 'f32'}}
  tile.scatter combine bit_or %t, %x : !t, !v {
  ^bb0(%row: i32, %col: i32):
    tile.yield %row, %col, %true : i32, i32, i1
  }
}

// -----

!s = !tile.shared<1x256xf32>

tile.kernel @a9(%y: !tile.ptr<f32, align 16>) warps(1) targets [sm_90a] {
  %s = tile.shared : !s
  %at = arith.constant 0 : i64
  %bytes = arith.constant 1024 : i32
  // expected-error @below {{expected an add of i32, i64, f16, bf16, f32 or f64, a min or max of all but the last two, or bits of i32 or i64 (through a tensor map, of i64 min and max only) (A9), got max of 'f32'}}
  tile.bulk_store combine max %s, %y[%at] size %bytes : !s, !tile.ptr<f32, align 16>
}

// -----

#d = #tile.blocked<vector = 1, lanes = [1, 32], warps = [1, 1]>

tile.kernel @g6_blocks(%x: f16) warps(1) targets [sm_90a] {
  %s = tile.shared : !tile.shared<8x32xf16>
  %t = tile.splat %x : f16 -> !tile.reg<8x32xf16, #d>
  // expected-error @below {{expected a tile of 8x8 blocks, lanes 8:4 along one axis and 4:1 of pairs along the other, via matrix (G6), got '!tile.reg<8x32xf16}}
  tile.store_shared %t, %s via matrix : !tile.reg<8x32xf16, #d>, !tile.shared<8x32xf16>
}

// -----

#d = #tile.blocked<vector = 2, lanes = [8, 4], warps = [1, 1]>

tile.kernel @g6_path(%x: f16) warps(1) targets [sm_90a] {
  %s = tile.shared : !tile.shared<8x8xf16>
  %t = tile.splat %x : f16 -> !tile.reg<8x8xf16, #d>
  tile.store_shared %t, %s via matrix : !tile.reg<8x8xf16, #d>, !tile.shared<8x8xf16>
  // expected-error @below {{expected via matrix, since the tile's pairs lie along the columns (G6), got matrix_trans}}
  tile.store_shared %t, %s via matrix_trans : !tile.reg<8x8xf16, #d>, !tile.shared<8x8xf16>
}

// -----

#d = #tile.blocked<vector = 4, lanes = [8, 4], warps = [1, 1]>

tile.kernel @g6_runs(%x: f16) warps(1) targets [sm_90a] {
  %s = tile.shared : !tile.shared<8x16xf16>
  %t = tile.splat %x : f16 -> !tile.reg<8x16xf16, #d>
  // expected-error @below {{expected lanes of 2 neighbours, but where a load transposes (G6), got 4}}
  tile.store_shared %t, %s via matrix : !tile.reg<8x16xf16, #d>, !tile.shared<8x16xf16>
}

// -----

tile.kernel @g8(%p: !tile.ptr<i16, align 4>, %x: i16) warps(1) targets [sm_90a] {
  // expected-error @below {{expected to add i32 or i64 (G8), got 'i16'}}
  %old = tile.fetch_add %p, %x order relaxed : !tile.ptr<i16, align 4>, i16 -> i16
}

// -----

tile.kernel @g8_pointer(%p: !tile.ptr<i64, align 8>, %x: i32) warps(1) targets [sm_90a] {
  // expected-error @below {{expected a pointer to 'i32' and a result of it (G3), got '!tile.ptr<i64, align 8>' and 'i32'}}
  %old = tile.fetch_add %p, %x order relaxed : !tile.ptr<i64, align 8>, i32 -> i32
}

// -----

#bytes = #tile.blocked<vector = 2, lanes = [1, 32], warps = [1, 1]>
#pairs = #tile.blocked<vector = 4, lanes = [1, 32], warps = [1, 1]>

tile.kernel @v7(%x: i8) warps(1) targets [sm_90a] {
  %t = tile.splat %x : i8 -> !tile.reg<2x64xi8, #bytes>
  %u = tile.unpack %t : !tile.reg<2x64xi8, #bytes> -> !tile.reg<2x128xi8, #pairs>
  // expected-error @below {{(V7), got '!tile.reg<2x128xi8, #tile.blocked<vector = 2}}
  %v = tile.unpack %t : !tile.reg<2x64xi8, #bytes> -> !tile.reg<2x128xi8, #bytes>
}

// -----

#bytes = #tile.blocked<vector = 2, lanes = [1, 32], warps = [1, 1]>
#pairs = #tile.blocked<vector = 4, lanes = [1, 32], warps = [1, 1]>

tile.kernel @v7_type(%x: i16) warps(1) targets [sm_90a] {
  %t = tile.splat %x : i16 -> !tile.reg<2x128xi16, #pairs>
  // expected-error @below {{expected elements of i8 (V7), got}}
  %u = tile.pack %t : !tile.reg<2x128xi16, #pairs> -> !tile.reg<2x64xi16, #bytes>
}
