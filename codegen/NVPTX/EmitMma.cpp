//===- EmitMma.cpp - Matrix products --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A warpgroup's product is instructions of 64 rows by 32 bytes along K. An
// operand in shared memory is a descriptor: a constant high part, and an
// address that constants advance.
//===----------------------------------------------------------------------===//

#include "codegen/NVPTX/ScalarOps.h"
#include "codegen/NVPTX/SharedLayout.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::codegen;

//===-- Groups ------------------------------------------------------------===//

/// A register tile as wgmma takes it: f32 and i32 as they are, the others as
/// words.
static SmallVector<Value> getWords(KernelEmitter &emitter, Value tile) {
  auto known = emitter.mmaWords.find(tile);
  if (known != emitter.mmaWords.end())
    return known->second;
  Type element = cast<tile::RegType>(tile.getType()).getElementType();
  return packWords(emitter, emitter.get(tile), element);
}

/// What a register operand is packed from is written before the fence: ptxas
/// takes a write behind it for one to a register that an MMA reads, and waits.
static void packOperands(KernelEmitter &emitter, tile::MmaFenceOp fence) {
  for (Operation *next = fence->getNextNode();
       next && !isa<tile::MmaCommitOp>(next); next = next->getNextNode()) {
    auto mma = dyn_cast<tile::MmaAsyncOp>(next);
    if (!mma)
      continue;
    for (Value tile : {Value(mma.getA()), Value(mma.getC())}) {
      if (!tile || !isa<tile::RegType>(tile.getType()))
        continue;
      Operation *op = tile.getDefiningOp();
      bool isBehind = op && op->getBlock() == fence->getBlock() &&
                      fence->isBeforeInBlock(op);
      if (!isBehind)
        emitter.mmaWords[tile] = getWords(emitter, tile);
    }
  }
}

static LogicalResult emitMmaFence(KernelEmitter &emitter,
                                  tile::MmaFenceOp fence) {
  packOperands(emitter, fence);
  NVVM::WgmmaFenceAlignedOp::create(emitter.b);
  return success();
}

static LogicalResult emitMmaCommit(KernelEmitter &emitter,
                                   tile::MmaCommitOp op) {
  emitter.mmaWords.clear();
  NVVM::WgmmaGroupSyncAlignedOp::create(emitter.b);
  emitter.set(op.getGroup(), {});
  return success();
}

static LogicalResult emitMmaWait(KernelEmitter &emitter, tile::MmaWaitOp op) {
  NVVM::WgmmaWaitGroupSyncOp::create(emitter.b, op.getPending());
  for (auto [pending, tile] : llvm::zip(op.getRetired(), op.getTiles())) {
    SmallVector<Value> words, blocks(emitter.get(pending));
    for (Value block : blocks) {
      size_t count =
          cast<LLVM::LLVMStructType>(block.getType()).getBody().size();
      for (size_t index = 0; index < count; ++index)
        words.push_back(LLVM::ExtractValueOp::create(
            emitter.b, block, static_cast<int64_t>(index)));
    }
    Type element = cast<tile::RegType>(tile.getType()).getElementType();
    int64_t perWord = 4 / getElementBytes(element);
    emitter.set(tile, perWord == 1
                          ? words
                          : unpackWords(emitter, words, element,
                                        perWord * int64_t(words.size())));
  }
  return success();
}

//===-- Descriptors -------------------------------------------------------===//

namespace {
/// An operand of a warpgroup's product in shared memory.
struct SharedOperand {
  tile::SharedType type;
  tile::Major major;
  Value descriptor; ///< i64, of the first instruction

  /// Bytes from the first instruction's part to that of block `block` of 64
  /// rows (columns, for `mn`) and step `step` along K.
  int64_t getOffset(int64_t block, int64_t step) const {
    int64_t span = getSwizzleSpan(type.getSwizzle());
    if (major == tile::Major::mn)
      return block * getPlaneBytes(type) + step * 16 * span;
    int64_t bytes = step * 32;
    return block * 64 * span + bytes / span * getPlaneBytes(type) +
           bytes % span;
  }
};
} // namespace

/// Stride from one group of 8 rows to the next, of one plane to the next where
/// the rows of an instruction take several, and the swizzle's code.
static int64_t getDescriptorHigh(tile::SharedType type, tile::Major major) {
  int64_t span = getSwizzleSpan(type.getSwizzle());
  int64_t code = span == 128 ? 1 : span == 64 ? 2 : 3;
  int64_t leading =
      major == tile::Major::mn ? getPlaneBytes(type) / 16 : int64_t(1);
  return static_cast<int64_t>(uint64_t(code) << 62) | ((span * 8 / 16) << 32) |
         (leading << 16);
}

