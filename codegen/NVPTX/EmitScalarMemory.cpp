//===- EmitScalarMemory.cpp - Uniform elements and counters ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "codegen/NVPTX/MemoryAccess.h"
#include "codegen/NVPTX/ScalarOps.h"
#include "codegen/NVPTX/SharedAccess.h"
#include "codegen/NVPTX/SharedLayout.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::codegen;

static constexpr llvm::StringLiteral deviceScope = "device";

//===-- Elements ----------------------------------------------------------===//

static Type getElementType(Value memory) {
  if (auto view = dyn_cast<tile::ViewType>(memory.getType()))
    return view.getElementType();
  return cast<tile::SharedType>(memory.getType()).getElementType();
}

/// Address of one element of a view or a shared tile.
static Value getAddress(KernelEmitter &emitter, Value memory,
                        OperandRange indices) {
  SmallVector<Value> coordinates;
  for (Value index : indices)
    coordinates.push_back(emitter.scalar(index));
  if (isa<tile::ViewType>(memory.getType()))
    return emitElementAddress(emitter, getViewParts(emitter, memory),
                              coordinates);
  auto type = cast<tile::SharedType>(memory.getType());
  Value base = emitter.scalar(memory);
  int64_t bytes = getMatrixBytes(type);
  for (auto axis = static_cast<int64_t>(coordinates.size()) - 3; axis >= 0;
       --axis) {
    base = emitter.offset(base, emitter.mul(coordinates[axis], bytes));
    bytes *= type.getShape()[axis];
  }
  Value row = coordinates.size() > 1 ? coordinates[coordinates.size() - 2]
                                     : emitter.i32(0);
  return emitSharedAddress(emitter, type, base, row, coordinates.back());
}

/// A view's element is shared by the GPU, a shared tile's by the CTA.
static StringRef getScope(Value memory) {
  return isa<tile::ViewType>(memory.getType()) ? deviceScope : "block";
}

static LogicalResult emitLoadScalar(KernelEmitter &emitter,
                                    tile::LoadScalarOp op) {
  ImplicitLocOpBuilder &b = emitter.b;
  Value memory = op.getMemory();
  Type element = getElementType(memory);
  Value address = getAddress(emitter, memory, op.getIndices());
  auto view = dyn_cast<tile::ViewType>(memory.getType());
  if (op.getOrder() == tile::Order::relaxed) {
    AccessMode mode{element, tile::Cache::normal, view && view.getReadonly()};
    emitter.set(op.getValue(),
                emitVectorLoad(emitter, mode, address, 1, Value(), Value()));
    return success();
  }
  int64_t bytes = getElementBytes(element);
  WordType word = getWordType(emitter, element, bytes);
  Value loaded = LLVM::LoadOp::create(
      b, word.type, address, static_cast<unsigned>(bytes), /*isVolatile=*/false,
      /*isNonTemporal=*/false, /*isInvariant=*/false,
      /*isInvariantGroup=*/false, LLVM::AtomicOrdering::acquire,
      getScope(memory));
  emitter.set(op.getValue(), unpackWords(emitter, loaded, element, 1));
  return success();
}

static LogicalResult emitStoreScalar(KernelEmitter &emitter,
                                     tile::StoreScalarOp op) {
  ImplicitLocOpBuilder &b = emitter.b;
  Value memory = op.getMemory();
  Type element = getElementType(memory);
  Value address = getAddress(emitter, memory, op.getIndices());
  Value value = emitter.scalar(op.getValue());
  emitter.elected([&] {
    if (op.getOrder() == tile::Order::relaxed)
      return emitVectorStore(emitter, AccessMode{element}, address, value,
                             Value());
    SmallVector<Value> words = packWords(emitter, value, element);
    LLVM::StoreOp::create(b, words.front(), address,
                          static_cast<unsigned>(getElementBytes(element)),
                          /*isVolatile=*/false, /*isNonTemporal=*/false,
                          /*isInvariantGroup=*/false,
                          LLVM::AtomicOrdering::release, getScope(memory));
  });
  return success();
}

//===-- Counters ----------------------------------------------------------===//

