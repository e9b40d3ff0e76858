//===- MemoryAccess.cpp - Vector accesses of one thread -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "codegen/NVPTX/MemoryAccess.h"
#include "codegen/NVPTX/ScalarOps.h"
#include "codegen/NVPTX/SharedLayout.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::codegen;

Value opgraph::codegen::conjunction(KernelEmitter &emitter, Value lhs,
                                    Value rhs) {
  if (!lhs || !rhs)
    return lhs ? lhs : rhs;
  return arith::AndIOp::create(emitter.b, lhs, rhs);
}

//===-- Predicated accesses -----------------------------------------------===//

static unsigned getSpace(Value address) {
  return cast<LLVM::LLVMPointerType>(address.getType()).getAddressSpace();
}

static StringRef getCacheModifier(tile::Cache cache) {
  switch (cache) {
  case tile::Cache::normal:
    return "";
  case tile::Cache::evict_first:
    return ".L1::evict_first";
  case tile::Cache::evict_last:
    return ".L1::evict_last";
  case tile::Cache::no_allocate:
    return ".L1::no_allocate";
  }
  llvm_unreachable("all policies handled");
}

/// `.global.nc.L1::no_allocate.v4.b32`.
static std::string getSuffix(const AccessMode &mode, unsigned space,
                             bool isLoad, const WordType &word) {
  std::string suffix = space == SharedSpace    ? ".shared"
                       : space == ClusterSpace ? ".shared::cluster"
                                               : ".global";
  if (isLoad && mode.isReadOnly && space == GlobalSpace)
    suffix += ".nc";
  suffix += getCacheModifier(mode.cache);
  if (word.count > 1)
    suffix += ".v" + std::to_string(word.count);
  return suffix + ".b" + std::to_string(word.bytes * 8);
}

static char getRegisterClass(const WordType &word) {
  if (word.type.isF32())
    return 'f';
  if (word.type.isF64())
    return 'd';
  return word.bytes == 8 ? 'l' : word.bytes == 4 ? 'r' : 'h';
}

/// `{$2, $3}`, or `$2`.
static std::string listRegisters(int64_t first, int64_t count) {
  std::string list;
  for (int64_t index = 0; index < count; ++index)
    list += (index ? ", $" : "$") + std::to_string(first + index);
  return count == 1 ? list : "{" + list + "}";
}

/// The assembler has no 8-bit registers: bytes travel in 16 bits.
static Value widenByte(KernelEmitter &emitter, Value word) {
  if (!word.getType().isInteger(8))
    return word;
  return arith::ExtUIOp::create(emitter.b, emitter.b.getI16Type(), word);
}

static SmallVector<Value> emitLoadAsm(KernelEmitter &emitter,
                                      const AccessMode &mode, Value address,
                                      const WordType &word, Value predicate,
                                      ValueRange fillWords) {
  ImplicitLocOpBuilder &b = emitter.b;
  int64_t n = word.count;
  Type held = word.bytes == 1 ? b.getI16Type() : word.type;
  std::string constraints, body;
  SmallVector<Value> operands;
  for (int64_t index = 0; index < n; ++index)
    constraints += std::string("=") + getRegisterClass(word) + ",";
  // The results start as the fill.
  if (predicate)
    for (int64_t index = 0; index < n; ++index) {
      constraints += std::to_string(index) + ",";
      operands.push_back(widenByte(emitter, fillWords[index]));
    }
  int64_t next = n + static_cast<int64_t>(operands.size());
  operands.push_back(address);
  constraints += "l";
  if (predicate) {
    body = "@$" + std::to_string(next + 1) + " ";
    operands.push_back(predicate);
    constraints += ",b";
  }
  body += "ld" + getSuffix(mode, getSpace(address), /*isLoad=*/true, word) +
          " " + listRegisters(0, n) + ", [$" + std::to_string(next) + "];";
  Type result = n == 1 ? held
                       : LLVM::LLVMStructType::getLiteral(
                             b.getContext(), SmallVector<Type>(n, held));
  Value loaded =
      LLVM::InlineAsmOp::create(
          b, TypeRange(result), operands, body, constraints,
          /*has_side_effects=*/true, /*is_align_stack=*/false,
          LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr())
          .getResult(0);
  SmallVector<Value> words;
  for (int64_t index = 0; index < n; ++index) {
    Value part =
        n == 1 ? loaded : Value(LLVM::ExtractValueOp::create(b, loaded, index));
    if (word.bytes == 1)
      part = arith::TruncIOp::create(b, b.getI8Type(), part);
    words.push_back(part);
  }
  return words;
}

