//===- ExecCopies.cpp - Asynchronous copies to shared memory --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A copy is checked and leaves its stamps when it is issued; its bytes move
// when the scheduler says so.
//===----------------------------------------------------------------------===//
#include "codegen/TileInterpreter/ExecCopies.h"
#include "codegen/TileInterpreter/Compiler.h"
#include "codegen/TileInterpreter/ExecMemory.h"
#include "codegen/TileInterpreter/ExecRings.h"
#include "codegen/TileInterpreter/ExecShared.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cstring>

using namespace mlir;
using namespace opgraph::tile;
using namespace opgraph::tile::interp;

namespace {
struct CopyPayload : Payload {
  SharedLayout layout;
};

/// A piece of a copy: bytes of global memory, or (no buffer) zeros.
struct Piece {
  GlobalBuffer *from = nullptr;
  int64_t offset = 0, to = 0, bytes = 0;
};
using Pieces = std::vector<Piece>;
} // namespace

static void move(const Pieces &pieces, SharedMemory &to) {
  for (const Piece &piece : pieces) {
    if (piece.from)
      std::memcpy(to.at(piece.to), piece.from->at(piece.offset), piece.bytes);
    else
      std::memset(to.at(piece.to), 0, piece.bytes);
  }
}

//===----------------------------------------------------------------------===//
// cp.async
//===----------------------------------------------------------------------===//

/// The element of the view that comes to (row, col), or zeros.
static bool addPiece(Agent &agent, const ViewValue &view, ArrayRef<int64_t> at,
                     ArrayRef<int64_t> limits, int64_t to, const Accessor &by,
                     Pieces &pieces) {
  int64_t bytes = bytesOf(view.format);
  for (auto [index, limit] : llvm::zip(at, limits))
    if (index >= limit) {
      pieces.push_back({nullptr, 0, to, bytes});
      return true;
    }
  std::optional<int64_t> offset = locate(agent, view, at);
  if (!offset || !agent.touchGlobal(by, *view.buffer, *offset, bytes, false))
    return false;
  pieces.push_back({view.buffer, *offset, to, bytes});
  return true;
}

static Step runCpAsync(Agent &agent, const Instruction &op) {
  auto copy = cast<CpAsyncOp>(op.op);
  const SharedLayout &layout = op.as<CopyPayload>().layout;
  const auto &view = agent.get<ViewValue>(op.operands[0]);
  auto offsets = agent.integers(op.slotsOf(copy.getOffsets()));
  auto limits = agent.integers(op.slotsOf(copy.getLimits()));
  auto shared = agent.get<SharedValue>(op.operands.back());
  if (!checkBase(agent, layout, shared.base))
    return Step::Failed;
  int64_t threads = 32 * int64_t(agent.warps);
  int64_t run = std::max<int64_t>(1, copy.getBytes() / layout.elementBytes());
  Pieces pieces;
  size_t rank = offsets.size();
  for (int64_t r = 0; r < layout.rows; ++r)
    for (int64_t c = 0; c < layout.cols; ++c) {
      int64_t chunk = (r * layout.cols + c) / run;
      auto warp = unsigned(chunk % threads / 32);
      Accessor by = agent.ordinary(warp, Stamp::manyLanes);
      by.stamp.component = agent.copyComponent(warp);
      by.stamp.party = Party::CopyQueue;
      by.stamp.time = agent.copies.issued + 1;
      SmallVector<int64_t, 4> at(offsets);
      if (rank > 1)
        at[rank - 2] += r;
      at[rank - 1] += c;
      int64_t to = shared.base + layout.offset(r, c);
      if (!agent.touchShared(by, agent.cta, shared.allocation, to,
                             layout.elementBytes(), true) ||
          !addPiece(agent, view, at, limits, to, by, pieces))
        return Step::Failed;
    }
  ++agent.copies.issued;
  SharedMemory &memory = agent.cta.shared;
  agent.copies.flights.push_back(
      {op.op, [pieces = std::move(pieces), &memory] { move(pieces, memory); }});
  return Step::Next;
}

static Step runCpCommit(Agent &agent, const Instruction &) {
  agent.copies.groups.push_back(agent.copies.issued);
  return Step::Next;
}

static Step runCpWait(Agent &agent, const Instruction &op) {
  uint32_t end = agent.copies.endOfAllBut(cast<CpWaitOp>(op.op).getPending());
  agent.copies.finishUntil(end);
  for (unsigned w = 0; w < agent.warps; ++w) {
    WarpState &state = agent.warp(w);
    state.knows.seen.raise(agent.copyComponent(w), end);
    state.copiesDone = std::max(state.copiesDone, end);
  }
  return Step::Next;
}

