//===- EmitReduce.cpp - Reductions of register tiles ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "codegen/NVPTX/Combines.h"
#include "codegen/NVPTX/Reducer.h"
#include "codegen/NVPTX/ScalarOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::codegen;

/// Tuples by register.
static SmallVector<Values> getTuples(KernelEmitter &emitter, ValueRange tiles) {
  SmallVector<Values> tuples;
  for (Value tile : tiles) {
    ArrayRef<Value> registers = emitter.get(tile);
    tuples.resize(registers.size());
    for (auto [tuple, value] : llvm::zip(tuples, registers))
      tuple.push_back(value);
  }
  return tuples;
}

static void setTuples(KernelEmitter &emitter, ValueRange tiles,
                      ArrayRef<Values> tuples) {
  for (auto [index, tile] : llvm::enumerate(tiles)) {
    SmallVector<Value> registers;
    for (const Values &tuple : tuples)
      registers.push_back(tuple[index]);
    emitter.set(tile, registers);
  }
}

/// The shared tile has a line for each element of the result and a word for
/// each warp that meets.
static LogicalResult verifyThrough(Operation *op, const Reducer &reducer,
                                   tile::RegType result, ValueRange through) {
  int64_t warps = reducer.countWarps();
  SmallVector<int64_t> shape = {result.getRows() * result.getCols(), warps};
  for (Value shared : through) {
    auto type = cast<tile::SharedType>(shared.getType());
    if (type.getShape() != ArrayRef(shape))
      return op->emitOpError("expected to go through ")
             << shape[0] << 'x' << shape[1] << " elements, got " << type;
  }
  return success();
}

static LogicalResult emitReduce(KernelEmitter &emitter, tile::ReduceOp op) {
  auto from = cast<tile::RegType>(op.getTile().getType());
  Type element = from.getElementType();
  tile::Combine kind = op.getCombine();
  auto combine = [&](const Values &lhs,
                     const Values &rhs) -> FailureOr<Values> {
    return Values{emitCombine(emitter, kind, element, lhs[0], rhs[0])};
  };
  SmallVector<Values> registers = getTuples(emitter, op.getTile());
  if (kind == tile::Combine::amax && !element.isUnsignedInteger())
    for (Values &tuple : registers)
      tuple[0] = isa<FloatType>(element)
                     ? Value(math::AbsFOp::create(emitter.b, tuple[0]))
                     : Value(math::AbsIOp::create(emitter.b, tuple[0]));
  Reducer reducer(emitter, from, cast<tile::RegType>(op.getResult().getType()),
                  op.getAxis(), op.getLevel(), op.getBlock().value_or(0),
                  combine, /*isOrdered=*/false);
  SmallVector<Value> through;
  if (op.getThrough())
    through.push_back(op.getThrough());
  if (failed(verifyThrough(
          op, reducer, cast<tile::RegType>(op.getResult().getType()), through)))
    return failure();
  auto tuples = reducer.run(registers, through, element);
  if (failed(tuples))
    return failure();
  setTuples(emitter, op.getResult(), *tuples);
  return success();
}

static LogicalResult emitReduceWith(KernelEmitter &emitter,
                                    tile::ReduceWithOp op) {
  Block &body = op.getBody().front();
  auto combine = [&](const Values &lhs,
                     const Values &rhs) -> FailureOr<Values> {
    Values both = lhs, yielded;
    llvm::append_range(both, rhs);
    if (failed(emitScalarBlock(emitter, body, both, yielded)))
      return failure();
    return yielded;
  };
  SmallVector<Type> elements;
  for (Value tile : op.getTiles())
    elements.push_back(cast<tile::RegType>(tile.getType()).getElementType());
  Reducer reducer(emitter, cast<tile::RegType>(op.getTiles().front().getType()),
                  cast<tile::RegType>(op.getResults().front().getType()),
                  op.getAxis(), op.getLevel(), /*block=*/0, combine,
                  /*isOrdered=*/true);
  if (failed(verifyThrough(
          op, reducer, cast<tile::RegType>(op.getResults().front().getType()),
          op.getThrough())))
    return failure();
  auto tuples =
      reducer.run(getTuples(emitter, op.getTiles()), op.getThrough(), elements);
  if (failed(tuples))
    return failure();
  setTuples(emitter, op.getResults(), *tuples);
  return success();
}

void opgraph::codegen::addReduceHandlers(Handlers &handlers) {
  handlers.add<tile::ReduceOp, emitReduce>();
  handlers.add<tile::ReduceWithOp, emitReduceWith>();
}
