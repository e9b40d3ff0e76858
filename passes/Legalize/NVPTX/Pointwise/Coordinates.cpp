//===- Coordinates.cpp - Where an element of a row kernel is --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Coordinates of gathered elements, and coordinates and numbers inside the
// bodies of maps: what gen_index and rng compute from.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Layout.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/Legalize/NVPTX/Pointwise/RowKernel.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;
using namespace opgraph::legalize::nvptx;

static Value add(OpBuilder &builder, Value a, Value b) {
  return arith::AddIOp::create(builder, a.getLoc(), a, b);
}

static Value widen(OpBuilder &builder, Value value) {
  return arith::ExtUIOp::create(builder, value.getLoc(), builder.getI64Type(),
                                value);
}

/// The element's row or column within the tile.
static Value emitWithin(OpBuilder &builder, Location loc, unsigned axis) {
  return tile::CoordOp::create(builder, loc, static_cast<tile::Axis>(axis));
}

/// (row, column) of the tile to coordinates of a gathered view.
void RowKernel::emitCoordinates(Region &region, bool isTall) {
  OpBuilder::InsertionGuard guard(b);
  Block &block = region.emplaceBlock();
  block.addArguments({b.getI32Type(), b.getI32Type()},
                     {b.getLoc(), b.getLoc()});
  b.setInsertionPointToStart(&block);
  Value rest = arith::AddIOp::create(b, block.getArgument(1), column);
  Value isInside =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ult, rest, numColumns);
  SmallVector<Value> results(space.columns.size());
  for (size_t axis = space.columns.size(); axis-- > 0;) {
    if (axis == 0) {
      results[axis] = rest;
      break;
    }
    results[axis] = arith::RemUIOp::create(b, rest, columnExtents[axis]);
    rest = arith::DivUIOp::create(b, rest, columnExtents[axis]);
  }
  if (isTall) {
    Value at = arith::AddIOp::create(b, block.getArgument(0), row);
    results.insert(results.begin(), at);
    isInside = arith::AndIOp::create(
        b, isInside,
        arith::CmpIOp::create(b, arith::CmpIPredicate::ult, at, numRows));
  }
  results.push_back(isInside);
  tile::YieldOp::create(b, results);
}

/// The coordinate along one of the space's axes.
Value RowKernel::emitAlong(OpBuilder &builder, bool isRow, unsigned number) {
  Location loc = b.getLoc();
  if (isRow) {
    bool isTiledAxis = space.isTiled && number + 1 == space.rows.size();
    if (space.dividesRows() && !isTiledAxis)
      return rowCoordinates[number];
    return space.tileRows * space.tileColumns == 1
               ? row
               : add(builder, row, emitWithin(builder, loc, getRowAxis()));
  }
  Value rest = add(builder, column, emitWithin(builder, loc, getColumnAxis()));
  if (!space.dividesColumns())
    return rest;
  for (size_t axis = space.columns.size() - 1; axis > number; --axis)
    rest = arith::DivUIOp::create(builder, loc, rest, columnExtents[axis]);
  return number == 0
             ? rest
             : arith::RemUIOp::create(builder, loc, rest, columnExtents[number])
                   .getResult();
}

/// The coordinate along an axis of the kernel's shape, as an i32.
Value RowKernel::emitCoordinate(OpBuilder &builder, unsigned axis) {
  Location loc = b.getLoc();
  for (bool isRow : {true, false})
    for (auto [number, merged] :
         llvm::enumerate(isRow ? space.rows : space.columns)) {
      const auto *found = llvm::find(merged.axes, axis);
      if (found == merged.axes.end())
        continue;
      Value along = emitAlong(builder, isRow, number);
      int64_t inner = 1;
      for (unsigned later : llvm::make_range(found + 1, merged.axes.end()))
        inner *= spec.shape[later];
      if (inner != 1)
        along = arith::DivUIOp::create(builder, loc, along,
                                       arguments.addI32(inner));
      if (found != merged.axes.begin())
        along = arith::RemUIOp::create(builder, loc, along,
                                       arguments.addI32(spec.shape[axis]));
      return along;
    }
  return arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(0));
}

/// The part of an element's row-major number that one of the space's axes
/// makes, as an i64; `strides` are those of the numbers. Null: none.
Value RowKernel::emitNumberAlong(OpBuilder &builder, bool isRow,
                                 unsigned number, ArrayRef<int64_t> strides) {
  Location loc = b.getLoc();
  const SpaceAxis &merged = isRow ? space.rows[number] : space.columns[number];
  auto times = [&](Value coordinate, int64_t stride) {
    Value wide = widen(builder, coordinate);
    return stride == 1 ? wide
                       : arith::MulIOp::create(builder, loc, wide,
                                               arguments.addI64(stride))
                             .getResult();
  };
  if (merged.isPacked(strides, spec.shape)) {
    int64_t stride = strides[merged.axes.back()];
    return stride == 0 ? Value()
                       : times(emitAlong(builder, isRow, number), stride);
  }
  Value sum;
  for (unsigned axis : merged.axes) {
    if (strides[axis] == 0)
      continue;
    Value part = times(emitCoordinate(builder, axis), strides[axis]);
    sum = sum ? add(builder, sum, part) : part;
  }
  return sum;
}

/// Whether a thread's vectors are whole groups of 4 neighbouring numbers.
bool RowKernel::hasWholeQuads(ArrayRef<int64_t> strides) const {
  if (space.isAcross || space.columns.size() != 1 || space.vector % 4 != 0)
    return false;
  const SpaceAxis &columns = space.columns[0];
  return columns.isPacked(strides, spec.shape) &&
         strides[columns.axes.back()] == 1 &&
         (space.rows.empty() || columns.extent % 4 == 0);
}

RowKernel::QuadPlace RowKernel::emitQuadPlace(OpBuilder &builder, Value value) {
  Location loc = b.getLoc();
  Shape dims = getAlignedShape(value, rank);
  graph::Dims strides =
      graph::packedStrides(dims, graph::rowMajorOrder(dims.size()));
  for (auto [stride, extent] : llvm::zip_equal(strides, dims))
    if (extent == 1)
      stride = 0;
  bool isWhole = hasWholeQuads(strides);
  Value number = isWhole ? widen(builder, column) : Value();
  for (bool isRow : {true, false})
    for (unsigned axis = 0, count = (isRow ? space.rows : space.columns).size();
         axis < count; ++axis) {
      Value part = isWhole && !isRow
                       ? Value()
                       : emitNumberAlong(builder, isRow, axis, strides);
      if (part)
        number = number ? add(builder, number, part) : part;
    }
  if (!number)
    number =
        arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(0));
  auto constant = [&](Type type, int64_t bits) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getIntegerAttr(type, bits));
  };
  Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
  Value quad = arith::ShRUIOp::create(builder, loc, number, constant(i64, 2));
  Value low = arith::TruncIOp::create(builder, loc, i32, number);
  if (isWhole) {
    // Spelled so that neighbours are seen to draw from one block.
    low = emitWithin(builder, loc, getColumnAxis());
    Value within = arith::ShRUIOp::create(builder, loc, low, constant(i32, 2));
    quad = add(builder, quad, widen(builder, within));
  }
  return {quad, arith::AndIOp::create(builder, loc, low, constant(i32, 3))};
}
