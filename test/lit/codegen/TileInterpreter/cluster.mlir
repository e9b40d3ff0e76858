// RUN: graph-opt %s --tile-interpret='kernel=multicast grid=4 args=X:256x64xbf16:iota,y:4x64x64xbf16:print' -o /dev/null 2>&1 | FileCheck %s --check-prefix=MULTICAST
// RUN: graph-opt %s --tile-interpret='kernel=exchange grid=2 args=y:2x32xi32:print' -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXCHANGE
// RUN: graph-opt %s --tile-interpret='kernel=turns args=y:1x8xi32:print' -o /dev/null 2>&1 | FileCheck %s --check-prefix=TURNS
// RUN: graph-opt %s --tile-interpret='kernel=mma args=a:16x32xbf16:iota,b:8x32xbf16:iota,y:16x8xf32:print' -o /dev/null 2>&1 | FileCheck %s --check-prefix=MMA
// RUN: graph-opt %s --nvptx-emit="target=sm_90a refuse-spills=true cubin=%t.cubin" -o %t.none

!s = !tile.shared<64x64xbf16, sw128>
!half = !tile.shared<32x64xbf16, sw128, plane_rows 64>
!ring = !tile.ring<2, !s>
!map = !tile.tensor_map<32x64xbf16, sw128>
#d = #tile.blocked<vector = 8, lanes = [4, 8], warps = [1, 1]>
!t = !tile.reg<64x64xbf16, #d>
!v = !tile.view<256x64xbf16, strides [64, 1], align 16>

// Each CTA of a pair loads half of a tile to both.
// MULTICAST: remark: y = 0 1 2
tile.kernel @multicast(%X: !map, %yp: !tile.ptr<bf16, align 16>) warps(2) targets [sm_90a] cluster [2, 1, 1] {
  %y = tile.view %yp : !tile.ptr<bf16, align 16> -> !v
  %ring = tile.ring filled_by(bytes) freed_by(2) scope cluster : !ring
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %both = arith.constant 3 : i16
  %rank = tile.cta_in_cluster x
  %cta = tile.block_id x
  tile.role @producer warps(0) single {
    scf.for %i = %c0 to %c4 step %c1 : i32 {
      %slot, %a = tile.acquire %ring : !ring
      tile.fill %slot bytes(8192) : !tile.slot
      %row = arith.muli %rank, %c32 : i32
      %part = tile.slice %a[%row, %c0] : !s -> !half
      %base = arith.muli %i, %c64 : i32
      %from = arith.addi %base, %row : i32
      tile.tensor_load %X[%from, %c0] to %part on %slot multicast %both : !map, !half, !tile.slot
    }
    tile.drain %ring : !ring
  }
  tile.role @consumer warps(1) {
    scf.for %i = %c0 to %c4 step %c1 : i32 {
      %slot, %a = tile.wait %ring : !ring
      %t = tile.load_shared %a via plain : !s -> !t
      tile.release %slot by each_warp scope cluster
      %own = arith.cmpi eq, %i, %cta : i32
      scf.if %own {
        %r = arith.muli %i, %c64 : i32
        tile.store %t, %y[%r, %c0] : !t, !v
      }
    }
  }
}

#w = #tile.blocked<vector = 1, lanes = [1, 32], warps = [1, 1]>
!w = !tile.reg<1x32xi32, #w>
!ws = !tile.shared<1x32xi32>
!wv = !tile.view<2x32xi32, strides [32, 1], align 4>

// Each CTA writes its number to the other's shared memory.
// EXCHANGE: remark: y = 1 1 1
// EXCHANGE-SAME: 0 0 0
tile.kernel @exchange(%yp: !tile.ptr<i32, align 4>) warps(1) targets [sm_90a] cluster [2, 1, 1] {
  %y = tile.view %yp : !tile.ptr<i32, align 4> -> !wv
  %s = tile.shared : !ws
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %rank = tile.cta_in_cluster x
  %other = arith.subi %c1, %rank : i32
  tile.cluster_arrive
  tile.cluster_wait
  %t = tile.splat %rank : i32 -> !w
  %peer = tile.peer %s of %other : !ws -> !tile.shared<1x32xi32, peer>
  tile.store_shared %t, %peer via plain : !w, !tile.shared<1x32xi32, peer>
  tile.cluster_arrive
  tile.cluster_wait
  %u = tile.load_shared %s via plain : !ws -> !w
  tile.store %u, %y[%rank, %c0] : !w, !wv
}

!one = !tile.view<1x8xi32, strides [8, 1], align 4>
!word = !tile.shared<1x1xi32>

// Two agents add to a word in turn.
// TURNS: remark: y = 1 2 3 4 5 6 7 8
tile.kernel @turns(%yp: !tile.ptr<i32, align 4>) warps(2) targets [sm_80, sm_90a] {
  %y = tile.view %yp : !tile.ptr<i32, align 4> -> !one
  %s = tile.shared : !word
  %turn = tile.barrier : !tile.barrier<64, 2>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c4 = arith.constant 4 : i32
  tile.role @player warps(0) agents(2) as %me {
    %other = arith.subi %c1, %me : i32
    %second = arith.cmpi eq, %me, %c1 : i32
    scf.if %second {
      tile.store_scalar %c0, %s[%c0, %c0] : i32, !word
      tile.barrier_arrive %turn[%c0] : !tile.barrier<64, 2>
    }
    scf.for %i = %c0 to %c4 step %c1 : i32 {
      tile.barrier_sync %turn[%me] : !tile.barrier<64, 2>
      %v = tile.load_scalar %s[%c0, %c0] : !word -> i32
      tile.sync
      %n = arith.addi %v, %c1 : i32
      tile.store_scalar %n, %s[%c0, %c0] : i32, !word
      tile.store_scalar %n, %y[%c0, %v] : i32, !one
      tile.barrier_arrive %turn[%other] : !tile.barrier<64, 2>
    }
  }
}

#mma = #tile.acc<warps = [1, 1]>
!a = !tile.reg<16x32xbf16, #tile.operand<0, bits = 16, warps = [1, 1]>>
!b = !tile.reg<32x8xbf16, #tile.operand<1, bits = 16, warps = [1, 1]>>
!c = !tile.reg<16x8xf32, #mma>
!av = !tile.view<16x32xbf16, strides [32, 1], align 4>
!bv = !tile.view<32x8xbf16, strides [1, 32], align 4>
!cv = !tile.view<16x8xf32, strides [8, 1], align 8>

// Row 0 by column 0: the sum of the squares to 31.
// MMA: remark: y = 10416 26288
tile.kernel @mma(%ap: !tile.ptr<bf16, align 4>, %bp: !tile.ptr<bf16, align 4>, %yp: !tile.ptr<f32, align 8>) warps(1) targets [sm_80, sm_90a] {
  %av = tile.view %ap : !tile.ptr<bf16, align 4> -> !av
  %bv = tile.view %bp : !tile.ptr<bf16, align 4> -> !bv
  %cv = tile.view %yp : !tile.ptr<f32, align 8> -> !cv
  %c0 = arith.constant 0 : i32
  %zero = arith.constant 0.0 : f32
  %a = tile.load %av[%c0, %c0] : !av -> !a
  %b = tile.load %bv[%c0, %c0] : !bv -> !b
  %c = tile.splat %zero : f32 -> !c
  %d = tile.mma_sync %a, %b plus %c : !a, !b, !c
  tile.store %d, %cv[%c0, %c0] : !c, !cv
}
