// RUN: graph-opt %s --graph-legalize-host-reference --canonicalize | FileCheck %s

// score_mod is a function of one score: S rounds to its type, the captured
// tensor is read at the score's place.
// CHECK-LABEL: func.func @opgraph_soft_cap_reference(
// CHECK: %[[S:.+]] = arith.addf
// CHECK: arith.truncf %{{.+}} : f64 to f32
// CHECK: memref.load %arg1[%c0, %{{.+}}, %c0, %c0]
// CHECK: arith.divf
// CHECK: math.tanh
// CHECK: memref.store
graph.graph @soft_cap(%q: tensor<1x2x8x16xf16> {graph.uid = 1 : i64},
                      %cap: tensor<1x2x1x1xf32> {graph.uid = 4 : i64})
    -> (tensor<1x2x8x16xf16> {graph.uid = 5 : i64}) attributes {dynamic} {
  %o = graph.sdpa %q, %q, %q captures %cap score_mod {
  ^bb0(%s: tensor<1x2x8x8xf32>, %c: tensor<1x2x1x1xf32>):
    %0 = graph.div %s, %c
        : (tensor<1x2x8x8xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x8x8xf32>
    %1 = graph.tanh %0 : (tensor<1x2x8x8xf32>) -> tensor<1x2x8x8xf32>
    graph.yield %1 : tensor<1x2x8x8xf32>
  } : (tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>,
       tensor<1x2x1x1xf32>) -> tensor<1x2x8x16xf16>
  graph.return %o : tensor<1x2x8x16xf16>
}

// Offsets and prefix sums of an unknown batch: an index stays within the list,
// reads within the memory, writes beyond it are left out.
// CHECK-LABEL: func.func @opgraph_symbols_reference(
// CHECK: %[[FLAT:.+]] = memref.reinterpret_cast
// CHECK: arith.minsi %{{.+}}, %{{.+}} : index
// CHECK: memref.load %arg3
// CHECK: memref.load %[[FLAT]]
// CHECK: scf.if
// CHECK: memref.store %{{.+}}, %reinterpret_cast
!q = tensor<?x2x?x16xf16, #graph.layout<order = [0, 1, 2, 3], symbols = ["B", "", "S", ""]>>
!l = tensor<?x1x1x1xi32, #graph.layout<order = [0, 1, 2, 3], symbols = ["B", "", "", ""]>>
!o = tensor<?x1x1x1xi32, #graph.layout<order = [0, 1, 2, 3], symbols = ["B1", "", "", ""]>>
graph.graph @symbols(%q: !q {graph.uid = 1 : i64}, %l: !l {graph.uid = 2 : i64},
    %off: !o {graph.uid = 3 : i64}, %cu: !o {graph.uid = 6 : i64})
    -> (!q {graph.uid = 5 : i64}) {
  %o = graph.sdpa %q, %q, %q seq_len_q %l cu_seq_len_kv %cu
      ragged_offset_q %off ragged_offset_o %off {use_padding_mask}
      : (!q, !q, !q, !l, !o, !o, !o) -> !q
  graph.return %o : !q
}

// A page's number stays within the container, keys within the pages.
// CHECK-LABEL: func.func @opgraph_pages_reference(
// CHECK: %[[LAST:.+]] = arith.subi %{{.+}}, %c1
// CHECK: memref.load %arg2
// CHECK: arith.maxsi
// CHECK: arith.minsi
// CHECK: memref.load %arg3
!t = tensor<?x1x?x1xi32, #graph.layout<order = [0, 1, 2, 3], symbols = ["B", "", "P", ""]>>
!c = tensor<?x2x4x16xf16, #graph.layout<order = [0, 1, 2, 3], symbols = ["N", "", "", ""]>>
graph.graph @pages(%q: !q {graph.uid = 1 : i64}, %l: !l {graph.uid = 2 : i64},
    %t: !t {graph.uid = 3 : i64}, %c: !c {graph.uid = 6 : i64})
    -> (!q {graph.uid = 5 : i64}) {
  %o = graph.sdpa %q, %c, %c seq_len_q %l seq_len_kv %l
      paged_attention_k_table %t paged_attention_v_table %t
      {use_padding_mask, paged_attention_max_seq_len_kv = 10 : i64}
      : (!q, !c, !c, !l, !l, !t, !t) -> !q
  graph.return %o : !q
}
