//===- SizeBounds.cpp - Sizes as expressions of a plan's symbols ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "codegen/Host/SizeBounds.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::codegen;

static BoundKind flip(BoundKind kind) {
  if (kind == BoundKind::Exact)
    return kind;
  return kind == BoundKind::Lower ? BoundKind::Upper : BoundKind::Lower;
}

plan::ProgramOp codegen::findProgram(Operation *module, StringRef entry) {
  plan::ProgramOp found;
  module->walk([&](plan::HostCallOp call) {
    if (call.getCallee() == entry)
      found = call->getParentOfType<plan::ProgramOp>();
  });
  return found;
}

SizeBounds::SizeBounds(plan::ProgramOp program, FunctionOpInterface function)
    : context(program.getContext()), function(function),
      symbols(program.getSymbols()), operands(program.getOperandDecls()) {}

std::optional<AffineExpr> SizeBounds::combine(AffineExprKind op, Bound lhs,
                                              Bound rhs) {
  if (!lhs || !rhs)
    return std::nullopt;
  return simplifyAffineExpr(getAffineBinaryOpExpr(op, *lhs, *rhs), 0,
                            symbols.size());
}

std::optional<AffineExpr> SizeBounds::boundFoldResult(OpFoldResult value,
                                                      BoundKind kind) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return getAffineConstantExpr(*constant, context);
  return bound(cast<Value>(value), kind);
}

/// Bounds of a minimum or maximum. Of several upper bounds of a minimum, a
/// constant is preferred; a maximum of unlike values is bounded by their sum.
std::optional<AffineExpr> SizeBounds::boundMinMax(ArrayRef<Bound> values,
                                                  bool isMin, BoundKind kind) {
  Bound result;
  for (const Bound &value : values) {
    if (!value) {
      // An unknown term only drops out on the side where others suffice.
      if ((isMin && kind == BoundKind::Upper) ||
          (!isMin && kind == BoundKind::Lower))
        continue;
      return std::nullopt;
    }
    auto constant = dyn_cast<AffineConstantExpr>(*value);
    auto sofar = result ? dyn_cast<AffineConstantExpr>(*result) : nullptr;
    if (!result || *result == *value) {
      result = value;
    } else if (constant && sofar) {
      int64_t a = constant.getValue(), b = sofar.getValue();
      result = getAffineConstantExpr(isMin ? std::min(a, b) : std::max(a, b),
                                     context);
    } else if (kind == BoundKind::Exact) {
      return std::nullopt;
    } else if (isMin == (kind == BoundKind::Upper)) {
      if (constant)
        result = value;
    } else if (isMin) {
      result = getAffineConstantExpr(0, context);
    } else {
      result = combine(AffineExprKind::Add, result, value);
    }
  }
  return result;
}

std::optional<AffineExpr> SizeBounds::boundMap(AffineExpr expr,
                                               ValueRange operands,
                                               unsigned numDims,
                                               BoundKind kind) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return expr;
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return bound(operands[dim.getPosition()], kind);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return bound(operands[numDims + symbol.getPosition()], kind);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  AffineExpr lhs = binary.getLHS(), rhs = binary.getRHS();
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return combine(expr.getKind(), boundMap(lhs, operands, numDims, kind),
                   boundMap(rhs, operands, numDims, kind));
  case AffineExprKind::Mul: {
    auto factor = dyn_cast<AffineConstantExpr>(rhs);
    BoundKind side = factor && factor.getValue() < 0 ? flip(kind) : kind;
    return combine(expr.getKind(), boundMap(lhs, operands, numDims, side),
                   boundMap(rhs, operands, numDims, kind));
  }
  case AffineExprKind::FloorDiv:
  case AffineExprKind::CeilDiv:
    return combine(expr.getKind(), boundMap(lhs, operands, numDims, kind),
                   boundMap(rhs, operands, numDims, BoundKind::Exact));
  default: {
    Bound divisor = boundMap(rhs, operands, numDims, BoundKind::Exact);
    if (kind == BoundKind::Exact)
      return combine(AffineExprKind::Mod,
                     boundMap(lhs, operands, numDims, kind), divisor);
    if (kind == BoundKind::Lower)
      return getAffineConstantExpr(0, context);
    return combine(AffineExprKind::Add, divisor,
                   getAffineConstantExpr(-1, context));
  }
  }
}

