//===- AttentionTensor.cpp - An attention tensor in memory ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Legalize/Host/Reference/AttentionTensor.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "passes/Legalize/Host/Scalar/Scalar.h"

using namespace mlir;
using namespace opgraph::graph;
using namespace opgraph::legalize;

//===----------------------------------------------------------------------===//
// AttentionTensor
//===----------------------------------------------------------------------===//

Value opgraph::legalize::emitListed(LoopEmitter &e, Value list, Value index) {
  auto load = [&](Value number) {
    SmallVector<Value> place(LoopEmitter::rankOf(list), e.index(0));
    place[0] = number;
    return e.load(list, place, e.b.getI64Type());
  };
  if (!LoopEmitter::typeOf(list).isDynamicDim(0))
    return load(index);
  // Nothing says that there is one number per batch, or any at all.
  Value count = e.extent(list, 0);
  Value last = e.make<arith::SubIOp>(count, e.index(1));
  Value number = e.make<arith::MinSIOp>(index, last);
  return e.reduce(ValueRange{e.make<arith::MinSIOp>(count, e.index(1))},
                  e.integer(0),
                  [&](ValueRange, Value) { return load(number); });
}

AttentionTensor::AttentionTensor(LoopEmitter &e, const Attention &attention,
                                 Value value, StringRef port)
    : e(e), value(value), ragged(getRaggedOffset(attention.op, port)) {
  // A temporary is ours, and dense.
  if (value && ragged && isa<BlockArgument>(e.getMemRef(value)))
    makeFlat(getTotalRows(attention, port));
}

/// Views the memory as one axis. Its extent is what the rows declared in total
/// take, else what as many batches of the declared extents take, whether packed
/// or at the declared batch stride.
void AttentionTensor::makeFlat(std::optional<int64_t> totalRows) {
  Value memref = e.getMemRef(value);
  auto metadata = memref::ExtractStridedMetadataOp::create(e.b, e.loc, memref);
  strides.assign(metadata.getStrides().begin(), metadata.getStrides().end());
  Value one = e.index(1), zero = e.index(0);
  // The span of one batch, and of its heads and columns alone where those are
  // further apart than rows are.
  Value span = one, across = zero;
  for (unsigned axis : {1u, 2u, 3u}) {
    Value last = e.make<arith::SubIOp>(e.extent(value, axis), one);
    Value reach = e.make<arith::MulIOp>(e.make<arith::MaxSIOp>(last, zero),
                                        strides[axis]);
    span = e.make<arith::AddIOp>(span, reach);
    Value isOuter = e.make<arith::CmpIOp>(arith::CmpIPredicate::sgt,
                                          strides[axis], strides[2]);
    across = e.make<arith::AddIOp>(
        across, e.make<arith::SelectOp>(isOuter, reach, zero));
  }
  // The stride of a sequence of one row says nothing.
  bool isOneRow = LoopEmitter::isOne(value, 2);
  Value step = isOneRow ? span : strides[2];
  if (isOneRow)
    across = zero;
  Value batches = e.extent(value, 0);
  Value lastBatch = e.make<arith::SubIOp>(batches, one);
  capacity =
      e.make<arith::AddIOp>(span, e.make<arith::MulIOp>(lastBatch, strides[0]));
  // An op that reads all of the declaration makes sure of no more than that.
  if (isRaggedEverywhere(value)) {
    if (totalRows)
      capacity = e.make<arith::AddIOp>(
          e.make<arith::MulIOp>(e.index(*totalRows), step), across);
    else
      capacity = e.make<arith::MaxSIOp>(e.make<arith::MulIOp>(batches, span),
                                        capacity);
  }
  capacity = e.make<arith::MaxSIOp>(capacity, one);
  Type elementType = cast<MemRefType>(memref.getType()).getElementType();
  auto layout = StridedLayoutAttr::get(e.b.getContext(), /*offset=*/0, {1});
  auto type = MemRefType::get({ShapedType::kDynamic}, elementType, layout);
  flat = memref::ReinterpretCastOp::create(
      e.b, e.loc, type, metadata.getBaseBuffer(),
      /*offset=*/OpFoldResult(e.b.getIndexAttr(0)),
      /*sizes=*/ArrayRef<OpFoldResult>{capacity},
      /*strides=*/ArrayRef<OpFoldResult>{e.b.getIndexAttr(1)});
}

