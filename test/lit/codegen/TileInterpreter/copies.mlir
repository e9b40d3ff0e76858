// RUN: graph-opt %s --tile-interpret='kernel=cp_ring args=x:64x32xf32:iota,y:64x32xf32:print,16' -o /dev/null 2>&1 | FileCheck %s --check-prefix=CPRING
// RUN: graph-opt %s --tile-interpret='kernel=bulk args=x:1024xf32:iota,y:1024xf32:print,4' -o /dev/null 2>&1 | FileCheck %s --check-prefix=BULK
// RUN: graph-opt %s --tile-interpret='kernel=indexed args=x:4x8xf32:iota,y:8x4xf32:print,h:1x4xi32:zero:print' -o /dev/null 2>&1 | FileCheck %s --check-prefix=INDEXED
// RUN: graph-opt %s --tile-interpret='kernel=maps grid=2 args=X:64x64xbf16:iota,w:256xi8:partial,y:2x64x64xbf16:zero:print' -o /dev/null 2>&1 | FileCheck %s --check-prefix=MAPS
// RUN: graph-opt %s --tile-interpret='kernel=last_one grid=4 args=p:4xi32,c:1xi32:zero:print,y:1xi32:print' -o /dev/null 2>&1 | FileCheck %s --check-prefix=LAST
// RUN: graph-opt %s --tile-interpret='kernel=drawn grid=3 args=c:1xi32:zero:print,y:10xi32:print,10' -o /dev/null 2>&1 | FileCheck %s --check-prefix=DRAWN
// RUN: graph-opt %s --nvptx-emit="target=sm_90a refuse-spills=true cubin=%t.cubin" -o %t.none

#d = #tile.blocked<vector = 4, lanes = [4, 8], warps = [1, 1]>
!t = !tile.reg<4x32xf32, #d>
!s = !tile.shared<4x32xf32>
!ring = !tile.ring<2, !s>
!v = !tile.view<64x32xf32, strides [32, 1], align 16>

// A ring that cp.async copies fill: producer and consumer are one warp each.
// CPRING: remark: y = 0 1 2 3 4
// CPRING-SAME: 2046 2047
tile.kernel @cp_ring(%xp: !tile.ptr<f32, align 16>, %yp: !tile.ptr<f32, align 16>, %n: i32) warps(2) targets [sm_80, sm_90a] {
  %x = tile.view %xp : !tile.ptr<f32, align 16> -> !v
  %y = tile.view %yp : !tile.ptr<f32, align 16> -> !v
  %ring = tile.ring filled_by(copies, 32) freed_by(1) : !ring
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  tile.role @producer warps(0) {
    scf.for %i = %c0 to %n step %c1 : i32 {
      %r = arith.muli %i, %c4 : i32
      %slot, %a = tile.acquire %ring : !ring
      tile.cp_async %x[%r, %c0] to %a bytes(16) : !v, !s
      tile.fill %slot : !tile.slot
    }
  }
  tile.role @consumer warps(1) {
    scf.for %i = %c0 to %n step %c1 : i32 {
      %r = arith.muli %i, %c4 : i32
      %slot, %a = tile.wait %ring : !ring
      %t = tile.load_shared %a via plain : !s -> !t
      tile.release %slot by each_warp
      tile.store %t, %y[%r, %c0] : !t, !v
    }
  }
}

!run = !tile.shared<1x256xf32>
!runs = !tile.ring<2, !run>

// Runs of bytes in and out through one slot each; the stored slot is released
// when its bytes have been read.
// BULK: remark: y = 0 1 2 3
// BULK-SAME: 1022 1023
tile.kernel @bulk(%xp: !tile.ptr<f32, align 16>, %yp: !tile.ptr<f32, align 16>, %n: i32) warps(2) targets [sm_90a] {
  %ring = tile.ring filled_by(bytes) freed_by(1) : !runs
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c1024 = arith.constant 1024 : i32
  %c256 = arith.constant 256 : i64
  tile.role @producer warps(0) single {
    scf.for %i = %c0 to %n step %c1 : i32 {
      %i64 = arith.extsi %i : i32 to i64
      %at = arith.muli %i64, %c256 : i64
      %slot, %a = tile.acquire %ring : !runs
      tile.fill %slot bytes(1024) : !tile.slot
      tile.bulk_load %xp[%at] size %c1024 to %a on %slot : !tile.ptr<f32, align 16>, !run, !tile.slot
    }
  }
  tile.role @storer warps(1) single {
    scf.for %i = %c0 to %n step %c1 : i32 {
      %i64 = arith.extsi %i : i32 to i64
      %at = arith.muli %i64, %c256 : i64
      %slot, %a = tile.wait %ring : !runs
      tile.bulk_store %a, %yp[%at] size %c1024 : !run, !tile.ptr<f32, align 16>
      tile.bulk_commit
      tile.bulk_wait pending(0) read
      tile.release %slot order relaxed
    }
  }
}

#g = #tile.blocked<vector = 1, lanes = [8, 4], warps = [1, 1]>
!g = !tile.reg<8x4xf32, #g>
!h = !tile.reg<8x4xi32, #g>
!xv = !tile.view<4x8xf32, strides [8, 1], align 4>
!yv = !tile.view<8x4xf32, strides [4, 1], align 4>
!hv = !tile.view<1x4xi32, strides [4, 1], align 4>

