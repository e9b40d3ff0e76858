//===- Views.cpp - Values that are memory of an argument ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Legalize/NVPTX/Pointwise/Views.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize::nvptx;

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// Whether elements follow one another in row-major order.
static bool isRowMajor(ArrayRef<int64_t> shape, ArrayRef<int64_t> strides) {
  graph::Dims packed =
      graph::packedStrides(shape, graph::rowMajorOrder(shape.size()));
  for (auto [extent, stride, want] : llvm::zip_equal(shape, strides, packed))
    if (extent != 1 && stride != want)
      return false;
  return true;
}

static std::optional<ArgumentView> transpose(graph::TransposeOp op,
                                             ArgumentView view) {
  graph::Dims strides;
  for (int64_t axis : op.getPermutation())
    strides.push_back(view.strides[axis]);
  view.strides = strides;
  return view;
}

static std::optional<ArgumentView> slice(graph::SliceOp op, ArgumentView view) {
  for (auto [axis, start] : llvm::enumerate(op.getStart())) {
    view.offset += start * view.strides[axis];
    view.strides[axis] *= op.getStep()[axis];
  }
  return view;
}

static std::optional<ArgumentView> reshape(graph::ReshapeOp op,
                                           ArgumentView view) {
  ArrayRef<int64_t> to = typeOf(op.getY()).getShape();
  if (!isRowMajor(typeOf(op.getInput()).getShape(), view.strides))
    return std::nullopt;
  view.strides = graph::packedStrides(to, graph::rowMajorOrder(to.size()));
  return view;
}

std::optional<ArgumentView> opgraph::legalize::nvptx::findView(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    // A by-value operand has no memory on the device, but may be read as it is.
    return ArgumentView{argument, graph::getStrides(typeOf(value)), 0};
  Operation *op = value.getDefiningOp();
  if (!isa<graph::TransposeOp, graph::SliceOp, graph::ReshapeOp>(op))
    return std::nullopt;
  std::optional<ArgumentView> view = findView(op->getOperand(0));
  if (!view)
    return std::nullopt;
  return llvm::TypeSwitch<Operation *, std::optional<ArgumentView>>(op)
      .Case([&](graph::TransposeOp typed) { return transpose(typed, *view); })
      .Case([&](graph::SliceOp typed) { return slice(typed, *view); })
      .Case([&](graph::ReshapeOp typed) { return reshape(typed, *view); });
}
