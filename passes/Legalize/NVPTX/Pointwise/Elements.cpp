//===- Elements.cpp - Elements in memory and in arithmetic ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Legalize/NVPTX/Pointwise/Elements.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace opgraph::legalize;

/// 8-bit floats whose conversions arith has, by the graph's rules.
static bool isByteFloat(Type type) {
  return isa<Float8E4M3FNType, Float8E5M2Type, Float8E8M0FNUType>(type);
}

Value nvptx::readOperand(OpBuilder &builder, Location loc, Value stored,
                         Type elementType, Type computeType, Type workType) {
  // A narrow compute type holds no e8m0.
  bool isExact =
      computeType == workType ||
      (isa<FloatType>(computeType) && !isa<Float8E8M0FNUType>(elementType));
  if (!isByteFloat(elementType) || !workType.isF32() || !isExact)
    return convertOperand(builder, loc, stored, elementType, computeType,
                          workType);
  Value code = arith::BitcastOp::create(builder, loc, elementType, stored);
  return arith::ExtFOp::create(builder, loc, workType, code);
}

Value nvptx::writeElement(OpBuilder &builder, Location loc, Value value,
                          Type elementType) {
  if (!isByteFloat(elementType) || !value.getType().isF32())
    return convertToStorage(builder, loc, value, elementType);
  Value code = arith::TruncFOp::create(builder, loc, elementType, value);
  return arith::BitcastOp::create(builder, loc, getStorageType(elementType),
                                  code);
}
