//===- Layouts.cpp - Layout ops as places in memory -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Transforms/Layouts.h"
#include "passes/Transforms/SinkLayouts.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::graph;

static Dims packedStrides(RankedTensorType type) {
  return packedStrides(type.getShape(), rowMajorOrder(type.getRank()));
}

static ArrayRef<int64_t> stripOnes(RankedTensorType type) {
  return type.getShape().drop_while([](int64_t extent) { return extent == 1; });
}

bool opgraph::isOfLeadingAxes(ReshapeOp op) {
  return stripOnes(typeOf(op.getInput())) == stripOnes(typeOf(op.getY()));
}

bool opgraph::isOverNoAxis(ReductionOp op) {
  return typeOf(op.getInput()).getShape() == typeOf(op.getY()).getShape();
}

static MemoryView packedView(Value value) {
  return {value, packedStrides(typeOf(value)), 0};
}

/// Writes reshapes that keep the order in memory as reshapes of transposes.
void Layouts::makeLogical() {
  SmallVector<ReshapeOp> reshapes;
  for (auto op : graph.getBody().front().getOps<ReshapeOp>())
    if (op.getReshapeMode() == ReshapeMode::VIEW_ONLY)
      reshapes.push_back(op);
  for (ReshapeOp op : reshapes) {
    OpBuilder builder(op);
    RankedTensorType from = typeOf(op.getInput()), to = typeOf(op.getY());
    Type element = from.getElementType();
    Dims fromOrder = getMemoryOrder(from), toOrder = getMemoryOrder(to);
    Dims fromShape, toShape, inverse(toOrder.size());
    for (int64_t axis : fromOrder)
      fromShape.push_back(from.getDimSize(axis));
    for (auto [place, axis] : llvm::enumerate(toOrder)) {
      toShape.push_back(to.getDimSize(axis));
      inverse[axis] = static_cast<int64_t>(place);
    }
    Value value = TransposeOp::create(builder, op.getLoc(),
                                      RankedTensorType::get(fromShape, element),
                                      op.getInput(), fromOrder);
    value = ReshapeOp::create(builder, op.getLoc(),
                              RankedTensorType::get(toShape, element), value,
                              ReshapeMode::LOGICAL);
    value = TransposeOp::create(builder, op.getLoc(), to, value, inverse);
    op.getY().replaceAllUsesWith(value);
    op.erase();
  }
}

std::optional<MemoryView> Layouts::apply(Operation *op, Value value) const {
  ArrayRef<int64_t> shape = typeOf(value).getShape();
  std::optional<MemoryView> view;
  if (auto argument = dyn_cast<BlockArgument>(value))
    view = MemoryView{argument, getStrides(typeOf(value)), 0};
  else if (isLayoutOp(value.getDefiningOp()))
    view = apply(value.getDefiningOp(), value.getDefiningOp()->getOperand(0));
  if (view && op)
    view = applyOp(op, *view, shape);
  if (view)
    return view;
  auto reduction = value.getDefiningOp<ReductionOp>();
  if (!isStored(value) && !(reduction && !isOverNoAxis(reduction)))
    return std::nullopt;
  view = packedView(value);
  return op ? applyOp(op, *view, shape) : view;
}

std::optional<MemoryView> Layouts::findView(Value value) const {
  if (auto argument = dyn_cast<BlockArgument>(value))
    // A by-value operand has no memory on the device, but may be read as it is.
    return MemoryView{argument, getStrides(typeOf(value)), 0};
  Operation *op = value.getDefiningOp();
  if (isLayoutOp(op))
    if (std::optional<MemoryView> view = apply(op, op->getOperand(0))) {
      auto reshape = dyn_cast<ReshapeOp>(op);
      if (reshape && isOfLeadingAxes(reshape) &&
          !isa<BlockArgument>(view->base))
        return std::nullopt;
      return view;
    }
  if (isStored(value) && (isLayoutOp(op) || isa<ConcatenateOp>(op)))
    return packedView(value);
  return std::nullopt;
}

