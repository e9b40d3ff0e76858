//===- ExecStructure.cpp - Scalars, indices and descriptions --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "codegen/TileInterpreter/Compiler.h"
#include "codegen/TileInterpreter/Machine.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace opgraph::tile;
using namespace opgraph::tile::interp;

namespace {
struct ConstantPayload : Payload {
  NumbersPtr value;
};
struct ScalarPayload : Payload {
  ArrayFunction function;
  SmallVector<Format, 1> formats;
};
/// A value that is the same for each agent.
struct FixedPayload : Payload {
  int64_t base = 0;
  uint16_t allocation = 0;
  uint32_t index = 0;
};
struct ViewPayload : Payload {
  Format format = Format::F32;
  ViewType type;
};
} // namespace

static Step runConstant(Agent &agent, const Instruction &op) {
  agent.frame[op.results[0]] = op.as<ConstantPayload>().value;
  return Step::Next;
}

static Step runScalar(Agent &agent, const Instruction &op) {
  const auto &payload = op.as<ScalarPayload>();
  SmallVector<const Numbers *, 4> operands;
  SmallVector<Numbers *, 2> results;
  SmallVector<std::shared_ptr<Numbers>, 2> made;
  for (SlotIndex slot : op.operands) {
    if (std::holds_alternative<WarpMask>(agent.frame[slot]))
      return agent.fail(FaultKind::Unsupported,
                        "arithmetic on a condition that differs between warps");
    operands.push_back(&agent.numbers(slot));
  }
  for (Format format : payload.formats) {
    made.push_back(std::make_shared<Numbers>(format, 1, 1));
    results.push_back(made.back().get());
  }
  payload.function(operands, results);
  for (auto [slot, value] : llvm::zip(op.results, made))
    agent.frame[slot] = NumbersPtr(std::move(value));
  return Step::Next;
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

static Step giveIndex(Agent &agent, const Instruction &op, int64_t value) {
  agent.frame[op.results[0]] = makeInteger(Format::I32, value);
  return Step::Next;
}

static Step runBlockId(Agent &agent, const Instruction &op) {
  auto dim = cast<BlockIdOp>(op.op).getDim();
  return giveIndex(agent, op, agent.cta.id[unsigned(dim)]);
}

static Step runGridSize(Agent &agent, const Instruction &op) {
  auto dim = cast<GridSizeOp>(op.op).getDim();
  return giveIndex(agent, op, agent.world.grid[unsigned(dim)]);
}

static Step runClusterId(Agent &agent, const Instruction &op) {
  auto dim = cast<ClusterIdOp>(op.op).getDim();
  return giveIndex(agent, op, agent.cta.idInCluster[unsigned(dim)]);
}

/// Groups of `group` rows; within one, down its rows, then the next column.
static Step runRaster(Agent &agent, const Instruction &op) {
  int64_t tile = agent.integer(op.operands[0]);
  int64_t rows = agent.integer(op.operands[1]);
  int64_t cols = agent.integer(op.operands[2]);
  int64_t group = cast<RasterOp>(op.op).getGroup();
  if (rows <= 0 || cols <= 0 || tile < 0 || tile >= rows * cols)
    return agent.fail(FaultKind::OutOfBounds,
                      "tile " + std::to_string(tile) + " of " +
                          std::to_string(rows) + " x " + std::to_string(cols));
  int64_t firstRow = tile / (group * cols) * group;
  int64_t height = std::min(group, rows - firstRow);
  int64_t inGroup = tile - firstRow * cols;
  agent.frame[op.results[0]] =
      makeInteger(Format::I32, firstRow + inGroup % height);
  agent.frame[op.results[1]] = makeInteger(Format::I32, inGroup / height);
  return Step::Next;
}

//===----------------------------------------------------------------------===//
// Descriptions of memory
//===----------------------------------------------------------------------===//

static Step runSharedTile(Agent &agent, const Instruction &op) {
  const auto &tile = op.as<FixedPayload>();
  agent.frame[op.results[0]] =
      SharedValue{agent.cta.rank, tile.base, tile.allocation};
  return Step::Next;
}

static Step runResource(Agent &agent, const Instruction &op) {
  agent.frame[op.results[0]] = ResourceValue{op.as<FixedPayload>().index};
  return Step::Next;
}

/// Reads the values of a list that is partly static; a run-time value must be
/// a multiple of what the type says.
static bool resolve(Agent &agent, ArrayRef<int64_t> fixed,
                    ArrayRef<int64_t> divisors, ArrayRef<SlotIndex> given,
                    const char *what, SmallVectorImpl<int64_t> &values) {
  size_t next = 0;
  for (auto [axis, value] : llvm::enumerate(fixed)) {
    if (!ShapedType::isDynamic(value)) {
      values.push_back(value);
      continue;
    }
    int64_t found = agent.integer(given[next++]);
    int64_t divisor =
        axis < divisors.size() && divisors[axis] > 0 ? divisors[axis] : 1;
    if (found < 0 || found % divisor != 0) {
      agent.fail(FaultKind::OutOfBounds,
                 std::string(what) + " of axis " + std::to_string(axis) +
                     " is " + std::to_string(found) +
                     ", expected a multiple of " + std::to_string(divisor));
      return false;
    }
    values.push_back(found);
  }
  return true;
}

static Step runView(Agent &agent, const Instruction &op) {
  auto make = cast<MakeViewOp>(op.op);
  const auto &payload = op.as<ViewPayload>();
  const auto &pointer = agent.get<PointerValue>(op.operands[0]);
  ViewValue view;
  view.buffer = pointer.buffer;
  view.offset = pointer.offset;
  view.format = payload.format;
  view.isReadonly = payload.type.getReadonly();
  if (make.getOffset())
    view.offset += agent.integer(op.operands[1]) * bytesOf(view.format);
  auto sizes = op.slotsOf(make.getSizes());
  auto strides = op.slotsOf(make.getStrides());
  if (!resolve(agent, payload.type.getShape(), payload.type.getExtentDivisors(),
               sizes, "the extent", view.extents) ||
      !resolve(agent, payload.type.getStrides(),
               payload.type.getStrideDivisors(), strides, "the stride",
               view.strides))
    return Step::Failed;
  int64_t align = payload.type.getAlign();
  if (view.offset % align != 0)
    return agent.fail(FaultKind::OutOfBounds,
                      "the view begins at byte " + std::to_string(view.offset) +
                          ", expected a multiple of " + std::to_string(align));
  agent.frame[op.results[0]] = std::move(view);
  return Step::Next;
}

template <typename Make>
static void setIndex(Make op, Instruction &to, Compiler &compiler) {
  auto payload = std::make_shared<FixedPayload>();
  payload->index = compiler.indexOf(op);
  to.payload = std::move(payload);
  to.handler = runResource;
}

/// Constants and other operations of arith and math.
static bool bindArithmetic(Operation *op, Instruction &to, Compiler &compiler) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto payload = std::make_shared<ConstantPayload>();
    payload->value = getConstant(constant.getValue());
    if (!payload->value)
      compiler.refuse(op, "a constant that is no number");
    to.payload = std::move(payload);
    to.handler = runConstant;
    return true;
  }
  ArrayFunction function = getArrayFunction(op);
  if (!function)
    return false;
  auto payload = std::make_shared<ScalarPayload>();
  payload->function = std::move(function);
  for (Type type : op->getResultTypes())
    payload->formats.push_back(*formatOf(type));
  to.payload = std::move(payload);
  to.handler = runScalar;
  return true;
}

