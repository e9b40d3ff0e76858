//===- ReductionOp.cpp - Inference of graph.reduction ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/GraphDialect.h"
#include "dialects/Graph/GroupOffset.h"

using namespace mlir;
using namespace opgraph::graph;

/// Checks the extents of a reduction by groups of rows.
static LogicalResult checkGroups(Inference &inference, Value offsets,
                                 ArrayRef<Extent> x, ArrayRef<Extent> y) {
  // reduction_c5
  FailureOr<int64_t> groups = checkGroupOffset(inference, offsets);
  if (failed(groups))
    return failure();
  // reduction_c6
  if (x.size() != 3 || !x[0].isOne())
    return inference.error(ErrorKind::ShapeDeduction)
           << "expected 'X' with 'GROUP_OFFSET' to be 1xTxN, got "
           << printExtents(x);
  Extent count{*groups, {}};
  if (y[0] == count && y[1].isOne() && (y[2].isOne() || y[2] == x[2]))
    return success();
  return inference.error(ErrorKind::ShapeDeduction)
         << "expected 'Y' with " << *groups << " groups to be "
         << printExtents({count, Extent(), x[2]}) << " or "
         << printExtents({count, Extent(), Extent()}) << ", got "
         << printExtents(y);
}

LogicalResult ReductionOp::inferResults(Inference &inference) {
  if (failed(inference.requireDims(0)))
    return failure();
  Extents x = getExtents(getInput()), y = getExtents(inference.result(0));
  // reduction_c1
  if (x.size() != y.size())
    return inference.error(ErrorKind::ShapeDeduction)
           << "expected 'Y' to have the rank of 'X' (" << x.size() << "), got "
           << y.size();
  // reduction_c2
  for (size_t axis = 0; !getGroupOffset() && axis < x.size(); ++axis)
    if (!y[axis].isOne() && y[axis] != x[axis])
      return inference.error(ErrorKind::ShapeDeduction)
             << "expected dim " << axis << " of 'Y' to be 1 or that of 'X' ("
             << printExtent(x[axis]) << "), got " << printExtent(y[axis]);
  if (getGroupOffset() &&
      failed(checkGroups(inference, getGroupOffset(), x, y)))
    return failure();
  // reduction_c3
  if ((getMode() == ReductionMode::AVG || getMode() == ReductionMode::NORM2) &&
      failed(requireFloatCompute(inference, getEffectiveComputeType())))
    return failure();
  // reduction_c4
  if (failed(requireNumericCompute(inference, getEffectiveComputeType())))
    return failure();
  inference.setPacked(0, channelsLastOrder(y.size()));
  return success();
}
