//===- LaunchFromIR.h - Device steps to plan file ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_PLANFILE_LAUNCHFROMIR_H
#define OPGRAPH_CODEGEN_PLANFILE_LAUNCHFROMIR_H

#include "codegen/PlanFile/PlanContents.h"
#include "dialects/Plan/PlanDialect.h"

namespace opgraph::planfile {

/// The argument of a launch that `attribute` is (#plan.pointer ...).
LaunchArg convertArgument(mlir::Attribute attribute);

/// An expression of the program's symbols. The verifier of plan.program has
/// seen that there are no dimensions.
Expr toExpr(mlir::AffineExpr expr);
std::vector<Expr> toExprs(mlir::AffineMap map);

/// A launch of the kernel with number `kernel`.
Launch convertLaunch(plan::LaunchOp op, uint32_t kernel);

TensorMap convertTensorMap(plan::EncodeMapOp op);

} // namespace opgraph::planfile

#endif // OPGRAPH_CODEGEN_PLANFILE_LAUNCHFROMIR_H