static FailureOr<SharedOperand> getOperand(KernelEmitter &emitter,
                                           Operation *op, Value shared,
                                           tile::Major major) {
  ImplicitLocOpBuilder &b = emitter.b;
  auto type = cast<tile::SharedType>(shared.getType());
  if (type.getSwizzle() == tile::Swizzle::none)
    return op->emitOpError("reads shared tiles with a swizzle only, got ")
           << type;
  if (major == tile::Major::mn && type.getSwizzle() != tile::Swizzle::sw128)
    return op->emitOpError("reads tiles of major mn with sw128 only, got ")
           << type;
  Value address =
      LLVM::PtrToIntOp::create(b, b.getI32Type(), emitter.scalar(shared));
  address = emitter.digit(address, 16, 1 << 14);
  Value wide = arith::ExtUIOp::create(b, b.getI64Type(), address);
  Value descriptor = arith::OrIOp::create(
      b, wide, emitter.i64(getDescriptorHigh(type, major)));
  return SharedOperand{type, major, descriptor};
}

static Value advance(KernelEmitter &emitter, const SharedOperand &operand,
                     int64_t block, int64_t step) {
  return emitter.add(operand.descriptor,
                     emitter.i64(operand.getOffset(block, step) / 16));
}

//===-- Asynchronous products ---------------------------------------------===//

static NVVM::WGMMATypes getInputType(Type element) {
  if (element.isF16())
    return NVVM::WGMMATypes::f16;
  if (element.isBF16())
    return NVVM::WGMMATypes::bf16;
  if (isa<FloatTF32Type>(element) || element.isF32())
    return NVVM::WGMMATypes::tf32;
  if (isa<Float8E4M3FNType>(element))
    return NVVM::WGMMATypes::e4m3;
  if (isa<Float8E5M2Type>(element))
    return NVVM::WGMMATypes::e5m2;
  if (element.isUnsignedInteger(8))
    return NVVM::WGMMATypes::u8;
  if (element.isInteger(8))
    return NVVM::WGMMATypes::s8;
  llvm_unreachable("a verified product is of types that an MMA has");
}

namespace {

/// Emits one `tile.mma_async`.
class AsyncProduct {
public:
  AsyncProduct(KernelEmitter &emitter, tile::MmaAsyncOp op)
      : emitter(emitter), b(emitter.b), op(op),
        d(cast<tile::PendingType>(op.getD().getType())) {}

  LogicalResult run();

private:
  /// The accumulators before the first step, a struct for each 64 rows.
  SmallVector<Value> getStart();
  Value emitStep(Value accumulator, int64_t block, int64_t step);
  Value emitShared(Value accumulator, int64_t block, int64_t step,
                   bool isFirst);
  Value emitFromRegisters(Value accumulator, int64_t block, int64_t step,
                          bool isFirst);
  NVVM::WGMMATypes getSumType() const;
  std::string getInstruction() const;

  KernelEmitter &emitter;
  ImplicitLocOpBuilder &b;
  tile::MmaAsyncOp op;
  tile::PendingType d;
  std::optional<SharedOperand> shared; ///< A; else it is in registers
  SharedOperand right;
  SmallVector<Value> registers; ///< A's words, four a step
  Type element;
  NVVM::WGMMATypes left, type;
  int64_t steps = 0, perStep = 0;
};

} // namespace

SmallVector<Value> AsyncProduct::getStart() {
  SmallVector<Type> types;
  emitter.lowerType(d, types);
  SmallVector<Value> start;
  if (!op.getC()) {
    for (Type type : types)
      start.push_back(LLVM::UndefOp::create(b, type));
    return start;
  }
  if (isa<tile::PendingType>(op.getC().getType()))
    return SmallVector<Value>(emitter.get(op.getC()));
  SmallVector<Value> tile = getWords(emitter, op.getC());
  size_t next = 0;
  for (Type type : types) {
    Value block = LLVM::UndefOp::create(b, type);
    size_t count = cast<LLVM::LLVMStructType>(type).getBody().size();
    for (size_t index = 0; index < count; ++index)
      block = LLVM::InsertValueOp::create(b, block, tile[next++],
                                          static_cast<int64_t>(index));
    start.push_back(block);
  }
  return start;
}

Value AsyncProduct::emitShared(Value accumulator, int64_t block, int64_t step,
                               bool isFirst) {
  auto shape =
      NVVM::MMAShapeAttr::get(b.getContext(), 64, static_cast<int>(d.getCols()),
                              static_cast<int>(perStep));
  auto layoutOf = [](tile::Major major, bool isRight) {
    return (major == tile::Major::k) != isRight ? NVVM::MMALayout::row
                                                : NVVM::MMALayout::col;
  };
  return NVVM::WgmmaMmaAsyncOp::create(
      b, accumulator.getType(), accumulator,
      advance(emitter, *shared, block, step), advance(emitter, right, 0, step),
      shape, left, type, getSumType(),
      isFirst ? NVVM::WGMMAScaleOut::zero : NVVM::WGMMAScaleOut::one,
      NVVM::WGMMAScaleIn::one, NVVM::WGMMAScaleIn::one,
      layoutOf(op.getAMajor(), false), layoutOf(op.getBMajor(), true),
      NVVM::MMAIntOverflowAttr());
}

