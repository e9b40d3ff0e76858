//===- ConvOps.cpp - Inference of convolutions ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/GraphDialect.h"
#include "dialects/Graph/Window.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace opgraph::graph;

namespace {
/// The rules of the three convolutions, which are all about an image, a filter
/// and the result of conv_fprop on them.
class ConvRules {
public:
  template <typename OpTy>
  ConvRules(OpTy op, Inference &inference, StringRef imageName,
            StringRef filterName)
      : inference(inference), imageName(imageName), filterName(filterName),
        prePadding(op.getPrePadding()), postPadding(op.getPostPadding()),
        stride(op.getStride()), dilation(op.getDilation()),
        computeType(op.getEffectiveComputeType()) {}

  /// What does not depend on extents, but for the number of spatial axes.
  LogicalResult checkAttributes(size_t rank);
  /// The extents of conv_fprop's result.
  LogicalResult inferForward(ArrayRef<Extent> image, ArrayRef<Extent> filter,
                             Extents &result);
  LogicalResult checkRank(StringRef name, ArrayRef<Extent> extents,
                          StringRef otherName, ArrayRef<Extent> other);
  /// conv_fprop's result has to have the extents of the given gradient.
  LogicalResult checkGradient(ArrayRef<Extent> image, ArrayRef<Extent> filter,
                              ArrayRef<Extent> gradient);
  /// The least image with one group that gives `gradient`.
  LogicalResult inferImage(ArrayRef<Extent> filter, ArrayRef<Extent> gradient,
                           Extents &image);

private:
  LogicalResult checkGroups(const Extent &channels, ArrayRef<Extent> filter);
  LogicalResult checkKernel(ArrayRef<Extent> filter);
  SlidingWindow getWindow(ArrayRef<Extent> filter, size_t spatial) const;

  Inference &inference;
  StringRef imageName, filterName;
  ArrayRef<int64_t> prePadding, postPadding, stride, dilation;
  Type computeType;
};
} // namespace

LogicalResult ConvRules::checkRank(StringRef name, ArrayRef<Extent> extents,
                                   StringRef otherName,
                                   ArrayRef<Extent> other) {
  // conv_fprop_c1, conv_dgrad_c1, conv_wgrad_c1
  if (failed(checkSpatialRank(inference, name, extents)))
    return failure();
  if (extents.size() == other.size())
    return success();
  return inference.error(ErrorKind::ShapeDeduction)
         << "expected '" << otherName << "' to have the rank of '" << name
         << "' (" << extents.size() << "), got " << other.size();
}

LogicalResult ConvRules::checkAttributes(size_t rank) {
  const std::tuple<StringRef, ArrayRef<int64_t>, int64_t> attributes[] = {
      {"pre_padding", prePadding, 0},
      {"post_padding", postPadding, 0},
      {"stride", stride, 1},
      {"dilation", dilation, 1}};
  // conv_fprop_c2, conv_dgrad_c2, conv_wgrad_c2
  // conv_fprop_c3, conv_dgrad_c3, conv_wgrad_c3
  for (auto [name, entries, least] : attributes)
    if (failed(checkEntries(inference, name, entries, rank - firstSpatialAxis,
                            least)))
      return failure();
  // conv_fprop_c8, conv_dgrad_c8, conv_wgrad_c8
  return requireNumericCompute(inference, computeType);
}

LogicalResult ConvRules::checkGroups(const Extent &channels,
                                     ArrayRef<Extent> filter) {
  const Extent &own = filter[1], &outputs = filter[0];
  // conv_fprop_c4, conv_dgrad_c4, conv_wgrad_c4
  if (channels == own)
    return success();
  bool isMultiple = channels.isStatic() && own.isStatic() &&
                    channels.size > 0 && own.size > 0 &&
                    channels.size % own.size == 0;
  if (!isMultiple)
    return inference.error(ErrorKind::ShapeDeduction)
           << "expected dim 1 of '" << imageName << "' ("
           << printExtent(channels) << ") to be a multiple of dim 1 of '"
           << filterName << "' (" << printExtent(own) << ")";
  int64_t groups = channels.size / own.size;
  if (outputs.isStatic() && outputs.size % groups == 0)
    return success();
  return inference.error(ErrorKind::ShapeDeduction)
         << "expected dim 0 of '" << filterName << "' (" << printExtent(outputs)
         << ") to be a multiple of the " << groups << " groups";
}

LogicalResult ConvRules::checkKernel(ArrayRef<Extent> filter) {
  // conv_fprop_c5, conv_dgrad_c5, conv_wgrad_c5
  for (size_t axis = firstSpatialAxis; axis < filter.size(); ++axis)
    if (!filter[axis].isStatic() || filter[axis].size < 1)
      return inference.error(ErrorKind::ShapeDeduction)
             << "expected dim " << axis << " of '" << filterName
             << "' to be a number of at least 1, got "
             << printExtent(filter[axis]);
  return success();
}

SlidingWindow ConvRules::getWindow(ArrayRef<Extent> filter,
                                   size_t spatial) const {
  int64_t kernel = filter[firstSpatialAxis + spatial].size, reach;
  // What overflows fits nowhere.
  constexpr int64_t tooLarge = int64_t(1) << 62;
  if (llvm::MulOverflow(kernel - 1, dilation[spatial], reach) ||
      reach > tooLarge)
    reach = tooLarge;
  return {1, prePadding[spatial], postPadding[spatial], stride[spatial],
          reach + 1};
}

