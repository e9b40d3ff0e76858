//===- LayoutLoops.cpp - The judge's layout ops ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Layout.h"
#include "dialects/Graph/Storage.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/Legalize/Host/Reference/Loops.h"

using namespace mlir;
using namespace opgraph::graph;
using namespace opgraph::legalize;

using Indices = LoopEmitter::Indices;

/// Copies one element without converting it; a bool becomes 0 or 1.
static void copyElement(LoopEmitter &e, Value from, ValueRange fromIndices,
                        Value to, ValueRange toIndices) {
  if (LoopEmitter::elementTypeOf(from).isInteger(1))
    return e.store(e.load(from, fromIndices, e.b.getI64Type()), to, toIndices);
  e.storeStored(e.loadStored(from, fromIndices), to, toIndices);
}

/// The number of the element at `indices` when `value` is walked with the
/// first axis of `order` slowest.
static Value linearize(LoopEmitter &e, Value value, ArrayRef<int64_t> order,
                       ValueRange indices) {
  Value number = e.index(0);
  for (int64_t axis : order) {
    Value scaled = e.make<arith::MulIOp>(number, e.extent(value, axis));
    number = e.make<arith::AddIOp>(scaled, indices[axis]);
  }
  return number;
}

/// The inverse of linearize.
static Indices delinearize(LoopEmitter &e, Value value, ArrayRef<int64_t> order,
                           Value number) {
  if (order.empty())
    return {};
  Indices indices(order.size());
  for (int64_t axis : llvm::reverse(order.drop_front())) {
    Value extent = e.extent(value, axis);
    indices[axis] = e.make<arith::RemUIOp>(number, extent);
    number = e.make<arith::DivUIOp>(number, extent);
  }
  indices[order.front()] = number;
  return indices;
}

void opgraph::legalize::emitLoops(LoopEmitter &e, ReshapeOp op) {
  Value x = op.getInput(), y = op.getY();
  // VIEW_ONLY keeps the place in memory of the declared layouts, LOGICAL the
  // row-major number. Either way the strides of bound buffers play no part.
  auto getOrder = [&](Value value) {
    return op.getReshapeMode() == ReshapeMode::VIEW_ONLY
               ? getMemoryOrder(LoopEmitter::typeOf(value))
               : rowMajorOrder(LoopEmitter::rankOf(value));
  };
  Dims xOrder = getOrder(x), yOrder = getOrder(y);
  e.forEach(e.extents(y), [&](ValueRange indices) {
    Value number = linearize(e, y, yOrder, indices);
    copyElement(e, x, delinearize(e, x, xOrder, number), y, indices);
  });
}

void opgraph::legalize::emitLoops(LoopEmitter &e, TransposeOp op) {
  Value x = op.getInput(), y = op.getY();
  e.forEach(e.extents(y), [&](ValueRange indices) {
    Indices source(indices.size());
    for (auto [to, from] : llvm::enumerate(op.getPermutation()))
      source[from] = indices[to];
    copyElement(e, x, source, y, indices);
  });
}

void opgraph::legalize::emitLoops(LoopEmitter &e, SliceOp op) {
  Value x = op.getInput(), y = op.getY();
  e.forEach(e.extents(y), [&](ValueRange indices) {
    Indices source;
    for (auto [position, start, step] :
         llvm::zip_equal(indices, op.getStart(), op.getStep())) {
      Value scaled = e.make<arith::MulIOp>(position, e.index(step));
      source.push_back(e.make<arith::AddIOp>(scaled, e.index(start)));
    }
    copyElement(e, x, source, y, indices);
  });
}

void opgraph::legalize::emitLoops(LoopEmitter &e, ConcatenateOp op) {
  Value y = op.getY();
  int64_t axis = op.getAxis();
  Value offset = e.index(0);
  for (Value x : op.getInputs()) {
    e.forEach(e.extents(x), [&](ValueRange indices) {
      Indices target(indices);
      target[axis] = e.make<arith::AddIOp>(indices[axis], offset);
      copyElement(e, x, indices, y, target);
    });
    offset = e.make<arith::AddIOp>(offset, e.extent(x, axis));
  }
}

Value opgraph::legalize::emitConstant(LoopEmitter &e, ConstantOp op) {
  if (auto number = dyn_cast<FloatAttr>(op.getValue()))
    return e.constant(getElementValue(number));
  auto integer = cast<IntegerAttr>(op.getValue());
  bool isUnsigned =
      integer.getType().isUnsignedInteger() || integer.getType().isInteger(1);
  return e.integer(isUnsigned ? integer.getValue().getZExtValue()
                              : integer.getValue().getSExtValue());
}

void opgraph::legalize::emitLoops(LoopEmitter &e, ConstantOp op) {
  Value wide = emitConstant(e, op);
  e.forEach(e.extents(op.getOut()),
            [&](ValueRange indices) { e.store(wide, op.getOut(), indices); });
}
