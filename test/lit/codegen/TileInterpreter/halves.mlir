// RUN: graph-opt %s --tile-interpret='args=x:1x64xi8:iota,y:1x64xi8:print,z:1x128xi8:print' -o /dev/null 2>&1 | FileCheck %s
// RUN: graph-opt %s --nvptx-emit="target=sm_90a refuse-spills=true cubin=%t.cubin" -o %t.none

#bytes = #tile.blocked<vector = 2, lanes = [1, 32], warps = [1, 1]>
#pairs = #tile.blocked<vector = 4, lanes = [1, 32], warps = [1, 1]>
!bytes = !tile.reg<1x64xi8, #bytes>
!pairs = !tile.reg<1x128xi8, #pairs>
!v = !tile.view<1x64xi8, strides [64, 1], align 16>
!w = !tile.view<1x128xi8, strides [128, 1], align 16>

// The low half of a byte goes first. Of 16 = 0x10 to 19 = 0x13, halves + 1 and
// packed again: 0x21 to 0x24; 15 = 0x0f loses what is above its half: 0x10.

// CHECK: remark: y = 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 16 33 34 35 36
// CHECK: remark: z = 0 0 1 0 2 0 3 0 4 0
tile.kernel @halves(%x: !tile.ptr<i8, align 16>, %y: !tile.ptr<i8, align 16>, %z: !tile.ptr<i8, align 16>) warps(1) targets [sm_80, sm_90a] {
  %c0 = arith.constant 0 : i32
  %v = tile.view %x : !tile.ptr<i8, align 16> -> !v
  %w = tile.view %y : !tile.ptr<i8, align 16> -> !v
  %u = tile.view %z : !tile.ptr<i8, align 16> -> !w
  %t = tile.load %v[%c0, %c0] : !v -> !bytes
  %p = tile.unpack %t : !bytes -> !pairs
  tile.store %p, %u[%c0, %c0] : !pairs, !w
  %a = tile.map (%e = %p) : (!pairs) -> !pairs {
    %one = arith.constant 1 : i8
    %n = arith.addi %e, %one : i8
    tile.yield %n : i8
  }
  %b = tile.pack %a : !pairs -> !bytes
  tile.store %b, %w[%c0, %c0] : !bytes, !v
}
