//===- ExecMaps.cpp - Tensor maps in memory -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "codegen/TileInterpreter/Compiler.h"
#include "codegen/TileInterpreter/Machine.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace opgraph::tile;
using namespace opgraph::tile::interp;

static constexpr int64_t mapBytes = 128;

static Step runPrefetch(Agent &, const Instruction &) { return Step::Next; }

/// Maps in memory are kept beside the bytes, by address.
static Step runCopyMap(Agent &agent, const Instruction &op) {
  const auto &from = agent.get<MapValue>(op.operands[0]);
  const auto &pointer = agent.get<PointerValue>(op.operands[1]);
  int64_t at = pointer.offset + mapBytes * agent.integer(op.operands[2]);
  if (at % mapBytes != 0)
    return agent.fail(FaultKind::OutOfBounds,
                      "a tensor map at byte " + std::to_string(at) +
                          ", expected a multiple of 128");
  if (!agent.touchGlobal(agent.elected(false), *pointer.buffer, at, mapBytes,
                         true))
    return Step::Failed;
  std::shared_ptr<TensorMapModel> &model =
      agent.world.maps[{pointer.buffer, at}];
  model = std::make_shared<TensorMapModel>(*from.model);
  model->isStale = true;
  agent.frame[op.results[0]] = MapValue{model};
  return Step::Next;
}

static Step runReplaceMap(Agent &agent, const Instruction &op) {
  auto replace = cast<ReplaceMapOp>(op.op);
  TensorMapModel &map = *agent.get<MapValue>(op.operands[0]).model;
  map.isStale = true;
  int64_t axis = replace.getAxis();
  if (replace.getField() == MapField::address) {
    const auto &pointer = agent.get<PointerValue>(op.operands[1]);
    map.buffer = pointer.buffer;
    map.offset = pointer.offset;
    return Step::Next;
  }
  if (axis < 0 || axis >= int64_t(map.extents.size()))
    return agent.fail(FaultKind::OutOfBounds,
                      "axis " + std::to_string(axis) + " of a map of rank " +
                          std::to_string(map.extents.size()));
  int64_t value = agent.integer(op.operands[1]);
  bool isStride = replace.getField() == MapField::stride;
  if (value < 0 || (isStride && value % 16 != 0))
    return agent.fail(FaultKind::OutOfBounds,
                      "a tensor map cannot hold " + std::to_string(value));
  (isStride ? map.strides : map.extents)[axis] = value;
  return Step::Next;
}

static Step runPublishMap(Agent &agent, const Instruction &op) {
  agent.get<MapValue>(op.operands[0]).model->isStale = false;
  agent.meetAll();
  return Step::Next;
}

bool opgraph::tile::interp::bindMaps(Operation *op, Instruction &to,
                                     Compiler &) {
  to.handler = llvm::TypeSwitch<Operation *, Handler>(op)
                   .Case([](PrefetchMapOp) { return runPrefetch; })
                   .Case([](CopyMapOp) { return runCopyMap; })
                   .Case([](ReplaceMapOp) { return runReplaceMap; })
                   .Case([](PublishMapOp) { return runPublishMap; })
                   .Default([](Operation *) { return nullptr; });
  return to.handler != nullptr;
}