//===----------------------------------------------------------------------===//
// Copies that complete a barrier
//===----------------------------------------------------------------------===//

/// The accessor of a copy that arrives at `barrier`.
static Accessor arriving(Agent &agent, const Mbarrier &barrier) {
  Accessor by = agent.elected(/*isAsync=*/true);
  by.stamp.component = barrier.getComponent();
  by.stamp.time = barrier.getCurrentTime();
  by.stamp.party = Party::Mbarrier;
  return by;
}

/// Issues the copy of `pieces` to the CTAs of `mask`, each at its own tile and
/// barrier.
static Step issue(Agent &agent, Operation *op, Pieces pieces,
                  uint16_t allocation, uint32_t barrier, uint64_t mask,
                  int64_t bytes) {
  World &world = agent.world;
  auto shared = std::make_shared<Pieces>(std::move(pieces));
  for (uint32_t rank = 0; rank < 64; ++rank) {
    if (!(mask >> rank & 1))
      continue;
    Cta &owner = world.peer(agent.cta, rank);
    if (owner.liveAgents == 0)
      return agent.fail(FaultKind::ExitHazard,
                        "copies to CTA " + std::to_string(rank) +
                            " of the cluster, which has ended");
    Mbarrier &to = owner.mbarriers[barrier];
    Accessor by = arriving(agent, to);
    for (const Piece &piece : *shared)
      if (!agent.touchShared(by, owner, allocation, piece.to, piece.bytes,
                             true))
        return Step::Failed;
    world.loads.push_back({op, [=, &world, &owner, &to] {
                             move(*shared, owner.shared);
                             world.deliver(to, bytes, op);
                           }});
  }
  return Step::Next;
}

bool opgraph::tile::interp::checkPublished(Agent &agent,
                                           const TensorMapModel &map) {
  if (!map.isStale)
    return true;
  agent.fail(FaultKind::MissingProxyFence,
             "the tensor map has been edited and not published");
  return false;
}

/// The pixels of an im2col copy; none of a tiled one.
static bool walkPixels(Agent &agent, const TensorMapModel &map,
                       ArrayRef<int64_t> corner, ArrayRef<int64_t> offsets,
                       std::vector<TensorMapModel::Pixel> &pixels) {
  if (!map.isIm2col())
    return true;
  // The instruction has 16, 8 or 5 bits for each.
  int64_t most = map.box.size() == 3   ? 0xffff
                 : map.box.size() == 4 ? 0xff
                                       : 0x1f;
  for (int64_t offset : offsets)
    if ((offset & 0xffff) > most) {
      agent.fail(FaultKind::OutOfBounds,
                 "an im2col offset of " + std::to_string(offset & 0xffff) +
                     ", expected at most " + std::to_string(most));
      return false;
    }
  SmallVector<int64_t, 3> unsignedOffsets;
  for (int64_t offset : offsets)
    unsignedOffsets.push_back(offset & 0xffff);
  if (map.walk(corner, unsignedOffsets, pixels))
    return true;
  agent.fail(FaultKind::OutOfBounds,
             "an im2col copy begins outside of the tensor map's corners");
  return false;
}

/// The bytes of a tile that `map`'s boxes at `corner` fill.
static bool collect(Agent &agent, const TensorMapModel &map,
                    ArrayRef<int64_t> corner, ArrayRef<int64_t> offsets,
                    const SharedLayout &layout, int64_t base,
                    const Accessor &by, Pieces &pieces) {
  std::vector<TensorMapModel::Pixel> pixels;
  if (!walkPixels(agent, map, corner, offsets, pixels))
    return false;
  SmallVector<int64_t, 5> at(corner);
  int64_t bytes = layout.elementBytes();
  for (int64_t r = 0; r < layout.allRows(); ++r)
    for (int64_t c = 0; c < layout.cols; ++c) {
      at.back() = corner.back() + c / map.boxCols() * map.boxCols();
      int64_t from;
      if (map.isIm2col()) {
        pixels[r].back() = corner.back() + c;
        from = map.locate(pixels[r]);
      } else {
        from = map.locate(at, r, c % map.boxCols());
      }
      int64_t to = base + layout.offsetOfRow(r, c);
      if (from < 0) {
        pieces.push_back({nullptr, 0, to, bytes});
        continue;
      }
      if (!agent.touchGlobal(by, *map.buffer, from, bytes, false))
        return false;
      pieces.push_back({map.buffer, from, to, bytes});
    }
  return true;
}

