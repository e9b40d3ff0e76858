//===- ErrorFunctions.cpp - tanh, erf and erfc ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Polynomials are minimax fits over the range that each reduction leaves.
//===----------------------------------------------------------------------===//

#include "codegen/NVPTX/Math/Arithmetic.h"

using namespace mlir;
using namespace opgraph::codegen::math;
using arith::CmpFPredicate;

/// 1 - 2 / (e^2|x| + 1), but an odd polynomial near 0, where that cancels.
Value opgraph::codegen::math::emitTanh(Arithmetic &a, Value x) {
  static constexpr float fit[] = {-3.333331645e-01f, 1.333258599e-01f,
                                  -5.385230854e-02f, 2.107167430e-02f,
                                  -6.274233107e-03f};
  Value magnitude = a.abs(x);
  constexpr float twoLog2e = 2.88539004f;
  Value e = a.exp2Approx(a.mul(magnitude, a.real(twoLog2e)));
  Value reciprocal = a.reciprocalApprox(a.add(e, a.real(1.0f)));
  Value large = a.fma(reciprocal, a.real(-2.0f), a.real(1.0f));
  Value square = a.mul(x, x);
  Value small = a.fma(a.mul(a.polynomial(square, fit), square), x, x);
  Value isLarge = a.cmp(CmpFPredicate::OGE, magnitude, a.real(0.55f));
  return a.copySign(a.select(isLarge, large, small), x);
}

/// x P(x^2) below 1, else 1 - 2^-Q(|x|).
Value opgraph::codegen::math::emitErf(Arithmetic &a, Value x) {
  static constexpr float small[] = {
      1.128379107e+00f, -3.761262596e-01f, 1.128360033e-01f, -2.685444430e-02f,
      5.189535208e-03f, -8.020841051e-04f, 7.889119297e-05f};
  static constexpr float large[] = {-5.102941068e-04f, -1.625975132e+00f,
                                    -9.207649231e-01f, -1.486515999e-01f,
                                    3.145847097e-02f,  -4.240969196e-03f,
                                    2.677279699e-04f};
  Value magnitude = a.abs(x);
  Value near = a.mul(a.polynomial(a.mul(x, x), small), x);
  Value t = a.minimum(magnitude, a.real(4.0f));
  Value e = a.exp2Approx(a.polynomial(t, large));
  Value far = a.copySign(a.sub(a.real(1.0f), e), x);
  Value isFar = a.cmp(CmpFPredicate::UGE, magnitude, a.real(1.0f));
  return a.select(isFar, far, near);
}

/// e^(-t^2) R(t), t = |x|, with R (1 + 2 t) a polynomial of (t - 2) / (t + 2);
/// the square's rounding error is put back. Below 0: 2 - erfc(-x).
Value opgraph::codegen::math::emitErfc(Arithmetic &a, Value x) {
  static constexpr float fit[] = {
      1.276978374e+00f,  -9.276398271e-02f, -1.660314053e-01f, 1.640553176e-01f,
      -5.420446768e-02f, -8.059768006e-03f, 8.632324636e-03f,  1.313610468e-03f,
      -1.230712398e-03f, -4.010373959e-04f};
  Value two = a.real(2.0f);
  Value t = a.minimum(a.abs(x), a.real(10.5f));
  Value u = a.mul(a.sub(t, two), a.reciprocalApprox(a.add(t, two)));
  Value reciprocal = a.reciprocalApprox(a.fma(t, two, a.real(1.0f)));
  Value ratio = a.mul(a.polynomial(u, fit), reciprocal);
  Value square = a.mul(t, t);
  Value lost = a.fma(t, t, a.neg(square));
  Value decay = emitExp(a, a.neg(square), a.mul(lost, a.real(-1.44269502f)));
  Value result = a.mul(ratio, decay);
  Value isBelow = a.cmp(CmpFPredicate::OLT, x, a.real(0.0f));
  return a.select(isBelow, a.sub(two, result), result);
}

/// 2^(-t Q(t)) for t >= 0.
static Value emitErfcDecay(Arithmetic &a, Value t, ArrayRef<float> fit) {
  return a.exp2Approx(a.mul(a.polynomial(t, fit), t));
}

Value opgraph::codegen::math::emitErfApprox(Arithmetic &a, Value x) {
  static constexpr float fit[] = {-1.627889037e+00f, -9.185094237e-01f,
                                  -1.486655027e-01f, 2.958991937e-02f,
                                  -2.944119042e-03f};
  Value t = a.minimum(a.abs(x), a.real(4.0f));
  Value result = a.sub(a.real(1.0f), emitErfcDecay(a, t, fit));
  // Near 0 the difference has no digits left: 2/sqrt(pi) t.
  Value isTiny = a.cmp(CmpFPredicate::OLT, t, a.real(0x1p-9f));
  result = a.select(isTiny, a.mul(t, a.real(1.12837917f)), result);
  return a.copySign(result, x);
}

Value opgraph::codegen::math::emitErfcApprox(Arithmetic &a, Value x) {
  static constexpr float fit[] = {
      -1.627775073e+00f, -9.177143574e-01f, -1.523454189e-01f,
      3.447869048e-02f,  -5.707177799e-03f, 6.553889252e-04f,
      -4.892074503e-05f, 2.120689260e-06f,  -4.035028311e-08f};
  Value t = a.minimum(a.abs(x), a.real(9.6f));
  Value result = emitErfcDecay(a, t, fit);
  Value isBelow = a.cmp(CmpFPredicate::OLT, x, a.real(0.0f));
  return a.select(isBelow, a.sub(a.real(2.0f), result), result);
}