/// offsets[batch] * multiplier + the strides' sum over the other axes.
Value AttentionTensor::emitFlatIndex(ValueRange position) {
  Value start = e.make<arith::IndexCastOp>(
      e.b.getIndexType(), emitListed(e, ragged.offsets, position[0]));
  Value number = e.make<arith::MulIOp>(start, e.index(ragged.multiplier));
  for (unsigned axis : {1u, 2u, 3u}) {
    if (LoopEmitter::isOne(value, axis))
      continue;
    Value step = e.make<arith::MulIOp>(position[axis], strides[axis]);
    number = e.make<arith::AddIOp>(number, step);
  }
  return number;
}

Value AttentionTensor::loadStored(ValueRange position) {
  if (!flat)
    return e.loadStored(value, position);
  Value last = e.make<arith::SubIOp>(capacity, e.index(1));
  Value number = e.make<arith::MinSIOp>(
      e.make<arith::MaxSIOp>(emitFlatIndex(position), e.index(0)), last);
  return e.make<memref::LoadOp>(flat, ValueRange{number});
}

Value AttentionTensor::load(ValueRange position, Type computeType) {
  return convertOperand(e.b, e.loc, loadStored(position),
                        LoopEmitter::elementTypeOf(value), computeType,
                        e.wideType(computeType));
}

void AttentionTensor::store(Value wide, ValueRange position, Value length) {
  if (!flat)
    return e.store(wide, value, position);
  Value number = emitFlatIndex(position);
  auto isBelow = [&](Value index, Value limit) {
    return e.make<arith::CmpIOp>(arith::CmpIPredicate::slt, index, limit);
  };
  Value isInside = e.make<arith::AndIOp>(
      e.make<arith::CmpIOp>(arith::CmpIPredicate::sge, number, e.index(0)),
      isBelow(number, capacity));
  Value isRow = e.make<arith::AndIOp>(isInside, isBelow(position[2], length));
  e.ifThen(isRow, [&] {
    Value stored =
        convertToStorage(e.b, e.loc, wide, LoopEmitter::elementTypeOf(value));
    memref::StoreOp::create(e.b, e.loc, stored, flat, ValueRange{number});
  });
}

//===----------------------------------------------------------------------===//
// AttentionCache
//===----------------------------------------------------------------------===//

AttentionCache::AttentionCache(LoopEmitter &e, const Attention &attention,
                               Value value, StringRef port, Value pageTable)
    : e(e), value(value),
      queryHeads(LoopEmitter::typeOf(attention.q).getDimSize(1)),
      tensor(e, attention, value, port) {
  if (pageTable)
    table.emplace(e, attention, pageTable, ("page_table_" + port).str());
}

Value AttentionCache::mapHead(Value queryHead) {
  int64_t own = LoopEmitter::typeOf(value).getDimSize(1);
  if (own == 1)
    return e.index(0);
  // Equal where they are symbols.
  if (own == queryHeads || own <= 0)
    return queryHead;
  return e.make<arith::DivUIOp>(queryHead, e.index(queryHeads / own));
}

std::pair<Value, Value> AttentionCache::locate(Value batch, Value row) {
  if (!table)
    return {batch, row};
  Value one = e.index(1), zero = e.index(0);
  Value block = e.make<arith::MaxSIOp>(e.extent(value, 2), one);
  Value pages = e.extent(table->getValue(), 2);
  Value page = e.make<arith::MinSIOp>(e.make<arith::DivUIOp>(row, block),
                                      e.make<arith::SubIOp>(pages, one));
  Value entry = e.make<arith::IndexCastOp>(
      e.b.getIndexType(),
      table->load({batch, zero, page, zero}, e.b.getI64Type()));
  Value last = e.make<arith::SubIOp>(e.extent(value, 0), one);
  Value number =
      e.make<arith::MinSIOp>(e.make<arith::MaxSIOp>(entry, zero), last);
  return {number, e.make<arith::RemUIOp>(row, block)};
}

Value AttentionCache::load(Value batch, Value head, Value row, Value column,
                           Type computeType) {
  auto [outer, inner] = locate(batch, row);
  return tensor.load({outer, head, inner, column}, computeType);
}

Value AttentionCache::emitCapacity() {
  if (!table)
    return {};
  Value zero = e.index(0);
  Value pages = e.extent(table->getValue(), 2);
  Value isEmpty =
      e.make<arith::CmpIOp>(arith::CmpIPredicate::eq, e.extent(value, 0), zero);
  Value positions = e.make<arith::MulIOp>(pages, e.extent(value, 2));
  return e.make<arith::SelectOp>(isEmpty, zero, positions);
}