/// The value that `body` computes on one thread, on all threads of the group:
/// by a shuffle within a warp, through a word of shared memory beyond.
static Value broadcastElected(KernelEmitter &emitter, Type type,
                              llvm::function_ref<Value()> body) {
  ImplicitLocOpBuilder &b = emitter.b;
  if (emitter.group.single)
    return body();
  Value isFirst = arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                        emitter.group.thread, emitter.i32(0));
  if (emitter.group.warps == 1) {
    auto branch = scf::IfOp::create(b, TypeRange(type), isFirst, true, true);
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToEnd(branch.thenBlock());
      scf::YieldOp::create(b, body());
      b.setInsertionPointToEnd(branch.elseBlock());
      scf::YieldOp::create(b, emitter.constant(b.getZeroAttr(type)));
    }
    return emitter.shuffle(branch.getResult(0), emitter.i32(0));
  }
  auto words =
      emitter.kernel->getAttrOfType<IntegerAttr>("tile.broadcast_offset");
  assert(words && "tile-assign-shared reserves a word");
  Value address = emitter.sharedAddress(words.getInt() +
                                        8 * int64_t(emitter.group.firstWarp));
  address = emitter.offset(
      address, emitter.mul(emitter.group.agent, 8 * emitter.group.warps));
  unsigned bytes = type.getIntOrFloatBitWidth() / 8;
  emitter.guarded(isFirst,
                  [&] { LLVM::StoreOp::create(b, body(), address, bytes); });
  emitter.syncGroup();
  Value value = LLVM::LoadOp::create(b, type, address, bytes);
  // The next one may be written only after all have read this one.
  emitter.syncGroup();
  return value;
}

static Value emitAtomic(KernelEmitter &emitter, LLVM::AtomicBinOp kind,
                        Value address, Value value) {
  unsigned bytes = value.getType().getIntOrFloatBitWidth() / 8;
  return LLVM::AtomicRMWOp::create(emitter.b, kind, address, value,
                                   LLVM::AtomicOrdering::monotonic, deviceScope,
                                   bytes);
}

static LogicalResult emitDraw(KernelEmitter &emitter, tile::DrawOp op) {
  ImplicitLocOpBuilder &b = emitter.b;
  Value last =
      arith::SubIOp::create(b, emitter.scalar(op.getLimit()), emitter.i32(1));
  emitter.set(op.getNumber(), broadcastElected(emitter, b.getI32Type(), [&] {
                return emitAtomic(emitter, LLVM::AtomicBinOp::uinc_wrap,
                                  emitter.scalar(op.getCounter()), last);
              }));
  return success();
}

/// LLVM drops the order of an atomic that is not relaxed: fences say it.
static LogicalResult emitFetchAdd(KernelEmitter &emitter, tile::FetchAddOp op) {
  ImplicitLocOpBuilder &b = emitter.b;
  tile::Order order = op.getOrder();
  auto fence = [&](bool isWanted, LLVM::AtomicOrdering ordering) {
    if (isWanted)
      LLVM::FenceOp::create(b, ordering, deviceScope);
  };
  bool isRelease =
      order == tile::Order::release || order == tile::Order::acq_rel;
  bool isAcquire =
      order == tile::Order::acquire || order == tile::Order::acq_rel;
  Value pointer = emitter.scalar(op.getPointer());
  Value value = emitter.scalar(op.getValue());
  emitter.set(op.getOld(), broadcastElected(emitter, value.getType(), [&] {
                fence(isRelease, LLVM::AtomicOrdering::acq_rel);
                Value old =
                    emitAtomic(emitter, LLVM::AtomicBinOp::add, pointer, value);
                fence(isAcquire, LLVM::AtomicOrdering::acq_rel);
                return old;
              }));
  return success();
}

void opgraph::codegen::addScalarMemoryHandlers(Handlers &handlers) {
  handlers.add<tile::LoadScalarOp, emitLoadScalar>();
  handlers.add<tile::StoreScalarOp, emitStoreScalar>();
  handlers.add<tile::DrawOp, emitDraw>();
  handlers.add<tile::FetchAddOp, emitFetchAdd>();
}
