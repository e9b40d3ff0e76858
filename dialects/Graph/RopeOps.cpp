//===- RopeOps.cpp - Inference of rope and its gradient -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Extents.h"
#include "dialects/Graph/GraphDialect.h"

using namespace mlir;
using namespace opgraph::graph;

/// Rank and element type of one operand.
static LogicalResult checkOperand(Inference &inference, StringRef name,
                                  RankedTensorType type) {
  // rope_c1, rope_backward_c1
  if (type.getRank() != 4)
    return inference.error(ErrorKind::ShapeDeduction)
           << "expected '" << name << "' to have rank 4, got "
           << type.getRank();
  // rope_c2, rope_backward_c2
  if (!isa<FloatType>(type.getElementType()))
    return inference.error(ErrorKind::NotSupported)
           << "expected '" << name << "' to be floating point, got "
           << type.getElementType();
  return success();
}

/// What both ops share; `value` is the operand called `name`.
static LogicalResult inferRotation(Inference &inference, StringRef name,
                                   Value value, Value freqs, int64_t ropeDim,
                                   Type computeType) {
  RankedTensorType type = typeOf(value), freqsType = typeOf(freqs);
  if (failed(checkOperand(inference, name, type)) ||
      failed(checkOperand(inference, "FREQS", freqsType)))
    return failure();
  // rope_c3, rope_backward_c3
  Extents extents = getExtents(type);
  const Extent &channels = extents[3];
  if (!channels.isStatic())
    return inference.error(ErrorKind::NotSupported)
           << "expected dim 3 of '" << name << "' to be a number, got "
           << printExtent(channels);
  int64_t rotated = ropeDim == 0 ? channels.size : ropeDim;
  if (rotated < 0 || rotated > channels.size || rotated % 2 != 0)
    return inference.error(ErrorKind::InvalidValue)
           << "expected 'rope_dim' (" << ropeDim
           << "; 0 means all channels) to be even and at most the "
           << channels.size << " channels of '" << name << "'";
  // rope_c4, rope_backward_c4
  Extents expected = {extents[2], {}, {}, {rotated, {}}};
  if (getExtents(freqsType) != expected)
    return inference.error(ErrorKind::ShapeDeduction)
           << "expected 'FREQS' to be " << printExtents(expected) << ", got "
           << printExtents(getExtents(freqsType));
  // rope_c5, rope_backward_c5
  if (failed(requireFloatCompute(inference, computeType)) ||
      failed(setExtents(inference, 0, extents)))
    return failure();
  inference.setLayoutOf(0, type);
  return success();
}

LogicalResult RopeOp::inferResults(Inference &inference) {
  return inferRotation(inference, "X", getInput(), getFreqs(), getRopeDim(),
                       getEffectiveComputeType());
}

LogicalResult RopeBackwardOp::inferResults(Inference &inference) {
  return inferRotation(inference, "DY", getDY(), getFreqs(), getRopeDim(),
                       getEffectiveComputeType());
}
