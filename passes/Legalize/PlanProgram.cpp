//===- PlanProgram.cpp - The plan program of a graph ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Legalize/PlanProgram.h"
#include "dialects/Graph/Layout.h"
#include "passes/Legalize/Host/Scalar/Scalar.h"
#include "passes/Legalize/OperandStorage.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;

//===----------------------------------------------------------------------===//
// Names and types
//===----------------------------------------------------------------------===//

/// The first characters of the graph's name, those that C would not take
/// replaced; "graph" for an empty one.
static std::string sanitize(StringRef name) {
  std::string result = name.empty() ? "graph" : name.take_front(1000).str();
  for (char &c : result)
    if (!llvm::isAlnum(c))
      c = '_';
  return result;
}

/// What of a user's label a plan file takes: at most 4095 bytes, and no control
/// characters.
static std::string makeLabel(StringRef name) {
  std::string result = name.take_front(4095).str();
  for (char &c : result)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      c = '?';
  return result;
}

std::string legalize::getEntrySymbol(graph::GraphOp graph, StringRef suffix) {
  return ("opgraph_" + sanitize(graph.getSymName()) + "_" + suffix).str();
}

plan::StrideRule legalize::getStrideRule(RankedTensorType type,
                                         plan::StrideRule rule) {
  // Tiles have no strides that a buffer could have instead.
  return graph::getReordering(type) == graph::Reordering::NONE
             ? rule
             : plan::StrideRule::Exact;
}

MemRefType legalize::getOperandType(RankedTensorType type,
                                    plan::StrideRule rule) {
  rule = getStrideRule(type, rule);
  Type elementType = getStorageType(type.getElementType());
  if (type.getRank() == 0)
    return MemRefType::get({}, elementType);
  graph::Dims strides = graph::getStrides(type);
  switch (rule) {
  case plan::StrideRule::Exact:
    break;
  case plan::StrideRule::UnitInner: {
    int64_t inner = graph::getMemoryOrder(type).back();
    for (auto [axis, stride] : llvm::enumerate(strides))
      if (static_cast<int64_t>(axis) != inner || stride != 1)
        stride = ShapedType::kDynamic;
    break;
  }
  case plan::StrideRule::Any:
    strides.assign(strides.size(), ShapedType::kDynamic);
    break;
  }
  auto layout =
      StridedLayoutAttr::get(type.getContext(), /*offset=*/0, strides);
  return MemRefType::get(type.getShape(), elementType, layout);
}

/// The type of operand `index` of `graph`: its arguments, then its results.
static RankedTensorType getOperandTensor(graph::GraphOp graph, unsigned index) {
  unsigned numArguments = graph.getNumArguments();
  Type type = index < numArguments
                  ? graph.getArgumentTypes()[index]
                  : graph.getResultTypes()[index - numArguments];
  return cast<RankedTensorType>(type);
}

static unsigned getNumOperands(graph::GraphOp graph) {
  return graph.getNumArguments() + graph.getNumResults();
}

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

llvm::MapVector<StringAttr, OperandAxis>
legalize::getSymbolSources(graph::GraphOp graph) {
  llvm::MapVector<StringAttr, OperandAxis> sources;
  for (unsigned index = 0; index < getNumOperands(graph); ++index)
    for (auto [axis, symbol] :
         llvm::enumerate(graph::getSymbols(getOperandTensor(graph, index))))
      if (symbol)
        sources.insert(
            {symbol, OperandAxis{index, static_cast<unsigned>(axis)}});
  return sources;
}

static LogicalResult
checkSymbolsAreBound(graph::GraphOp graph,
                     const llvm::MapVector<StringAttr, OperandAxis> &sources) {
  for (Operation &op : graph.getBody().front())
    for (OpResult result : op.getResults())
      for (StringAttr symbol :
           graph::getSymbols(cast<RankedTensorType>(result.getType())))
        if (symbol && !sources.contains(symbol))
          return op.emitOpError("expected symbol ")
                 << symbol << " of result " << result.getResultNumber()
                 << " to be an extent of an argument or a result of the graph";
  return success();
}

namespace {
/// Writes the declarations of one program.
class ProgramWriter {
public:
  ProgramWriter(graph::GraphOp graph, const ProgramSpec &spec,
                OpBuilder &builder)
      : graph(graph), spec(spec), b(builder), loc(graph.getLoc()) {}

