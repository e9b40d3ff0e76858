//===- ExecRegister.cpp - Maps and other names of register tiles ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "codegen/TileInterpreter/Compiler.h"
#include "codegen/TileInterpreter/ExecShared.h"
#include "codegen/TileInterpreter/Machine.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace opgraph::tile;
using namespace opgraph::tile::interp;

namespace {
struct TilePayload : Payload {
  Format format = Format::F32;
  int64_t rows = 1, cols = 1;
  std::shared_ptr<const OwnerTable> from, to;
  /// Of relabel: the source's element for each of the result's.
  std::vector<int64_t> sources;
  SharedLayout through;
};
struct MapPayload : Payload {
  std::shared_ptr<const RegionProgram> region;
  int64_t rows = 1, cols = 1;
};
} // namespace

//===----------------------------------------------------------------------===//
// Map
//===----------------------------------------------------------------------===//

NumbersPtr opgraph::tile::interp::broadcast(const NumbersPtr &tile,
                                            int64_t rows, int64_t cols) {
  if (tile->rows == rows && tile->cols == cols)
    return tile;
  auto whole = std::make_shared<Numbers>(tile->format, rows, cols);
  // One value for a run of elements: all of the axis, or a block of it.
  int64_t rowRun = rows / tile->rows, colRun = cols / tile->cols;
  for (int64_t r = 0, i = 0; r < rows; ++r)
    for (int64_t c = 0; c < cols; ++c, ++i)
      whole->copy(i, *tile, r / rowRun * tile->cols + c / colRun);
  return whole;
}

static Step runMap(Agent &agent, const Instruction &op) {
  const auto &map = op.as<MapPayload>();
  SmallVector<NumbersPtr> inputs;
  for (SlotIndex slot : op.operands)
    inputs.push_back(
        broadcast(agent.get<NumbersPtr>(slot), map.rows, map.cols));
  SmallVector<NumbersPtr> results =
      map.region->run(agent, inputs, map.rows, map.cols);
  for (auto [slot, result] : llvm::zip(op.results, results))
    agent.frame[slot] = std::move(result);
  return Step::Next;
}

static Step runSplat(Agent &agent, const Instruction &op) {
  const auto &tile = op.as<TilePayload>();
  agent.frame[op.results[0]] =
      broadcast(agent.get<NumbersPtr>(op.operands[0]), tile.rows, tile.cols);
  return Step::Next;
}

static Step runScalarOf(Agent &agent, const Instruction &op) {
  agent.frame[op.results[0]] = agent.frame[op.operands[0]];
  return Step::Next;
}

//===----------------------------------------------------------------------===//
// Other names
//===----------------------------------------------------------------------===//

static Step runExtract(Agent &agent, const Instruction &op) {
  const auto &part = op.as<TilePayload>();
  const Numbers &tile = agent.numbers(op.operands[0]);
  auto extract = cast<ExtractOp>(op.op);
  int64_t row = extract.getRow(), col = extract.getCol();
  auto result = std::make_shared<Numbers>(part.format, part.rows, part.cols);
  for (int64_t r = 0, i = 0; r < part.rows; ++r)
    for (int64_t c = 0; c < part.cols; ++c, ++i)
      result->copy(i, tile, (row + r) * tile.cols + col + c);
  agent.frame[op.results[0]] = NumbersPtr(std::move(result));
  return Step::Next;
}

static Step runRelabel(Agent &agent, const Instruction &op) {
  const auto &payload = op.as<TilePayload>();
  const Numbers &tile = agent.numbers(op.operands[0]);
  auto result =
      std::make_shared<Numbers>(payload.format, payload.rows, payload.cols);
  for (int64_t i = 0, e = result->count(); i < e; ++i)
    result->copy(i, tile, payload.sources[i]);
  agent.frame[op.results[0]] = NumbersPtr(std::move(result));
  return Step::Next;
}

static Step runUnpack(Agent &agent, const Instruction &op) {
  const auto &payload = op.as<TilePayload>();
  const Numbers &bytes = agent.numbers(op.operands[0]);
  auto halves =
      std::make_shared<Numbers>(payload.format, payload.rows, payload.cols);
  for (int64_t i = 0, e = bytes.count(); i < e; ++i) {
    int64_t both = bytes.integers[i];
    halves->integers[2 * i] = both & 15;
    halves->integers[2 * i + 1] = both >> 4 & 15;
  }
  agent.frame[op.results[0]] = NumbersPtr(std::move(halves));
  return Step::Next;
}

static Step runPack(Agent &agent, const Instruction &op) {
  const auto &payload = op.as<TilePayload>();
  const Numbers &halves = agent.numbers(op.operands[0]);
  auto bytes =
      std::make_shared<Numbers>(payload.format, payload.rows, payload.cols);
  for (int64_t i = 0, e = bytes->count(); i < e; ++i) {
    int64_t low = halves.integers[2 * i] & 15;
    int64_t high = halves.integers[2 * i + 1] & 15;
    bytes->integers[i] = wrapInteger(payload.format, low | high * 16);
  }
  agent.frame[op.results[0]] = NumbersPtr(std::move(bytes));
  return Step::Next;
}

