//===- SinkLayouts.cpp - Layout ops before arithmetic ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Transforms/SinkLayouts.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::graph;

//===----------------------------------------------------------------------===//
// Strides
//===----------------------------------------------------------------------===//

std::optional<Dims> opgraph::reshapeStrides(ArrayRef<int64_t> from,
                                            ArrayRef<int64_t> strides,
                                            ArrayRef<int64_t> to) {
  Dims found = packedStrides(to, rowMajorOrder(to.size()));
  if (llvm::is_contained(to, 0))
    return found;
  size_t end = 0, next = 0;
  while (next < to.size()) {
    // The fewest axes of both that have as many elements.
    size_t first = end, begin = next;
    int64_t fromCount = 1, toCount = to[next++];
    while (fromCount != toCount)
      if (fromCount < toCount)
        fromCount *= from[end++];
      else
        toCount *= to[next++];
    int64_t stride = 0, inner = 1;
    for (size_t axis = end; axis-- > first;) {
      if (from[axis] == 1)
        continue;
      if (stride == 0 && inner == 1)
        stride = strides[axis];
      else if (strides[axis] != stride * inner)
        return std::nullopt;
      inner *= from[axis];
    }
    inner = 1;
    for (size_t axis = next; axis-- > begin; inner *= to[axis])
      found[axis] = stride * inner;
  }
  return found;
}

std::optional<MemoryView> opgraph::applyOp(Operation *op, MemoryView view,
                                           ArrayRef<int64_t> shape) {
  ArrayRef<int64_t> whole = typeOf(op->getOperand(0)).getShape();
  if (auto transpose = dyn_cast<TransposeOp>(op)) {
    Dims strides;
    for (int64_t axis : transpose.getPermutation())
      strides.push_back(view.strides[axis]);
    view.strides = strides;
    return view;
  }
  if (auto slice = dyn_cast<SliceOp>(op)) {
    for (auto [axis, start] : llvm::enumerate(slice.getStart())) {
      if (shape[axis] != whole[axis])
        continue;
      view.offset += start * view.strides[axis];
      view.strides[axis] *= slice.getStep()[axis];
    }
    return view;
  }
  std::optional<Dims> strides;
  if (shape == whole)
    strides = reshapeStrides(shape, view.strides,
                             typeOf(cast<ReshapeOp>(op).getY()).getShape());
  if (!strides)
    return std::nullopt;
  view.strides = *strides;
  return view;
}