void Layouts::addStores(const LayoutStore &store) {
  Operation *op = store.value.getDefiningOp();
  LayoutStore inner = store;
  if (auto concatenate = dyn_cast_or_null<ConcatenateOp>(op)) {
    int64_t axis = concatenate.getAxis();
    for (Value input : concatenate.getInputs()) {
      inner.value = input;
      if (typeOf(input).getNumElements() != 0)
        addStores(inner);
      inner.offset += store.strides[axis] * typeOf(input).getDimSize(axis);
    }
    return;
  }
  if (isLayoutOp(op) && !apply(op, op->getOperand(0))) {
    inner.value = op->getOperand(0);
    if (auto transpose = dyn_cast<TransposeOp>(op)) {
      for (auto [to, from] : llvm::enumerate(transpose.getPermutation()))
        inner.strides[from] = store.strides[to];
      return addStores(inner);
    }
    if (isa<ReshapeOp>(op))
      if (std::optional<Dims> strides =
              reshapeStrides(typeOf(store.value).getShape(), store.strides,
                             typeOf(inner.value).getShape())) {
        inner.strides = *strides;
        return addStores(inner);
      }
  }
  stores.push_back(store);
}

void Layouts::store(Value value) {
  if (!stored.insert(value))
    return;
  LayoutStore whole;
  whole.value = whole.whole = value;
  whole.strides = packedStrides(typeOf(value));
  addStores(whole);
}

void Layouts::reachLayout(Operation *op) {
  Value result = op->getResult(0), operand = op->getOperand(0);
  std::optional<MemoryView> view = findView(result);
  if (view && view->base != result)
    return reach(view->base);
  // What is stored itself is read from there, but has to be computed, unless
  // stores of its operand write it.
  auto writes = [&](const LayoutStore &store) { return store.value == result; };
  if (view && llvm::none_of(stores, writes))
    return;
  if (auto reshape = dyn_cast<ReshapeOp>(op);
      reshape && isOfLeadingAxes(reshape))
    return reach(operand);
  Sinker sinker(*this, op);
  if (sinker.canSink(operand) && sinker.isCheap()) {
    Value sunk = sinker.sink(operand);
    if (!isStored(result))
      result.replaceAllUsesWith(sunk);
    for (LayoutStore &store : stores)
      if (store.value == result)
        store.value = sunk;
    return reach(sunk);
  }
  if (isa<BlockArgument>(operand)) {
    // What lies in memory already has another value for its copy.
    OpBuilder builder(op);
    RankedTensorType type = typeOf(operand);
    operand = TransposeOp::create(
        builder, op->getLoc(),
        RankedTensorType::get(type.getShape(), type.getElementType()), operand,
        rowMajorOrder(type.getRank()));
    op->setOperand(0, operand);
  }
  store(operand);
}

void Layouts::reach(Value value) {
  if (!reached.insert(value).second)
    return;
  Operation *op = value.getDefiningOp();
  if (!op)
    return;
  if (isLayoutOp(op))
    return reachLayout(op);
  if (isa<ConcatenateOp>(op))
    return store(value);
  for (Value operand : llvm::to_vector(op->getOperands()))
    reach(operand);
}

Layouts::Layouts(GraphOp graph) : graph(graph) {
  makeLogical();
  for (auto [number, value] :
       llvm::enumerate(graph.getReturn().getOperands())) {
    LayoutStore whole;
    whole.value = value;
    whole.result = static_cast<int64_t>(number);
    whole.strides =
        getStrides(cast<RankedTensorType>(graph.getResultTypes()[number]));
    addStores(whole);
  }
  // Stores of what has to pass through memory are added on the way.
  for (size_t number = 0; number < stores.size(); ++number)
    reach(Value(stores[number].value));
  dropUnread();
}

/// What was stored may since have got a view of what was stored later.
void Layouts::dropUnread() {
  llvm::DenseSet<Value> bases;
  for (Value value : reached)
    if (std::optional<MemoryView> view = findView(value))
      bases.insert(view->base);
  stored.remove_if([&](Value value) { return !bases.contains(value); });
  llvm::erase_if(stores, [&](const LayoutStore &store) {
    return store.whole && !isStored(store.whole);
  });
}