static Step runTensorLoad(Agent &agent, const Instruction &op) {
  auto load = cast<TensorLoadOp>(op.op);
  const SharedLayout &layout = op.as<CopyPayload>().layout;
  const TensorMapModel &map = *agent.get<MapValue>(op.operands[0]).model;
  auto corner = agent.integers(op.slotsOf(load.getCoordinates()));
  auto offsets = agent.integers(op.slotsOf(load.getIm2colOffsets()));
  unsigned next = 1 + unsigned(corner.size() + offsets.size());
  auto shared = agent.get<SharedValue>(op.operands[next]);
  uint32_t barrier = fullBarrier(agent, agent.frame[op.operands[next + 1]]);
  if (!checkPublished(agent, map) || !checkBase(agent, layout, shared.base))
    return Step::Failed;
  Accessor by = arriving(agent, agent.cta.mbarriers[barrier]);
  Pieces pieces;
  if (!collect(agent, map, corner, offsets, layout, shared.base, by, pieces))
    return Step::Failed;
  uint64_t mask = uint64_t(1) << agent.cta.rank;
  if (load.getMulticast())
    mask = uint16_t(agent.integer(op.operands[next + 2]));
  const int64_t *cluster = agent.world.program.cluster;
  if (mask >> (cluster[0] * cluster[1] * cluster[2]))
    return agent.fail(FaultKind::OutOfBounds,
                      "a multicast mask beyond the cluster");
  int64_t bytes = layout.allRows() * layout.cols * layout.elementBytes();
  return issue(agent, op.op, std::move(pieces), shared.allocation, barrier,
               mask, bytes);
}

static Step runBulkLoad(Agent &agent, const Instruction &op) {
  const SharedLayout &layout = op.as<CopyPayload>().layout;
  const auto &pointer = agent.get<PointerValue>(op.operands[0]);
  auto load = cast<BulkLoadOp>(op.op);
  Format format = *formatOf(load.getFrom().getType().getElementType());
  int64_t from =
      pointer.offset + agent.integer(op.operands[1]) * bytesOf(format);
  int64_t size = agent.integer(op.operands[2]);
  auto shared = agent.get<SharedValue>(op.operands[3]);
  uint32_t barrier = fullBarrier(agent, agent.frame[op.operands[4]]);
  if (size < 0 || size > layout.bytes())
    return agent.fail(FaultKind::OutOfBounds,
                      "a copy of " + std::to_string(size) +
                          " bytes to a tile of " +
                          std::to_string(layout.bytes()));
  if (size % 16 || from % 16 || shared.base % 16)
    return agent.fail(FaultKind::OutOfBounds,
                      "a bulk copy whose size or ends are no multiples of 16");
  Accessor by = arriving(agent, agent.cta.mbarriers[barrier]);
  if (size > 0 && !agent.touchGlobal(by, *pointer.buffer, from, size, false))
    return Step::Failed;
  Pieces pieces;
  if (size > 0)
    pieces.push_back({pointer.buffer, from, shared.base, size});
  return issue(agent, op.op, std::move(pieces), shared.allocation, barrier,
               uint64_t(1) << agent.cta.rank, size);
}

//===----------------------------------------------------------------------===//
// Binding
//===----------------------------------------------------------------------===//

static void setLayout(SharedType type, Instruction &to) {
  auto payload = std::make_shared<CopyPayload>();
  payload->layout = layoutOf(type);
  to.payload = std::move(payload);
}

void opgraph::tile::interp::checkBox(Operation *op, TensorMapType map,
                                     const SharedLayout &layout,
                                     Compiler &compiler) {
  ArrayRef<int64_t> box = map.getBox();
  int64_t rows = 1;
  for (int64_t extent : box.drop_back())
    rows *= extent;
  if (rows != layout.allRows() || layout.cols % box.back() != 0 ||
      layout.pad != 0)
    compiler.refuse(op, "a tile that is no row of boxes");
  else if (layout.cols != box.back() &&
           (layout.allRows() != layout.rows ||
            box.back() * layout.elementBytes() != layout.span))
    compiler.refuse(op, "boxes that are no planes of the tile");
}

bool opgraph::tile::interp::bindCopies(Operation *op, Instruction &to,
                                       Compiler &compiler) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](CpAsyncOp copy) {
        setLayout(copy.getTo().getType(), to);
        to.handler = runCpAsync;
        return true;
      })
      .Case([&](TensorLoadOp load) {
        setLayout(load.getTo().getType(), to);
        checkBox(op, load.getMap().getType(), to.as<CopyPayload>().layout,
                 compiler);
        to.handler = runTensorLoad;
        return true;
      })
      .Case([&](BulkLoadOp load) {
        setLayout(load.getTo().getType(), to);
        to.handler = runBulkLoad;
        return true;
      })
      .Case([&](CpCommitOp) {
        to.handler = runCpCommit;
        return true;
      })
      .Case([&](CpWaitOp) {
        to.handler = runCpWait;
        return true;
      })
      .Default([](Operation *) { return false; });
}
