//===- RowKernel.cpp - Memory and order of a row kernel -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Legalize/NVPTX/Pointwise/RowKernel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/Legalize/Host/Scalar/Scalar.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;
using namespace opgraph::legalize::nvptx;

RowKernel::RowKernel(const KernelSpec &spec, const KernelBuffers &buffers,
                     const Space &space, int64_t rank, tile::KernelOp kernel)
    : spec(spec), buffers(buffers), space(space), rank(rank), kernel(kernel),
      b(kernel.getLoc(), kernel.getContext()),
      arguments(kernel.getBody().front()) {
  b.setInsertionPointToStart(&kernel.getBody().front());
  distribution = tile::BlockedAttr::get(b.getContext(), space.vector,
                                        space.lanes, space.warps);
}

Value RowKernel::i32(int64_t value) {
  return arith::ConstantOp::create(b, b.getI32IntegerAttr(value));
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

/// A stride that the kernel's text spells: none, or neighbours.
static bool isSpelled(int64_t stride) { return stride == 0 || stride == 1; }

void RowKernel::addArguments() {
  for (const Buffer &buffer : buffers.list)
    pointers.push_back(arguments.addPointer(buffer));
  numRows = arguments.addI32(space.numRows);
  numColumns = arguments.addI32(space.numColumns);
  if (space.columnTiles(spec) > 1)
    columnTiles = arguments.addI32(space.columnTiles(spec));
  if (space.dividesRows())
    for (const SpaceAxis &axis : space.rows)
      rowExtents.push_back(
          arguments.addI32(space.isTiled && &axis == &space.rows.back()
                               ? llvm::divideCeil(axis.extent, space.tileRows)
                               : axis.extent));
  if (space.dividesColumns())
    for (const SpaceAxis &axis : space.columns)
      columnExtents.push_back(arguments.addI32(axis.extent));
  for (unsigned index = 0; index < buffers.list.size(); ++index) {
    for (auto [number, axis] : llvm::enumerate(space.rows))
      if (space.isAcross || isTurned(index) ? !isSpelled(axis.strides[index])
                                            : axis.strides[index] != 0)
        rowStrides[{index, static_cast<unsigned>(number)}] =
            arguments.addI64(axis.strides[index]);
    for (auto [number, axis] : llvm::enumerate(space.columns))
      if (!isSpelled(axis.strides[index]))
        columnStrides[{index, static_cast<unsigned>(number)}] =
            arguments.addI64(axis.strides[index]);
  }
  for (auto [value, operand] : buffers.scalars) {
    Type element = cast<RankedTensorType>(value.getType()).getElementType();
    Type type = element.isF64()                 ? Type(b.getF64Type())
                : isa<FloatType>(element)       ? Type(b.getF32Type())
                : element.isSignlessInteger(64) ? Type(b.getI64Type())
                                                : Type(b.getI32Type());
    scalars[value] = arguments.addScalar(operand, type);
  }
  addPortionArguments();
}

void RowKernel::locateBlock() {
  Value block = tile::BlockIdOp::create(b, tile::Dim::x);
  row = block;
  column = i32(0);
  if (space.portion)
    locatePortion();
  if (columnTiles) {
    row = arith::DivUIOp::create(b, block, columnTiles);
    Value number = arith::RemUIOp::create(b, block, columnTiles);
    column = arith::MulIOp::create(b, number, i32(space.tileColumns));
  }
  if (space.tileRows > 1 && !space.dividesRows())
    row = arith::MulIOp::create(b, row, i32(space.tileRows));
  if (!space.dividesRows())
    return;
  Value rest = row;
  rowCoordinates.resize(space.rows.size());
  for (size_t axis = space.rows.size(); axis-- > 0;) {
    if (axis == 0) {
      rowCoordinates[axis] = rest;
      break;
    }
    rowCoordinates[axis] = arith::RemUIOp::create(b, rest, rowExtents[axis]);
    rest = arith::DivUIOp::create(b, rest, rowExtents[axis]);
  }
  if (!space.isTiled)
    return;
  row = arith::MulIOp::create(b, rowCoordinates.back(), i32(space.tileRows));
  rowCoordinates.back() = row;
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

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

Value RowKernel::makeGatherView(unsigned index, Value offset, int64_t vector) {
  const Buffer &buffer = buffers.list[index];
  auto pointer = cast<tile::PtrType>(pointers[index].getType());
  SmallVector<int64_t> shape, extentDivisors, strides, strideDivisors;
  SmallVector<Value> stepValues;
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
  return tile::MakeViewOp::create(b, type, pointers[index], offset,
                                  columnExtents, stepValues);
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
  // One row a tile, or rows that are an axis of their own: the row's offset.
  if (!space.dividesRows() && !space.rows.empty())
    if (Value stride = rowStrides.lookup({index, 0})) {
      Value wide = arith::ExtSIOp::create(b, b.getI64Type(), row);
      offset = arith::MulIOp::create(b, wide, stride);
    }
  if (isVectorised(index, /*isGathered=*/true))
    access.vector = space.vector;
  access.view = makeGatherView(index, offset, access.vector);
  return access;
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

tile::RegType RowKernel::regType(std::array<int64_t, 2> shape, Type element) {
  return tile::RegType::get(b.getContext(), shape[getRowAxis()],
                            shape[getColumnAxis()], element, distribution);
}

bool RowKernel::hasColumns(Value value) {
  Shape dims = getAlignedShape(value, rank);
  for (unsigned axis = 0; axis < dims.size(); ++axis)
    if (dims[axis] != 1 && space.isColumnAxis(axis))
      return true;
  return false;
}

bool RowKernel::hasRows(Value value) {
  Shape dims = getAlignedShape(value, rank);
  for (unsigned axis = 0; axis < dims.size(); ++axis)
    if (dims[axis] != 1 && !space.isColumnAxis(axis))
      return true;
  return false;
}

std::array<int64_t, 2> RowKernel::shapeOf(Value value) {
  return {hasRows(value) && space.hasRowTiles() ? space.tileRows : 1,
          hasColumns(value) ? space.tileColumns : 1};
}

/// (row, column) of the tile to coordinates of a gathered view.
void RowKernel::emitCoordinates(Region &region) {
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
  results.push_back(isInside);
  tile::YieldOp::create(b, results);
}

RowKernel::BoxPlace RowKernel::getPlace(tile::ViewType view) {
  Value zero = i32(0), one = i32(1);
  BoxPlace place = {{zero, zero}, {one, one}};
  auto setAxis = [&](unsigned axis, Value offset, Value limit) {
    if (!ShapedType::isDynamic(view.getShape()[axis]))
      return;
    place.offsets[axis] = offset;
    place.limits[axis] = limit;
  };
  setAxis(getRowAxis(), row, numRows);
  setAxis(getColumnAxis(), column, numColumns);
  return place;
}

Value RowKernel::load(unsigned index) {
  if (isTurned(index))
    return loadTurned(index);
  const Access &access = accesses[index];
  auto view = cast<tile::ViewType>(access.view.getType());
  tile::RegType type = regType(access.shape, view.getElementType());
  if (access.isGathered) {
    auto gather = tile::GatherOp::create(b, type, access.view, access.vector);
    emitCoordinates(gather.getBody());
    return gather.getTile();
  }
  BoxPlace place = getPlace(view);
  return tile::LoadOp::create(
      b, type, access.view, place.offsets, place.limits,
      tile::FillAttr::get(b.getContext(), tile::Fill::zero),
      /*axes=*/nullptr, tile::Cache::normal);
}

void RowKernel::store(Value tile, unsigned index) {
  const Access &access = accesses[index];
  auto view = cast<tile::ViewType>(access.view.getType());
  auto type = cast<tile::RegType>(tile.getType());
  tile::RegType whole = regType(access.shape, type.getElementType());
  if (type != whole)
    tile =
        map(tile, whole, [](OpBuilder &, ValueRange args) { return args[0]; });
  if (access.isGathered) {
    auto scatter = tile::ScatterOp::create(b, tile, access.view,
                                           /*combine=*/nullptr, access.vector);
    emitCoordinates(scatter.getBody());
    return;
  }
  BoxPlace place = getPlace(view);
  tile::StoreOp::create(b, tile, access.view, place.offsets, place.limits,
                        /*axes=*/nullptr, tile::Cache::normal);
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

void RowKernel::writeResults() {
  SmallVector<std::pair<Value, unsigned>> whole;
  for (auto output : buffers.outputs) {
    if (!hasColumns(output.first))
      store(evaluate(output.first), output.second);
    else
      whole.push_back(output);
  }
  if (whole.empty())
    return;
  forEachChunk({}, [&](ValueRange) {
    for (auto [value, index] : whole)
      store(evaluate(value), index);
    return SmallVector<Value>();
  });
}

ArrayAttr RowKernel::write() {
  addArguments();
  locateBlock();
  for (unsigned index = 0; index < buffers.list.size(); ++index)
    accesses.push_back(makeAccess(index));
  if (buffers.startsEarly)
    tile::GridWaitOp::create(b);
  if (buffers.letsNextStart)
    tile::GridLaunchOp::create(b);
  stageTurned();
  reduceAll();
  writeResults();
  return arguments.getLaunchArguments();
}
