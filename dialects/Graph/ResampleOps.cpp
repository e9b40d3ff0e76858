//===- ResampleOps.cpp - Inference of resample and its gradient -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/GraphDialect.h"
#include "dialects/Graph/Window.h"

using namespace mlir;
using namespace opgraph::graph;

/// Whether a window combines several whole elements.
static bool isPooling(ResampleMode mode) {
  return mode != ResampleMode::BILINEAR && mode != ResampleMode::NEAREST;
}

namespace {
/// The rules of both ops, which are about an image and the result of resample
/// on it.
class ResampleRules {
public:
  template <typename OpTy>
  ResampleRules(OpTy op, Inference &inference, StringRef imageName)
      : inference(inference), imageName(imageName), mode(op.getResampleMode()),
        paddingMode(op.getPaddingMode()), window(op.getWindow()),
        stride(op.getStride()), prePadding(op.getPrePadding()),
        postPadding(op.getPostPadding()), denominator(op.getDenominator()),
        computeType(op.getEffectiveComputeType()) {}

  /// What does not depend on extents, but for the number of spatial axes.
  LogicalResult checkAttributes(size_t rank);
  /// The extents of resample's result.
  LogicalResult inferForward(ArrayRef<Extent> image, Extents &result);
  /// Checks the element type of `Index`.
  LogicalResult checkIndexType(Type type, bool holdsPositions);
  /// Positions of a window.
  int64_t countTaps() const;

private:
  LogicalResult checkArrays(size_t count);
  LogicalResult checkMode();

  Inference &inference;
  StringRef imageName;
  ResampleMode mode;
  PaddingMode paddingMode;
  ArrayRef<int64_t> window, stride, prePadding, postPadding;
  int64_t denominator;
  Type computeType;
};
} // namespace

int64_t ResampleRules::countTaps() const {
  int64_t taps = 1;
  // Entries are below the limit, and the product stops growing there.
  for (int64_t entry : window)
    taps = std::min(taps * entry, windowLimit);
  return taps;
}

LogicalResult ResampleRules::checkArrays(size_t count) {
  int64_t leastPadding = isPooling(mode) ? 0 : 1 - windowLimit;
  const std::tuple<StringRef, ArrayRef<int64_t>, int64_t> attributes[] = {
      {"window", window, 1},
      {"stride", stride, 1},
      {"pre_padding", prePadding, leastPadding},
      {"post_padding", postPadding, leastPadding}};
  // resample_c2, resample_c3, resample_backward_c2, resample_backward_c3
  for (auto [name, entries, least] : attributes)
    if (failed(checkEntries(inference, name, entries, count, least)))
      return failure();
  if (denominator < 1 || denominator >= windowLimit)
    return inference.error(ErrorKind::InvalidValue)
           << "expected 'denominator' to be from 1 to " << windowLimit - 1
           << ", got " << denominator;
  if (countTaps() == windowLimit)
    return inference.error(ErrorKind::InvalidValue)
           << "expected the product of the entries of 'window' to be below "
           << windowLimit << ", got more";
  return success();
}

LogicalResult ResampleRules::checkMode() {
  // resample_c4, resample_backward_c4
  if (isPooling(mode)) {
    if (denominator != 1)
      return inference.error(ErrorKind::NotSupported)
             << "expected 'denominator' to be 1 in mode '"
             << stringifyResampleMode(mode) << "', got " << denominator;
  } else {
    int64_t expected = mode == ResampleMode::BILINEAR ? 2 : 1;
    for (int64_t entry : window)
      if (entry != expected)
        return inference.error(ErrorKind::NotSupported)
               << "expected the entries of 'window' to be " << expected
               << " in mode '" << stringifyResampleMode(mode) << "', got "
               << entry;
  }
  // resample_c5, resample_backward_c5
  if (paddingMode == PaddingMode::NEG_INF_PAD && mode != ResampleMode::MAXPOOL)
    return inference.error(ErrorKind::NotSupported)
           << "expected 'padding_mode' neg_inf_pad only with mode 'maxpool', "
              "got mode '"
           << stringifyResampleMode(mode) << "'";
  // resample_c9, resample_backward_c9
  if (mode == ResampleMode::MAXPOOL || mode == ResampleMode::NEAREST)
    return requireNumericCompute(inference, computeType);
  return requireFloatCompute(inference, computeType);
}

LogicalResult ResampleRules::checkAttributes(size_t rank) {
  if (failed(checkArrays(rank - firstSpatialAxis)))
    return failure();
  return checkMode();
}

LogicalResult ResampleRules::inferForward(ArrayRef<Extent> image,
                                          Extents &result) {
  bool readsNearest =
      paddingMode == PaddingMode::EDGE_VAL_PAD || mode == ResampleMode::NEAREST;
  result.assign({image[0], image[1]});
  for (size_t axis = firstSpatialAxis; axis < image.size(); ++axis) {
    size_t spatial = axis - firstSpatialAxis;
    // resample_c8, resample_backward_c8
    if (readsNearest && image[axis].size == 0)
      return inference.error(ErrorKind::ShapeDeduction)
             << "expected dim " << axis << " of '" << imageName
             << "' to be at least 1, since padding reads the nearest element, "
                "got 0";
    // resample_c6, resample_backward_c6, resample_c7, resample_backward_c7
    FailureOr<Extent> positions =
        countPositions(inference, imageName, axis, image[axis],
                       {denominator, prePadding[spatial], postPadding[spatial],
                        stride[spatial], window[spatial] * denominator});
    if (failed(positions))
      return failure();
    result.push_back(*positions);
  }
  return success();
}

