//===- DynamicGraph.cpp - A graph of symbols as graphs of numbers ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Legalize/NVPTX/Pointwise/DynamicGraph.h"
#include "dialects/Graph/Extents.h"
#include "dialects/Graph/Layout.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "passes/Transforms/Expansion.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize::nvptx;

DynamicGraph::DynamicGraph(graph::GraphOp graph, plan::ProgramOp program)
    : graph(graph) {
  int64_t numArguments = graph.getNumArguments();
  auto typeOfOperand = [&](int64_t operand) {
    return cast<RankedTensorType>(
        operand < numArguments
            ? graph.getArgumentTypes()[operand]
            : graph.getResultTypes()[operand - numArguments]);
  };
  for (auto [number, op] : llvm::enumerate(program.getSymbols())) {
    auto operand = static_cast<int64_t>(op.getOperandIndex());
    auto axis = static_cast<int64_t>(op.getAxis());
    ShapeSymbol symbol;
    symbol.isStride = op.getSource() == plan::SymbolSource::Stride;
    symbol.declared = op.getDefaultValue();
    symbols.push_back(symbol);
    if (symbol.isStride)
      strides[{operand, axis}] = number;
    else
      extents[graph::getSymbols(typeOfOperand(operand))[axis]] = number;
  }
  int64_t numOperands = numArguments + graph.getNumResults();
  for (int64_t operand = 0; operand < numOperands; ++operand)
    noteOperand(typeOfOperand(operand), operand, operand >= numArguments);
  Block &body = graph.getBody().front();
  for (Type type : body.getArgumentTypes())
    noteNumbers(cast<RankedTensorType>(type));
  for (Operation &op : body)
    for (Type type : op.getResultTypes())
      noteNumbers(cast<RankedTensorType>(type));
}

void DynamicGraph::noteOperand(RankedTensorType type, int64_t operand,
                               bool isResult) {
  graph::LayoutAttr layout = graph::getLayout(type);
  if (!layout || layout.getStrides().empty())
    return;
  // A stride that nobody declared: as in a row-major tensor.
  constexpr int64_t kUnknown = int64_t(1) << 40;
  SmallVector<std::tuple<int64_t, int64_t, StridedAxis>> axes;
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    StridedAxis found;
    found.extent = type.getDimSize(axis);
    if (type.isDynamicDim(axis))
      found.extentSymbol = extents.lookup(graph::getSymbols(type)[axis]);
    found.stride = layout.getStrides()[axis];
    int64_t key = found.stride;
    if (ShapedType::isDynamic(found.stride)) {
      found.strideSymbol = strides.lookup({operand, axis});
      key = symbols[found.strideSymbol].declared.value_or(kUnknown - axis);
    }
    axes.push_back({key, axis, found});
  }
  llvm::sort(axes, [](const auto &a, const auto &b) {
    return std::tie(std::get<0>(a), std::get<1>(a)) <
           std::tie(std::get<0>(b), std::get<1>(b));
  });
  SmallVector<StridedAxis> &own = operands.emplace_back();
  for (const auto &[key, number, axis] : axes)
    own.push_back(axis);
  if (isResult)
    noteOverlaps(own);
}

/// What a stride that is a number steps over has room for as many.
void DynamicGraph::noteOverlaps(ArrayRef<StridedAxis> axes) {
  for (auto [axis, next] : llvm::zip(axes, axes.drop_front())) {
    if (axis.extentSymbol < 0 || axis.stride <= 0 || next.strideSymbol >= 0 ||
        next.extent == 1)
      continue;
    int64_t &most = symbols[axis.extentSymbol].most;
    most = std::min(most, next.stride / axis.stride);
  }
}

void DynamicGraph::noteNumbers(RankedTensorType type) {
  graph::Dims own = graph::getStrides(type);
  llvm::append_range(own, type.getShape());
  for (int64_t number : own)
    if (!ShapedType::isDynamic(number) && number > 1)
      numbers.push_back(number);
}

void DynamicGraph::noteReduced(ArrayRef<int64_t> values) {
  OwningOpRef<graph::GraphOp> instance = instantiate(values);
  if (!instance)
    return;
  if (OwningOpRef<graph::GraphOp> basic = expandAll(*instance))
    instance = std::move(basic);
  for (auto op : instance->getBody().front().getOps<graph::ReductionOp>())
    for (auto [from, to] :
         llvm::zip_equal(graph::typeOf(op.getInput()).getShape(),
                         graph::typeOf(op.getY()).getShape()))
      for (auto [symbol, value] : llvm::zip_equal(symbols, values))
        symbol.isReduced |= from != to && from % value == 0;
}

RankedTensorType DynamicGraph::instantiate(RankedTensorType type,
                                           int64_t operand,
                                           ArrayRef<int64_t> values) const {
  graph::LayoutAttr layout = graph::getLayout(type);
  ArrayRef<int64_t> declared =
      layout ? layout.getStrides() : ArrayRef<int64_t>();
  if (type.hasStaticShape() && llvm::none_of(declared, ShapedType::isDynamic))
    return type;
  graph::Dims shape(type.getShape());
  for (auto [extent, symbol] : llvm::zip_equal(shape, graph::getSymbols(type)))
    if (symbol)
      extent = values[extents.lookup(symbol)];
  graph::Symbols none(shape.size());
  graph::Dims order = graph::getMemoryOrder(type);
  RankedTensorType packed = graph::makePacked(
      type.getContext(), shape, type.getElementType(), order, none);
  if (declared.empty() || operand < 0)
    return packed;
  graph::Dims steps(declared);
  for (auto [axis, step] : llvm::enumerate(steps))
    if (ShapedType::isDynamic(step))
      step = values[strides.lookup({operand, static_cast<int64_t>(axis)})];
  return graph::makeStrided(shape, type.getElementType(), steps, none);
}

/// The end of an axis whose extent is a symbol is -1.
static void spellStops(graph::SliceOp op) {
  SmallVector<int64_t> stops(op.getStop());
  for (auto [stop, extent] :
       llvm::zip_equal(stops, graph::typeOf(op.getInput()).getShape()))
    if (stop == -1)
      stop = extent;
  op.setStop(stops);
}

OwningOpRef<graph::GraphOp>
DynamicGraph::instantiate(ArrayRef<int64_t> values) {
  OwningOpRef<graph::GraphOp> copy = cast<graph::GraphOp>(graph->clone());
  Block &body = copy->getBody().front();
  llvm::DenseMap<Value, int64_t> operands;
  for (BlockArgument argument : body.getArguments())
    operands[argument] = argument.getArgNumber();
  for (auto [number, value] :
       llvm::enumerate(body.getTerminator()->getOperands()))
    operands.insert({value, graph.getNumArguments() + number});
  auto setType = [&](Value value) {
    auto operand = operands.find(value);
    value.setType(instantiate(graph::typeOf(value),
                              operand == operands.end() ? -1 : operand->second,
                              values));
  };
  llvm::for_each(body.getArguments(), setType);
  for (Operation &op : body.without_terminator()) {
    llvm::for_each(op.getResults(), setType);
    if (auto slice = dyn_cast<graph::SliceOp>(op))
      spellStops(slice);
  }
  copy->setFunctionType(
      FunctionType::get(graph.getContext(), body.getArgumentTypes(),
                        body.getTerminator()->getOperandTypes()));
  copy->setDynamic(false);
  ScopedDiagnosticHandler quiet(graph.getContext(),
                                [](Diagnostic &) { return success(); });
  if (failed(verify(*copy)))
    return {};
  return copy;
}
