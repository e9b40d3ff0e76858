//===- ReductionOp.cpp - Inference of graph.reduction ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Extents.h"
#include "dialects/Graph/GraphDialect.h"

using namespace mlir;
using namespace opgraph::graph;

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
  for (size_t axis = 0; axis < x.size(); ++axis)
    if (!y[axis].isOne() && y[axis] != x[axis])
      return inference.error(ErrorKind::ShapeDeduction)
             << "expected dim " << axis << " of 'Y' to be 1 or that of 'X' ("
             << printExtent(x[axis]) << "), got " << printExtent(y[axis]);
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
