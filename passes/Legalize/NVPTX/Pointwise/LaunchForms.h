//===- LaunchForms.h - Launches that differ in constants --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_LEGALIZE_NVPTX_POINTWISE_LAUNCHFORMS_H
#define OPGRAPH_PASSES_LEGALIZE_NVPTX_POINTWISE_LAUNCHFORMS_H

#include "dialects/Plan/PlanDialect.h"

namespace opgraph::legalize::nvptx {

/// Whether the formulas are the same but for their constants.
bool haveOneForm(mlir::AffineExpr a, mlir::AffineExpr b);
bool haveOneForm(mlir::AffineMap a, mlir::AffineMap b);

/// Whether the grids and parameters are the same but for constants.
bool haveOneForm(plan::LaunchOp a, plan::LaunchOp b);

} // namespace opgraph::legalize::nvptx

#endif // OPGRAPH_PASSES_LEGALIZE_NVPTX_POINTWISE_LAUNCHFORMS_H
