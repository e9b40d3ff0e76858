//===- Emitter.cpp - From graph values to tensors -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Legalize/Host/Fused/Emitter.h"
#include "dialects/Graph/Layout.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "passes/Legalize/Host/Scalar/Scalar.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;
using namespace opgraph::legalize::fused;

Type fused::getWorkType(Type computeType) {
  if (computeType.isF16() || computeType.isBF16())
    return Float32Type::get(computeType.getContext());
  return computeType;
}

Extents Emitter::getExtents(Value graphValue) {
  RankedTensorType type = getType(graphValue);
  Extents extents;
  for (auto [extent, symbol] :
       llvm::zip_equal(type.getShape(), graph::getSymbols(type))) {
    if (symbol)
      extents.push_back(symbols.lookup(symbol));
    else
      extents.push_back(b.getIndexAttr(extent));
  }
  return extents;
}

Value Emitter::index(int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

Value Emitter::index(OpFoldResult value) {
  return getValueOrCreateConstantIndexOp(b, loc, value);
}

Value Emitter::constant(Type workType, double value) {
  if (isa<FloatType>(workType))
    return arith::ConstantOp::create(b, loc, b.getFloatAttr(workType, value));
  return arith::ConstantOp::create(
      b, loc, b.getIntegerAttr(workType, static_cast<int64_t>(value)));
}

Value Emitter::scalar(TypedAttr value, Type workType) {
  if (auto floating = dyn_cast<FloatAttr>(value)) {
    Value wide = arith::ConstantOp::create(
        b, loc, b.getF64FloatAttr(floating.getValueAsDouble()));
    return convertFromStorage(b, loc, wide, b.getF64Type(), workType);
  }
  APInt bits = cast<IntegerAttr>(value).getValue();
  Type type = value.getType();
  bool isUnsigned = type.isInteger(1) || type.isUnsignedInteger();
  Value wide = arith::ConstantOp::create(
      b, loc,
      b.getI64IntegerAttr(isUnsigned ? bits.getZExtValue()
                                     : bits.getSExtValue()));
  return convertFromStorage(b, loc, wide, b.getI64Type(), workType);
}

Value Emitter::empty(ArrayRef<OpFoldResult> extents, Type elementType) {
  return tensor::EmptyOp::create(b, loc, extents, elementType);
}

Value Emitter::fill(Value tensor, Value scalar) {
  return linalg::FillOp::create(b, loc, scalar, tensor).getResult(0);
}

Value Emitter::generic(ArrayRef<Operand> inputs, Operand init,
                       ArrayRef<utils::IteratorType> iterators,
                       ScalarBody body) {
  SmallVector<Value> tensors;
  SmallVector<AffineMap> maps;
  for (const Operand &input : inputs) {
    tensors.push_back(input.tensor);
    maps.push_back(input.map);
  }
  maps.push_back(init.map);
  auto op = linalg::GenericOp::create(
      b, loc, init.tensor.getType(), tensors, init.tensor, maps, iterators,
      [&](OpBuilder &nested, Location at, ValueRange args) {
        linalg::YieldOp::create(nested, at, body(nested, at, args));
      });
  return op.getResult(0);
}

Value Emitter::elementwise(ArrayRef<Operand> inputs, Value init,
                           ScalarBody body) {
  unsigned rank = cast<RankedTensorType>(init.getType()).getRank();
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  return generic(inputs, {init, identity(rank)}, iterators, body);
}

AffineMap Emitter::identity(unsigned rank) {
  return b.getMultiDimIdentityMap(rank);
}

AffineMap Emitter::broadcastMap(RankedTensorType from, RankedTensorType to) {
  int64_t lead = to.getRank() - from.getRank();
  SmallVector<AffineExpr> exprs;
  for (int64_t axis = 0; axis < from.getRank(); ++axis) {
    bool repeats =
        from.getDimSize(axis) == 1 && to.getDimSize(lead + axis) != 1;
    exprs.push_back(repeats ? b.getAffineConstantExpr(0)
                            : b.getAffineDimExpr(lead + axis));
  }
  return AffineMap::get(to.getRank(), 0, exprs, b.getContext());
}

Value Emitter::emptyFor(Value graphValue) {
  return empty(getExtents(graphValue),
               getStorageType(getType(graphValue).getElementType()));
}

Value Emitter::toWork(Value graphValue, Type computeType) {
  Type workType = getWorkType(computeType);
  RankedTensorType type = getType(graphValue);
  Value tensor = lookup(graphValue);
  if (type.getElementType() == workType && workType == computeType)
    return tensor;
  return elementwise({{tensor, identity(type.getRank())}},
                     empty(getExtents(graphValue), workType),
                     [&](OpBuilder &nested, Location at, ValueRange args) {
                       return convertOperand(nested, at, args[0],
                                             type.getElementType(), computeType,
                                             workType);
                     });
}

void Emitter::defineRounded(Value graphValue, Value workTensor) {
  RankedTensorType type = getType(graphValue);
  Type elementType = type.getElementType();
  if (cast<RankedTensorType>(workTensor.getType()).getElementType() ==
      elementType)
    return define(graphValue, workTensor);
  define(graphValue,
         elementwise(
             {{workTensor, identity(type.getRank())}}, emptyFor(graphValue),
             [&](OpBuilder &nested, Location at, ValueRange args) {
               return convertToStorage(nested, at, args[0], elementType);
             }));
}

void Emitter::defineFilled(Value graphValue, double value) {
  Type elementType = getType(graphValue).getElementType();
  Value stored =
      convertToStorage(b, loc, constant(b.getF64Type(), value), elementType);
  define(graphValue, fill(emptyFor(graphValue), stored));
}

Value Emitter::slice(Value tensor, ArrayRef<OpFoldResult> offsets,
                     ArrayRef<OpFoldResult> sizes) {
  SmallVector<OpFoldResult> steps(offsets.size(), b.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(b, loc, tensor, offsets, sizes, steps);
}
