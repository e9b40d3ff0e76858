//===- AttentionGradients.h - Constraints of attention gradients -*- C++ -*-==//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Beyond Attention.h: what the backward ops check about their operands, and
// what they infer. An op's own .cpp numbers the constraints where it calls
// them.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_DIALECTS_GRAPH_ATTENTIONGRADIENTS_H
#define OPGRAPH_DIALECTS_GRAPH_ATTENTIONGRADIENTS_H

#include "dialects/Graph/Attention.h"

namespace opgraph::graph {

/// The values are e4m3 or e5m2.
llvm::LogicalResult checkFp8(Inference &inference,
                             llvm::ArrayRef<NamedValue> values);
/// `value` has exactly these extents.
llvm::LogicalResult checkExtentsOf(Inference &inference, llvm::StringRef name,
                                   mlir::Value value,
                                   llvm::ArrayRef<Extent> expected);
/// `outputs` are [B, Hq, Sq, Dv], as O is, and `stats` [B, Hq, Sq, 1].
llvm::LogicalResult checkForwardResults(const Attention &a,
                                        Inference &inference,
                                        llvm::ArrayRef<NamedValue> outputs,
                                        mlir::Value stats);
/// A dropout mask comes with the inverse of its scale.
llvm::LogicalResult checkDropoutInverse(const Attention &a,
                                        Inference &inference);
/// There is a sink where its gradient is asked for.
llvm::LogicalResult checkSinkGradient(const Attention &a, bool isAsked,
                                      Inference &inference);

/// The scales of blocks of 32 elements of `data` along `axis` (-1 or -2, of two
/// axes): e8m0 with reordering f8_128x4, ceil(extent / 32) padded to a multiple
/// of 4 along that axis and the extent padded to a multiple of 128 along the
/// other; the columns of the tiles follow `axis`.
llvm::LogicalResult checkBlockScaleType(Inference &inference, NamedValue scale);
llvm::LogicalResult checkBlockScaleExtents(Inference &inference,
                                           NamedValue scale, NamedValue data,
                                           int axis);
llvm::LogicalResult checkBlockScaleAxis(Inference &inference, NamedValue scale,
                                        int axis);

/// Sets results 0 to 2, dQ, dK and dV: like Q, K and V; of `elementType`, where
/// it is not null.
llvm::LogicalResult inferGradients(const Attention &a, Inference &inference,
                                   mlir::Type elementType);
/// Sets results `first` to `last` to one f32 each.
llvm::LogicalResult inferAmax(Inference &inference, unsigned first,
                              unsigned last);
/// Sets result `index`, the gradient of the sink, if it exists.
llvm::LogicalResult inferSinkGradient(const Attention &a, Inference &inference,
                                      unsigned index);

} // namespace opgraph::graph

#endif // OPGRAPH_DIALECTS_GRAPH_ATTENTIONGRADIENTS_H
