//===- OnePass.h - Reductions that share a walk -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A variance needs the mean of the same elements, a sum of exponentials their
// maximum. Both can be had of one walk over the elements all the same, because
// parts about means (maxima) of their own can be brought to another one.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_TRANSFORMS_ONEPASS_H
#define OPGRAPH_PASSES_TRANSFORMS_ONEPASS_H

#include "dialects/Graph/GraphDialect.h"

namespace opgraph {

/// `second` needs `first`, and the same elements.
struct ReductionPair {
  enum class Kind {
    /// avg(x) and avg((x - avg(x))^2).
    Moments,
    /// max(x) and sum(exp(x - shift)), of a `shift` that is made of the maximum
    /// and of what has the results' extents.
    Exponentials
  };
  Kind kind;
  graph::ReductionOp first, second;
  mlir::Value shift;
};

/// The pair whose second reduction is `op`.
std::optional<ReductionPair> findPair(graph::ReductionOp op);

} // namespace opgraph

#endif // OPGRAPH_PASSES_TRANSFORMS_ONEPASS_H
