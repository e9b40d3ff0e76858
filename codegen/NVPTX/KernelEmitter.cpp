//===- KernelEmitter.cpp - Values, threads and prologue of a kernel -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "codegen/NVPTX/KernelEmitter.h"
#include "codegen/NVPTX/ScalarOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::codegen;

KernelEmitter::KernelEmitter(tile::KernelOp kernel, tile::Target target)
    : kernel(kernel), target(target), info(tile::getTargetInfo(target)),
      b(kernel.getLoc(), OpBuilder(kernel)) {}

LogicalResult KernelEmitter::emit(Operation *op) {
  b.setLoc(op->getLoc());
  if (Handlers::Handler handler = Handlers::get().lookup(op))
    return handler(*this, op);
  if (isa<arith::ArithDialect, math::MathDialect>(op->getDialect()))
    return emitUniformOp(op);
  return op->emitOpError("has no lowering to NVPTX");
}

/// A scalar is the same on all threads: the op itself.
LogicalResult KernelEmitter::emitUniformOp(Operation *op) {
  SmallVector<Value> operands, results;
  for (Value operand : op->getOperands())
    operands.push_back(scalar(operand));
  if (failed(emitScalarOp(*this, op, operands, results)))
    return failure();
  for (auto [result, value] : llvm::zip(op->getResults(), results))
    set(result, value);
  return success();
}

LogicalResult KernelEmitter::emitBlock(Block &block) {
  for (Operation &op : block)
    if (failed(emit(&op)))
      return failure();
  return success();
}

//===-- Types and values --------------------------------------------------===//

Type KernelEmitter::scalarType(Type element) {
  if (isa<FloatType>(element) && element.getIntOrFloatBitWidth() == 8)
    return b.getI8Type();
  if (isa<FloatTF32Type>(element))
    return b.getF32Type();
  if (element.isUnsignedInteger())
    return b.getIntegerType(element.getIntOrFloatBitWidth());
  return element;
}

Type KernelEmitter::memoryType(Type element) {
  Type scalar = scalarType(element);
  return scalar.isInteger(1) ? b.getI8Type() : scalar;
}

LLVM::LLVMPointerType KernelEmitter::pointerType(unsigned space) {
  return LLVM::LLVMPointerType::get(b.getContext(), space);
}

static int64_t countRegisters(tile::RegType type) {
  auto distribution = tile::Distribution::get(type, nullptr);
  assert(succeeded(distribution) && "a verified tile fits its distribution");
  return distribution->registersPerThread();
}

void KernelEmitter::lowerType(Type type, SmallVectorImpl<Type> &types) {
  TypeSwitch<Type>(type)
      .Case([&](tile::RegType reg) {
        types.append(countRegisters(reg), scalarType(reg.getElementType()));
      })
      .Case([&](tile::PendingType pending) {
        auto reg = tile::RegType::get(
            b.getContext(), pending.getRows(), pending.getCols(),
            pending.getElementType(), pending.getDistribution());
        int64_t blocks = pending.getRows() / 64;
        int64_t count = countRegisters(reg) / blocks;
        Type field = scalarType(pending.getElementType());
        if (field.isF16()) {
          field = b.getI32Type();
          count /= 2;
        }
        SmallVector<Type> fields(count, field);
        types.append(blocks,
                     LLVM::LLVMStructType::getLiteral(b.getContext(), fields));
      })
      .Case([&](tile::PtrType) { types.push_back(pointerType(GlobalSpace)); })
      .Case([&](tile::ViewType view) {
        types.push_back(pointerType(GlobalSpace));
        types.append(view.getShape().size(), b.getI32Type());
        types.append(view.getStrides().size(), b.getI64Type());
      })
      .Case([&](tile::TensorMapType) {
        types.push_back(pointerType(GenericSpace));
      })
      .Case([&](tile::SharedType shared) {
        types.push_back(
            pointerType(shared.getPeer() ? ClusterSpace : SharedSpace));
      })
      .Case([&](tile::RingType) {
        types.push_back(pointerType(SharedSpace));
        types.append(4, pointerType(GenericSpace));
      })
      .Case([&](tile::SemaphoreType) {
        types.push_back(pointerType(SharedSpace));
        types.push_back(pointerType(GenericSpace));
      })
      .Case([&](tile::SlotType) { types.append(2, pointerType(SharedSpace)); })
      .Case<tile::BarrierType, tile::MmaGroupType>([](Type) {})
      .Default([&](Type scalar) { types.push_back(scalarType(scalar)); });
}

