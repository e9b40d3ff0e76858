//===- EmitRings.cpp - Rings, slots and semaphores ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A ring's cursor is a stage and a parity in stack slots, one pair for the
// producing side and one for the consuming side of an agent; LLVM turns them
// into loop-carried values. A slot is the addresses of its two mbarriers.
//===----------------------------------------------------------------------===//

#include "codegen/NVPTX/KernelEmitter.h"
#include "codegen/NVPTX/SharedLayout.h"
#include "dialects/Tile/Verify/Values.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::codegen;

//===-- mbarriers ---------------------------------------------------------===//

/// Spins until the phase of this parity is complete.
static void emitWaitParity(KernelEmitter &emitter, Value address, Value parity,
                           tile::Scope scope) {
  ImplicitLocOpBuilder &b = emitter.b;
  auto kind = scope == tile::Scope::cluster ? NVVM::MemScopeKind::CLUSTER
                                            : NVVM::MemScopeKind::CTA;
  auto loop = scf::WhileOp::create(b, TypeRange(), ValueRange());
  OpBuilder::InsertionGuard guard(b);
  b.createBlock(&loop.getBefore());
  Type i1 = b.getI1Type();
  // `try_wait`, which may sleep, came with the async copies.
  Value isDone = emitter.has(tile::Feature::Tma)
                     ? Value(NVVM::MBarrierTryWaitOp::create(
                           b, i1, address, parity, Value(), kind))
                     : Value(NVVM::MBarrierTestWaitOp::create(b, i1, address,
                                                              parity, kind));
  Value goesOn =
      arith::XOrIOp::create(b, isDone, emitter.constant(b.getBoolAttr(true)));
  scf::ConditionOp::create(b, goesOn, ValueRange());
  b.createBlock(&loop.getAfter());
  scf::YieldOp::create(b);
}

static void emitArrive(KernelEmitter &emitter, Value address,
                       NVVM::MemScopeKind scope = NVVM::MemScopeKind::CTA,
                       bool isRelaxed = false) {
  ImplicitLocOpBuilder &b = emitter.b;
  bool isPeer =
      cast<LLVM::LLVMPointerType>(address.getType()).getAddressSpace() ==
      ClusterSpace;
  Type state = isPeer ? Type() : Type(b.getI64Type());
  NVVM::MBarrierArriveOp::create(b, state, address, Value(), scope, isRelaxed);
}

/// Emits `body` for whom an op says arrives.
static void emitBy(KernelEmitter &emitter, tile::ArriveBy by,
                   llvm::function_ref<void()> body) {
  if (emitter.group.single)
    return body();
  switch (by) {
  case tile::ArriveBy::one:
    return emitter.elected(body);
  case tile::ArriveBy::each_thread:
    return body();
  case tile::ArriveBy::each_warp:
    emitter.syncWarp();
    emitter.guarded(arith::CmpIOp::create(emitter.b, arith::CmpIPredicate::eq,
                                          emitter.group.lane, emitter.i32(0)),
                    body);
    return;
  }
  llvm_unreachable("all arrivals handled");
}

//===-- Cursors -----------------------------------------------------------===//

namespace {
/// A pair of stack slots.
struct Cursor {
  Value stage, parity;
};
} // namespace

static Value makeCursorSlot(KernelEmitter &emitter) {
  Value slot = emitter.entryAlloca(emitter.b.getI32Type());
  LLVM::StoreOp::create(emitter.b, emitter.i32(0), slot);
  return slot;
}

static Value read(KernelEmitter &emitter, Value slot) {
  return LLVM::LoadOp::create(emitter.b, emitter.b.getI32Type(), slot);
}