/// Bounds of integer arithmetic, through the map that says the same.
std::optional<AffineExpr> SizeBounds::boundArith(Operation *op,
                                                 BoundKind kind) {
  AffineExpr d0 = getAffineDimExpr(0, context);
  AffineExpr d1 = getAffineDimExpr(1, context);
  AffineExpr expr;
  if (isa<arith::AddIOp>(op))
    expr = d0 + d1;
  else if (isa<arith::MulIOp>(op))
    expr = getAffineBinaryOpExpr(AffineExprKind::Mul, d0, d1);
  else if (isa<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp>(op))
    expr = getAffineBinaryOpExpr(AffineExprKind::FloorDiv, d0, d1);
  else if (isa<arith::CeilDivSIOp, arith::CeilDivUIOp>(op))
    expr = getAffineBinaryOpExpr(AffineExprKind::CeilDiv, d0, d1);
  else if (isa<arith::RemSIOp, arith::RemUIOp>(op))
    expr = getAffineBinaryOpExpr(AffineExprKind::Mod, d0, d1);
  if (expr)
    return boundMap(expr, op->getOperands(), 2, kind);
  if (isa<arith::SubIOp>(op)) {
    Bound rhs = bound(op->getOperand(1), flip(kind));
    if (!rhs)
      return std::nullopt;
    return combine(AffineExprKind::Add, bound(op->getOperand(0), kind),
                   *rhs * -1);
  }
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
          arith::ExtUIOp>(op))
    return bound(op->getOperand(0), kind);
  bool isMin = isa<arith::MinSIOp, arith::MinUIOp>(op);
  if (!isMin && !isa<arith::MaxSIOp, arith::MaxUIOp>(op))
    return std::nullopt;
  Bound values[] = {bound(op->getOperand(0), kind),
                    bound(op->getOperand(1), kind)};
  return boundMinMax(values, isMin, kind);
}

/// An induction variable lies within its loop's bounds.
std::optional<AffineExpr> SizeBounds::boundArgument(BlockArgument argument,
                                                    BoundKind kind) {
  auto loop = dyn_cast<LoopLikeOpInterface>(argument.getOwner()->getParentOp());
  if (!loop || kind == BoundKind::Exact)
    return std::nullopt;
  std::optional<SmallVector<Value>> ivs = loop.getLoopInductionVars();
  std::optional<SmallVector<OpFoldResult>> lower = loop.getLoopLowerBounds();
  std::optional<SmallVector<OpFoldResult>> upper = loop.getLoopUpperBounds();
  if (!ivs || !lower || !upper)
    return std::nullopt;
  for (auto [iv, lb, ub] : llvm::zip_equal(*ivs, *lower, *upper)) {
    if (iv != argument)
      continue;
    if (kind == BoundKind::Lower)
      return boundFoldResult(lb, kind);
    return combine(AffineExprKind::Add, boundFoldResult(ub, kind),
                   getAffineConstantExpr(-1, context));
  }
  return std::nullopt;
}

std::optional<AffineExpr> SizeBounds::bound(Value value, BoundKind kind) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return getAffineConstantExpr(*constant, context);
  if (auto argument = dyn_cast<BlockArgument>(value))
    return boundArgument(argument, kind);
  Operation *op = value.getDefiningOp();
  if (auto dim = dyn_cast<memref::DimOp>(op)) {
    std::optional<int64_t> axis = dim.getConstantIndex();
    return axis ? boundExtent(dim.getSource(), *axis, kind) : std::nullopt;
  }
  if (auto metadata = dyn_cast<memref::ExtractStridedMetadataOp>(op)) {
    unsigned number = cast<OpResult>(value).getResultNumber();
    unsigned rank = metadata.getSource().getType().getRank();
    if (number < 2 || number >= 2 + rank)
      return std::nullopt;
    return boundExtent(metadata.getSource(), number - 2, kind);
  }
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return boundMap(apply.getAffineMap().getResult(0), apply.getMapOperands(),
                    apply.getAffineMap().getNumDims(), kind);
  if (isa<affine::AffineMinOp, affine::AffineMaxOp>(op)) {
    AffineMap map = op->getAttrOfType<AffineMapAttr>("map").getValue();
    SmallVector<Bound> values;
    for (AffineExpr expr : map.getResults())
      values.push_back(
          boundMap(expr, op->getOperands(), map.getNumDims(), kind));
    return boundMinMax(values, isa<affine::AffineMinOp>(op), kind);
  }
  return boundArith(op, kind);
}