static Step runConvert(Agent &agent, const Instruction &op) {
  const auto &payload = op.as<TilePayload>();
  const auto &shared = agent.get<SharedValue>(op.operands[1]);
  if (!touchTile(agent, *payload.from, payload.through, shared, payload.rows,
                 payload.cols, /*isTransposed=*/false, /*isWrite=*/true))
    return Step::Failed;
  agent.meetAll();
  agent.tick();
  if (!touchTile(agent, *payload.to, payload.through, shared, payload.rows,
                 payload.cols, /*isTransposed=*/false, /*isWrite=*/false))
    return Step::Failed;
  agent.frame[op.results[0]] = agent.frame[op.operands[0]];
  return Step::Next;
}

static Step runAny(Agent &agent, const Instruction &op) {
  const auto &payload = op.as<TilePayload>();
  const Numbers &tile = agent.numbers(op.operands[0]);
  WarpMask mask;
  for (int64_t r = 0, i = 0; r < tile.rows; ++r)
    for (int64_t c = 0; c < tile.cols; ++c, ++i)
      if (tile.at(i) != 0)
        for (int32_t copy : payload.from->warpCopies())
          mask.bits |= 1u << (payload.from->at(r, c).warp + copy);
  agent.frame[op.results[0]] = mask;
  return Step::Next;
}

//===----------------------------------------------------------------------===//
// Binding
//===----------------------------------------------------------------------===//

static std::shared_ptr<TilePayload> describe(RegType type) {
  auto payload = std::make_shared<TilePayload>();
  payload->format = *formatOf(type.getElementType());
  payload->rows = type.getRows();
  payload->cols = type.getCols();
  return payload;
}

/// Pairs elements that lie in the same register of the same thread, so that a
/// relabel that the layouts do not allow shows in the numbers.
static void pairByPlace(Operation *op, TilePayload &payload, RegType from,
                        RegType to, Compiler &compiler) {
  std::shared_ptr<const OwnerTable> source = compiler.owners(from);
  std::shared_ptr<const OwnerTable> target = compiler.owners(to);
  auto keyOf = [](const OwnerPart &part) {
    return int64_t(part.warp) << 40 | int64_t(part.lane) << 32 | part.reg;
  };
  DenseMap<int64_t, int64_t> elements;
  for (int64_t r = 0, i = 0; r < from.getRows(); ++r)
    for (int64_t c = 0; c < from.getCols(); ++c, ++i)
      elements[keyOf(source->at(r, c))] = i;
  for (int64_t r = 0; r < to.getRows(); ++r)
    for (int64_t c = 0; c < to.getCols(); ++c) {
      auto it = elements.find(keyOf(target->at(r, c)));
      if (it == elements.end())
        return compiler.refuse(op, "the distributions hold other registers");
      payload.sources.push_back(it->second);
    }
}

static bool bindMap(MapOp op, Instruction &to, Compiler &compiler) {
  auto payload = std::make_shared<MapPayload>();
  payload->region = compiler.region(op.getBody());
  for (Type type : op->getResultTypes()) {
    payload->rows = std::max(payload->rows, cast<RegType>(type).getRows());
    payload->cols = std::max(payload->cols, cast<RegType>(type).getCols());
  }
  for (Type type : op->getResultTypes()) {
    auto tile = cast<RegType>(type);
    if (tile.getRows() != payload->rows || tile.getCols() != payload->cols)
      compiler.refuse(op, "results of different shapes");
  }
  for (Type type : op->getOperandTypes()) {
    auto tile = cast<RegType>(type);
    if (payload->rows % tile.getRows() || payload->cols % tile.getCols())
      compiler.refuse(op, "an input that does not broadcast to the result");
  }
  to.payload = std::move(payload);
  to.handler = runMap;
  return true;
}

bool opgraph::tile::interp::bindRegister(Operation *op, Instruction &to,
                                         Compiler &compiler) {
  auto set = [&](Handler handler, std::shared_ptr<TilePayload> payload) {
    to.handler = handler;
    to.payload = std::move(payload);
    return true;
  };
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](MapOp map) { return bindMap(map, to, compiler); })
      .Case([&](SplatOp splat) {
        return set(runSplat, describe(splat.getTile().getType()));
      })
      .Case([&](ScalarOp) { return set(runScalarOf, nullptr); })
      .Case([&](ExtractOp extract) {
        return set(runExtract, describe(extract.getPart().getType()));
      })
      .Case([&](RelabelOp relabel) {
        auto payload = describe(relabel.getResult().getType());
        pairByPlace(op, *payload, relabel.getTile().getType(),
                    relabel.getResult().getType(), compiler);
        return set(runRelabel, std::move(payload));
      })
      .Case([&](UnpackOp unpack) {
        return set(runUnpack, describe(unpack.getResult().getType()));
      })
      .Case([&](PackOp pack) {
        return set(runPack, describe(pack.getResult().getType()));
      })
      .Case([&](ConvertOp convert) {
        auto payload = describe(convert.getResult().getType());
        payload->from = compiler.owners(convert.getTile().getType());
        payload->to = compiler.owners(convert.getResult().getType());
        payload->through = layoutOf(convert.getThrough().getType());
        return set(runConvert, std::move(payload));
      })
      .Case([&](AnyOp any) {
        auto payload = describe(any.getTile().getType());
        payload->from = compiler.owners(any.getTile().getType());
        return set(runAny, std::move(payload));
      })
      .Default([](Operation *) { return false; });
}