ArrayRef<Value> KernelEmitter::get(Value value) const {
  auto found = values.find(value);
  assert(found != values.end() && "a value is emitted before its uses");
  return found->second;
}

Value KernelEmitter::scalar(Value value) const {
  ArrayRef<Value> lowered = get(value);
  assert(lowered.size() == 1 && "not one scalar");
  return lowered.front();
}

void KernelEmitter::set(Value value, ValueRange lowered) {
  values[value].assign(lowered.begin(), lowered.end());
}

//===-- Arithmetic --------------------------------------------------------===//

/// One of each, at the function's entry.
Value KernelEmitter::constant(TypedAttr value) {
  Value &known = constants[value];
  if (known)
    return known;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&function.getBody().front());
  known = arith::ConstantOp::create(b, value);
  return known;
}
Value KernelEmitter::i32(int64_t value) {
  return constant(b.getI32IntegerAttr(static_cast<int32_t>(value)));
}
Value KernelEmitter::i64(int64_t value) {
  return constant(b.getI64IntegerAttr(value));
}

Value KernelEmitter::add(Value lhs, Value rhs) {
  if (matchPattern(rhs, m_Zero()))
    return lhs;
  if (matchPattern(lhs, m_Zero()))
    return rhs;
  return arith::AddIOp::create(b, lhs, rhs);
}

Value KernelEmitter::mul(Value lhs, int64_t rhs) {
  if (rhs == 1)
    return lhs;
  return arith::MulIOp::create(b, lhs,
                               constant(b.getIntegerAttr(lhs.getType(), rhs)));
}

Value KernelEmitter::digit(Value value, int64_t divisor, int64_t modulus) {
  auto number = [&](int64_t n) {
    return constant(b.getIntegerAttr(value.getType(), n));
  };
  if (divisor != 1)
    value = llvm::isPowerOf2_64(divisor)
                ? Value(arith::ShRUIOp::create(b, value,
                                               number(llvm::Log2_64(divisor))))
                : Value(arith::DivUIOp::create(b, value, number(divisor)));
  if (modulus == 0)
    return value;
  return llvm::isPowerOf2_64(modulus)
             ? Value(arith::AndIOp::create(b, value, number(modulus - 1)))
             : Value(arith::RemUIOp::create(b, value, number(modulus)));
}

Value KernelEmitter::offset(Value base, Value bytes) {
  return LLVM::GEPOp::create(b, base.getType(), b.getI8Type(), base,
                             ArrayRef<LLVM::GEPArg>{bytes});
}
Value KernelEmitter::offset(Value base, int64_t bytes) {
  if (bytes == 0)
    return base;
  if (!llvm::isInt<31>(bytes))
    return offset(base, i64(bytes));
  return LLVM::GEPOp::create(
      b, base.getType(), b.getI8Type(), base,
      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(bytes)});
}

Value KernelEmitter::entryAlloca(Type type) {
  OpBuilder::InsertionGuard guard(b);
  Value one = i32(1);
  b.setInsertionPointAfterValue(one);
  return LLVM::AllocaOp::create(b, pointerType(GenericSpace), type, one);
}

//===-- Threads -----------------------------------------------------------===//

