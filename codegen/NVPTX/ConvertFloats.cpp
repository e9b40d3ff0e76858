//===- ConvertFloats.cpp - Conversions between float formats --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "codegen/NVPTX/ScalarOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::codegen;

namespace {
/// Integer and f32 arithmetic on one value, for formats that the instruction
/// set lacks.
struct Bits {
  KernelEmitter &emitter;
  ImplicitLocOpBuilder &b = emitter.b;

  Value number(int64_t value) { return emitter.i32(value); }
  Value real(float value) { return emitter.constant(b.getF32FloatAttr(value)); }
  Value bits(Value real) {
    return arith::BitcastOp::create(b, b.getI32Type(), real);
  }
  Value real(Value bits) {
    return arith::BitcastOp::create(b, b.getF32Type(), bits);
  }
  Value mask(Value value, int64_t bits) {
    return arith::AndIOp::create(b, value, number(bits));
  }
  Value left(Value value, int64_t by) {
    return arith::ShLIOp::create(b, value, number(by));
  }
  Value right(Value value, int64_t by) {
    return arith::ShRUIOp::create(b, value, number(by));
  }
  Value sum(Value lhs, Value rhs) { return arith::AddIOp::create(b, lhs, rhs); }
  Value either(Value lhs, Value rhs) {
    return arith::OrIOp::create(b, lhs, rhs);
  }
  Value select(Value condition, Value yes, Value no) {
    return arith::SelectOp::create(b, condition, yes, no);
  }
  Value cmp(arith::CmpIPredicate predicate, Value lhs, int64_t rhs) {
    return arith::CmpIOp::create(b, predicate, lhs, number(rhs));
  }
  Value isNaN(Value real) {
    return arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, real, real);
  }
  Value byte(Value word) {
    return arith::TruncIOp::create(b, b.getI8Type(), word);
  }
  Value word(Value byte) {
    return arith::ExtUIOp::create(b, b.getI32Type(), byte);
  }
};
} // namespace

//===-- From 8 bits -------------------------------------------------------===//

/// The exponent of e4m3 in that of f32 is 120 too small, subnormals included.
static Value decodeE4M3(KernelEmitter &emitter, Value code) {
  Bits e{emitter};
  Value wide = e.word(code);
  Value magnitude = e.mask(wide, 0x7F);
  Value scaled = arith::MulFOp::create(e.b, e.real(e.left(magnitude, 20)),
                                       e.real(0x1p120f));
  Value sign = e.left(e.mask(wide, 0x80), 24);
  Value bits = e.select(e.cmp(arith::CmpIPredicate::eq, magnitude, 0x7F),
                        e.number(0x7FC00000), e.bits(scaled));
  return e.real(e.either(bits, sign));
}

/// e5m2 is the upper half of f16.
static Value decodeE5M2(KernelEmitter &emitter, Value code) {
  ImplicitLocOpBuilder &b = emitter.b;
  Value wide = arith::ExtUIOp::create(b, b.getI16Type(), code);
  wide =
      arith::ShLIOp::create(b, wide, emitter.constant(b.getI16IntegerAttr(8)));
  Value half = arith::BitcastOp::create(b, b.getF16Type(), wide);
  return arith::ExtFOp::create(b, b.getF32Type(), half);
}

/// 2^(code - 127): an f32's exponent field, but 0 is subnormal and 255 NaN.
static Value decodeE8M0(KernelEmitter &emitter, Value code) {
  Bits e{emitter};
  Value wide = e.word(code);
  Value bits = e.select(e.cmp(arith::CmpIPredicate::eq, wide, 0),
                        e.number(0x00400000), e.left(wide, 23));
  bits = e.select(e.cmp(arith::CmpIPredicate::eq, wide, 255),
                  e.number(0x7FC00000), bits);
  return e.real(bits);
}

static bool isInstructionFormat(Type type) {
  return isa<Float8E4M3FNType, Float8E5M2Type>(type);
}

/// `cvt.rn.f16x2.e4m3x2`.
static std::array<Value, 2> decodePair(KernelEmitter &emitter, Value first,
                                       Value second, FloatType from) {
  ImplicitLocOpBuilder &b = emitter.b;
  Value pair = packPair(emitter, first, second);
  Value halves = NVVM::ConvertF8x2ToF16x2Op::create(
      b, VectorType::get({2}, b.getF16Type()), pair, false, from);
  auto [low, high] = unpackPair(emitter, halves);
  return {arith::ExtFOp::create(b, b.getF32Type(), low),
          arith::ExtFOp::create(b, b.getF32Type(), high)};
}

