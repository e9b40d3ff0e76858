//===- Arithmetic.h - Spelling of scalar arithmetic -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_LEGALIZE_NVPTX_POINTWISE_ARITHMETIC_H
#define OPGRAPH_PASSES_LEGALIZE_NVPTX_POINTWISE_ARITHMETIC_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "passes/Legalize/Host/Scalar/Reduction.h"

namespace opgraph::legalize::nvptx {

/// Arithmetic of one type, at one place.
struct Arithmetic {
  mlir::OpBuilder &b;
  mlir::Location loc;
  mlir::Type type;

  mlir::Value constant(double value) {
    return mlir::arith::ConstantOp::create(b, loc, b.getFloatAttr(type, value));
  }
  mlir::Value infinity(bool isNegative) {
    auto semantics = &llvm::cast<mlir::FloatType>(type).getFloatSemantics();
    return mlir::arith::ConstantOp::create(
        b, loc,
        b.getFloatAttr(type, llvm::APFloat::getInf(*semantics, isNegative)));
  }
  mlir::Value add(mlir::Value x, mlir::Value y) {
    return mlir::arith::AddFOp::create(b, loc, x, y);
  }
  mlir::Value sub(mlir::Value x, mlir::Value y) {
    return mlir::arith::SubFOp::create(b, loc, x, y);
  }
  mlir::Value mul(mlir::Value x, mlir::Value y) {
    return mlir::arith::MulFOp::create(b, loc, x, y);
  }
  mlir::Value div(mlir::Value x, mlir::Value y) {
    return mlir::arith::DivFOp::create(b, loc, x, y);
  }
  mlir::Value fma(mlir::Value x, mlir::Value y, mlir::Value z) {
    return mlir::math::FmaOp::create(b, loc, x, y, z);
  }
  mlir::Value select(mlir::Value mask, mlir::Value x, mlir::Value y) {
    return mlir::arith::SelectOp::create(b, loc, mask, x, y);
  }
  mlir::Value compare(mlir::arith::CmpFPredicate how, mlir::Value x,
                      mlir::Value y) {
    return mlir::arith::CmpFOp::create(b, loc, how, x, y);
  }
  mlir::Value max(mlir::Value x, mlir::Value y) {
    return emitCombination(b, loc, Combination::Max, x, y);
  }
  /// What exponents are taken about: 0 where there is no larger element than
  /// -inf.
  mlir::Value getPivot(mlir::Value max) {
    return select(compare(mlir::arith::CmpFPredicate::OEQ, max,
                          infinity(/*isNegative=*/true)),
                  constant(0), max);
  }
  mlir::Value fromInteger(mlir::Value count) {
    return mlir::arith::SIToFPOp::create(b, loc, type, count);
  }
};

} // namespace opgraph::legalize::nvptx

#endif // OPGRAPH_PASSES_LEGALIZE_NVPTX_POINTWISE_ARITHMETIC_H
