//===- Parse.cpp - Graphs from .mlir text ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "lib/Compiler/CompilerImpl.h"
#include "lib/Graph/GraphImpl.h"
#include "lib/Graph/TensorTypes.h"
#include "lib/Support/CApi.h"
#include "lib/Support/Diagnostics.h"
#include "lib/Support/Dtypes.h"
#include "lib/Support/StageTimer.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::lib;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Records of a parsed graph
//===----------------------------------------------------------------------===//

namespace {

/// Fills an og_graph's records from its op, so that it reads like a built one.
class RecordBuilder {
public:
  explicit RecordBuilder(GraphImpl &graph) : graph(graph) {}

  og_status run();

private:
  void addArgument(unsigned index);
  og_status addOps(Block &block, int32_t region);
  og_status addOp(Operation &op, int32_t region);
  og_status addRegion(Operation &op, NodeRecord &node);
  void addOperands(Operation &op, NodeRecord &node);
  void addResults(Operation &op, NodeRecord &node);
  void addRaggedOffsets(const NodeRecord &node);
  void addConstant(graph::ConstantOp op, int32_t region);
  void addAttributes(Operation &op, NodeRecord &node);
  void markOutputs();
  og_tensor add(TensorRecord record, Value value);
  void setUid(og_tensor tensor, int64_t uid);

  GraphImpl &graph;
  llvm::DenseMap<Value, og_tensor> tensors;
};

} // namespace

og_tensor RecordBuilder::add(TensorRecord record, Value value) {
  record.resolved = resolveSpec(cast<RankedTensorType>(value.getType()));
  record.declared = record.resolved;
  if (graph::LayoutAttr layout =
          graph::getLayout(cast<RankedTensorType>(value.getType())))
    record.reordering = int32_t(layout.getReordering());
  og_tensor tensor = graph.addTensor(std::move(record));
  tensors[value] = tensor;
  return tensor;
}

void RecordBuilder::setUid(og_tensor tensor, int64_t uid) {
  // The verifier has seen that uids are unique; a negative one stays as it is.
  if (uid < 0)
    graph.tensors[tensor].uid = uid;
  else
    (void)graph.chooseUid(tensor, uid);
}

void RecordBuilder::addArgument(unsigned index) {
  graph::GraphOp op = graph.graphOp;
  TensorRecord record;
  record.name = op.getArgumentName(index).str();
  // As plans call an argument without a label.
  if (record.name.empty())
    record.name = "arg" + std::to_string(index);
  record.byValue = op.isByValue(index);
  record.value = readScalarAttr(op.getArgumentDefault(index));
  record.alignment = op.getArgumentAlignment(index);
  Value value = op.getBody().getArgument(index);
  record.isUsed = !value.use_empty();
  setUid(add(std::move(record), value), op.getArgumentUid(index));
}

void RecordBuilder::addConstant(graph::ConstantOp op, int32_t region) {
  TensorRecord record;
  record.region = region;
  record.isConstant = true;
  record.value = readScalarAttr(op.getValue());
  record.isUsed = !op.getOut().use_empty();
  add(std::move(record), op.getOut());
}

void RecordBuilder::addAttributes(Operation &op, NodeRecord &node) {
  for (const AttributeInfo &info : node.op->attributes) {
    Attribute attr = op.getAttr(info.name);
    if (!attr)
      continue;
    AttributeValue value;
    value.info = &info;
    value.kind = OG_VALUE_I64;
    if (auto integer = dyn_cast<IntegerAttr>(attr)) {
      value.i64 = integer.getInt();
    } else if (auto number = dyn_cast<FloatAttr>(attr)) {
      value.kind = OG_VALUE_F64;
      value.f64 = number.getValueAsDouble();
    } else if (isa<UnitAttr>(attr)) {
      value.kind = OG_VALUE_BOOL;
      value.i64 = 1;
    } else if (auto type = dyn_cast<TypeAttr>(attr)) {
      value.kind = OG_VALUE_DTYPE;
      value.i64 = toDtype(type.getValue());
    } else if (auto array = dyn_cast<DenseI64ArrayAttr>(attr)) {
      value.kind = OG_VALUE_I64_ARRAY;
      value.array.assign(array.asArrayRef().begin(), array.asArrayRef().end());
    } else {
      for (const EnumCaseInfo &c : info.cases) {
        if (info.makeEnum(op.getContext(), c.value) != attr)
          continue;
        value.kind = OG_VALUE_STRING;
        value.i64 = c.value;
        value.string = c.text;
      }
    }
    node.attributes.push_back(std::move(value));
  }
}

/// How many values each operand or result of the definition has.
static SmallVector<int32_t> segmentSizes(Operation &op, StringRef attribute,
                                         ArrayRef<bool> isRequired,
                                         size_t values) {
  if (auto sizes = dyn_cast_or_null<DenseI32ArrayAttr>(
          op.getInherentAttr(attribute).value_or(Attribute())))
    return SmallVector<int32_t>(sizes.asArrayRef());
  // Without sizes at most one is optional or variadic.
  SmallVector<int32_t> sizes(isRequired.size(), 1);
  for (auto [size, required] : llvm::zip_equal(sizes, isRequired))
    if (!required)
      size = int32_t(values) - int32_t(sizes.size() - 1);
  return sizes;
}