static Value decodeFloat8(KernelEmitter &emitter, Value code, FloatType from) {
  if (isa<Float8E8M0FNUType>(from))
    return decodeE8M0(emitter, code);
  if (isa<Float8E5M2Type>(from))
    return decodeE5M2(emitter, code);
  if (!emitter.has(tile::Feature::Fp8Convert))
    return decodeE4M3(emitter, code);
  Value zero = emitter.constant(emitter.b.getI8IntegerAttr(0));
  return decodePair(emitter, code, zero, from)[0];
}

//===-- To 8 bits ---------------------------------------------------------===//

/// `mantissa` bits and a bias of 7 or 15, from f32: round to nearest even,
/// saturate, keep NaN.
static Value encodeByBits(KernelEmitter &emitter, Value value,
                          FloatType format) {
  Bits e{emitter};
  bool isE4M3 = isa<Float8E4M3FNType>(format);
  int mantissa = isE4M3 ? 3 : 2, bias = isE4M3 ? 7 : 15;
  int64_t largest = isE4M3 ? 0x7E : 0x7B;
  Value bits = e.bits(value);
  Value magnitude = e.mask(bits, 0x7FFFFFFF);
  // Normal: round at the last kept bit, then move the exponent's bias.
  int dropped = 23 - mantissa;
  Value odd = e.mask(e.right(magnitude, dropped), 1);
  Value rounded =
      e.sum(e.sum(magnitude, e.number((1 << (dropped - 1)) - 1)), odd);
  Value normal =
      e.sum(e.right(rounded, dropped), e.number(-((127 - bias) << mantissa)));
  // Subnormal: adding a number whose last bit is the least subnormal rounds.
  int64_t magicExponent = 24 - bias - mantissa;
  int64_t magic = (magicExponent + 127) << 23;
  Value shifted =
      arith::AddFOp::create(e.b, e.real(magnitude), e.real(e.number(magic)));
  Value subnormal = e.sum(e.bits(shifted), e.number(-magic));
  Value isSubnormal = e.cmp(arith::CmpIPredicate::slt, magnitude,
                            int64_t(127 + 1 - bias) << 23);
  Value code = e.select(isSubnormal, subnormal, normal);
  code = arith::MinSIOp::create(e.b, code, e.number(largest));
  code = e.select(e.isNaN(value), e.number(0x7F), code);
  return e.byte(e.either(code, e.mask(e.right(bits, 24), 0x80)));
}

/// The next power of two that is not less; 0 and below are the least.
static Value encodeE8M0(KernelEmitter &emitter, Value value) {
  Bits e{emitter};
  Value bits = e.bits(value);
  // A subnormal above 2^-127 rounds up to 2^-126, the others to 2^-127.
  Value isAboveLeast = e.cmp(arith::CmpIPredicate::sgt, bits, 0x00400000);
  Value exponent = e.right(bits, 23);
  Value rest = e.cmp(arith::CmpIPredicate::ne, e.mask(bits, 0x7FFFFF), 0);
  Value up =
      e.sum(exponent, arith::ExtUIOp::create(e.b, e.b.getI32Type(), rest));
  up = arith::MinSIOp::create(e.b, up, e.number(254));
  Value code = e.select(isAboveLeast, up, e.number(0));
  return e.byte(e.select(e.isNaN(value), e.number(255), code));
}

/// `cvt.rn.satfinite.e4m3x2.f32`.
static std::array<Value, 2> encodePair(KernelEmitter &emitter, Value first,
                                       Value second, FloatType to) {
  ImplicitLocOpBuilder &b = emitter.b;
  Value pair = NVVM::ConvertF32x2ToF8x2Op::create(
      b, VectorType::get({2}, b.getI8Type()), second, first,
      NVVM::FPRoundingMode::RN, NVVM::SaturationMode::SATFINITE, false, to);
  return unpackPair(emitter, pair);
}

static Value encodeFloat8(KernelEmitter &emitter, Value value, FloatType to) {
  if (isa<Float8E8M0FNUType>(to))
    return encodeE8M0(emitter, value);
  if (!emitter.has(tile::Feature::Fp8Convert))
    return encodeByBits(emitter, value, to);
  Value zero = emitter.constant(emitter.b.getF32FloatAttr(0));
  return encodePair(emitter, value, zero, to)[0];
}

