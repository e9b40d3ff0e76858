//===- ProgramChecks.h - Parts of the verifier of programs ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_DIALECTS_PLAN_PROGRAMCHECKS_H
#define OPGRAPH_DIALECTS_PLAN_PROGRAMCHECKS_H

#include "dialects/Plan/PlanDialect.h"

namespace opgraph::plan {

/// Checks (P4) for one map.
mlir::LogicalResult verifyProgramMap(mlir::Operation *op, llvm::StringRef name,
                                     mlir::AffineMap map, unsigned numSymbols);

/// The types of a scalar and of a constant among arguments.
bool isScalarArg(mlir::Type type);

/// Checks (P7) to (P9).
mlir::LogicalResult verifyDeviceOps(ProgramOp program);

} // namespace opgraph::plan

#endif // OPGRAPH_DIALECTS_PLAN_PROGRAMCHECKS_H
