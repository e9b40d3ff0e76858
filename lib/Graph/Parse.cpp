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
  og_status addOp(Operation &op);
  void addConstant(graph::ConstantOp op);
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

void RecordBuilder::addConstant(graph::ConstantOp op) {
  TensorRecord record;
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
static SmallVector<int32_t> segmentSizes(Operation &op, bool sized,
                                         StringRef attribute, size_t count,
                                         size_t values) {
  if (sized)
    if (auto sizes = dyn_cast_or_null<DenseI32ArrayAttr>(
            op.getInherentAttr(attribute).value_or(Attribute())))
      return SmallVector<int32_t>(sizes.asArrayRef());
  // Without sizes at most the last or only one is optional or variadic.
  SmallVector<int32_t> sizes(count, 1);
  if (count && values != count)
    sizes.back() = int32_t(values) - int32_t(count - 1);
  return sizes;
}

og_status RecordBuilder::addOp(Operation &op) {
  if (auto constant = dyn_cast<graph::ConstantOp>(op)) {
    addConstant(constant);
    return OG_OK;
  }
  NodeRecord node;
  StringRef name = op.getName().stripDialect();
  node.op = findOp(name);
  if (!node.op)
    return fail(OG_INVALID_VALUE, "'" + op.getName().getStringRef() +
                                      "' is no operation of a graph");
  node.name = (name + "." + Twine(graph.opCounts[node.op->name]++)).str();
  unsigned next = 0;
  SmallVector<int32_t> operands =
      segmentSizes(op, node.op->sizedOperands, "operandSegmentSizes",
                   node.op->operands.size(), op.getNumOperands());
  for (auto [index, size] : llvm::enumerate(operands))
    for (int32_t i = 0; i < size; ++i)
      node.operands.emplace_back(index, tensors.lookup(op.getOperand(next++)));
  addAttributes(op, node);
  SmallVector<int32_t> results =
      segmentSizes(op, node.op->sizedResults, "resultSegmentSizes",
                   node.op->results.size(), op.getNumResults());
  next = 0;
  for (auto [index, size] : llvm::enumerate(results)) {
    if (!size) {
      node.results.push_back(OG_NO_TENSOR);
      continue;
    }
    TensorRecord record;
    record.name = node.name + "::" + node.op->results[index].port;
    record.isVirtual = true;
    record.node = graph.nodes.size();
    Value value = op.getResult(next++);
    record.isUsed = !value.use_empty();
    node.results.push_back(add(std::move(record), value));
  }
  graph.nodes.push_back(std::move(node));
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
  for (Operation &inner : op.getBody().front().without_terminator())
    OG_TRY(addOp(inner));
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
