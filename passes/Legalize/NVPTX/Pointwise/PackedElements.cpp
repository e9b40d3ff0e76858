//===- PackedElements.cpp - 4-bit elements of a row kernel ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two neighbouring elements share a byte: a thread moves the bytes of the pairs
// that it holds, so that no two threads write one byte.
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/Legalize/NVPTX/Pointwise/RowKernel.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize::nvptx;

bool opgraph::legalize::nvptx::holdsWholeBytes(const Space &space,
                                               unsigned index) {
  auto isEven = [&](const SpaceAxis &axis) {
    return axis.strides[index] % 2 == 0;
  };
  auto isBroadcast = [&](const SpaceAxis &axis) {
    return axis.strides[index] == 0;
  };
  if (llvm::all_of(space.rows, isBroadcast) &&
      llvm::all_of(space.columns, isBroadcast))
    return true;
  return !space.isAcross && !llvm::is_contained(space.turned, index) &&
         !space.columns.empty() && space.columns.back().strides[index] == 1 &&
         space.columns.back().extent % 2 == 0 && space.vector % 2 == 0 &&
         llvm::all_of(space.rows, isEven) &&
         llvm::all_of(ArrayRef(space.columns).drop_back(), isEven);
}

Value RowKernel::half(Value number) {
  return arith::ShRUIOp::create(b, number, i32(1));
}

/// The longest vector of pairs that starts at whole vectors everywhere.
static int64_t getWholeBytes(const Space &space, const Buffer &buffer,
                             unsigned index) {
  auto isWhole = [&](const SpaceAxis &axis) {
    return axis.strides[index] % space.vector == 0;
  };
  int64_t bytes = space.vector / 2;
  return buffer.alignment >= bytes &&
                 space.columns.back().extent % space.vector == 0 &&
                 llvm::all_of(space.rows, isWhole) &&
                 llvm::all_of(ArrayRef(space.columns).drop_back(), isWhole)
             ? bytes
             : 1;
}

/// Its axes are those of the columns, the last one in bytes, behind one of rows
/// where tiles have several.
RowKernel::Access RowKernel::makePackedAccess(unsigned index) {
  const Buffer &buffer = buffers.list[index];
  Access access;
  access.shape = shapeOf(buffer);
  access.isGathered = true;
  access.isTall = hasRows(buffer) && space.hasRowTiles();
  access.vector = getWholeBytes(space, buffer, index);
  SmallVector<int64_t> shape, extentDivisors, strides, strideDivisors;
  SmallVector<Value> sizes, steps;
  auto addAxis = [&](Value size, int64_t extentDivisor, int64_t stride,
                     Value step) {
    shape.push_back(ShapedType::kDynamic);
    sizes.push_back(size);
    extentDivisors.push_back(extentDivisor);
    strides.push_back(step ? ShapedType::kDynamic : stride);
    strideDivisors.push_back(step ? access.vector : 1);
    if (step)
      steps.push_back(step);
  };
  if (access.isTall)
    addAxis(numRows, 1, 0, rowStrides.lookup({index, space.rows.size() - 1}));
  for (unsigned axis = 0; axis < space.columns.size(); ++axis) {
    Value extent = space.dividesColumns() ? columnExtents[axis] : numColumns;
    bool isLast = axis + 1 == space.columns.size();
    addAxis(isLast ? half(extent) : extent, isLast ? access.vector : 1,
            space.columns[axis].strides[index],
            columnStrides.lookup({index, axis}));
  }
  Value offset = space.dividesRows() ? emitRowOffset(index) : Value();
  auto pointer = cast<tile::PtrType>(pointers[index].getType());
  int64_t whole = std::min<int64_t>(buffer.alignment, 16);
  auto type = tile::ViewType::get(
      b.getContext(), shape, extentDivisors, pointer.getElementType(), strides,
      strideDivisors, offset ? std::min(whole, access.vector) : whole,
      pointer.getReadonly());
  access.view =
      tile::MakeViewOp::create(b, type, pointers[index], offset, sizes, steps);
  return access;
}

/// (row, byte) of the tile to coordinates of the view.
void RowKernel::emitPackedCoordinates(Region &region, bool isTall) {
  OpBuilder::InsertionGuard guard(b);
  Block &block = region.emplaceBlock();
  block.addArguments({b.getI32Type(), b.getI32Type()},
                     {b.getLoc(), b.getLoc()});
  b.setInsertionPointToStart(&block);
  auto isBelow = [&](Value at, Value limit) -> Value {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, at, limit);
  };
  SmallVector<Value> results(space.columns.size());
  Value rest = arith::ShLIOp::create(b, block.getArgument(1), i32(1));
  rest = arith::AddIOp::create(b, column, rest);
  Value isInside = isBelow(rest, numColumns);
  for (size_t axis = space.columns.size() - 1; axis > 0; --axis) {
    results[axis] = arith::RemUIOp::create(b, rest, columnExtents[axis]);
    rest = arith::DivUIOp::create(b, rest, columnExtents[axis]);
  }
  results[0] = rest;
  results.back() = half(results.back());
  if (isTall) {
    Value at = arith::AddIOp::create(b, row, block.getArgument(0));
    isInside = arith::AndIOp::create(b, isInside, isBelow(at, numRows));
    results.insert(results.begin(), at);
  }
  results.push_back(isInside);
  tile::YieldOp::create(b, results);
}

tile::RegType RowKernel::packedType(const Access &access) {
  auto bytes = tile::BlockedAttr::get(b.getContext(), space.vector / 2,
                                      space.lanes, space.warps);
  return tile::RegType::get(b.getContext(), access.shape[0],
                            access.shape[1] / 2, b.getI8Type(), bytes);
}

Value RowKernel::loadPacked(const Access &access) {
  auto gather =
      tile::GatherOp::create(b, packedType(access), access.view, access.vector);
  emitPackedCoordinates(gather.getBody(), access.isTall);
  return tile::UnpackOp::create(b, regType(access.shape, b.getI8Type()),
                                gather.getTile());
}

void RowKernel::storePacked(Value tile, const Access &access) {
  Value bytes = tile::PackOp::create(b, packedType(access), tile);
  auto scatter = tile::ScatterOp::create(b, bytes, access.view,
                                         /*combine=*/nullptr, access.vector);
  emitPackedCoordinates(scatter.getBody(), access.isTall);
}

/// An element alone shares its byte with what is not the operand's.
Value RowKernel::keepOtherHalf(Value tile, Value byte) {
  auto type = cast<tile::RegType>(tile.getType());
  Value merged = map(
      {tile, byte}, type, [&](OpBuilder &builder, ValueRange args) -> Value {
        Location loc = b.getLoc();
        auto mask = [&](Value value, int64_t bits) {
          Value constant = arith::ConstantOp::create(
              builder, loc,
              builder.getI8IntegerAttr(static_cast<int8_t>(bits)));
          return arith::AndIOp::create(builder, loc, value, constant);
        };
        return arith::OrIOp::create(builder, loc, mask(args[0], 0x0f),
                                    mask(args[1], 0xf0));
      });
  // All threads have read the byte before one writes it.
  tile::SyncOp::create(b, tile::Scope::group);
  return merged;
}