//===-- All formats -------------------------------------------------------===//

static bool isFloat8(Type type) { return type.getIntOrFloatBitWidth() == 8; }

/// f64 to f32 so that rounding again to fewer bits rounds once: what was cut
/// off stays visible in the last bit (round to odd).
static Value narrowToOdd(KernelEmitter &emitter, Value value) {
  Bits e{emitter};
  Value cut = LLVM::CallIntrinsicOp::create(
                  e.b, e.b.getF32Type(), e.b.getStringAttr("llvm.nvvm.d2f.rz"),
                  ValueRange(value))
                  .getResult(0);
  Value back = arith::ExtFOp::create(e.b, e.b.getF64Type(), cut);
  Value isInexact =
      arith::CmpFOp::create(e.b, arith::CmpFPredicate::ONE, back, value);
  Value odd = e.real(e.either(e.bits(cut), e.number(1)));
  return e.select(isInexact, odd, cut);
}

/// tf32 is f32 with the low bits rounded away, ties away from zero.
static Value roundToTF32(KernelEmitter &emitter, Value value) {
  ImplicitLocOpBuilder &b = emitter.b;
  Value bits = NVVM::ConvertFloatToTF32Op::create(
      b, b.getI32Type(), value, NVVM::FPRoundingMode::RNA,
      NVVM::SaturationMode::NONE, false);
  return arith::BitcastOp::create(b, b.getF32Type(), bits);
}

Value opgraph::codegen::emitConvertFloat(KernelEmitter &emitter, Value value,
                                         FloatType from, FloatType to) {
  ImplicitLocOpBuilder &b = emitter.b;
  if (from == to)
    return value;
  auto f32 = b.getF32Type();
  if (isFloat8(from)) {
    Value real = decodeFloat8(emitter, value, from);
    return emitConvertFloat(emitter, real, f32, to);
  }
  if (isFloat8(to)) {
    Value real = from.isF64() ? narrowToOdd(emitter, value)
                              : emitConvertFloat(emitter, value, from, f32);
    return encodeFloat8(emitter, real, to);
  }
  if (isa<FloatTF32Type>(to)) {
    Value real = from.isF64() ? narrowToOdd(emitter, value)
                              : emitConvertFloat(emitter, value, from, f32);
    return from.isF16() || from.isBF16() ? real : roundToTF32(emitter, real);
  }
  if (isa<FloatTF32Type>(from))
    return emitConvertFloat(emitter, value, f32, to);
  if (from.getWidth() < to.getWidth())
    return arith::ExtFOp::create(b, to, value);
  if (from.getWidth() > to.getWidth())
    return arith::TruncFOp::create(b, to, value);
  // f16 and bf16: through f32, which has both.
  Value real = arith::ExtFOp::create(b, f32, value);
  return arith::TruncFOp::create(b, to, real);
}

std::array<Value, 2>
opgraph::codegen::emitConvertFloatPair(KernelEmitter &emitter, Value first,
                                       Value second, FloatType from,
                                       FloatType to) {
  ImplicitLocOpBuilder &b = emitter.b;
  bool hasFloat8 = emitter.has(tile::Feature::Fp8Convert);
  if (from.isF32() && (to.isF16() || to.isBF16())) {
    auto type = VectorType::get({2}, to);
    Value pair;
    if (to.isF16())
      pair = NVVM::ConvertF32x2ToF16x2Op::create(
          b, type, second, first, Value(), NVVM::FPRoundingMode::RN,
          NVVM::SaturationMode::NONE, false);
    else
      pair = NVVM::ConvertF32x2ToBF16x2Op::create(
          b, type, second, first, Value(), NVVM::FPRoundingMode::RN,
          NVVM::SaturationMode::NONE, false);
    return unpackPair(emitter, pair);
  }
  if (isInstructionFormat(to) && !isFloat8(from) && hasFloat8) {
    auto narrow = [&](Value value) {
      return from.isF64()
                 ? narrowToOdd(emitter, value)
                 : emitConvertFloat(emitter, value, from, b.getF32Type());
    };
    Value low = narrow(first), high = narrow(second);
    return encodePair(emitter, low, high, to);
  }
  if (isInstructionFormat(from) && hasFloat8) {
    auto [low, high] = decodePair(emitter, first, second, from);
    return {emitConvertFloat(emitter, low, b.getF32Type(), to),
            emitConvertFloat(emitter, high, b.getF32Type(), to)};
  }
  return {};
}