/// To the next stage; behind the last the parity turns.
static void advance(KernelEmitter &emitter, const Cursor &cursor, Value stage,
                    Value parity, int64_t stages) {
  ImplicitLocOpBuilder &b = emitter.b;
  Value next = emitter.add(stage, emitter.i32(1));
  Value wraps = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, next,
                                      emitter.i32(stages));
  next = arith::SelectOp::create(b, wraps, emitter.i32(0), next);
  Value turned = arith::XOrIOp::create(b, parity, emitter.i32(1));
  Value after = arith::SelectOp::create(b, wraps, turned, parity);
  LLVM::StoreOp::create(b, next, cursor.stage);
  LLVM::StoreOp::create(b, after, cursor.parity);
}

//===-- Rings -------------------------------------------------------------===//

static int64_t getOffset(Operation *op) {
  auto offset = op->getAttrOfType<IntegerAttr>("offset");
  return offset ? offset.getInt() : 0;
}

/// Lowered: the ring's first byte, then the cursors of both sides.
static LogicalResult emitRing(KernelEmitter &emitter, tile::MakeRingOp op) {
  auto type = cast<tile::RingType>(op.getRing().getType());
  RingLayout layout = getRingLayout(type);
  Value base = emitter.sharedAddress(getOffset(op));
  for (int64_t stage = 0; stage < static_cast<int64_t>(type.getStages());
       ++stage) {
    emitter.initialiseMbarrier(
        emitter.offset(base, layout.fullOffset + 8 * stage), op.getFills());
    emitter.initialiseMbarrier(
        emitter.offset(base, layout.emptyOffset + 8 * stage), op.getFrees());
  }
  SmallVector<Value> lowered = {base};
  for (int slot = 0; slot < 4; ++slot)
    lowered.push_back(makeCursorSlot(emitter));
  emitter.set(op.getRing(), lowered);
  return success();
}

static Cursor getCursor(KernelEmitter &emitter, Value ring, bool isProducer) {
  ArrayRef<Value> lowered = emitter.get(ring);
  return isProducer ? Cursor{lowered[1], lowered[2]}
                    : Cursor{lowered[3], lowered[4]};
}

static tile::Scope getScope(Value ring) {
  auto op = ring.getDefiningOp<tile::MakeRingOp>();
  return op ? op.getScope() : tile::Scope::cta;
}

/// Only what peers have stored by ordinary stores is acquired from the cluster:
/// copies' bytes and freed stages are the CTA's own shared memory, and a wait
/// at cluster scope would flush caches.
static tile::Scope getWaitScope(Value ring, bool isProducer) {
  auto op = ring.getDefiningOp<tile::MakeRingOp>();
  bool hasStores = op && op.getFilledBy() == tile::FilledBy::arrivals;
  return hasStores && !isProducer ? op.getScope() : tile::Scope::cta;
}

/// Waits for the cursor's stage and moves on; returns the stage.
static Value takeStage(KernelEmitter &emitter, Value ring, bool isProducer) {
  auto type = cast<tile::RingType>(ring.getType());
  RingLayout layout = getRingLayout(type);
  Value base = emitter.get(ring).front();
  Cursor cursor = getCursor(emitter, ring, isProducer);
  Value stage = read(emitter, cursor.stage);
  Value parity = read(emitter, cursor.parity);
  Value barriers = emitter.offset(base, emitter.mul(stage, 8));
  // The first round of a producer waits for the phase before the first, which
  // counts as complete.
  Value awaited =
      isProducer
          ? Value(arith::XOrIOp::create(emitter.b, parity, emitter.i32(1)))
          : parity;
  emitWaitParity(emitter,
                 emitter.offset(barriers, isProducer ? layout.emptyOffset
                                                     : layout.fullOffset),
                 awaited, getWaitScope(ring, isProducer));
  advance(emitter, cursor, stage, parity, type.getStages());
  return stage;
}