// Gathered transposed, without the first row; a histogram by atomics.
// INDEXED: remark: y = 0 0 0 0 1 9 17 25 2 10
// INDEXED: remark: h = 8 8 8 8
tile.kernel @indexed(%xp: !tile.ptr<f32, align 4>, %yp: !tile.ptr<f32, align 4>, %hp: !tile.ptr<i32, align 4>) warps(1) targets [sm_80, sm_90a] {
  %x = tile.view %xp : !tile.ptr<f32, align 4> -> !xv
  %y = tile.view %yp : !tile.ptr<f32, align 4> -> !yv
  %h = tile.view %hp : !tile.ptr<i32, align 4> -> !hv
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %t = tile.gather %x : !xv -> !g {
  ^bb0(%r: i32, %c: i32):
    %in = arith.cmpi sgt, %r, %c0 : i32
    tile.yield %c, %r, %in : i32, i32, i1
  }
  tile.store %t, %y[%c0, %c0] : !g, !yv
  %ones = tile.splat %c1 : i32 -> !h
  tile.scatter combine add %ones, %h : !h, !hv {
  ^bb0(%r: i32, %c: i32):
    %in = arith.constant true
    tile.yield %c0, %c, %in : i32, i32, i1
  }
}

#b = #tile.blocked<vector = 8, lanes = [4, 8], warps = [1, 1]>
!bt = !tile.reg<64x64xbf16, #b>
!bs = !tile.shared<64x64xbf16, sw128>
!map = !tile.tensor_map<64x64xbf16, sw128>
!mem = !tile.tensor_map<64x64xbf16, sw128, in_memory>

// Each CTA edits a copy of the map: its own address, fewer rows than the box.
// MAPS: remark: y = 0 1 2
// MAPS-SAME: 3072 0 0
tile.kernel @maps(%X: !map, %w: !tile.ptr<i8, align 128>, %yp: !tile.ptr<bf16, align 128>) warps(1) targets [sm_90a] {
  %s = tile.shared : !bs
  %ready = tile.semaphore : !tile.semaphore<1>
  %c0 = arith.constant 0 : i32
  %rows = arith.constant 48 : i32
  %cta = tile.block_id x
  tile.fill %ready bytes(8192) : !tile.semaphore<1>
  tile.tensor_load %X[%c0, %c0] to %s on %ready : !map, !bs, !tile.semaphore<1>
  tile.await %ready : !tile.semaphore<1>
  %m = tile.copy_map %X to %w[%cta] : !map, !tile.ptr<i8, align 128> -> !mem
  tile.replace_map %m address[0] = %yp : !mem, !tile.ptr<bf16, align 128>
  tile.replace_map %m extent[0] = %rows : !mem, i32
  tile.publish_map %m : !mem
  %zero = arith.cmpi eq, %cta, %c0 : i32
  scf.if %zero {
    tile.tensor_store %s, %m[%c0, %c0] : !bs, !mem
    tile.bulk_commit
    tile.bulk_wait pending(0)
  }
}

!iv = !tile.view<4xi32, strides [1], align 4>
!ov = !tile.view<1xi32, strides [1], align 4>

// The CTA that is last to arrive adds up what all have written.
// LAST: remark: c = 4
// LAST: remark: y = 6
tile.kernel @last_one(%pp: !tile.ptr<i32, align 4>, %cp: !tile.ptr<i32, align 4>, %yp: !tile.ptr<i32, align 4>) warps(1) targets [sm_80, sm_90a] {
  %p = tile.view %pp : !tile.ptr<i32, align 4> -> !iv
  %y = tile.view %yp : !tile.ptr<i32, align 4> -> !ov
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  %cta = tile.block_id x
  tile.store_scalar %cta, %p[%cta] : i32, !iv
  %old = tile.fetch_add %cp, %c1 order acq_rel : !tile.ptr<i32, align 4>, i32 -> i32
  tile.sync
  %last = arith.cmpi eq, %old, %c3 : i32
  scf.if %last {
    %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %c0) -> (i32) : i32 {
      %v = tile.load_scalar %p[%i] : !iv -> i32
      %n = arith.addi %a, %v : i32
      scf.yield %n : i32
    }
    tile.store_scalar %sum, %y[%c0] : i32, !ov
  }
}

!tv = !tile.view<10xi32, strides [1], align 4>

// Whoever draws a number does it: all are done once, the counter is 0 again.
// DRAWN: remark: c = 0
// DRAWN: remark: y = 0 1 2 3 4 5 6 7 8 9
tile.kernel @drawn(%cp: !tile.ptr<i32, align 4>, %yp: !tile.ptr<i32, align 4>, %n: i32) warps(1) targets [sm_80, sm_90a] {
  %y = tile.view %yp : !tile.ptr<i32, align 4> -> !tv
  %ctas = tile.grid_size x
  %draws = arith.addi %n, %ctas : i32
  %first = tile.draw %cp limit %draws : !tile.ptr<i32, align 4>
  %end = scf.while (%t = %first) : (i32) -> i32 {
    %goes = arith.cmpi slt, %t, %n : i32
    scf.condition(%goes) %t : i32
  } do {
  ^bb0(%t: i32):
    tile.store_scalar %t, %y[%t] : i32, !tv
    %next = tile.draw %cp limit %draws : !tile.ptr<i32, align 4>
    scf.yield %next : i32
  }
}
