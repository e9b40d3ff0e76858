//===- AtomicReductions.cpp - Reductions that need no portions ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Transforms/AtomicReductions.h"
#include "dialects/Graph/Extents.h"
#include "passes/Transforms/ReductionSplit.h"

#include <algorithm>

using namespace mlir;
using namespace opgraph;
using namespace opgraph::graph;

/// Of a reduction of which portions are combined in the result's own type.
static AtomicCombining getCombining(ReductionOp op) {
  Type type = op.getEffectiveComputeType();
  bool isResult = op.getY().hasOneUse() &&
                  isa<graph::ReturnOp>(*op.getY().user_begin()) &&
                  typeOf(op.getY()).getElementType() == type;
  bool isInteger = type.isInteger(32) || type.isInteger(64);
  if (!isResult || !(isInteger || type.isF32() || type.isF64()))
    return AtomicCombining::None;
  switch (op.getMode()) {
  case ReductionMode::ADD:
  case ReductionMode::NORM1:
    return isInteger ? AtomicCombining::Exact : AtomicCombining::InAnyOrder;
  case ReductionMode::MIN:
  case ReductionMode::MAX:
    return isInteger ? AtomicCombining::Exact : AtomicCombining::None;
  case ReductionMode::AMAX:
    // As integers, floats that are not negative are in the same order, and NaN
    // is above all.
    return type.isF64() ? AtomicCombining::None : AtomicCombining::Exact;
  default:
    return AtomicCombining::None;
  }
}

AtomicCombining opgraph::getAtomicCombining(GraphOp graph,
                                            const ReductionSplit &split) {
  AtomicCombining all = AtomicCombining::None;
  for (Operation &op : graph.getBody().front().without_terminator()) {
    if (isa<TransposeOp, SliceOp, ReshapeOp, ConcatenateOp>(op))
      return AtomicCombining::None;
    auto reduction = dyn_cast<ReductionOp>(op);
    if (!reduction || split.getSplits(reduction) == 1)
      continue;
    AtomicCombining own = getCombining(reduction);
    if (own == AtomicCombining::None)
      return own;
    all = std::max(all, own);
  }
  return all;
}
