// RUN: sed '/FAULT/d' %s | graph-opt --tile-interpret='grid=1 args=x:2x256xf32:seed=1,y:2x1xf32:print' -o /dev/null
// RUN: sed '/CLEAN/d' %s | not graph-opt --mlir-very-unsafe-disable-verifier-on-parsing --verify-each=0 --tile-interpret='grid=1 args=x:2x256xf32:seed=1,y:2x1xf32:print' -o /dev/null 2>&1 | FileCheck %s
// A reduction's barrier lies between its words' writes and reads; nothing keeps
// the next reduction's writes behind the reads, but the other scratch tile.
// CHECK: error: 'tile.reduce' op overwrite before release: shared byte {{[0-9]+}} is written before its read by warp {{[0-9]}}
// CHECK: note: read here by warp

#d = #tile.blocked<vector = 2, lanes = [1, 32], warps = [1, 4]>
!t = !tile.reg<1x256xf32, #d>
!one = !tile.reg<1x1xf32, #d>
!s = !tile.shared<1x4xf32>
!v = !tile.view<2x256xf32, strides [256, 1], align 16>
!w = !tile.view<2x1xf32, strides [1, 1], align 4>

tile.kernel @k(%xp: !tile.ptr<f32, align 16>, %yp: !tile.ptr<f32, align 16>) warps(4) targets [sm_80] {
  %x = tile.view %xp : !tile.ptr<f32, align 16> -> !v
  %y = tile.view %yp : !tile.ptr<f32, align 16> -> !w
  %a = tile.shared : !s
  %b = tile.shared : !s
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  scf.for %r = %c0 to %c2 step %c1 : i32 {
    %t = tile.load %x[%r, %c0] : !v -> !t
    %m = tile.reduce max %t along cols within group through %a : !s : !t -> !one
    %e = tile.map (%i = %t, %j = %m) : (!t, !one) -> !t {
      %k = arith.subf %i, %j : f32
      tile.yield %k : f32
    }
    %sum = tile.reduce add %e along cols within group through %b : !s : !t -> !one // CLEAN
    %sum = tile.reduce add %e along cols within group through %a : !s : !t -> !one // FAULT
    tile.store %sum, %y[%r, %c0] : !one, !w
  }
}
