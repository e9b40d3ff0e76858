//===- Emit.h - Arithmetic on one work type ----------------------*- C++ -*-==//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shorthand for formulas: short names for the arith and math ops of one type.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_LEGALIZE_HOST_SCALAR_EMIT_H
#define OPGRAPH_PASSES_LEGALIZE_HOST_SCALAR_EMIT_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "passes/Legalize/Host/Scalar/Scalar.h"

namespace opgraph::legalize::scalar {

/// Emits float arithmetic in `type` (f32 or f64), or integer arithmetic where
/// a name says so. No fast-math flag is ever set.
class Emit {
public:
  Emit(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type)
      : b(builder), loc(loc), type(type) {}

  template <typename OpTy, typename... Args>
  mlir::Value make(Args &&...args) {
    return OpTy::create(b, loc, std::forward<Args>(args)...);
  }

  mlir::Value constant(double value) {
    return make<mlir::arith::ConstantOp>(b.getFloatAttr(type, value));
  }
  mlir::Value integer(mlir::Type integerType, int64_t value) {
    return make<mlir::arith::ConstantOp>(b.getIntegerAttr(integerType, value));
  }
  mlir::Value integer(int64_t value) { return integer(type, value); }

  mlir::Value add(mlir::Value l, mlir::Value r) {
    return make<mlir::arith::AddFOp>(l, r);
  }
  mlir::Value sub(mlir::Value l, mlir::Value r) {
    return make<mlir::arith::SubFOp>(l, r);
  }
  mlir::Value mul(mlir::Value l, mlir::Value r) {
    return make<mlir::arith::MulFOp>(l, r);
  }
  mlir::Value mul(double l, mlir::Value r) { return mul(constant(l), r); }
  mlir::Value div(mlir::Value l, mlir::Value r) {
    return make<mlir::arith::DivFOp>(l, r);
  }
  mlir::Value neg(mlir::Value v) { return make<mlir::arith::NegFOp>(v); }
  mlir::Value abs(mlir::Value v) { return make<mlir::math::AbsFOp>(v); }
  mlir::Value exp(mlir::Value v) { return make<mlir::math::ExpOp>(v); }
  mlir::Value max(mlir::Value l, mlir::Value r) {
    return make<mlir::arith::MaximumFOp>(l, r);
  }
  mlir::Value min(mlir::Value l, mlir::Value r) {
    return make<mlir::arith::MinimumFOp>(l, r);
  }
  mlir::Value cmp(mlir::arith::CmpFPredicate predicate, mlir::Value l,
                  mlir::Value r) {
    return make<mlir::arith::CmpFOp>(predicate, l, r);
  }
  mlir::Value cmp(mlir::arith::CmpIPredicate predicate, mlir::Value l,
                  mlir::Value r) {
    return make<mlir::arith::CmpIOp>(predicate, l, r);
  }
  mlir::Value select(mlir::Value condition, mlir::Value l, mlir::Value r) {
    return make<mlir::arith::SelectOp>(condition, l, r);
  }
  mlir::Value isZero(mlir::Value v) {
    return cmp(mlir::arith::CmpFPredicate::OEQ, v, constant(0));
  }
  /// `zero` where `gate` is 0, else `value`: the limit of a product in which
  /// the gate vanishes faster than the other factor grows.
  mlir::Value gated(mlir::Value gate, mlir::Value zero, mlir::Value value) {
    return select(isZero(gate), zero, value);
  }
  /// A zero with the sign of `value`, which is not zero itself.
  mlir::Value signedZero(mlir::Value value) {
    return select(cmp(mlir::arith::CmpFPredicate::OLT, value, constant(0)),
                  constant(-0.0), constant(0));
  }

  mlir::OpBuilder &b;
  mlir::Location loc;
  mlir::Type type;
};

/// The activations and their derivatives (Activations.cpp). `x` is of the
/// work type of `e`, a float type.
mlir::Value emitSigmoid(Emit &e, mlir::Value x);
mlir::Value emitSigmoidSlope(Emit &e, mlir::Value x);
mlir::Value emitTanhSlope(Emit &e, mlir::Value x);
mlir::Value emitRelu(Emit &e, const PointwiseParams &params, mlir::Value x);
mlir::Value emitReluSlope(Emit &e, const PointwiseParams &params,
                          mlir::Value x);
mlir::Value emitElu(Emit &e, double alpha, mlir::Value x);
mlir::Value emitEluSlope(Emit &e, double alpha, mlir::Value x);
mlir::Value emitGelu(Emit &e, mlir::Value x);
mlir::Value emitGeluSlope(Emit &e, mlir::Value x);
mlir::Value emitGeluTanh(Emit &e, mlir::Value x);
mlir::Value emitGeluTanhSlope(Emit &e, mlir::Value x);
mlir::Value emitSoftplus(Emit &e, double beta, mlir::Value x);
mlir::Value emitSwish(Emit &e, double beta, mlir::Value x);
mlir::Value emitSwishSlope(Emit &e, double beta, mlir::Value x);

/// Pointwise functions on two's-complement integers (Integer.cpp); only the
/// modes that may have an integer compute type.
mlir::Value emitIntegerPointwise(Emit &e, graph::PointwiseMode mode,
                                 mlir::ValueRange operands);

/// Bits of a binary floating-point format narrower than its work type.
struct FloatFormat {
  unsigned bits;
  unsigned mantissa;
  int bias;
  /// Encoding of infinity without sign; 0 where the format has none.
  unsigned infinity;
  /// Encodings of the largest finite value and of the NaN that is written; a
  /// format without NaN has the largest value instead, of positive sign.
  unsigned largest;
  unsigned nan;
  /// Overflow yields `largest` instead of infinity.
  bool saturates;
};

/// The format of f16, bf16, f8E4M3FN, f8E5M2 or f4E2M1FN.
FloatFormat getFloatFormat(mlir::Type type);

/// Encodes a float of the work type, rounding once to nearest even; the result
/// is an integer of `format.bits`, a byte at least (Float8.cpp).
mlir::Value emitEncode(Emit &e, const FloatFormat &format, mlir::Value value);
/// The exact value of the low `format.bits` of an integer.
mlir::Value emitDecode(Emit &e, const FloatFormat &format, mlir::Value code);

/// f8E8M0FNU: code c is 2^(c - 127), but 255 is NaN. Encoding rounds up to the
/// next power of two, and everything that is not above the least one to it.
mlir::Value emitEncodeScale(Emit &e, mlir::Value value);
mlir::Value emitDecodeScale(Emit &e, mlir::Value code);

} // namespace opgraph::legalize::scalar

#endif // OPGRAPH_PASSES_LEGALIZE_HOST_SCALAR_EMIT_H
