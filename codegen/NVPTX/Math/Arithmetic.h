//===- Arithmetic.h - Short names for f32 arithmetic ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to codegen/NVPTX/Math.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_NVPTX_MATH_ARITHMETIC_H
#define OPGRAPH_CODEGEN_NVPTX_MATH_ARITHMETIC_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace opgraph::codegen::math {

using mlir::Value;

/// Emits f32 and i32 arithmetic. Nothing is contracted or reassociated: what a
/// function below says is what the GPU computes.
class Arithmetic {
public:
  explicit Arithmetic(mlir::ImplicitLocOpBuilder &b) : b(b) {}

  Value real(float value);
  Value number(int64_t value);
  Value add(Value lhs, Value rhs);
  Value sub(Value lhs, Value rhs);
  Value mul(Value lhs, Value rhs);
  Value fma(Value a, Value b, Value c);
  Value neg(Value value);
  Value abs(Value value);
  Value copySign(Value magnitude, Value sign);
  /// NaN loses (`minNum`), or wins (`minimum`).
  Value minNum(Value lhs, Value rhs);
  Value maxNum(Value lhs, Value rhs);
  Value minimum(Value lhs, Value rhs);
  Value maximum(Value lhs, Value rhs);
  Value trunc(Value value);

  Value cmp(mlir::arith::CmpFPredicate predicate, Value lhs, Value rhs);
  Value cmp(mlir::arith::CmpIPredicate predicate, Value lhs, int64_t rhs);
  Value select(Value condition, Value yes, Value no);
  Value both(Value lhs, Value rhs);
  Value negated(Value condition);
  Value either(Value lhs, Value rhs);

  Value bits(Value real);
  Value fromBits(Value bits);
  Value addBits(Value lhs, int64_t rhs);
  Value subBits(Value lhs, Value rhs);
  Value mask(Value value, int64_t bits);
  Value left(Value value, int64_t by);
  Value right(Value value, int64_t by);
  Value toReal(Value number);

  /// `coefficients[0] + x * (coefficients[1] + …)` by Horner's rule.
  Value polynomial(Value x, llvm::ArrayRef<float> coefficients);

  /// The hardware's functions.
  Value exp2Approx(Value value);     ///< flushes subnormals
  Value exp2ApproxFull(Value value); ///< with subnormals
  Value log2Approx(Value value);     ///< takes subnormals for 0
  Value log2ApproxFull(Value value); ///< with subnormals
  Value reciprocalApprox(Value value);
  Value call(llvm::StringRef intrinsic, Value value);

  /// 2^number for a number in [-126, 126] that `shifted` = number + 12583039
  /// holds in its low bits.
  Value power(Value shifted);

  mlir::ImplicitLocOpBuilder &b;
};

/// e^value * 2^extra; `extra` is small, null is 0.
Value emitExp(Arithmetic &a, Value value, Value extra = {});
Value emitExpM1(Arithmetic &a, Value value);
/// Logarithm to base e, 2 or 10.
enum class LogBase { E, Two, Ten };
Value emitLog(Arithmetic &a, Value value, LogBase base);
Value emitLog1p(Arithmetic &a, Value value);
/// Relative error below 2^-15.
Value emitLog1pApprox(Arithmetic &a, Value value);
Value emitPow(Arithmetic &a, Value base, Value exponent);

Value emitTanh(Arithmetic &a, Value value);
Value emitErf(Arithmetic &a, Value value);
Value emitErfc(Arithmetic &a, Value value);
/// Relative error below 2^-10 (erf; absolute 2^-20) and 2^-14 (erfc).
Value emitErfApprox(Arithmetic &a, Value value);
Value emitErfcApprox(Arithmetic &a, Value value);

/// What is known of an angle, and asked of its functions.
struct AngleTraits {
  /// Magnitude is below 10^5: every f16 value.
  bool isSmall = false;
  /// Relative error of sin and cos may be 2^-16.
  bool isApproximate = false;
};
/// Whether an angle's magnitude is above what `isSmall` promises.
Value emitIsLargeAngle(Arithmetic &a, Value value);
Value emitSin(Arithmetic &a, Value value, AngleTraits traits);
Value emitCos(Arithmetic &a, Value value, AngleTraits traits);
Value emitTan(Arithmetic &a, Value value, AngleTraits traits);

/// A call of the function of libdevice that computes what `op` does, declared
/// in op's module, of f32 or f64. Null: the library has none.
Value emitLibraryCall(Arithmetic &a, mlir::Operation *op,
                      mlir::ValueRange operands);

} // namespace opgraph::codegen::math

#endif // OPGRAPH_CODEGEN_NVPTX_MATH_ARITHMETIC_H
