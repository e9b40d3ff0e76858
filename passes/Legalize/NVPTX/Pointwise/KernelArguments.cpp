//===- KernelArguments.cpp - Parameters of a kernel and its launch --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Legalize/NVPTX/Pointwise/KernelArguments.h"
#include "passes/Legalize/Host/Scalar/Scalar.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;
using namespace opgraph::legalize::nvptx;

AffineMap opgraph::legalize::nvptx::getMap(AffineExpr formula) {
  return AffineMap::inferFromExprList({ArrayRef(formula)}, formula.getContext())
      .front();
}

static bool isConstant(AffineExpr formula, int64_t value) {
  auto constant = dyn_cast<AffineConstantExpr>(formula);
  return constant && constant.getValue() == value;
}

Value KernelArguments::add(Type type, Attribute argument) {
  arguments.push_back(argument);
  return body.addArgument(type, body.getParentOp()->getLoc());
}

Value KernelArguments::addPointer(const Buffer &buffer) {
  MLIRContext *context = buffer.elementType.getContext();
  auto type =
      tile::PtrType::get(context, getStorageType(buffer.elementType),
                         std::min<int64_t>(buffer.alignment, 16),
                         /*readonly=*/!buffer.isWritten && buffer.operand >= 0);
  AffineExpr offset = buffer.offset;
  if (!offset)
    offset = getAffineConstantExpr(
        buffer.operand >= 0 ? buffer.operandOffset : 0, context);
  if (buffer.operand < 0)
    return add(type, plan::ScratchAttr::get(
                         context, getMap(formulas.get(buffer.workspaceOffset) +
                                         offset)));
  bool isFirst = isConstant(offset, 0);
  return add(type,
             plan::PointerAttr::get(context, buffer.operand,
                                    isFirst ? AffineMap() : getMap(offset)));
}

Value KernelArguments::addScalar(int64_t operand, Type type) {
  return add(type, plan::ScalarAttr::get(type.getContext(), operand, type));
}

Value KernelArguments::addInteger(AffineExpr formula, Type type) {
  if (auto constant = dyn_cast<AffineConstantExpr>(formula))
    return add(type, IntegerAttr::get(type, constant.getValue()));
  return add(type, plan::IntegerArgAttr::get(type.getContext(), getMap(formula),
                                             type));
}

/// Products of symbols, each of which has a range of its own, are refused where
/// a tile that reaches past the last element has no i32 coordinates: execution
/// finds that the parameter cannot hold them.
static AffineExpr refuseLarge(AffineExpr formula) {
  if (formula.getKind() != AffineExprKind::Mul)
    return formula;
  return formula + formula.floorDiv(kLongestSide + 1) * (int64_t(1) << 31);
}

Value KernelArguments::addI32(int64_t value) {
  Type type = IntegerType::get(body.getParentOp()->getContext(), 32);
  AffineExpr formula = refuseLarge(formulas.get(value));
  return addInteger(formula, type);
}

Value KernelArguments::addI64(int64_t value) {
  Type type = IntegerType::get(body.getParentOp()->getContext(), 64);
  return addInteger(formulas.get(value), type);
}

Value KernelArguments::addConstant(int64_t value) {
  Type type = IntegerType::get(body.getParentOp()->getContext(), 64);
  return add(type, IntegerAttr::get(type, value));
}

ArrayAttr KernelArguments::getLaunchArguments() const {
  return ArrayAttr::get(body.getParentOp()->getContext(), arguments);
}
