//===- LaunchFromIR.cpp - Device steps to plan file -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "codegen/PlanFile/LaunchFromIR.h"
#include "codegen/PlanFile/FromIR.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::planfile;

static ArgType typeOf(Type type) {
  if (type.isF32())
    return ArgType::F32;
  if (type.isF64())
    return ArgType::F64;
  if (type.isInteger(64))
    return ArgType::I64;
  return type.isUnsignedInteger() ? ArgType::U32 : ArgType::I32;
}

static uint64_t bitsOf(TypedAttr constant) {
  if (auto number = dyn_cast<FloatAttr>(constant))
    return number.getValue().bitcastToAPInt().getZExtValue();
  return cast<IntegerAttr>(constant).getValue().getZExtValue();
}

static LaunchArg makeArgument(ArgKind kind, int64_t index = 0) {
  LaunchArg arg;
  arg.kind = kind;
  arg.index = static_cast<uint32_t>(index);
  return arg;
}

LaunchArg opgraph::planfile::convertArgument(Attribute attribute) {
  return llvm::TypeSwitch<Attribute, LaunchArg>(attribute)
      .Case([](plan::PointerAttr pointer) {
        LaunchArg arg = makeArgument(ArgKind::Pointer, pointer.getOperand());
        if (AffineMap offset = pointer.getOffset())
          arg.expr = toExpr(offset.getResult(0));
        return arg;
      })
      .Case([](plan::ScratchAttr scratch) {
        LaunchArg arg = makeArgument(ArgKind::Scratch);
        arg.expr = toExpr(scratch.getOffset().getResult(0));
        return arg;
      })
      .Case([](plan::IntegerArgAttr integer) {
        LaunchArg arg = makeArgument(ArgKind::Integer);
        arg.type = typeOf(integer.getType());
        arg.expr = toExpr(integer.getValue().getResult(0));
        return arg;
      })
      .Case([](plan::StrideAttr stride) {
        LaunchArg arg = makeArgument(ArgKind::Stride, stride.getOperand());
        arg.type = typeOf(stride.getType());
        arg.axis = static_cast<uint32_t>(stride.getAxis());
        return arg;
      })
      .Case([](plan::ScalarAttr scalar) {
        LaunchArg arg = makeArgument(ArgKind::Scalar, scalar.getOperand());
        arg.type = typeOf(scalar.getType());
        return arg;
      })
      .Case([](plan::MapAttr map) {
        return makeArgument(ArgKind::TensorMap, map.getIndex());
      })
      .Default([](Attribute constant) {
        LaunchArg arg = makeArgument(ArgKind::Constant);
        arg.type = typeOf(cast<TypedAttr>(constant).getType());
        arg.bits = bitsOf(cast<TypedAttr>(constant));
        return arg;
      });
}

Launch opgraph::planfile::convertLaunch(plan::LaunchOp op, uint32_t kernel) {
  Launch launch;
  launch.kernel = kernel;
  launch.dependent = op.getDependent();
  for (auto [axis, extent] : llvm::enumerate(toExprs(op.getGrid()))) {
    launch.grid[axis] = extent;
    if (op.getAtMost())
      launch.grid[axis] =
          Expr::binary(ExprOp::Min, extent, Expr((*op.getAtMost())[axis]));
  }
  for (Attribute arg : op.getArgs())
    launch.args.push_back(convertArgument(arg));
  return launch;
}

TensorMap opgraph::planfile::convertTensorMap(plan::EncodeMapOp op) {
  TensorMap map;
  map.base = convertArgument(op.getBase());
  map.dtype = dtypeFromType(op.getElementType());
  map.extents = toExprs(op.getExtents());
  map.strides = toExprs(op.getStrides());
  map.box.assign(op.getBox().begin(), op.getBox().end());
  if (op.isIm2col()) {
    map.lower.assign(op.getLower()->begin(), op.getLower()->end());
    map.upper.assign(op.getUpper()->begin(), op.getUpper()->end());
    map.steps.assign(op.getSteps()->begin(), op.getSteps()->end());
  }
  map.swizzle = static_cast<Swizzle>(op.getSwizzle());
  map.fillNan = op.getFillNan();
  return map;
}
