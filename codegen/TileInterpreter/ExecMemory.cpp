//===- ExecMemory.cpp - Register tiles and global memory ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "codegen/TileInterpreter/ExecMemory.h"
#include "codegen/TileInterpreter/Compiler.h"
#include "codegen/TileInterpreter/Machine.h"

#include <limits>

using namespace mlir;
using namespace opgraph::tile;
using namespace opgraph::tile::interp;

namespace {
struct AccessPayload : Payload {
  Format format = Format::F32;
  int64_t rows = 1, cols = 1;
  std::shared_ptr<const OwnerTable> owners;
  /// Axes of the view that rows and columns run along.
  int64_t rowAxis = -1, colAxis = -1;
  double fill = 0;
};
} // namespace

bool opgraph::tile::interp::touchElement(Agent &agent, const OwnerTable &owners,
                                         int64_t row, int64_t col,
                                         const ViewValue &view, int64_t offset,
                                         bool isWrite) {
  OwnerPart owner = owners.at(row, col);
  int64_t bytes = bytesOf(view.format);
  if (isWrite && view.isReadonly) {
    agent.fail(FaultKind::Race, "'" + view.buffer->getName() +
                                    "' is written through a readonly view");
    return false;
  }
  for (int32_t copy : owners.warpCopies()) {
    int32_t warp = owner.warp + copy;
    if (!agent.isActive(warp))
      continue;
    // Of copies, one holder writes.
    uint8_t lane = !isWrite && owners.isLaneReplicated() ? Stamp::manyLanes
                                                         : uint8_t(owner.lane);
    if (!agent.touchGlobal(agent.ordinary(warp, lane), *view.buffer, offset,
                           bytes, isWrite))
      return false;
    if (isWrite)
      break;
  }
  return true;
}

bool opgraph::tile::interp::holdsElement(const Agent &agent,
                                         const OwnerTable &owners, int64_t row,
                                         int64_t col) {
  int32_t warp = owners.at(row, col).warp;
  return llvm::any_of(owners.warpCopies(), [&](int32_t copy) {
    return agent.isActive(warp + copy);
  });
}

std::optional<int64_t>
opgraph::tile::interp::locate(Agent &agent, const ViewValue &view,
                              ArrayRef<int64_t> coordinates) {
  int64_t element = 0;
  for (auto [axis, index] : llvm::enumerate(coordinates)) {
    if (index < 0 || index >= view.extents[axis]) {
      agent.fail(FaultKind::OutOfBounds,
                 "coordinate " + std::to_string(index) + " of axis " +
                     std::to_string(axis) + " of a view of '" +
                     view.buffer->getName() + "', whose extent is " +
                     std::to_string(view.extents[axis]));
      return std::nullopt;
    }
    element += index * view.strides[axis];
  }
  return view.offset + element * int64_t(bytesOf(view.format));
}

static double fillValue(std::optional<Fill> fill) {
  if (!fill)
    return 0;
  switch (*fill) {
  case Fill::zero:
    return 0;
  case Fill::one:
    return 1;
  case Fill::neg_inf:
    return -std::numeric_limits<double>::infinity();
  case Fill::pos_inf:
    return std::numeric_limits<double>::infinity();
  case Fill::nan:
    return std::numeric_limits<double>::quiet_NaN();
  }
  return 0;
}

/// What a masked-off integer reads as: infinities are the extreme numbers; a
/// bool has no sign.
static int64_t fillInteger(Format format, double fill) {
  unsigned bits = integerBits(format);
  uint64_t largest = ~uint64_t(0) >> (65 - bits);
  if ((format == Format::U8 || bits == 1) && std::isinf(fill))
    return fill > 0 ? wrapInteger(format, -1) : 0;
  if (std::isinf(fill))
    return fill > 0 ? int64_t(largest) : wrapInteger(format, ~largest);
  return std::isfinite(fill) ? int64_t(fill) : 0;
}

/// Formats without infinity, or without zero, read the number next to it.
static float fillFloat(Format format, double fill) {
  return format == Format::E5M2 ? float(fill) : float(roundTo(format, fill));
}

static void setFill(Numbers &tile, int64_t i, double fill) {
  if (tile.format == Format::F64)
    tile.doubles[i] = fill;
  else if (tile.isFloat())
    tile.floats[i] = fillFloat(tile.format, fill);
  else
    tile.integers[i] = fillInteger(tile.format, fill);
}

static bool isBelow(ArrayRef<int64_t> coordinates, ArrayRef<int64_t> limits) {
  for (auto [index, limit] : llvm::zip(coordinates, limits))
    if (index >= limit)
      return false;
  return true;
}

