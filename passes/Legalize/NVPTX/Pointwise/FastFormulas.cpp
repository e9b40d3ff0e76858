//===- FastFormulas.cpp - Activations in few instructions -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Formulas of Host/Scalar/Activations.cpp for results whose rounding hides
// small relative errors: fused multiply-adds, the hardware's 2^x and 1/x, and
// operands clamped where a select would take the limit at an infinity.
//===----------------------------------------------------------------------===//
#include "passes/Legalize/NVPTX/Pointwise/FastFormulas.h"
#include "passes/Legalize/Host/Scalar/Emit.h"
#include "passes/Transforms/Expansion.h"

#include <cmath>

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;
using namespace opgraph::legalize::nvptx;
using graph::PointwiseMode;

static constexpr double kLog2e = 1.44269504088896340736;
static constexpr double kSqrtTwoOverPi = 0.79788456080286535588;
static constexpr double kInvSqrtTwoPi = 0.39894228040143267794;
static constexpr double kGeluCubic = 0.044715;
/// A finite bound that stands for infinity: times 0 it is 0.
static constexpr double kHuge = 0x1p120;

//===----------------------------------------------------------------------===//
// What is hidden
//===----------------------------------------------------------------------===//

/// A chain of products adds its errors up; longer ones are left alone.
static constexpr unsigned kMostUsers = 4;

/// Whether a relative error of `operand` is one of `op`'s result, no larger.
static bool keepsErrors(Operation *op, Value operand) {
  // A sum of positive numbers.
  if (auto sum = dyn_cast<graph::ReductionOp>(op))
    return sum.getMode() == graph::ReductionMode::ADD &&
           operand.getDefiningOp<graph::ExpOp>();
  if (auto select = dyn_cast<graph::BinarySelectOp>(op))
    return operand != select.getMask();
  return isa<graph::IdentityOp, graph::MulOp, graph::DivOp, graph::NegOp,
             graph::AbsOp>(op);
}

static Hidden getHidden(Value value, unsigned depth) {
  Operation *producer = value.getDefiningOp();
  if (producer && producer->hasAttr(kExactAttrName))
    return Hidden::Nothing;
  Type type = cast<RankedTensorType>(value.getType()).getElementType();
  if (type.isBF16() || isa<Float8E4M3FNType, Float8E5M2Type>(type))
    return Hidden::Coarse;
  if (type.isF16())
    return Hidden::Fine;
  if (!type.isF32() || value.use_empty() || depth == kMostUsers)
    return Hidden::Nothing;
  Hidden least = Hidden::Coarse;
  for (Operation *user : value.getUsers()) {
    if (!keepsErrors(user, value))
      return Hidden::Nothing;
    least = std::min(least, getHidden(user->getResult(0), depth + 1));
  }
  return least;
}

Hidden opgraph::legalize::nvptx::getHidden(Value value) {
  return ::getHidden(value, /*depth=*/0);
}

//===----------------------------------------------------------------------===//
// Formulas
//===----------------------------------------------------------------------===//

namespace {
class Fast : public scalar::Emit {
public:
  Fast(OpBuilder &builder, Location loc)
      : Emit(builder, loc, builder.getF32Type()) {}

  Value fma(Value a, Value b, Value c) { return make<math::FmaOp>(a, b, c); }
  Value fma(Value a, double b, double c) {
    return fma(a, constant(b), constant(c));
  }
  /// `coefficients[0] + x * (coefficients[1] + …)`.
  Value polynomial(Value x, ArrayRef<double> coefficients) {
    Value sum = constant(coefficients.back());
    for (double coefficient : llvm::reverse(coefficients.drop_back()))
      sum = fma(sum, x, constant(coefficient));
    return sum;
  }
  Value power(Value x) {
    return make<math::Exp2Op>(x, arith::FastMathFlags::afn);
  }
  Value reciprocal(Value x) {
    return make<arith::DivFOp>(
        constant(1), x, arith::FastMathFlags::afn | arith::FastMathFlags::arcp);
  }
  Value clamp(Value x, double bound) {
    return min(max(x, constant(-bound)), constant(bound));
  }

