//===- RowTails.cpp - Columns past the last one ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/Legalize/Host/Scalar/Reduction.h"
#include "passes/Legalize/NVPTX/Pointwise/RowKernel.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;
using namespace opgraph::legalize::nvptx;
using graph::ReductionMode;

/// Columns past the last are in the last tile only.
bool RowKernel::hasTail() const {
  int64_t whole = space.tileColumns;
  return space.numColumns == 0 ||
         arguments.formulas.isDynamic(space.numColumns) || space.isShifted ||
         space.numColumns % whole != 0;
}

/// What elements outside of the row are, by what is loaded there.
RowKernel::Outside RowKernel::getOutside(Value value) {
  if (auto found = buffers.inputs.find(value); found != buffers.inputs.end()) {
    if (!hasColumns(value) || buffers.list[found->second].isPacked)
      return Outside::Unknown;
    return isLeastOutside && isShifted(found->second) ? Outside::Least
                                                      : Outside::Zero;
  }
  Operation *op = value.getDefiningOp();
  if (auto product = dyn_cast_or_null<graph::MulOp>(op))
    return llvm::all_of(product->getOperands(),
                        [&](Value operand) {
                          return getOutside(operand) == Outside::Zero;
                        })
               ? Outside::Zero
               : Outside::Unknown;
  if (auto difference = dyn_cast_or_null<graph::SubOp>(op))
    return getOutside(difference->getOperand(0)) == Outside::Least &&
                   !hasColumns(difference->getOperand(1))
               ? Outside::Least
               : Outside::Unknown;
  if (auto power = dyn_cast_or_null<graph::ExpOp>(op))
    return getOutside(power->getOperand(0)) == Outside::Least
               ? Outside::Zero
               : Outside::Unknown;
  return Outside::Unknown;
}

/// Whether what is read outside of the row leaves the reduction as it is.
bool RowKernel::isNeutralOutside(graph::ReductionOp op) {
  // A walk's first chunk begins with another row's elements.
  if (space.isShifted && space.isLooped)
    return false;
  switch (op.getMode()) {
  case ReductionMode::ADD:
  case ReductionMode::AMAX:
  case ReductionMode::AVG:
  case ReductionMode::NORM1:
  case ReductionMode::NORM2:
  case ReductionMode::MUL_NO_ZEROS:
    return getOutside(op.getInput()) == Outside::Zero;
  case ReductionMode::MAX:
    return getOutside(op.getInput()) == Outside::Least;
  default:
    return false;
  }
}

/// Rows of which a maximum is wanted, as softmax wants it, are as if they went
/// on with the least number, where that suits the other reductions.
void RowKernel::chooseOutside() {
  auto isOfFloats = [&](unsigned index) {
    return isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(
        buffers.list[index].elementType);
  };
  isLeastOutside = true;
  for (unsigned index = 0; index < buffers.list.size(); ++index)
    if (isShifted(index) && !buffers.list[index].isWritten)
      isLeastOutside &= isOfFloats(index);
  isLeastOutside = isLeastOutside &&
                   llvm::all_of(spec.reductions, [&](graph::ReductionOp op) {
                     return isNeutralOutside(op);
                   });
}

/// `x` where the element is a column of the space, else what is neutral.
Value RowKernel::selectInside(OpBuilder &builder, Value x, ReductionMode mode) {
  Location loc = b.getLoc();
  Value at = tile::CoordOp::create(builder, loc, getReducedAxis()), isInside;
  int64_t bits =
      space.isAcross || space.isShifted || space.numColumns % space.vector != 0
          ? 0
          : llvm::Log2_64(space.vector);
  if (bits == 0) {
    at = arith::AddIOp::create(builder, loc, at, column);
    isInside = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                     at, numColumns);
  } else {
    // Vectors are inside as a whole: what they have in common is computed once.
    Value left = arith::SubIOp::create(b, numColumns, column);
    left = arith::ShRSIOp::create(b, left, i32(bits));
    Value shift = arith::ConstantOp::create(builder, loc,
                                            builder.getI32IntegerAttr(bits));
    at = arith::ShRUIOp::create(builder, loc, at, shift);
    isInside = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                     at, left);
  }
  Value neutral =
      arith::ConstantOp::create(builder, loc, getNeutral(mode, x.getType()));
  return arith::SelectOp::create(builder, loc, isInside, x, neutral);
}
