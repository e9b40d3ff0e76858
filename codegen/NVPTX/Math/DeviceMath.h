//===- DeviceMath.h - Math functions on the GPU -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_NVPTX_MATH_DEVICEMATH_H
#define OPGRAPH_CODEGEN_NVPTX_MATH_DEVICEMATH_H

#include "mlir/IR/Location.h"
#include "mlir/IR/Value.h"
#include "mlir/IR/ValueRange.h"

namespace mlir {
class OpBuilder;
class Operation;
} // namespace mlir

namespace opgraph::codegen {

/// Emits what `mathOp`, an op of the math dialect, computes of `scalars`: the
/// common functions up to f32 as sequences (docs/dialects/DeviceMath.md),
/// others and f64 as calls of libdevice, declared in mathOp's module. Null
/// where the function is not served. With `largeAngles`, a sine, cosine or
/// tangent is that of a small angle, without a branch, and the condition under
/// which the angle is too large for that is appended.
mlir::Value
emitDeviceMath(mlir::OpBuilder &b, mlir::Operation *mathOp,
               mlir::ValueRange scalars,
               llvm::SmallVectorImpl<mlir::Value> *largeAngles = nullptr);

/// `x - y trunc(x / y)`, exact; x and y are floats of 16, 32 or 64 bits. The
/// sign is x's.
mlir::Value emitDeviceRemainder(mlir::OpBuilder &b, mlir::Location loc,
                                mlir::Value x, mlir::Value y);

/// The quotient of two floats of up to 32 bits to 2.1 units in the last place
/// of f32, over the whole range: div.approx, which LLVM takes for `afn`, is 0
/// for a divisor above 2^126. By reciprocal: x times the hardware's 1 / y,
/// which is 0 for a divisor above 2^126 and infinity for one below 2^-126.
mlir::Value emitDeviceQuotient(mlir::OpBuilder &b, mlir::Location loc,
                               mlir::Value x, mlir::Value y,
                               bool isByReciprocal = false);

} // namespace opgraph::codegen

#endif // OPGRAPH_CODEGEN_NVPTX_MATH_DEVICEMATH_H
