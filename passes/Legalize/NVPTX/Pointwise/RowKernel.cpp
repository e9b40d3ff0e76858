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
                     const Space &space, int64_t rank, tile::KernelOp kernel,
                     Formulas &formulas)
    : spec(spec), buffers(buffers), space(space), rank(rank), kernel(kernel),
      b(kernel.getLoc(), kernel.getContext()),
      arguments(kernel.getBody().front(), formulas) {
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

void RowKernel::addArguments() {
  for (const Buffer &buffer : buffers.list)
    pointers.push_back(arguments.addPointer(buffer));
  numRows = arguments.addI32(space.numRows);
  numColumns = arguments.addI32(space.numColumns);
  int64_t numTiles = space.columnTiles(spec, arguments.formulas);
  if (!isOneRow() && (numTiles > 1 || arguments.formulas.isDynamic(numTiles)))
    columnTiles = arguments.addI32(numTiles);
  if (space.dividesRows())
    for (const SpaceAxis &axis : space.rows)
      rowExtents.push_back(arguments.addI32(
          space.isTiled && &axis == &space.rows.back()
              ? arguments.formulas.divideUp(axis.extent, space.tileRows)
              : axis.extent));
  if (space.dividesColumns())
    for (const SpaceAxis &axis : space.columns)
      columnExtents.push_back(arguments.addI32(axis.extent));
  addStrides();
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

/// Buffers that step alike along an axis share the parameter, and what is
/// computed from it.
void RowKernel::addStrides() {
  using Known = llvm::DenseMap<std::pair<unsigned, int64_t>, Value>;
  Known ofRows, ofColumns;
  auto add = [&](Known &known, unsigned number, int64_t stride) {
    Value &parameter = known[{number, stride}];
    if (!parameter)
      parameter = arguments.addI64(stride);
    return parameter;
  };
  for (unsigned index = 0; index < buffers.list.size(); ++index) {
    const Buffer &buffer = buffers.list[index];
    for (unsigned axis = 0; axis < space.rows.size(); ++axis)
      if (int64_t stride = space.rows[axis].strides[index];
          space.isAcross || isTurned(index) ? !isSpelled(stride) : stride != 0)
        rowStrides[{index, axis}] = add(ofRows, axis, buffer.getSteps(stride));
    for (unsigned axis = 0; axis < space.columns.size(); ++axis)
      if (int64_t stride = space.columns[axis].strides[index];
          !isSpelled(stride))
        columnStrides[{index, axis}] =
            add(ofColumns, axis, buffer.getSteps(stride));
  }
}

void RowKernel::locateBlock() {
  Value block = tile::BlockIdOp::create(b, tile::Dim::x);
  if (buffers.isBackwards) {
    Value last = arith::SubIOp::create(
        b, tile::GridSizeOp::create(b, tile::Dim::x), i32(1));
    block = arith::SubIOp::create(b, last, block);
  }
  row = block;
  column = i32(0);
  if (space.portion)
    locatePortion();
  if (space.cluster > 1) {
    row = arith::DivUIOp::create(b, block, i32(space.cluster));
    int64_t own = space.chunks * space.tileColumns;
    column = arith::MulIOp::create(
        b, tile::ClusterIdOp::create(b, tile::Dim::x), i32(own));
    columnEnd = arith::MinSIOp::create(
        b, arith::AddIOp::create(b, column, i32(own)), numColumns);
  }
  if (isOneRow()) {
    row = i32(0);
    column = arith::MulIOp::create(b, block, i32(space.tileColumns));
  }
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

/// Whole vectors of a kernel that only reduces, each of one thread: 2.7 %
/// faster past the first cache on the H200, where kernels that write as much as
/// they read lose as much by that.
tile::Cache RowKernel::getCache(unsigned index) {
  const Buffer &buffer = buffers.list[index];
  bool isWritten = llvm::any_of(
      buffers.outputs, [&](auto &output) { return hasColumns(output.first); });
  bool isReadOnce =
      !spec.isElementwise() && !isWritten && hasColumns(buffer) &&
      (space.rows.empty() || hasRows(buffer)) &&
      (isShifted(index) || isVectorised(index, /*isGathered=*/false)) &&
      buffer.getBytes(space.vector) == kVectorBytes;
  return isReadOnce ? tile::Cache::no_allocate : tile::Cache::normal;
}

Value RowKernel::load(unsigned index) {
  if (!space.chunks || !loop)
    return loadFromMemory(index);
  if (keptTiles.contains(index))
    return tile::LoadSharedOp::create(
        b, regType(accesses[index].shape, getStoredType(index)),
        sliceKept(index), tile::SharedPath::plain, /*transposed=*/false);
  Value tile = loadFromMemory(index);
  if (isFirstWalk && isKept(index)) {
    makeKeptTile(index);
    tile::StoreSharedOp::create(b, tile, sliceKept(index),
                                tile::SharedPath::plain,
                                /*transposed=*/false);
  }
  return tile;
}

Value RowKernel::loadFromMemory(unsigned index) {
  if (isTurned(index))
    return loadTurned(index);
  if (isShifted(index))
    return loadShifted(index);
  const Access &access = accesses[index];
  if (hasPairs(index))
    return loadPacked(access);
  auto view = cast<tile::ViewType>(access.view.getType());
  tile::RegType type = regType(access.shape, view.getElementType());
  if (access.isGathered) {
    auto gather = tile::GatherOp::create(b, type, access.view, access.vector);
    emitCoordinates(gather.getBody(), access.isTall);
    return gather.getTile();
  }
  BoxPlace place = getPlace(view);
  return tile::LoadOp::create(
      b, type, access.view, place.offsets, place.limits,
      tile::FillAttr::get(b.getContext(), tile::Fill::zero),
      /*axes=*/nullptr, getCache(index));
}

void RowKernel::store(Value tile, unsigned index) {
  const Access &access = accesses[index];
  auto view = cast<tile::ViewType>(access.view.getType());
  auto type = cast<tile::RegType>(tile.getType());
  tile::RegType whole = regType(access.shape, type.getElementType());
  if (type != whole)
    tile =
        map(tile, whole, [](OpBuilder &, ValueRange args) { return args[0]; });
  if (hasPairs(index))
    return storePacked(tile, access);
  if (buffers.list[index].isPacked)
    tile = keepOtherHalf(tile, load(index));
  if (isShifted(index))
    return storeShifted(tile, index);
  if (access.isGathered) {
    auto scatter = tile::ScatterOp::create(b, tile, access.view,
                                           /*combine=*/nullptr, access.vector);
    emitCoordinates(scatter.getBody(), access.isTall);
    return;
  }
  BoxPlace place = getPlace(view);
  tile::StoreOp::create(b, tile, access.view, place.offsets, place.limits,
                        /*axes=*/nullptr, tile::Cache::normal);
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

/// Before the elements are read that share them, which need registers.
void RowKernel::evaluateShared() {
  SmallVector<Value> results;
  for (auto [value, index] : buffers.outputs)
    results.push_back(value);
  for (Value value : findSharedValues(results, spec.shape))
    evaluate(value);
}

void RowKernel::writeResults() {
  SmallVector<std::pair<Value, unsigned>> whole;
  for (auto output : buffers.outputs) {
    if (!hasColumns(output.first))
      storeRows(evaluate(output.first), output.second);
    else
      whole.push_back(output);
  }
  if (whole.empty())
    return;
  // What was read last comes first: it may still be in a cache.
  auto body = [&](ValueRange) {
    for (auto [value, index] : whole)
      store(evaluate(value), index);
    return SmallVector<Value>();
  };
  forEachChunk({}, body, /*isBackwards=*/!spec.reductions.empty());
}

ArrayAttr RowKernel::writeParameters() {
  addArguments();
  return arguments.getLaunchArguments();
}

ArrayAttr RowKernel::writeBody() {
  locateBlock();
  if (space.isShifted)
    shiftRow();
  for (unsigned index = 0; index < buffers.list.size(); ++index)
    accesses.push_back(makeAccess(index));
  // Nothing before this touches memory. The end of each block lets the next
  // kernel start as well; saying so at the start costs kernels of many short
  // blocks up to a third.
  if (buffers.isChained) {
    tile::GridWaitOp::create(b);
    if (space.portion)
      tile::GridLaunchOp::create(b);
  }
  stageTurned();
  if (!spec.shared.empty())
    evaluateShared();
  reduceAll();
  // Others of the cluster read this one's words until then.
  if (space.cluster > 1)
    tile::ClusterArriveOp::create(b);
  writeResults();
  if (space.cluster > 1)
    tile::ClusterWaitOp::create(b);
  return arguments.getLaunchArguments();
}
