// RUN: sed '/FAULT/d' %s | graph-opt --tile-interpret='grid=1 args=x:4x32xf32:seed=1,y:4x32xf32:print' -o /dev/null
// RUN: sed '/CLEAN/d' %s | not graph-opt --mlir-very-unsafe-disable-verifier-on-parsing --verify-each=0 --tile-interpret='grid=1 args=x:4x32xf32:seed=1,y:4x32xf32:print' -o /dev/null 2>&1 | FileCheck %s
// Two names of the same bytes: the second write ends the first's life.
// CHECK: error: 'tile.store_shared' op {{race|overwrite before release}}: shared byte {{[0-9]+}} is written before its {{read|write}} by warp

#d = #tile.blocked<vector = 1, lanes = [1, 32], warps = [4, 1]>
#e = #tile.blocked<vector = 1, lanes = [4, 8], warps = [1, 4]>
!t = !tile.reg<4x32xf32, #d>
!u = !tile.reg<4x32xf32, #e>
!v = !tile.view<4x32xf32, strides [32, 1], align 4>
!s = !tile.shared<4x32xf32>

tile.kernel @k(%xp: !tile.ptr<f32, align 16>, %yp: !tile.ptr<f32, align 16>) warps(4) targets [sm_80] {
  %x = tile.view %xp : !tile.ptr<f32, align 16> -> !v
  %y = tile.view %yp : !tile.ptr<f32, align 16> -> !v
  %s = tile.shared : !s
  %o = tile.shared overlay(%s : !s) : !s
  %c0 = arith.constant 0 : i32
  %t = tile.load %x[%c0, %c0] : !v -> !t
  tile.store_shared %t, %s via plain : !t, !s
  tile.sync
  %u = tile.load_shared %s via plain : !s -> !u
  tile.sync // CLEAN
  tile.store_shared %t, %o via plain : !t, !s
  tile.sync
  %w = tile.load_shared %o via plain : !s -> !u
  %z = tile.map (%a = %u, %b = %w) : (!u, !u) -> !u {
    %c = arith.addf %a, %b : f32
    tile.yield %c : f32
  }
  tile.store %z, %y[%c0, %c0] : !u, !v
}