  void write(const llvm::MapVector<StringAttr, OperandAxis> &sources) {
    for (auto &[name, source] : sources)
      extents[name] = addSymbol(name, plan::SymbolSource::Extent,
                                source.operand, source.axis);
    for (unsigned index = 0; index < getNumOperands(graph); ++index)
      addDynamicStrides(index);
    for (unsigned index = 0; index < getNumOperands(graph); ++index)
      addOperand(index);
    for (auto [argument, result] : spec.aliases)
      plan::AliasOp::create(b, loc, argument, graph.getNumArguments() + result);
  }

private:
  AffineExpr addSymbol(StringRef name, plan::SymbolSource source,
                       unsigned operand, unsigned axis) {
    plan::SymbolOp::create(b, loc, makeLabel(name), source, operand, axis,
                           /*min=*/0, std::numeric_limits<int64_t>::max(),
                           /*divisor=*/1, getDefault(source, operand, axis));
    return b.getAffineSymbolExpr(numSymbols++);
  }

  /// The number that the user declared where a call may override it; null for
  /// a symbol of the user's.
  IntegerAttr getDefault(plan::SymbolSource source, unsigned operand,
                         unsigned axis) {
    if (!spec.declared)
      return {};
    RankedTensorType type = getOperandTensor(spec.declared, operand);
    int64_t value = source == plan::SymbolSource::Extent
                        ? type.getDimSize(axis)
                        : graph::getStrides(type)[axis];
    return ShapedType::isDynamic(value) ? IntegerAttr()
                                        : b.getI64IntegerAttr(value);
  }

  /// A symbol for each stride that is known only when operands are bound.
  void addDynamicStrides(unsigned index) {
    RankedTensorType type = getOperandTensor(graph, index);
    graph::LayoutAttr layout = graph::getLayout(type);
    if (!layout)
      return;
    for (auto [axis, stride] : llvm::enumerate(layout.getStrides())) {
      if (!ShapedType::isDynamic(stride))
        continue;
      std::string name = llvm::formatv("stride.{0}.{1}", index, axis);
      strides[{index, static_cast<unsigned>(axis)}] =
          addSymbol(name, plan::SymbolSource::Stride, index, axis);
    }
  }

  AffineMap makeMap(ArrayRef<AffineExpr> exprs) {
    return AffineMap::get(/*dimCount=*/0, numSymbols, exprs, b.getContext());
  }

  SmallVector<AffineExpr> getExtentExprs(RankedTensorType type) {
    SmallVector<AffineExpr> exprs;
    for (auto [size, symbol] :
         llvm::zip_equal(type.getShape(), graph::getSymbols(type)))
      exprs.push_back(symbol ? extents.lookup(symbol)
                             : b.getAffineConstantExpr(size));
    return exprs;
  }

  SmallVector<AffineExpr> getStrideExprs(unsigned index, RankedTensorType type,
                                         ArrayRef<AffineExpr> sizes) {
    SmallVector<AffineExpr> exprs;
    for (auto [axis, stride] : llvm::enumerate(graph::getStrides(type)))
      exprs.push_back(ShapedType::isDynamic(stride)
                          ? strides.lookup({index, static_cast<unsigned>(axis)})
                          : b.getAffineConstantExpr(stride));
    // Strides that follow from dynamic extents: packed in the memory order.
    AffineExpr running = b.getAffineConstantExpr(1);
    graph::Dims order = graph::getMemoryOrder(type);
    for (int64_t axis : llvm::reverse(order)) {
      if (!exprs[axis])
        exprs[axis] = running;
      running = exprs[axis] * sizes[axis];
    }
    return exprs;
  }

  /// The label, or one by position where the user gave none: a plan's errors
  /// name operands.
  std::string getName(unsigned index) {
    unsigned numArguments = graph.getNumArguments();
    bool isArgument = index < numArguments;
    StringRef name = isArgument ? graph.getArgumentName(index)
                                : graph.getResultName(index - numArguments);
    if (!name.empty())
      return makeLabel(name);
    return isArgument ? "arg" + std::to_string(index)
                      : "result" + std::to_string(index - numArguments);
  }

  void addOperand(unsigned index) {
    RankedTensorType type = getOperandTensor(graph, index);
    SmallVector<AffineExpr> sizes = getExtentExprs(type);
    SmallVector<AffineExpr> steps = getStrideExprs(index, type, sizes);
    bool isArgument = index < graph.getNumArguments();
    unsigned result = index - graph.getNumArguments();
    bool isByValue = isArgument && graph.isByValue(index);
    OperandStorage storage = getOperandStorage(graph, index);
    AffineMapAttr bytes;
    if (storage.bytes)
      bytes =
          AffineMapAttr::get(makeMap(b.getAffineConstantExpr(*storage.bytes)));
    plan::OperandOp::create(
        b, loc, getName(index),
        isArgument ? graph.getArgumentUid(index) : graph.getResultUid(result),
        isArgument ? plan::Role::In : plan::Role::Out, type.getElementType(),
        makeMap(sizes), makeMap(steps), isByValue,
        isByValue ? graph.getArgumentDefault(index) : TypedAttr(),
        isArgument ? graph.getArgumentAlignment(index)
                   : graph.getResultAlignment(result),
        storage.storage, bytes, getStrideRule(type, spec.strideRule));
  }

