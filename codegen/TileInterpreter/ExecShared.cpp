//===- ExecShared.cpp - Register tiles and shared memory ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "codegen/TileInterpreter/ExecShared.h"
#include "codegen/TileInterpreter/Compiler.h"
#include "codegen/TileInterpreter/ExecMemory.h"

using namespace mlir;
using namespace opgraph::tile;
using namespace opgraph::tile::interp;

namespace {
struct SharedPayload : Payload {
  SharedLayout layout;
  Format format = Format::F32;
  int64_t rows = 1, cols = 1;
  bool isTransposed = false;
  std::shared_ptr<const OwnerTable> owners;
};
struct SlicePayload : Payload {
  SharedLayout from, part;
  /// Of each of the source's axes; the part's leading axes that are left out
  /// have an extent of 1.
  SmallVector<int64_t, 4> extents, partExtents;
};
} // namespace

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

bool opgraph::tile::interp::checkBase(Agent &agent, const SharedLayout &layout,
                                      int64_t base) {
  if (!layout.span || base % layout.alignment() == 0)
    return true;
  agent.fail(FaultKind::OutOfBounds, "a swizzled tile begins at shared byte " +
                                         std::to_string(base) +
                                         ", expected a multiple of " +
                                         std::to_string(layout.alignment()));
  return false;
}

bool opgraph::tile::interp::touchTile(Agent &agent, const OwnerTable &owners,
                                      const SharedLayout &layout,
                                      const SharedValue &shared, int64_t rows,
                                      int64_t cols, bool isTransposed,
                                      bool isWrite) {
  if (!checkBase(agent, layout, shared.base))
    return false;
  Cta &owner = agent.world.peer(agent.cta, shared.cta);
  int64_t bytes = layout.elementBytes();
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < cols; ++c) {
      OwnerPart part = owners.at(r, c);
      int64_t offset = shared.base + (isTransposed ? layout.offset(c, r)
                                                   : layout.offset(r, c));
      uint8_t lane = !isWrite && owners.isLaneReplicated() ? Stamp::manyLanes
                                                           : uint8_t(part.lane);
      for (int32_t copy : owners.warpCopies()) {
        if (!agent.isActive(part.warp + copy))
          continue;
        if (!agent.touchShared(agent.ordinary(part.warp + copy, lane), owner,
                               shared.allocation, offset, bytes, isWrite))
          return false;
        // Of copies, one holder writes.
        if (isWrite)
          break;
      }
    }
  return true;
}

bool opgraph::tile::interp::touchWhole(Agent &agent, const Accessor &by,
                                       Cta &owner, const SharedLayout &layout,
                                       const SharedValue &shared,
                                       bool isWrite) {
  int64_t base = shared.base;
  if (!checkBase(agent, layout, base))
    return false;
  int64_t run = layout.span ? layout.span : layout.cols * layout.elementBytes();
  for (int64_t plane = 0; plane < layout.planes(); ++plane)
    for (int64_t r = 0; r < layout.rows; ++r) {
      int64_t at =
          base + plane * layout.planeRows * layout.span + r * layout.pitch();
      if (!agent.touchShared(by, owner, shared.allocation, at, run, isWrite))
        return false;
    }
  return true;
}

static Step runLoadShared(Agent &agent, const Instruction &op) {
  const auto &access = op.as<SharedPayload>();
  auto shared = agent.get<SharedValue>(op.operands[0]);
  if (!touchTile(agent, *access.owners, access.layout, shared, access.rows,
                 access.cols, access.isTransposed, /*isWrite=*/false))
    return Step::Failed;
  SharedMemory &memory = agent.world.peer(agent.cta, shared.cta).shared;
  auto tile =
      std::make_shared<Numbers>(access.format, access.rows, access.cols);
  for (int64_t r = 0, i = 0; r < access.rows; ++r)
    for (int64_t c = 0; c < access.cols; ++c, ++i)
      tile->load(i,
                 memory.at(shared.base + (access.isTransposed
                                              ? access.layout.offset(c, r)
                                              : access.layout.offset(r, c))));
  agent.frame[op.results[0]] = NumbersPtr(std::move(tile));
  return Step::Next;
}

static Step runStoreShared(Agent &agent, const Instruction &op) {
  const auto &access = op.as<SharedPayload>();
  const Numbers &tile = agent.numbers(op.operands[0]);
  auto shared = agent.get<SharedValue>(op.operands[1]);
  if (!touchTile(agent, *access.owners, access.layout, shared, access.rows,
                 access.cols, access.isTransposed, /*isWrite=*/true))
    return Step::Failed;
  SharedMemory &memory = agent.world.peer(agent.cta, shared.cta).shared;
  for (int64_t r = 0, i = 0; r < access.rows; ++r)
    for (int64_t c = 0; c < access.cols; ++c, ++i) {
      if (!holdsElement(agent, *access.owners, r, c))
        continue;
      tile.store(i,
                 memory.at(shared.base + (access.isTransposed
                                              ? access.layout.offset(c, r)
                                              : access.layout.offset(r, c))));
    }
  return Step::Next;
}

