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

/// Whether elements past the last column are zeros, as what is loaded there is.
bool RowKernel::isZeroOutside(Value value) {
  if (auto found = buffers.inputs.find(value); found != buffers.inputs.end())
    return hasColumns(value) && !buffers.list[found->second].isPacked;
  auto product = value.getDefiningOp<graph::MulOp>();
  return product && llvm::all_of(product->getOperands(), [&](Value operand) {
           return isZeroOutside(operand);
         });
}

/// Whether what is read past the last column leaves the reduction as it is.
bool RowKernel::isNeutralOutside(graph::ReductionOp op) {
  switch (op.getMode()) {
  case ReductionMode::ADD:
  case ReductionMode::AMAX:
  case ReductionMode::AVG:
  case ReductionMode::NORM1:
  case ReductionMode::NORM2:
  case ReductionMode::MUL_NO_ZEROS:
    return !space.isShifted && isZeroOutside(op.getInput());
  default:
    return false;
  }
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
