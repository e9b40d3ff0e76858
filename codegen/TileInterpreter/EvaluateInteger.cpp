//===- EvaluateInteger.cpp - Integers of arith over arrays ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "codegen/TileInterpreter/Evaluate.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

#include <limits>

using namespace mlir;
using namespace opgraph::tile::interp;

/// The bits of a two's-complement number as an unsigned one.
static uint64_t zeroExtend(Format format, int64_t value) {
  unsigned bits = integerBits(format);
  return bits == 64 ? uint64_t(value)
                    : uint64_t(value) & ((uint64_t(1) << bits) - 1);
}

/// The number of `bits` bits that a bool of true is in arithmetic: -1.
static int64_t signExtend(Format format, int64_t value) {
  return format == Format::I1 ? -value : value;
}

template <typename Compute>
static ArrayFunction signedBinary(Compute compute) {
  return [=](ArrayRef<const Numbers *> in, ArrayRef<Numbers *> out) {
    Format format = in[0]->format;
    for (int64_t i = 0, e = out[0]->count(); i < e; ++i)
      out[0]->integers[i] = wrapInteger(
          out[0]->format, compute(signExtend(format, in[0]->integers[i]),
                                  signExtend(format, in[1]->integers[i])));
  };
}

template <typename Compute>
static ArrayFunction unsignedBinary(Compute compute) {
  return [=](ArrayRef<const Numbers *> in, ArrayRef<Numbers *> out) {
    Format format = in[0]->format;
    for (int64_t i = 0, e = out[0]->count(); i < e; ++i)
      out[0]->integers[i] =
          wrapInteger(out[0]->format,
                      int64_t(compute(zeroExtend(format, in[0]->integers[i]),
                                      zeroExtend(format, in[1]->integers[i]))));
  };
}

/// Division by zero gives all ones and the dividend as rest, as PTX does.
static int64_t divide(int64_t a, int64_t b) {
  if (b == 0)
    return -1;
  return b == -1 ? int64_t(0 - uint64_t(a)) : a / b;
}
static int64_t restOf(int64_t a, int64_t b) {
  if (b == 0)
    return a;
  return b == -1 ? 0 : a % b;
}
static int64_t floorDivide(int64_t a, int64_t b) {
  int64_t quotient = divide(a, b);
  return b != 0 && restOf(a, b) != 0 && (a < 0) != (b < 0) ? quotient - 1
                                                           : quotient;
}
static int64_t ceilDivide(int64_t a, int64_t b) {
  int64_t quotient = divide(a, b);
  return b != 0 && restOf(a, b) != 0 && (a < 0) == (b < 0) ? quotient + 1
                                                           : quotient;
}
static uint64_t divideUnsigned(uint64_t a, uint64_t b) {
  return b == 0 ? ~uint64_t(0) : a / b;
}
static uint64_t remainderUnsigned(uint64_t a, uint64_t b) {
  return b == 0 ? a : a % b;
}

/// Shifts by the width or more give 0 (or the sign), as PTX does.
static ArrayFunction shift(bool isLeft, bool isSigned) {
  return [=](ArrayRef<const Numbers *> in, ArrayRef<Numbers *> out) {
    Format format = out[0]->format;
    unsigned bits = integerBits(format);
    for (int64_t i = 0, e = out[0]->count(); i < e; ++i) {
      int64_t value = in[0]->integers[i];
      uint64_t by = zeroExtend(format, in[1]->integers[i]);
      int64_t result = 0;
      if (isLeft)
        result = by < bits ? int64_t(uint64_t(value) << by) : 0;
      else if (isSigned)
        result = signExtend(format, value) >> std::min<uint64_t>(by, bits - 1);
      else
        result = by < bits ? int64_t(zeroExtend(format, value) >> by) : 0;
      out[0]->integers[i] = wrapInteger(format, result);
    }
  };
}

static bool compare(arith::CmpIPredicate predicate, Format format, int64_t a,
                    int64_t b) {
  uint64_t ua = zeroExtend(format, a), ub = zeroExtend(format, b);
  a = signExtend(format, a);
  b = signExtend(format, b);
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return a == b;
  case arith::CmpIPredicate::ne:
    return a != b;
  case arith::CmpIPredicate::slt:
    return a < b;
  case arith::CmpIPredicate::sle:
    return a <= b;
  case arith::CmpIPredicate::sgt:
    return a > b;
  case arith::CmpIPredicate::sge:
    return a >= b;
  case arith::CmpIPredicate::ult:
    return ua < ub;
  case arith::CmpIPredicate::ule:
    return ua <= ub;
  case arith::CmpIPredicate::ugt:
    return ua > ub;
  case arith::CmpIPredicate::uge:
    return ua >= ub;
  }
  return false;
}

