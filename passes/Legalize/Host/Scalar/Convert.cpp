//===- Convert.cpp - Between storage and work types -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each conversion rounds at most once; the rules are the graph dialect's.
//===----------------------------------------------------------------------===//
#include "passes/Legalize/Host/Scalar/Emit.h"

#include <cmath>

using namespace mlir;
using namespace opgraph::legalize;
using namespace opgraph::legalize::scalar;

/// Whether floats of `type` are stored as the bits of an integer.
static bool isCoded(Type type) {
  return isa<Float8E4M3FNType, Float8E5M2Type, Float8E8M0FNUType,
             Float4E2M1FNType>(type);
}

Type opgraph::legalize::getStorageType(Type elementType) {
  bool isByte = elementType.isInteger(1) || elementType.isInteger(4) ||
                isCoded(elementType) || elementType.isUnsignedInteger(8);
  return isByte ? IntegerType::get(elementType.getContext(), 8) : elementType;
}

/// The value of a signed 4-bit integer in the low half of `byte`.
static Value emitSignedHalf(Emit &e, Value byte) {
  Value four = e.integer(byte.getType(), 4);
  return e.make<arith::ShRSIOp>(e.make<arith::ShLIOp>(byte, four), four);
}

/// `value` (f32 or f64) as an integer of `width` bits, in at least a byte:
/// truncated, saturated, NaN as 0. Out-of-range inputs never reach the
/// conversion, which is undefined for them.
static Value emitFloatToInteger(Emit &e, Value value, unsigned width,
                                bool isUnsigned) {
  unsigned storedWidth = std::max(width, 8u);
  Type type = e.b.getIntegerType(storedWidth);
  double high = std::ldexp(1.0, isUnsigned ? width : width - 1);
  double low = isUnsigned ? 0 : -high;
  Value isBelowHigh = e.cmp(arith::CmpFPredicate::OLT, value, e.constant(high));
  Value inRange =
      e.max(e.select(isBelowHigh, value, e.constant(0)), e.constant(low));
  Value converted = isUnsigned ? e.make<arith::FPToUIOp>(type, inRange)
                               : e.make<arith::FPToSIOp>(type, inRange);
  APInt largest =
      isUnsigned ? APInt::getMaxValue(width) : APInt::getSignedMaxValue(width);
  Value saturated = e.make<arith::ConstantOp>(
      e.b.getIntegerAttr(type, largest.zext(storedWidth)));
  Value isHigh = e.cmp(arith::CmpFPredicate::OGE, value, e.constant(high));
  return e.select(isHigh, saturated, converted);
}

/// `value`, a signless integer, as one of `type`'s width.
static Value emitResize(Emit &e, Value value, Type type, bool isUnsigned) {
  unsigned from = value.getType().getIntOrFloatBitWidth();
  unsigned to = type.getIntOrFloatBitWidth();
  if (from == to)
    return value;
  if (from > to)
    return e.make<arith::TruncIOp>(type, value);
  return isUnsigned ? e.make<arith::ExtUIOp>(type, value)
                    : e.make<arith::ExtSIOp>(type, value);
}

/// `value` (any machine float) as `type`, a machine float. From f64, only f32
/// is asked for: the narrower ones are encoded.
static Value emitResizeFloat(Emit &e, Value value, Type type) {
  unsigned from = value.getType().getIntOrFloatBitWidth();
  unsigned to = type.getIntOrFloatBitWidth();
  if (from == to)
    return value;
  return from > to ? e.make<arith::TruncFOp>(type, value)
                   : e.make<arith::ExtFOp>(type, value);
}

/// A bf16 is the upper half of an f32. Spelled with bits, because LLVM narrows
/// comparisons and minima of an extended bf16 to bf16 arithmetic, which it
/// then rounds by a library call that host code may not import.
static Value emitExtendBF16(Emit &e, Value value) {
  Type i32 = e.b.getI32Type();
  Value bits = e.make<arith::BitcastOp>(e.b.getIntegerType(16), value);
  Value upper = e.make<arith::ShLIOp>(e.make<arith::ExtUIOp>(i32, bits),
                                      e.integer(i32, 16));
  return e.make<arith::BitcastOp>(e.b.getF32Type(), upper);
}

Value opgraph::legalize::convertFromStorage(OpBuilder &builder, Location loc,
                                            Value stored, Type elementType,
                                            Type workType) {
  Emit e(builder, loc, workType);
  if (elementType.isInteger(1)) {
    Value isTrue =
        e.cmp(arith::CmpIPredicate::ne, stored, e.integer(stored.getType(), 0));
    if (isa<FloatType>(workType))
      return e.make<arith::UIToFPOp>(workType, isTrue);
    return e.make<arith::ExtUIOp>(workType, isTrue);
  }
  bool isUnsigned = elementType.isUnsignedInteger();
  if (elementType.isInteger(4))
    stored = emitSignedHalf(e, stored);
  if (elementType.isInteger()) {
    if (!isa<FloatType>(workType))
      return emitResize(e, stored, workType, isUnsigned);
    return isUnsigned ? e.make<arith::UIToFPOp>(workType, stored)
                      : e.make<arith::SIToFPOp>(workType, stored);
  }
  if (!isa<FloatType>(workType)) {
    Emit wide(builder, loc, builder.getF64Type());
    Value value =
        convertFromStorage(builder, loc, stored, elementType, wide.type);
    return emitFloatToInteger(wide, value, workType.getIntOrFloatBitWidth(),
                              /*isUnsigned=*/false);
  }
  if (isa<Float8E8M0FNUType>(elementType))
    return emitDecodeScale(e, stored);
  if (isCoded(elementType))
    return emitDecode(e, getFloatFormat(elementType), stored);
  if (elementType.isBF16())
    stored = emitExtendBF16(e, stored);
  return emitResizeFloat(e, stored, workType);
}

