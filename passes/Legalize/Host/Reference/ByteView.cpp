//===- ByteView.cpp - Operands that strides alone do not place ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Legalize/Host/Reference/ByteView.h"
#include "dialects/Graph/GraphDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;

namespace {
/// Arithmetic on integers of one type.
struct Integers {
  OpBuilder &b;
  Location loc;
  Type type;

  Value constant(int64_t value) {
    return arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, value));
  }
  Value add(Value l, Value r) { return arith::AddIOp::create(b, loc, l, r); }
  Value sub(Value l, Value r) { return arith::SubIOp::create(b, loc, l, r); }
  Value mul(Value l, Value r) { return arith::MulIOp::create(b, loc, l, r); }
  Value mul(Value l, int64_t r) { return mul(l, constant(r)); }
  Value div(Value l, int64_t r) {
    return arith::DivUIOp::create(b, loc, l, constant(r));
  }
  Value rem(Value l, int64_t r) {
    return arith::RemUIOp::create(b, loc, l, constant(r));
  }
  Value bitAnd(Value l, Value r) { return arith::AndIOp::create(b, loc, l, r); }
  Value bitAnd(Value l, int64_t r) { return bitAnd(l, constant(r)); }
  Value bitOr(Value l, Value r) { return arith::OrIOp::create(b, loc, l, r); }
  Value bitNot(Value v) {
    return arith::XOrIOp::create(b, loc, v, constant(-1));
  }
  Value shiftLeft(Value l, Value r) {
    return arith::ShLIOp::create(b, loc, l, r);
  }
  Value shiftRight(Value l, Value r) {
    return arith::ShRUIOp::create(b, loc, l, r);
  }
  Value signedShiftRight(Value l, Value r) {
    return arith::ShRSIOp::create(b, loc, l, r);
  }
};
} // namespace

static constexpr int64_t kHalfBits = 4;
static constexpr int64_t kHalfMask = 15;

bool ByteView::isNeeded(RankedTensorType type) {
  return graph::isPackedInHalves(type.getElementType()) ||
         graph::getReordering(type) == graph::Reordering::F8_128x4;
}

ByteView::ByteView(OpBuilder &b, Location loc, RankedTensorType type,
                   Value memref)
    : type(type) {
  auto metadata = memref::ExtractStridedMetadataOp::create(b, loc, memref);
  strides.append(metadata.getStrides().begin(), metadata.getStrides().end());
  // An element takes a byte at most.
  Integers e{b, loc, b.getIndexType()};
  Value size = e.constant(1);
  for (auto [extent, stride] : llvm::zip_equal(metadata.getSizes(), strides))
    size = e.add(size, e.mul(e.sub(extent, e.constant(1)), stride));
  auto bytesType = MemRefType::get({ShapedType::kDynamic}, b.getI8Type());
  bytes = memref::ReinterpretCastOp::create(
      b, loc, bytesType, metadata.getBaseBuffer(),
      OpFoldResult(b.getIndexAttr(0)), ArrayRef<OpFoldResult>{size},
      ArrayRef<OpFoldResult>{b.getIndexAttr(1)});
}

/// The sum of index times stride over the first `numAxes` axes.
Value ByteView::linearize(OpBuilder &b, Location loc, ValueRange indices,
                          size_t numAxes) const {
  Integers e{b, loc, b.getIndexType()};
  Value offset = e.constant(0);
  for (size_t axis = 0; axis < numAxes; ++axis)
    offset = e.add(offset, e.mul(indices[axis], strides[axis]));
  return offset;
}

/// The byte of a scale in its tile of 128 rows and 4 columns.
Value ByteView::locateScale(OpBuilder &b, Location loc,
                            ValueRange indices) const {
  Integers e{b, loc, b.getIndexType()};
  graph::ScaleAxes axes = graph::getScaleAxes(type);
  Value row = indices[axes.rowAxis], column = indices[axes.columnAxis];
  Value tile =
      e.add(e.mul(e.div(row, 128), axes.columns / 4), e.div(column, 4));
  Value quarter = e.rem(e.div(row, 32), 4);
  Value inTile = e.add(e.add(e.mul(e.rem(row, 32), 16), e.mul(quarter, 4)),
                       e.rem(column, 4));
  Value matrix = linearize(b, loc, indices, indices.size() - 2);
  return e.add(matrix, e.add(e.mul(tile, 512), inTile));
}

/// The byte of 4-bit element `number` and by how many bits it is shifted in it.
static std::pair<Value, Value> locateHalf(OpBuilder &b, Location loc,
                                          Value number) {
  Integers e{b, loc, b.getIndexType()};
  // Strides may be negative, so this rounds down.
  Value byte = e.signedShiftRight(number, e.constant(1));
  Value bits = e.mul(e.bitAnd(number, 1), kHalfBits);
  return {byte, arith::IndexCastOp::create(b, loc, b.getI8Type(), bits)};
}

Value ByteView::load(OpBuilder &b, Location loc, ValueRange indices) const {
  Type elementType = type.getElementType();
  if (!graph::isPackedInHalves(elementType))
    return memref::LoadOp::create(b, loc, bytes, locateScale(b, loc, indices));
  auto [byte, shift] =
      locateHalf(b, loc, linearize(b, loc, indices, indices.size()));
  Integers e{b, loc, b.getI8Type()};
  Value both = memref::LoadOp::create(b, loc, bytes, byte);
  Value half = e.bitAnd(e.shiftRight(both, shift), kHalfMask);
  if (isa<FloatType>(elementType))
    return half;
  Value four = e.constant(kHalfBits);
  return e.signedShiftRight(e.shiftLeft(half, four), four);
}

void ByteView::store(OpBuilder &b, Location loc, Value stored,
                     ValueRange indices) const {
  if (!graph::isPackedInHalves(type.getElementType())) {
    memref::StoreOp::create(b, loc, stored, bytes,
                            locateScale(b, loc, indices));
    return;
  }
  auto [byte, shift] =
      locateHalf(b, loc, linearize(b, loc, indices, indices.size()));
  Integers e{b, loc, b.getI8Type()};
  Value both = memref::LoadOp::create(b, loc, bytes, byte);
  Value kept =
      e.bitAnd(both, e.bitNot(e.shiftLeft(e.constant(kHalfMask), shift)));
  Value half = e.shiftLeft(e.bitAnd(stored, kHalfMask), shift);
  memref::StoreOp::create(b, loc, e.bitOr(kept, half), bytes, byte);
}
