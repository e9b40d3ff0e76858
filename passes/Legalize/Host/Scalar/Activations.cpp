//===- Activations.cpp - Activations and their derivatives ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every formula is written so that no intermediate is inf/inf, inf*0 or a
// difference of nearly equal numbers where the function itself is finite. At
// an infinity, a product whose one factor vanishes takes its limit.
//===----------------------------------------------------------------------===//
#include "passes/Legalize/Host/Scalar/Emit.h"

#include <cmath>

using namespace mlir;
using namespace opgraph::legalize;
using namespace opgraph::legalize::scalar;

using Predicate = arith::CmpFPredicate;

static constexpr double kSqrtHalf = 0.70710678118654752440;
static constexpr double kInvSqrtTwoPi = 0.39894228040143267794;
static constexpr double kSqrtTwoOverPi = 0.79788456080286535588;
static constexpr double kGeluCubic = 0.044715;

/// t = e^-|x|, in (0, 1] and never overflowing.
static Value emitDecay(Emit &e, Value x) { return e.exp(e.neg(e.abs(x))); }

/// s(x)(1 - s(x)) = t / (1 + t)^2 from t = e^-|x|.
static Value emitSlopeOfDecay(Emit &e, Value t) {
  Value onePlus = e.add(e.constant(1), t);
  return e.div(t, e.mul(onePlus, onePlus));
}

/// 1 / (1 + e^-x), as t / (1 + t) for negative x.
Value scalar::emitSigmoid(Emit &e, Value x) {
  Value t = emitDecay(e, x);
  Value isNegative = e.cmp(Predicate::OLT, x, e.constant(0));
  Value numerator = e.select(isNegative, t, e.constant(1));
  return e.div(numerator, e.add(e.constant(1), t));
}

Value scalar::emitSigmoidSlope(Emit &e, Value x) {
  return emitSlopeOfDecay(e, emitDecay(e, x));
}

/// 1 - tanh^2 x = 4 s(2x)(1 - s(2x)).
Value scalar::emitTanhSlope(Emit &e, Value x) {
  return e.mul(4, emitSigmoidSlope(e, e.add(x, x)));
}

static bool hasUpperClip(const PointwiseParams &params) {
  return !(std::isinf(params.upperClip) && params.upperClip > 0);
}

/// x < lower ? lower + slope (x - lower) : min(x, upper). With slope 0 that is
/// a clamp, in which +0 wins over -0.
Value scalar::emitRelu(Emit &e, const PointwiseParams &params, Value x) {
  Value lower = e.constant(params.lowerClip);
  auto clipAbove = [&](Value v) {
    return hasUpperClip(params) ? e.min(v, e.constant(params.upperClip)) : v;
  };
  if (params.negativeSlope == 0 && params.lowerClip <= params.upperClip)
    return clipAbove(e.max(x, lower));
  Value below =
      params.negativeSlope == 0
          ? lower
          : e.add(lower, e.mul(params.negativeSlope, e.sub(x, lower)));
  return e.select(e.cmp(Predicate::OLT, x, lower), below, clipAbove(x));
}

/// x <= lower: slope; x < upper, or no upper clip: 1; else 0.
Value scalar::emitReluSlope(Emit &e, const PointwiseParams &params, Value x) {
  Value isBelow = e.cmp(Predicate::OLE, x, e.constant(params.lowerClip));
  Value above = e.constant(1);
  if (hasUpperClip(params)) {
    Value isInside = e.cmp(Predicate::OLT, x, e.constant(params.upperClip));
    above = e.select(isInside, above, e.constant(0));
  }
  return e.select(isBelow, e.constant(params.negativeSlope), above);
}

Value scalar::emitElu(Emit &e, double alpha, Value x) {
  Value isPositive = e.cmp(Predicate::OGT, x, e.constant(0));
  Value below = e.mul(alpha, e.make<math::ExpM1Op>(x));
  return e.select(isPositive, x, below);
}

Value scalar::emitEluSlope(Emit &e, double alpha, Value x) {
  Value isPositive = e.cmp(Predicate::OGT, x, e.constant(0));
  return e.select(isPositive, e.constant(1), e.mul(alpha, e.exp(x)));
}

/// 2 Phi(x) = erfc(-x / sqrt 2), which keeps its digits for negative x, where
/// 1 + erf(x / sqrt 2) cancels.
static Value emitTwicePhi(Emit &e, Value x) {
  return e.make<math::ErfcOp>(e.mul(-kSqrtHalf, x));
}

Value scalar::emitGelu(Emit &e, Value x) {
  Value twicePhi = emitTwicePhi(e, x);
  return e.gated(twicePhi, e.signedZero(x), e.mul(e.mul(0.5, x), twicePhi));
}

/// Phi(x) + x phi(x), phi the normal density.
Value scalar::emitGeluSlope(Emit &e, Value x) {
  Value density = e.mul(kInvSqrtTwoPi, e.exp(e.mul(-0.5, e.mul(x, x))));
  Value term = e.gated(density, e.constant(0), e.mul(x, density));
  return e.add(e.mul(0.5, emitTwicePhi(e, x)), term);
}

/// 2u of 1/2 (1 + tanh u) = s(2u): 2 sqrt(2/pi) (x + 0.044715 x^3).
static Value emitGeluTanhArgument(Emit &e, Value x) {
  Value cubic = e.mul(kGeluCubic, e.mul(x, x));
  Value factor = e.add(e.constant(1), cubic);
  return e.mul(2 * kSqrtTwoOverPi, e.mul(x, factor));
}

Value scalar::emitGeluTanh(Emit &e, Value x) {
  Value gate = emitSigmoid(e, emitGeluTanhArgument(e, x));
  return e.gated(gate, e.signedZero(x), e.mul(x, gate));
}

/// s(w) + x s(w)(1 - s(w)) w', with w = 2u.
Value scalar::emitGeluTanhSlope(Emit &e, Value x) {
  Value w = emitGeluTanhArgument(e, x);
  Value bell = emitSigmoidSlope(e, w);
  Value cubic = e.mul(3 * kGeluCubic, e.mul(x, x));
  Value slope = e.mul(2 * kSqrtTwoOverPi, e.add(e.constant(1), cubic));
  Value term = e.mul(e.mul(x, slope), bell);
  return e.add(emitSigmoid(e, w), e.gated(bell, e.constant(0), term));
}

/// ln(1 + e^z) / beta = (max(z, 0) + log1p(e^-|z|)) / beta, z = beta x.
Value scalar::emitSoftplus(Emit &e, double beta, Value x) {
  Value z = beta == 1 ? x : e.mul(beta, x);
  Value tail = e.make<math::Log1pOp>(emitDecay(e, z));
  Value sum = e.add(e.max(z, e.constant(0)), tail);
  return beta == 1 ? sum : e.div(sum, e.constant(beta));
}

Value scalar::emitSwish(Emit &e, double beta, Value x) {
  Value gate = emitSigmoid(e, beta == 1 ? x : e.mul(beta, x));
  return e.gated(gate, e.signedZero(x), e.mul(x, gate));
}

/// s(z) + z s(z)(1 - s(z)), z = beta x.
Value scalar::emitSwishSlope(Emit &e, double beta, Value x) {
  Value z = beta == 1 ? x : e.mul(beta, x);
  Value bell = emitSigmoidSlope(e, z);
  Value term = e.gated(bell, e.constant(0), e.mul(z, bell));
  return e.add(emitSigmoid(e, z), term);
}