  /// 1 / (1 + 2^w): the sigmoid of -w ln 2.
  Value gate(Value w) { return reciprocal(add(power(w), constant(1))); }
  Value sigmoid(Value x, double scale = 1) {
    return gate(mul(-kLog2e * scale, x));
  }
  /// `factor` s(x)(1 - s(x)), from the end at which nothing cancels.
  Value bell(Value x, double scale, double factor) {
    Value t = power(mul(-kLog2e * scale, abs(x)));
    Value r = reciprocal(add(t, constant(1)));
    Value slope = mul(mul(r, r), t);
    return factor == 1 ? slope : mul(factor, slope);
  }
  /// s + z s (1 - s) = s (1 + z (1 - s)) with the gate s: where 1 - s has no
  /// digits, it does not count.
  Value gatedSlope(Value s, Value z) {
    return mul(s, fma(z, sub(constant(1), s), constant(1)));
  }

  Value swish(double beta, Value x);
  Value swishSlope(double beta, Value x);
  Value geluTanh(Value x);
  Value geluTanhSlope(Value x);
  /// Phi(-a) where `decay` is e^(-a^2 / 2): times R(1 / (1 + 0.36 a)).
  Value tail(Value a, Value decay);
  Value gelu(Value x, bool isCoarse);
  Value geluSlope(Value x);
  Value softplus(double beta, Value x);
  Value elu(double alpha, Value x);
};
} // namespace

Value Fast::swish(double beta, Value x) {
  Value s = sigmoid(x, beta);
  Value finite = beta > 0 ? max(x, constant(-kHuge)) : min(x, constant(kHuge));
  return mul(finite, s);
}

Value Fast::swishSlope(double beta, Value x) {
  Value z = clamp(beta == 1 ? x : mul(beta, x), 256);
  return gatedSlope(sigmoid(z), z);
}

/// The exponent of s(2u): -2 log2(e) sqrt(2/pi) (x + 0.044715 x^3).
static Value emitGeluTanhExponent(Fast &e, Value x, Value square) {
  constexpr double kScale = -2 * kLog2e * kSqrtTwoOverPi;
  return e.mul(x, e.fma(square, kScale * kGeluCubic, kScale));
}

Value Fast::geluTanh(Value x) {
  Value s = gate(emitGeluTanhExponent(*this, x, mul(x, x)));
  return mul(max(x, constant(-kHuge)), s);
}

Value Fast::geluTanhSlope(Value x) {
  constexpr double kScale = 2 * kSqrtTwoOverPi;
  Value inside = clamp(x, 16), square = mul(inside, inside);
  Value s = gate(emitGeluTanhExponent(*this, inside, square));
  Value z = mul(inside, fma(square, 3 * kScale * kGeluCubic, kScale));
  return gatedSlope(s, z);
}

Value Fast::tail(Value a, Value decay) {
  static constexpr double kFit[] = {0.14371836185455322, 0.14169779419898987,
                                    0.14012758433818817, 0.025432275608181953,
                                    0.1825753003358841,  -0.18095558881759644,
                                    0.04740416258573532};
  Value t = reciprocal(fma(a, 0.36, 1));
  return mul(mul(polynomial(t, kFit), t), decay);
}

/// max(x, 0) - |x| Phi(-|x|).
Value Fast::gelu(Value x, bool isCoarse) {
  // log2 Phi(-a).
  static constexpr double kFit[] = {
      -1.0002012252807617,   -1.1488430500030518,    -0.46313712000846863,
      -0.050559524446725845, 0.00733870780095458,    -0.0007297334959730506,
      4.621037078322843e-05, -1.663817329244921e-06, 2.579236557664899e-08};
  Value a = min(abs(x), constant(13.4));
  Value below = isCoarse ? power(polynomial(a, kFit))
                         : tail(a, power(mul(mul(-0.5 * kLog2e, a), a)));
  // -0 keeps the sign of a zero.
  return fma(neg(a), below, max(x, constant(-0.0)));
}

