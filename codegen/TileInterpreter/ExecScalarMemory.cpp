//===- ExecScalarMemory.cpp - Single elements and counters ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "codegen/TileInterpreter/Compiler.h"
#include "codegen/TileInterpreter/ExecMemory.h"
#include "codegen/TileInterpreter/ExecShared.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace opgraph::tile;
using namespace opgraph::tile::interp;

namespace {
struct ElementPayload : Payload {
  Format format = Format::I32;
  /// Of shared memory.
  SharedLayout layout;
  SmallVector<int64_t, 4> extents;
};
} // namespace

/// Byte offset of a shared element, from the tile's base.
static std::optional<int64_t> locateShared(Agent &agent,
                                           const ElementPayload &element,
                                           ArrayRef<int64_t> at) {
  for (auto [axis, index] : llvm::enumerate(at)) {
    if (index >= 0 && index < element.extents[axis])
      continue;
    agent.fail(FaultKind::OutOfBounds,
               "index " + std::to_string(index) + " of axis " +
                   std::to_string(axis) + " of a tile, whose extent is " +
                   std::to_string(element.extents[axis]));
    return std::nullopt;
  }
  int64_t tiles = 0;
  size_t rank = at.size();
  for (size_t axis = 0; axis + 2 < rank; ++axis)
    tiles = tiles * element.extents[axis] + at[axis];
  return tiles * element.layout.matrixBytes() +
         element.layout.offset(rank > 1 ? at[rank - 2] : 0, at[rank - 1]);
}

/// The element's bytes, after the accesses of all warps (a read) or the elected
/// thread (a write); null with a fault.
static uint8_t *touch(Agent &agent, const Instruction &op, SlotIndex memory,
                      ArrayRef<int64_t> at, bool isWrite) {
  const auto &element = op.as<ElementPayload>();
  int64_t bytes = bytesOf(element.format);
  SmallVector<Accessor, 8> accessors;
  for (unsigned warp = 0; warp < (isWrite ? 1 : agent.warps); ++warp)
    if (isWrite || agent.isActive(warp))
      accessors.push_back(agent.ordinary(
          warp, isWrite || agent.role.isSingle ? 0 : Stamp::manyLanes));
  if (const auto *view = std::get_if<ViewValue>(&agent.frame[memory])) {
    std::optional<int64_t> offset = locate(agent, *view, at);
    if (!offset)
      return nullptr;
    for (const Accessor &by : accessors)
      if (!agent.touchGlobal(by, *view->buffer, *offset, bytes, isWrite))
        return nullptr;
    return view->buffer->at(*offset);
  }
  auto shared = agent.get<SharedValue>(memory);
  std::optional<int64_t> offset = locateShared(agent, element, at);
  if (!offset)
    return nullptr;
  Cta &owner = agent.world.peer(agent.cta, shared.cta);
  for (const Accessor &by : accessors)
    if (!agent.touchShared(by, owner, shared.allocation, shared.base + *offset,
                           bytes, isWrite))
      return nullptr;
  return owner.shared.at(shared.base + *offset);
}

static Step runLoadScalar(Agent &agent, const Instruction &op) {
  auto load = cast<LoadScalarOp>(op.op);
  const auto &element = op.as<ElementPayload>();
  uint8_t *from = touch(agent, op, op.operands[0],
                        agent.integers(op.slotsOf(load.getIndices())), false);
  if (!from)
    return Step::Failed;
  auto value = std::make_shared<Numbers>(element.format, 1, 1);
  value->load(0, from);
  agent.frame[op.results[0]] = NumbersPtr(std::move(value));
  return Step::Next;
}

static Step runStoreScalar(Agent &agent, const Instruction &op) {
  auto store = cast<StoreScalarOp>(op.op);
  uint8_t *to = touch(agent, op, op.operands[1],
                      agent.integers(op.slotsOf(store.getIndices())), true);
  if (!to)
    return Step::Failed;
  agent.numbers(op.operands[0]).store(0, to);
  return Step::Next;
}

