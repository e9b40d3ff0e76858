//===- Words.cpp - Elements in the words that memory moves ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "codegen/NVPTX/ScalarOps.h"
#include "codegen/NVPTX/SharedLayout.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::codegen;

WordType opgraph::codegen::getWordType(KernelEmitter &emitter, Type element,
                                       int64_t bytes) {
  Type memory = emitter.memoryType(element);
  int64_t size = memory.getIntOrFloatBitWidth() / 8;
  // 32 and 64-bit elements are words themselves, smaller ones share them.
  if (size >= 4)
    return {memory, bytes / size, size};
  int64_t word = std::min<int64_t>(bytes, 4);
  return {emitter.b.getIntegerType(word * 8), bytes / word, word};
}

/// An element as memory has it: of the integer type of its size.
static Value toBits(KernelEmitter &emitter, Value element) {
  ImplicitLocOpBuilder &b = emitter.b;
  if (element.getType().isInteger(1))
    return arith::ExtUIOp::create(b, b.getI8Type(), element);
  Type bits = b.getIntegerType(element.getType().getIntOrFloatBitWidth());
  return element.getType() == bits
             ? element
             : Value(arith::BitcastOp::create(b, bits, element));
}

static Value fromBits(KernelEmitter &emitter, Value bits, Type element) {
  ImplicitLocOpBuilder &b = emitter.b;
  Type scalar = emitter.scalarType(element);
  // A bool is any byte but 0.
  if (scalar.isInteger(1))
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, bits,
                                 emitter.constant(b.getI8IntegerAttr(0)));
  return bits.getType() == scalar
             ? bits
             : Value(arith::BitcastOp::create(b, scalar, bits));
}

/// The word of constant elements; null where one is not constant.
static Value packConstants(KernelEmitter &emitter, ValueRange elements,
                           Type word) {
  unsigned width = word.getIntOrFloatBitWidth();
  unsigned each = width / static_cast<unsigned>(elements.size());
  APInt bits = APInt::getZero(width);
  for (auto [index, element] : llvm::enumerate(elements)) {
    TypedAttr value;
    if (!matchPattern(element, m_Constant(&value)))
      return {};
    APInt part = isa<FloatAttr>(value)
                     ? cast<FloatAttr>(value).getValue().bitcastToAPInt()
                     : cast<IntegerAttr>(value).getValue();
    bits.insertBits(part.zext(each), static_cast<unsigned>(index) * each);
  }
  return emitter.constant(IntegerAttr::get(word, bits));
}

/// Elements of one word.
static Value packWord(KernelEmitter &emitter, ValueRange elements, Type word) {
  ImplicitLocOpBuilder &b = emitter.b;
  if (Value constant = packConstants(emitter, elements, word))
    return constant;
  if (elements.size() == 1)
    return toBits(emitter, elements[0]);
  if (elements.size() == 2)
    if (elements[0].getType().getIntOrFloatBitWidth() > 1)
      return LLVM::BitcastOp::create(
          b, word, packPair(emitter, elements[0], elements[1]));
  SmallVector<Value> bits;
  for (Value element : elements)
    bits.push_back(element.getType().isInteger(1) ? toBits(emitter, element)
                                                  : element);
  // Four bytes: two pairs, so that pairs of conversions stay in one piece.
  if (bits.size() == 4) {
    Type half = b.getI16Type();
    Value low =
        LLVM::BitcastOp::create(b, half, packPair(emitter, bits[0], bits[1]));
    Value high =
        LLVM::BitcastOp::create(b, half, packPair(emitter, bits[2], bits[3]));
    return LLVM::BitcastOp::create(b, word, packPair(emitter, low, high));
  }
  return LLVM::BitcastOp::create(b, word, packPair(emitter, bits[0], bits[1]));
}

SmallVector<Value> opgraph::codegen::packWords(KernelEmitter &emitter,
                                               ValueRange elements,
                                               Type element) {
  int64_t bytes = elements.size() * getElementBytes(element);
  WordType word = getWordType(emitter, element, bytes);
  auto perWord = static_cast<int64_t>(elements.size()) / word.count;
  if (perWord == 1 && word.bytes >= 4)
    return llvm::to_vector(elements);
  SmallVector<Value> words;
  for (int64_t index = 0; index < word.count; ++index)
    words.push_back(
        packWord(emitter, elements.slice(index * perWord, perWord), word.type));
  return words;
}

