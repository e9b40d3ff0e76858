//===- Facts.cpp - Parsing a graph for planning ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Planning/Facts.h"
#include "dialects/Graph/Attention.h"
#include "dialects/Graph/GraphDialect.h"
#include "passes/Planning/Features.h"
#include "passes/Planning/Work.h"
#include "passes/Transforms/Expansion.h"
#include "passes/Transforms/Layouts.h"
#include "passes/Transforms/ReductionSplit.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace opgraph;
using namespace opgraph::planning;

//===----------------------------------------------------------------------===//
// Totals
//===----------------------------------------------------------------------===//

bool GraphFacts::isDynamic() const {
  return llvm::any_of(values, [](const ValueFacts &v) { return v.isDynamic; });
}

int64_t GraphFacts::maxRank() const {
  int64_t rank = 0;
  for (const ValueFacts &value : values)
    rank = std::max<int64_t>(rank, value.dims.size());
  return rank;
}

Work GraphFacts::totalWork() const {
  Work work;
  for (const OpFacts &op : ops)
    work += op.work;
  return work;
}

int64_t GraphFacts::portBytes() const {
  uint64_t bytes = 0;
  for (const ValueFacts &value : values)
    if (!value.isTemporary())
      bytes = SaturatingAdd<uint64_t>(bytes, value.bytes);
  return std::min<uint64_t>(bytes, INT64_MAX);
}

int64_t GraphFacts::temporaryBytes() const {
  uint64_t bytes = 0;
  for (const ValueFacts &value : values) {
    if (!value.isTemporary())
      continue;
    if (value.isDynamic)
      return -1;
    bytes = SaturatingAdd<uint64_t>(bytes, alignTo(value.bytes, 64));
  }
  return std::min<uint64_t>(bytes, INT64_MAX);
}

//===----------------------------------------------------------------------===//
// Changes
//===----------------------------------------------------------------------===//

void GraphFacts::setElementType(unsigned value, DType type) {
  ValueFacts &facts = values[value];
  uint64_t bytes = SaturatingMultiply<uint64_t>(
      facts.bytes / storageBytes(facts.type), storageBytes(type));
  facts.bytes = std::min<uint64_t>(bytes, INT64_MAX);
  facts.type = type;
}

