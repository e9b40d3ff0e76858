//===- RowViews.cpp - How a row kernel reaches its buffers ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/Legalize/NVPTX/Pointwise/RowKernel.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;
using namespace opgraph::legalize::nvptx;

/// Elements from the buffer's start to the block's row, where rows are divided;
/// to the first row that tiles lie along.
Value RowKernel::emitRowOffset(unsigned index) {
  Value offset;
  size_t count = space.rows.size() - (space.isTiled ? 1 : 0);
  for (unsigned axis = 0; axis < count; ++axis) {
    Value stride = rowStrides.lookup({index, axis});
    if (!stride)
      continue;
    Value wide =
        arith::ExtSIOp::create(b, b.getI64Type(), rowCoordinates[axis]);
    Value part = arith::MulIOp::create(b, wide, stride);
    offset = offset ? arith::AddIOp::create(b, offset, part).getResult() : part;
  }
  return offset;
}

/// Whether vectors start at whole vectors everywhere.
bool RowKernel::isVectorised(unsigned index, bool isGathered) const {
  const Buffer &buffer = buffers.list[index];
  int64_t bytes = buffer.getElementBytes();
  const auto &inner = space.isAcross ? space.rows : space.columns;
  const auto &outer = space.isAcross ? space.columns : space.rows;
  if (inner.empty() || inner.back().strides[index] != 1 ||
      buffer.alignment < space.vector * bytes)
    return false;
  auto isWhole = [&](const SpaceAxis &axis) {
    return axis.strides[index] % space.vector == 0;
  };
  if (!llvm::all_of(outer, isWhole))
    return false;
  return !isGathered ||
         (space.columns.back().extent % space.vector == 0 &&
          llvm::all_of(ArrayRef(space.columns).drop_back(), isWhole));
}

/// The alignment that a view may claim: the buffer's, but behind an offset,
/// which is known to be whole vectors at most.
static int64_t getViewAlignment(const Buffer &buffer, bool hasOffset,
                                int64_t vector) {
  int64_t bytes = buffer.getElementBytes();
  int64_t whole = std::min<int64_t>(buffer.alignment, 16);
  return hasOffset ? std::min(whole, vector * bytes) : whole;
}

Value RowKernel::makeGatherView(unsigned index, Value offset, int64_t vector,
                                bool isTall) {
  const Buffer &buffer = buffers.list[index];
  auto pointer = cast<tile::PtrType>(pointers[index].getType());
  SmallVector<int64_t> shape, extentDivisors, strides, strideDivisors;
  SmallVector<Value> sizes, stepValues;
  if (isTall) {
    shape.push_back(ShapedType::kDynamic);
    extentDivisors.push_back(1);
    strides.push_back(ShapedType::kDynamic);
    strideDivisors.push_back(vector);
    sizes.push_back(numRows);
    stepValues.push_back(rowStrides.lookup({index, 0}));
  }
  llvm::append_range(sizes, columnExtents);
  for (auto [number, axis] : llvm::enumerate(space.columns)) {
    bool isLast = number + 1 == space.columns.size();
    shape.push_back(ShapedType::kDynamic);
    extentDivisors.push_back(isLast ? vector : 1);
    int64_t stride = axis.strides[index];
    strides.push_back(isSpelled(stride) ? stride : ShapedType::kDynamic);
    strideDivisors.push_back(isSpelled(stride) ? 1 : vector);
    if (!isSpelled(stride))
      stepValues.push_back(
          columnStrides.lookup({index, static_cast<unsigned>(number)}));
  }
  auto type = tile::ViewType::get(
      b.getContext(), shape, extentDivisors, pointer.getElementType(), strides,
      strideDivisors,
      getViewAlignment(buffer, static_cast<bool>(offset), vector),
      pointer.getReadonly());
  return tile::MakeViewOp::create(b, type, pointers[index], offset, sizes,
                                  stepValues);
}

Value RowKernel::makeBoxView(unsigned index, Value offset) {
  const Buffer &buffer = buffers.list[index];
  auto pointer = cast<tile::PtrType>(pointers[index].getType());
  bool isWhole = isVectorised(index, /*isGathered=*/false);
  SmallVector<int64_t> shape(2, 1), extentDivisors(2, 1), strides(2, 0),
      strideDivisors(2, 1);
  SmallVector<Value> sizes, stepValues;
  auto addAxis = [&](unsigned at, Value size, int64_t extent, int64_t stride,
                     Value step) {
    shape[at] = ShapedType::kDynamic;
    sizes.push_back(size);
    bool isWholeStride = stride % space.vector == 0;
    if (at == 1)
      extentDivisors[at] = extent % space.vector == 0 ? space.vector : 1;
    else
      strideDivisors[at] = isWholeStride && step ? space.vector : 1;
    strides[at] = step ? ShapedType::kDynamic : stride;
    if (step)
      stepValues.push_back(step);
  };
  bool isTall = space.hasRowTiles() && hasRows(buffer);
  auto addRows = [&] {
    // Rows may all be the same one.
    unsigned last = space.rows.size() - 1;
    if (isTall)
      addAxis(getRowAxis(), numRows, space.numRows,
              space.rows[last].strides[index],
              rowStrides.lookup({index, last}));
  };
  if (!space.isAcross)
    addRows();
  if (hasColumns(buffer))
    addAxis(getColumnAxis(), numColumns, space.numColumns,
            space.columns[0].strides[index], columnStrides.lookup({index, 0}));
  if (space.isAcross)
    addRows();
  auto type =
      tile::ViewType::get(b.getContext(), shape, extentDivisors,
                          pointer.getElementType(), strides, strideDivisors,
                          getViewAlignment(buffer, static_cast<bool>(offset),
                                           isWhole ? space.vector : 1),
                          pointer.getReadonly());
  return tile::MakeViewOp::create(b, type, pointers[index], offset, sizes,
                                  stepValues);
}

RowKernel::Access RowKernel::makeAccess(unsigned index) {
  if (hasPairs(index))
    return makePackedAccess(index);
  if (space.isShifted && hasColumns(buffers.list[index]))
    return makeShiftedAccess(index);
  Access access;
  access.shape = shapeOf(buffers.list[index]);
  Value offset = space.dividesRows() ? emitRowOffset(index) : Value();
  access.isGathered = space.dividesColumns() && hasColumns(buffers.list[index]);
  if (isTurned(index)) {
    access.view = makeTurnedView(index, offset);
    access.turned = makeTurnedTile(index);
    return access;
  }
  if (!access.isGathered) {
    access.view = makeBoxView(index, offset);
    return access;
  }
  // One row a tile: the row's offset.
  access.isTall = access.shape[0] > 1;
  if (!space.dividesRows() && !space.rows.empty() && !access.isTall)
    if (Value stride = rowStrides.lookup({index, 0})) {
      Value wide = arith::ExtSIOp::create(b, b.getI64Type(), row);
      offset = arith::MulIOp::create(b, wide, stride);
    }
  if (isVectorised(index, /*isGathered=*/true))
    access.vector = space.vector;
  access.view = makeGatherView(index, offset, access.vector, access.isTall);
  return access;
}
