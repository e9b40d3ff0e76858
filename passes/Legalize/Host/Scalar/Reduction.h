//===- Reduction.h - Formulas of reductions ----------------------*- C++ -*-==//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an element gives to a reduction, how two are combined and what is made
// of the last one: for engines that compute in the op's compute type.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_LEGALIZE_HOST_SCALAR_REDUCTION_H
#define OPGRAPH_PASSES_LEGALIZE_HOST_SCALAR_REDUCTION_H

#include "dialects/Graph/GraphDialect.h"
#include "mlir/IR/Builders.h"

namespace opgraph::legalize {

enum class Combination { Sum, Product, Min, Max };

Combination getCombination(graph::ReductionMode mode);

/// What arithmetic of `workType` accumulates in: a product leaves the range of
/// f32 long before its factors are used up.
mlir::Type getAccumulatorType(Combination how, mlir::Type workType);

/// The value of `type` that leaves others as they are.
mlir::TypedAttr getNeutral(Combination how, mlir::Type type);
/// The result over no elements; with `mode`'s contributions, neutral too.
mlir::TypedAttr getNeutral(graph::ReductionMode mode, mlir::Type type);

/// What the element `x`, of the accumulator's type, contributes.
mlir::Value emitContribution(mlir::OpBuilder &builder, mlir::Location loc,
                             graph::ReductionMode mode, mlir::Value x);

/// Combines two values; NaN propagates through all. `mayReassociate`: float
/// sums and products say so, which is what lets a host vectorise them.
mlir::Value emitCombination(mlir::OpBuilder &builder, mlir::Location loc,
                            Combination how, mlir::Value lhs, mlir::Value rhs,
                            bool mayReassociate = false);

/// The result of what has been combined. `count`, of its type, is of how many
/// elements, for the average alone; null where it is of one.
mlir::Value emitReduced(mlir::OpBuilder &builder, mlir::Location loc,
                        graph::ReductionMode mode, mlir::Value accumulator,
                        mlir::Value count);

} // namespace opgraph::legalize

#endif // OPGRAPH_PASSES_LEGALIZE_HOST_SCALAR_REDUCTION_H
