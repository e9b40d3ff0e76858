//===- Elements.h - Elements in memory and in arithmetic --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The conversions of Host/Scalar/Scalar.h, with 8-bit floats as conversions of
// arith, for which GPUs have instructions, and 4-bit floats in few operations.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_LEGALIZE_NVPTX_POINTWISE_ELEMENTS_H
#define OPGRAPH_PASSES_LEGALIZE_NVPTX_POINTWISE_ELEMENTS_H

#include "passes/Legalize/Host/Scalar/Scalar.h"

namespace opgraph::legalize::nvptx {

/// As convertOperand.
mlir::Value readOperand(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value stored, mlir::Type elementType,
                        mlir::Type computeType, mlir::Type workType);

/// As convertToStorage.
mlir::Value writeElement(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value value, mlir::Type elementType);

/// The f32 quotient `a` / `b`, of a divisor of few bits that is above 0, cut
/// towards zero, its last bit set where it is not exact: rounded to a narrow
/// float it gives what rounding the quotient itself gives.
mlir::Value emitStickyQuotient(mlir::OpBuilder &builder, mlir::Location loc,
                               mlir::Value a, mlir::Value b);

} // namespace opgraph::legalize::nvptx

#endif // OPGRAPH_PASSES_LEGALIZE_NVPTX_POINTWISE_ELEMENTS_H