/// The extents of a layout op's result, of an operand of `shape` as above.
static Dims getResultShape(Operation *op, ArrayRef<int64_t> shape) {
  ArrayRef<int64_t> whole = typeOf(op->getOperand(0)).getShape();
  Dims result(typeOf(op->getResult(0)).getShape());
  if (auto transpose = dyn_cast<TransposeOp>(op)) {
    for (auto [to, from] : llvm::enumerate(transpose.getPermutation()))
      result[to] = shape[from];
  } else if (isa<SliceOp>(op)) {
    for (auto [axis, extent] : llvm::enumerate(shape))
      if (extent != whole[axis])
        result[axis] = 1;
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Sinker
//===----------------------------------------------------------------------===//

static int64_t getBytes(Value value) {
  RankedTensorType type = typeOf(value);
  return llvm::divideCeil(
      type.getNumElements() * getStorageBits(type.getElementType()), 8);
}

/// Whether elements of the result depend on nothing but those of the operands.
static bool isElementwise(Operation *op) {
  return isa_and_nonnull<PointwiseOpInterface>(op) && !isa<GenIndexOp>(op);
}

std::optional<MemoryView> Sinker::findMemory(Value value, Dims &shape) const {
  std::optional<MemoryView> view = layouts.findMemory(value);
  RankedTensorType type = typeOf(value);
  if (!view || type.getRank() > static_cast<int64_t>(whole.size()))
    return std::nullopt;
  size_t missing = whole.size() - type.getRank();
  shape.assign(missing, 1);
  llvm::append_range(shape, type.getShape());
  view->strides.insert(view->strides.begin(), missing, 0);
  return view;
}

bool Sinker::canSink(Value value) {
  if (auto known = answers.find(value); known != answers.end())
    return known->second;
  Operation *producer = value.getDefiningOp();
  bool can = false;
  Dims shape;
  if (typeOf(value).getNumElements() == 1) {
    can = true;
  } else if (std::optional<MemoryView> view = findMemory(value, shape)) {
    can = applyOp(op, *view, shape).has_value();
    bytesWithout += getBytes(value);
    if (can)
      bytesWith +=
          getBytes(value) * typeOf(op->getResult(0)).getNumElements() /
          std::max<int64_t>(typeOf(op->getOperand(0)).getNumElements(), 1);
  } else if (auto reshape = dyn_cast_or_null<ReshapeOp>(producer);
             reshape && isOfLeadingAxes(reshape)) {
    can = canSink(reshape.getInput());
  } else if (isElementwise(producer)) {
    can = !isa<ReshapeOp>(op) ||
          typeOf(value).getShape() == ArrayRef<int64_t>(whole);
    for (Value operand : producer->getOperands())
      can = can && canSink(operand);
  }
  return answers[value] = can;
}

bool Sinker::isCheap() {
  Value operand = op->getOperand(0);
  int64_t users = llvm::count_if(operand.getUsers(), isLayoutOp);
  int64_t storing =
      (bytesWithout + getBytes(operand)) / users + getBytes(op->getResult(0));
  return bytesWith <= storing;
}

Value Sinker::sinkMemory(Value value) {
  Location loc = op->getLoc();
  RankedTensorType type = typeOf(value);
  Dims shape;
  findMemory(value, shape);
  if (type.getRank() != static_cast<int64_t>(whole.size()))
    value = ReshapeOp::create(
        builder, loc, RankedTensorType::get(shape, type.getElementType()),
        value, ReshapeMode::LOGICAL);
  auto result =
      RankedTensorType::get(getResultShape(op, shape), type.getElementType());
  if (auto transpose = dyn_cast<TransposeOp>(op))
    return TransposeOp::create(builder, loc, result, value,
                               transpose.getPermutation());
  if (isa<ReshapeOp>(op))
    return ReshapeOp::create(builder, loc, result, value, ReshapeMode::LOGICAL);
  auto slice = cast<SliceOp>(op);
  Dims start(slice.getStart()), stop(slice.getStop()), step(slice.getStep());
  for (size_t axis = 0; axis < whole.size(); ++axis)
    if (shape[axis] != whole[axis]) {
      start[axis] = 0;
      stop[axis] = step[axis] = 1;
    }
  return SliceOp::create(builder, loc, result, value, start, stop, step);
}

Value Sinker::sink(Value value) {
  if (Value known = made.lookup(value))
    return known;
  Operation *producer = value.getDefiningOp();
  Dims shape;
  Value found;
  if (typeOf(value).getNumElements() == 1 && value != op->getOperand(0)) {
    found = value;
  } else if (findMemory(value, shape)) {
    found = sinkMemory(value);
  } else if (auto reshape = dyn_cast<ReshapeOp>(producer)) {
    found = sink(reshape.getInput());
  } else {
    SmallVector<Value> operands;
    for (Value operand : producer->getOperands())
      operands.push_back(sink(operand));
    RankedTensorType type = typeOf(value);
    shape.assign(whole.size() - type.getRank(), 1);
    llvm::append_range(shape, type.getShape());
    Operation *copy = builder.clone(*producer);
    copy->setOperands(operands);
    copy->getResult(0).setType(RankedTensorType::get(getResultShape(op, shape),
                                                     type.getElementType()));
    found = copy->getResult(0);
  }
  return made[value] = found;
}
