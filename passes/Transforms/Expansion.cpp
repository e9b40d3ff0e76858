//===- Expansion.cpp - Writing an op in simpler ones ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Transforms/Expansion.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::graph;

Expansion::Expansion(IRRewriter &rewriter, ComputeTypeOpInterface op)
    : rewriter(rewriter), op(op), loc(op.getLoc()) {
  rewriter.setInsertionPoint(op);
  elementType = op.getEffectiveComputeType();
  if (!elementType.isF64()) {
    // f16 and bf16 norms compute in f32, as their definitions say, on operands
    // that have been rounded.
    if (!elementType.isF32())
      roundOperands(elementType);
    elementType = rewriter.getF32Type();
  }
  computeType = TypeAttr::get(elementType);
  flattenScalars();
}

void Expansion::flattenScalars() {
  int64_t rank = 0;
  for (Value result : op->getResults())
    rank = std::max(rank, typeOf(result).getRank());
  for (OpOperand &operand : op->getOpOperands()) {
    RankedTensorType type = typeOf(operand.get());
    if (type.getRank() <= rank)
      continue;
    auto flat = RankedTensorType::get({1}, type.getElementType());
    Value value = ReshapeOp::create(rewriter, loc, flat, operand.get(),
                                    ReshapeMode::LOGICAL);
    rewriter.modifyOpInPlace(op, [&] { operand.set(value); });
  }
}

void Expansion::roundOperands(Type narrow) {
  for (OpOperand &operand : op->getOpOperands()) {
    RankedTensorType type = typeOf(operand.get());
    if (type.getElementType() == narrow)
      continue;
    auto rounded = makePacked(rewriter.getContext(), type.getShape(), narrow,
                              getMemoryOrder(type), getSymbols(type));
    Value value = IdentityOp::create(rewriter, loc, rounded, operand.get(),
                                     TypeAttr::get(narrow));
    rewriter.modifyOpInPlace(op, [&] { operand.set(value); });
  }
}

RankedTensorType Expansion::typeFor(ValueRange operands) {
  Extents extents;
  for (Value operand : operands) {
    Extents own = getExtents(operand);
    if (own.size() > extents.size())
      extents.insert(extents.begin(), own.size() - extents.size(), Extent());
    size_t missing = extents.size() - own.size();
    for (auto [axis, extent] : llvm::enumerate(own))
      if (!extent.isOne())
        extents[missing + axis] = extent;
  }
  Dims dims, order = rowMajorOrder(extents.size());
  Symbols symbols;
  for (const Extent &extent : extents) {
    dims.push_back(extent.size);
    symbols.push_back(extent.symbol);
  }
  for (Value operand : operands)
    if (getExtents(operand) == extents) {
      order = getMemoryOrder(typeOf(operand));
      break;
    }
  return makePacked(rewriter.getContext(), dims, elementType, order, symbols);
}

Value Expansion::constant(double value, int64_t rank) {
  auto type = RankedTensorType::get(Dims(rank, 1), elementType);
  return ConstantOp::create(rewriter, loc, type,
                            rewriter.getFloatAttr(elementType, value));
}

Value Expansion::reduce(ReductionMode mode, Value x, ArrayRef<int64_t> axes) {
  Dims dims(typeOf(x).getShape());
  Symbols symbols = getSymbols(typeOf(x));
  for (int64_t axis : axes) {
    dims[axis] = 1;
    symbols[axis] = {};
  }
  auto type = makePacked(rewriter.getContext(), dims, elementType,
                         getMemoryOrder(typeOf(x)), symbols);
  return ReductionOp::create(rewriter, loc, type, x, /*group_offset=*/Value(),
                             mode, computeType);
}

Value Expansion::sumTo(Value x, Value like) {
  Extents extents = getExtents(like);
  int64_t missing = typeOf(x).getRank() - typeOf(like).getRank();
  Dims axes = llvm::to_vector<6>(llvm::seq<int64_t>(0, missing));
  for (auto [axis, extent] : llvm::enumerate(extents))
    if (extent.isOne())
      axes.push_back(missing + static_cast<int64_t>(axis));
  Value total = sum(x, axes);
  if (missing == 0)
    return total;
  auto type =
      makePacked(rewriter.getContext(), typeOf(like).getShape(), elementType,
                 rowMajorOrder(extents.size()), getSymbols(typeOf(like)));
  return ReshapeOp::create(rewriter, loc, type, total, ReshapeMode::LOGICAL);
}

void Expansion::replace(Value result, Value value) {
  rewriter.replaceAllUsesWith(
      result,
      IdentityOp::create(rewriter, loc, result.getType(), value, computeType));
}

void Expansion::finish() { rewriter.eraseOp(op); }