LogicalResult ConvRules::inferForward(ArrayRef<Extent> image,
                                      ArrayRef<Extent> filter,
                                      Extents &result) {
  if (failed(checkGroups(image[1], filter)) || failed(checkKernel(filter)))
    return failure();
  result.assign({image[0], filter[0]});
  for (size_t axis = firstSpatialAxis; axis < image.size(); ++axis) {
    // conv_fprop_c6, conv_dgrad_c6, conv_wgrad_c6
    // conv_fprop_c7, conv_dgrad_c7, conv_wgrad_c7
    FailureOr<Extent> positions =
        countPositions(inference, imageName, axis, image[axis],
                       getWindow(filter, axis - firstSpatialAxis));
    if (failed(positions))
      return failure();
    result.push_back(*positions);
  }
  return success();
}

LogicalResult ConvRules::checkGradient(ArrayRef<Extent> image,
                                       ArrayRef<Extent> filter,
                                       ArrayRef<Extent> gradient) {
  Extents forward;
  if (failed(inferForward(image, filter, forward)))
    return failure();
  // conv_dgrad_c9, conv_wgrad_c9
  if (gradient == ArrayRef<Extent>(forward))
    return success();
  return inference.error(ErrorKind::ShapeDeduction)
         << "expected 'DY' to be " << printExtents(forward)
         << ", as conv_fprop of '" << imageName << "' (" << printExtents(image)
         << ") and '" << filterName << "' (" << printExtents(filter)
         << ") is, got " << printExtents(gradient);
}

LogicalResult ConvRules::inferImage(ArrayRef<Extent> filter,
                                    ArrayRef<Extent> gradient, Extents &image) {
  if (failed(checkKernel(filter)))
    return failure();
  image.assign({gradient[0], filter[1]});
  for (size_t axis = firstSpatialAxis; axis < gradient.size(); ++axis) {
    if (!gradient[axis].isStatic()) {
      image.push_back(gradient[axis]);
      continue;
    }
    std::optional<int64_t> extent = leastExtent(
        gradient[axis].size, getWindow(filter, axis - firstSpatialAxis));
    // conv_dgrad_c9
    if (!extent)
      return inference.error(ErrorKind::ShapeDeduction)
             << "expected dim " << axis << " of 'DY' to be that of some "
             << "convolution with these attributes, got "
             << printExtent(gradient[axis]);
    image.push_back({*extent, {}});
  }
  return success();
}

/// Unnamed symbols of a declared result are those of the operand they equal.
static void takeSymbol(Extent &declared, const Extent &known) {
  if (!declared.isStatic() && !declared.symbol)
    declared.symbol = known.symbol;
}

LogicalResult ConvFpropOp::inferResults(Inference &inference) {
  Extents x = getExtents(getImage()), w = getExtents(getWeight()), y;
  ConvRules rules(*this, inference, "X", "W");
  if (failed(rules.checkRank("X", x, "W", w)) ||
      failed(rules.checkAttributes(x.size())) ||
      failed(rules.inferForward(x, w, y)) ||
      failed(setExtents(inference, 0, y)))
    return failure();
  inference.setPacked(0, channelsLastOrder(y.size()));
  return success();
}

LogicalResult ConvDgradOp::inferResults(Inference &inference) {
  Extents dy = getExtents(getLoss()), w = getExtents(getFilter()), dx;
  ConvRules rules(*this, inference, "DX", "W");
  if (failed(rules.checkRank("DY", dy, "W", w)) ||
      failed(rules.checkAttributes(dy.size())))
    return failure();
  if (!inference.result(0).dims) {
    if (failed(rules.inferImage(w, dy, dx)))
      return failure();
  } else {
    dx = getExtents(inference.result(0));
    if (failed(rules.checkRank("DY", dy, "DX", dx)))
      return failure();
    for (size_t axis = 0; axis < dx.size(); ++axis)
      takeSymbol(dx[axis], axis == 1 ? w[1] : dy[axis]);
  }
  if (failed(rules.checkGradient(dx, w, dy)) ||
      failed(setExtents(inference, 0, dx)))
    return failure();
  inference.setPacked(0, channelsLastOrder(dx.size()));
  return success();
}

LogicalResult ConvWgradOp::inferResults(Inference &inference) {
  // conv_wgrad_c10
  if (failed(inference.requireDims(0)))
    return failure();
  Extents x = getExtents(getImage()), dy = getExtents(getLoss()),
          dw = getExtents(inference.result(0));
  ConvRules rules(*this, inference, "X", "DW");
  if (failed(rules.checkRank("X", x, "DY", dy)) ||
      failed(rules.checkRank("X", x, "DW", dw)) ||
      failed(rules.checkAttributes(x.size())))
    return failure();
  takeSymbol(dw[0], dy[1]);
  takeSymbol(dw[1], x[1]);
  if (failed(rules.checkGradient(x, dw, dy)) ||
      failed(setExtents(inference, 0, dw)))
    return failure();
  inference.setPacked(0, channelsLastOrder(dw.size()));
  return success();
}