/// Phi(x) + x phi(x).
Value Fast::geluSlope(Value x) {
  Value inside = clamp(x, 16), a = abs(inside);
  Value decay = power(mul(mul(-0.5 * kLog2e, a), a));
  Value below = tail(a, decay);
  Value isNegative = cmp(arith::CmpFPredicate::OLT, inside, constant(0));
  Value phi = select(isNegative, below, sub(constant(1), below));
  return fma(mul(kInvSqrtTwoPi, inside), decay, phi);
}

/// (max(z, 0) + t P(t)) / beta, t = e^-|z|, t P(t) = ln(1 + t).
Value Fast::softplus(double beta, Value x) {
  static constexpr double kFit[] = {0.99999873,  -0.49986969, 0.33109471,
                                    -0.23503922, 0.14922468,  -0.06640228,
                                    0.01414112};
  Value z = beta == 1 ? x : mul(beta, x);
  Value t = power(mul(-kLog2e, abs(z)));
  Value sum = fma(t, polynomial(t, kFit), max(z, constant(0)));
  return beta == 1 ? sum : mul(1 / beta, sum);
}

/// Near 0, where e^x - 1 cancels, its series.
Value Fast::elu(double alpha, Value x) {
  Value far = fma(power(mul(kLog2e, x)), alpha, -alpha);
  Value near = mul(
      x, polynomial(x, {alpha, alpha / 2, alpha / 6, alpha / 24, alpha / 120}));
  Value isNear = cmp(arith::CmpFPredicate::OGT, x, constant(-0.25));
  Value isPositive = cmp(arith::CmpFPredicate::OGT, x, constant(0));
  return select(isPositive, x, select(isNear, near, far));
}

//===----------------------------------------------------------------------===//
// Modes
//===----------------------------------------------------------------------===//

/// Whether a factor is neither 0 nor so large or small that products with it
/// leave the range of f32.
static bool isModerate(double factor) {
  return std::fabs(factor) < 0x1p40 && std::fabs(factor) > 0x1p-40;
}

Value opgraph::legalize::nvptx::emitFastPointwise(OpBuilder &builder,
                                                  Location loc,
                                                  PointwiseMode mode,
                                                  const PointwiseParams &params,
                                                  ValueRange x, Hidden hidden) {
  if (hidden == Hidden::Nothing)
    return {};
  Fast e(builder, loc);
  bool isCoarse = hidden == Hidden::Coarse, hasBeta = isModerate(params.beta);
  switch (mode) {
  case PointwiseMode::SIGMOID_FWD:
    return e.sigmoid(x[0]);
  case PointwiseMode::SIGMOID_BWD:
    return e.mul(x[0], e.bell(x[1], 1, 1));
  case PointwiseMode::TANH_BWD:
    return e.mul(x[0], e.bell(x[1], 2, 4));
  case PointwiseMode::SWISH_FWD:
    return hasBeta ? e.swish(params.beta, x[0]) : Value();
  case PointwiseMode::SWISH_BWD:
    return hasBeta ? e.mul(x[0], e.swishSlope(params.beta, x[1])) : Value();
  case PointwiseMode::SOFTPLUS_FWD:
    return hasBeta ? e.softplus(params.beta, x[0]) : Value();
  case PointwiseMode::SOFTPLUS_BWD:
    return hasBeta ? e.mul(x[0], e.sigmoid(x[1], params.beta)) : Value();
  case PointwiseMode::ELU_FWD:
    return isModerate(params.alpha) ? e.elu(params.alpha, x[0]) : Value();
  case PointwiseMode::GELU_FWD:
    return e.gelu(x[0], isCoarse);
  case PointwiseMode::GELU_BWD:
    return e.mul(x[0], e.geluSlope(x[1]));
  case PointwiseMode::GELU_APPROX_TANH_FWD:
    return e.geluTanh(x[0]);
  case PointwiseMode::GELU_APPROX_TANH_BWD:
    return e.mul(x[0], e.geluTanhSlope(x[1]));
  case PointwiseMode::RSQRT:
    return e.make<math::RsqrtOp>(x[0]);
  default:
    return {};
  }
}
