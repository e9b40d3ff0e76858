//===- PlanDialect.h - The plan dialect -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dialect, attributes and ops of `plan`.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_DIALECTS_PLAN_PLANDIALECT_H
#define OPGRAPH_DIALECTS_PLAN_PLANDIALECT_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <limits>
#include <vector>

namespace opgraph::plan {
class AliasOp;
class EncodeMapOp;
class OperandOp;
class SymbolOp;

/// Marks a function as callable by `plan.host_call`.
inline constexpr llvm::StringLiteral hostEntryAttrName = "opgraph.host_entry";
/// Marks a function as the body of a `plan.parallel_for`; names the entry.
inline constexpr llvm::StringLiteral hostBodyAttrName = "opgraph.host_body";
/// The largest grids of a launch.
inline constexpr int64_t maxGridX = std::numeric_limits<int32_t>::max();
inline constexpr int64_t maxGridYZ = 65535;
/// Targets of programs that run on a CUDA device start with this.
inline constexpr llvm::StringLiteral cudaTargetPrefix = "sm_";
/// Marks an `scf.forall` with too little work to share among threads.
inline constexpr llvm::StringLiteral sequentialAttrName = "opgraph.sequential";
} // namespace opgraph::plan

#include "dialects/Plan/PlanEnums.h.inc"

#include "dialects/Plan/PlanDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Plan/PlanAttrs.h.inc"

#define GET_OP_CLASSES
#include "dialects/Plan/PlanOps.h.inc"

#endif // OPGRAPH_DIALECTS_PLAN_PLANDIALECT_H