void RecordBuilder::addOperands(Operation &op, NodeRecord &node) {
  auto isRequired =
      llvm::map_to_vector(node.op->operands, [](const OperandInfo &info) {
        return info.arity == Arity::Required;
      });
  SmallVector<int32_t> sizes =
      segmentSizes(op, "operandSegmentSizes", isRequired, op.getNumOperands());
  unsigned next = 0;
  for (auto [index, size] : llvm::enumerate(sizes))
    for (int32_t i = 0; i < size; ++i)
      node.operands.emplace_back(index, tensors.lookup(op.getOperand(next++)));
}

void RecordBuilder::addResults(Operation &op, NodeRecord &node) {
  auto isRequired = llvm::map_to_vector(
      node.op->results, [](const ResultInfo &info) { return !info.optional; });
  SmallVector<int32_t> sizes =
      segmentSizes(op, "resultSegmentSizes", isRequired, op.getNumResults());
  unsigned next = 0;
  for (auto [index, size] : llvm::enumerate(sizes)) {
    if (!size) {
      node.results.push_back(OG_NO_TENSOR);
      continue;
    }
    TensorRecord record;
    record.name = node.name + "::" + node.op->results[index].port;
    record.isVirtual = true;
    record.node = graph.nodes.size();
    record.region = node.region;
    Value value = op.getResult(next++);
    record.isUsed = !value.use_empty();
    node.results.push_back(add(std::move(record), value));
  }
}

/// Gives the tensors on a node's ports the offsets that the op reads for them.
void RecordBuilder::addRaggedOffsets(const NodeRecord &node) {
  ArrayRef<int64_t> multipliers;
  for (const AttributeValue &value : node.attributes)
    if (StringRef(value.info->name) == "ragged_multipliers")
      multipliers = value.array;
  auto give = [&](StringRef port, og_tensor tensor, StringRef wanted,
                  og_tensor offset, int64_t multiplier) {
    if (tensor == OG_NO_TENSOR || port.lower() != wanted)
      return;
    graph.tensors[tensor].raggedOffset = offset;
    graph.tensors[tensor].raggedMultiplier = multiplier;
  };
  for (auto [index, offset] : node.operands) {
    StringRef port = node.op->operands[index].name;
    if (!port.consume_front("ragged_offset_"))
      continue;
    int64_t multiplier = multipliers.empty() ? 1 : multipliers.front();
    multipliers = multipliers.drop_front(multipliers.empty() ? 0 : 1);
    for (auto [other, tensor] : node.operands)
      give(node.op->operands[other].port, tensor, port, offset, multiplier);
    for (auto [info, tensor] : llvm::zip_equal(node.op->results, node.results))
      give(info.port, tensor, port, offset, multiplier);
  }
}

/// Adds what is inside the region of `op`, before the node that owns it.
og_status RecordBuilder::addRegion(Operation &op, NodeRecord &node) {
  Block &block = op.getRegion(0).front();
  RegionRecord region;
  int captures = node.op->findOperand("captures");
  for (auto [index, tensor] : node.operands)
    if (index == captures)
      region.captures.push_back(tensor);
  if (block.getNumArguments() < region.captures.size())
    return fail(OG_INVALID_VALUE, graph.describe(node) +
                                      ": expected its region to have at least "
                                      "an argument for each capture, got " +
                                      Twine(block.getNumArguments()) + " for " +
                                      Twine(region.captures.size()));
  int32_t number = graph.regions.size() + 1;
  node.ownedRegion = number;
  size_t count = block.getNumArguments() - region.captures.size();
  for (auto [index, value] : llvm::enumerate(block.getArguments())) {
    if (index >= count) {
      tensors[value] = region.captures[index - count];
      continue;
    }
    TensorRecord record;
    record.name = ("region_" + Twine(number) + "::ARG_" + Twine(index)).str();
    record.isVirtual = true;
    record.region = number;
    record.isUsed = !value.use_empty();
    region.arguments.push_back(add(std::move(record), value));
  }
  graph.regions.push_back(std::move(region));
  OG_TRY(addOps(block, number));
  RegionRecord &added = graph.regions[number - 1];
  for (Value value : block.getTerminator()->getOperands())
    added.results.push_back(tensors.lookup(value));
  added.owner = graph.nodes.size();
  return OG_OK;
}

og_status RecordBuilder::addOp(Operation &op, int32_t region) {
  if (auto constant = dyn_cast<graph::ConstantOp>(op)) {
    addConstant(constant, region);
    return OG_OK;
  }
  NodeRecord node;
  StringRef name = op.getName().stripDialect();
  node.op = findOp(name);
  if (!node.op)
    return fail(OG_INVALID_VALUE, "'" + op.getName().getStringRef() +
                                      "' is no operation of a graph");
  node.name = (name + "." + Twine(graph.opCounts[node.op->name]++)).str();
  node.region = region;
  addOperands(op, node);
  addAttributes(op, node);
  if (op.getNumRegions() && !op.getRegion(0).empty())
    OG_TRY(addRegion(op, node));
  addResults(op, node);
  addRaggedOffsets(node);
  graph.nodes.push_back(std::move(node));
  return OG_OK;
}

