//===- EvaluateMath.cpp - math over arrays --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions are libm's in f64, rounded once: exact enough to compare with the
// device's, whose error is stated.
//===----------------------------------------------------------------------===//
#include "codegen/TileInterpreter/Evaluate.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/ADT/bit.h"

#include <cmath>

using namespace mlir;
using namespace opgraph::tile::interp;

static void put(Numbers &numbers, int64_t i, double value) {
  if (numbers.format == Format::F64)
    numbers.doubles[i] = value;
  else
    numbers.floats[i] = float(roundTo(numbers.format, value));
}

static ArrayFunction unary(double (*compute)(double)) {
  return [=](ArrayRef<const Numbers *> in, ArrayRef<Numbers *> out) {
    for (int64_t i = 0, e = out[0]->count(); i < e; ++i)
      put(*out[0], i, compute(in[0]->at(i)));
  };
}

static ArrayFunction binary(double (*compute)(double, double)) {
  return [=](ArrayRef<const Numbers *> in, ArrayRef<Numbers *> out) {
    for (int64_t i = 0, e = out[0]->count(); i < e; ++i)
      put(*out[0], i, compute(in[0]->at(i), in[1]->at(i)));
  };
}

static ArrayFunction test(bool (*holds)(double)) {
  return [=](ArrayRef<const Numbers *> in, ArrayRef<Numbers *> out) {
    for (int64_t i = 0, e = out[0]->count(); i < e; ++i)
      out[0]->integers[i] = holds(in[0]->at(i));
  };
}

/// Two to an instruction would round twice, so f32 has a path of its own.
static void fuse(ArrayRef<const Numbers *> in, ArrayRef<Numbers *> out) {
  Numbers &to = *out[0];
  for (int64_t i = 0, e = to.count(); i < e; ++i) {
    if (to.format == Format::F32)
      to.floats[i] =
          std::fma(in[0]->floats[i], in[1]->floats[i], in[2]->floats[i]);
    else
      put(to, i, std::fma(in[0]->at(i), in[1]->at(i), in[2]->at(i)));
  }
}

static void clamp(ArrayRef<const Numbers *> in, ArrayRef<Numbers *> out) {
  for (int64_t i = 0, e = out[0]->count(); i < e; ++i)
    put(*out[0], i,
        std::fmin(std::fmax(in[0]->at(i), in[1]->at(i)), in[2]->at(i)));
}

static void absolute(ArrayRef<const Numbers *> in, ArrayRef<Numbers *> out) {
  for (int64_t i = 0, e = out[0]->count(); i < e; ++i) {
    int64_t value = in[0]->integers[i];
    out[0]->integers[i] = wrapInteger(
        out[0]->format, value < 0 ? int64_t(0 - uint64_t(value)) : value);
  }
}

/// Counts bits of the unsigned number of the format's width.
static ArrayFunction countBits(int (*count)(uint64_t value, int bits)) {
  return [=](ArrayRef<const Numbers *> in, ArrayRef<Numbers *> out) {
    int bits = int(integerBits(in[0]->format));
    uint64_t mask = ~uint64_t(0) >> (64 - bits);
    for (int64_t i = 0, e = out[0]->count(); i < e; ++i)
      out[0]->integers[i] = count(uint64_t(in[0]->integers[i]) & mask, bits);
  };
}

static void raise(ArrayRef<const Numbers *> in, ArrayRef<Numbers *> out) {
  for (int64_t i = 0, e = out[0]->count(); i < e; ++i)
    put(*out[0], i, std::pow(in[0]->at(i), double(in[1]->integers[i])));
}

static double inverseRoot(double value) { return 1 / std::sqrt(value); }

static ArrayFunction getElementary(Operation *op) {
  using Function = ArrayFunction;
  return llvm::TypeSwitch<Operation *, Function>(op)
      .Case([](math::AcosOp) { return unary(std::acos); })
      .Case([](math::AcoshOp) { return unary(std::acosh); })
      .Case([](math::AsinOp) { return unary(std::asin); })
      .Case([](math::AsinhOp) { return unary(std::asinh); })
      .Case([](math::AtanOp) { return unary(std::atan); })
      .Case([](math::AtanhOp) { return unary(std::atanh); })
      .Case([](math::CbrtOp) { return unary(std::cbrt); })
      .Case([](math::CosOp) { return unary(std::cos); })
      .Case([](math::CoshOp) { return unary(std::cosh); })
      .Case([](math::ErfOp) { return unary(std::erf); })
      .Case([](math::ErfcOp) { return unary(std::erfc); })
      .Case([](math::ExpOp) { return unary(std::exp); })
      .Case([](math::Exp2Op) { return unary(std::exp2); })
      .Case([](math::ExpM1Op) { return unary(std::expm1); })
      .Case([](math::LogOp) { return unary(std::log); })
      .Case([](math::Log10Op) { return unary(std::log10); })
      .Case([](math::Log1pOp) { return unary(std::log1p); })
      .Case([](math::Log2Op) { return unary(std::log2); })
      .Case([](math::RsqrtOp) { return unary(inverseRoot); })
      .Case([](math::SinOp) { return unary(std::sin); })
      .Case([](math::SinhOp) { return unary(std::sinh); })
      .Case([](math::SqrtOp) { return unary(std::sqrt); })
      .Case([](math::TanOp) { return unary(std::tan); })
      .Case([](math::TanhOp) { return unary(std::tanh); })
      .Case([](math::Atan2Op) { return binary(std::atan2); })
      .Case([](math::PowFOp) { return binary(std::pow); })
      .Default([](Operation *) { return nullptr; });
}

ArrayFunction opgraph::tile::interp::getMathFunction(Operation *op) {
  if (ArrayFunction function = getElementary(op))
    return function;
  return llvm::TypeSwitch<Operation *, ArrayFunction>(op)
      .Case([](math::AbsFOp) { return unary(std::fabs); })
      .Case([](math::CeilOp) { return unary(std::ceil); })
      .Case([](math::FloorOp) { return unary(std::floor); })
      .Case([](math::RoundOp) { return unary(std::round); })
      .Case([](math::RoundEvenOp) { return unary(std::nearbyint); })
      .Case([](math::TruncOp) { return unary(std::trunc); })
      .Case([](math::CopySignOp) { return binary(std::copysign); })
      .Case([](math::FmaOp) { return ArrayFunction(fuse); })
      .Case([](math::ClampFOp) { return ArrayFunction(clamp); })
      .Case([](math::FPowIOp) { return ArrayFunction(raise); })
      .Case([](math::IsNaNOp) {
        return test([](double x) { return std::isnan(x); });
      })
      .Case([](math::IsInfOp) {
        return test([](double x) { return std::isinf(x); });
      })
      .Case([](math::IsFiniteOp) {
        return test([](double x) { return std::isfinite(x); });
      })
      .Case([](math::AbsIOp) { return ArrayFunction(absolute); })
      .Case([](math::CountLeadingZerosOp) {
        return countBits([](uint64_t value, int bits) {
          return value ? llvm::countl_zero(value) - (64 - bits) : bits;
        });
      })
      .Case([](math::CountTrailingZerosOp) {
        return countBits([](uint64_t value, int bits) {
          return value ? llvm::countr_zero(value) : bits;
        });
      })
      .Case([](math::CtPopOp) {
        return countBits(
            [](uint64_t value, int) { return llvm::popcount(value); });
      })
      .Default([](Operation *) { return nullptr; });
}
