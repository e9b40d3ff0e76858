//===- EvaluateCast.cpp - Conversions and selections over arrays ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "codegen/TileInterpreter/Evaluate.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace opgraph::tile::interp;

static uint64_t zeroExtend(Format format, int64_t value) {
  unsigned bits = integerBits(format);
  return bits == 64 ? uint64_t(value)
                    : uint64_t(value) & ((uint64_t(1) << bits) - 1);
}

static void putFloat(Numbers &numbers, int64_t i, double value) {
  if (numbers.format == Format::F64)
    numbers.doubles[i] = value;
  else
    numbers.floats[i] = float(roundTo(numbers.format, value));
}

static void convertFloat(ArrayRef<const Numbers *> in,
                         ArrayRef<Numbers *> out) {
  Numbers &to = *out[0];
  if (holderOf(in[0]->format) == Holder::Float &&
      holderOf(to.format) == Holder::Float) {
    to.floats = in[0]->floats;
    return roundArray(to.format, to.floats.data(), to.count());
  }
  for (int64_t i = 0, e = to.count(); i < e; ++i)
    putFloat(to, i, in[0]->at(i));
}

static ArrayFunction integerToFloat(bool isSigned) {
  return [=](ArrayRef<const Numbers *> in, ArrayRef<Numbers *> out) {
    Format format = in[0]->format;
    for (int64_t i = 0, e = out[0]->count(); i < e; ++i) {
      int64_t value = in[0]->integers[i];
      // A bool is -1 as a signed number. Above 53 bits f32 is rounded at once.
      if (isSigned && format == Format::I1)
        value = -value;
      bool isFloat = out[0]->format == Format::F32;
      double exact = isSigned ? (isFloat ? double(float(value)) : double(value))
                     : isFloat ? double(float(zeroExtend(format, value)))
                               : double(zeroExtend(format, value));
      putFloat(*out[0], i, exact);
    }
  };
}

/// Towards zero; saturates, and NaN becomes 0, as PTX does.
static ArrayFunction floatToInteger(bool isSigned) {
  return [=](ArrayRef<const Numbers *> in, ArrayRef<Numbers *> out) {
    Format format = out[0]->format;
    int bits = int(integerBits(format));
    double end = std::ldexp(1.0, isSigned ? bits - 1 : bits);
    double least = isSigned ? -end : 0;
    uint64_t ones = ~uint64_t(0) >> (64 - bits);
    uint64_t largest = isSigned ? ones >> 1 : ones;
    for (int64_t i = 0, e = out[0]->count(); i < e; ++i) {
      double value = std::trunc(in[0]->at(i));
      uint64_t result = 0;
      if (value >= end)
        result = largest;
      else if (value <= least)
        result = isSigned ? ~(ones >> 1) : 0;
      else if (!std::isnan(value))
        result = isSigned ? uint64_t(int64_t(value)) : uint64_t(value);
      out[0]->integers[i] = wrapInteger(format, int64_t(result));
    }
  };
}

static ArrayFunction resize(bool zeroes, bool bools) {
  return [=](ArrayRef<const Numbers *> in, ArrayRef<Numbers *> out) {
    Format from = in[0]->format;
    for (int64_t i = 0, e = out[0]->count(); i < e; ++i) {
      int64_t value = in[0]->integers[i];
      if (zeroes)
        value = int64_t(zeroExtend(from, value));
      else if (bools && from == Format::I1)
        value = -value;
      out[0]->integers[i] = wrapInteger(out[0]->format, value);
    }
  };
}

static void bitcast(ArrayRef<const Numbers *> in, ArrayRef<Numbers *> out) {
  uint64_t bytes = 0;
  for (int64_t i = 0, e = out[0]->count(); i < e; ++i) {
    in[0]->store(i, &bytes);
    out[0]->load(i, &bytes);
  }
}

static void selectElements(ArrayRef<const Numbers *> in,
                           ArrayRef<Numbers *> out) {
  for (int64_t i = 0, e = out[0]->count(); i < e; ++i)
    out[0]->copy(i, in[0]->integers[i] ? *in[1] : *in[2], i);
}

ArrayFunction opgraph::tile::interp::getCastFunction(Operation *op) {
  return llvm::TypeSwitch<Operation *, ArrayFunction>(op)
      .Case<arith::ExtFOp, arith::TruncFOp>(
          [](auto) { return ArrayFunction(convertFloat); })
      .Case([](arith::SIToFPOp) { return integerToFloat(true); })
      .Case([](arith::UIToFPOp) { return integerToFloat(false); })
      .Case([](arith::FPToSIOp) { return floatToInteger(true); })
      .Case([](arith::FPToUIOp) { return floatToInteger(false); })
      .Case([](arith::ExtSIOp) { return resize(false, true); })
      .Case([](arith::ExtUIOp) { return resize(true, false); })
      .Case([](arith::TruncIOp) { return resize(false, false); })
      .Case([](arith::BitcastOp) { return ArrayFunction(bitcast); })
      .Case([](arith::SelectOp) { return ArrayFunction(selectElements); })
      .Default([](Operation *) { return nullptr; });
}
