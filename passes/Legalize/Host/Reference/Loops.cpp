//===- Loops.cpp - What the judge's loop nests are made of ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Legalize/Host/Reference/Loops.h"
#include "dialects/Graph/Layout.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "passes/Legalize/Host/Scalar/Scalar.h"

using namespace mlir;
using namespace opgraph::legalize;

using Indices = LoopEmitter::Indices;

//===----------------------------------------------------------------------===//
// Graph values
//===----------------------------------------------------------------------===//

void LoopEmitter::bindOperand(Value value, Value memref) {
  bind(value, memref);
  if (ByteView::isNeeded(typeOf(value)))
    byteViews[value] = ByteView(b, loc, typeOf(value), memref);
}

void LoopEmitter::allocateResults(Operation *op) {
  for (OpResult result : op->getResults()) {
    if (memrefs.contains(result))
      continue;
    RankedTensorType type = typeOf(result);
    Indices dynamic;
    for (int64_t axis = 0; axis < type.getRank(); ++axis)
      if (type.isDynamicDim(axis))
        dynamic.push_back(extent(type, axis));
    auto memrefType =
        MemRefType::get(type.getShape(), getStorageType(type.getElementType()));
    bind(result, make<memref::AllocOp>(memrefType, dynamic));
  }
}

Value LoopEmitter::extent(RankedTensorType type, int64_t axis) {
  if (!type.isDynamicDim(axis))
    return index(type.getDimSize(axis));
  return symbols.lookup(graph::getSymbols(type)[axis]);
}

Indices LoopEmitter::extents(Value value) {
  Indices result;
  for (int64_t axis = 0; axis < rankOf(value); ++axis)
    result.push_back(extent(value, axis));
  return result;
}

Value LoopEmitter::loadStored(Value value, ValueRange indices) {
  int64_t rank = rankOf(value);
  ValueRange aligned = indices.take_back(rank);
  Indices position;
  for (int64_t axis = 0; axis < rank; ++axis)
    position.push_back(isOne(value, axis) ? index(0) : aligned[axis]);
  if (auto view = byteViews.find(value); view != byteViews.end())
    return view->second.load(b, loc, position);
  return make<memref::LoadOp>(getMemRef(value), position);
}

Value LoopEmitter::load(Value value, ValueRange indices, Type computeType) {
  return convertOperand(b, loc, loadStored(value, indices),
                        elementTypeOf(value), computeType,
                        wideType(computeType));
}

Value LoopEmitter::loadSingle(Value value, Type computeType) {
  return load(value, Indices(rankOf(value), index(0)), computeType);
}

Value LoopEmitter::loadClamped(Value value, ValueRange indices, Value limit) {
  Value stored = loadStored(value, indices);
  Value wide =
      convertFromStorage(b, loc, stored, elementTypeOf(value), b.getI64Type());
  Value position = make<arith::IndexCastOp>(b.getIndexType(), wide);
  Value atLeastZero = make<arith::MaxSIOp>(position, index(0));
  return make<arith::MinSIOp>(atLeastZero, limit);
}

void LoopEmitter::store(Value wide, Value value, ValueRange indices) {
  storeStored(convertToStorage(b, loc, wide, elementTypeOf(value)), value,
              indices);
}

void LoopEmitter::storeSingle(Value wide, Value value) {
  store(wide, value, Indices(rankOf(value), index(0)));
}

void LoopEmitter::storeStored(Value stored, Value value, ValueRange indices) {
  if (auto view = byteViews.find(value); view != byteViews.end())
    return view->second.store(b, loc, stored, indices);
  memref::StoreOp::create(b, loc, stored, getMemRef(value), indices);
}

Type LoopEmitter::wideType(Type computeType) {
  if (isa<FloatType>(computeType))
    return b.getF64Type();
  return b.getI64Type();
}

Value LoopEmitter::wrap(Value wide, Type computeType) {
  if (isa<FloatType>(computeType))
    return wide;
  return roundToType(b, loc, wide, computeType);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

Indices LoopEmitter::reduce(ValueRange bounds, ValueRange initial, Step step) {
  Indices indices;
  SmallVector<scf::ForOp> loops;
  ValueRange carried = initial;
  OpBuilder::InsertionGuard guard(b);
  for (Value bound : bounds) {
    auto loop = scf::ForOp::create(b, loc, index(0), bound, index(1), carried);
    b.setInsertionPointToStart(loop.getBody());
    indices.push_back(loop.getInductionVar());
    carried = loop.getRegionIterArgs();
    loops.push_back(loop);
  }
  Indices results = step(indices, carried);
  for (scf::ForOp loop : llvm::reverse(loops)) {
    // scf.for without results has its terminator already.
    if (!results.empty()) {
      b.setInsertionPointToEnd(loop.getBody());
      scf::YieldOp::create(b, loc, results);
    }
    results.assign(loop.getResults().begin(), loop.getResults().end());
  }
  return results;
}

Value LoopEmitter::reduce(ValueRange bounds, Value initial,
                          llvm::function_ref<Value(ValueRange, Value)> step) {
  return reduce(bounds, ValueRange{initial},
                [&](ValueRange indices, ValueRange accumulators) -> Indices {
                  return {step(indices, accumulators.front())};
                })
      .front();
}

void LoopEmitter::forEach(ValueRange bounds, Body body) {
  reduce(bounds, ValueRange{}, [&](ValueRange indices, ValueRange) -> Indices {
    body(indices);
    return {};
  });
}

void LoopEmitter::ifThen(Value condition, llvm::function_ref<void()> body) {
  auto branch = scf::IfOp::create(b, loc, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  body();
}

Value LoopEmitter::choose(Value condition, llvm::function_ref<Value()> body,
                          Value otherwise) {
  auto branch = scf::IfOp::create(b, loc, otherwise.getType(), condition,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(b, loc, body());
  b.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(b, loc, otherwise);
  return branch.getResult(0);
}

//===----------------------------------------------------------------------===//
// Shorthand
//===----------------------------------------------------------------------===//

Value LoopEmitter::index(int64_t value) {
  return make<arith::ConstantIndexOp>(value);
}

Value LoopEmitter::constant(double value) {
  return make<arith::ConstantOp>(b.getF64FloatAttr(value));
}

Value LoopEmitter::integer(int64_t value) {
  return make<arith::ConstantOp>(b.getI64IntegerAttr(value));
}

Value LoopEmitter::zero(Type computeType) {
  return isa<FloatType>(computeType) ? constant(0) : integer(0);
}

Value LoopEmitter::add(Value l, Value r) {
  return isa<FloatType>(l.getType()) ? make<arith::AddFOp>(l, r)
                                     : make<arith::AddIOp>(l, r);
}

Value LoopEmitter::multiply(Value l, Value r) {
  return isa<FloatType>(l.getType()) ? make<arith::MulFOp>(l, r)
                                     : make<arith::MulIOp>(l, r);
}
