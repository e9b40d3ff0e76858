//===- ExecIndexed.cpp - Elements at computed coordinates -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "codegen/TileInterpreter/Compiler.h"
#include "codegen/TileInterpreter/ExecMemory.h"

using namespace mlir;
using namespace opgraph::tile;
using namespace opgraph::tile::interp;

namespace {
struct IndexedPayload : Payload {
  Format format = Format::F32;
  int64_t rows = 1, cols = 1;
  /// Neighbouring columns that the region speaks for.
  int64_t vector = 1;
  std::shared_ptr<const OwnerTable> owners;
  std::shared_ptr<const RegionProgram> region;
  std::optional<Combine> combine;
};

/// What the region gives for each element: the view's coordinates, and whether
/// it is accessed.
struct Places {
  SmallVector<NumbersPtr> coordinates;
  NumbersPtr isIn;
};
} // namespace

static Places computePlaces(Agent &agent, const IndexedPayload &access) {
  auto row = std::make_shared<Numbers>(Format::I32, access.rows, access.cols);
  auto col = std::make_shared<Numbers>(Format::I32, access.rows, access.cols);
  for (int64_t r = 0, i = 0; r < access.rows; ++r)
    for (int64_t c = 0; c < access.cols; ++c, ++i) {
      row->integers[i] = r;
      col->integers[i] = c;
    }
  SmallVector<NumbersPtr> results =
      access.region->run(agent, {row, col}, access.rows, access.cols);
  Places places;
  places.isIn = results.pop_back_val();
  places.coordinates = std::move(results);
  return places;
}

/// Visits the elements that are accessed, with their byte offsets. Within a
/// vector the first element's place counts.
template <typename Visit>
static bool walk(Agent &agent, const IndexedPayload &access,
                 const ViewValue &view, Visit visit) {
  Places places = computePlaces(agent, access);
  SmallVector<int64_t, 4> at(places.coordinates.size());
  for (int64_t r = 0, i = 0; r < access.rows; ++r)
    for (int64_t c = 0; c < access.cols; ++c, ++i) {
      int64_t behind = c % access.vector;
      int64_t first = i - behind;
      if (!places.isIn->integers[first] ||
          !holdsElement(agent, *access.owners, r, c))
        continue;
      for (auto [axis, coordinate] : llvm::enumerate(places.coordinates))
        at[axis] = coordinate->integers[first];
      at.back() += behind;
      std::optional<int64_t> offset = locate(agent, view, at);
      if (!offset || !visit(r, c, i, *offset))
        return false;
    }
  return true;
}

static Step runGather(Agent &agent, const Instruction &op) {
  const auto &access = op.as<IndexedPayload>();
  const auto &view = agent.get<ViewValue>(op.operands[0]);
  auto tile =
      std::make_shared<Numbers>(access.format, access.rows, access.cols);
  bool done = walk(
      agent, access, view,
      [&](int64_t r, int64_t c, int64_t i, int64_t offset) {
        if (!touchElement(agent, *access.owners, r, c, view, offset, false))
          return false;
        tile->load(i, view.buffer->at(offset));
        return true;
      });
  if (!done)
    return Step::Failed;
  agent.frame[op.results[0]] = NumbersPtr(std::move(tile));
  return Step::Next;
}

/// An atomic access by the element's first holder.
static bool touchAtomically(Agent &agent, const OwnerTable &owners, int64_t r,
                            int64_t c, const ViewValue &view, int64_t offset) {
  OwnerPart owner = owners.at(r, c);
  Accessor by = agent.ordinary(owner.warp, uint8_t(owner.lane));
  by.stamp.isAtomic = true;
  if (view.buffer->contains(offset, 1) && !view.buffer->isWritten(offset)) {
    agent.fail(FaultKind::UninitialisedRead,
               "byte " + std::to_string(offset) + " of '" +
                   view.buffer->getName() +
                   "' is combined with before it is written");
    return false;
  }
  return agent.touchGlobal(by, *view.buffer, offset, bytesOf(view.format),
                           true);
}

static Step runScatter(Agent &agent, const Instruction &op) {
  const auto &access = op.as<IndexedPayload>();
  const Numbers &tile = agent.numbers(op.operands[0]);
  const auto &view = agent.get<ViewValue>(op.operands[1]);
  Numbers old(access.format, 1, 1);
  bool done = walk(
      agent, access, view,
      [&](int64_t r, int64_t c, int64_t i, int64_t offset) {
        uint8_t *to = view.buffer->at(offset);
        if (!access.combine) {
          if (!touchElement(agent, *access.owners, r, c, view, offset, true))
            return false;
          tile.store(i, to);
          return true;
        }
        if (!touchAtomically(agent, *access.owners, r, c, view, offset))
          return false;
        old.load(0, to);
        combineInto(*access.combine, old, 0, tile, i);
        old.store(0, to);
        return true;
      });
  return done ? Step::Next : Step::Failed;
}

static std::shared_ptr<IndexedPayload>
describe(RegType type, int64_t vector, Region &body, Compiler &compiler) {
  auto payload = std::make_shared<IndexedPayload>();
  payload->format = *formatOf(type.getElementType());
  payload->rows = type.getRows();
  payload->cols = type.getCols();
  payload->vector = vector;
  payload->owners = compiler.owners(type);
  payload->region = compiler.region(body);
  return payload;
}

bool opgraph::tile::interp::bindIndexedMemory(Operation *op, Instruction &to,
                                              Compiler &compiler) {
  if (auto gather = dyn_cast<GatherOp>(op)) {
    to.payload = describe(gather.getTile().getType(), gather.getVector(),
                          gather.getBody(), compiler);
    to.handler = runGather;
    return true;
  }
  auto scatter = dyn_cast<ScatterOp>(op);
  if (!scatter)
    return false;
  auto payload = describe(scatter.getTile().getType(), scatter.getVector(),
                          scatter.getBody(), compiler);
  payload->combine = scatter.getCombine();
  to.payload = std::move(payload);
  to.handler = runScatter;
  return true;
}