void GraphFacts::fixExtents() {
  for (ValueFacts &value : values) {
    value.isDynamic = false;
    for (int64_t &extent : value.dims)
      if (mlir::ShapedType::isDynamic(extent))
        extent = kNominalExtent;
  }
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

static LayoutClass classifyLayout(mlir::RankedTensorType type) {
  if (!graph::getLayout(type))
    return LayoutClass::Contiguous;
  graph::Dims strides = graph::getStrides(type);
  if (graph::isPacked(type))
    return graph::getMemoryOrder(type) == graph::rowMajorOrder(type.getRank())
               ? LayoutClass::Contiguous
               : LayoutClass::Permuted;
  return llvm::is_contained(strides, 1) ? LayoutClass::Padded
                                        : LayoutClass::Strided;
}

static ValueFacts describe(mlir::RankedTensorType type, std::string name) {
  ValueFacts facts;
  facts.name = std::move(name);
  facts.type = dtypeOf(type.getElementType()).value_or(DType::F32);
  facts.layout = classifyLayout(type);
  if (graph::LayoutAttr layout = graph::getLayout(type))
    facts.reordering = graph::stringifyReordering(layout.getReordering());
  facts.dims.assign(type.getShape().begin(), type.getShape().end());
  facts.elements = countElements(facts.dims);
  facts.isDynamic = !type.hasStaticShape();
  int64_t span = facts.elements;
  if (!facts.isDynamic)
    span = graph::getSpan(type.getShape(), graph::getStrides(type))
               .value_or(facts.elements);
  uint64_t bytes = SaturatingMultiply<uint64_t>(span, storageBytes(facts.type));
  facts.bytes = std::min<uint64_t>(bytes, INT64_MAX);
  return facts;
}

namespace {
/// Builds GraphFacts from a graph op.
class Parser {
public:
  explicit Parser(graph::GraphOp graph) : graph(graph) {}
  GraphFacts run();

private:
  void addValue(mlir::Value value, std::string name);
  void addArguments();
  void addOp(mlir::Operation &op);
  void markOutputs();

  graph::GraphOp graph;
  GraphFacts facts;
  DenseMap<mlir::Value, unsigned> indices;
};
} // namespace

void Parser::addValue(mlir::Value value, std::string name) {
  indices[value] = facts.values.size();
  facts.values.push_back(
      describe(cast<mlir::RankedTensorType>(value.getType()), std::move(name)));
}

void Parser::addArguments() {
  for (auto [index, value] :
       llvm::enumerate(graph.getBody().front().getArguments())) {
    StringRef name = graph.getArgumentName(index);
    addValue(value, name.empty()
                        ? "uid " + std::to_string(graph.getArgumentUid(index))
                        : name.str());
    facts.values.back().isArgument = true;
    facts.values.back().isByValue = graph.isByValue(index);
  }
}

void Parser::addOp(mlir::Operation &op) {
  OpFacts opFacts;
  opFacts.mnemonic = op.getName().stripDialect().str();
  opFacts.isPointwise = isa<graph::PointwiseOpInterface>(op);
  mlir::Type compute = graph.getDefaultComputeType();
  if (auto computing = dyn_cast<graph::ComputeTypeOpInterface>(op))
    compute = computing.getEffectiveComputeType();
  opFacts.compute = dtypeOf(compute).value_or(DType::F32);
  for (mlir::Value operand : op.getOperands())
    opFacts.operands.push_back(indices.lookup(operand));
  for (mlir::Value result : op.getResults()) {
    opFacts.results.push_back(facts.values.size());
    addValue(result,
             opFacts.mnemonic + "." + std::to_string(facts.ops.size()) +
                 (op.getNumResults() == 1
                      ? ""
                      : "#" + std::to_string(opFacts.results.size() - 1)));
  }
  opFacts.features = featuresOf(&op);
  if (graph::isAttention(&op))
    opFacts.scores = SmallVector<int64_t, 4>(
        graph::Attention(&op).getScoreType().getShape());
  opFacts.work = workOf(&op);
  facts.ops.push_back(std::move(opFacts));
}

void Parser::markOutputs() {
  for (auto [index, value] : llvm::enumerate(graph.getReturn().getOperands())) {
    ValueFacts &output = facts.values[indices.lookup(value)];
    output.isOutput = true;
    StringRef name = graph.getResultName(index);
    output.name = name.empty()
                      ? "uid " + std::to_string(graph.getResultUid(index))
                      : name.str();
  }
}

/// Rounded up; -1 where it is dynamic.
static int64_t countBytes(mlir::Value value) {
  constexpr uint64_t kAlignment = 256;
  auto type = cast<mlir::RankedTensorType>(value.getType());
  if (!type.hasStaticShape())
    return -1;
  // Half a byte takes one here.
  uint64_t bits = SaturatingMultiply<uint64_t>(
      type.getNumElements(),
      std::max(graph::getStorageBits(type.getElementType()), 8u));
  return std::min<uint64_t>(alignTo(divideCeil(bits, 8), kAlignment),
                            INT64_MAX);
}

/// Of the 4-bit operands, a byte for each of their elements: kernels that cut
/// bytes take them so.
static uint64_t countUnpackedBytes(graph::GraphOp graph) {
  uint64_t bytes = 0;
  for (mlir::Type type : llvm::concat<const mlir::Type>(
           graph.getArgumentTypes(), graph.getResultTypes())) {
    auto tensor = cast<mlir::RankedTensorType>(type);
    if (!graph::isPackedInHalves(tensor.getElementType()))
      continue;
    uint64_t span = 1;
    for (auto [extent, stride] :
         zip_equal(tensor.getShape(), graph::getStrides(tensor)))
      if (extent > 1 && !mlir::ShapedType::isDynamic(stride))
        span = SaturatingAdd<uint64_t>(
            span, SaturatingMultiply<uint64_t>(extent - 1, std::abs(stride)));
    bytes = SaturatingAdd<uint64_t>(bytes, SaturatingAdd<uint64_t>(span, 256));
  }
  return bytes;
}

static int64_t multiply(int64_t a, int64_t b) {
  int64_t product;
  return MulOverflow(a, b, product) ? INT64_MAX : product;
}

/// GraphFacts::longestSide of a result.
static int64_t getLongestSide(mlir::Operation &op) {
  auto type = cast<mlir::RankedTensorType>(op.getResult(0).getType());
  if (auto reduction = dyn_cast<graph::ReductionOp>(op)) {
    auto input = cast<mlir::RankedTensorType>(reduction.getInput().getType());
    int64_t left = 1, combined = 1;
    for (auto [from, to] : zip_equal(input.getShape(), type.getShape())) {
      int64_t &side = from == to ? left : combined;
      side = multiply(side, from);
    }
    return std::max(left, combined);
  }
  int64_t beside = 1, most = 0;
  for (int64_t axis : graph::getMemoryOrder(type)) {
    int64_t extent = type.getDimSize(axis);
    if (extent == 1)
      continue;
    beside = multiply(beside, std::max<int64_t>(most, 1));
    most = extent;
  }
  for (int64_t extent : type.getShape())
    most = std::max(most, extent);
  return std::max(beside, most);
}

static int64_t getLongestSide(graph::GraphOp graph) {
  int64_t longest = 0;
  for (mlir::Operation &op : graph.getBody().front().without_terminator()) {
    auto isStatic = [](mlir::Value value) {
      return cast<mlir::RankedTensorType>(value.getType()).hasStaticShape();
    };
    if (op.getNumResults() != 1)
      continue;
    if (!isStatic(op.getResult(0)) || !all_of(op.getOperands(), isStatic))
      return 0;
    longest = std::max(longest, getLongestSide(op));
  }
  return longest;
}

/// Of the results of reductions, and of what layout ops need in memory.
static int64_t countReductionBytes(graph::GraphOp graph) {
  SmallVector<mlir::Value> values;
  bool hasLayouts = false, isDynamic = false;
  for (mlir::Operation &op : graph.getBody().front().without_terminator()) {
    for (mlir::Value result : op.getResults())
      isDynamic |= countBytes(result) < 0;
    if (isa<graph::ReductionOp>(op))
      values.push_back(op.getResult(0));
    hasLayouts |= isa<graph::TransposeOp, graph::SliceOp, graph::ReshapeOp,
                      graph::ConcatenateOp>(op);
  }
  if (isDynamic &&
      (hasLayouts || !values.empty() || countUnpackedBytes(graph) > 0))
    return -1;
  // Laying out rewrites the graph.
  mlir::OwningOpRef<graph::GraphOp> copy;
  if (hasLayouts) {
    copy = graph.clone();
    append_range(values, Layouts(*copy).getStored());
  }
  uint64_t bytes = countUnpackedBytes(graph);
  for (mlir::Value value : values)
    bytes = SaturatingAdd<uint64_t>(bytes, countBytes(value));
  if (!isDynamic) {
    ReductionSplit split(copy ? *copy : graph);
    for (auto op :
         (copy ? *copy : graph).getBody().front().getOps<graph::ReductionOp>())
      bytes = SaturatingAdd<uint64_t>(bytes, split.countBytes(op));
  }
  return std::min<uint64_t>(bytes, INT64_MAX);
}

/// Of a graph in simpler ops.
static void addAtomicCombining(graph::GraphOp graph, GraphFacts &facts) {
  ReductionSplit split(graph);
  facts.atomicCombining = getAtomicCombining(graph, split);
  if (facts.atomicCombining == AtomicCombining::None)
    return;
  // Nor have the results a place there.
  for (auto op : graph.getBody().front().getOps<graph::ReductionOp>())
    if (split.getSplits(op) > 1)
      facts.portionBytes += split.countBytes(op) + countBytes(op.getY());
}

GraphFacts Parser::run() {
  addArguments();
  for (mlir::Operation &op : graph.getBody().front().without_terminator())
    addOp(op);
  markOutputs();
  facts.allowsOverrides = graph.getDynamic();
  facts.family = familyFor(graph);
  parseProblem(facts);
  if (mlir::OwningOpRef<graph::GraphOp> expanded = expandOps(graph))
    facts.expanded =
        std::make_shared<const GraphFacts>(Parser(*expanded).run());
  mlir::OwningOpRef<graph::GraphOp> simple = expandAll(graph);
  facts.reductionBytes = countReductionBytes(simple ? *simple : graph);
  if (facts.reductionBytes > 0 && !facts.allowsOverrides)
    addAtomicCombining(simple ? *simple : graph, facts);
  facts.longestSide = getLongestSide(simple ? *simple : graph);
  return std::move(facts);
}

FactsAnalysis::FactsAnalysis(mlir::Operation *graph)
    : facts(Parser(cast<graph::GraphOp>(graph)).run()) {}