NVVM::WGMMATypes AsyncProduct::getSumType() const {
  if (d.getElementType().isInteger(32))
    return NVVM::WGMMATypes::s32;
  return d.getElementType().isF16() ? NVVM::WGMMATypes::f16
                                    : NVVM::WGMMATypes::f32;
}

/// `wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16`.
std::string AsyncProduct::getInstruction() const {
  return ("wgmma.mma_async.sync.aligned.m64n" + Twine(d.getCols()) + "k" +
          Twine(perStep) + "." + NVVM::stringifyWGMMATypes(getSumType()) + "." +
          NVVM::stringifyWGMMATypes(left) + "." +
          NVVM::stringifyWGMMATypes(type))
      .str();
}

/// There is no op for A in registers: inline, with the accumulator tied.
Value AsyncProduct::emitFromRegisters(Value accumulator, int64_t block,
                                      int64_t step, bool isFirst) {
  auto structType = cast<LLVM::LLVMStructType>(accumulator.getType());
  auto count = static_cast<int64_t>(structType.getBody().size());
  bool isInteger = d.getElementType().isInteger(32);
  StringRef word = d.getElementType().isF32() ? "f" : "r";
  SmallVector<Value> operands;
  for (Value bits : ArrayRef(registers).slice((block * steps + step) * 4, 4))
    operands.push_back(
        bits.getType().isInteger(32)
            ? bits
            : Value(LLVM::BitcastOp::create(b, b.getI32Type(), bits)));
  operands.push_back(advance(emitter, right, 0, step));

  std::string list, constraints;
  for (int64_t index = 0; index < count; ++index) {
    list += (index ? ", $" : "$") + std::to_string(index);
    constraints += ("=" + word + ",").str();
  }
  constraints += "r,r,r,r,l";
  for (int64_t index = 0; index < count; ++index) {
    constraints += "," + std::to_string(index);
    operands.push_back(LLVM::ExtractValueOp::create(b, accumulator, index));
  }
  auto name = [&](int64_t index) {
    return "$" + std::to_string(count + index);
  };
  std::string text = getInstruction() + " {" + list + "}, {" + name(0) + ", " +
                     name(1) + ", " + name(2) + ", " + name(3) + "}, " +
                     name(4) + ", " + (isFirst ? "0" : "1");
  if (!isInteger)
    text += ", 1, 1";
  if (getElementBytes(element) == 2)
    text += op.getBMajor() == tile::Major::mn ? ", 1" : ", 0";
  text += ";";
  return LLVM::InlineAsmOp::create(
             b, TypeRange(Type(structType)), operands, text, constraints,
             /*has_side_effects=*/true, /*is_align_stack=*/false,
             LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr())
      .getResult(0);
}

Value AsyncProduct::emitStep(Value accumulator, int64_t block, int64_t step) {
  bool isFirst = step == 0 && !op.getC();
  return shared ? emitShared(accumulator, block, step, isFirst)
                : emitFromRegisters(accumulator, block, step, isFirst);
}

LogicalResult AsyncProduct::run() {
  int64_t depth = 0;
  if (auto tile = dyn_cast<tile::RegType>(op.getA().getType())) {
    element = tile.getElementType();
    depth = tile.getCols();
    registers = getWords(emitter, op.getA());
  } else {
    auto operand = getOperand(emitter, op, op.getA(), op.getAMajor());
    if (failed(operand))
      return failure();
    shared = *operand;
    element = shared->type.getElementType();
    ArrayRef<int64_t> shape = shared->type.getShape();
    depth = op.getAMajor() == tile::Major::k ? shape.back()
                                             : shape[shape.size() - 2];
  }
  auto operand = getOperand(emitter, op, op.getB(), op.getBMajor());
  if (failed(operand))
    return failure();
  right = *operand;
  left = getInputType(element);
  type = getInputType(right.type.getElementType());
  perStep = 32 / getElementBytes(element);
  steps = depth / perStep;

  SmallVector<Value> accumulators = getStart();
  for (int64_t step = 0; step < steps; ++step)
    for (auto [block, accumulator] : llvm::enumerate(accumulators))
      accumulator = emitStep(accumulator, static_cast<int64_t>(block), step);
  emitter.set(op.getD(), accumulators);
  return success();
}

static LogicalResult emitMmaAsync(KernelEmitter &emitter, tile::MmaAsyncOp op) {
  return AsyncProduct(emitter, op).run();
}

void opgraph::codegen::addMmaHandlers(Handlers &handlers) {
  handlers.add<tile::MmaFenceOp, emitMmaFence>();
  handlers.add<tile::MmaCommitOp, emitMmaCommit>();
  handlers.add<tile::MmaWaitOp, emitMmaWait>();
  handlers.add<tile::MmaAsyncOp, emitMmaAsync>();
}
