//===- ExecStores.cpp - Bulk copies to global memory ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "codegen/TileInterpreter/ExecCopies.h"
#include "codegen/TileInterpreter/ExecMemory.h"
#include "codegen/TileInterpreter/ExecShared.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace opgraph::tile;
using namespace opgraph::tile::interp;

namespace {
struct StorePayload : Payload {
  SharedLayout layout;
  std::optional<Combine> combine;
};

/// An element: where it is in shared memory, and where it goes.
struct Element {
  int64_t from = 0, to = 0;
};
} // namespace

/// The accessor that reads shared memory, or writes global memory, for the
/// agent's next store.
static Accessor storing(Agent &agent, Party party) {
  Accessor by = agent.elected(/*isAsync=*/true);
  by.stamp.component = agent.queueComponent(party);
  by.stamp.time = agent.storeReads.issued + 1;
  by.stamp.party = party;
  return by;
}

static void put(GlobalBuffer &buffer, int64_t offset, const Numbers &values,
                int64_t i, std::optional<Combine> combine) {
  if (!combine)
    return values.store(i, buffer.at(offset));
  Numbers old(values.format, 1, 1);
  old.load(0, buffer.at(offset));
  combineInto(*combine, old, 0, values, i);
  old.store(0, buffer.at(offset));
}

/// Issues the store of `elements`: read at one moment, written at a later one.
static Step issue(Agent &agent, Operation *op, GlobalBuffer &buffer,
                  std::vector<Element> elements, const StorePayload &store) {
  Accessor writer = storing(agent, Party::BulkWrite);
  writer.stamp.isAtomic = store.combine.has_value();
  int64_t bytes = store.layout.elementBytes();
  for (const Element &element : elements) {
    if (store.combine && buffer.contains(element.to, bytes) &&
        !buffer.isWritten(element.to))
      return agent.fail(FaultKind::UninitialisedRead,
                        "byte " + std::to_string(element.to) + " of '" +
                            buffer.getName() +
                            "' is combined with before it is written");
    if (!agent.touchGlobal(writer, buffer, element.to, bytes, true))
      return Step::Failed;
  }
  ++agent.storeReads.issued;
  auto read = [&agent, op, &buffer, elements = std::move(elements),
               format = store.layout.format, combine = store.combine] {
    auto values = std::make_shared<Numbers>(format, 1, elements.size());
    for (auto [i, element] : llvm::enumerate(elements))
      values->load(i, agent.cta.shared.at(element.from));
    auto write = [values, elements, &buffer, combine] {
      for (auto [i, element] : llvm::enumerate(elements))
        put(buffer, element.to, *values, i, combine);
    };
    ++agent.storeWrites.issued;
    agent.storeWrites.flights.push_back({op, std::move(write)});
  };
  agent.storeReads.flights.push_back({op, std::move(read)});
  return Step::Next;
}

static Step runTensorStore(Agent &agent, const Instruction &op) {
  auto store = cast<TensorStoreOp>(op.op);
  const auto &payload = op.as<StorePayload>();
  const SharedLayout &layout = payload.layout;
  auto shared = agent.get<SharedValue>(op.operands[0]);
  const TensorMapModel &map = *agent.get<MapValue>(op.operands[1]).model;
  auto corner = agent.integers(op.slotsOf(store.getCoordinates()));
  if (!checkPublished(agent, map) || !checkBase(agent, layout, shared.base))
    return Step::Failed;
  Accessor reader = storing(agent, Party::BulkRead);
  std::vector<Element> elements;
  SmallVector<int64_t, 4> at(corner);
  for (int64_t r = 0; r < layout.allRows(); ++r)
    for (int64_t c = 0; c < layout.cols; ++c) {
      int64_t from = shared.base + layout.offsetOfRow(r, c);
      if (!agent.touchShared(reader, agent.cta, shared.allocation, from,
                             layout.elementBytes(), false))
        return Step::Failed;
      at.back() = corner.back() + c / map.boxCols() * map.boxCols();
      int64_t to = map.locate(at, r, c % map.boxCols());
      if (to >= 0)
        elements.push_back({from, to});
    }
  return issue(agent, op.op, *map.buffer, std::move(elements), payload);
}

static Step runBulkStore(Agent &agent, const Instruction &op) {
  auto store = cast<BulkStoreOp>(op.op);
  const auto &payload = op.as<StorePayload>();
  auto shared = agent.get<SharedValue>(op.operands[0]);
  const auto &pointer = agent.get<PointerValue>(op.operands[1]);
  Format format = *formatOf(store.getTo().getType().getElementType());
  int64_t to = pointer.offset + agent.integer(op.operands[2]) * bytesOf(format);
  int64_t size = agent.integer(op.operands[3]);
  if (size < 0 || size > payload.layout.bytes())
    return agent.fail(FaultKind::OutOfBounds,
                      "a copy of " + std::to_string(size) +
                          " bytes from a tile of " +
                          std::to_string(payload.layout.bytes()));
  if (size % 16 || to % 16 || shared.base % 16)
    return agent.fail(FaultKind::OutOfBounds,
                      "a bulk copy whose size or ends are no multiples of 16");
  Accessor reader = storing(agent, Party::BulkRead);
  if (size > 0 && !agent.touchShared(reader, agent.cta, shared.allocation,
                                     shared.base, size, false))
    return Step::Failed;
  std::vector<Element> elements;
  int64_t bytes = payload.layout.elementBytes();
  for (int64_t at = 0; at < size; at += bytes)
    elements.push_back({shared.base + at, to + at});
  return issue(agent, op.op, *pointer.buffer, std::move(elements), payload);
}

static Step runBulkCommit(Agent &agent, const Instruction &) {
  agent.storeReads.groups.push_back(agent.storeReads.issued);
  return Step::Next;
}

static Step runBulkWait(Agent &agent, const Instruction &op) {
  auto wait = cast<BulkWaitOp>(op.op);
  uint32_t end = agent.storeReads.endOfAllBut(wait.getPending());
  agent.storeReads.finishUntil(end);
  agent.storesReadAwaited = std::max(agent.storesReadAwaited, end);
  // The elected thread waits; a sync tells the others.
  VectorClock &seen = agent.warp(0).knows.seen;
  seen.raise(agent.queueComponent(Party::BulkRead), end);
  if (!wait.getRead()) {
    agent.storeWrites.finishUntil(end);
    seen.raise(agent.queueComponent(Party::BulkWrite), end);
  }
  return Step::Next;
}

template <typename Store>
static bool bind(Store op, Handler handler, Instruction &to) {
  auto payload = std::make_shared<StorePayload>();
  payload->layout = layoutOf(op.getFrom().getType());
  payload->combine = op.getCombine();
  to.payload = std::move(payload);
  to.handler = handler;
  return true;
}

bool opgraph::tile::interp::bindStores(Operation *op, Instruction &to,
                                       Compiler &compiler) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](TensorStoreOp store) {
        bind(store, runTensorStore, to);
        checkBox(op, store.getMap().getType(), to.as<StorePayload>().layout,
                 compiler);
        return true;
      })
      .Case([&](BulkStoreOp store) { return bind(store, runBulkStore, to); })
      .Case([&](BulkCommitOp) {
        to.handler = runBulkCommit;
        return true;
      })
      .Case([&](BulkWaitOp) {
        to.handler = runBulkWait;
        return true;
      })
      .Default([](Operation *) { return false; });
}