static LogicalResult emitTake(KernelEmitter &emitter, Value ring, Value slot,
                              ValueRange fields, bool isProducer) {
  RingLayout layout = getRingLayout(cast<tile::RingType>(ring.getType()));
  Value base = emitter.get(ring).front();
  Value stage = takeStage(emitter, ring, isProducer);
  Value barriers = emitter.offset(base, emitter.mul(stage, 8));
  emitter.set(slot, {emitter.offset(barriers, layout.fullOffset),
                     emitter.offset(barriers, layout.emptyOffset)});
  Value contents = emitter.offset(base, emitter.mul(stage, layout.stageBytes));
  for (auto [field, offset] : llvm::zip(fields, layout.fieldOffsets))
    emitter.set(field, emitter.offset(contents, offset));
  return success();
}

static LogicalResult emitAcquire(KernelEmitter &emitter, tile::AcquireOp op) {
  return emitTake(emitter, op.getRing(), op.getSlot(), op.getFields(),
                  /*isProducer=*/true);
}
static LogicalResult emitWait(KernelEmitter &emitter, tile::WaitOp op) {
  return emitTake(emitter, op.getRing(), op.getSlot(), op.getFields(),
                  /*isProducer=*/false);
}

static LogicalResult emitDrain(KernelEmitter &emitter, tile::DrainOp op) {
  auto type = cast<tile::RingType>(op.getRing().getType());
  for (int64_t stage = 0; stage < static_cast<int64_t>(type.getStages());
       ++stage)
    takeStage(emitter, op.getRing(), /*isProducer=*/true);
  return success();
}

//===-- Arrivals ----------------------------------------------------------===//

static bool isFilledByCopies(Value slot) {
  if (!isa<tile::SlotType>(slot.getType()))
    return false;
  Value ring = tile::getRingOf(slot);
  auto op = ring ? ring.getDefiningOp<tile::MakeRingOp>() : tile::MakeRingOp();
  return op && op.getFilledBy() == tile::FilledBy::copies;
}

static Value getPeer(KernelEmitter &emitter, Value address, Value rank) {
  return NVVM::MapaOp::create(emitter.b, emitter.pointerType(ClusterSpace),
                              address, rank);
}

static LogicalResult emitFill(KernelEmitter &emitter, tile::FillOp op) {
  ImplicitLocOpBuilder &b = emitter.b;
  Value address = emitter.get(op.getSlot()).front();
  if (op.getBytes() || op.getDynamicBytes()) {
    Value bytes = op.getBytes() ? emitter.i32(*op.getBytes())
                                : emitter.scalar(op.getDynamicBytes());
    emitter.elected([&] {
      NVVM::MBarrierArriveExpectTxOp::create(
          b, Type(), address, bytes, NVVM::MemScopeKind::CTA, false, Value());
    });
    return success();
  }
  if (isFilledByCopies(op.getSlot())) {
    NVVM::CpAsyncMBarrierArriveOp::create(b, address, /*noinc=*/true);
    return success();
  }
  bool isCluster = op.getScope() == tile::Scope::cluster;
  if (op.getRank())
    address = getPeer(emitter, address, emitter.scalar(op.getRank()));
  emitBy(emitter, op.getBy(), [&] {
    emitArrive(emitter, address,
               isCluster ? NVVM::MemScopeKind::CLUSTER
                         : NVVM::MemScopeKind::CTA,
               isCluster && op.getOrder() == tile::Order::relaxed);
  });
  return success();
}

/// An address that cannot be known before the pinned value is: ptxas may not
/// move what makes it below the arrive.
static Value pin(KernelEmitter &emitter, Value address, ValueRange registers,
                 Value zero) {
  ImplicitLocOpBuilder &b = emitter.b;
  Value bits;
  for (Value value : registers) {
    if (value.getType().getIntOrFloatBitWidth() != 32)
      continue;
    Value word =
        value.getType().isInteger(32)
            ? value
            : Value(arith::BitcastOp::create(b, b.getI32Type(), value));
    bits = bits ? Value(arith::OrIOp::create(b, bits, word)) : word;
  }
  if (!bits)
    return address;
  return emitter.offset(address, Value(arith::AndIOp::create(b, bits, zero)));
}

