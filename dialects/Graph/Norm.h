//===- Norm.h - What the norms share ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which axes a norm normalises, and the checks and shapes that follow; the
// loops of engines ask here too.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_DIALECTS_GRAPH_NORM_H
#define OPGRAPH_DIALECTS_GRAPH_NORM_H

#include "dialects/Graph/Extents.h"

namespace opgraph::graph {

/// The axes of `x`, from `firstAxis` on, along which `scale` (right-aligned,
/// null where absent) has an extent other than 1; all but axis 0 without scale.
Dims getScaledAxes(mlir::Value x, mlir::Value scale, int64_t firstAxis = 0);

/// The spatial axes of `x` of extents [N, C, spatial...].
Dims getSpatialAxes(mlir::Value x);

/// All axes of `x` but the channel, axis 1.
Dims getAxesBesideChannel(mlir::Value x);

/// X's extents, with 1 on `axes`: those of the statistics over `axes`.
Extents getStatistics(llvm::ArrayRef<Extent> x, llvm::ArrayRef<int64_t> axes);

/// Fails unless each of `values` broadcasts to `extents`. `what` says what has
/// those extents.
llvm::LogicalResult requireBroadcast(Inference &inference,
                                     llvm::ArrayRef<NamedValue> values,
                                     llvm::ArrayRef<Extent> extents,
                                     llvm::StringRef what);

/// Fails unless `value` has exactly `extents`.
llvm::LogicalResult requireExtents(Inference &inference, NamedValue value,
                                   llvm::ArrayRef<Extent> extents,
                                   llvm::StringRef what);

/// Fails unless 'X' has a channel axis.
llvm::LogicalResult requireChannel(Inference &inference, mlir::Value x);

/// Fails unless 'SCALE' has an axis for the samples, X's axis 0, and broadcasts
/// to 'X'.
llvm::LogicalResult requireSampleScale(Inference &inference, mlir::Value x,
                                       mlir::Value scale);

/// Gives result `index` the extents and layout of `x`.
llvm::LogicalResult inferLikeInput(Inference &inference, unsigned index,
                                   mlir::Value x);

/// Whether an op in the phase that `attributes` say returns its statistics.
bool returnsStatistics(mlir::DictionaryAttr attributes);

/// Gives results `first` to `last` `extents`, X's memory order and f32.
llvm::LogicalResult inferStatistics(Inference &inference, unsigned first,
                                    unsigned last,
                                    llvm::ArrayRef<Extent> extents,
                                    mlir::Value x);

} // namespace opgraph::graph

#endif // OPGRAPH_DIALECTS_GRAPH_NORM_H