//===----------------------------------------------------------------------===//
// Parts and peers
//===----------------------------------------------------------------------===//

static Step runSlice(Agent &agent, const Instruction &op) {
  const auto &slice = op.as<SlicePayload>();
  auto shared = agent.get<SharedValue>(op.operands[0]);
  SmallVector<int64_t, 4> at =
      agent.integers(ArrayRef(op.operands).drop_front());
  for (auto [axis, index] : llvm::enumerate(at))
    if (index < 0 || index + slice.partExtents[axis] > slice.extents[axis])
      return agent.fail(FaultKind::OutOfBounds,
                        "indices " + std::to_string(index) + " to " +
                            std::to_string(index + slice.partExtents[axis]) +
                            " of axis " + std::to_string(axis) +
                            " of a tile, whose extent is " +
                            std::to_string(slice.extents[axis]));
  int64_t tiles = 0;
  size_t rank = at.size();
  for (size_t axis = 0; axis + 2 < rank; ++axis)
    tiles = tiles * slice.extents[axis] + at[axis];
  shared.base +=
      tiles * slice.from.matrixBytes() +
      slice.from.plainOffset(rank > 1 ? at[rank - 2] : 0, at[rank - 1]);
  if (!checkBase(agent, slice.part, shared.base))
    return Step::Failed;
  agent.frame[op.results[0]] = shared;
  return Step::Next;
}

static Step runPeer(Agent &agent, const Instruction &op) {
  auto shared = agent.get<SharedValue>(op.operands[0]);
  int64_t rank = agent.integer(op.operands[1]);
  const int64_t *cluster = agent.world.program.cluster;
  int64_t size = cluster[0] * cluster[1] * cluster[2];
  if (rank < 0 || rank >= size)
    return agent.fail(FaultKind::OutOfBounds, "CTA " + std::to_string(rank) +
                                                  " of a cluster of " +
                                                  std::to_string(size));
  shared.cta = uint32_t(rank);
  agent.frame[op.results[0]] = shared;
  return Step::Next;
}

//===----------------------------------------------------------------------===//
// Binding
//===----------------------------------------------------------------------===//

template <typename Access>
static void describe(Access op, RegType tile, Instruction &to,
                     Compiler &compiler) {
  auto payload = std::make_shared<SharedPayload>();
  payload->layout = layoutOf(op.getShared().getType());
  payload->format = *formatOf(tile.getElementType());
  payload->rows = tile.getRows();
  payload->cols = tile.getCols();
  payload->isTransposed = op.getTransposed();
  payload->owners = compiler.owners(tile);
  for (int64_t extent : payload->layout.leading)
    if (extent != 1)
      compiler.refuse(op, "a shared tile of more than two axes");
  int64_t rows = payload->layout.rows, cols = payload->layout.cols;
  if (payload->isTransposed)
    std::swap(rows, cols);
  if (rows != payload->rows || cols != payload->cols)
    compiler.refuse(op, "shapes that differ");
  to.payload = std::move(payload);
}

static void bindSlice(SliceOp op, Instruction &to, Compiler &compiler) {
  auto payload = std::make_shared<SlicePayload>();
  SharedType from = op.getTile().getType(), part = op.getPart().getType();
  payload->from = layoutOf(from);
  payload->part = layoutOf(part);
  payload->extents.assign(from.getShape().begin(), from.getShape().end());
  size_t dropped = from.getShape().size() - part.getShape().size();
  payload->partExtents.assign(dropped, 1);
  payload->partExtents.append(part.getShape().begin(), part.getShape().end());
  bool planesDiffer = payload->part.planes() > 1 &&
                      payload->from.planeRows != payload->part.planeRows;
  if (payload->from.span != payload->part.span || planesDiffer ||
      (payload->part.rows > 1 &&
       payload->from.pitch() != payload->part.pitch()))
    compiler.refuse(op, "a part whose rows lie otherwise than the tile's");
  to.payload = std::move(payload);
  to.handler = runSlice;
}

bool opgraph::tile::interp::bindShared(Operation *op, Instruction &to,
                                       Compiler &compiler) {
  if (auto load = dyn_cast<LoadSharedOp>(op)) {
    describe(load, load.getTile().getType(), to, compiler);
    to.handler = runLoadShared;
    return true;
  }
  if (auto store = dyn_cast<StoreSharedOp>(op)) {
    describe(store, store.getTile().getType(), to, compiler);
    to.handler = runStoreShared;
    return true;
  }
  if (auto slice = dyn_cast<SliceOp>(op)) {
    bindSlice(slice, to, compiler);
    return true;
  }
  if (!isa<PeerOp>(op))
    return false;
  to.handler = runPeer;
  return true;
}