void KernelEmitter::guarded(Value condition, llvm::function_ref<void()> body) {
  auto branch = scf::IfOp::create(b, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(branch.thenBlock()->getTerminator());
  body();
}

/// Whether the ops behind `branch`, to the block's end, may as well be before
/// it.
static bool mayFollow(Operation *branch, OpBuilder &b) {
  Block *block = b.getInsertionBlock();
  if (!branch || branch->getBlock() != block)
    return false;
  for (Block::iterator it = std::next(branch->getIterator()),
                       end = b.getInsertionPoint();
       it != end; ++it)
    if (it == block->end() || !isPure(&*it))
      return false;
  return true;
}

/// The condition that picks the elected thread, opened as branches of which the
/// outermost and the innermost block are returned.
std::pair<Operation *, Block *> KernelEmitter::openElected() {
  Operation *outermost = nullptr;
  auto open = [&](Value condition) {
    auto branch = scf::IfOp::create(b, condition, /*withElseRegion=*/false);
    outermost = outermost ? outermost : branch;
    b.setInsertionPoint(branch.thenBlock()->getTerminator());
    return branch.thenBlock();
  };
  auto isZero = [&](Value value) {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, value, i32(0));
  };
  // Without `elect`, ptxas needs no help: the copies that profit from a thread
  // it knows to be alone do not exist either.
  if (!has(tile::Feature::Elect)) {
    Block *body = open(isZero(group.thread));
    return {outermost, body};
  }
  if (group.warps > 1)
    open(isZero(group.warp));
  Block *body = open(NVVM::ElectSyncOp::create(b, b.getI1Type(), Value()));
  return {outermost, body};
}

void KernelEmitter::elected(llvm::function_ref<void()> body) {
  if (group.single)
    return body();
  OpBuilder::InsertionGuard guard(b);
  if (mayFollow(lastElected.first, b))
    lastElected.first->moveBefore(b.getInsertionBlock(), b.getInsertionPoint());
  else
    lastElected = openElected();
  b.setInsertionPoint(lastElected.second->getTerminator());
  body();
}

void KernelEmitter::syncWarp() { NVVM::SyncWarpOp::create(b, i32(-1)); }

void KernelEmitter::syncGroup() {
  if (group.warps == 1)
    return syncWarp();
  if (group.warps == static_cast<int32_t>(kernel.getWarps())) {
    NVVM::BarrierOp::create(b);
    return;
  }
  Value id = i32(group.barrier);
  if (group.agents > 1)
    id = add(id, group.agent);
  NVVM::BarrierOp::create(b, TypeRange(), id, i32(group.warps * 32),
                          NVVM::BarrierReductionAttr(), Value());
}

Value KernelEmitter::shuffle(Value value, Value lane) {
  return shuffleWith(NVVM::ShflKind::idx, value, lane);
}
Value KernelEmitter::shuffleXor(Value value, int32_t mask) {
  return shuffleWith(NVVM::ShflKind::bfly, value, i32(mask));
}

/// A shuffle moves 32 bits: smaller values are widened, larger ones cut.
Value KernelEmitter::shuffleWith(NVVM::ShflKind kind, Value value, Value from) {
  Type type = value.getType();
  unsigned width = type.getIntOrFloatBitWidth();
  auto move = [&](Value word) -> Value {
    return NVVM::ShflOp::create(b, word.getType(), i32(-1), word, from, i32(31),
                                kind, UnitAttr());
  };
  if (width == 32)
    return move(value);
  Type bits = b.getIntegerType(width);
  if (type != bits)
    value = arith::BitcastOp::create(b, bits, value);
  if (width < 32) {
    value = move(arith::ExtUIOp::create(b, b.getI32Type(), value));
    value = arith::TruncIOp::create(b, bits, value);
  } else {
    Value low = arith::TruncIOp::create(b, b.getI32Type(), value);
    Value high = arith::TruncIOp::create(
        b, b.getI32Type(), arith::ShRUIOp::create(b, value, i64(32)));
    low = arith::ExtUIOp::create(b, bits, move(low));
    high = arith::ExtUIOp::create(b, bits, move(high));
    value =
        arith::OrIOp::create(b, low, arith::ShLIOp::create(b, high, i64(32)));
  }
  return type == bits ? value : arith::BitcastOp::create(b, type, value);
}

//===-- Shared memory -----------------------------------------------------===//

Value KernelEmitter::sharedAddress(int64_t bytes) {
  assert(sharedBase && "a kernel with shared memory has a base");
  return offset(sharedBase, bytes);
}

void KernelEmitter::initialiseMbarrier(Value address, int64_t count) {
  mbarriers.emplace_back(address, count);
}