/// Visits each element that is below the limits, with its byte offset; false
/// from `visit` or a coordinate outside of the view ends the walk.
template <typename Visit, typename Skip>
static bool walk(Agent &agent, const AccessPayload &access,
                 const ViewValue &view, ArrayRef<int64_t> offsets,
                 ArrayRef<int64_t> limits, Visit visit, Skip skip) {
  SmallVector<int64_t, 4> at(offsets);
  for (int64_t r = 0, i = 0; r < access.rows; ++r) {
    for (int64_t c = 0; c < access.cols; ++c, ++i) {
      at.assign(offsets.begin(), offsets.end());
      if (access.rowAxis >= 0)
        at[access.rowAxis] += r;
      if (access.colAxis >= 0)
        at[access.colAxis] += c;
      if (!isBelow(at, limits)) {
        skip(i);
        continue;
      }
      if (!holdsElement(agent, *access.owners, r, c))
        continue;
      std::optional<int64_t> offset = locate(agent, view, at);
      if (!offset || !visit(r, c, i, *offset))
        return false;
    }
  }
  return true;
}

static Step runLoad(Agent &agent, const Instruction &op) {
  auto load = cast<LoadOp>(op.op);
  const auto &access = op.as<AccessPayload>();
  const auto &view = agent.get<ViewValue>(op.operands[0]);
  auto tile =
      std::make_shared<Numbers>(access.format, access.rows, access.cols);
  bool done = walk(
      agent, access, view, agent.integers(op.slotsOf(load.getOffsets())),
      agent.integers(op.slotsOf(load.getLimits())),
      [&](int64_t r, int64_t c, int64_t i, int64_t offset) {
        if (!touchElement(agent, *access.owners, r, c, view, offset, false))
          return false;
        tile->load(i, view.buffer->at(offset));
        return true;
      },
      [&](int64_t i) { setFill(*tile, i, access.fill); });
  if (!done)
    return Step::Failed;
  agent.frame[op.results[0]] = NumbersPtr(std::move(tile));
  return Step::Next;
}

static Step runStore(Agent &agent, const Instruction &op) {
  auto store = cast<StoreOp>(op.op);
  const auto &access = op.as<AccessPayload>();
  const Numbers &tile = agent.numbers(op.operands[0]);
  const auto &view = agent.get<ViewValue>(op.operands[1]);
  bool done = walk(
      agent, access, view, agent.integers(op.slotsOf(store.getOffsets())),
      agent.integers(op.slotsOf(store.getLimits())),
      [&](int64_t r, int64_t c, int64_t i, int64_t offset) {
        if (!touchElement(agent, *access.owners, r, c, view, offset, true))
          return false;
        tile.store(i, view.buffer->at(offset));
        return true;
      },
      [](int64_t) {});
  return done ? Step::Next : Step::Failed;
}

/// Rows and columns run along the view's last two axes, or those named. An
/// axis that the view lacks is of one element.
template <typename Access>
static std::shared_ptr<AccessPayload>
describe(Access op, RegType type, ViewType view, Compiler &compiler) {
  auto payload = std::make_shared<AccessPayload>();
  payload->format = *formatOf(type.getElementType());
  payload->rows = type.getRows();
  payload->cols = type.getCols();
  payload->owners = compiler.owners(type);
  auto rank = int64_t(view.getShape().size());
  payload->rowAxis = rank - 2;
  payload->colAxis = rank - 1;
  if (std::optional<ArrayRef<int32_t>> axes = op.getAxes()) {
    if (axes->size() != 2) {
      compiler.refuse(op, "expected two axes");
      return payload;
    }
    payload->rowAxis = (*axes)[0];
    payload->colAxis = (*axes)[1];
  }
  if (payload->rowAxis < 0 && payload->rows > 1)
    compiler.refuse(op, "rows of a view of rank 1");
  return payload;
}

bool opgraph::tile::interp::bindMemory(Operation *op, Instruction &to,
                                       Compiler &compiler) {
  if (auto load = dyn_cast<LoadOp>(op)) {
    auto payload = describe(load, load.getTile().getType(),
                            load.getView().getType(), compiler);
    payload->fill = fillValue(load.getFill());
    to.payload = std::move(payload);
    to.handler = runLoad;
    return true;
  }
  auto store = dyn_cast<StoreOp>(op);
  if (!store)
    return false;
  to.payload = describe(store, store.getTile().getType(),
                        store.getView().getType(), compiler);
  to.handler = runStore;
  return true;
}
