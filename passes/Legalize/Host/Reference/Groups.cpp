//===- Groups.cpp - Rows that offsets cut into groups ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Legalize/Host/Reference/Groups.h"
#include "dialects/Graph/GroupOffset.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace opgraph::legalize;

using Indices = LoopEmitter::Indices;
using Predicate = arith::CmpIPredicate;

Value RowRange::contains(LoopEmitter &e, Value row) const {
  Value end = e.make<arith::AddIOp>(begin, length);
  return e.make<arith::AndIOp>(
      e.make<arith::CmpIOp>(Predicate::sge, row, begin),
      e.make<arith::CmpIOp>(Predicate::slt, row, end));
}

Value Groups::loadBound(Value number) const {
  Indices indices(LoopEmitter::rankOf(offsets), e.index(0));
  if (auto axis = graph::getOffsetAxis(LoopEmitter::typeOf(offsets)))
    indices[*axis] = number;
  return e.loadClamped(offsets, indices, rows);
}

RowRange Groups::get(Value group) const {
  Value begin = loadBound(group);
  Value next = e.make<arith::AddIOp>(group, e.index(1));
  Value end;
  if (hasEnd) {
    end = loadBound(next);
  } else {
    Value isLast = e.make<arith::CmpIOp>(Predicate::eq, next, e.index(count));
    end = e.make<arith::SelectOp>(
        isLast, rows, loadBound(e.make<arith::SelectOp>(isLast, group, next)));
  }
  Value length = e.make<arith::SubIOp>(end, begin);
  return {begin, e.make<arith::MaxSIOp>(length, e.index(0))};
}

Value Groups::emitOwners() const {
  auto type = MemRefType::get({ShapedType::kDynamic}, e.b.getI64Type());
  Value owners = e.make<memref::AllocOp>(type, ValueRange{rows});
  e.forEach({rows}, [&](ValueRange row) {
    memref::StoreOp::create(e.b, e.loc, e.integer(-1), owners, row);
  });
  e.forEach({getCount()}, [&](ValueRange group) {
    RowRange range = get(group[0]);
    Value owner = e.make<arith::IndexCastOp>(e.b.getI64Type(), group[0]);
    e.forEach({range.length}, [&](ValueRange position) {
      Value row = e.make<arith::AddIOp>(range.begin, position[0]);
      memref::StoreOp::create(e.b, e.loc, owner, owners, ValueRange{row});
    });
  });
  return owners;
}
