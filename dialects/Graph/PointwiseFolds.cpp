//===- PointwiseFolds.cpp - Local identities of pointwise ops -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only identities that hold bit for bit (NaN for NaN), for every operand and
// every engine.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Extents.h"
#include "dialects/Graph/GraphDialect.h"

using namespace mlir;
using namespace opgraph::graph;

/// Whether every value of `elementType` converts to `computeType` and back
/// without change.
static bool isExactIn(Type elementType, Type computeType) {
  if (elementType == computeType)
    return true;
  // Stores saturate, so an infinity does not come back.
  if (isa<Float8E5M2Type>(elementType))
    return false;
  if (auto integer = dyn_cast<IntegerType>(elementType)) {
    unsigned bits = integer.getWidth();
    if (auto compute = dyn_cast<IntegerType>(computeType))
      return compute.getWidth() > bits;
    // The significand of a signed type needs one bit less, for the sign.
    auto compute = cast<FloatType>(computeType);
    return bits <= compute.getFPMantissaWidth();
  }
  if (!isa<FloatType>(computeType))
    return false;
  // A scale has the exponents of f32, but half of its width.
  if (isa<Float8E8M0FNUType>(elementType))
    return !computeType.isF16();
  // Wider formats hold all of a narrower one, but for f16 and bf16, of which
  // neither holds the other.
  return elementType.getIntOrFloatBitWidth() <
         computeType.getIntOrFloatBitWidth();
}

/// Whether `op` leaves an element unchanged that its function leaves unchanged.
static bool isExact(ComputeTypeOpInterface op, Type elementType) {
  return isExactIn(elementType, op.getEffectiveComputeType());
}

/// The operand of an identity function, if `result` may be replaced by it.
static OpFoldResult forward(Value operand, Value result) {
  if (operand.getType() != result.getType() || isReturned(result))
    return {};
  return operand;
}

OpFoldResult IdentityOp::fold(FoldAdaptor) {
  if (!isExact(*this, getInput().getType().getElementType()))
    return {};
  return forward(getInput(), getOut());
}

OpFoldResult NegOp::fold(FoldAdaptor) {
  auto inner = getInput().getDefiningOp<NegOp>();
  if (!inner)
    return {};
  Value input = inner.getInput();
  Type elementType = inner.getInput().getType().getElementType();
  // Saturation breaks -(-x) for the least value of an integer that is computed
  // in floating point, a negative boolean is true, and no scale is negative.
  Type innerType = inner.getEffectiveComputeType();
  Type outerType = getEffectiveComputeType();
  bool isInteger = isa<IntegerType>(elementType);
  if (elementType.isInteger(1) || isa<Float8E8M0FNUType>(elementType) ||
      isInteger != isa<IntegerType>(innerType) ||
      isInteger != isa<IntegerType>(outerType))
    return {};
  if (inner.getOut().getType().getElementType() != elementType ||
      !isExactIn(elementType, innerType) || !isExactIn(elementType, outerType))
    return {};
  return forward(input, getOut());
}

OpFoldResult LogicalNotOp::fold(FoldAdaptor) {
  auto inner = getInput().getDefiningOp<LogicalNotOp>();
  if (!inner || !inner.getInput().getType().getElementType().isInteger(1))
    return {};
  // 0 and 1 convert to every type and stay what they are.
  return forward(inner.getInput(), getOut());
}

/// Whether `value` is a constant 1.
static bool isOne(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  if (!constant)
    return false;
  if (auto number = dyn_cast<FloatAttr>(constant.getValue()))
    return number.getValue().isExactlyValue(1.0);
  auto number = dyn_cast<IntegerAttr>(constant.getValue());
  return number && number.getValue().isOne();
}

OpFoldResult MulOp::fold(FoldAdaptor) {
  if (isOne(getB()) && isExact(*this, getA().getType().getElementType()))
    return forward(getA(), getOut());
  if (isOne(getA()) && isExact(*this, getB().getType().getElementType()))
    return forward(getB(), getOut());
  return {};
}

OpFoldResult ScaleOp::fold(FoldAdaptor) {
  if (isOne(getScale()) &&
      isExact(*this, getInput().getType().getElementType()))
    return forward(getInput(), getOut());
  return {};
}

OpFoldResult DivOp::fold(FoldAdaptor) {
  if (isOne(getB()) && isExact(*this, getA().getType().getElementType()))
    return forward(getA(), getOut());
  return {};
}
