//===- KernelArguments.cpp - Parameters of a kernel and its launch --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Legalize/NVPTX/Pointwise/KernelArguments.h"
#include "passes/Legalize/Host/Scalar/Scalar.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;
using namespace opgraph::legalize::nvptx;

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
  if (buffer.operand >= 0)
    return add(
        type, plan::PointerAttr::get(
                  context, buffer.operand,
                  buffer.operandOffset
                      ? AffineMap::getConstantMap(buffer.operandOffset, context)
                      : AffineMap()));
  return add(type, plan::ScratchAttr::get(
                       context, AffineMap::getConstantMap(
                                    buffer.workspaceOffset, context)));
}

Value KernelArguments::addScalar(int64_t operand, Type type) {
  return add(type, plan::ScalarAttr::get(type.getContext(), operand, type));
}

Value KernelArguments::addI32(int64_t value) {
  Builder builder(body.getParentOp()->getContext());
  return add(builder.getI32Type(), builder.getI32IntegerAttr(value));
}

Value KernelArguments::addI64(int64_t value) {
  Builder builder(body.getParentOp()->getContext());
  return add(builder.getI64Type(), builder.getI64IntegerAttr(value));
}

ArrayAttr KernelArguments::getLaunchArguments() const {
  return ArrayAttr::get(body.getParentOp()->getContext(), arguments);
}