og_status RecordBuilder::addOps(Block &block, int32_t region) {
  for (Operation &op : block.without_terminator())
    OG_TRY(addOp(op, region));
  return OG_OK;
}

void RecordBuilder::markOutputs() {
  graph::GraphOp op = graph.graphOp;
  for (auto [index, value] : llvm::enumerate(op.getReturn().getOperands())) {
    og_tensor tensor = tensors.lookup(value);
    TensorRecord &record = graph.tensors[tensor];
    record.isVirtual = false;
    record.alignment = op.getResultAlignment(index);
    if (StringRef name = op.getResultName(index); !name.empty())
      record.name = name.str();
    setUid(tensor, op.getResultUid(index));
  }
}

og_status RecordBuilder::run() {
  graph::GraphOp op = graph.graphOp;
  graph.name = op.getSymName().str();
  graph.dynamic = op.getDynamic();
  auto dtypeOf = [](std::optional<Type> type) {
    return type ? int32_t(toDtype(*type)) : int32_t(OG_DTYPE_NOT_SET);
  };
  graph.ioDtype = dtypeOf(op.getIoType());
  graph.intermediateDtype = dtypeOf(op.getIntermediateType());
  graph.computeDtype = dtypeOf(op.getComputeType());
  for (unsigned i = 0; i < op.getNumArguments(); ++i)
    addArgument(i);
  OG_TRY(addOps(op.getBody().front(), 0));
  markOutputs();
  return OG_OK;
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

/// The graph called `symbol`, or the only one.
static og_status selectGraph(ModuleOp module, const char *symbol,
                             graph::GraphOp &result) {
  std::string names;
  int count = 0;
  for (auto op : module.getOps<graph::GraphOp>()) {
    names += (count++ ? ", '" : "'") + op.getSymName().str() + "'";
    if (!symbol || op.getSymName() == symbol)
      result = op;
  }
  if (!count)
    return fail(OG_INVALID_VALUE, "the text holds no graph.graph");
  if (!result)
    return fail(OG_NOT_FOUND, "no graph is called '" + Twine(symbol) +
                                  "'; the text holds " + names);
  if (!symbol && count > 1)
    return fail(OG_INVALID_VALUE, "the text holds several graphs (" +
                                      Twine(names) + "); name one of them");
  return OG_OK;
}

static og_status parseInto(GraphImpl &graph, llvm::StringRef text,
                           const char *bufferName, const char *symbol) {
  StageTimer timer(graph, "parse");
  OG_TRY(checkTextLimits(text));
  // What a text names stays in the context.
  graph.context.addUse(text.size() / 4096);
  DiagnosticCollector diagnostics(graph.context.get());
  // The copy ends in the NUL that MLIR's lexer needs.
  llvm::SourceMgr sourceMgr;
  sourceMgr.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(text, bufferName), llvm::SMLoc());
  ParserConfig config(graph.context.get(), /*verifyAfterParse=*/false);
  graph.module = parseSourceFile<ModuleOp>(sourceMgr, config);
  if (!graph.module)
    return fail(OG_PARSE_ERROR, diagnostics.textOr("the text is malformed"));
  if (failed(mlir::verify(*graph.module)))
    return fail(OG_INVALID_VALUE, diagnostics.textOr("verification failed"));
  OG_TRY(selectGraph(*graph.module, symbol, graph.graphOp));
  OG_TRY(RecordBuilder(graph).run());
  graph.isValidated = true;
  graph.isParsed = true;
  return OG_OK;
}

static og_status parseGraph(og_compiler *compiler, llvm::StringRef text,
                            const char *bufferName, const char *symbol,
                            og_graph **out) {
  auto graph = std::make_unique<og_graph>(compiler->impl);
  OG_TRY(parseInto(*graph, text, bufferName, symbol));
  *out = graph.release();
  return OG_OK;
}

og_status og_graph_parse(og_compiler *compiler, const char *text, size_t size,
                         const char *symbol, og_graph **out) {
  OG_TRY(checkNotNull(out, "out"));
  *out = nullptr;
  OG_TRY(checkNotNull(compiler, "compiler"));
  if (size)
    OG_TRY(checkNotNull(text, "text"));
  return parseGraph(compiler, llvm::StringRef(text, size), "<text>", symbol,
                    out);
}

og_status og_graph_parse_file(og_compiler *compiler, const char *path,
                              const char *symbol, og_graph **out) {
  OG_TRY(checkNotNull(out, "out"));
  *out = nullptr;
  OG_TRY(checkNotNull(compiler, "compiler"));
  OG_TRY(checkNotNull(path, "path"));
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return fail(OG_IO_ERROR, "cannot read '" + Twine(path) +
                                 "': " + buffer.getError().message());
  return parseGraph(compiler, (*buffer)->getBuffer(), path, symbol, out);
}
