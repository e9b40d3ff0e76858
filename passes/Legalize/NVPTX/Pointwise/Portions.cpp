//===- Portions.cpp - What passes between the kernels of a reduction ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block of a split kernel combines a portion of the columns, and stores one
// number a row and reduction.
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/Legalize/NVPTX/Pointwise/RowKernel.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;
using namespace opgraph::legalize::nvptx;
using graph::ReductionMode;

bool RowKernel::hasRows(const Buffer &buffer) {
  return buffer.value ? hasRows(buffer.value) : !space.rows.empty();
}

bool RowKernel::hasColumns(const Buffer &buffer) {
  return buffer.value ? hasColumns(buffer.value) : !space.columns.empty();
}

std::array<int64_t, 2> RowKernel::shapeOf(const Buffer &buffer) {
  return {hasRows(buffer) && space.hasRowTiles() ? space.tileRows : 1,
          hasColumns(buffer) ? space.tileColumns : 1};
}

void RowKernel::addPortionArguments() {
  if (buffers.count && llvm::any_of(spec.reductions, [](graph::ReductionOp op) {
        return op.getMode() == ReductionMode::AVG;
      }))
    count = arguments.addI32(buffers.count);
  if (buffers.portion && llvm::any_of(spec.pairs, [](const ReductionPair &of) {
        return of.kind == ReductionPair::Kind::Moments;
      }))
    portion = arguments.addI32(buffers.portion);
  if (!space.portion)
    return;
  portion = arguments.addI32(space.portion / space.tileColumns);
  if (!buffers.portions.empty())
    pitch = arguments.addI64(space.getPitch(arguments.formulas));
  blocks = arguments.addI32(
      isSplitOuter() ? space.numBatches * arguments.formulas.divideUp(
                                              space.numRows, space.tileRows)
                     : space.splits);
  for (const Buffer &buffer : buffers.portions)
    portionPointers.push_back(arguments.addPointer(buffer));
}

/// Whether portions are further apart in memory than rows.
bool RowKernel::isSplitOuter() const {
  return space.isAcross ||
         (!space.rows.empty() && !space.columns.empty() &&
          space.columns.front().strides[0] > space.rows.front().strides[0]);
}

/// Blocks that follow one another read what does in memory. A portion begins at
/// a tile, so that its vectors are known to be whole.
void RowKernel::locatePortion() {
  Value outer = arith::DivUIOp::create(b, row, blocks);
  Value inner = arith::RemUIOp::create(b, row, blocks);
  row = isSplitOuter() ? inner : outer;
  split = isSplitOuter() ? outer : inner;
  Value tile = i32(space.tileColumns);
  Value length = arith::MulIOp::create(b, portion, tile);
  column = arith::MulIOp::create(
      b, arith::MulIOp::create(b, split, portion).getResult(), tile);
  Value end = numColumns;
  if (space.isShifted) // Wherever in its first vector the row begins.
    end = arith::AddIOp::create(b, end, i32(space.vector - 1));
  Value left = arith::SubIOp::create(b, end, column);
  columnEnd =
      arith::AddIOp::create(b, column, arith::MinSIOp::create(b, left, length));
}

/// One number a row, behind those of the portions before.
void RowKernel::storePortion(Value tile, const Buffer &buffer,
                             unsigned number) {
  int64_t step = space.getPitch(arguments.formulas) * buffer.getElementBytes();
  SmallVector<int64_t> shape(2, 1), divisors(2, 1), strides(2, 0);
  unsigned axis = getRowAxis();
  shape[axis] = ShapedType::kDynamic;
  divisors[axis] = space.numRows % space.vector == 0 ? space.vector : 1;
  strides[axis] = 1;
  auto pointer = cast<tile::PtrType>(portionPointers[number].getType());
  auto type = tile::ViewType::get(
      b.getContext(), shape, divisors, pointer.getElementType(), strides,
      SmallVector<int64_t>(2, 1), std::min<int64_t>(step & -step, 16),
      /*readonly=*/false);
  Value wide = arith::ExtSIOp::create(b, b.getI64Type(), split);
  Value view = tile::MakeViewOp::create(
      b, type, portionPointers[number],
      arith::MulIOp::create(b, wide, pitch).getResult(), numRows, ValueRange());
  BoxPlace place = getPlace(type);
  tile::StoreOp::create(b, tile, view, place.offsets, place.limits,
                        /*axes=*/nullptr, tile::Cache::normal);
}
