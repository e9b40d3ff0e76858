//===- EmitStructure.cpp - Control flow and indices of a kernel -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "codegen/NVPTX/KernelEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::codegen;

//===-- Control flow ------------------------------------------------------===//

static SmallVector<Value> flatten(KernelEmitter &emitter, ValueRange values) {
  SmallVector<Value> flat;
  for (Value value : values)
    llvm::append_range(flat, emitter.get(value));
  return flat;
}

static SmallVector<Type> flattenTypes(KernelEmitter &emitter, TypeRange types) {
  SmallVector<Type> flat;
  for (Type type : types)
    emitter.lowerType(type, flat);
  return flat;
}

/// Gives `values` their parts of `flat`, in order.
static void unflatten(KernelEmitter &emitter, ValueRange values,
                      ValueRange flat) {
  for (Value value : values) {
    SmallVector<Type> types;
    emitter.lowerType(value.getType(), types);
    emitter.set(value, flat.take_front(types.size()));
    flat = flat.drop_front(types.size());
  }
}

/// Emits the ops of `from` but its terminator at the end of `to`.
static LogicalResult emitBody(KernelEmitter &emitter, Block &from, Block *to) {
  emitter.b.setInsertionPointToEnd(to);
  for (Operation &op : from.without_terminator())
    if (failed(emitter.emit(&op)))
      return failure();
  return success();
}

static LogicalResult emitFor(KernelEmitter &emitter, scf::ForOp op) {
  ImplicitLocOpBuilder &b = emitter.b;
  auto loop = scf::ForOp::create(
      b, emitter.scalar(op.getLowerBound()), emitter.scalar(op.getUpperBound()),
      emitter.scalar(op.getStep()), flatten(emitter, op.getInitArgs()), nullptr,
      op.getUnsignedCmp());
  unflatten(emitter, op->getResults(), loop->getResults());
  emitter.set(op.getInductionVar(), loop.getInductionVar());
  unflatten(emitter, op.getRegionIterArgs(), loop.getRegionIterArgs());

  OpBuilder::InsertionGuard guard(b);
  Block *body = loop.getBody();
  body->clear();
  if (failed(emitBody(emitter, *op.getBody(), body)))
    return failure();
  scf::YieldOp::create(
      b, flatten(emitter, op.getBody()->getTerminator()->getOperands()));
  return success();
}

static LogicalResult emitIf(KernelEmitter &emitter, scf::IfOp op) {
  ImplicitLocOpBuilder &b = emitter.b;
  bool hasElse = !op.getElseRegion().empty();
  auto branch =
      scf::IfOp::create(b, flattenTypes(emitter, op->getResultTypes()),
                        emitter.scalar(op.getCondition()), true, hasElse);
  unflatten(emitter, op->getResults(), branch->getResults());

  OpBuilder::InsertionGuard guard(b);
  auto emitArm = [&](Block *from, Block *to) -> LogicalResult {
    to->clear();
    if (failed(emitBody(emitter, *from, to)))
      return failure();
    scf::YieldOp::create(
        b, flatten(emitter, from->getTerminator()->getOperands()));
    return success();
  };
  if (failed(emitArm(op.thenBlock(), branch.thenBlock())))
    return failure();
  return hasElse ? emitArm(op.elseBlock(), branch.elseBlock()) : success();
}

