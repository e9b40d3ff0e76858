// RUN: graph-opt %s --graph-legalize-host-reference | FileCheck %s
// Ragged and paged operands in the plan program: the bytes of a ragged one are
// those of the rows in total, where declared.

!q = tensor<2x4x8x16xf16, #graph.layout<strides = [512, 16, 64, 1]>>
!len = tensor<2x1x1x1xi32>
!off = tensor<3x1x1x1xi64>

// CHECK-DAG: #[[$Q_BYTES:.+]] = affine_map<() -> (1280)>
// CHECK-LABEL: plan.program @ragged
// CHECK: plan.operand "q" uid 1
// CHECK-SAME: storage ragged
// CHECK-SAME: storage_bytes = #[[$Q_BYTES]]
// CHECK: plan.operand "k" uid 2
// CHECK-SAME: storage paged
// CHECK: plan.operand "v" uid 3
// CHECK-NOT: storage
// CHECK: plan.operand "o" uid 20
// CHECK-SAME: storage ragged
graph.graph @ragged(%q: !q {graph.uid = 1 : i64, graph.name = "q"},
    %k: tensor<9x4x2x16xf16> {graph.uid = 2 : i64, graph.name = "k"},
    %v: tensor<2x4x10x16xf16> {graph.uid = 3 : i64, graph.name = "v"},
    %ql: !len {graph.uid = 4 : i64}, %kl: !len {graph.uid = 5 : i64},
    %kt: tensor<2x1x5x1xi32> {graph.uid = 6 : i64},
    %off: !off {graph.uid = 7 : i64})
    -> (!q {graph.uid = 20 : i64, graph.name = "o"}) {
  %o = graph.sdpa %q, %k, %v seq_len_q %ql seq_len_kv %kl
      paged_attention_k_table %kt ragged_offset_q %off ragged_offset_o %off
      {use_padding_mask, max_total_seq_len_q = 10 : i64}
      : (!q, tensor<9x4x2x16xf16>, tensor<2x4x10x16xf16>, !len, !len,
         tensor<2x1x5x1xi32>, !off, !off) -> !q
  graph.return %o : !q
}

// Batches of a ragged result may overlap as declared: offsets say where they
// are. An operand that another op reads as declared is dense.
!packed = tensor<2x4x8x16xf16, #graph.layout<strides = [1, 16, 64, 1]>>

// CHECK-LABEL: plan.program @overlapping
// CHECK: plan.operand "q" uid 1
// CHECK-NOT: storage
// CHECK: plan.operand "o" uid 20
// CHECK-SAME: storage ragged
// CHECK-NOT: storage_bytes
// CHECK: plan.operand
graph.graph @overlapping(%q: !q {graph.uid = 1 : i64, graph.name = "q"},
    %ql: !len {graph.uid = 4 : i64}, %kl: !len {graph.uid = 5 : i64},
    %off: !off {graph.uid = 7 : i64})
    -> (!packed {graph.uid = 20 : i64, graph.name = "o"},
        !q {graph.uid = 21 : i64}) {
  %k = graph.neg %q : (!q) -> !q
  %o = graph.sdpa %q, %k, %k seq_len_q %ql seq_len_kv %kl
      ragged_offset_q %off ragged_offset_o %off {use_padding_mask}
      : (!q, !q, !q, !len, !len, !off, !off) -> !packed
  graph.return %o, %k : !packed, !q
}
