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
  Block &body = graph.getBody().front();
  for (Type type : body.getArgumentTypes())
    noteNumbers(cast<RankedTensorType>(type));
  for (Operation &op : body)
    for (Type type : op.getResultTypes())
      noteNumbers(cast<RankedTensorType>(type));
  noteReduced();
}

void DynamicGraph::noteNumbers(RankedTensorType type) {
  graph::Dims own = graph::getStrides(type);
  llvm::append_range(own, type.getShape());
  for (int64_t number : own)
    if (!ShapedType::isDynamic(number) && number > 1)
      numbers.push_back(number);
}

/// Any two numbers whose factors tell them apart say what is reduced.
void DynamicGraph::noteReduced() {
  SmallVector<int64_t> values;
  // Multiples of primes that nothing else has.
  constexpr int64_t kPrimes[] = {10007, 10009, 10037, 10039, 10061, 10067,
                                 10069, 10079, 10091, 10093, 10099, 10103};
  for (size_t number = 0; number < symbols.size(); ++number)
    values.push_back(kPrimes[number % std::size(kPrimes)]);
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
