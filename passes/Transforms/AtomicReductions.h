//===- AtomicReductions.h - Reductions that need no portions ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Portions of a reduction may be combined by atomics in the memory of the
// result, where that is all that there is to do. What says so is shared by
// planning, which offers it as a plan, and by legalization.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_TRANSFORMS_ATOMICREDUCTIONS_H
#define OPGRAPH_PASSES_TRANSFORMS_ATOMICREDUCTIONS_H

namespace opgraph {

namespace graph {
class GraphOp;
} // namespace graph
class ReductionSplit;

enum class AtomicCombining {
  /// Some reduction in portions cannot, or there is none.
  None,
  /// The results are the same whatever the order.
  Exact,
  /// Their last bits depend on the order.
  InAnyOrder
};

/// How all reductions in portions of `graph` can be combined by atomics.
/// `graph` has static extents, and pointwise ops and reductions only.
AtomicCombining getAtomicCombining(graph::GraphOp graph,
                                   const ReductionSplit &split);

} // namespace opgraph

#endif // OPGRAPH_PASSES_TRANSFORMS_ATOMICREDUCTIONS_H
