//===- RowShift.cpp - Rows that begin between whole vectors ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A row of odd length begins anywhere in memory. Its tile begins at the whole
// vector that the row begins in, up to a vector less one element before it, so
// that all but the row's ends moves by vectors: `column`, the tile's first, is
// negative then. What is read before the row is another row's; nothing comes of
// it, since its columns count as outside.
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/Legalize/NVPTX/Pointwise/RowKernel.h"

#include <limits>

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;
using namespace opgraph::legalize::nvptx;

//===----------------------------------------------------------------------===//
// Where it is done
//===----------------------------------------------------------------------===//

static bool varies(ArrayRef<SpaceAxis> axes, unsigned buffer) {
  return llvm::any_of(
      axes, [&](const SpaceAxis &axis) { return axis.strides[buffer] != 0; });
}

bool opgraph::legalize::nvptx::canShift(const Space &space,
                                        ArrayRef<Buffer> buffers) {
  // Shorter rows are short of lanes, or of blocks.
  constexpr int64_t kLeastVectors = 32;
  if (space.columns.size() != 1 || space.isAcross || space.vector == 1 ||
      space.numColumns < kLeastVectors * space.vector)
    return false;
  // All of them begin alike.
  std::optional<unsigned> lead;
  for (unsigned index = 0; index < buffers.size(); ++index) {
    const Buffer &buffer = buffers[index];
    int64_t step = space.columns[0].strides[index];
    if (buffer.isPacked || step > 1)
      return false;
    if (step == 0 || !varies(space.rows, index))
      continue;
    if (buffer.alignment < space.vector * buffer.getElementBytes())
      return false;
    for (const SpaceAxis &axis : space.rows)
      if (lead && axis.strides[index] != axis.strides[*lead])
        return false;
    lead = lead.value_or(index);
  }
  return lead && llvm::any_of(space.rows, [&](const SpaceAxis &axis) {
           return axis.strides[*lead] % space.vector != 0;
         });
}

//===----------------------------------------------------------------------===//
// The tile's place
//===----------------------------------------------------------------------===//

bool RowKernel::isShifted(unsigned index) const {
  return space.isShifted && space.columns[0].strides[index] != 0 &&
         varies(space.rows, index);
}

/// Elements from the buffer's start to the block's row.
Value RowKernel::emitRowStart(unsigned index) {
  if (space.dividesRows())
    return emitRowOffset(index);
  Value wide = arith::ExtSIOp::create(b, b.getI64Type(), row);
  return arith::MulIOp::create(b, wide, rowStrides.lookup({index, 0}));
}