/// A float that rounds to every narrow format as the i64 `value` does: beyond
/// 53 bits, the bits that f64 cannot hold are folded into its last one, which
/// is far below any narrow format's.
static Value emitStickyF64(Emit &e, Value value) {
  Type f64 = e.b.getF64Type();
  if (value.getType().getIntOrFloatBitWidth() <= 32)
    return e.make<arith::SIToFPOp>(f64, value);
  auto integer = [&](int64_t v) { return e.integer(value.getType(), v); };
  constexpr int64_t kLowBits = (1 << 11) - 1;
  Value low = e.make<arith::AndIOp>(value, integer(kLowBits));
  Value isInexact = e.cmp(arith::CmpIPredicate::ne, low, integer(0));
  Value high = e.make<arith::AndIOp>(value, integer(~kLowBits));
  Value sticky = e.make<arith::OrIOp>(
      high, e.select(isInexact, integer(kLowBits + 1), integer(0)));
  Value top = e.make<arith::ShRSIOp>(value, integer(53));
  Value isSmall =
      e.make<arith::OrIOp>(e.cmp(arith::CmpIPredicate::eq, top, integer(0)),
                           e.cmp(arith::CmpIPredicate::eq, top, integer(-1)));
  return e.make<arith::SIToFPOp>(f64, e.select(isSmall, value, sticky));
}

static Value emitIntegerToStorage(OpBuilder &builder, Location loc, Value value,
                                  Type elementType) {
  Emit e(builder, loc, value.getType());
  if (elementType.isInteger(1))
    return e.make<arith::ExtUIOp>(
        builder.getI8Type(),
        e.cmp(arith::CmpIPredicate::ne, value, e.integer(0)));
  if (elementType.isInteger()) {
    Value stored = emitResize(e, value, getStorageType(elementType),
                              /*isUnsigned=*/false);
    return elementType.isInteger(4) ? emitSignedHalf(e, stored) : stored;
  }
  if (elementType.isF32() || elementType.isF64())
    return e.make<arith::SIToFPOp>(elementType, value);
  return convertToStorage(builder, loc, emitStickyF64(e, value), elementType);
}

Value opgraph::legalize::convertToStorage(OpBuilder &builder, Location loc,
                                          Value value, Type elementType) {
  Type workType = value.getType();
  if (!isa<FloatType>(workType))
    return emitIntegerToStorage(builder, loc, value, elementType);
  Emit e(builder, loc, workType);
  if (elementType.isInteger(1))
    return e.make<arith::ExtUIOp>(
        builder.getI8Type(),
        e.cmp(arith::CmpFPredicate::UNE, value, e.constant(0)));
  if (elementType.isInteger())
    return emitFloatToInteger(e, value, elementType.getIntOrFloatBitWidth(),
                              elementType.isUnsignedInteger());
  if (isa<Float8E8M0FNUType>(elementType))
    return emitEncodeScale(e, value);
  if (isCoded(elementType))
    return emitEncode(e, getFloatFormat(elementType), value);
  bool isNarrow = elementType.getIntOrFloatBitWidth() == 16;
  if (isNarrow && workType.isF64())
    return e.make<arith::BitcastOp>(
        elementType, emitEncode(e, getFloatFormat(elementType), value));
  return emitResizeFloat(e, value, elementType);
}

Value opgraph::legalize::roundToType(OpBuilder &builder, Location loc,
                                     Value value, Type elementType) {
  if (value.getType() == elementType)
    return value;
  Value stored = convertToStorage(builder, loc, value, elementType);
  return convertFromStorage(builder, loc, stored, elementType, value.getType());
}

Value opgraph::legalize::emitIsNonZero(OpBuilder &builder, Location loc,
                                       Value stored, Type elementType) {
  if (stored.getType().isInteger() && !isCoded(elementType)) {
    Emit e(builder, loc, stored.getType());
    if (elementType.isInteger(4))
      stored = emitSignedHalf(e, stored);
    return e.make<arith::CmpIOp>(arith::CmpIPredicate::ne, stored,
                                 e.integer(0));
  }
  bool isDouble = elementType.isF64();
  Type workType = isDouble ? elementType : builder.getF32Type();
  Emit e(builder, loc, workType);
  Value value = convertFromStorage(builder, loc, stored, elementType, workType);
  return e.cmp(arith::CmpFPredicate::UNE, value, e.constant(0));
}

/// Whether every value of element type `from` is one of `to`.
static bool convertsExactly(Type from, Type to) {
  if (from == to || from.isInteger(1))
    return true;
  unsigned bits = from.getIntOrFloatBitWidth();
  if (to.isF64())
    return !from.isInteger(64);
  if (to.isF32())
    return bits <= 16;
  return to.isInteger() && from.isInteger() &&
         bits <= to.getIntOrFloatBitWidth();
}

Value opgraph::legalize::convertOperand(OpBuilder &builder, Location loc,
                                        Value stored, Type elementType,
                                        Type computeType, Type workType) {
  if (convertsExactly(elementType, computeType) || computeType == workType)
    return convertFromStorage(builder, loc, stored, elementType, workType);
  // Widening to the element's own kind is exact, so that this rounds once.
  Type wide = isa<FloatType>(elementType) ? Type(builder.getF64Type())
                                          : Type(builder.getI64Type());
  Value own = convertFromStorage(builder, loc, stored, elementType, wide);
  Value rounded = convertToStorage(builder, loc, own, computeType);
  return convertFromStorage(builder, loc, rounded, computeType, workType);
}
