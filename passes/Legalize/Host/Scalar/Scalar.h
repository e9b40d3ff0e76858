//===- Scalar.h - Formulas of one element ------------------------*- C++ -*-==//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one home of scalar formulas for all engines that generate code: what a
// pointwise op computes and how elements convert, as arith and math ops.
// Engines choose the work type in which arithmetic is emitted: host.reference
// f64 and i64, the others what the op's compute type says.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_LEGALIZE_HOST_SCALAR_SCALAR_H
#define OPGRAPH_PASSES_LEGALIZE_HOST_SCALAR_SCALAR_H

#include "dialects/Graph/GraphDialect.h"
#include "mlir/IR/Builders.h"

namespace opgraph::legalize {

/// The type that an element of graph type `elementType` is stored as: i8 for
/// bool, fp8, fp4, i4 and unsigned bytes, itself otherwise. Of a byte that
/// holds a 4-bit element only the low half counts when it is read; what is
/// written is 0 to 15 for fp4 and -8 to 7 for i4.
mlir::Type getStorageType(mlir::Type elementType);

/// `stored` (of `elementType`'s storage type) as `workType`, which is f32, f64,
/// i32 or i64. Floats convert exactly or round once; a float becomes an integer
/// by truncation, saturating, NaN as 0; an integer wraps; a bool is 0 or 1.
mlir::Value convertFromStorage(mlir::OpBuilder &builder, mlir::Location loc,
                               mlir::Value stored, mlir::Type elementType,
                               mlir::Type workType);

/// `value` (f32, f64, i32 or i64) as an element of `elementType`, in its
/// storage type. Rounds once, to nearest even, straight from the work type; fp8
/// saturates and keeps NaN; fp4 saturates, and NaN becomes 6; e8m0 rounds up to
/// a power of two, 0 and negative values to 2^-127; the integer rules are
/// convertFromStorage's; a bool is whether the value is other than 0 (NaN is).
mlir::Value convertToStorage(mlir::OpBuilder &builder, mlir::Location loc,
                             mlir::Value value, mlir::Type elementType);

/// `value` as it reads back after being stored as `elementType`.
mlir::Value roundToType(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value value, mlir::Type elementType);

/// `stored` converted to `computeType`, as a value of `workType`, which holds
/// all values of it. Exact where the compute type has the element's value,
/// else one rounding: what "operands convert to the compute type" means.
mlir::Value convertOperand(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value stored, mlir::Type elementType,
                           mlir::Type computeType, mlir::Type workType);

/// Whether the element `stored` is other than 0, as it is stored; NaN is.
mlir::Value emitIsNonZero(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value stored, mlir::Type elementType);

/// The attributes that pointwise formulas read.
struct PointwiseParams {
  double negativeSlope = 0;
  double lowerClip = 0;
  double upperClip = 0;
  /// `alpha` of elu.
  double alpha = 1;
  /// `beta` of softplus and swish.
  double beta = 1;
};

/// The value with which a float attribute enters arithmetic in `computeType`:
/// rounded to it, as an operand would be (1e308 is inf in f32).
double roundAttribute(llvm::APFloat value, mlir::Type computeType);

PointwiseParams getPointwiseParams(mlir::Operation *op);

/// The type that `op` computes in: its effective compute type, but i64 for
/// gen_index, whose coordinate is exact and rounds only to the result.
mlir::Type getArithmeticType(graph::PointwiseOpInterface op);

/// What `mode` computes. `operands` have `workType`, but for the mask of
/// binary_select, which is an i1 (emitIsNonZero); the result has `workType`. A
/// comparison or logical function yields 0 or 1. `coordinate` is gen_index's
/// coordinate as an index, and unused otherwise.
mlir::Value emitPointwise(mlir::OpBuilder &builder, mlir::Location loc,
                          graph::PointwiseMode mode,
                          const PointwiseParams &params,
                          mlir::ValueRange operands, mlir::Type workType,
                          mlir::Value coordinate = {});

} // namespace opgraph::legalize

#endif // OPGRAPH_PASSES_LEGALIZE_HOST_SCALAR_SCALAR_H