static LogicalResult emitWhile(KernelEmitter &emitter, scf::WhileOp op) {
  ImplicitLocOpBuilder &b = emitter.b;
  auto loop =
      scf::WhileOp::create(b, flattenTypes(emitter, op->getResultTypes()),
                           flatten(emitter, op.getInits()));
  unflatten(emitter, op->getResults(), loop->getResults());

  OpBuilder::InsertionGuard guard(b);
  auto open = [&](Block *from, Region &to) {
    SmallVector<Type> types = flattenTypes(emitter, from->getArgumentTypes());
    Block *block = b.createBlock(
        &to, to.end(), types, SmallVector<Location>(types.size(), op.getLoc()));
    unflatten(emitter, from->getArguments(), block->getArguments());
    return block;
  };
  Block *before = open(op.getBeforeBody(), loop.getBefore());
  if (failed(emitBody(emitter, *op.getBeforeBody(), before)))
    return failure();
  scf::ConditionOp condition = op.getConditionOp();
  scf::ConditionOp::create(b, emitter.scalar(condition.getCondition()),
                           flatten(emitter, condition.getArgs()));
  Block *after = open(op.getAfterBody(), loop.getAfter());
  if (failed(emitBody(emitter, *op.getAfterBody(), after)))
    return failure();
  scf::YieldOp::create(
      b, flatten(emitter, op.getAfterBody()->getTerminator()->getOperands()));
  return success();
}

//===-- Indices -----------------------------------------------------------===//

template <typename X, typename Y, typename Z>
static Value readRegister(KernelEmitter &emitter, tile::Dim dim) {
  Type type = emitter.b.getI32Type();
  switch (dim) {
  case tile::Dim::x:
    return X::create(emitter.b, type);
  case tile::Dim::y:
    return Y::create(emitter.b, type);
  case tile::Dim::z:
    return Z::create(emitter.b, type);
  }
  llvm_unreachable("all axes handled");
}

static LogicalResult emitBlockId(KernelEmitter &emitter, tile::BlockIdOp op) {
  emitter.set(
      op.getResult(),
      readRegister<NVVM::BlockIdXOp, NVVM::BlockIdYOp, NVVM::BlockIdZOp>(
          emitter, op.getDim()));
  return success();
}

static LogicalResult emitGridSize(KernelEmitter &emitter, tile::GridSizeOp op) {
  emitter.set(
      op.getResult(),
      readRegister<NVVM::GridDimXOp, NVVM::GridDimYOp, NVVM::GridDimZOp>(
          emitter, op.getDim()));
  return success();
}

static LogicalResult emitClusterId(KernelEmitter &emitter,
                                   tile::ClusterIdOp op) {
  emitter.set(op.getResult(),
              readRegister<NVVM::BlockInClusterIdXOp, NVVM::BlockInClusterIdYOp,
                           NVVM::BlockInClusterIdZOp>(emitter, op.getDim()));
  return success();
}

/// `group` rows of tiles go column by column; the last group may be smaller.
static LogicalResult emitRaster(KernelEmitter &emitter, tile::RasterOp op) {
  ImplicitLocOpBuilder &b = emitter.b;
  Value group = emitter.i32(op.getGroup());
  Value rows = emitter.scalar(op.getRowTiles());
  Value columns = emitter.scalar(op.getColTiles());
  Value number = emitter.scalar(op.getTile());
  Value perGroup = arith::MulIOp::create(b, columns, group);
  Value index = arith::DivUIOp::create(b, number, perGroup);
  Value inGroup = arith::SubIOp::create(
      b, number, arith::MulIOp::create(b, index, perGroup));
  Value firstRow = arith::MulIOp::create(b, index, group);
  Value height = arith::MinUIOp::create(
      b, group, arith::SubIOp::create(b, rows, firstRow));
  Value column = arith::DivUIOp::create(b, inGroup, height);
  Value row = arith::SubIOp::create(b, inGroup,
                                    arith::MulIOp::create(b, column, height));
  emitter.set(op.getRow(), arith::AddIOp::create(b, firstRow, row).getResult());
  emitter.set(op.getCol(), column);
  return success();
}

void opgraph::codegen::addStructureHandlers(Handlers &handlers) {
  handlers.add<scf::ForOp, emitFor>();
  handlers.add<scf::IfOp, emitIf>();
  handlers.add<scf::WhileOp, emitWhile>();
  handlers.add<tile::BlockIdOp, emitBlockId>();
  handlers.add<tile::GridSizeOp, emitGridSize>();
  handlers.add<tile::ClusterIdOp, emitClusterId>();
  handlers.add<tile::RasterOp, emitRaster>();
}
