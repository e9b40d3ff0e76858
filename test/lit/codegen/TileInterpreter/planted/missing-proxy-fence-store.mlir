// RUN: sed '/FAULT/d' %s | graph-opt --tile-interpret='grid=1 args=x:64x64xbf16:seed=1,y:192x64xbf16:print,3' -o /dev/null
// RUN: sed '/CLEAN/d' %s | not graph-opt --mlir-very-unsafe-disable-verifier-on-parsing --verify-each=0 --tile-interpret='grid=1 args=x:64x64xbf16:seed=1,y:192x64xbf16:print,3' -o /dev/null 2>&1 | FileCheck %s
// What threads write, the async proxy sees behind their own fence only.
// CHECK: error: 'tile.tensor_store' op missing proxy fence: shared byte {{[0-9]+}} is read before its write by warp {{[0-9]}} lane {{[0-9]+}} of @k is made visible to the async proxy
// CHECK: note: written here by warp

#d = #tile.blocked<vector = 8, lanes = [4, 8], warps = [4, 1]>
!t = !tile.reg<64x64xbf16, #d>
!s = !tile.shared<64x64xbf16, sw128>
!map = !tile.tensor_map<64x64xbf16, sw128>
!v = !tile.view<64x64xbf16, strides [64, 1], align 16, readonly>

tile.kernel @k(%xp: !tile.ptr<bf16, align 16, readonly>, %Y: !map, %n: i32) warps(4) targets [sm_90a] {
  %x = tile.view %xp : !tile.ptr<bf16, align 16, readonly> -> !v
  %s = tile.shared : !s
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %t = tile.load %x[%c0, %c0] : !v -> !t
  scf.for %i = %c0 to %n step %c1 : i32 {
    %row = arith.muli %i, %c64 : i32
    tile.bulk_wait pending(0) read
    tile.sync
    tile.store_shared %t, %s via plain : !t, !s
    tile.fence_proxy async_shared // CLEAN
    tile.sync
    tile.tensor_store %s, %Y[%row, %c0] : !s, !map
    tile.bulk_commit
  }
  tile.bulk_wait pending(0)
}
