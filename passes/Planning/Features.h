//===- Features.h - Optional parts of an op that engines tell apart -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_PLANNING_FEATURES_H
#define OPGRAPH_PASSES_PLANNING_FEATURES_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace mlir {
class Operation;
}

namespace opgraph::planning {

/// The features that `op` uses, each once.
llvm::SmallVector<llvm::StringRef, 2> featuresOf(mlir::Operation *op);

} // namespace opgraph::planning

#endif // OPGRAPH_PASSES_PLANNING_FEATURES_H