static ArrayFunction comparison(arith::CmpIPredicate predicate) {
  return [=](ArrayRef<const Numbers *> in, ArrayRef<Numbers *> out) {
    for (int64_t i = 0, e = out[0]->count(); i < e; ++i)
      out[0]->integers[i] = compare(predicate, in[0]->format,
                                    in[0]->integers[i], in[1]->integers[i]);
  };
}

/// Low and high halves of a product.
static ArrayFunction extendedProduct(bool isSigned) {
  return [=](ArrayRef<const Numbers *> in, ArrayRef<Numbers *> out) {
    Format format = out[0]->format;
    unsigned bits = integerBits(format);
    for (int64_t i = 0, e = out[0]->count(); i < e; ++i) {
      int64_t a = in[0]->integers[i], b = in[1]->integers[i];
      __int128 product =
          isSigned
              ? __int128(a) * b
              : __int128(static_cast<unsigned __int128>(zeroExtend(format, a)) *
                         zeroExtend(format, b));
      out[0]->integers[i] = wrapInteger(format, int64_t(product));
      out[1]->integers[i] = wrapInteger(format, int64_t(product >> bits));
    }
  };
}

static void addExtended(ArrayRef<const Numbers *> in, ArrayRef<Numbers *> out) {
  Format format = out[0]->format;
  for (int64_t i = 0, e = out[0]->count(); i < e; ++i) {
    uint64_t a = zeroExtend(format, in[0]->integers[i]);
    int64_t sum = wrapInteger(format, int64_t(a + in[1]->integers[i]));
    out[0]->integers[i] = sum;
    out[1]->integers[i] = zeroExtend(format, sum) < a;
  }
}

static ArrayFunction getArithmetic(Operation *op) {
  using I = int64_t;
  using U = uint64_t;
  // Sums and products wrap, so they are computed unsigned.
  return llvm::TypeSwitch<Operation *, ArrayFunction>(op)
      .Case([](arith::AddIOp) {
        return unsignedBinary([](U a, U b) { return a + b; });
      })
      .Case([](arith::SubIOp) {
        return unsignedBinary([](U a, U b) { return a - b; });
      })
      .Case([](arith::MulIOp) {
        return unsignedBinary([](U a, U b) { return a * b; });
      })
      .Case([](arith::DivSIOp) { return signedBinary(divide); })
      .Case([](arith::DivUIOp) { return unsignedBinary(divideUnsigned); })
      .Case([](arith::RemSIOp) { return signedBinary(restOf); })
      .Case([](arith::RemUIOp) { return unsignedBinary(remainderUnsigned); })
      .Case([](arith::FloorDivSIOp) { return signedBinary(floorDivide); })
      .Case([](arith::CeilDivSIOp) { return signedBinary(ceilDivide); })
      .Case([](arith::CeilDivUIOp) {
        return unsignedBinary([](U a, U b) {
          return divideUnsigned(a, b) +
                 (b != 0 && remainderUnsigned(a, b) != 0);
        });
      })
      .Case([](arith::MaxSIOp) {
        return signedBinary([](I a, I b) { return std::max(a, b); });
      })
      .Case([](arith::MinSIOp) {
        return signedBinary([](I a, I b) { return std::min(a, b); });
      })
      .Case([](arith::MaxUIOp) {
        return unsignedBinary([](U a, U b) { return std::max(a, b); });
      })
      .Case([](arith::MinUIOp) {
        return unsignedBinary([](U a, U b) { return std::min(a, b); });
      })
      .Default([](Operation *) { return nullptr; });
}

ArrayFunction opgraph::tile::interp::getIntegerFunction(Operation *op) {
  using U = uint64_t;
  if (ArrayFunction function = getArithmetic(op))
    return function;
  return llvm::TypeSwitch<Operation *, ArrayFunction>(op)
      .Case([](arith::AndIOp) {
        return unsignedBinary([](U a, U b) { return a & b; });
      })
      .Case([](arith::OrIOp) {
        return unsignedBinary([](U a, U b) { return a | b; });
      })
      .Case([](arith::XOrIOp) {
        return unsignedBinary([](U a, U b) { return a ^ b; });
      })
      .Case([](arith::ShLIOp) { return shift(true, false); })
      .Case([](arith::ShRSIOp) { return shift(false, true); })
      .Case([](arith::ShRUIOp) { return shift(false, false); })
      .Case([](arith::CmpIOp cmp) { return comparison(cmp.getPredicate()); })
      .Case([](arith::MulSIExtendedOp) { return extendedProduct(true); })
      .Case([](arith::MulUIExtendedOp) { return extendedProduct(false); })
      .Case([](arith::AddUIExtendedOp) { return ArrayFunction(addExtended); })
      .Default([](Operation *) { return nullptr; });
}
