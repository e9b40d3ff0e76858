// RUN: sed '/FAULT/d' %s | graph-opt --tile-interpret='grid=2 args=y:2x32xi32:print' -o /dev/null
// RUN: sed '/CLEAN/d' %s | not graph-opt --mlir-very-unsafe-disable-verifier-on-parsing --verify-each=0 --tile-interpret='grid=2 args=y:2x32xi32:print' -o /dev/null 2>&1 | FileCheck %s
// What a CTA writes to its peer's shared memory, a relaxed arrival does not
// publish.
// CHECK: error: 'tile.load_shared' op race: shared byte {{[0-9]+}} is read before its write by warp 0 lane {{[0-9]+}} of @k in CTA {{[01]}} is seen

#w = #tile.blocked<vector = 1, lanes = [1, 32], warps = [1, 1]>
!w = !tile.reg<1x32xi32, #w>
!ws = !tile.shared<1x32xi32>
!peer = !tile.shared<1x32xi32, peer>
!wv = !tile.view<2x32xi32, strides [32, 1], align 4>

tile.kernel @k(%yp: !tile.ptr<i32, align 4>) warps(1) targets [sm_90a] cluster [2, 1, 1] {
  %y = tile.view %yp : !tile.ptr<i32, align 4> -> !wv
  %s = tile.shared : !ws
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %rank = tile.cta_in_cluster x
  %other = arith.subi %c1, %rank : i32
  tile.cluster_arrive
  tile.cluster_wait
  %t = tile.splat %rank : i32 -> !w
  %p = tile.peer %s of %other : !ws -> !peer
  tile.store_shared %t, %p via plain : !w, !peer
  tile.cluster_arrive // CLEAN
  tile.cluster_arrive order relaxed // FAULT
  tile.cluster_wait
  %u = tile.load_shared %s via plain : !ws -> !w
  tile.store %u, %y[%rank, %c0] : !w, !wv
}