static void emitStoreAsm(KernelEmitter &emitter, const AccessMode &mode,
                         Value address, const WordType &word, ValueRange words,
                         Value predicate) {
  std::string constraints = "l", body;
  SmallVector<Value> operands = {address};
  for (Value part : words) {
    operands.push_back(widenByte(emitter, part));
    constraints += std::string(",") + getRegisterClass(word);
  }
  if (predicate) {
    body = "@$" + std::to_string(operands.size()) + " ";
    operands.push_back(predicate);
    constraints += ",b";
  }
  body += "st" + getSuffix(mode, getSpace(address), /*isLoad=*/false, word) +
          " [$0], " + listRegisters(1, word.count) + ";";
  constraints += ",~{memory}";
  LLVM::InlineAsmOp::create(emitter.b, TypeRange(), operands, body, constraints,
                            /*has_side_effects=*/true,
                            /*is_align_stack=*/false, LLVM::TailCallKind::None,
                            LLVM::AsmDialectAttr(), ArrayAttr());
}

//===-- Vectors -----------------------------------------------------------===//

/// Accesses that LLVM's own loads and stores cannot say.
static bool needsAsm(const AccessMode &mode, Value predicate) {
  return predicate || mode.cache != tile::Cache::normal;
}

SmallVector<Value>
opgraph::codegen::emitVectorLoad(KernelEmitter &emitter, AccessMode mode,
                                 Value address, int64_t count, Value predicate,
                                 Value fill) {
  ImplicitLocOpBuilder &b = emitter.b;
  mode.isReadOnly &= !emitter.hasWaitedForGrid;
  int64_t bytes = count * getElementBytes(mode.element);
  WordType word = getWordType(emitter, mode.element, bytes);
  SmallVector<Value> words;
  if (needsAsm(mode, predicate)) {
    SmallVector<Value> fillWords;
    if (predicate)
      fillWords =
          packWords(emitter, SmallVector<Value>(count, fill), mode.element);
    words = emitLoadAsm(emitter, mode, address, word, predicate, fillWords);
    return unpackWords(emitter, words, mode.element, count);
  }
  Type type =
      word.count == 1 ? word.type : VectorType::get({word.count}, word.type);
  auto load =
      LLVM::LoadOp::create(b, type, address, static_cast<unsigned>(bytes));
  load.setInvariant(mode.isReadOnly);
  if (word.count == 1)
    return unpackWords(emitter, load.getResult(), mode.element, count);
  for (int64_t index = 0; index < word.count; ++index)
    words.push_back(LLVM::ExtractElementOp::create(b, load.getResult(),
                                                   emitter.i32(index)));
  return unpackWords(emitter, words, mode.element, count);
}

void opgraph::codegen::emitVectorStore(KernelEmitter &emitter,
                                       const AccessMode &mode, Value address,
                                       ValueRange elements, Value predicate) {
  ImplicitLocOpBuilder &b = emitter.b;
  auto count = static_cast<int64_t>(elements.size());
  int64_t bytes = count * getElementBytes(mode.element);
  WordType word = getWordType(emitter, mode.element, bytes);
  SmallVector<Value> words = packWords(emitter, elements, mode.element);
  if (needsAsm(mode, predicate))
    return emitStoreAsm(emitter, mode, address, word, words, predicate);
  Value value = words.front();
  if (word.count > 1) {
    value = LLVM::PoisonOp::create(b, VectorType::get({word.count}, word.type));
    for (auto [index, part] : llvm::enumerate(words))
      value = LLVM::InsertElementOp::create(
          b, value, part, emitter.i32(static_cast<int64_t>(index)));
  }
  LLVM::StoreOp::create(b, value, address, static_cast<unsigned>(bytes));
}

//===-- Views -------------------------------------------------------------===//

ViewParts opgraph::codegen::getViewParts(KernelEmitter &emitter, Value view) {
  auto type = cast<tile::ViewType>(view.getType());
  ValueRange lowered = emitter.get(view);
  size_t rank = type.getShape().size();
  return {type, lowered.front(), lowered.slice(1, rank),
          lowered.drop_front(1 + rank)};
}

Value opgraph::codegen::emitStrided(KernelEmitter &emitter,
                                    const ViewParts &view, unsigned axis,
                                    Value index) {
  ImplicitLocOpBuilder &b = emitter.b;
  int64_t stride = view.type.getStrides()[axis];
  if (stride == 0 || matchPattern(index, m_Zero()))
    return {};
  Value wide = arith::ExtSIOp::create(b, b.getI64Type(), index);
  if (!ShapedType::isDynamic(stride))
    return emitter.mul(wide, stride);
  return arith::MulIOp::create(b, wide, view.strides[axis]);
}

Value opgraph::codegen::emitElementAddress(KernelEmitter &emitter,
                                           const ViewParts &view,
                                           ValueRange coordinates) {
  Value sum;
  for (auto [axis, coordinate] : llvm::enumerate(coordinates)) {
    Value part = emitStrided(emitter, view, axis, coordinate);
    if (part)
      sum = sum ? emitter.add(sum, part) : part;
  }
  if (!sum)
    return view.base;
  int64_t bytes = getElementBytes(view.type.getElementType());
  return emitter.offset(view.base, emitter.mul(sum, bytes));
}
