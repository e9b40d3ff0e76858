//===- Window.cpp - Windows that slide over spatial axes ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Window.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace opgraph::graph;

/// Padded extents are below this many units, so that positions can be computed
/// with, and doubled, without overflow.
static constexpr int64_t unitLimit = int64_t(1) << 60;

LogicalResult opgraph::graph::checkSpatialRank(Inference &inference,
                                               StringRef name,
                                               ArrayRef<Extent> extents) {
  size_t rank = extents.size();
  if (rank > firstSpatialAxis && rank <= firstSpatialAxis + maxSpatialAxes)
    return success();
  return inference.error(ErrorKind::ShapeDeduction)
         << "expected '" << name
         << "' to have a batch axis, a channel axis and 1 to 3 spatial axes, "
            "got rank "
         << rank;
}

LogicalResult opgraph::graph::checkEntries(Inference &inference, StringRef name,
                                           ArrayRef<int64_t> entries,
                                           size_t count, int64_t least) {
  if (entries.empty())
    return inference.error(ErrorKind::AttributeNotSet)
           << "expected '" << name << "' to be set, got no entries";
  if (entries.size() != count)
    return inference.error(ErrorKind::ShapeDeduction)
           << "expected '" << name << "' to have " << count
           << (count == 1 ? " entry" : " entries")
           << ", one for each spatial axis, got " << entries.size();
  for (int64_t entry : entries)
    if (entry < least || entry >= windowLimit)
      return inference.error(ErrorKind::InvalidValue)
             << "expected the entries of '" << name << "' to be from " << least
             << " to " << windowLimit - 1 << ", got " << entry;
  return success();
}

/// Units of the padded extent; nullopt beyond the limit.
static std::optional<int64_t> getPaddedUnits(int64_t extent,
                                             const SlidingWindow &window) {
  int64_t units;
  if (llvm::MulOverflow(extent, window.scale, units) || units >= unitLimit)
    return std::nullopt;
  return units + window.prePadding + window.postPadding;
}

FailureOr<Extent> opgraph::graph::countPositions(Inference &inference,
                                                 StringRef name, size_t axis,
                                                 const Extent &extent,
                                                 const SlidingWindow &window) {
  if (!extent.isStatic()) {
    int64_t padding = window.prePadding + window.postPadding;
    if (window.stride == window.scale && padding == window.span - window.scale)
      return extent;
    inference.error(ErrorKind::NotSupported)
        << "expected dim " << axis << " of '" << name << "' ("
        << printExtent(extent)
        << ") to be a number, since this window does not keep it";
    return failure();
  }
  std::optional<int64_t> units = getPaddedUnits(extent.size, window);
  if (units && *units >= window.span)
    return Extent{1 + (*units - window.span) / window.stride, {}};
  InFlightDiagnostic error = inference.error(ErrorKind::ShapeDeduction);
  error << "expected dim " << axis << " of '" << name << "' ("
        << printExtent(extent) << ") with paddings " << window.prePadding
        << " and " << window.postPadding;
  if (window.scale != 1)
    error << " / " << window.scale;
  error << " to hold a window of " << window.span / window.scale
        << " elements and to be below 2^60";
  return failure();
}

std::optional<int64_t>
opgraph::graph::leastExtent(int64_t count, const SlidingWindow &window) {
  int64_t units;
  if (count < 1 || llvm::MulOverflow(count - 1, window.stride, units) ||
      units >= unitLimit)
    return std::nullopt;
  units += window.span - window.prePadding - window.postPadding;
  int64_t extent = units > 0 ? llvm::divideCeil(units, window.scale) : 0;
  std::optional<int64_t> padded = getPaddedUnits(extent, window);
  bool isExact = padded && *padded >= window.span &&
                 1 + (*padded - window.span) / window.stride == count;
  return isExact ? std::optional(extent) : std::nullopt;
}
