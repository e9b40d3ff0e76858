//===- Window.h - Windows that slide over spatial axes ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What convolutions and resampling share: one entry of every attribute for
// each spatial axis, and the extent of the result.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_DIALECTS_GRAPH_WINDOW_H
#define OPGRAPH_DIALECTS_GRAPH_WINDOW_H

#include "dialects/Graph/Extents.h"

namespace opgraph::graph {

/// Axes before the spatial ones: batch and channels.
constexpr size_t firstSpatialAxis = 2;
constexpr size_t maxSpatialAxes = 3;

/// Entries of window attributes are below this in magnitude.
constexpr int64_t windowLimit = int64_t(1) << 31;

/// One axis of a window, in units of 1 / `scale` of an element.
struct SlidingWindow {
  int64_t scale;
  int64_t prePadding;
  int64_t postPadding;
  int64_t stride;
  /// From its first unit to behind its last.
  int64_t span;
};

/// Fails with ShapeDeduction unless `extents` of `name` have 1 to 3 spatial
/// axes.
llvm::LogicalResult checkSpatialRank(Inference &inference, llvm::StringRef name,
                                     llvm::ArrayRef<Extent> extents);

/// Fails unless the attribute `name` has `count` entries, each from `least` to
/// the limit: AttributeNotSet without entries, ShapeDeduction for another
/// number of them, InvalidValue for an entry out of range.
llvm::LogicalResult checkEntries(Inference &inference, llvm::StringRef name,
                                 llvm::ArrayRef<int64_t> entries, size_t count,
                                 int64_t least);

/// How many positions `window` has along `extent`, axis `axis` of `name`. Fails
/// with ShapeDeduction where it does not fit, and with NotSupported where the
/// extent is a symbol and the count another one.
llvm::FailureOr<Extent> countPositions(Inference &inference,
                                       llvm::StringRef name, size_t axis,
                                       const Extent &extent,
                                       const SlidingWindow &window);

/// The least extent that `window` has `count` positions along; nullopt where
/// there is none.
std::optional<int64_t> leastExtent(int64_t count, const SlidingWindow &window);

} // namespace opgraph::graph

#endif // OPGRAPH_DIALECTS_GRAPH_WINDOW_H