static int64_t countCtas(KernelEmitter &emitter) {
  int64_t count = 1;
  if (auto cluster = emitter.kernel.getCluster())
    for (int32_t extent : *cluster)
      count *= extent;
  return count;
}

/// To every CTA of the cluster: lanes 0 to n - 1 of the warps that arrive.
/// Never release at cluster scope for what only MMAs read: that would flush the
/// caches at each step.
static void releaseToCluster(KernelEmitter &emitter, tile::ReleaseOp op,
                             Value address) {
  ImplicitLocOpBuilder &b = emitter.b;
  int64_t ctas = countCtas(emitter);
  bool isRelaxed = op.getOrder() == tile::Order::relaxed;
  auto arrive = [&](Value rank) {
    emitArrive(emitter, getPeer(emitter, address, rank),
               isRelaxed ? NVVM::MemScopeKind::CLUSTER
                         : NVVM::MemScopeKind::CTA,
               isRelaxed);
  };
  if (emitter.group.single) {
    for (int64_t rank = 0; rank < ctas; ++rank)
      arrive(emitter.i32(rank));
    return;
  }
  if (op.getBy() == tile::ArriveBy::each_warp)
    emitter.syncWarp();
  Value lane = op.getBy() == tile::ArriveBy::one ? emitter.group.thread
                                                 : emitter.group.lane;
  Value arrives = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, lane,
                                        emitter.i32(ctas));
  emitter.guarded(arrives, [&] { arrive(lane); });
}

static LogicalResult emitRelease(KernelEmitter &emitter, tile::ReleaseOp op) {
  Value address = emitter.get(op.getSlot())[1];
  if (op.getPin())
    address = pin(emitter, address, emitter.get(op.getPin()),
                  emitter.scalar(op.getZero()));
  Value ring = tile::getRingOf(op.getSlot());
  if (ring && getScope(ring) == tile::Scope::cluster &&
      countCtas(emitter) > 1) {
    if (op.getBy() == tile::ArriveBy::each_thread)
      return op.emitOpError("of a cluster's ring by each_thread is not served: "
                            "expected one or each_warp");
    releaseToCluster(emitter, op, address);
    return success();
  }
  emitBy(emitter, op.getBy(), [&] { emitArrive(emitter, address); });
  return success();
}

//===-- Semaphores --------------------------------------------------------===//

static LogicalResult emitSemaphore(KernelEmitter &emitter,
                                   tile::MakeSemaphoreOp op) {
  auto type = cast<tile::SemaphoreType>(op.getSemaphore().getType());
  Value address = emitter.sharedAddress(getOffset(op));
  emitter.initialiseMbarrier(address, type.getCount());
  emitter.set(op.getSemaphore(), {address, makeCursorSlot(emitter)});
  return success();
}

static LogicalResult emitAwait(KernelEmitter &emitter, tile::AwaitOp op) {
  ArrayRef<Value> lowered = emitter.get(op.getSemaphore());
  Value address = lowered[0], slot = lowered[1];
  Value parity = read(emitter, slot);
  emitWaitParity(emitter, address, parity, op.getScope());
  LLVM::StoreOp::create(
      emitter.b,
      arith::XOrIOp::create(emitter.b, parity, emitter.i32(1)).getResult(),
      slot);
  return success();
}

void opgraph::codegen::addRingHandlers(Handlers &handlers) {
  handlers.add<tile::MakeRingOp, emitRing>();
  handlers.add<tile::AcquireOp, emitAcquire>();
  handlers.add<tile::WaitOp, emitWait>();
  handlers.add<tile::DrainOp, emitDrain>();
  handlers.add<tile::FillOp, emitFill>();
  handlers.add<tile::ReleaseOp, emitRelease>();
  handlers.add<tile::MakeSemaphoreOp, emitSemaphore>();
  handlers.add<tile::AwaitOp, emitAwait>();
}
