//===- EmitRegister.cpp - Register tiles without arithmetic ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "codegen/NVPTX/SharedAccess.h"
#include "codegen/NVPTX/TileParts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::codegen;

static LogicalResult emitSplat(KernelEmitter &emitter, tile::SplatOp op) {
  auto type = cast<tile::RegType>(op.getTile().getType());
  SmallVector<Type> types;
  emitter.lowerType(type, types);
  emitter.set(op.getTile(),
              SmallVector<Value>(types.size(), emitter.scalar(op.getValue())));
  return success();
}

/// The registers of `part` are those of `whole` at an offset.
static void setSlice(KernelEmitter &emitter, Value whole, Value part,
                     int64_t row, int64_t col) {
  SmallVector<Value> registers(emitter.get(whole)), chosen;
  for (int32_t source : getSlice(cast<tile::RegType>(whole.getType()),
                                 cast<tile::RegType>(part.getType()), row, col))
    chosen.push_back(registers[source]);
  emitter.set(part, chosen);
}

static LogicalResult emitExtract(KernelEmitter &emitter, tile::ExtractOp op) {
  setSlice(emitter, op.getTile(), op.getPart(), op.getRow(), op.getCol());
  return success();
}

static LogicalResult emitRelabel(KernelEmitter &emitter, tile::RelabelOp op) {
  setSlice(emitter, op.getTile(), op.getResult(), 0, 0);
  return success();
}

static LogicalResult emitUnpack(KernelEmitter &emitter, tile::UnpackOp op) {
  ImplicitLocOpBuilder &b = emitter.b;
  Value low = arith::ConstantOp::create(b, b.getI8IntegerAttr(15));
  Value four = arith::ConstantOp::create(b, b.getI8IntegerAttr(4));
  SmallVector<Value> halves;
  for (Value both : emitter.get(op.getTile())) {
    halves.push_back(arith::AndIOp::create(b, both, low));
    halves.push_back(arith::ShRUIOp::create(b, both, four));
  }
  emitter.set(op.getResult(), halves);
  return success();
}

static LogicalResult emitPack(KernelEmitter &emitter, tile::PackOp op) {
  ImplicitLocOpBuilder &b = emitter.b;
  Value mask = arith::ConstantOp::create(b, b.getI8IntegerAttr(15));
  Value four = arith::ConstantOp::create(b, b.getI8IntegerAttr(4));
  SmallVector<Value> halves(emitter.get(op.getTile())), bytes;
  for (size_t at = 0; at < halves.size(); at += 2) {
    Value low = arith::AndIOp::create(b, halves[at], mask);
    Value high = arith::ShLIOp::create(b, halves[at + 1], four);
    bytes.push_back(arith::OrIOp::create(b, low, high));
  }
  emitter.set(op.getResult(), bytes);
  return success();
}

static LogicalResult emitConvert(KernelEmitter &emitter, tile::ConvertOp op) {
  auto from = cast<tile::RegType>(op.getTile().getType());
  auto to = cast<tile::RegType>(op.getResult().getType());
  SmallVector<Value> registers(emitter.get(op.getTile()));
  storeSharedPlain(emitter, from, registers, op.getThrough(),
                   /*transposed=*/false);
  emitter.syncGroup();
  emitter.set(op.getResult(), loadSharedPlain(emitter, to, op.getThrough(),
                                              /*transposed=*/false));
  return success();
}

static LogicalResult emitScalar(KernelEmitter &emitter, tile::ScalarOp op) {
  emitter.set(op.getValue(), emitter.scalar(op.getTile()));
  return success();
}

static LogicalResult emitAny(KernelEmitter &emitter, tile::AnyOp op) {
  ImplicitLocOpBuilder &b = emitter.b;
  ArrayRef<Value> registers = emitter.get(op.getTile());
  Value any = registers.front();
  for (Value other : registers.drop_front())
    any = arith::OrIOp::create(b, any, other);
  Value vote = NVVM::VoteSyncOp::create(b, b.getI1Type(), emitter.i32(-1), any,
                                        NVVM::VoteSyncKind::any);
  emitter.set(op.getAny(), vote);
  return success();
}

void opgraph::codegen::addRegisterHandlers(Handlers &handlers) {
  handlers.add<tile::SplatOp, emitSplat>();
  handlers.add<tile::ExtractOp, emitExtract>();
  handlers.add<tile::RelabelOp, emitRelabel>();
  handlers.add<tile::UnpackOp, emitUnpack>();
  handlers.add<tile::PackOp, emitPack>();
  handlers.add<tile::ConvertOp, emitConvert>();
  handlers.add<tile::ScalarOp, emitScalar>();
  handlers.add<tile::AnyOp, emitAny>();
}