//===----------------------------------------------------------------------===//
// Counters
//===----------------------------------------------------------------------===//

/// The integer that a pointer names, after an atomic access; null with a fault.
static uint8_t *touchCounter(Agent &agent, const PointerValue &pointer,
                             int64_t bytes) {
  Accessor by = agent.elected(/*isAsync=*/false);
  by.stamp.isAtomic = true;
  GlobalBuffer &buffer = *pointer.buffer;
  if (!buffer.contains(pointer.offset, bytes) ||
      buffer.isWritten(pointer.offset)) {
    if (!agent.touchGlobal(by, buffer, pointer.offset, bytes, true))
      return nullptr;
    return buffer.at(pointer.offset);
  }
  agent.fail(FaultKind::UninitialisedRead,
             "byte " + std::to_string(pointer.offset) + " of '" +
                 buffer.getName() + "' has not been written");
  return nullptr;
}

/// The elected thread's number goes to the other warps of its group by shared
/// memory and a barrier (within a warp by a shuffle, which orders nothing).
static void handOn(Agent &agent) {
  if (agent.warps > 1)
    agent.meetAll();
}

static Step runFetchAdd(Agent &agent, const Instruction &op) {
  auto add = cast<FetchAddOp>(op.op);
  const auto &element = op.as<ElementPayload>();
  const auto &pointer = agent.get<PointerValue>(op.operands[0]);
  uint8_t *at = touchCounter(agent, pointer, bytesOf(element.format));
  if (!at)
    return Step::Failed;
  int64_t old = loadInteger(element.format, at);
  storeInteger(element.format, old + agent.integer(op.operands[1]), at);
  // What was released through the location comes with its value.
  Knowledge &location =
      agent.world.locations
          .try_emplace({pointer.buffer, pointer.offset}, agent.world.nothing())
          .first->second;
  Order order = add.getOrder();
  if (order == Order::acquire || order == Order::acq_rel)
    agent.warp(0).knows.join(location);
  if (order == Order::release || order == Order::acq_rel)
    location.join(agent.tellings(/*ofAll=*/false));
  handOn(agent);
  agent.frame[op.results[0]] = makeInteger(element.format, old);
  return Step::Next;
}

/// Counts up to the limit, then starts again.
static Step runDraw(Agent &agent, const Instruction &op) {
  const auto &pointer = agent.get<PointerValue>(op.operands[0]);
  uint8_t *at = touchCounter(agent, pointer, 4);
  if (!at)
    return Step::Failed;
  int64_t limit = agent.integer(op.operands[1]);
  int64_t old = loadInteger(Format::I32, at);
  storeInteger(Format::I32, old >= limit - 1 ? 0 : old + 1, at);
  handOn(agent);
  agent.frame[op.results[0]] = makeInteger(Format::I32, old);
  return Step::Next;
}

static void describe(mlir::Value memory, Type scalar, Instruction &to) {
  auto payload = std::make_shared<ElementPayload>();
  payload->format = *formatOf(scalar);
  if (auto shared = dyn_cast<SharedType>(memory.getType())) {
    payload->layout = layoutOf(shared);
    payload->extents.assign(shared.getShape().begin(), shared.getShape().end());
  }
  to.payload = std::move(payload);
}

bool opgraph::tile::interp::bindScalarMemory(Operation *op, Instruction &to,
                                             Compiler &) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](LoadScalarOp load) {
        describe(load.getMemory(), load.getValue().getType(), to);
        to.handler = runLoadScalar;
        return true;
      })
      .Case([&](StoreScalarOp store) {
        describe(store.getMemory(), store.getValue().getType(), to);
        to.handler = runStoreScalar;
        return true;
      })
      .Case([&](FetchAddOp add) {
        describe(add.getPointer(), add.getValue().getType(), to);
        to.handler = runFetchAdd;
        return true;
      })
      .Case([&](DrawOp) {
        to.handler = runDraw;
        return true;
      })
      .Default([](Operation *) { return false; });
}
