//===- ConcatenateOp.cpp - Inference of concatenate and constant ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Extents.h"
#include "dialects/Graph/GraphDialect.h"
#include "dialects/Graph/Storage.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace opgraph::graph;

//===----------------------------------------------------------------------===//
// ConcatenateOp
//===----------------------------------------------------------------------===//

/// Checks input `index` against input 0 on every axis but `axis`, and its
/// element type.
static LogicalResult checkInput(Inference &inference, int64_t index,
                                RankedTensorType input, RankedTensorType first,
                                int64_t axis) {
  Extents extents = getExtents(input), expected = getExtents(first);
  // concatenate_c3
  if (extents.size() != expected.size())
    return inference.error(ErrorKind::ShapeDeduction)
           << "expected input " << index << " to have the rank of input 0 ("
           << expected.size() << "), got " << extents.size();
  for (size_t other = 0; other < extents.size(); ++other)
    if (static_cast<int64_t>(other) != axis &&
        extents[other] != expected[other])
      return inference.error(ErrorKind::ShapeDeduction)
             << "expected dim " << other << " of input " << index << " ("
             << printExtent(extents[other]) << ") to match that of input 0 ("
             << printExtent(expected[other]) << ")";
  // concatenate_c5
  if (input.getElementType() != first.getElementType())
    return inference.error(ErrorKind::InvalidValue)
           << "expected input " << index
           << " to have the element type of input 0 (" << first.getElementType()
           << "), got " << input.getElementType();
  return success();
}

LogicalResult ConcatenateOp::inferResults(Inference &inference) {
  // concatenate_c1
  if (getInputs().empty())
    return inference.error(ErrorKind::InvalidValue)
           << "expected at least one input";
  RankedTensorType first = typeOf(getInputs().front());
  int64_t axis = getAxis(), count = getInputs().size();
  // concatenate_c2
  if (axis < 0 || axis >= first.getRank())
    return inference.error(ErrorKind::InvalidValue)
           << "expected 'axis' to be in [0, " << first.getRank() << "), got "
           << axis;
  Extents y = getExtents(first);
  for (int64_t index = 1; index < count; ++index) {
    RankedTensorType input = typeOf(getInputs()[index]);
    if (failed(checkInput(inference, index, input, first, axis)))
      return failure();
    // concatenate_c4
    if (!y[axis].isStatic() || input.isDynamicDim(axis))
      return inference.error(ErrorKind::NotSupported)
             << "expected static extents along axis " << axis
             << " of several inputs, since a sum of symbols has no name";
    if (llvm::AddOverflow(y[axis].size, input.getDimSize(axis), y[axis].size))
      return inference.error(ErrorKind::InvalidValue)
             << "expected the sum of the extents along axis " << axis
             << " to fit in 63 bits, got an overflow";
  }
  // concatenate_c6
  if (getInPlaceIndex() && (*getInPlaceIndex() < 0 ||
                            static_cast<int64_t>(*getInPlaceIndex()) >= count))
    return inference.error(ErrorKind::InvalidValue)
           << "expected 'in_place_index' to be in [0, " << count << "), got "
           << *getInPlaceIndex();
  if (failed(setExtents(inference, 0, y)))
    return failure();
  inference.setLike(0, first);
  return requireElementType(inference, 0, first.getElementType(), "input 0");
}

OpFoldResult ConcatenateOp::fold(FoldAdaptor) {
  if (getInputs().size() == 1 &&
      getInputs().front().getType() == getY().getType() && !isReturned(getY()))
    return getInputs().front();
  return {};
}

//===----------------------------------------------------------------------===//
// ConstantOp
//===----------------------------------------------------------------------===//

LogicalResult ConstantOp::inferResults(Inference &inference) {
  // constant_c1
  if (!isa<IntegerAttr, FloatAttr>(getValue()))
    return inference.error(ErrorKind::InvalidValue)
           << "expected 'value' to be an integer or a float, got "
           << getValue();
  if (!isElementValue(getValue()))
    return inference.error(ErrorKind::InvalidValue)
           << "expected 'value' to be a value of f8E8M0FNU, which are "
              "positive, "
              "got "
           << getValue();
  ResultSpec &result = inference.result(0);
  if (!result.dims)
    if (failed(setExtents(inference, 0, Extent())))
      return failure();
  // constant_c2
  if (llvm::any_of(*result.dims, [](int64_t size) { return size != 1; }))
    return inference.error(ErrorKind::ShapeDeduction)
           << "expected every extent to be 1, got "
           << printExtents(getExtents(result));
  inference.setPacked(0, rowMajorOrder(result.dims->size()));
  // constant_c3
  return requireElementType(inference, 0, getValue().getType(), "'value'");
}