SmallVector<Value> opgraph::codegen::unpackWords(KernelEmitter &emitter,
                                                 ValueRange words, Type element,
                                                 int64_t count) {
  ImplicitLocOpBuilder &b = emitter.b;
  auto perWord = count / static_cast<int64_t>(words.size());
  SmallVector<Value> elements;
  Type memory = emitter.memoryType(element);
  for (Value word : words) {
    if (perWord == 1) {
      elements.push_back(fromBits(emitter, word, element));
      continue;
    }
    auto type = VectorType::get({perWord}, memory);
    Value vector = LLVM::BitcastOp::create(b, type, word);
    for (int64_t index = 0; index < perWord; ++index) {
      Value bits =
          LLVM::ExtractElementOp::create(b, vector, emitter.i32(index));
      elements.push_back(fromBits(emitter, bits, element));
    }
  }
  return elements;
}

//===-- Fills -------------------------------------------------------------===//

/// The value of a float format that stands for a fill; formats without
/// infinity have their largest value.
static APFloat getFillFloat(tile::Fill fill, const llvm::fltSemantics &format) {
  bool hasInfinity = APFloat::semanticsHasInf(format);
  auto extreme = [&](bool isNegative) {
    return hasInfinity ? APFloat::getInf(format, isNegative)
                       : APFloat::getLargest(format, isNegative);
  };
  bool isLossy = false;
  switch (fill) {
  case tile::Fill::zero:
    if (!APFloat::semanticsHasZero(format))
      return APFloat::getSmallest(format);
    return APFloat::getZero(format);
  case tile::Fill::one: {
    APFloat one(1.0);
    one.convert(format, APFloat::rmNearestTiesToEven, &isLossy);
    return one;
  }
  case tile::Fill::neg_inf:
    return APFloat::semanticsHasSignedRepr(format)
               ? extreme(/*isNegative=*/true)
               : APFloat::getSmallest(format);
  case tile::Fill::pos_inf:
    return extreme(/*isNegative=*/false);
  case tile::Fill::nan:
    // Of 8 bits, what the hardware's conversions give: all ones.
    return APFloat::getNaN(format, /*Negative=*/false,
                           APFloat::getSizeInBits(format) == 8 ? ~uint64_t(0)
                                                               : 0);
  }
  llvm_unreachable("all fills handled");
}

static APInt getFillInt(tile::Fill fill, unsigned width, bool isUnsigned) {
  switch (fill) {
  case tile::Fill::zero:
  case tile::Fill::nan:
    return APInt::getZero(width);
  case tile::Fill::one:
    return APInt(width, 1);
  case tile::Fill::neg_inf:
    return isUnsigned || width == 1 ? APInt::getZero(width)
                                    : APInt::getSignedMinValue(width);
  case tile::Fill::pos_inf:
    return isUnsigned || width == 1 ? APInt::getMaxValue(width)
                                    : APInt::getSignedMaxValue(width);
  }
  llvm_unreachable("all fills handled");
}

Value opgraph::codegen::getFillValue(KernelEmitter &emitter, tile::Fill fill,
                                     Type element) {
  Builder &b = emitter.b;
  Type scalar = emitter.scalarType(element);
  if (auto type = dyn_cast<FloatType>(element)) {
    if (isa<FloatTF32Type>(type))
      type = b.getF32Type();
    APFloat value = getFillFloat(fill, type.getFloatSemantics());
    if (scalar == type)
      return emitter.constant(FloatAttr::get(type, value));
    return emitter.constant(IntegerAttr::get(scalar, value.bitcastToAPInt()));
  }
  auto integer = cast<IntegerType>(element);
  return emitter.constant(
      IntegerAttr::get(scalar, getFillInt(fill, integer.getWidth(),
                                          integer.isUnsignedInteger())));
}
