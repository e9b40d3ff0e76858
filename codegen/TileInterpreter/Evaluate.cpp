//===- Evaluate.cpp - Floats of arith over arrays -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums, products and quotients are computed in f32 (f64 for f64) and rounded
// to the op's format: f32 has more than twice the digits of a narrower format,
// so rounding twice is rounding once.
//===----------------------------------------------------------------------===//
#include "codegen/TileInterpreter/Evaluate.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace opgraph::tile::interp;

NumbersPtr opgraph::tile::interp::getConstant(Attribute value) {
  auto typed = dyn_cast<TypedAttr>(value);
  std::optional<Format> format =
      typed ? formatOf(typed.getType()) : std::nullopt;
  if (!format)
    return nullptr;
  auto numbers = std::make_shared<Numbers>(*format, 1, 1);
  if (auto integer = dyn_cast<IntegerAttr>(value)) {
    numbers->integers[0] =
        wrapInteger(*format, integer.getValue().getSExtValue());
    return numbers;
  }
  auto number = dyn_cast<FloatAttr>(value);
  if (!number)
    return nullptr;
  if (*format == Format::F64)
    numbers->doubles[0] = number.getValueAsDouble();
  else
    numbers->floats[0] = float(number.getValueAsDouble());
  return numbers;
}

/// `compute` on two floats or two doubles.
template <typename Compute>
static ArrayFunction binary(Compute compute) {
  return [=](ArrayRef<const Numbers *> in, ArrayRef<Numbers *> out) {
    Numbers &result = *out[0];
    int64_t count = result.count();
    if (holderOf(result.format) == Holder::Double) {
      const double *a = in[0]->doubles.data(), *b = in[1]->doubles.data();
      for (int64_t i = 0; i < count; ++i)
        result.doubles[i] = compute(a[i], b[i]);
      return;
    }
    const float *a = in[0]->floats.data(), *b = in[1]->floats.data();
    float *to = result.floats.data();
    for (int64_t i = 0; i < count; ++i)
      to[i] = compute(a[i], b[i]);
    roundArray(result.format, to, count);
  };
}

/// The larger (`sign` 1) or smaller (-1) number; -0 is below +0. What a NaN
/// does is up to the caller.
template <typename T>
static T pick(T a, T b, int sign) {
  if (a == b)
    return std::signbit(a) == (sign > 0) ? b : a;
  return (a > b) == (sign > 0) ? a : b;
}

/// A NaN wins (maximumf) or loses (maxnumf).
static ArrayFunction extremum(int sign, bool propagatesNaN) {
  return binary([=](auto a, auto b) {
    if (std::isnan(a) || std::isnan(b))
      return std::isnan(a) == propagatesNaN ? a : b;
    return pick(a, b, sign);
  });
}

static bool compare(arith::CmpFPredicate predicate, double a, double b) {
  bool unordered = std::isnan(a) || std::isnan(b);
  switch (predicate) {
  case arith::CmpFPredicate::AlwaysFalse:
    return false;
  case arith::CmpFPredicate::OEQ:
    return a == b;
  case arith::CmpFPredicate::OGT:
    return a > b;
  case arith::CmpFPredicate::OGE:
    return a >= b;
  case arith::CmpFPredicate::OLT:
    return a < b;
  case arith::CmpFPredicate::OLE:
    return a <= b;
  case arith::CmpFPredicate::ONE:
    return !unordered && a != b;
  case arith::CmpFPredicate::ORD:
    return !unordered;
  case arith::CmpFPredicate::UEQ:
    return unordered || a == b;
  case arith::CmpFPredicate::UGT:
    return unordered || a > b;
  case arith::CmpFPredicate::UGE:
    return unordered || a >= b;
  case arith::CmpFPredicate::ULT:
    return unordered || a < b;
  case arith::CmpFPredicate::ULE:
    return unordered || a <= b;
  case arith::CmpFPredicate::UNE:
    return a != b;
  case arith::CmpFPredicate::UNO:
    return unordered;
  case arith::CmpFPredicate::AlwaysTrue:
    return true;
  }
  return false;
}

static ArrayFunction comparison(arith::CmpFPredicate predicate) {
  return [=](ArrayRef<const Numbers *> in, ArrayRef<Numbers *> out) {
    for (int64_t i = 0, e = out[0]->count(); i < e; ++i)
      out[0]->integers[i] = compare(predicate, in[0]->at(i), in[1]->at(i));
  };
}

static void negate(ArrayRef<const Numbers *> in, ArrayRef<Numbers *> out) {
  for (size_t i = 0; i < out[0]->floats.size(); ++i)
    out[0]->floats[i] = -in[0]->floats[i];
  for (size_t i = 0; i < out[0]->doubles.size(); ++i)
    out[0]->doubles[i] = -in[0]->doubles[i];
}

ArrayFunction opgraph::tile::interp::getFloatFunction(Operation *op) {
  return llvm::TypeSwitch<Operation *, ArrayFunction>(op)
      .Case([](arith::AddFOp) {
        return binary([](auto a, auto b) { return a + b; });
      })
      .Case([](arith::SubFOp) {
        return binary([](auto a, auto b) { return a - b; });
      })
      .Case([](arith::MulFOp) {
        return binary([](auto a, auto b) { return a * b; });
      })
      .Case([](arith::DivFOp) {
        return binary([](auto a, auto b) { return a / b; });
      })
      .Case([](arith::RemFOp) {
        return binary([](auto a, auto b) { return std::fmod(a, b); });
      })
      .Case([](arith::MaximumFOp) { return extremum(1, true); })
      .Case([](arith::MinimumFOp) { return extremum(-1, true); })
      .Case([](arith::MaxNumFOp) { return extremum(1, false); })
      .Case([](arith::MinNumFOp) { return extremum(-1, false); })
      .Case([](arith::CmpFOp cmp) { return comparison(cmp.getPredicate()); })
      .Case([](arith::NegFOp) { return ArrayFunction(negate); })
      .Default([](Operation *) { return nullptr; });
}

ArrayFunction opgraph::tile::interp::getArrayFunction(Operation *op) {
  // Vectors and indices are no types of tile's scalars.
  for (Type type : op->getOperandTypes())
    if (!formatOf(type))
      return nullptr;
  for (Type type : op->getResultTypes())
    if (!formatOf(type))
      return nullptr;
  for (auto get :
       {getFloatFunction, getIntegerFunction, getCastFunction, getMathFunction})
    if (ArrayFunction function = get(op))
      return function;
  return nullptr;
}