bool opgraph::tile::interp::bindStructure(Operation *op, Instruction &to,
                                          Compiler &compiler) {
  if (bindArithmetic(op, to, compiler))
    return true;
  auto handler =
      llvm::TypeSwitch<Operation *, Handler>(op)
          .Case([](BlockIdOp) { return runBlockId; })
          .Case([](GridSizeOp) { return runGridSize; })
          .Case([](ClusterIdOp) { return runClusterId; })
          .Case([](RasterOp) { return runRaster; })
          .Case([&](MakeViewOp view) {
            auto payload = std::make_shared<ViewPayload>();
            payload->type = view.getView().getType();
            payload->format =
                formatOf(payload->type.getElementType()).value_or(Format::I8);
            to.payload = std::move(payload);
            return runView;
          })
          .Case([&](AllocSharedOp shared) {
            auto payload = std::make_shared<FixedPayload>();
            payload->base = compiler.baseOf(op);
            payload->allocation = compiler.allocationOf(op);
            to.payload = std::move(payload);
            return runSharedTile;
          })
          .Case<MakeRingOp, MakeSemaphoreOp, MakeBarrierOp>([&](auto make) {
            setIndex(make, to, compiler);
            return runResource;
          })
          .Default([](Operation *) { return nullptr; });
  if (handler)
    to.handler = handler;
  return handler != nullptr;
}