std::optional<AffineExpr> SizeBounds::boundExtent(Value memref, int64_t axis,
                                                  BoundKind kind) {
  auto type = dyn_cast<MemRefType>(memref.getType());
  if (!type || axis >= type.getRank())
    return std::nullopt;
  if (!type.isDynamicDim(axis))
    return getAffineConstantExpr(type.getDimSize(axis), context);
  if (auto argument = dyn_cast<BlockArgument>(memref)) {
    bool isOperand = argument.getOwner()->getParentOp() == function &&
                     argument.getArgNumber() < operands.size();
    if (!isOperand)
      return std::nullopt;
    AffineMap extents = operands[argument.getArgNumber()].getExtents();
    if (axis >= extents.getNumResults())
      return std::nullopt;
    return extents.getResult(axis);
  }
  Operation *op = memref.getDefiningOp();
  if (auto cast = dyn_cast<memref::CastOp>(op))
    return boundExtent(cast.getSource(), axis, kind);
  if (isa<memref::AllocOp, memref::AllocaOp, memref::ViewOp>(op)) {
    ValueRange sizes =
        isa<memref::ViewOp>(op) ? cast<memref::ViewOp>(op).getSizes()
        : isa<memref::AllocOp>(op)
            ? ValueRange(cast<memref::AllocOp>(op).getDynamicSizes())
            : ValueRange(cast<memref::AllocaOp>(op).getDynamicSizes());
    return bound(sizes[type.getDynamicDimIndex(axis)], kind);
  }
  if (auto expand = dyn_cast<memref::ExpandShapeOp>(op))
    return boundFoldResult(expand.getMixedOutputShape()[axis], kind);
  if (auto collapse = dyn_cast<memref::CollapseShapeOp>(op)) {
    Bound product = getAffineConstantExpr(1, context);
    for (int64_t part : collapse.getReassociationIndices()[axis])
      product = combine(AffineExprKind::Mul, product,
                        boundExtent(collapse.getSrc(), part, kind));
    return product;
  }
  if (auto subview = dyn_cast<memref::SubViewOp>(op)) {
    llvm::SmallBitVector dropped = subview.getDroppedDims();
    int64_t kept = 0;
    for (auto [index, size] : llvm::enumerate(subview.getMixedSizes()))
      if (!dropped.test(index) && kept++ == axis)
        return boundFoldResult(size, kind);
  }
  return std::nullopt;
}

/// The value of symbol `symbol`, from the descriptor that binds it.
static Value materializeSymbol(OpBuilder &builder, Location loc,
                               plan::SymbolOp symbol, ValueRange arguments) {
  Value memref = arguments[symbol.getOperandIndex()];
  int64_t axis = symbol.getAxis();
  if (symbol.getSource() == plan::SymbolSource::Extent)
    return memref::DimOp::create(builder, loc, memref, axis);
  auto metadata =
      memref::ExtractStridedMetadataOp::create(builder, loc, memref);
  return metadata.getStrides()[axis];
}

Value codegen::materializeSize(OpBuilder &builder, Location loc,
                               AffineExpr expr, plan::ProgramOp program,
                               ValueRange arguments) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return arith::ConstantIndexOp::create(builder, loc, constant.getValue());
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return materializeSymbol(
        builder, loc, program.getSymbols()[symbol.getPosition()], arguments);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Value lhs =
      materializeSize(builder, loc, binary.getLHS(), program, arguments);
  Value rhs =
      materializeSize(builder, loc, binary.getRHS(), program, arguments);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return arith::AddIOp::create(builder, loc, lhs, rhs);
  case AffineExprKind::Mul:
    return arith::MulIOp::create(builder, loc, lhs, rhs);
  case AffineExprKind::FloorDiv:
    return arith::FloorDivSIOp::create(builder, loc, lhs, rhs);
  case AffineExprKind::CeilDiv:
    return arith::CeilDivSIOp::create(builder, loc, lhs, rhs);
  default:
    return arith::RemSIOp::create(builder, loc, lhs, rhs);
  }
}