  graph::GraphOp graph;
  const ProgramSpec &spec;
  OpBuilder &b;
  Location loc;
  unsigned numSymbols = 0;
  llvm::DenseMap<StringAttr, AffineExpr> extents;
  llvm::DenseMap<std::pair<unsigned, unsigned>, AffineExpr> strides;
};
} // namespace

//===----------------------------------------------------------------------===//
// Program and entry
//===----------------------------------------------------------------------===//

static plan::EngineAttr makeEngine(graph::PlanAttr plan,
                                   const ProgramSpec &spec,
                                   MLIRContext *context) {
  if (!plan)
    return plan::EngineAttr::get(context, spec.engineId,
                                 StringAttr::get(context, spec.engineName),
                                 /*version=*/1, {});
  SmallVector<int64_t> knobs;
  for (const graph::Knob &knob : plan.getKnobs())
    knobs.append({knob.key, knob.value});
  return plan::EngineAttr::get(context, plan.getEngine(),
                               StringAttr::get(context, plan.getName()),
                               static_cast<uint32_t>(plan.getVersion()), knobs);
}

/// The notes of the plan by name; null where it has none.
static ArrayAttr makeNotes(graph::PlanAttr plan, OpBuilder &builder) {
  SmallVector<StringRef> names;
  if (plan) {
    for (graph::BehaviorNote note : plan.getBehaviorNotes())
      names.push_back(graph::stringifyBehaviorNote(note));
    for (graph::NumericalNote note : plan.getNumericalNotes())
      names.push_back(graph::stringifyNumericalNote(note));
  }
  return names.empty() ? nullptr : builder.getStrArrayAttr(names);
}

static func::FuncOp makeEntry(graph::GraphOp graph, const ProgramSpec &spec,
                              OpBuilder &builder) {
  SmallVector<Type> types;
  for (unsigned index = 0; index < getNumOperands(graph); ++index)
    types.push_back(
        getOperandType(getOperandTensor(graph, index), spec.strideRule));
  auto entry = func::FuncOp::create(builder, graph.getLoc(),
                                    getEntrySymbol(graph, spec.suffix),
                                    builder.getFunctionType(types, {}));
  entry->setAttr(plan::hostEntryAttrName, builder.getUnitAttr());
  OpBuilder body = OpBuilder::atBlockBegin(entry.addEntryBlock());
  func::ReturnOp::create(body, graph.getLoc());
  return entry;
}

/// The program with its declarations.
static FailureOr<plan::ProgramOp>
buildProgram(graph::GraphOp graph, graph::PlanAttr plan,
             const ProgramSpec &spec, StringRef defaultTarget, ModuleOp into) {
  auto sources = getSymbolSources(graph);
  if (failed(checkSymbolsAreBound(graph, sources)))
    return failure();
  OpBuilder builder = OpBuilder::atBlockEnd(into.getBody());
  StringRef target = plan ? plan.getTarget() : defaultTarget;
  auto program = plan::ProgramOp::create(
      builder, graph.getLoc(), sanitize(graph.getSymName()), target,
      makeEngine(plan, spec, graph.getContext()), /*workspace=*/nullptr,
      /*compiler=*/nullptr, makeNotes(plan, builder), /*source=*/nullptr);
  builder.setInsertionPointToStart(&program.getBody().emplaceBlock());
  ProgramWriter(graph, spec, builder).write(sources);
  return program;
}

FailureOr<HostProgram> legalize::buildHostProgram(graph::GraphOp graph,
                                                  graph::PlanAttr plan,
                                                  const ProgramSpec &spec,
                                                  ModuleOp into) {
  FailureOr<plan::ProgramOp> program =
      buildProgram(graph, plan, spec, "host", into);
  if (failed(program))
    return failure();
  OpBuilder builder = OpBuilder::atBlockEnd(into.getBody());
  func::FuncOp entry = makeEntry(graph, spec, builder);
  builder.setInsertionPointToEnd(&program->getBody().front());
  plan::HostCallOp::create(builder, graph.getLoc(), entry.getSymName());
  return HostProgram{*program, entry};
}

FailureOr<plan::ProgramOp> legalize::buildDeviceProgram(graph::GraphOp graph,
                                                        graph::PlanAttr plan,
                                                        const ProgramSpec &spec,
                                                        ModuleOp into) {
  return buildProgram(graph, plan, spec, "sm_90", into);
}
