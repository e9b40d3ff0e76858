//===- FastFormulas.h - Activations in few instructions ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_LEGALIZE_NVPTX_POINTWISE_FASTFORMULAS_H
#define OPGRAPH_PASSES_LEGALIZE_NVPTX_POINTWISE_FASTFORMULAS_H

#include "passes/Legalize/Host/Scalar/Scalar.h"

namespace opgraph::legalize::nvptx {

/// Relative errors that what is made of a value hides; where a result crosses
/// 0, errors of the terms that cancel there.
enum class Hidden {
  Nothing,
  Fine,   ///< 2^-17: rounding to f16
  Coarse, ///< 2^-12: rounding to bf16 or 8 bits
};

/// What roundings, of `value` or of all that is made of it by operations that
/// keep relative errors as they are, hide.
Hidden getHidden(mlir::Value value);

/// What `mode` computes of f32 operands, with an error that `hidden` names, by
/// the hardware's exponential and reciprocal; results below 2^-126 are 0. Null:
/// there is no shorter formula than emitPointwise's.
mlir::Value emitFastPointwise(mlir::OpBuilder &builder, mlir::Location loc,
                              graph::PointwiseMode mode,
                              const PointwiseParams &params,
                              mlir::ValueRange operands, Hidden hidden);

/// Lets functions and divisions of the block be the hardware's.
void approximate(mlir::Block &block);

} // namespace opgraph::legalize::nvptx

#endif // OPGRAPH_PASSES_LEGALIZE_NVPTX_POINTWISE_FASTFORMULAS_H