LogicalResult ResampleRules::checkIndexType(Type type, bool holdsPositions) {
  // resample_c11, resample_backward_c11
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer || integer.getWidth() < 8)
    return inference.error(ErrorKind::NotSupported)
           << "expected 'Index' to be an integer of at least 8 bits, got "
           << type;
  unsigned bits = integer.getWidth() - (integer.isUnsigned() ? 0 : 1);
  int64_t taps = countTaps();
  if (!holdsPositions || bits >= 31 || taps <= (int64_t(1) << bits))
    return success();
  return inference.error(ErrorKind::NotSupported)
         << "expected 'Index' to hold the " << taps
         << " positions of a window, got " << type;
}

LogicalResult ResampleOp::inferResults(Inference &inference) {
  Extents x = getExtents(getInput()), y;
  ResampleRules rules(*this, inference, "X");
  // resample_c1
  if (failed(checkSpatialRank(inference, "X", x)) ||
      failed(rules.checkAttributes(x.size())) ||
      failed(rules.inferForward(x, y)))
    return failure();
  // resample_c10: whether there is an Index follows from isResultPresent.
  if (getGenerateIndex() && getResampleMode() != ResampleMode::MAXPOOL)
    return inference.error(ErrorKind::InvalidValue)
           << "expected 'generate_index' only with mode 'maxpool', got mode '"
           << stringifyResampleMode(getResampleMode()) << "'";
  for (unsigned index = 0; index < (getGenerateIndex() ? 2u : 1u); ++index) {
    if (failed(setExtents(inference, index, y)))
      return failure();
    inference.setPacked(index, channelsLastOrder(y.size()));
  }
  if (!getGenerateIndex())
    return success();
  inference.setElementType(
      1, IntegerType::get(getContext(), rules.countTaps() <= 128 ? 8 : 32));
  return rules.checkIndexType(inference.result(1).elementType,
                              /*holdsPositions=*/true);
}

bool ResampleOp::isResultPresent(unsigned index, DictionaryAttr attributes,
                                 llvm::function_ref<bool(StringRef)>) {
  return index == 0 || attributes.contains("generate_index");
}

/// Checks which operands are there, and `Index`.
static LogicalResult checkChoice(ResampleBackwardOp op, Inference &inference,
                                 ResampleRules &rules) {
  Value x = op.getInput(), index = op.getIndex();
  // resample_backward_c10
  bool isMax = op.getResampleMode() == ResampleMode::MAXPOOL;
  if (isMax && static_cast<bool>(x) == static_cast<bool>(index))
    return inference.error(ErrorKind::AttributeNotSet)
           << "expected exactly one of 'X' and 'Index' in mode 'maxpool', got "
           << (x ? "both" : "none");
  if (!index)
    return success();
  if (!isMax)
    return inference.error(ErrorKind::InvalidValue)
           << "expected no 'Index' in mode '"
           << stringifyResampleMode(op.getResampleMode()) << "', got one";
  Extents dy = getExtents(op.getLoss());
  // resample_backward_c11
  if (getExtents(index) != dy)
    return inference.error(ErrorKind::ShapeDeduction)
           << "expected 'Index' to have the extents of 'DY' ("
           << printExtents(dy) << "), got " << printExtents(getExtents(index));
  return rules.checkIndexType(typeOf(index).getElementType(),
                              /*holdsPositions=*/false);
}

LogicalResult ResampleBackwardOp::inferResults(Inference &inference) {
  Extents dy = getExtents(getLoss()), dx, forward;
  ResampleRules rules(*this, inference, "DX");
  // resample_backward_c1
  if (failed(checkSpatialRank(inference, "DY", dy)) ||
      failed(rules.checkAttributes(dy.size())) ||
      failed(checkChoice(*this, inference, rules)))
    return failure();
  // resample_backward_c13
  if (!getInput() && failed(inference.requireDims(0)))
    return failure();
  dx = getInput() ? getExtents(getInput()) : getExtents(inference.result(0));
  // resample_backward_c1
  if (dx.size() != dy.size())
    return inference.error(ErrorKind::ShapeDeduction)
           << "expected '" << (getInput() ? "X" : "DX")
           << "' to have the rank of 'DY' (" << dy.size() << "), got "
           << dx.size();
  for (auto [declared, known] : llvm::zip_equal(dx, dy))
    if (!declared.isStatic() && !declared.symbol)
      declared.symbol = known.symbol;
  if (failed(rules.inferForward(dx, forward)))
    return failure();
  // resample_backward_c12
  if (dy != forward)
    return inference.error(ErrorKind::ShapeDeduction)
           << "expected 'DY' to be " << printExtents(forward)
           << ", as resample of 'DX' (" << printExtents(dx) << ") is, got "
           << printExtents(dy);
  if (failed(setExtents(inference, 0, dx)))
    return failure();
  inference.setPacked(0, channelsLastOrder(dx.size()));
  return success();
}
