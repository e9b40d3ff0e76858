//===- EmitMap.cpp - tile.map, element by element -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "codegen/NVPTX/ScalarOps.h"
#include "codegen/NVPTX/TileParts.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::codegen;

namespace {

/// Runs the body of a map on the registers of a thread, two at a time where
/// the number of registers is even: pairs share instructions.
class MapEmitter {
public:
  MapEmitter(KernelEmitter &emitter, tile::MapOp op)
      : emitter(emitter), op(op), body(op.getBody().front()) {}

  LogicalResult run() {
    auto type = cast<tile::RegType>(op.getTiles().front().getType());
    threadTile = getThreadTile(emitter, type);
    for (Value input : op.getInputs())
      sources.push_back(getSources(cast<tile::RegType>(input.getType()), type));
    results.resize(op.getTiles().size());
    int64_t count = static_cast<int64_t>(threadTile.parts.size());
    int64_t step = count % 2 == 0 ? 2 : 1;
    for (int64_t first = 0; first < count; first += step)
      if (failed(emitRegisters(first, step)))
        return failure();
    for (auto [tile, values] : llvm::zip(op.getTiles(), results))
      emitter.set(tile, values);
    return success();
  }

private:
  using Lanes = std::array<Value, 2>;

  LogicalResult emitRegisters(int64_t first, int64_t count);
  LogicalResult emitOp(Operation &inner, int64_t first, int64_t count);
  Value lookup(Value value, int64_t lane) const {
    auto found = local.find(value);
    return found == local.end() ? emitter.scalar(value) : found->second[lane];
  }

  KernelEmitter &emitter;
  tile::MapOp op;
  Block &body;
  ThreadTile threadTile;
  /// By input: the register that each of the result's registers reads.
  SmallVector<SmallVector<int32_t>> sources;
  SmallVector<SmallVector<Value>> results;
  /// Values of the body, by lane of the pair.
  llvm::DenseMap<Value, Lanes> local;
};

} // namespace

LogicalResult MapEmitter::emitRegisters(int64_t first, int64_t count) {
  for (auto [index, argument] : llvm::enumerate(body.getArguments())) {
    ArrayRef<Value> input = emitter.get(op.getInputs()[index]);
    for (int64_t lane = 0; lane < count; ++lane)
      local[argument][lane] = input[sources[index][first + lane]];
  }
  for (Operation &inner : body.without_terminator())
    if (failed(emitOp(inner, first, count)))
      return failure();
  for (auto [index, yielded] :
       llvm::enumerate(body.getTerminator()->getOperands()))
    for (int64_t lane = 0; lane < count; ++lane)
      results[index].push_back(lookup(yielded, lane));
  return success();
}

LogicalResult MapEmitter::emitOp(Operation &inner, int64_t first,
                                 int64_t count) {
  if (auto coord = dyn_cast<tile::CoordOp>(inner)) {
    auto axis = static_cast<unsigned>(coord.getAxis());
    for (int64_t lane = 0; lane < count; ++lane)
      local[coord.getIndex()][lane] =
          emitter.add(threadTile.thread[axis],
                      emitter.i32(threadTile.parts[first + lane][axis]));
    return success();
  }
  std::array<SmallVector<Value>, 2> operands;
  for (int64_t lane = 0; lane < count; ++lane)
    for (Value operand : inner.getOperands())
      operands[lane].push_back(lookup(operand, lane));
  Lanes pair;
  if (count == 2 &&
      emitScalarPair(emitter, &inner, operands[0], operands[1], pair)) {
    local[inner.getResult(0)] = pair;
    return success();
  }
  for (int64_t lane = 0; lane < count; ++lane) {
    // What depends on no element is computed once.
    if (lane == 1 && operands[0] == operands[1]) {
      for (Value result : inner.getResults())
        local[result][1] = local[result][0];
      break;
    }
    SmallVector<Value> values;
    if (failed(emitScalarOp(emitter, &inner, operands[lane], values)))
      return failure();
    for (auto [result, value] : llvm::zip(inner.getResults(), values))
      local[result][lane] = value;
  }
  return success();
}

static LogicalResult emitMap(KernelEmitter &emitter, tile::MapOp op) {
  return MapEmitter(emitter, op).run();
}

void opgraph::codegen::addMapHandlers(Handlers &handlers) {
  handlers.add<tile::MapOp, emitMap>();
}
