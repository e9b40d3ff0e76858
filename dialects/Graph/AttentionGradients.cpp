//===- AttentionGradients.cpp - Constraints of attention gradients -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/AttentionGradients.h"

using namespace mlir;
using namespace opgraph::graph;

//===----------------------------------------------------------------------===//
// Constraints of gradients
//===----------------------------------------------------------------------===//

LogicalResult opgraph::graph::checkFp8(Inference &inference,
                                       ArrayRef<NamedValue> values) {
  for (auto [name, value] : values)
    if (!isa<Float8E4M3FNType, Float8E5M2Type>(typeOf(value).getElementType()))
      return inference.error(ErrorKind::NotSupported)
             << "expected '" << name << "' to be f8E4M3FN or f8E5M2, got "
             << typeOf(value).getElementType();
  return success();
}

LogicalResult opgraph::graph::checkExtentsOf(Inference &inference,
                                             StringRef name, Value value,
                                             ArrayRef<Extent> expected) {
  Extents extents = getExtents(value);
  if (ArrayRef<Extent>(extents) == expected)
    return success();
  return inference.error(ErrorKind::ShapeDeduction)
         << "expected '" << name << "' to be " << printExtents(expected)
         << ", got " << printExtents(extents);
}

/// What the forward op made, [B, Hq, Sq, Dv], and its statistics.
LogicalResult opgraph::graph::checkForwardResults(const Attention &a,
                                                  Inference &inference,
                                                  ArrayRef<NamedValue> outputs,
                                                  Value stats) {
  Extents expected = getExtents(a.q);
  expected[3] = getExtents(a.v)[3];
  for (auto [name, value] : outputs)
    if (failed(checkExtentsOf(inference, name, value, expected)))
      return failure();
  expected[3] = Extent();
  return checkExtentsOf(inference, "Stats", stats, expected);
}

LogicalResult opgraph::graph::checkDropoutInverse(const Attention &a,
                                                  Inference &inference) {
  if (!a.dropoutMask || a.dropoutScaleInv)
    return success();
  return inference.error(ErrorKind::AttributeNotSet)
         << "expected 'Dropout_scale_inv' with 'Dropout_mask', got none";
}

LogicalResult opgraph::graph::checkSinkGradient(const Attention &a,
                                                bool isAsked,
                                                Inference &inference) {
  if (!isAsked || a.sinkToken)
    return success();
  return inference.error(ErrorKind::AttributeNotSet)
         << "expected 'SINK_TOKEN' where 'DSINK_TOKEN' is asked for, got none";
}

//===----------------------------------------------------------------------===//
// Block scales
//===----------------------------------------------------------------------===//

LogicalResult opgraph::graph::checkBlockScaleType(Inference &inference,
                                                  NamedValue scale) {
  auto [name, value] = scale;
  if (!isa<Float8E8M0FNUType>(typeOf(value).getElementType()))
    return inference.error(ErrorKind::AttributeNotSet)
           << "expected '" << name << "' to be f8E8M0FNU, got "
           << typeOf(value).getElementType();
  if (getReordering(typeOf(value)) != Reordering::F8_128x4)
    return inference.error(ErrorKind::AttributeNotSet)
           << "expected '" << name
           << "' to have reordering f8_128x4, got no reordering";
  return success();
}

LogicalResult opgraph::graph::checkBlockScaleExtents(Inference &inference,
                                                     NamedValue scale,
                                                     NamedValue data,
                                                     int axis) {
  constexpr int64_t kBlock = 32;
  Extents expected = getExtents(data.value);
  for (Extent &extent : MutableArrayRef<Extent>(expected).take_back(2))
    if (!extent.isStatic())
      return inference.error(ErrorKind::NotSupported)
             << "expected known extents of '" << data.name << "', got "
             << printExtents(getExtents(data.value));
  size_t blocks = expected.size() + axis, other = expected.size() - 3 - axis;
  expected[blocks].size = llvm::alignTo(
      llvm::divideCeil(uint64_t(expected[blocks].size), kBlock), 4);
  expected[other].size = llvm::alignTo(uint64_t(expected[other].size), 128);
  return checkExtentsOf(inference, scale.name, scale.value, expected);
}

LogicalResult opgraph::graph::checkBlockScaleAxis(Inference &inference,
                                                  NamedValue scale, int axis) {
  RankedTensorType type = typeOf(scale.value);
  // A matrix without elements lies nowhere.
  if (type.getNumElements() == 0 ||
      getScaleAxes(type).columnAxis == type.getRank() + axis)
    return success();
  return inference.error(ErrorKind::InvalidValue)
         << "expected the tiles of '" << scale.name
         << "' to have their columns along axis " << type.getRank() + axis
         << ", that of the blocks: declare stride 1 there and "
         << type.getDimSize(type.getRank() + axis) << " along axis "
         << type.getRank() - 3 - axis;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// dQ, dK and dV, results 0 to 2.
LogicalResult opgraph::graph::inferGradients(const Attention &a,
                                             Inference &inference,
                                             Type elementType) {
  Value operands[] = {a.q, a.k, a.v};
  for (auto [index, like] : llvm::enumerate(operands)) {
    if (failed(setExtents(inference, index, getExtents(like))))
      return failure();
    inference.setLike(index, typeOf(like));
    inference.setElementType(
        index, elementType ? elementType : typeOf(like).getElementType());
  }
  return success();
}

/// Results `first` to `last`, one number each.
LogicalResult opgraph::graph::inferAmax(Inference &inference, unsigned first,
                                        unsigned last) {
  for (unsigned index = first; index <= last; ++index)
    if (failed(setFloatResult(inference, index, Extents(4))))
      return failure();
  return success();
}

/// The gradient of the sink, if it is asked for.
LogicalResult opgraph::graph::inferSinkGradient(const Attention &a,
                                                Inference &inference,
                                                unsigned index) {
  Extents extents(4);
  extents[1] = getExtents(a.q)[1];
  return setFloatResult(inference, index, extents);
}