void RowKernel::shiftRow() {
  unsigned lead = 0;
  while (!isShifted(lead))
    ++lead;
  Value start = arith::TruncIOp::create(b, b.getI32Type(), emitRowStart(lead));
  shift = arith::AndIOp::create(b, start, i32(space.vector - 1));
  wholeColumn = column;
  chooseOutside();
  column = arith::SubIOp::create(b, column, shift);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// A row from the whole vector on that it begins in; of what is the same for
/// all rows, single elements.
RowKernel::Access RowKernel::makeShiftedAccess(unsigned index) {
  const Buffer &buffer = buffers.list[index];
  auto pointer = cast<tile::PtrType>(pointers[index].getType());
  Access access;
  access.shape = shapeOf(buffer);
  if (!isShifted(index)) {
    auto type = tile::ViewType::get(
        b.getContext(), ShapedType::kDynamic, 1, pointer.getElementType(), 1, 1,
        buffer.getElementBytes(), pointer.getReadonly());
    access.isGathered = true;
    access.view = tile::MakeViewOp::create(b, type, pointers[index], Value(),
                                           numColumns, ValueRange());
    return access;
  }
  Value before = arith::ExtSIOp::create(b, b.getI64Type(), shift);
  Value offset = arith::SubIOp::create(b, emitRowStart(index), before);
  Value end = arith::AddIOp::create(b, numColumns, shift);
  auto type = tile::ViewType::get(
      b.getContext(), {1, ShapedType::kDynamic}, {1, 1},
      pointer.getElementType(), {0, 1}, {1, 1},
      space.vector * buffer.getElementBytes(), pointer.getReadonly());
  access.view = tile::MakeViewOp::create(b, type, pointers[index], offset, end,
                                         ValueRange());
  return access;
}

/// Elements before the row are as those past its end, but in a walk, which
/// would have them in its first chunk only.
Value RowKernel::loadShifted(unsigned index) {
  const Access &access = accesses[index];
  auto view = cast<tile::ViewType>(access.view.getType());
  Value end = arith::AddIOp::create(b, numColumns, shift);
  tile::RegType type = regType(access.shape, view.getElementType());
  Value tile = tile::LoadOp::create(
      b, type, access.view, ValueRange{i32(0), wholeColumn},
      ValueRange{i32(1), end},
      tile::FillAttr::get(b.getContext(), isLeastOutside ? tile::Fill::neg_inf
                                                         : tile::Fill::zero),
      /*axes=*/nullptr, getCache(index));
  if (space.isLooped)
    return tile;
  return map(tile, type, [&](OpBuilder &builder, ValueRange args) -> Value {
    Location loc = b.getLoc();
    Value at = tile::CoordOp::create(builder, loc, getReducedAxis());
    Value isBefore = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::ult, at, shift);
    TypedAttr outside = builder.getZeroAttr(args[0].getType());
    if (isLeastOutside)
      outside = FloatAttr::get(args[0].getType(),
                               -std::numeric_limits<double>::infinity());
    return arith::SelectOp::create(
        builder, loc, isBefore,
        arith::ConstantOp::create(builder, loc, outside), args[0]);
  });
}

/// Vectors that are all of the row, then the elements of the others.
void RowKernel::storeFirst(Value tile, unsigned index) {
  for (int64_t vector : {space.vector, int64_t(1)}) {
    auto scatter = tile::ScatterOp::create(b, tile, accesses[index].view,
                                           /*combine=*/nullptr,
                                           static_cast<uint32_t>(vector));
    OpBuilder::InsertionGuard guard(b);
    Block &block = scatter.getBody().emplaceBlock();
    block.addArguments({b.getI32Type(), b.getI32Type()},
                       {b.getLoc(), b.getLoc()});
    b.setInsertionPointToStart(&block);
    Value own = block.getArgument(1);
    Value first = arith::AndIOp::create(b, own, i32(-space.vector));
    Value last = arith::OrIOp::create(b, own, i32(space.vector - 1));
    // Before the row a column counts as a large number.
    auto isOfRow = [&](Value at) -> Value {
      return arith::CmpIOp::create(b, arith::CmpIPredicate::ult,
                                   arith::AddIOp::create(b, at, column),
                                   numColumns);
    };
    Value isInside = arith::AndIOp::create(b, isOfRow(first), isOfRow(last));
    if (vector == 1) {
      Value isOpen = arith::XOrIOp::create(
          b, isInside, arith::ConstantOp::create(b, b.getBoolAttr(true)));
      isInside = arith::AndIOp::create(b, isOpen, isOfRow(own));
    }
    Value at = arith::AddIOp::create(b, own, wholeColumn);
    tile::YieldOp::create(b, ValueRange{i32(0), at, isInside});
  }
}

/// Of the tile's parts of one vector a thread only the first may begin before
/// the row.
void RowKernel::storeShifted(Value tile, unsigned index) {
  auto type = cast<tile::RegType>(tile.getType());
  int64_t step = space.tileColumns / space.vectorsPerThread;
  Value end = arith::AddIOp::create(b, numColumns, shift);
  for (auto [number, part] : llvm::enumerate(
           splitParts(tile, regType({1, step}, type.getElementType())))) {
    if (number == 0) {
      storeFirst(part, index);
      continue;
    }
    Value at = arith::AddIOp::create(b, wholeColumn,
                                     i32(static_cast<int64_t>(number) * step));
    tile::StoreOp::create(b, part, accesses[index].view, ValueRange{i32(0), at},
                          ValueRange{i32(1), end},
                          /*axes=*/nullptr, tile::Cache::normal);
  }
}
