//===- Combine.h - Combining elements of a reduction ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_LEGALIZE_HOST_FUSED_COMBINE_H
#define OPGRAPH_PASSES_LEGALIZE_HOST_FUSED_COMBINE_H

#include "passes/Legalize/Host/Fused/Emitter.h"
#include "passes/Legalize/Host/Scalar/Reduction.h"

namespace opgraph::legalize::fused {

using Combine = Combination;

/// The value that leaves others as they are.
mlir::Value emitNeutral(Emitter &e, Combine how, mlir::Type workType);

/// Combines two values. Sums and products of floats may be reassociated, which
/// is what lets them vectorise; NaN propagates through all.
mlir::Value emitCombine(mlir::OpBuilder &b, mlir::Location loc, Combine how,
                        mlir::Value accumulator, mlir::Value value);

} // namespace opgraph::legalize::fused

#endif // OPGRAPH_PASSES_LEGALIZE_HOST_FUSED_COMBINE_H
